"""How the things of Plies show themselves in a notebook."""
