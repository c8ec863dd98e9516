"""Before a page shows what comes of others' answers to somebody who answers here, that is recorded."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication

from annotation import revealing, trail
from annotation.errors import Refused
from app.page import Page


def show_after_record(page: Page, show: Callable[[], None]) -> None:
    """Call ``show`` once the trail says that the person was shown results; at once where there is nothing to record."""
    context = page.context
    if context.store.read_only:
        show()
        return

    def refused(why: Refused) -> None:
        page.say(why, button=_tr("Try again"), act=lambda: show_after_record(page, show))

    def recorded(_none: object) -> None:
        show()
        page.say(_tr("You answer in this project too, so the trail now says that you were shown these results: an "
                     "answer that you change from now on no longer counts for agreement."), kind="info")

    def found(is_to_be_recorded: bool) -> None:
        if is_to_be_recorded:
            context.jobs.run(page, trail.reveal, context.person.id, then=recorded, failed=refused, undoable=False)
        else:
            show()

    context.jobs.read(page, revealing.is_to_be_recorded, context.person.id, then=found, failed=refused)


def _tr(text: str) -> str:
    return QCoreApplication.translate("revealing", text)
