"""P-EST: which of a label's dose rules speak for this patient and order, and what they allow."""
