"""Find out what a class handed in: who, which kata, and which file is the newest."""
