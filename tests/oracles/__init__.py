"""Answers that nobody here computed, and how they are read."""
