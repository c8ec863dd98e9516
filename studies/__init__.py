"""Timed human studies: design, timing, sitting, results."""
