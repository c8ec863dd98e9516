"""Painted and plain widgets of which every page is made; no part knows the store or a page."""
