"""One file a kata: inputs from anywhere in the domain of its contract.

`ENTRY` is the function that the contract is about, `draw(rng)` gives inputs of it: all sizes from
one up, equal ones too; every number of leading axes; ordinary numbers, ties, zeros and extremes. A
fault has to agree with the reference on them before it counts as none.
"""
