"""What the program shows and asks: the screen, games as they go on, records, lists and findings."""
