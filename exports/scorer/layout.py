# SPDX-License-Identifier: Apache-2.0
"""A report as tables of texts: what Markdown, LaTeX and HTML write in their own ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exports.scorer.slices import TOO_SMALL


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table; the columns whose numbers are in ``right`` are set flush right."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    @property
    def right(self) -> frozenset[int]:
        words = {"value", "95 % interval", "n", "missing", "refused", "unparsable", "difference", "p", "p (Holm)",
                 "gap", "before", "after", "change", "mean", "sd", "rank before", "rank after", "coverage", "left out",
                 "people's value", "change on common"}
        return frozenset(place for place, name in enumerate(self.head) if name in words)


def headline(report: Mapping[str, Any]) -> str:
    """One line: which gold, which scorer, how drawn."""
    settings = report.get("settings", {})
    drawn = (f", {settings['replicates']} draws, seed {settings['seed']}, answers read by "
             f"{' then '.join(settings['extract'])}") if settings else ""
    return f"{report['bundle']}  (manifest {report['manifest_sha256'][:12]}, scorer {report['scorer_version']}{drawn})"


def sheets(report: Mapping[str, Any]) -> list[Sheet]:
    """Every table that has rows; the scores always."""
    made = [_scores(report), _runs(report), _people(report), _comparisons(report), _gaps(report), _shelf_life(report),
            *_agreed(report), _against(report), _slices(report)]
    return [made[0], *(sheet for sheet in made[1:] if sheet.rows)]


def figure(value: float | None) -> str:
    return "undefined" if value is None else f"{round(value, 3) + 0.0:.3f}"  # no minus before a zero


def interval(ci: Sequence[float] | None) -> str:
    return "" if ci is None else f"{figure(ci[0])} to {figure(ci[1])}"


def p_value(p: float | None) -> str:
    return "" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def _each(report: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    for system in report["systems"]:
        for one in system["metrics"]:
            yield system, one


def _scores(report: Mapping[str, Any]) -> Sheet:
    rows = tuple((system["system"], one["metric"], one["question"] or "", figure(one["value"]), interval(one["ci"]),
                  str(one["n"]), str(one["missing"]), str(one["refused"]), str(one["unparsable"]), _parts(one))
                 for system, one in _each(report))
    return Sheet("Scores", ("system", "metric", "question", "value", "95 % interval", "n", "missing", "refused",
                            "unparsable", "parts"), rows)


def _parts(one: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {part if isinstance(part, int) else figure(part)}"
                     for name, part in one["parts"].items() if part != one["value"] or name != one["metric"])


def _runs(report: Mapping[str, Any]) -> Sheet:
    rows = []
    for system, one in _each(report):
        runs = one.get("runs")
        if runs:
            tries = ", ".join(f"any of {k} {figure(value)}, all of {k} {figure(runs['all_of_k'][k])}"
                              for k, value in (runs["any_of_k"] or {}).items() if k != "1")
            rows.append((system["system"], one["metric"], one["question"] or "", str(runs["n"]), figure(runs["mean"]),
                         "" if runs["sd"] is None else figure(runs["sd"]),
                         ", ".join(figure(run["value"]) for run in runs["values"]), tries))
    return Sheet("Runs", ("system", "metric", "question", "n", "mean", "sd", "each run", "several tries"), tuple(rows))


def _people(report: Mapping[str, Any]) -> Sheet:
    rows = []
    for system, one in _each(report):
        if "coverage" in one:
            persons = ", ".join(f"{person['rater']} {figure(person['value'])} ({person['n']})"
                                for person in one.get("people", ()))
            rows.append((system["system"], one["metric"], one["question"] or "", figure(one["value"]),
                         interval(one["ci"]), str(one["n"]), figure(one["coverage"]), persons or one.get("rater", "")))
    return Sheet("People", ("system", "metric", "question", "value", "95 % interval", "n", "coverage", "persons"),
                 tuple(rows), "Each person counts with what he or she answered; coverage is the share of all items "
                              "that anybody answered. The best person was chosen after the fact.")


def _comparisons(report: Mapping[str, Any]) -> Sheet:
    rows = tuple((f"{one['first']} - {one['second']}", one["metric"], one["question"] or "", str(one["n"]),
                  str(one["left_out"]), figure(one["difference"]), interval(one["ci"]), p_value(one["p"]),
                  p_value(one["p_holm"]), _counts(one["mcnemar"]), one["finding"])
                 for one in report.get("comparisons", ()))
    return Sheet("Comparisons", ("systems", "metric", "question", "n", "left out", "difference", "95 % interval", "p",
                                 "p (Holm)", "right alone", "finding"), rows,
                 "Over the items that both answered; \"right alone\" counts where only the first and only the second "
                 "is right.")


def _counts(table: Mapping[str, Any] | None) -> str:
    return "" if table is None else f"{table['first_only']} : {table['second_only']}"


def _gaps(report: Mapping[str, Any]) -> Sheet:
    rows = tuple((one["system"], one["people"], one["metric"], one["question"] or "", str(one["n"]),
                  figure(one["system_value"]), figure(one["people_value"]), figure(one["gap"]), interval(one["ci"]))
                 for one in report.get("gaps", ()))
    return Sheet("Gap to people", ("system", "people", "metric", "question", "n", "value", "people's value", "gap",
                                   "95 % interval"), rows, "Over the items that both answered.")


def _shelf_life(report: Mapping[str, Any]) -> Sheet:
    found = report.get("shelf_life") or {"differences": {}}
    rows = tuple((name.replace("_", " "), figure(value)) for name, value in found["differences"].items())
    return Sheet("Shelf life of judges", ("difference", "value"), rows)


def _agreed(report: Mapping[str, Any]) -> Iterator[Sheet]:
    for one in report.get("agreed", ()):
        rows = tuple((system["system"], figure(system["value"]) if system["ci_reason"] != "n too small"
                      else "n too small", interval(system["ci"]), str(system["n"])) for system in one["systems"])
        what = " ".join(filter(None, (one["metric"], one["question"])))
        yield Sheet(
            f"{what}, where at least {one['least']} of {one['of']} agreed",
            ("system", "value", "95 % interval", "n"), rows,
            f"{one['n']} of {one['n'] + one['left_out']} items; a person gives gold's answer there with "
            f"{figure(one['ceiling'])}.")


def _against(report: Mapping[str, Any]) -> Sheet:
    found = report.get("against")
    if not found:
        return Sheet("", (), ())
    rows = tuple((one["system"], one["metric"], one["question"] or "", figure(one["before"]), figure(one["after"]),
                  figure(one["change"]), str(one["rank_before"] or ""), str(one["rank_after"] or ""),
                  figure(one["common_change"]), interval(one["ci"])) for one in found["systems"])
    gold = found["gold"]
    return Sheet(f"Against {found['bundle']}", ("system", "metric", "question", "before", "after", "change",
                                                "rank before", "rank after", "change on common", "95 % interval"), rows,
                 f"{gold['common']} gold values in both, {gold['changed']} of these changed; {gold['only_there']} only "
                 f"before, {gold['only_here']} only after. The interval is that of the change on common items.")


def _slices(report: Mapping[str, Any]) -> Sheet:
    """A slice that is too small for a number is one row for all systems in which it is."""
    rows: list[tuple[str, ...]] = []
    small: dict[tuple[str, ...], list[str]] = {}
    having = Counter[tuple[str, ...]]()
    for system in report["systems"]:
        for one in system["slices"]:
            what = (one["metric"], one["question"] or "", f"{one['field']} = {_tag(one['value'])}")
            having[what] += 1
            if one["reason"] == TOO_SMALL:
                small.setdefault((*what, str(one["n"])), []).append(system["system"])
            else:
                rows.append((system["system"], *what, one["reason"] or figure(one["value_of"]), interval(one["ci"]),
                             str(one["n"])))
    for (*some, n), names in small.items():
        every = len(names) > 1 and len(names) == having[tuple(some)]
        rows.append(("every system" if every else ", ".join(names), *some, TOO_SMALL, "", n))
    return Sheet("Slices", ("system", "metric", "question", "slice", "value", "95 % interval", "n"), tuple(rows))


def _tag(value: str | None) -> str:
    return "(none)" if value is None else value
