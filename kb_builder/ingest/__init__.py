"""Bytes to documents: sources, and one reader a kind of label."""
