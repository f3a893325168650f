"""Stores: the relational release, the graph behind one protocol, dossiers, and the check that both say the same."""
