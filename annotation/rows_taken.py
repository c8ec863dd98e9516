"""Counts the rows of a file of answers or decisions that were taken and refused, and refuses it where none was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from annotation.answer_rows import Group
from annotation.errors import N_, Refused, Where
from annotation.reading.record import Record
from annotation.refused_rows import RefusedFile
from annotation.shaping import RefusedRow

REPORTED = 100


@dataclass(slots=True)
class Tally:
    """``revisions`` counts what was made of the accepted rows."""

    target: RefusedFile
    file: str
    columns: tuple[str, ...]
    rows: int = 0
    accepted: int = 0
    refused: int = 0
    revisions: int = 0
    refusals: list[dict[str, Any]] = field(default_factory=list)

    def refuse(self, row: Record, fault: Refused, *, item: str | None) -> None:
        """Count one refused row; every row of a group gets a refusal of its own, with its own place."""
        where = fault.where
        column = self.columns.index(where.key) + 1 if where.key in self.columns else row.column
        copy = Refused(fault.template, code=fault.code, **fault.values)
        said = RefusedRow(copy.at(file=self.file, line=row.line, column=column, key=where.key, value=where.value,
                                  item=item), row).as_json()
        self.refused += 1
        if len(self.refusals) < REPORTED:
            self.refusals.append(said)
        self.target.add(said, row.value)

    def refuse_all(self, group: Group) -> None:
        """Every row of a group that was refused; the row at fault comes first."""
        assert group.fault is not None
        for row in sorted(group.rows, key=lambda row: row is not group.at_row):
            if row is group.at_row or group.at_row is None:
                self.refuse(row, group.fault, item=group.item)
            else:
                self.refuse(row, Refused(N_("refused with line {line}: {why}"), code=group.fault.code,
                                         line=group.at_row.line, why=str(group.fault)), item=group.item)

    def settle(self, *, strict: bool) -> None:
        """Refused where nothing is accepted, or (``strict``) a row is refused."""
        if self.accepted and not (strict and self.refused):
            return
        if not self.rows:
            raise Refused(N_("'{file}' holds no answers"), code="bad_value", file=self.file,
                          where=Where(file=self.file))
        first = self.refusals[0]
        where = Where(**{name: first[name] for name in ("file", "line", "column", "key", "value", "item")})
        raise Refused(
            N_("{refused} of {rows} rows are refused (strict). The first: {first}") if self.accepted
            else N_("none of the {rows} rows can be taken. The first: {first}"),
            code=first["code"], where=where, refused=self.refused, rows=self.rows, first=first["message"])
