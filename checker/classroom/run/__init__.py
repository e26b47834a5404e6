"""Grade a class: in parallel, resumable, each different text once."""
