"""The program's version, as stored with every revision (a test compares it with pyproject.toml)."""

VERSION = "0.1.0"
