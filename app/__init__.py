"""The only room that knows Qt; also the command line."""
