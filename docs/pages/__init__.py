"""Pages of the site that are written from facts of the code."""
