"""Chinese package inserts."""
