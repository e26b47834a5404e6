"""The commands, thin: parse, call, print. What a command needs is imported inside it."""
