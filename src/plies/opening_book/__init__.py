"""Opening books: values of the first positions of a game, worked out once and looked up."""
