"""The samples of an Inspect task: one gold answer each, options in an order drawn per item, targets as letters."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.errors import N_
from annotation.questions import NumberQuestion
from annotation.questions.base import number_text
from annotation.questions.choice import OfOptions
from annotation.questions.pairwise import TIES
from exports.writers.asking import LETTERS, parts
from exports.writers.columns import of_item
from exports.writers.hugging_face import family
from exports.writers.source import Row, Source

SEED = "goldsmith-export-1"
KINDS = {"choice": "choice", "choices": "choices", "number": "number", "pairs": "pairs"}
# The headline that each scorer of the task file computes, by the name of the protocol's metric.
SCORERS = {"choice": "gold_choice", "choices": "gold_choices", "number": "gold_number", "pairs": "gold_preference"}
SAME = {"choice": frozenset({"accuracy", "disclosure"}), "choices": frozenset({"accuracy"}),
        "number": frozenset({"accuracy", "mra", "mra_lt"}), "pairs": frozenset({"pairs"})}
# Options that speak of the others keep their place.
_PINNED = re.compile(r"(all|none|any|both|neither) of (the|these|those)\b.*|(other|none|neither|both|all)\W*",
                     re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """One task: the gold of one question, and the scorer that its metric needs."""

    question: str
    kind: str
    metric: str | None

    @property
    def name(self) -> str:
        return f"gold_{self.question}"

    @property
    def scorer(self) -> str:
        relative = self.kind == "number" and self.metric in ("mra", "mra_lt")
        return f"gold_{self.metric}" if relative else SCORERS[self.kind]


def tasks_of(source: Source) -> tuple[tuple[Asked, ...], tuple[str, ...]]:
    """The tasks, and sentences on what of the release becomes none."""
    gold = tuple(dict.fromkeys(question for (_, question) in source.gold))
    named = [(one.get("question"), one["metric"]) for one in source.manifest.get("scorer") or ()]
    wanted = named or [(question, None) for question in source.protocol.value_names if question in gold]
    found: dict[str, Asked] = {}
    cannot = []
    for question, metric in wanted:
        kind = KINDS.get(family(source, question)) if question in gold else None
        if question is None or kind is None:
            what = f"{metric or 'gold'} of {question or 'whole items'}"
            cannot.append(f"{what}: it needs a judge, or answers that the tasks do not read")
        elif question in found:
            if metric not in SAME[kind]:
                cannot.append(f"{metric} of {question}: goldsmith score computes it from the same answers")
        else:
            found[question] = Asked(question, kind, metric)
            if metric is not None and metric not in SAME[kind]:
                cannot.append(f"{metric} of {question}: the task says what was exactly right; goldsmith score gives it")
            elif metric in ("disclosure", "pairs"):
                cannot.append(f"the parts of {metric} of {question}; its headline alone")
    return tuple(found.values()), tuple(cannot)


def samples(source: Source, asked: Asked, split: str) -> Iterator[tuple[Row, dict[str, Any]]]:
    """(gold row, sample) of one split; gold that is N/A has none."""
    for item in source.kept:
        if item["split"] != split:
            continue
        for row in source.gold.get((item["id"], asked.question), ()):
            if not row.get("na"):
                yield row, _sample(source, asked, item, row)


def _sample(source: Source, asked: Asked, item: Row, row: Row) -> dict[str, Any]:
    protocol, question = source.protocol, asked.question
    listed = [(str(one["id"]), str(one["text"])) for one in item["choices"].get(question, ())
              if asked.kind != "pairs" or one["id"] not in TIES]
    shown = listed if asked.kind == "pairs" else _drawn(source, question, item, listed)
    if asked.kind != "number":
        _check_options(asked, item, shown)
    texts = [text for _, text in shown]
    content = [{"type": kind, kind: words if kind == "text" else picture(words)}
               for kind, words in parts(protocol, item, question, row["element"], texts, kind=asked.kind)]
    system = protocol.model.system if protocol.model is not None else ""
    number = protocol.question(question) if protocol.has_question(question) else None
    unit = number.unit if isinstance(number, NumberQuestion) else ""
    return {
        "id": item["id"] if row["element"] is None else f"{item['id']}.{row['element']}",
        "input": [*([{"role": "system", "content": system}] if system else []), {"role": "user", "content": content}],
        **({"choices": texts} if asked.kind in ("choice", "choices") else {}),
        "target": _target(asked, item, row["answer"], [id for id, _ in shown]),
        "metadata": {
            "key": item["key"], "item": item["id"], "question": question, "element": row["element"],
            "split": item["split"],
            "cluster": item["cluster"] or item["id"], "answer": row["answer"],
            "order": [] if asked.kind == "number" else [id for id, _ in shown], **({"unit": unit} if unit else {}),
            **{f"slice_{name}": value for name, value in item["slices"].items()}, "canary": item["canary"]},
    }


def picture(path: str) -> str:
    return "images/" + path.rsplit("/", 1)[-1]


def _drawn(source: Source, question: str, item: Row, listed: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Options that people saw shuffled, in an order drawn from the item's own id: leaving out items changes no other.

    Candidates stand in an order drawn with the release already.
    """
    if not source.protocol.has_question(question):
        return listed
    asked = source.protocol.question(question)
    if not isinstance(asked, OfOptions) or asked.options_from or asked.shuffle == "never":
        return listed
    free = [n for n, (_, text) in enumerate(listed) if not _PINNED.fullmatch(text.strip())]
    drawn = sorted(free, key=lambda n: hashlib.sha256(
        "\x1f".join((SEED, item["id"], question, listed[n][0])).encode()).hexdigest())
    order = list(range(len(listed)))
    for place, n in zip(free, drawn, strict=True):
        order[place] = n
    return [listed[n] for n in order]


