"""The tables, the one door to the database, media, and migrations."""
