"""From documents to a release: ingest, propose, gate, assemble, publish."""
