"""What a proposal must pass before it may become knowledge. Gates decide; they never propose."""
