"""The filters of the Items page: what is on, in words, and what else there is."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from PySide6.QtCore import QCoreApplication

from app.i18n import translate
from app.words import STAGES


def _tr(text: str) -> str:
    return QCoreApplication.translate("filters", text)


class Filters:
    """``text`` and at most one of each: state, stage (with its state), tag, ids."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self.clear()

    def clear(self) -> None:
        self.text = ""
        self.state: str | None = None
        self.stage: tuple[str, str | None] | None = None
        self.tag: tuple[str, str] | None = None
        self.ids: Collection[UUID] | None = None

    def set(self, *, text: str = "", state: str | None = None, stage: str | None = None,
            stage_state: str | None = None, tag: tuple[str, str] | None = None,
            ids: Collection[UUID] | None = None, key: str = "") -> None:
        """Exactly these filters, as another page asked for them."""
        self.clear()
        self.text, self.state, self.tag, self.ids = text or key, state, tag, ids
        self.stage = (stage, stage_state) if stage else None

    @property
    def is_on(self) -> bool:
        return bool(self.text.strip() or self.state or self.stage or self.tag or self.ids is not None)

    def as_query(self) -> dict[str, Any]:
        """The arguments of find_items."""
        stage, stage_state = self.stage or (None, None)
        return {"text": self.text, "state": self.state, "stage": stage, "stage_state": stage_state, "tag": self.tag,
                "ids": self.ids}

    def words(self) -> list[tuple[str, str]]:
        """``(name, words)`` of each that is on, for the chips."""
        made = []
        if self.state:
            made.append(("state", self._state(self.state)))
        if self.stage:
            made.append(("stage", self._stage(*self.stage)))
        if self.tag:
            made.append(("tag", f"{self.tag[0]}: {self.tag[1]}"))
        if self.ids is not None:
            made.append(("ids", _tr("a list of {n}").format(n=f"{len(self.ids):,}")))
        return made

    def add(self, name: str, value: Any) -> None:
        setattr(self, name, value)

    def remove(self, name: str) -> None:
        setattr(self, name, None)

    def offers(self) -> list[tuple[str, Any, str, str]]:
        """``(name, value, words, remark)`` of every filter there is."""
        made: list[tuple[str, Any, str, str]] = []
        for stage in self._protocol.workflow.stages:
            for state in ("open", "done", "waiting"):
                made.append(("stage", (stage, state), self._stage(stage, state), _tr("stage")))
        for state in ("active", "stale", "withdrawn"):
            made.append(("state", state, self._state(state), _tr("state")))
        for field in self._protocol.fields:
            if field.kind == "tag" and not field.private:
                for value in getattr(field, "values", None) or ():
                    made.append(("tag", (field.name, value), f"{field.name}: {value}", _tr("tag")))
        return made

    def _stage(self, stage: str, state: str | None) -> str:
        name = translate(STAGES[stage], "stages").lower()
        words = {None: _tr("reached"), "open": _tr("open"), "done": _tr("done"), "waiting": _tr("not reached"),
                 "locked": _tr("locked")}
        return f"{name}: {words[state]}"

    def _state(self, state: str) -> str:
        return {"active": _tr("active"), "stale": _tr("changed since answered"), "withdrawn": _tr("withdrawn")}[state]
