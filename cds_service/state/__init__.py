"""What the service writes: traces, feedback, who read what, verdicts. Patient data are encrypted with the site key."""
