"""The checks, one file each, listed in the registry."""
