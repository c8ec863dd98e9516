"""Review, behind one door: adjudicating and signing, and whether somebody has seen others' answers."""

from __future__ import annotations

from uuid import UUID

from sqlalchemy.orm import Session

from annotation import trail
from annotation.adjudicating import (
    adjudicate,
    redo_adjudicate,
    send_back,
    undo_adjudicate,
    undo_send_back,
)
from annotation.adjudication_case import (
    Case,
    CaseAnswer,
    CaseRow,
    DueItem,
    adjudication_case,
    adjudication_queue,
    open_case,
)
from annotation.signing import (
    DueSignature,
    SignCase,
    SignValue,
    sign,
    sign_case,
    signing_queue,
    undo_sign,
    unsign,
)

__all__ = [
    "Case", "CaseAnswer", "CaseRow", "DueItem", "DueSignature", "SignCase", "SignValue", "adjudicate",
    "adjudication_case", "adjudication_queue", "open_case", "redo_adjudicate", "revealed", "send_back", "sign",
    "sign_case", "signing_queue", "undo_adjudicate", "undo_send_back", "undo_sign", "unsign",
]


def revealed(session: Session, person: UUID, item: UUID) -> bool:
    """Whether ``person`` was shown what comes from others about ``item``, or about the whole project.

    Then a later change of his own answer to it is marked ``after_reveal`` and counts no more.
    """
    return trail.was_revealed(session, person, item=item) or trail.was_revealed(session, person)
