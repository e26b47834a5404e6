"""What must hold of every right answer: one file a kata, one function an invariant."""
