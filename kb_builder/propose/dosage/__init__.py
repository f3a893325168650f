"""Dose rules and limits of a label, from prose and tables."""
