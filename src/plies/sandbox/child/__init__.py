"""What runs in the process of a student's file before the file does. It needs Python's own library only."""
