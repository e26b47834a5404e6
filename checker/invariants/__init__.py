"""What every right answer keeps: one file per kata, one function per invariant."""
