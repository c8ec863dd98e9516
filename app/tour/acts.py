"""What each simulated person does at the window, by keys alone: answer, adjudicate, sign, release, score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import Qt

from app.tour import plan
from app.tour.hands import CTRL, SHIFT, Hands
from app.tour.plan import Said

_OPTIONS = {"is_false": ("yes", "no", "unsure"), "sound": ("yes", "repair", "no")}
_SIGNER = "Dr. Eva"


def answer_all(project: Path, person: str, said: Mapping[str, Said], *, presses: bool = True) -> list[str]:
    """Answer what the Work page offers until it offers nothing more; returns the keys of the items answered."""
    done: list[str] = []
    with Hands(project, person) as hands:
        hands.go("work")
        while presses and hands.wait(lambda: hands.item() in said and hands.item() not in done
                                     and hands.sees("q:is_false") is not None, patience_ms=1_500):
            key = hands.item()
            assert key is not None
            _answer(hands, said[key])
            done.append(key)
        hands.wait(lambda: hands.item() is None, patience_ms=500)
    return done


def _answer(hands: Hands, said: Said) -> None:
    _choose(hands, "is_false", said.is_false)
    if said.sound is not None:
        hands.press(Qt.Key.Key_Tab)
        _choose(hands, "sound", said.sound)
    if said.repaired is not None:  # the option has led into the text
        hands.press(Qt.Key.Key_A, CTRL)
        hands.type(said.repaired)
    hands.submit()


def _choose(hands: Hands, question: str, value: str) -> None:
    hands.press(str(_OPTIONS[question].index(value) + 1))


def adjudicate_all(project: Path, person: str, wanted: Mapping[str, str]) -> list[str]:
    """Take, for each case, the answer that says what is wanted; returns the keys of the items decided.

    ``wanted``: by item key, a question and its answer as the window words them: "Is it sound?: Yes".
    """
    done: list[str] = []
    with Hands(project, person) as hands:
        if not hands.go("adjudicate"):
            return done
        while hands.wait(lambda: hands.item() in wanted and hands.item() not in done
                         and hands.spoken("Answer "), patience_ms=1_000):
            key = hands.item()
            assert key is not None
            column = next((name.split()[1].rstrip(":") for name in hands.spoken("Answer ")
                           if name.partition(": ")[2] == wanted[key]), None)
            if column is None:
                break
            hands.press(column)
            hands.write("adjudicate:reason", plan.REASON)
            hands.submit()
            done.append(key)
        hands.wait(lambda: hands.item() is None, patience_ms=500)
    return done


def sign_all(project: Path, person: str) -> int:
    """Sign what waits for a signature, the name typed where it is asked; returns how many."""
    signed: set[str] = set()
    with Hands(project, person) as hands:
        hands.go("work")
        while hands.wait(lambda: hands.item() not in (None, *signed) and hands.sees("sign:button") is not None,
                         patience_ms=1_500):
            key = hands.item()
            assert key is not None
            asked = hands.sees("sign:name") is not None  # the shipped protocol asks once in a sitting
            if not (hands.write("sign:name", _SIGNER) if asked else hands.reach("sign:button")):
                break
            hands.press(Qt.Key.Key_Return)
            signed.add(key)
        hands.wait(lambda: hands.item() is None, patience_ms=500)
    return len(signed)


def release_and_export(project: Path, person: str, version: str, out: Path) -> None:
    """Draw a final release and write it as a bundle."""
    with Hands(project, person) as hands:
        if not hands.go("gold"):
            return
        hands.wait(lambda: hands.sees("gold:version") is not None)
        hands.write("gold:version", version)
        if not hands.wait(lambda: hands.may("gold.release")):
            return
        hands.submit()
        hands.wait(lambda: not hands.may("gold.release"))
        hands.wait(lambda: hands.may("gold.export"))
        hands.press(Qt.Key.Key_PageDown, CTRL)  # from the findings to the section that exports
        hands.wait(lambda: hands.sees("gold:path") is not None)
        hands.write("gold:path", str(out))
        hands.press(Qt.Key.Key_E, CTRL | SHIFT)
        hands.wait((out / "SHA256SUMS").exists, patience_ms=5_000)


def show_scores(hands: Hands, bundle: Path, predictions: list[Path]) -> bool:
    """Fill the Score page; True once a table of results is there."""
    if not hands.go("score"):
        return False
    hands.write("score:bundle", str(bundle))
    for file in predictions:
        hands.write("score:predictions", str(file))
        hands.press(Qt.Key.Key_Return)
    hands.submit()
    return hands.wait(lambda: hands.sees("score:results") is not None, patience_ms=10_000)
