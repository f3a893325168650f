"""What a label's boxed warning warns of, and in whom."""
