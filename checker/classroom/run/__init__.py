"""Grade what a class handed in; an interrupted run continues where it stopped."""
