"""What the page Gold reads and does, off the window's thread: checks, values, releases; drawing, writing, verifying."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from annotation import gold, people, status
from annotation.done import Done
from annotation.gold import GoldView
from exports import outlook, release, verify, writers
from exports.bundle import Written
from exports.faults import Report
from exports.outlook import Outlook, ReleaseView

MOST = 2_000  # gold values in the table


@dataclass(frozen=True, slots=True)
class GoldPageView:
    outlook: Outlook
    releases: tuple[ReleaseView, ...]
    items: int
    people: int


@dataclass(frozen=True, slots=True)
class Verified:
    """The project's report and, where a bundle was named, the bundle's."""

    project: Report
    bundle: Report | None
    where: str


def read_page(store: Any) -> GoldPageView:
    with store.read() as session:
        return GoldPageView(outlook.outlook(session), outlook.releases(session), status.items(session)["total"],
                            sum(bool(one.submitted) for one in people.people(session)))


def read_values(store: Any, question: str) -> tuple[GoldView, ...]:
    """The first values that stand, of one question or of all."""
    with store.read() as session:
        return gold.gold(session, question or None, limit=MOST + 1)


def draw(session: Any, version: str | None, *, by: UUID, note: str, leave_out_open: bool) -> Done:
    """A draft or a final release. It is not undone: what was released stays released."""
    people.require_right(session, by, "release")
    report = release.draw(session, version, by=by, note=note, leave_out_open=leave_out_open)
    return Done("Release", frozenset({"releases"}) if report.manifest_sha256 else frozenset(), None, report)


def write(store: Any, out: str, *, version: str, private: bool, by: UUID) -> Written:
    """The bundle of a release, as a new folder."""
    with store.read() as session:
        people.require_right(session, by, "export")
        written: Written = writers.writers["bundle"](session, out, version=version, private=private)
        return written


def check(project: str, bundle: str) -> Verified:
    """Verify the project, and the bundle in the folder ``bundle`` if there is one."""
    folder = Path(bundle) if bundle else None
    there = folder is not None and (folder / "manifest.json").is_file()
    return Verified(verify.verify(project), verify.verify(bundle) if there else None, bundle if there else "")
