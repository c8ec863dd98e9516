"""What people preferred when they were shown two things: strengths, circles, conflicts, and what the place does."""
