"""What the suite knows of a kata: its entry in the catalog, its text and its verdict."""
