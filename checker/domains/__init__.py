"""One file per kata: inputs from the whole domain of its contract.

`draw(rng)` returns inputs: all sizes from one up, equal ones too; any number of leading axes;
ordinary numbers, ties, zeros and extremes. `ask(subject, *inputs)` calls a subject with them and
returns its answer, an array or a tuple of arrays. A planted fault counts as equivalent only if it
agrees with the reference on all of them.
"""
