"""Untrusted code in a process of its own: it answers calls, and has no say in any verdict."""
