"""From sections to candidate claims: one module a label section, patterns as data, deterministic by default."""
