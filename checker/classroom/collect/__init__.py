"""Find out what a class has handed in: who, which kata, which file is the newest."""
