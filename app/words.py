"""Words for stages, roles and states, and how times and numbers are said; the same on every page."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.i18n import QT_TRANSLATE_NOOP

STAGES = {
    "write": QT_TRANSLATE_NOOP("stages", "Write"), "annotate": QT_TRANSLATE_NOOP("stages", "Annotate"),
    "verify": QT_TRANSLATE_NOOP("stages", "Verify"), "adjudicate": QT_TRANSLATE_NOOP("stages", "Adjudicate"),
    "grade": QT_TRANSLATE_NOOP("stages", "Grade"), "sign": QT_TRANSLATE_NOOP("stages", "Sign"),
}
ROLES = {
    "annotator": QT_TRANSLATE_NOOP("roles", "Annotator"), "verifier": QT_TRANSLATE_NOOP("roles", "Verifier"),
    "adjudicator": QT_TRANSLATE_NOOP("roles", "Adjudicator"), "physician": QT_TRANSLATE_NOOP("roles", "Physician"),
    "experimenter": QT_TRANSLATE_NOOP("roles", "Experimenter"),
    "researcher": QT_TRANSLATE_NOOP("roles", "Researcher"), "owner": QT_TRANSLATE_NOOP("roles", "Owner"),
}


def _tr(text: str) -> str:
    return QCoreApplication.translate("words", text)


def minutes(value: float) -> str:
    """"18 min", "2 h 05 min", never less than one minute."""
    whole = max(1, round(value))
    if whole < 60:
        return _tr("{m} min").format(m=whole)
    return _tr("{h} h {m:02d} min").format(h=whole // 60, m=whole % 60)


def minutes_in_full(value: float) -> str:
    """"1 minute", "18 minutes", "2 h 05 min", for a sentence."""
    whole = max(1, round(value))
    if whole >= 60:
        return minutes(value)
    return _tr("1 minute") if whole == 1 else _tr("{m} minutes").format(m=whole)


def duration(ms: float) -> str:
    """"18 s", "1 min 18 s", "1 h 06 min"."""
    seconds = round(ms / 1000)
    if seconds < 60:
        return _tr("{s} s").format(s=seconds)
    if seconds < 3600:
        return _tr("{m} min {s:02d} s").format(m=seconds // 60, s=seconds % 60)
    return _tr("{h} h {m:02d} min").format(h=seconds // 3600, m=seconds % 3600 // 60)


def moment(at: datetime) -> str:
    """A UTC moment in local time: the time today, the date before."""
    local = at.astimezone()
    return f"{local:%H:%M}" if local.date() == datetime.now().astimezone().date() else f"{local:%Y-%m-%d}"
