"""Answers that stand in the question itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.questions import NumberQuestion, TextQuestion
from exports.preflight.corpus import TEXTS, Corpus, Entry
from exports.preflight.finding import Found, Work, checks, kind
from exports.preflight.near_texts import folded

LONGEST = 600   # characters: a longer text is a document in which an answer is to be found
SHORTEST = 4    # characters of a folded answer

kind("answer_in_question", "warn", "leaking", "1 item has its answer in the words of its question",
     "{n} items have their answer in the words of their question")


@checks.register("answers")
def answers(corpus: Corpus, work: Work) -> Iterator[Found]:
    """The gold of an option that comes from the item, of a text or of a number, word by word in a short text field.

    Not where every option stands there (the question lists them), nor in the list field that the options are.
    """
    names = {one.name: getattr(one, "options_from", None) for one in corpus.protocol.asked
             if isinstance(one, (NumberQuestion, TextQuestion)) or getattr(one, "options_from", None)}
    fields = [one.name for one in corpus.protocol.fields if one.kind in TEXTS and not one.private]
    found: dict[str, list[int]] = {}
    for at, entry in enumerate(corpus.entries):
        asked = [f" {folded(text)} " for name in fields if (text := entry.fields.get(name)) and len(text) <= LONGEST]
        for view in entry.gold if asked else ():
            if view.question in names and _is_said(entry, view.answer.get("v"), names[view.question], asked):
                found.setdefault(view.question, []).append(at)
        if at % 1000 == 999:
            work.step(1000)
    yield Found("answer_in_question", {at for some in found.values() for at in some},
                {"questions": {name: len(some) for name, some in sorted(found.items())}})


def _is_said(entry: Entry, value: object, source: str | None, asked: Sequence[str]) -> bool:
    if source is None:
        return not isinstance(value, (bool, list, dict)) and _stands(_shown(value), asked)
    texts = {one["id"]: one.get("text") or "" for one in entry.fields.get(source) or () if isinstance(one, dict)}
    wanted = [texts[one] for one in (value if isinstance(value, list) else [value]) if one in texts]
    others = [text for text in texts.values() if text not in wanted]
    return bool(wanted) and all(_stands(text, asked) for text in wanted) and not any(
        _stands(text, asked) for text in others)


def _shown(value: object) -> str:
    """Numbers of one digit stand anywhere."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _stands(text: str, asked: Sequence[str]) -> bool:
    words = folded(text)
    enough = len(words) >= SHORTEST or (len(words) >= 2 and words.replace(" ", "").isdigit())
    return enough and any(f" {words} " in one for one in asked)
