"""What a bundle counts from its own rows: soft labels, hours, people against gold; verify counts it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation import canonical

Row = Mapping[str, Any]
Place = tuple[str | None, str]  # element, question


def soft_labels(gold: Iterable[Row], annotations: Iterable[Row]) -> list[dict[str, Any]]:
    """For each gold value of one item the distribution of the answers that count, the commonest first."""
    said: dict[Place, list[Row]] = {}
    for row in annotations:
        if row["counts"]:
            said.setdefault((row["element"], row["question"]), []).append(row)
    return [_soft(row, said.get((row["element"], row["question"]), ())) for row in gold]


def _soft(gold: Row, said: Sequence[Row]) -> dict[str, Any]:
    na = withheld = 0
    counts: dict[str, int] = {}
    answers: dict[str, Any] = {}
    for row in said:
        if row["na"]:
            na += 1
        elif row["withheld"] and row["answer"] is None:
            withheld += 1
        else:
            answer = row["answer"]
            key = answer if isinstance(answer, str) else canonical.dumps(answer)
            counts[key] = counts.get(key, 0) + 1
            answers[key] = answer
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0])) if len(counts) > 1 else counts.items()
    return {"id": gold["id"], "element": gold["element"], "question": gold["question"], "n": len(said), "na": na,
            "withheld": withheld,
            "distribution": [{"answer": answers[key], "n": n, "share": n / total}
                             for key, n in ordered]}


class Sums:
    """Hours, people against gold, and items per person, taken in item by item."""

    def __init__(self) -> None:
        self._ms: Counter[tuple[str, str]] = Counter()
        self._turns: Counter[tuple[str, str]] = Counter()
        self._items: Counter[str] = Counter()
        self._right: Counter[tuple[str, str, str]] = Counter()
        self._asked: Counter[tuple[str, str, str]] = Counter()

    def take(self, choices: Mapping[str, Any], gold: Iterable[Row], annotations: Sequence[Row],
             adjudications: Iterable[Row]) -> None:
        """The public rows of one item; ``choices`` of its row: the questions with a closed list."""
        turns = {(row["annotator"], row["stage"], row["round"]): row["seconds"] for row in annotations}
        ms = self._ms
        stages, people = set(), {row["adjudicator"] for row in adjudications}
        for (person, stage, _), seconds in turns.items():
            one = person, stage
            stages.add(one)
            people.add(person)
            ms[one] += round(seconds * 1000) if seconds else 0
        for one in stages:
            self._turns[one] += 1
        for person in people:
            self._items[person] += 1
        golden = {(row["element"], row["question"]): row for row in gold
                  if row["question"] in choices and not row["na"]}
        for row in annotations if golden else ():
            question, counts = row["question"], row["counts"]
            found = golden.get((row["element"], question))
            if found is None or not (counts or _apart(row, found)):
                continue
            place = (question, row["annotator"], "gold" if counts else "apart")
            self._asked[place] += 1
            if not row["na"] and row["answer"] == found["answer"]:
                self._right[place] += 1

    def add(self, other: Sums) -> None:
        """What was taken in of other items."""
        for mine, theirs in ((self._ms, other._ms), (self._turns, other._turns), (self._items, other._items),
                             (self._right, other._right), (self._asked, other._asked)):
            mine.update(theirs)  # type: ignore[arg-type]

    def worked_on(self, person: str) -> int:
        """On how many of the items somebody answered or decided."""
        return self._items[person]

    def hours(self) -> list[dict[str, Any]]:
        """The rows of hours.jsonl."""
        return [{"annotator": person, "stage": stage, "items": self._turns[person, stage], "seconds": ms / 1000,
                 "hours": round(ms / 3_600_000, 4)} for (person, stage), ms in sorted(self._ms.items())]

    def baseline(self) -> list[dict[str, Any]]:
        """The rows of baseline.jsonl: all people of a question first, then each."""
        asked, right = Counter(self._asked), Counter(self._right)
        for (question, _, answers), n in self._asked.items():
            asked[question, "", answers] += n
            right[question, "", answers] += self._right[question, _, answers]
        return [{"question": question, "annotator": person or None, "answers": answers, "n": n,
                 "correct": right[question, person, answers], "accuracy": right[question, person, answers] / n}
                for (question, person, answers), n in sorted(asked.items())]


def _apart(row: Row, gold: Row) -> bool:
    """Whether the answer was given blind, to the same text, and is no part of the gold."""
    return row["shown"] == "nothing" and row["stage"] != "verify" and row["rev"] == gold["rev"]
