"""The data of a case, whatever its format, as ratings, tables or arrays. Nothing here knows a certain file."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from annotation.agreement.asking import in_order
from annotation.agreement.ratings import Ratings, ratings_of

Data = dict[str, Any]
Params = dict[str, Any]


class Unsupported(Exception):
    """We do not compute this yet."""


class Undefined(Exception):
    """The statistic has no value here; the text says why."""


ROLES = {
    "item": ("item", "unit", "task", "subject", "object", "patient", "document", "case", "id"),
    "rater": ("rater", "person", "worker", "annotator", "coder", "judge", "observer", "performer", "who"),
    "label": ("label", "value", "answer", "rating", "category", "code", "score", "response"),
    "x": ("x", "count", "successes", "success", "events", "k", "hits"),
    "n": ("n", "nobs", "trials", "total", "size"),
}


def place_of(fields: Sequence[str], role: str, otherwise: int) -> int:
    """The column of ``fields`` that plays ``role``, whatever it is called; ``otherwise`` where no name tells."""
    named = [str(name).lower() for name in fields]
    found = next((named.index(word) for word in ROLES[role] if word in named), None)
    if found is None:
        found = next((n for n, name in enumerate(named) if any(word in name for word in ROLES[role] if len(word) > 3)),
                     otherwise)
    return found


def natural(things: Iterable[Hashable]) -> list[Any]:
    """Numbers in their order, texts in the order of their first appearance."""
    seen = list(dict.fromkeys(things))
    return sorted(seen) if all(isinstance(one, (int, float)) for one in seen) else seen


def by_rows(data: Data, *, otherwise: bool) -> bool:
    """Whether a row of the matrix is an item: as ``orientation`` or ``rows`` say, else ``otherwise``."""
    said = data.get("orientation") or data.get("rows")
    if not isinstance(said, str):
        return otherwise
    return said.lower().split("_x_")[0].strip().rstrip("s") in ROLES["item"]


def judged(data: Data, raters: Any = None) -> list[tuple[Hashable, Hashable, Any]]:
    """(item, person, value) of any table of judgements; None where somebody gave no value.

    ``raters``: of the people with these names, or at these places from 1, only, in this order.
    """
    missing = data.get("missing")
    gone = missing if isinstance(missing, list) else [missing]

    def given(value: Any) -> Any:
        if isinstance(value, float) and math.isnan(value):
            return None
        return None if any(type(value) is type(one) and value == one for one in gone) else value  # False is not 0

    rows = [(item, person, given(value)) for item, person, value in _judged(data)]
    if raters is None:
        return rows
    people = natural(person for _, person, _ in rows)
    named = data.get("raters") or (people if data["format"] == "long" else ())  # else people are numbers of rows
    names = [str(name) for name in named]
    chosen = [people[names.index(str(one)) if str(one) in names else int(one) - 1] for one in raters]
    return sorted((row for row in rows if row[1] in chosen), key=lambda row: chosen.index(row[1]))


def _judged(data: Data) -> list[tuple[Hashable, Hashable, Any]]:
    kind = data["format"]
    if kind in ("ratings", "rankings", "set_ratings"):
        matrix = data["values"] if "values" in data else data["ranks"]
        if by_rows(data, otherwise=kind == "rankings"):
            matrix = list(zip(*matrix, strict=True))
        return [(item, person, tuple(value) if isinstance(value, list) else value)
                for person, row in enumerate(matrix) for item, value in enumerate(row)]
    if kind == "contingency_table":
        names = data["categories"]
        pairs = [(a, b) for a, row in zip(names, data["counts"], strict=True)
                 for b, count in zip(names, row, strict=True) for _ in range(_whole(count))]
        return [(item, person, value) for item, pair in enumerate(pairs) for person, value in enumerate(pair)]
    if kind == "count_matrix":
        counts = data["counts"] if by_rows(data, otherwise=True) else list(zip(*data["counts"], strict=True))
        return [(item, person, value) for item, row in enumerate(counts) for person, value in enumerate(
            [name for name, count in zip(data["categories"], row, strict=True) for _ in range(_whole(count))])]
    if kind == "long":
        fields = data.get("fields", ["item", "rater", "label"])
        at = [place_of(fields, role, n) for n, role in enumerate(("item", "rater", "label"))]
        if len(set(at)) < 3:
            raise Unsupported(f"rows with the fields {fields} are no judgements")
        return [(row[at[0]], row[at[1]], tuple(row[at[2]]) if isinstance(row[at[2]], list) else row[at[2]])
                for row in data["rows"]]
    if kind == "paired":
        given = data.get("rows", data.get("pairs"))
        pairs = list(zip(data["x"], data["y"], strict=True)) if given is None else given
        return [(item, person, pair[person]) for person in (0, 1) for item, pair in enumerate(pairs)]
    raise Unsupported(f"data of the format {kind} are no table of judgements")


def _whole(count: Any) -> int:
    if count is None or count != int(count):
        raise Unsupported(f"{count} is no count of items")
    return int(count)


def ratings(data: Data, raters: Any = None) -> Ratings:
    """The judgements as ratings; the declared categories of the case, where it names them, in its order, which is
    also the order of values that are words."""
    found = ratings_of((item, person, json.dumps(sorted(map(str, set(value)))) if isinstance(value, tuple) else value)
                       for item, person, value in judged(data, raters))
    if data.get("categories"):
        found = replace(found, declared=tuple(str(name) for name in data["categories"]))
        if not found.has_numbers and set(found.labels) <= set(found.declared):
            found = in_order(replace(found, numbers=tuple(found.declared.index(name) + 1.0 for name in found.labels)))
    return found
