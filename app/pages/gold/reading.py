"""What the page Gold reads and does, off the window's thread: checks, values, releases; drawing, writing, verifying."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from annotation import assign, gold, gold_recount, people, status
from annotation.done import Done
from annotation.gold import GoldView
from exports import errata, frozen, outlook, release, verify, writers
from exports.about import read_about
from exports.changes import Difference, compare
from exports.errata import ErratumView
from exports.faults import Report
from exports.outlook import Outlook, ReleaseView
from exports.preflight import Finding
from exports.tombstones import gone_from

MOST = 2_000  # gold values in the table, items handed to another page
Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class GoldPageView:
    """``stale``: questions whose gold hangs on error rates that were counted from other answers."""

    outlook: Outlook
    releases: tuple[ReleaseView, ...]
    items: int
    people: int
    stale: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verified:
    """The project's report and, where a bundle was named, the bundle's."""

    project: Report
    bundle: Report | None
    where: str


@dataclass(frozen=True, slots=True)
class Format:
    """A format of the writers. ``options``: what its call takes beside the folder and the version."""

    name: str
    about: str
    cannot: tuple[str, ...]
    options: frozenset[str]


def formats() -> tuple[Format, ...]:
    """Every format in the order of the registry; the bundle comes first."""
    made = [Format(name, writers.writers[name].about, tuple(writers.writers[name].cannot),
                   frozenset(inspect.signature(writers.writers[name].__call__).parameters)) for name in writers.writers]
    return tuple(sorted(made, key=lambda one: one.name != "bundle"))


def read_page(store: Any) -> GoldPageView:
    with store.read() as session:
        return GoldPageView(outlook.outlook(session), outlook.releases(session), status.items(session)["total"],
                            sum(bool(one.submitted) for one in people.people(session)),
                            gold_recount.stale_models(session))


def examine(store: Any, progress: Progress, cancelled: Cancelled) -> tuple[Finding, ...]:
    """Everything preflight finds; Refused (cancelled) where nobody waits for it any more."""
    with store.read() as session:
        return release.examine(session, progress=progress, cancelled=cancelled)


def read_values(store: Any, question: str) -> tuple[GoldView, ...]:
    """The first values that stand, of one question or of all."""
    with store.read() as session:
        return gold.gold(session, question or None, limit=MOST + 1)


def items_of(session: Any, keys: Sequence[str]) -> tuple[UUID, ...]:
    """The first items with these keys."""
    return assign.find_keys(session, keys[:MOST])


@dataclass(frozen=True, slots=True)
class Changes:
    """Between two releases (``difference`` None where they are one), what was said about the older one's items
    (``errata``), and what the newer one does not hand out any more: (public id or pseudonym, day, why)."""

    difference: Difference | None
    errata: tuple[ErratumView, ...]
    gone_items: tuple[tuple[str, str, str], ...]
    gone_people: tuple[tuple[str, str, str], ...]

    def why(self, item: UUID) -> str:
        """Why an item is another, as people noted."""
        return " ".join(one.why for one in self.errata if one.item == item)


def read_changes(store: Any, before: str, after: str, cancelled: Cancelled) -> Changes | None:
    """None where nobody waits for it any more."""
    with store.read() as session:
        newer = frozen.read(session, after)
        gone = gone_from(session, newer)
        if cancelled():
            return None
        difference = compare(session, frozen.read(session, before), newer) if before != after else None
        return Changes(difference, errata.standing(session, before), _gone(gone.items), _gone(gone.people))


def _gone(said: Mapping[str, Mapping[str, str]]) -> tuple[tuple[str, str, str], ...]:
    return tuple((name, one["day"], one["why"]) for name, one in sorted(said.items()))


# --- deeds ------------------------------------------------------------------------------------------------------

def draw(store: Any, version: str | None, *, by: UUID, note: str, about: str, leave_out_open: bool,
         strict: bool, progress: Progress, cancelled: Cancelled) -> Done:
    """A draft or a final release. It is not undone: what was released stays released. ``about``: a file that states
    what only people know, or "" for what the release before says."""
    stated = read_about(about) if about else None
    report = release.draw_apart(store, version, by=by, note=note, leave_out_open=leave_out_open, strict=strict,
                                about=stated, progress=progress, cancelled=cancelled)
    return Done("Release", frozenset({"releases"}) if report.manifest_sha256 else frozenset(), None, report)


def recount(store: Any, *, by: UUID, progress: Progress) -> Done:
    """Count people's error rates, and the gold that hangs on them, anew."""
    with store.write() as session:
        return gold_recount.recount(session, by=by, progress=progress)


def write(store: Any, out: str, *, format: str, version: str, options: Sequence[str], by: UUID, progress: Progress,
          cancelled: Cancelled) -> Any:
    """A release in a format, as a new folder; ``options`` are those that are switched on."""
    writer = writers.writers[format]
    known = inspect.signature(writer.__call__).parameters
    more: dict[str, Any] = {name: True for name in options if name in known}
    more |= {name: each for name, each in (("progress", progress), ("cancelled", cancelled)) if name in known}
    with store.read() as session:
        people.require_right(session, by, "export")
        return writer(session, out, version=version, **more)


def check(project: str, bundle: str) -> Verified:
    """Verify the project, and the bundle in the folder ``bundle`` if there is one."""
    folder = Path(bundle) if bundle else None
    there = folder is not None and (folder / "manifest.json").is_file()
    return Verified(verify.verify(project), verify.verify(bundle) if there else None, bundle if there else "")
