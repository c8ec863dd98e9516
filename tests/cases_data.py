"""The data of a case, whatever its format, as ratings, tables or arrays. Nothing here knows a certain file."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.agreement.ratings import Ratings, ratings_of

Data = dict[str, Any]
Params = dict[str, Any]


class Unsupported(Exception):
    """We do not compute this yet."""


class Undefined(Exception):
    """The statistic has no value here; the text says why."""


def judged(data: Data) -> list[tuple[Hashable, Hashable, Any]]:
    """(item, person, value) of any table of judgements; None where somebody gave no value."""
    kind = data["format"]
    if kind == "ratings":
        rows = data["values"]
        if data.get("orientation") == "items_x_raters":
            rows = [list(row) for row in zip(*rows, strict=True)]
        return [(item, person, value) for person, row in enumerate(rows) for item, value in enumerate(row)]
    if kind == "set_ratings":
        rows = data["values"]
        if data.get("orientation") == "items_x_raters":
            rows = [list(row) for row in zip(*rows, strict=True)]
        return [(item, person, None if value is None else tuple(value))
                for person, row in enumerate(rows) for item, value in enumerate(row)]
    if kind == "contingency_table":
        names = data["categories"]
        pairs = [(a, b) for a, row in zip(names, data["counts"], strict=True)
                 for b, count in zip(names, row, strict=True) for _ in range(count)]
        return [(item, person, value) for item, pair in enumerate(pairs) for person, value in enumerate(pair)]
    if kind == "count_matrix":
        return [(item, person, value) for item, row in enumerate(data["counts"]) for person, value in enumerate(
            [name for name, count in zip(data["categories"], row, strict=True) for _ in range(count)])]
    if kind == "long":
        fields = data.get("fields", ["item", "rater", "label"])
        at = [fields.index(name) for name in ("item", "rater", "label")]
        return [tuple(row[n] for n in at) for row in data["rows"]]  # type: ignore[misc]
    if kind == "paired":
        return [(item, person, value) for person, row in enumerate(columns(data).T.tolist())
                for item, value in enumerate(row)]
    raise Unsupported(f"data of the format {kind} are no table of judgements")


def ratings(data: Data) -> Ratings:
    """The judgements as ratings; the declared categories of the case, where it names them, in its order."""
    found = ratings_of(judged(data))
    if data.get("categories"):
        found = replace(found, declared=tuple(str(name) for name in data["categories"]))
    return found


def table(data: Data) -> tuple[NDArray[np.float64], list[Any]]:
    """(q, q) counts of two people (rows the first), and the categories."""
    if data["format"] == "contingency_table":
        return np.array(data["counts"], dtype=np.float64), list(data["categories"])
    raise Unsupported(f"data of the format {data['format']} are no table of two people")


def columns(data: Data) -> NDArray[np.float64]:
    """(items, people) numbers, NaN where missing."""
    if data["format"] == "paired":
        rows = data.get("rows", data.get("pairs"))
        return np.array(rows if rows is not None else list(zip(data["x"], data["y"], strict=True)), dtype=np.float64)
    if data["format"] in ("ratings", "rankings"):
        given = data["values"] if "values" in data else data["ranks"]
        rows = [[np.nan if value is None else float(value) for value in row] for row in given]
        found = np.array(rows, dtype=np.float64)
        by_rows = data.get("orientation") == "items_x_raters" or data["format"] == "rankings"
        return found if by_rows else found.T
    raise Unsupported(f"data of the format {data['format']} are no numbers of people")
