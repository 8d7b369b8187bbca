"""What runs the site rather than teaches: whether it is well, what it logs, what it counts."""
