"""Untrusted code in a process of its own: it answers calls and cannot change a verdict."""
