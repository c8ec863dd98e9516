"""What leaves a project: gold data sets, bundles, writers, the scorer."""
