"""From results to cards: severity, policy, problems, wording."""
