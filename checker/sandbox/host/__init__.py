"""The trusted side: start workers, call the subject, make sure that it ends."""
