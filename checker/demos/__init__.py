"""Short demonstrations of facts that the stories refer to; all numbers are computed when shown."""
