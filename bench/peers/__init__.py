"""Programs that run in the peers' own environment, one for each peer; they do not import Plies."""
