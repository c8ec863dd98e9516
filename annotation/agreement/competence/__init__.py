"""How good each person is where nobody knows the truth: models that estimate the truth and the people together."""
