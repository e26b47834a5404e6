"""One file a kata: inputs from anywhere in the domain of its contract, and how they are asked.

`draw(rng)` gives inputs: all sizes from one up, equal ones too; every number of leading axes;
ordinary numbers, ties, zeros and extremes. `ask(subject, *inputs)` puts them to a subject and gives
what it returns: an array, or a tuple of arrays. A fault has to agree with the reference on them
before it counts as none.
"""
