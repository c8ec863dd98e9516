"""Plots in the program's look: data in, a matplotlib figure with its marks out, shown and taken away by PlotView."""
