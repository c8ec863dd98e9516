"""The section Machines: models and judges beside people, the majority and gold, from the project and from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent

from annotation import rating_items
from annotation.rating_machines import MachineReport
from annotation.rating_people import comparable
from app.context import Context
from app.dropping import local_files
from app.pages.agreement import machine_words, names
from app.pages.agreement.machine_files import MachineFiles
from app.pages.agreement.machine_reading import METRICS, Machines, read_machines
from app.pages.agreement.reports import ReportView, choice, fill
from app.pages.agreement.sections import Read, Taken
from app.parts.table import RowsModel, Table


class MachinesView(ReportView):
    touches = ReportView.touches | {"adjudication", "gold", "people"}

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._found: Machines | None = None
        self._shown: tuple[str, str, str] | None = None
        self._files = MachineFiles()
        self._files.changed.connect(self.read_asked)
        self._question, self._metric = choice(self.tr("Question")), choice(self.tr("Coefficient"))
        self._by = choice(self.tr("Slices by"))
        self._question.setObjectName("machines:question")
        self._metric.setObjectName("machines:metric")
        self._by.setObjectName("machines:by")
        fill(self._question, [("", self.tr("All questions")), *(
            (name, names.question(self._protocol, name)) for name in comparable(self._protocol))], "")
        self._question.activated.connect(self.read_asked)
        fill(self._metric, [(one, machine_words.metric_name(one)) for one in METRICS[:3]], METRICS[0])
        self._metric.activated.connect(self._show_metric)
        tags = [(one.name, one.label or one.name) for one in self._protocol.fields if one.kind == "tag"]
        fill(self._by, [("", self.tr("No slices")), *tags], "")
        self._by.activated.connect(self.read_asked)
        self._model = RowsModel(machine_words.machine_columns(self._protocol, self.tr, lambda: self._found,
                                                              self._metric.value))
        self._frame(Table(self.tr("Machines beside people"), self._model, marks_row=True, lines=2), name="machines",
                    choices=(self._question, self._metric, self._by), above=(self._files,))
        self._against = self._plot("machines:against", self._open_against)
        self._gaps = self._plot("machines:gaps", self._open_gap)
        self._slices = self._plot("machines:slices", self._open_slice)
        self._panels(self._against, self._gaps, self._slices)
        self.setAcceptDrops(True)

    # --- what the page asks ---------------------------------------------------------------------------------

    def reads(self) -> Sequence[Read]:
        files, question, by = tuple(self._files.files), self._question.value(), self._by.value()
        return (lambda store, progress, cancelled: read_machines(store, files, question, by, progress=progress,
                                                                 cancelled=cancelled),)

    def show_found(self, found: Machines) -> None:
        self._found = found
        self._files.show_faults(found.faults)
        is_there = bool(found.reports)
        self._labelled[0].setVisible(is_there or bool(self._files.files))  # a file may need one to be chosen
        self._labelled[1].setVisible(is_there)
        self._labelled[2].setVisible(is_there and self._by.count() > 1)
        for part in (self._table, self._head, self._details, *self._below):
            part.setVisible(is_there)
        if is_there:
            fill(self._metric, [(one, machine_words.metric_name(one)) for one in found.metrics()],
                 self._metric.value())
            self._show_metric()
            self.context.status(self.tr("computed in {s} s").format(s=f"{found.seconds:.2f}"))
        else:
            self._model.renew_rows(())
            self._sentence.setText(self.tr("No machine has answered here yet. Add a file of predictions, or bring a "
                                           "model’s answers in as those of a person of the kind machine."))
            self._method.setText(self.tr("Each machine then stands beside every person, the majority and gold, with "
                                         "the difference to how far people agree with each other."))
        self.commands_changed.emit()

    @property
    def can_give(self) -> bool:
        return self._found is not None and bool(self._found.reports)

    def taken(self) -> Taken:
        assert self._found is not None
        return machine_words.taken(self._protocol, self._found, self._metric.value())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if local_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        event.acceptProposedAction()
        self._files.add([str(file) for file in local_files(event.mimeData()) if file.is_file()])

    # --- what is shown --------------------------------------------------------------------------------------

    def _report(self) -> MachineReport | None:
        row: MachineReport | None = self._model.row(self._table.currentIndex().row())
        return row

    @Slot()
    def _show_metric(self) -> None:
        found, metric, kept = self._found, self._metric.value(), self._shown
        if found is None:
            return
        self._sentence.setText(machine_words.sentence(self._protocol, found, metric))
        self._method.setText(machine_words.method(found, metric))
        self._model.set_scale("dot", machine_words.scale(found.reports, metric))
        at = next((n for n, row in enumerate(found.reports) if (row.machine, row.source, row.question) == kept), 0)
        self._show_rows(self._model, found.reports, at)

    def _row_shown(self, at: int) -> None:
        row, found, metric = self._model.row(at), self._found, self._metric.value()
        if row is None or found is None:
            return
        self._shown = (row.machine, row.source, row.question)
        self._say_details(f"{machine_words.called(row, found)}, {names.question(self._protocol, row.question)}",
                          machine_words.details(self._protocol, row, found, metric))
        self._against.show_plot(machine_words.against_each(row, found, metric))
        self._gaps.show_plot(machine_words.gaps(row, found))
        self._slices.setVisible(bool(self._by.value()))
        self._slices.show_plot(machine_words.by_slice(row, found, metric),
                               self.tr("No slice has two items of this machine."))

    # --- ways to items --------------------------------------------------------------------------------------

    def _ask(self, kind: str = "people", against: str = "") -> None:
        row, found = self._report(), self._found
        if row is None or found is None:
            return
        store, which = self.context.store, (row.question, row.machine, row.source)
        self.context.jobs.work(self, lambda progress, cancelled: _items(
            store, which, kind=kind, against=against, predictions=found.predictions), then=self._go)

    def _row_opened(self, _at: int) -> None:
        self._ask()

    @Slot(int)
    def _open_against(self, at: int) -> None:
        row = self._report()
        if row is not None:
            kind, against, _ = machine_words.references(row, self._metric.value())[at]
            self._ask(kind, against)

    @Slot(int)
    def _open_gap(self, _at: int) -> None:
        self._ask()

    @Slot(int)
    def _open_slice(self, at: int) -> None:
        """All items where the machine differs, or those of a slice, whoever answered them."""
        plot, by = self._slices.plot(), self._by.value()
        if at == 0 or plot is None or not by:
            self._ask()
        else:
            self.tag_asked.emit(by, plot.rows[at].label)  # type: ignore[attr-defined]


def _items(store: Any, which: tuple[str, str, str], **how: Any) -> Any:
    with store.read() as session:
        return rating_items.machine_items(session, *which, **how)
