"""The suite's self-check: every kata is broken, fixable and well guarded."""
