"""What runs in the process of a student's file. It needs Python's own library only, and is quick to start."""
