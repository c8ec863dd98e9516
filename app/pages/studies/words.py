"""How the page Studies says things: states, what one person sees, findings."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app import figures
from app.i18n import QT_TRANSLATE_NOOP
from app.pages.studies.reading import Drawn
from app.words import minutes
from studies.model import Study
from studies.registering import Deviation
from studies.sittings import Counts
from studies.summaries import Cell, Compared, Estimate

STATES = {
    "open": QT_TRANSLATE_NOOP("studies", "under way"), "completed": QT_TRANSLATE_NOOP("studies", "completed"),
    "aborted": QT_TRANSLATE_NOOP("studies", "broken off"), "withdrawn": QT_TRANSLATE_NOOP("studies", "withdrawn"),
    "excluded": QT_TRANSLATE_NOOP("studies", "excluded"),
}
# Why nobody goes on with a sitting that has ended, by its state.
ENDED = {
    "completed": QT_TRANSLATE_NOOP("studies", "This sitting is complete: nothing of it is left to go on with."),
    "aborted": QT_TRANSLATE_NOOP(
        "studies", "This sitting was broken off, and that is final: its place in the list is free for somebody else. "
        "What was answered is kept. Only a sitting that was interrupted, and is still under way, goes on."),
    "excluded": QT_TRANSLATE_NOOP(
        "studies", "This sitting is excluded: its place in the list is free for somebody else, so it does not go on."),
    "withdrawn": QT_TRANSLATE_NOOP(
        "studies", "This sitting is withdrawn: the person does not want to take part any more, so it does not go on."),
}
FLAGS = {
    "resumed": QT_TRANSLATE_NOOP("studies", "gone on with"),
    "focus_lost": QT_TRANSLATE_NOOP("studies", "window lost the keyboard"),
    "minimised": QT_TRANSLATE_NOOP("studies", "minimised"),
    "full_screen_left": QT_TRANSLATE_NOOP("studies", "full screen left"),
    "screen_changed": QT_TRANSLATE_NOOP("studies", "screen changed"),
    "scale_changed": QT_TRANSLATE_NOOP("studies", "scale changed"),
    "suspended": QT_TRANSLATE_NOOP("studies", "machine slept"),
    "clock_jump": QT_TRANSLATE_NOOP("studies", "clock was set"),
    "not_synchronised": QT_TRANSLATE_NOOP("studies", "display not synchronised"),
    "unstable": QT_TRANSLATE_NOOP("studies", "display unstable"),
}
FORMATS = {
    "csv": QT_TRANSLATE_NOOP("studies", "CSV with a dictionary"), "bids": "BIDS", "psych-ds": "Psych-DS",
    "predictions": QT_TRANSLATE_NOOP("studies", "Predictions for the scorer"),
}
A_TRIAL_S = 15.0  # a guess where a study has no deadline, said as "about"


def _tr(text: str) -> str:
    return QCoreApplication.translate("studies", text)


def state(name: str) -> str:
    return _tr(STATES.get(name, name))


def cannot_go_on(name: str) -> str:
    """Why a sitting in this state does not go on; "" where it can."""
    return _tr(ENDED[name]) if name in ENDED else ""


def format(name: str) -> str:
    return _tr(FORMATS.get(name, name))


def flag(name: str) -> str:
    return _tr(FLAGS.get(name, name.replace("_", " ")))


def progress(counts: Counts) -> str:
    said = _tr("{done} of {wanted} completed").format(done=counts.completed, wanted=counts.wanted)
    more = [(counts.open, _tr("{n} under way")), (counts.aborted, _tr("{n} broken off")),
            (counts.excluded, _tr("{n} excluded")), (counts.withdrawn, _tr("{n} withdrawn")),
            (counts.pilots, _tr("{n} pilots") if counts.pilots != 1 else _tr("1 pilot"))]
    return ", ".join([said, *(words.format(n=n) for n, words in more if n)])


def drawn_rows(study: Study, drawn: Drawn) -> list[tuple[str, str]]:
    """(what, how much) of one sitting, for the column beside the text."""
    plan = drawn.plan
    if plan is None:
        return []
    main = [trial for _, _, trial in plan.each() if trial.kind == "main"]
    by_condition = {one.name: sum(trial.condition == one.name for trial in main) for one in study.conditions}
    practice = sum(trial.kind == "practice" for _, _, trial in plan.each())
    attention = sum(trial.kind == "attention" for _, _, trial in plan.each())
    rows = [(_tr("Trials in earnest"), figures.count(len(main)))]
    rows += [(f"· {name}", figures.count(n)) for name, n in by_condition.items()]
    if practice:
        rows.append((_tr("Practice"), figures.count(practice)))
    if attention:
        rows.append((_tr("Attention checks"), figures.count(attention)))
    unknown = sum(trial.correct is None for trial in main)
    if study.correct is not None and unknown:
        rows.append((_tr("Without a right answer"), figures.count(unknown)))
    rows += [(_tr("Blocks"), figures.count(sum(block.kind == "main" for block in plan.blocks))),
             (_tr("Lists"), figures.count(drawn.lists)), (_tr("Items"), figures.count(drawn.items)),
             (_tr("About"), minutes(_seconds(study, drawn) / 60))]
    return rows


def _seconds(study: Study, drawn: Drawn) -> float:
    assert drawn.plan is not None
    each = min(study.trial.deadline or A_TRIAL_S, A_TRIAL_S)
    return sum(each + (trial.fixation_us + trial.gap_us) / 1e6 for _, _, trial in drawn.plan.each())


def deviation(one: Deviation) -> str:
    """How a study was carried out otherwise than it was registered, as a sentence."""
    text = str(one)
    return f"{text[:1].upper()}{text[1:]}."


# --- results --------------------------------------------------------------------------------------------------

def share(one: Estimate) -> str:
    """"94 % (88 to 97 %)"."""
    if one.value is None:
        return figures.NONE
    said = f"{100 * one.value:.1f} %"
    return said if one.low is None or one.high is None else _tr("{value} ({low} to {high})").format(
        value=said, low=f"{100 * one.low:.1f}", high=f"{100 * one.high:.1f}")


def seconds(one: Estimate) -> str:
    if one.value is None:
        return figures.NONE
    said = _tr("{s} s").format(s=f"{one.value:.2f}")
    return said if one.low is None or one.high is None else _tr("{value} ({low} to {high})").format(
        value=said, low=f"{one.low:.2f}", high=f"{one.high:.2f}")


def of_n(one: Estimate) -> str:
    """"of 12 answers"."""
    return _tr("of 1 answer") if one.n == 1 else _tr("of {n} answers").format(n=figures.count(one.n))


def made_of(one: Estimate) -> str:
    """How many answers a figure is of, and why it has no interval or no value."""
    said = "" if one.value is None else of_n(one)
    return "; ".join(part for part in (said, one.why) if part)


def finding(study: Study, one: Compared, people: int) -> str:
    """The comparison as one sentence."""
    first, second = label(study, one.first), label(study, one.second)
    if one.ratio.value is None:
        return _tr("{second} and {first} cannot be compared: {why}.").format(first=first, second=second,
                                                                            why=one.ratio.why)
    faster = one.ratio.value < 1
    change = abs(1 - one.ratio.value) * 100
    said = (_tr("In “{second}” people were {n} % faster than in “{first}”") if faster else
            _tr("In “{second}” people were {n} % slower than in “{first}”")).format(
                second=second, first=first, n=f"{change:.0f}")
    if one.ratio.low is None or one.ratio.high is None:
        return f"{said}. {_tr('There is no interval')}: {one.ratio.why}."
    said += _tr(": the ratio of times is {value}, 95 % {low} to {high}").format(
        value=f"{one.ratio.value:.2f}", low=f"{one.ratio.low:.2f}", high=f"{one.ratio.high:.2f}")
    if one.seconds.value is not None and one.seconds.low is not None and one.seconds.high is not None:
        ends = sorted((abs(one.seconds.low), abs(one.seconds.high)))
        if one.seconds.low * one.seconds.high > 0:
            said += (_tr("; {s} s less, {low} to {high}") if faster else _tr("; {s} s more, {low} to {high}")).format(
                s=f"{abs(one.seconds.value):.1f}", low=f"{ends[0]:.1f}", high=f"{ends[1]:.1f}")
    if one.ratio.low <= 1 <= one.ratio.high:
        said += _tr("; the interval holds 1, so this may be chance")
    return said + "."


def label(study: Study, condition: str) -> str:
    return study.condition(condition).label or condition


def cell_note(cell: Cell) -> str:
    parts = []
    if cell.timeouts:
        parts.append(_tr("{n} out of time").format(n=cell.timeouts))
    if cell.left_out:
        parts.append(_tr("{n} left out by the rule").format(n=cell.left_out))
    return ", ".join(parts)
