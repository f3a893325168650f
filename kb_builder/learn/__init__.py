"""What extraction is worth, measured: against gold, without gold, by what it leaves unread, and on sentences made to mislead it."""
