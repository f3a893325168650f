"""Free-text dosage instructions: abbreviations to plain words, phases, amounts, how often, how long."""
