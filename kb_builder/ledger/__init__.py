"""The ledger: every claim that any build made, when it was believed, and why it no longer is. Append-only: rows are closed, never deleted."""
