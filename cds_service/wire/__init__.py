"""HTTP: discovery, hooks, feedback, health. The only place where errors become status codes."""
