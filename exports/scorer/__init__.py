"""Scores predictions against a bundle with numpy alone."""
