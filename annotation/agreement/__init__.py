"""Pure functions over (item, person, answer); nothing is imported here."""
