"""The section Questions: a row a question, and below it all that explains the row that is current."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from annotation import judgements
from annotation.agreement.second_opinion import second_opinion
from app import figures, theme
from app.context import Context
from app.jobs import Work
from app.pages.agreement import paper, words
from app.pages.agreement.about import AboutQuestion
from app.pages.agreement.cuts import WITHOUT, cuts_of, first_cut
from app.pages.agreement.details import Details, read_details
from app.pages.agreement.disputes import MOST, DisputePanel
from app.pages.agreement.panels import GridPanel, SlicePanel
from app.pages.agreement.paragraph import PaperPanel
from app.pages.agreement.reading import Asked, Questions, Row, asked_of, read_questions
from app.pages.agreement.remembering import Remembered
from app.pages.agreement.sections import Nothing, Read, SectionView, Taken, Way
from app.pages.agreement.tables import result_columns, span_reasons
from app.parts.table import RowsModel, Table
from app.parts.text import label

PATIENCE_MS = 300  # plots of another question go when their successors take longer


class QuestionsView(SectionView):
    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self._protocol = context.store.protocol
        self._remembered = Remembered(context)
        self._found: Questions | None = None
        self._details: Details | None = None
        self._work: Work | None = None
        self._wanted = 0
        self._opinion_of: Asked | None = None
        self._stale_soon = QTimer(self)
        self._stale_soon.setSingleShot(True)
        self._stale_soon.setInterval(PATIENCE_MS)
        self._stale_soon.timeout.connect(self._blank)
        self._model = RowsModel(result_columns(self._protocol, self.tr))
        self._build()

    def _build(self) -> None:
        self._sentence = label("", "reading", wrap=True)
        self._sentence.setObjectName("agreement:sentence")
        self._method = label("", "caption", "ink2", wrap=True)
        self._table = Table(self.tr("Agreement per question"), self._model, marks_row=True, lines=2)
        self._table.setObjectName("agreement:results")
        self._table.row_shown.connect(self._row_shown)
        self._table.row_opened.connect(self._open_result)
        fields = cuts_of(self._protocol)
        self._about = AboutQuestion(self._protocol, fields)
        self._about.choices.chosen.connect(self._choose)
        self._about.choices.undone.connect(self._unchoose)
        self._about.choices.set_by(self._remembered.cut(first_cut(self._protocol)))
        self._about.choices.by_chosen.connect(self._by_chosen)
        self._slices = SlicePanel(self.context, fields)
        self._slices.opened.connect(self._open_slice)
        self._slices.differences.opened.connect(self._open_two)
        self._pairs = GridPanel(self.context, "agreement:pairs")
        self._pairs.opened.connect(self._open_pair)
        self._confusion = GridPanel(self.context, "agreement:confusion")
        self._confusion.opened.connect(self._open_answers)
        self._disputes = DisputePanel(self._protocol)
        self._disputes.asked.connect(self.items_asked)
        self._disputes.adjudication_asked.connect(self.adjudication_asked)
        self._disputes.moved.connect(self.commands_changed)
        self._paper = PaperPanel()
        self._paper.copied.connect(self.context.status)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space("xs"))
        for part in (self._sentence, self._method):
            column.addWidget(part)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._table)
        column.addSpacing(theme.space("s"))
        column.addWidget(self._about)
        column.addSpacing(theme.space("xl"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.space("xxl"))
        self._grid.setVerticalSpacing(theme.space("xl"))
        self._below: tuple[QWidget, ...] = (self._slices, self._pairs, self._disputes, self._confusion)
        self._across = 0
        column.addLayout(self._grid)
        column.addSpacing(theme.space("xl"))
        column.addWidget(self._paper)
        column.addStretch(1)
        self.fit(narrow=False, dense=False)

    # --- what the page asks ---------------------------------------------------------------------------------

    def reads(self) -> Sequence[Read]:
        asked = asked_of(self._protocol, self._remembered.choices())
        return (lambda store, progress, cancelled: read_questions(store, asked, instant=True, progress=progress,
                                                                  cancelled=cancelled),
                lambda store, progress, cancelled: read_questions(store, asked, instant=False, progress=progress,
                                                                  cancelled=cancelled))

    def empty(self, found: Questions) -> Nothing | None:
        if not found.items:
            return Nothing(self.tr("No items yet"), self.tr(
                "Agreement is about items that two people and more have answered. Bring items in first."),
                (Way(self.tr("Bring items in"), "import", "items", {"bring_in": True}),))
        if not found.rows:
            return Nothing(self.tr("Nothing to compare"), self.tr(
                "No question of this protocol has a scale on which agreement is defined."),
                (Way(self.tr("See the protocol"), "protocol", "protocol", {}),))
        if not found.is_judged:
            return Nothing(self.tr("Nobody judged the same item twice yet"), self.tr(
                "An item counts as soon as two people have answered it without sight of each other. Assign people, or "
                "let them work on what waits."),
                (Way(self.tr("Assign people"), "people", "people", {}),
                 Way(self.tr("See the items"), "items", "items", {})))
        return None

    def show_found(self, found: Questions) -> None:
        kept, before = self._row(), self._found
        if before is not None and not found.is_final and before.is_final and _only_intervals(before, found):
            return  # the same values: their intervals are on the way, and nothing flickers meanwhile
        self._found = found
        self._sentence.setText(words.sentence(self._protocol, found.results))
        self._method.setText(words.method(found.results) + " " + words.blindness())
        ends = [figure for one in found.results for figure in (one.value, *(one.ci or ()))]
        self._model.set_scale("interval", figures.scale_of(ends))
        self._model.renew_rows(found.rows)
        span_reasons(self._table, self._model)
        at = next((n for n, row in enumerate(found.rows) if kept is not None and row.name == kept.name), None)
        if at is None:
            at = next((n for n, row in enumerate(found.rows) if kept is not None
                       and row.asked.question == kept.asked.question), 0)
        if self._table.currentIndex().row() != at:
            self._table.setCurrentIndex(self._model.index(at, 0))  # which shows the row
        else:
            self._row_shown(at)
        self._paper.show_paragraph(paper.methods(self._protocol, found.rows))
        if found.is_final:
            self.context.status(self.tr("computed in {s} s").format(s=f"{found.seconds:.2f}"))
            self._read_details()
        self.commands_changed.emit()

    def closing(self) -> None:
        if self._work is not None:
            self._work.cancel()

    def parts(self) -> list[QWidget]:
        return [self._table, self._about, *self._below, self._paper]

    def fit(self, *, narrow: bool, dense: bool) -> None:
        self._sentence.setMaximumWidth(theme.wide(theme.size("reading_column") + theme.size("rail")))
        self._table.set_dense(dense)
        self._table.fit_rows()
        self._about.fit(narrow=narrow)
        self._disputes.fit(dense=dense)
        across = 1 if narrow else 2
        if across != self._across:
            self._across = across
            for n, part in enumerate(self._below):
                self._grid.addWidget(part, n // across, n % across)
            for column in (0, 1):
                self._grid.setColumnStretch(column, 1 if column < across else 0)

    @property
    def can_give(self) -> bool:
        return self._found is not None and bool(self._found.rows)

    def taken(self) -> Taken:
        assert self._found is not None
        rows, slices = self._found.rows, self._details.slices if self._details is not None else ()
        return Taken(paper.markdown(self._protocol, rows, slices), paper.latex(self._protocol, rows, slices),
                     paper.csv(rows, slices), "agreement.csv", paper.methods(self._protocol, rows))

    def item_in_hand(self) -> UUID | None:
        return self._disputes.current_item()

    # --- the current row ------------------------------------------------------------------------------------

    def _row(self) -> Row | None:
        row: Row | None = self._model.row(self._table.currentIndex().row())
        return row

    @Slot(int)
    def _row_shown(self, at: int) -> None:
        row = self._model.row(at)
        if row is None:
            return
        self._about.show_row(row)
        self._table.fit_rows()
        if self._details is None or self._details.asked != row.asked:
            self._read_details()

    def _read_details(self) -> None:
        """The plots of the current row; those of before stay for a moment, so that nothing flickers."""
        row = self._row()
        if row is None:
            return
        if self._work is not None:
            self._work.cancel()
        self._wanted += 1
        wanted, by = self._wanted, self._about.choices.by()
        if self._details is not None and self._details.asked.question != row.asked.question:
            self._stale_soon.start()
        self._work = self.context.jobs.work(
            self, lambda progress, cancelled: read_details(self.context.store, row.asked, by, progress=progress,
                                                           cancelled=cancelled),
            then=lambda found: self._show_details(wanted, found))

    def _show_details(self, wanted: int, details: Details | None) -> None:
        row = self._row()
        if wanted != self._wanted or details is None or row is None:
            return
        self._work = None
        self._stale_soon.stop()
        self._details = details
        self._slices.show_slices(row.result, details)
        self._pairs.show_pairs(row.result, details)
        self._confusion.show_confusion(self._protocol, details)
        self._disputes.show_dispute(details.asked.question, details.dispute)
        self._ask_opinion(row, details)
        self.commands_changed.emit()

    def _ask_opinion(self, row: Row, details: Details) -> None:
        """What another program makes of the same answers; what stands there of the same question stays until then."""
        if self._opinion_of != row.asked:
            self._about.show_opinion("")
        self._opinion_of, wanted = row.asked, self._wanted
        self.context.jobs.work(
            self, lambda progress, cancelled: second_opinion(details.found.ratings, row.result),
            then=lambda found: self._about.show_opinion(words.opinion(found)) if wanted == self._wanted else None)

    @Slot()
    def _blank(self) -> None:
        for panel in (self._slices, self._pairs, self._confusion):
            panel.plot.show_plot(None, self.tr("Computing"))

    # --- choices --------------------------------------------------------------------------------------------

    @Slot(object)
    def _choose(self, asked: Asked) -> None:
        self._remembered.choose(asked)
        self.read_asked.emit()

    @Slot(str)
    def _unchoose(self, question: str) -> None:
        self._remembered.unchoose(question)
        self.read_asked.emit()

    @Slot(str)
    def _by_chosen(self, by: str) -> None:
        self._remembered.set_cut(by)
        self._read_details()

    # --- ways to items --------------------------------------------------------------------------------------

    @Slot(int)
    def _open_result(self, _at: int) -> None:
        """The items behind a row on which people differ, the most disputed first."""
        row, details = self._row(), self._details
        if row is None or details is None or details.asked.question != row.asked.question:
            return
        if details.dispute.items:
            self.items_asked.emit(details.dispute.items[:MOST])
        else:
            self.said.emit("info", self.tr("Nobody differs on this question, so there is no item to show."))

    @Slot(int)
    def _open_slice(self, at: int) -> None:
        if self._details is None or at < 0:
            self._open_result(0)
            return
        one = self._details.slices[at]
        if one.by is not None and any(f.name == one.by["field"] and f.kind == "tag" for f in self._protocol.fields):
            self.tag_asked.emit(one.by["field"], one.by["value"])
        elif one.by is not None and one.by["field"] == WITHOUT:
            self._go(self._details.items_of_person(one.by["value"]))
        elif one.by is not None:
            self.context.jobs.read(self, judgements.slice_items, one.question, one.by["field"], one.by["value"],
                                   then=self._go)

    @Slot(str, str)
    def _open_two(self, first: str, second: str) -> None:
        """The items of the two slices of a difference."""
        if self._details is not None:
            found = (*self._details.items_of_slice(first), *self._details.items_of_slice(second))
            self._go(tuple(dict.fromkeys(found)))

    @Slot(int, int)
    def _open_pair(self, row: int, column: int) -> None:
        if self._details is not None:
            self._go(self._details.items_of_pair(row, column))

    @Slot(int, int)
    def _open_answers(self, row: int, column: int) -> None:
        if self._details is not None:
            self._go(self._details.items_of_answers(row, column))

    def _go(self, items: tuple[UUID, ...]) -> None:
        if items:
            self.items_asked.emit(items[:MOST])
        else:
            self.said.emit("info", self.tr("There is no such item."))


def _only_intervals(before: Questions, found: Questions) -> bool:
    """Whether two readings have the same rows with the same values."""
    return [(row.asked, row.result.value, row.result.n_judgements) for row in before.rows] == [
        (row.asked, row.result.value, row.result.n_judgements) for row in found.rows]
