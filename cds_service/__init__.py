"""From hook to cards: wire, intake, audit, answer, state, web."""
