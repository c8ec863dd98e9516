"""What a release holds back, what stops it, and what somebody took on: findings held against waivers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from annotation import people
from annotation.gold import GoldView
from exports import waivers
from exports.frozen import FrozenPerson
from exports.preflight import Finding, Preflight
from exports.preflight.finding import of_kind, order

Values = Mapping[UUID, list[GoldView]]


def held_back(session: Session, values: Values, found: Preflight, *, final: bool, leave_out_open: bool
              ) -> tuple[dict[UUID, list[GoldView]], list[Finding]]:
    """The items that the release takes, and the findings about what waits and what is not there.

    Items that wait are held back from a final release where ``leave_out_open`` says so, unless their waiting is
    waived.
    """
    waiting = waivers.held_against([found.finding(code, items) for code, items in found.open.items()],
                                   waivers.standing(session))
    taken = dict(values)
    if final and leave_out_open:
        out = {key for one in waiting if one.state != "waived" for key in one.items}
        taken = {item: some for item, some in taken.items() if found.keys[item] not in out}
        waiting = [one if one.state == "waived" else replace(one, state="left_out") for one in waiting]
    bare = [item for item in taken if item in found.pictures]
    waiting += [found.finding("missing_media", bare)] if bare else []
    waiting += [] if taken else [found.finding("no_gold", ())]
    return taken, waiting


def inside(findings: Sequence[Finding], values: Values) -> list[Finding]:
    """Findings of the items in ``values`` alone: a look taken before may have been at more."""
    keys = {some[0].key for some in values.values() if some}
    parts = [replace(one, items=tuple(key for key in one.items if key in keys)) for one in findings]
    return [one if len(one.items) == len(whole.items) else of_kind(one.code, one.items, one.evidence)
            for one, whole in zip(parts, findings, strict=True) if one.items]


def judged(session: Session, findings: Sequence[Finding], *, final: bool, strict: bool) -> tuple[Finding, ...]:
    """The findings held against the waivers, with what they mean for this release."""
    waiting = [one for one in findings if one.state != "noted"]
    seen = waivers.held_against([one for one in findings if one.state == "noted"], waivers.standing(session))
    weights = ("bad", "warn") if strict else ("bad",)
    return tuple(order(
        replace(one, state="stops") if final and one.state == "noted" and one.severity in weights else one
        for one in (*waiting, *seen)))


def in_the_bundle(session: Session, findings: Sequence[Finding], public: Mapping[str, str],
                  pseudonyms: Mapping[UUID, FrozenPerson], held: Collection[str] = ()) -> dict[str, Any]:
    """``findings`` and ``waivers`` as a release keeps them: public ids (by key), pseudonyms, never a handle.

    Whoever waived and answered nothing has no pseudonym and stands there by role. ``held``: public ids of held-out
    items, of which no finding counts: that people disagreed about one, or an option is the longest, is a hint.
    """
    views = {one.id.hex: one for one in waivers.standing(session)}
    taken = []
    for one in findings:
        if one.state == "waived" and one.waiver is not None:
            person = views[one.waiver["id"]].person
            by = pseudonyms[person].pseudonym if person in pseudonyms else _role(session, person)
            ids = sorted(public[key] for key in one.items if key in public)
            taken.append({"code": one.code, "items": ids, "n": len(one.items), "reason": one.waiver["reason"],
                          "by": by, "day": one.waiver["day"]})
    counted = [(one, sum(public.get(key) not in held for key in one.items)) for one in findings]
    return {"findings": [{"code": one.code, "n": n, "severity": one.severity, "state": one.state}
                         for one, n in counted if n or not one.items], "waivers": taken}


def _role(session: Session, person: UUID) -> str:
    held = people.by_id(session, person).roles
    return held[-1] if held else "owner"
