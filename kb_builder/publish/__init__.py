"""From settled claims to a release, and from a release to what others read."""
