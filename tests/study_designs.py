"""Studies and items made up for the tests of designs, and what hypothesis draws them from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from studies.design import Design, StudyItem, design, plan_for
from studies.model import Study
from studies.plan import Plan

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def a_study(conditions: int = 2, **keys: Any) -> Study:
    """A study with conditions c0, c1, ..; ``keys`` as in its file, sets of keys as one word each."""
    if "keys" in keys.get("answers", {}):
        keys["answers"] = {**keys["answers"], "keys": [list(one) for one in keys["answers"]["keys"]]}
    named = [{"name": f"c{n}", "shows": ["picture"]} for n in range(conditions)]
    return Study.model_validate({"id": "made-up", "version": 1, "title": "Made up", "question": "answer",
                                 "conditions": named, "languages": {"en": {}}, **keys})


def some_items(study: Study, count: int, *, options: int = 2, known: bool = True,
               conditions: Callable[[int], tuple[str, ...]] | None = None,
               **facets: Callable[[int], object]) -> list[StudyItem]:
    """Items with facets by their number; the right answers go round."""
    names = tuple(condition.name for condition in study.conditions)
    return [StudyItem(item=f"{n:032x}", version=f"{n:032x}", key=f"k{n:04}",
                      facets={name: str(value(n)) for name, value in facets.items()},
                      options=tuple(LETTERS[:options]), correct=LETTERS[n * 7 % options] if known else None,
                      conditions=conditions(n) if conditions else names) for n in range(count)]


def a_plan(study: Study, made: Design, *, list_no: int = 0, number: int = 0, seed: int = 1) -> Plan:
    return plan_for(study, made, list_no=list_no, number=number, seed=seed, pilot=False, language="en")


def planned(study: Study, items: list[StudyItem], **keys: Any) -> Plan:
    return a_plan(study, design(study, items), **keys)


def runs(*pairs: tuple[str, int]) -> list[dict[str, object]]:
    return [{"of": of, "most": most} for of, most in pairs]


def distances(*pairs: tuple[str, int]) -> list[dict[str, object]]:
    return [{"of": of, "least": least} for of, least in pairs]


@dataclass(frozen=True)
class World:
    study: Study
    items: list[StudyItem]

    def __repr__(self) -> str:
        told = {"conditions", "vary", "strata", "per_person", "order", "blocks", "practice", "attention", "answers"}
        said = self.study.model_dump(exclude_defaults=True, include=told)
        return f"World({len(self.items)} items, {said})"


@st.composite
def worlds(draw: st.DrawFn, *, most: int = 500, rules: bool = False) -> World:
    """1 to 12 conditions, 1 to ``most`` items in earnest, strata, parts, families, blocks, practice and checks."""
    conditions = draw(st.integers(1, 12))
    count = draw(st.integers(1, most))
    vary = draw(st.sampled_from(["within", "within", "between"]))
    blocked = vary == "within" and draw(st.booleans())
    strata = draw(st.sampled_from([[], ["task"], ["task", "level"], ["level", "task"], ["task", "correct"]]))
    tasks, levels = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    options = draw(st.integers(2, 6))
    keys: dict[str, Any] = {"vary": vary, "strata": strata, "seed": draw(st.integers(0, 2**31 - 1)),
                            "correct": {"field": "truth"}}
    if draw(st.booleans()):
        keys["per_person"] = draw(st.integers(1, count))
    keys["blocks"] = draw(st.sampled_from([{}, {"count": 2}, {"count": 5}, {"by": "task"}]))
    keys["order"] = {"conditions": "blocked" if blocked else "mixed"}
    if rules:
        can_run = [name for name in ("condition", "correct", "level") if not (blocked and name == "condition")]
        keys["order"] |= {"max_run": runs(*((name, draw(st.integers(2, 6))) for name in
                                            draw(st.lists(st.sampled_from(can_run), unique=True, max_size=3)))),
                          "min_distance": distances(*draw(st.sampled_from([(), (("kin", 2),), (("kin", 4),)])))}
    keys["answers"] = {"keys": draw(st.sampled_from([["123456"], ["123456", "654321"]])),
                       "option_order": draw(st.sampled_from(["as_given", "shuffled", "balanced"]))}
    checks = 0
    if draw(st.booleans()):
        every = draw(st.integers(max(2, count // 20), 60))
        checks = count // every + 1
        keys["attention"] = {"where": {"use": ["check"]}, "every": every}
    trained = draw(st.integers(0, 5))
    if trained:
        keys["practice"] = {"where": {"use": ["practice"]}, "items": trained}
    study = a_study(conditions, **keys)
    shift = draw(st.integers(0, 5))

    def use(n: int) -> str:
        return "practice" if n >= count + checks else "check" if n >= count else "main"

    items = some_items(study, count + checks + trained, options=options, use=use, kin=lambda n: n // 4,
                       task=lambda n: (n * n + shift * n) % 7 % tasks, level=lambda n: n // 3 % levels)
    return World(study, items)
