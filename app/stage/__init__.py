"""The stage: what a participant of a timed study sees, full screen."""
