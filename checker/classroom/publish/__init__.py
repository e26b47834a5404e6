"""Hand out katas, and export autograders to platforms."""
