"""Guards from words: what restricts a statement, on its axis or in the words of the label."""
