"""The section People: how each person works at one question, and what the person that is current confuses."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from PySide6.QtCore import Slot

from annotation import rating_items, rights
from annotation.rating_items import BesideOthers
from app import figures
from app.context import Context
from app.jobs import Work
from app.pages.agreement import figure, names
from app.pages.agreement.people_reading import MEASURES, People, PersonRow, read_beside, read_people
from app.pages.agreement.people_words import details, measure_name, method, missing, person_columns, sentence, taken
from app.pages.agreement.reports import ReportView, choice, fill
from app.pages.agreement.second import SecondDecisions
from app.pages.agreement.sections import Nothing, Read, Taken, Way
from app.parts.table import RowsModel, Table
from app.plots.forest import Forest
from app.plots.grid import Cell, Grid, confusion

MOST_ANSWERS = 12  # in a confusion: the most frequent ones


class PeopleView(ReportView):
    """Nobody without the right to see people is shown another's numbers."""

    touches = ReportView.touches | {"adjudication", "people"}

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._found: People | None = None
        self._beside: BesideOthers | None = None
        self._work: Work | None = None
        self._shown: tuple[str, UUID] | None = None
        self._only = None if rights.may(context.person.roles, "see_people") else context.person.id
        self._question, self._measure = choice(self.tr("Question")), choice(self.tr("Compare people by"))
        self._question.setObjectName("people:question")
        self._question.activated.connect(self._show_question)
        self._measure.setObjectName("people:measure")
        fill(self._measure, [(one, measure_name(one)) for one in MEASURES], MEASURES[0])
        self._measure.activated.connect(self._show_plot)
        self._model = RowsModel(person_columns(self.tr, lambda: self._found is None or self._found.is_final))
        self._frame(Table(self.tr("People at this question"), self._model, marks_row=True, lines=2), name="people",
                    choices=(self._question, self._measure))
        self._forest = self._plot("people:compared", self._open_compared)
        self._confusion = self._plot("people:confusion", self._open_confusion)
        self._model_of_truth = self._plot("people:truth", self._open_truth)
        self._second = SecondDecisions(self._protocol)
        self._second.items_asked.connect(self._open_second)
        self._panels(self._forest, self._confusion, self._model_of_truth, self._second)

    def fit(self, *, narrow: bool, dense: bool) -> None:
        super().fit(narrow=narrow, dense=dense)
        self._second.fit(dense=dense)

    # --- what the page asks ---------------------------------------------------------------------------------

    def reads(self) -> Sequence[Read]:
        only = self._only
        return tuple(
            lambda store, progress, cancelled, able=able: read_people(store, only=only, competence=able,
                                                                      progress=progress, cancelled=cancelled)
            for able in (False, True))

    def empty(self, found: People) -> Nothing | None:
        if found.reports and found.questions:
            return None
        if not found.items:
            return Nothing(self.tr("No items yet"), self.tr(
                "How people work is seen by the items that they answer. Bring items in first."),
                (Way(self.tr("Bring items in"), "import", "items", {"bring_in": True}),))
        return Nothing(self.tr("Nobody has answered yet"), self.tr(
            "As soon as somebody answers, pace, checks and agreement with the others stand here."),
            (Way(self.tr("Assign people"), "people", "people", {}),
             Way(self.tr("See the items"), "items", "items", {})))

    def show_found(self, found: People) -> None:
        before = self._found
        if before is not None and before.is_final and not found.is_final:
            return  # competence is on the way, and nothing flickers meanwhile
        self._found = found
        fill(self._question, [(name, names.question(self._protocol, name)) for name in found.questions],
             self._question.value() or self._first(found))
        ends = [end for name in found.questions for row in found.rows(name)
                for end in figure.ends([row.figure("competence")])]
        self._model.set_scale("dot", figures.scale_of(ends))
        self._second.show_checks(found.decisions)
        self._show_question()
        if found.is_final:
            self.context.status(self.tr("computed in {s} s").format(s=f"{found.seconds:.2f}"))
        self.commands_changed.emit()

    def _first(self, found: People) -> str:
        """The first question that the protocol looks at."""
        named = [spec.question for spec in self._protocol.agreement if spec.question in found.questions]
        return str(named[0]) if named else found.questions[0]

    def closing(self) -> None:
        if self._work is not None:
            self._work.cancel()

    @property
    def can_give(self) -> bool:
        return self._found is not None and bool(self._found.questions)

    def taken(self) -> Taken:
        assert self._found is not None
        return taken(self._protocol, self._found, self._question.value())

    # --- what is shown --------------------------------------------------------------------------------------

    @Slot()
    def _show_question(self) -> None:
        if self._found is None:
            return
        kept = self._row()
        rows, question = self._found.rows(self._question.value()), self._question.value()
        self._sentence.setText(sentence(self._protocol, question, rows))
        hidden = self.tr("Others’ numbers are for people who keep the project.") if self._found.hides_others else ""
        self._method.setText(" ".join(filter(None, (method(rows), hidden))))
        self._shown = None
        at = next((n for n, row in enumerate(rows) if kept is not None and row.report.person == kept.report.person), 0)
        self._show_rows(self._model, rows, at)
        self._show_plot()

    def _row(self) -> PersonRow | None:
        row: PersonRow | None = self._model.row(self._table.currentIndex().row())
        return row

    @Slot()
    def _show_plot(self) -> None:
        """Everybody by one measure."""
        if self._found is None:
            return
        measure, rows = self._measure.value(), self._found.rows(self._question.value())
        shown = [(row, row.figure(measure)) for row in rows]
        title = self.tr("{measure}, person by person").format(measure=measure_name(measure))
        if all(one.value is None for _, one in shown):
            reason = next((one.reason for _, one in shown if one.reason), "") or (
                self.tr("there are no answers yet") if self._found.is_final else self.tr("computing"))
            self._forest.show_plot(None, f"{title}: {reason}.")
            return
        how = next((one.method for _, one in shown if one.ci is not None), "")
        self._forest.show_plot(Forest(title, tuple(
            figure.row_of(row.report.handle, one, stands_out=not row.is_machine) for row, one in shown),
            figure.short(how) if how else "", low=0.0, high=1.0))

    def _row_shown(self, at: int) -> None:
        row = self._model.row(at)
        if row is None or self._found is None:
            return
        self._say_details(row.report.handle, details(row), missing(row))
        self._show_truth(row)
        shown = (self._question.value(), row.report.person)
        if self._shown == shown:
            return
        self._shown, self._beside = shown, None
        if self._work is not None:
            self._work.cancel()
        question, person, machines = *shown, self._found.machines
        self._work = self.context.jobs.work(
            self, lambda progress, cancelled: read_beside(self.context.store, question, person, machines),
            then=lambda found: self._show_confusion(shown, row, found))

    def _show_confusion(self, shown: tuple[str, UUID], row: PersonRow, found: BesideOthers) -> None:
        """What this person said where the others had a majority."""
        if shown != self._shown:
            return
        self._work, self._beside = None, found
        handle, kept = row.report.handle, found.shown(MOST_ANSWERS)
        title = self.tr("What {person} confuses").format(person=handle)
        if not len(kept):
            self._confusion.show_plot(None, self.tr("{title}: the others had a majority on no item that {person} "
                                                    "answered.").format(title=title, person=handle))
            return
        said = [names.said(self._protocol, shown[0], found.labels[code]) for code in kept.tolist()]
        self._confusion.show_plot(confusion(title, said, found.counts(kept).tolist(), down=self.tr("most others said"),
                                            across=self.tr("{person} said").format(person=handle),
                                            note=self.tr("items")))

    def _show_truth(self, row: PersonRow) -> None:
        """The same against the truth that the model of Dawid and Skene estimates."""
        able = row.on.competence if row.on is not None else None
        title = self.tr("{person} beside the estimate").format(person=row.report.handle)
        if able is None or able.confusion is None or len(able.classes) > MOST_ANSWERS:
            reason = self.tr("computing") if self._found is not None and not self._found.is_final else (
                able.reason or self.tr("too many different answers for a grid")) if able is not None else \
                self.tr("there are no answers")
            self._model_of_truth.show_plot(None, f"{title}: {reason}.")
            return
        order = self._order(able.classes)
        said = tuple(names.said(self._protocol, self._question.value(), able.classes[n]) for n in order)
        shares = [[able.confusion[n][m] for m in order] for n in order]
        cells = tuple(tuple(Cell(share, framed=n == m, below="", shade=share, words=self.tr(
            "estimated: {truth}, said: {said}: {share} of the row").format(truth=said[n], said=said[m],
                                                                          share=figures.value(share)))
            for m, share in enumerate(line)) for n, line in enumerate(shares))
        self._model_of_truth.show_plot(Grid(
            title, said, said, cells, self.tr("shares of a row"), self.tr("estimated truth"),
            self.tr("{person} said").format(person=row.report.handle), low=0.0, high=1.0))

    def _order(self, classes: Sequence[str]) -> list[int]:
        """The places of the classes in the order in which the question offers them."""
        question = self._question.value()
        options = getattr(self._protocol.question(question), "options", None) if self._protocol.has_question(
            question) else None
        offered = {option.value: n for n, option in enumerate(options or ())}
        return sorted(range(len(classes)), key=lambda n: (
            offered.get(classes[n], len(offered)), _number(classes[n]), n))

    # --- ways to items --------------------------------------------------------------------------------------

    def _row_opened(self, _at: int) -> None:
        """The items on which this person differs from the others' majority."""
        row = self._row()
        if self._beside is not None:
            self._go(self._beside.items())
        elif row is not None:
            self._open_differing(row.report.person)

    def _open_differing(self, person: UUID) -> None:
        if self._found is None:
            return
        question, machines = self._question.value(), self._found.machines
        self.context.jobs.work(
            self, lambda progress, cancelled: read_beside(self.context.store, question, person, machines),
            then=lambda found: self._go(found.items()))

    @Slot(int)
    def _open_compared(self, at: int) -> None:
        if self._found is None:
            return
        question, measure = self._question.value(), self._measure.value()
        report = self._found.rows(question)[at].report
        if measure == "repeats":
            self.context.jobs.read(self, rating_items.repeated_items, report.person, question, then=self._go)
        elif measure in ("gold_checks", "attention"):
            kind = "gold_check" if measure == "gold_checks" else measure
            self.context.jobs.read(self, rating_items.checked_items, report.person, question, kind, then=self._go)
        else:
            self._open_differing(report.person)

    @Slot(int)
    def _open_confusion(self, at: int) -> None:
        if self._beside is not None:
            kept = self._beside.shown(MOST_ANSWERS)
            others, said = divmod(at, max(1, len(kept)))
            self._go(self._beside.items(int(kept[said]), int(kept[others])))

    @Slot(int)
    def _open_truth(self, at: int) -> None:
        """The items to which this person gave the answer of the column: whose truth it is, nobody knows."""
        row = self._row()
        able = row.on.competence if row is not None and row.on is not None else None
        if self._beside is None or able is None or not able.classes:
            return
        said = able.classes[self._order(able.classes)[at % len(able.classes)]]
        if said in self._beside.labels:
            self._go(self._beside.items(self._beside.labels.index(said)))
        else:
            self._go(())

    @Slot(str)
    def _open_second(self, question: str) -> None:
        self.context.jobs.read(self, rating_items.twice_decided, question, then=self._go)


def _number(text: str) -> float:
    """Numbers in their order, before words."""
    try:
        return float(text)
    except ValueError:
        return float("inf")
