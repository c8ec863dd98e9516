"""Formats in which the trials of a study leave the project; one file a format."""
