"""Hand out katas, and export autograders for platforms."""
