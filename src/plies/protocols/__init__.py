"""Protocols between programs that play: UCI, UGI and GTP, of engines and of those who drive them."""
