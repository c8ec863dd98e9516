"""Cases of preferences and of models of people: from their data to our functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from annotation.agreement.competence import em
from annotation.agreement.competence.glad import glad_posterior
from annotation.agreement.intervals import normal_quantile
from annotation.agreement.preferences.comparisons import PairTable, pair_table
from annotation.agreement.preferences.strengths import Strengths, fit
from annotation.agreement.preferences.tournament import Tournament, tournament
from annotation.agreement.preferences.triads import CIRCULAR, CONSISTENT, EQUALITY, violation
from annotation.agreement.ratings import Ratings
from tests.cases_data import Data, Params, Undefined, Unsupported, judged, natural

Statistic = Callable[[Data, Params], Any]
SIDES = (("first", "home", "left", "a", "item_a", "item1", "i", "player1"),
         ("second", "away", "right", "b", "item_b", "item2", "j", "player2"))
SIGNS = {">": 1, "=": 0, "<": -1, "1": 1, "0": 0, "-1": -1, "tie": 0, "draw": 0, "first": 1, "second": -1}


# --- pairs ------------------------------------------------------------------------------------------

def pairs(data: Data) -> PairTable:
    """The counts of any format that holds pairs: wins and ties per row, single outcomes, winners, a square matrix."""
    rows = list(_square(data) if "rows" not in data else _listed(data))
    table = pair_table(rows)
    names = natural([name for row in rows for name in row[:2]])
    turn = [names.index(name) for name in dict.fromkeys(name for row in rows for name in row[:2])]
    place = np.array(turn, dtype=np.int64)
    return PairTable(tuple(str(name) for name in names), place[table.first], place[table.second], table.counts)


def _listed(data: Data) -> Iterable[tuple[Any, Any, float, float, float]]:
    fields = [str(name).lower() for name in data.get("fields", ())] or ["first", "second", "wins", "wins", "ties"]
    width = len(data["rows"][0]) if data["rows"] else 0
    fields = fields[:width]
    ends = [next((fields.index(name) for name in names if name in fields), n) for n, names in enumerate(SIDES)]
    a, b = ends if len(set(ends)) == 2 else (0, 1)
    tie = next((n for n, name in enumerate(fields) if n not in (a, b) and re.search("tie|draw|equal", name)), None)
    count = next((n for n, name in enumerate(fields) if name in ("count", "n", "frequency", "times")), None)
    result = next((n for n, name in enumerate(fields) if name in ("outcome", "result", "verdict")), None)
    won, lost = (fields.index(name) if name in fields else None for name in ("winner", "loser"))
    wins = [n for n, name in enumerate(fields) if n not in (a, b, tie, count, result, won, lost)]
    if len(wins) >= 2 and fields[wins[0]] in (f"wins_{fields[b]}", f"{fields[b]}_wins"):
        wins[:2] = wins[1::-1]  # the second's wins stand first
    for row in data["rows"]:
        times = 1 if count is None else row[count]
        if won is not None and lost is not None:
            yield row[won], row[lost], times, 0, 0
        elif won is not None:
            yield row[a], row[b], times * (row[won] == row[a]), times * (row[won] == row[b]), times * (
                row[won] not in (row[a], row[b]))
        elif result is not None:
            sign = SIGNS[str(row[result]).lower()]
            yield row[a], row[b], times * (sign > 0), times * (sign < 0), times * (sign == 0)
        elif len(wins) >= 2:
            yield row[a], row[b], row[wins[0]], row[wins[1]], 0 if tie is None else row[tie]
        else:
            raise Unsupported(f"rows with the fields {fields} are no comparisons")


def _matrix(data: Data) -> tuple[np.ndarray, list[Any]]:
    key = next((key for key in ("wins", "matrix", "values", "counts") if key in data), None)
    if key is None:
        raise Unsupported(f"data of the format {data['format']} hold no comparisons")
    square = np.array([[0.0 if x is None else float(x) for x in row] for row in data[key]])
    names = next((data[key] for key in ("items", "names", "categories", "players") if key in data), None)
    return square, list(range(1, len(square) + 1)) if names is None else list(names)


def _square(data: Data) -> Iterable[tuple[Any, Any, float, float, float]]:
    square, names = _matrix(data)
    for a in range(len(square)):
        for b in range(a + 1, len(square)):
            yield names[a], names[b], square[a, b], square[b, a], 0


def _fitted(model: str, data: Data, params: Params, *, order: bool = False) -> Strengths:
    chosen = "half_wins" if str(params.get("ties", "")).startswith("half") else model
    order = order or bool(params.get("order_effect") or params.get("home_advantage"))
    found = fit(pairs(data), chosen, order_effect=order, prior_sd=params.get("prior_sd"))
    if found.log_strength is None:
        raise Undefined(found.reason)
    return found


def _chosen(found: Strengths, params: Params, values: Any) -> list[float]:
    names = [str(name) for name in params.get("items") or found.names]
    return [float(values[found.place(name)]) for name in names]


def _reference(found: Strengths, params: Params) -> str:
    return str(params.get("reference", (params.get("items") or found.names)[0]))


def _of_model(model: str) -> dict[str, Statistic]:
    def statistic(read: Callable[[Strengths, Params], Any], *, order: bool = False) -> Statistic:
        return lambda data, params: read(_fitted(model, data, params, order=order), params)

    def worth(found: Strengths, params: Params) -> list[float]:
        total = params.get("sum", 1.0)
        if params.get("geometric_mean") is not None:
            return [x * params["geometric_mean"] for x in _chosen(found, params, found.worths(total=None))]
        return _chosen(found, params, found.worths(total=float(total)))

    def interval(found: Strengths, params: Params) -> list[float]:
        half = normal_quantile(0.5 + params.get("level", 0.95) / 2) * (found.order_effect_se or 0.0)
        return [(found.order_effect or 0.0) - half, (found.order_effect or 0.0) + half]

    return {
        "log_strength": statistic(lambda f, p: _chosen(f, p, f.against(_reference(f, p)))),
        "se": statistic(lambda f, p: _chosen(f, p, f.standard_errors(_reference(f, p)))),
        "strength": statistic(lambda f, p: _chosen(f, p, np.exp(np.asarray(f.against(_reference(f, p)))))),
        "worth": statistic(worth),
        "strength_geometric_mean_1": statistic(lambda f, p: _chosen(f, p, f.worths(total=None))),
        "loglik": statistic(lambda f, p: f.log_likelihood),
        "order_effect": statistic(lambda f, p: f.order_effect, order=True),
        "order_effect_se": statistic(lambda f, p: f.order_effect_se, order=True),
        "order_effect_ci95": statistic(interval, order=True),
        "tie": statistic(lambda f, p: f.tie),
        "nu": statistic(lambda f, p: f.tie),
        "theta": statistic(lambda f, p: f.tie),
    }


def _strengths() -> dict[str, Statistic]:
    out: dict[str, Statistic] = {}
    for prefix, model in (("bt", "bradley_terry"), ("bradley_terry", "bradley_terry"), ("davidson", "davidson"),
                          ("rao_kupper", "rao_kupper")):
        out |= {f"{prefix}_{part}": function for part, function in _of_model(model).items()}
    for prefix in ("bt", "bradley_terry"):
        out |= {f"{prefix}_{part}_ties_as_half_wins": function for part, function in _of_model("half_wins").items()}
    return out


# --- triads and tournaments -------------------------------------------------------------------------

def _kinds(data: Data) -> list[int]:
    """The kind of each row; its columns are told by their names (A_vs_B), else they are A?B, B?C, A?C."""
    rows = [[SIGNS[str(value)] for value in row[:3]] for row in data["rows"]]
    named = [re.fullmatch(r"(.+?)_?vs_?(.+)", str(name)) for name in data.get("fields", ())[:3]]
    if len(named) < 3 or not all(named):
        return [violation(*row) for row in rows]
    sides = [match.groups() for match in named if match]
    a, b, c = natural(name for pair in sides for name in pair)
    out = []
    for row in rows:
        said = {pair: sign for pair, sign in zip(sides, row, strict=True)}
        said |= {(y, x): -sign for (x, y), sign in said.items()}
        out.append(violation(said[a, b], said[b, c], said[a, c]))
    return out


def _tournament(data: Data) -> Tournament:
    table = pairs(data)
    n = len(table.names)
    wins = np.full((n, n), np.nan)
    if table.counts[:, 1].any():
        return tournament(wins)
    wins[table.first, table.second], wins[table.second, table.first] = table.counts[:, 0], table.counts[:, 2]
    return tournament(wins)


def _told(read: Callable[[Tournament], Any]) -> Statistic:
    def statistic(data: Data, params: Params) -> Any:
        found = _tournament(data)
        if found.circles is None:
            raise Undefined(found.reason)
        return read(found)
    return statistic


# --- people -----------------------------------------------------------------------------------------

class _Labels:
    """Judgements with items, people and labels in their natural order."""

    def __init__(self, data: Data) -> None:
        rows = [row for row in judged(data) if row[2] is not None]
        self.items, self.people = natural(row[0] for row in rows), natural(row[1] for row in rows)
        if all(isinstance(name, str) for name in self.people):  # who comes first in the rows is chance where some miss
            named = [str(name) for name in data.get("raters", ())]
            self.people.sort(key=lambda name: (named.index(name), []) if name in named else (len(named), [
                (int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]))
        seen = [row[2] for row in rows]
        self.labels = list(data["categories"]) if data.get("categories") else (
            sorted(set(seen)) if len({type(one) for one in seen}) == 1 else natural(seen))
        item, person, label = ({name: n for n, name in enumerate(names)}
                               for names in (self.items, self.people, self.labels))
        self.ratings = Ratings(
            unit=np.array([item[row[0]] for row in rows], dtype=np.int64),
            person=np.array([person[row[1]] for row in rows], dtype=np.int64),
            code=np.array([label[row[2]] for row in rows], dtype=np.int64),
            labels=tuple(str(name) for name in self.labels), n_units=len(self.items))

    def truth(self, model: str, params: Params) -> em.Truth:
        found = em.estimate(self.ratings, model, smoothing=params.get("smoothing", 0.0),
                            restarts=params.get("restarts", 0))
        if found.posterior is None:
            raise Undefined(found.reason)
        return found

    def wide(self, truth: em.Truth, values: Any, *, axes: tuple[int, ...] = (-1,)) -> np.ndarray:
        """``values`` with room for the declared labels that nobody gave."""
        for axis in axes:
            room = np.zeros([len(self.labels) if n == axis % values.ndim else size
                             for n, size in enumerate(values.shape)])
            np.moveaxis(room, axis, 0)[truth.votes.codes] = np.moveaxis(values, axis, 0)
            values = room
        return values


def _posterior(model: str, data: Data, params: Params) -> list[list[float]]:
    labels = _Labels(data)
    truth = labels.truth(model, params)
    names = [str(name) for name in labels.items]
    chosen = [names.index(str(item)) for item in params.get("items", labels.items)]
    return labels.wide(truth, truth.of_units())[chosen].tolist()


def _people(model: str) -> dict[str, Statistic]:
    def statistic(read: Callable[[_Labels, em.Truth], Any]) -> Statistic:
        def run(data: Data, params: Params) -> Any:
            labels = _Labels(data)
            return read(labels, labels.truth(model, params))
        return run

    def confusion(labels: _Labels, truth: em.Truth) -> np.ndarray:
        return labels.wide(truth, truth.confusion, axes=(1, 2))

    return {
        "class_marginals": statistic(lambda labels, truth: labels.wide(truth, truth.marginals).tolist()),
        "error_rates": statistic(lambda labels, truth: confusion(labels, truth).reshape(
            -1, len(labels.labels)).tolist()),
        "confusion": statistic(lambda labels, truth: confusion(labels, truth).tolist()),
        "loglik": statistic(lambda labels, truth: truth.log_likelihood),
        "map_labels": statistic(lambda labels, truth: [
            labels.labels[k] for k in labels.wide(truth, truth.of_units()).argmax(axis=1)]),
        "accuracy": statistic(lambda labels, truth: [] if truth.skill is None else truth.skill.tolist()),
        "posterior": lambda data, params: _posterior(model, data, params),
    }


PEOPLE = {"ds": "dawid_skene", "dawid_skene": "dawid_skene", "one_coin": "one_coin", "mace": "mace"}


def by_pattern(statistic: str) -> Statistic | None:
    """Statistics whose name holds the items they are for: ds_posterior_item_35_38."""
    match = re.fullmatch(r"(" + "|".join(PEOPLE) + r")_posterior_items?_(.+)", statistic)
    if match is None:
        return None
    model, items = PEOPLE[match[1]], match[2].split("_")
    return lambda data, params: _posterior(model, data, {"items": items, **params})


def _glad(data: Data, params: Params) -> list[float]:
    """P(class | labels) of one row: labels or votes_for; alpha_times_beta, or alpha and beta (or log_beta)."""
    row = data["rows"][params.get("row", 0)]
    labels = row.get("labels", [k for k, votes in enumerate(row.get("votes_for", ())) for _ in range(votes)])
    if "alpha_times_beta" in row:
        strength = row["alpha_times_beta"]
    else:
        ease = row["beta"] if "beta" in row else np.exp(row["log_beta"])
        strength = np.asarray(row["alpha"], dtype=np.float64) * ease
    return glad_posterior(labels, strength, row["classes"], row.get("prior")).tolist()


def _count(*kinds: int) -> Statistic:
    return lambda data, params: sum(kind in kinds for kind in _kinds(data))


STATISTICS: dict[str, Statistic] = {
    **_strengths(),
    **{f"{prefix}_{part}": function for prefix, model in PEOPLE.items() for part, function in _people(model).items()},
    "count_transitive": _count(CONSISTENT),
    "count_intransitive": _count(CIRCULAR, EQUALITY),
    "count_circular": _count(CIRCULAR),
    "count_equality": _count(EQUALITY),
    "share_intransitive": lambda data, params: _count(CIRCULAR, EQUALITY)(data, params) / len(data["rows"]),
    **dict.fromkeys(("circular_triads", "kendall_d", "kendall_babington_smith_d"), _told(lambda found: found.circles)),
    **dict.fromkeys(("zeta", "kendall_zeta", "kendall_babington_smith_zeta", "coefficient_of_consistence"),
                    _told(lambda found: found.zeta)),
    "glad_posterior": _glad,
}
