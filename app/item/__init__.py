"""One item on the screen: its head, its fields, the guideline drawer, the clock and the saving of its draft."""