def _check_options(asked: Asked, item: Row, shown: Sequence[tuple[str, str]]) -> None:
    question = asked.question
    if not shown:
        raise of_item(item, N_("'{field}' of {item} has no options"), code="missing_value", field=question)
    if len(shown) > len(LETTERS):
        raise of_item(item, N_("'{field}' of {item} has {n} options; there are letters for 26"), code="too_long",
                      field=question, n=len(shown))
    if asked.kind == "pairs":
        return  # its candidates are named by letters alone
    texts = [_tidy(text) for _, text in shown]
    for n, text in enumerate(texts):
        if not text:
            raise of_item(item, N_("option {letter} of '{field}' of {item} is blank; Inspect would drop it, and the "
                                   "letters after it would shift"), code="missing_value", field=question,
                          letter=LETTERS[n])
        if texts.index(text) != n:
            raise of_item(item, N_("two options of '{field}' of {item} have the text '{value}'"), code="duplicate_key",
                          field=question, value=text[:80])
        if len(text) == 1 and text in LETTERS[:len(texts)] and LETTERS[n] != text:
            raise of_item(item, N_("an option of '{field}' of {item} has the text '{value}' and stands as {letter}: an "
                                   "answer '{value}' could mean both"), code="bad_value", field=question, value=text,
                          letter=LETTERS[n])


def _tidy(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _target(asked: Asked, item: Row, answer: Any, order: Sequence[str]) -> str:
    """The gold in the shown order; Refused where it is none of the options, or no number that the metric takes."""
    if asked.kind == "number":
        if isinstance(answer, bool) or not isinstance(answer, (int, float)):
            raise of_item(item, N_("the gold of '{field}' of {item} is no number: {value}"), code="bad_type",
                          field=asked.question, value=repr(answer)[:80])
        if asked.metric in ("mra", "mra_lt") and answer <= 0:
            raise of_item(item, N_("relative accuracy is undefined for the gold {value} of '{field}' of {item}"),
                          code="bad_value", field=asked.question, value=answer)
        return number_text(answer)
    if asked.kind == "pairs" and answer in TIES:
        return "tie"
    wanted = answer if isinstance(answer, list) else [answer]
    for one in wanted:
        if one not in order:
            raise of_item(item, N_("the gold '{value}' of '{field}' of {item} is none of its options"),
                          code="bad_field", field=asked.question, value=str(one)[:80])
    letters = sorted(LETTERS[order.index(one)] for one in wanted)
    return ",".join(letters) or "none"
