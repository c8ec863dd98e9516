"""The diff of two texts by words: nothing is lost on either side."""

from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.diff import diff_words

WORDS = st.lists(st.sampled_from(["no", "diet", "has", "been", "shown", ",", "."]), max_size=12).map(" ".join)


def test_neighbouring_changes_read_as_one() -> None:
    assert diff_words("No diet has been shown to lower PSA.", "No diet lowers PSA.") == [
        ("same", "No diet "), ("out", "has been shown to lower"), ("in", "lowers"), ("same", " PSA."),
    ]


def test_a_small_word_that_both_happen_to_have_is_no_island() -> None:
    assert diff_words("Take the blue pills", "Ask the nurse today") == [
        ("out", "Take the blue pills"), ("in", "Ask the nurse today"),
    ]


@settings(derandomize=True, deadline=None)
@given(WORDS, WORDS)
def test_the_old_text_is_same_and_out_and_the_new_one_same_and_in(old: str, new: str) -> None:
    runs = diff_words(old, new)
    assert "".join(text for kind, text in runs if kind != "in") == old
    assert "".join(text for kind, text in runs if kind != "out") == new
