"""Screens of a sitting that are made of words: each is given what it shows, and says what was done with it."""
