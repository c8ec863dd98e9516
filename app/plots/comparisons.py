"""Forests of a certain kind: worths of a Bradley-Terry model, and signed differences.

    view.show_plot(worths(self.tr("Worth"), [Row("Atlas-2", 0.61, (0.52, 0.70), 240), ..]))
    view.show_plot(differences(self.tr("Against the whole"), [Row("Diagnosis", 0.10, (0.02, 0.18), 26), ..]))
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.plots.forest import Forest, Row


def _tr(text: str) -> str:
    return QCoreApplication.translate("plots", text)


def worths(title: str, rows: Sequence[Row], *, note: str = "", equal: float | None = None) -> Forest:
    """Worths, in the order given; ``equal``: the worth that each would have if none were better (1/k, or 0 on the
    scale of logarithms), the dashed line."""
    is_log = any(row.value is not None and row.value < 0 for row in rows)
    return Forest(title, tuple(rows), note, value_name=_tr("Worth"), reference=equal,
                  low=None if is_log else 0.0, high=None)


def differences(title: str, rows: Sequence[Row], *, note: str = "") -> Forest:
    """Differences around 0 on a scale with equal ends; a dot is filled where its interval leaves out 0."""
    ends = [abs(end) for row in rows if row.value is not None for end in (row.value, *(row.ci or ()))]
    most = max(ends, default=0.0)
    most = next((end for end in (0.1, 0.2, 0.4, 0.6, 1.0) if most <= end), most) if most else 1.0
    return Forest(title, tuple(rows), note, value_name=_tr("Difference"), reference=0.0, low=-most, high=most,
                  hollow=True)
