"""Advice for special populations."""
