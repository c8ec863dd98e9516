"""Puzzles of our own in the kinds of STARE: drawn from a seed, with answers that are computed and never typed."""
