"""Whether a study fits a project: its protocol, its release, and the gold that its right answers come from."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from annotation.errors import Fault
from annotation.protocol_fault_names import Found, Path
from annotation.store.tables import ReleaseGold
from studies.fitting import protocol_faults
from studies.model import Study
from studies.picking import protocol_of
from studies.reading import told

_GOLD: Path = ("correct", "gold")


def project_faults(session: Session, study: Study, release: UUID | None, *, file: str = "study.yaml"
                   ) -> tuple[Fault, ...]:
    """All that keeps this study from being shown with the items of ``release`` (None: of the project as it is)."""
    return told(study, (*protocol_faults(study, protocol_of(session, release)), *release_faults(study, release),
                        *_gold(session, study, release)), file=file)


def release_faults(study: Study, release: object) -> Iterator[Found]:
    """Right answers from gold need a release: what is seen without a project."""
    if study.correct is not None and study.correct.gold and not release:
        yield Found(_GOLD, "the right answers are to come from gold, and no release is named; "
                           "write its version under items, as release")


def _gold(session: Session, study: Study, release: UUID | None) -> Iterator[Found]:
    if study.correct is None or not study.correct.gold or release is None:
        return
    if not session.scalar(select(exists().where(ReleaseGold.release == release, ReleaseGold.element == "",
                                                ReleaseGold.question == study.question))):
        yield Found(_GOLD, f"the release has no gold of '{study.question}'")
