"""The verbs of the command line, one file each; none of them knows Qt."""
