"""What is to be watched during treatment, and what must be done before it."""
