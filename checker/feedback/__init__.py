"""What a person reads of a verdict."""
