"""The trusted side: start workers, call the subject, end the worker for certain."""
