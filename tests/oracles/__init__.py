"""Answers computed by others, and how to read them."""
