"""One page per file; pages never call pages."""
