"""Times in a sentence are said in the number they have."""

from __future__ import annotations

import pytest

from app.words import minutes_in_full


@pytest.mark.parametrize("value, said", [
    (0.2, "1 minute"), (1.0, "1 minute"), (1.6, "2 minutes"), (18, "18 minutes"), (60, "1 h 00 min"),
    (125, "2 h 05 min")])
def test_one_minute_is_one_minute(value, said):
    assert minutes_in_full(value) == said
