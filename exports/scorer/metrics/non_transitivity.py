# SPDX-License-Identifier: Apache-2.0
"""Non-transitivity of verdicts: the share of k compared things, k = 3, 4, 5, that hold a triple no order explains.

TrustJudge's NTR_k (arXiv 2509.21117). Of the 27 relations of three things 13 fit an order with ties, 6 go in a circle
and 8 break the equality of ties. The pairs of one comparison share the fact ``group`` (or the one that the setting
``group`` names; else the cluster); what is compared are the candidates, or the facts that the setting ``nodes`` names.
Gold is not used. A subset with a pair that was not read is skipped and counted. How bad it can get depends on how many
things are compared, so there is no worst value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Literal

from annotation.errors import N_
from exports.scorer.metric import UNPARSABLE, Metric, Parts, Reply, Row, Unit, given, metrics, unfit
from exports.scorer.metrics import pairs
from exports.scorer.metrics.circular import group
from exports.scorer.numbers import exact

SIZES = (3, 4, 5)
MOST_SUBSETS = 100_000  # of one group and size; beyond that the part is left out

Kind = Literal["consistent", "circular", "equality"]


def kind(ab: int, bc: int, ac: int) -> Kind:
    """What three relations are together; each is 1 (the first wins), -1 or 0 (tie).

    Which of the two faults it is depends on the order of the three, as in the released code.
    """
    follows = bc if ab == 0 else ab if bc in (0, ab) else None  # what a, c must be; None: anything
    if follows is None or ac == follows:
        return "consistent"
    return "equality" if follows == 0 or ac == 0 else "circular"


def nodes(unit: Unit) -> tuple[str, ...]:
    named = unit.settings.get("nodes")
    return tuple(str(unit.facts.get(str(name))) for name in named) if isinstance(named, list) else unit.candidates


def read(unit: Unit, row: Row) -> Reply:
    """1, 0 or -1 for the first of the pair; a list of two verdicts (both orders) that differ is a tie."""
    answer = row.get("answer")
    if not isinstance(answer, list):
        reply = pairs.read(unit, row)
        return given(_sign(unit, reply.value)) if reply.status == "given" else reply
    each = [pairs.read(unit, {"answer": one}) if isinstance(one, str) else UNPARSABLE for one in answer] or [UNPARSABLE]
    if any(reply.status != "given" for reply in each):
        return UNPARSABLE
    signs = {_sign(unit, reply.value) for reply in each}
    return given(signs.pop() if len(signs) == 1 else 0)


def _sign(unit: Unit, value: str) -> int:
    return {unit.candidates[0]: 1, unit.candidates[1]: -1}.get(value, 0)


def together(units: Sequence[Unit], replies: Sequence[Reply]) -> Parts:
    """``ntr_K``, ``circular_K`` and ``equality_K`` over the complete subsets; ``skipped_K`` counts the others."""
    relation: dict[tuple[str, str], int] = {}
    for unit, reply in zip(units, replies, strict=True):
        if reply.status == "given":
            one, other = nodes(unit)
            relation[one, other], relation[other, one] = reply.value, -reply.value
    named = sorted({node for unit in units for node in nodes(unit)}, key=_place)
    found: dict[str, tuple[float, float]] = {"coverage": (float(sum(reply.status == "given" for reply in replies)),
                                                          float(len(units)))}
    kinds = {three: _kind_of(relation, three) for three in combinations(named, 3)} \
        if comb(len(named), 3) <= MOST_SUBSETS else {}
    for size in SIZES:
        if comb(len(named), size) > MOST_SUBSETS:
            continue
        held = [{kinds[three] for three in combinations(some, 3)} for some in combinations(named, size)]
        whole = [some for some in held if None not in some]
        n = float(len(whole))
        found[f"ntr_{size}"] = (float(sum(some != {"consistent"} for some in whole)), n)
        found[f"circular_{size}"] = (float(sum("circular" in some for some in whole)), n)
        found[f"equality_{size}"] = (float(sum("equality" in some for some in whole)), n)
        found[f"skipped_{size}"] = (float(len(held) - len(whole)), 1.0)
    return found


def _place(node: str) -> tuple[bool, Fraction, str]:
    """Numbers first, by their size: 2 before 10."""
    number = exact(node)
    return number is None, number or Fraction(0), node


def _kind_of(relation: Mapping[tuple[str, str], int], three: tuple[str, str, str]) -> Kind | None:
    a, b, c = three
    if not {(a, b), (b, c), (a, c)} <= relation.keys():
        return None
    return kind(relation[a, b], relation[b, c], relation[a, c])


def oracle(unit: Unit) -> Row:
    """The one whose name comes first."""
    one, other = nodes(unit)
    return {"answer": unit.candidates[0 if one < other else 1]}


def anti(unit: Unit) -> Row:
    """Ties between every other name and a circle among the rest: no triple of up to six names in a row holds."""
    one, other = (sum(map(ord, node)) for node in nodes(unit))
    if (other - one) % 2:
        return {"answer": "tie"}
    return {"answer": unit.candidates[0 if (other - one) // 2 % 3 == 1 else 1]}


def constants(units: Sequence[Unit]) -> Mapping[str, Row]:
    return {name: {"answer": name} for name in ("left", "right", "tie")}


def check(units: Sequence[Unit]) -> None:
    """Every unit compares two things, and no two are compared twice in a group."""
    seen: set[tuple[str, frozenset[str]]] = set()
    for unit in units:
        if len(unit.candidates) != 2 or len(set(nodes(unit))) != 2 or (group(unit), frozenset(nodes(unit))) in seen:
            raise unfit(unit, "non_transitivity", N_("its item compares not two things, or the same two as another"))
        seen.add((group(unit), frozenset(nodes(unit))))


metrics.add("non_transitivity", Metric(
    name="non_transitivity", best=0.0, worst=None, headline="ntr_3", asks=True, proportion=False,
    sums=frozenset(f"skipped_{size}" for size in SIZES), read=read, group=group, together=together, oracle=oracle,
    anti=anti, constants=constants, check=check,
))
