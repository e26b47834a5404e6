"""A class: what was handed in, what came of it, and what is given back."""
