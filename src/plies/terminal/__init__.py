"""What the program shows and asks: games, records, results and progress, on a screen or in a pipe."""
