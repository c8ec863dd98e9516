"""Turns files and folders into records, each with the place where it stands."""
