"""Data only: protocols, samples, recipes, fonts, design tokens."""
