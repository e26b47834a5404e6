"""The judge: ask a subject every invariant of its kata, and report the verdict."""
