"""Draws a release: gold, public ids, pseudonyms, splits and all else that a bundle says, once and for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from annotation import people, trail
from annotation.canonical import check_text
from annotation.errors import N_, Refused
from annotation.gold import GoldView
from annotation.gold_recount import require_counted
from annotation.judgement_marks import mark_now
from annotation.protocol import Protocol
from annotation.store.ids import new_id
from annotation.store.project import Store, protocol_now
from annotation.store.types import now
from exports import bundle, errata, frozen, preflight
from exports.about import last_about
from exports.freezing import freeze, public_ids, split_of
from exports.holding import held_back, in_the_bundle, inside, judged
from exports.kept import kept_values
from exports.preflight import Finding
from exports.preflight.finding import of_kind

FINAL = re.compile(r"(0|[1-9]\d{0,8})(\.(0|[1-9]\d{0,8})){1,2}([-+][0-9A-Za-z.-]{1,40})?")
DRAFT = re.compile(r"0\.(0|[1-9]\d*)")
__all__ = ["ReleaseReport", "Seen", "draw", "draw_apart", "examine", "look_apart", "newest", "next_draft", "split_of"]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ReleaseReport:
    """``manifest_sha256`` is "" where findings stopped the release and nothing was written."""

    version: str
    kind: str
    manifest_sha256: str
    items: int
    values: int
    findings: tuple[Finding, ...]


def draw(session: Session, version: str | None = None, *, by: UUID, note: str = "", leave_out_open: bool = False,
         strict: bool = False, about: Mapping[str, Any] | None = None,
         examined: Sequence[Finding] | None = None, progress: Progress | None = None,
         cancelled: Callable[[], bool] | None = None) -> ReleaseReport:
    """A draft 0.N of every item with gold, or the final release ``version``.

    A final release is stopped by what is bad and neither settled nor waived; items that wait for somebody may be held
    back (``leave_out_open``), missing pictures always stop it. ``strict``: what is to be warned of stops it too.
    ``about``: what people state of the data set (None: what the last release says).
    ``examined``: what ``examine`` has found already. Raises Refused for a version that is taken or no version, where
    gold rests on people's error rates that are out of date, and where it was cancelled.
    """
    protocol = protocol_now(session)
    require_counted(session)
    note = check_text(note.strip())
    kind = "draft" if version is None else "final"
    version = next_draft(session) if version is None else _checked(session, version)
    values, waiting = _taken(session, protocol, final=kind == "final", leave_out_open=leave_out_open)
    if examined is None:
        examined = preflight.examine(session, protocol, values, progress=progress, cancelled=cancelled)
    findings = judged(session, [*waiting, *inside(examined, values)], final=kind == "final", strict=strict)
    report = ReleaseReport(version, kind, "", len(values), sum(map(len, values.values())), findings)
    if any(one.state == "stops" for one in findings):
        return report
    public = public_ids(session, values)
    ids = {some[0].key: public[item] for item, some in values.items()}
    drawn = freeze(session, protocol, version=version, kind=kind, created=now().replace(microsecond=0), values=values,
                   public=public, about=last_about(session) if about is None else about)
    del values, public  # the rest is made from what was drawn
    carried = errata.carried(session, drawn)
    if carried.unexplained:
        untold = [of_kind("unexplained_change", carried.unexplained)]
        findings = (*findings, *judged(session, untold, final=kind == "final", strict=strict))
        if any(one.state == "stops" for one in findings):
            return replace(report, findings=findings)
    held_out = set(protocol.export.held_out)
    held = {item.public_id for item in drawn.items if item.split in held_out} if held_out else set()
    drawn = replace(drawn, facts={**drawn.facts, **carried.facts,
                                  **in_the_bundle(session, findings, ids, drawn.people, held)})
    drawn, manifest_sha256 = bundle.finished(session, drawn)
    release = new_id()
    frozen.write(session, drawn, release=release, manifest_sha256=manifest_sha256, by=by, note=note)
    trail.record(session, "release", person=by, ids={"release": release, "kind": kind},
                 payload={"version": version, "manifest_sha256": manifest_sha256})
    return replace(report, manifest_sha256=manifest_sha256, findings=findings)


@dataclass(frozen=True, slots=True)
class Seen:
    """What ``look_apart`` found, and how far the trail went then."""

    findings: tuple[Finding, ...]
    mark: Any

    def still(self, session: Session) -> tuple[Finding, ...] | None:
        """The findings; None where the trail has gone on since, and items are to be looked at again."""
        return self.findings if mark_now(session) == self.mark else None


def look_apart(store: Store, version: str | None = None, *, by: UUID, leave_out_open: bool = False,
               progress: Progress | None = None, cancelled: Callable[[], bool] | None = None) -> Seen:
    """What ``draw`` is to be told as ``examined``, found in a reading session: nobody waits for the look at items."""
    if store.why_read_only is not None:
        raise store.why_read_only
    with store.read() as session:
        people.require_right(session, by, "release")
        require_counted(session)
        if version is not None:
            _checked(session, version)
        seen, protocol = mark_now(session), protocol_now(session)
        values, _ = _taken(session, protocol, final=version is not None, leave_out_open=leave_out_open)
        return Seen(tuple(preflight.examine(session, protocol, values, progress=progress, cancelled=cancelled)), seen)


def draw_apart(store: Store, version: str | None = None, *, by: UUID, note: str = "", leave_out_open: bool = False,
               strict: bool = False, about: Mapping[str, Any] | None = None, progress: Progress | None = None,
               cancelled: Callable[[], bool] | None = None) -> ReleaseReport:
    """``draw`` by somebody with the right to, in a transaction of its own, after ``look_apart``."""
    seen = look_apart(store, version, by=by, leave_out_open=leave_out_open, progress=progress, cancelled=cancelled)
    with store.write() as session:
        people.require_right(session, by, "release")
        return draw(session, version, by=by, note=note, leave_out_open=leave_out_open, strict=strict, about=about,
                    examined=seen.still(session), progress=progress, cancelled=cancelled)


def examine(session: Session, *, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None
            ) -> tuple[Finding, ...]:
    """All that preflight finds in the items that a draft would hold, and what waits, held against the waivers."""
    protocol = protocol_now(session)
    values, waiting = _taken(session, protocol, final=False, leave_out_open=False)
    found = preflight.examine(session, protocol, values, progress=progress, cancelled=cancelled)
    return judged(session, [*waiting, *found], final=True, strict=False)


def _taken(session: Session, protocol: Protocol, *, final: bool, leave_out_open: bool
           ) -> tuple[dict[UUID, list[GoldView]], list[Finding]]:
    """Gold by item of what the release takes, and what waits."""
    return held_back(session, kept_values(session, protocol), preflight.look(session, protocol), final=final,
                     leave_out_open=leave_out_open)


def newest(session: Session) -> str | None:
    """The version drawn last, or None."""
    known = frozen.versions(session)
    return known[-1] if known else None


def next_draft(session: Session) -> str:
    drafts = [int(one.partition(".")[2]) for one in frozen.versions(session) if DRAFT.fullmatch(one)]
    return f"0.{max(drafts, default=0) + 1}"


def _checked(session: Session, version: str) -> str:
    if not FINAL.fullmatch(version):
        raise Refused(N_("'{version}' is no version; write it as 1.0 or 1.2.3"), code="bad_value", version=version[:80])
    if DRAFT.fullmatch(version):
        raise Refused(N_("{version} is the name of a draft; a final release has a version as 1.0"), code="bad_value",
                      version=version)
    if version in frozen.versions(session):
        raise Refused(N_("there is a release {version} already"), code="exists", version=version)
    return version
