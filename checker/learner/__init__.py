"""What a learner sees: verdicts, progress, traces, stories."""
