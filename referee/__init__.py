"""A referee for real card games on a real table."""
