"""Interactions of two drugs, and what may not be mixed."""
