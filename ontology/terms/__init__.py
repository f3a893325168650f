"""Terminology: hand-kept data with sources, the overlay compiled from document metadata, and the look-ups over both."""
