"""The services, one file a hook, keyed by service id."""
