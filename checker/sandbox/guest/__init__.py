"""The untrusted side: the process that runs a subject. It imports nothing from the host."""
