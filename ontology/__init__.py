"""What may be said about drugs, and where it is kept: model, terms, text, entail, store."""
