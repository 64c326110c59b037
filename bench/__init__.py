"""Benchmarks: ratios measured in one run. `make bench` prints them all."""
