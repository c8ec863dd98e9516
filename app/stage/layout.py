"""Layout: one setting for all trials of a sitting, with the same places and sizes of text, and each trial set in it."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from annotation.errors import N_, Refused
from app import theme
from app.stage.choices import Options, Target
from app.stage.flow import Flow, Piece, Sizes, flow
from app.stage.texts import Words, is_right_to_left, least_factor
from app.stage.view import TrialView

Arrangement = Literal["beside", "below"]
SCALES = tuple(0.95**n for n in range(90))  # of pictures: 1 to 0.01
LEAST_PICTURE = 96  # logical pixels of the longer side, where the picture has that many
FAIR = 0.4  # a picture smaller than this part of what it could be alone is worse than smaller text
KEPT = 0.9  # of the text as it is at 100 %: who has it larger does not lose more for the sake of pictures
CLEARLY = 1.1  # times larger: else trials are set alike
_FACTORS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)


@dataclass(frozen=True, slots=True)
class Room:
    """The screen in logical pixels."""

    width: float
    height: float

    def stage(self, foot: bool) -> tuple[float, float]:
        """What may be filled; ``foot``: a line at the bottom is kept for the key that goes on."""
        edge = theme.space("xxl")
        return self.width - 2 * edge, self.height - 2 * edge - (theme.height("option_trial") if foot else 0)


@dataclass(frozen=True, slots=True)
class Setting:
    """Where question, stimulus and options stand, the same for every trial that was settled together."""

    arrangement: Arrangement
    aside: bool  # what is read first stands at the left of the pictures, not above them
    factor: float
    text: float  # how wide a line of text may be
    question: float
    stimulus: tuple[float, float]
    options: tuple[float, float]
    each: float  # how wide one option is, where they stand beside one another


@dataclass(frozen=True, slots=True)
class Layout:
    """``home``: where the pointer begins. All in logical pixels of the screen."""

    pieces: tuple[Piece, ...]
    targets: tuple[Target, ...]
    home: tuple[float, float] | None


@dataclass(slots=True)
class _Try:
    """One trial in one arrangement at one size of text."""

    scale: float
    setting: Setting


def settle(views: Sequence[tuple[TrialView, Sizes]], room: Room) -> Setting:
    """The setting in which all fit: pictures give way first, then lines grow longer, then text smaller.

    Raises Refused (``does_not_fit``) naming the first item that fits in no way.
    """
    steps = settling(views, room)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def settling(views: Sequence[tuple[TrialView, Sizes]], room: Room) -> Generator[None, None, Setting]:
    """``settle`` in small steps, for a window that is not to stand still meanwhile."""
    foot = any(view.goes_on for view, _ in views)
    least = least_factor()
    pictured = sum(bool(view.pictures) for view, _ in views) * 2 >= len(views)
    order: tuple[Arrangement, ...] = ("beside", "below") if pictured else ("below", "beside")
    for fair in (FAIR, 0.0):
        for factor in _down_to(max(least, KEPT / theme.scale()) if fair and theme.scale() > 1 else least):
            for full_width in (False, True):
                found: list[tuple[float, list[_Try]]] = []
                for arrangement, aside in ((one, aside) for aside in ((False,) if full_width or not pictured else
                                                                      (False, True)) for one in order):
                    tries: list[_Try] = []
                    for view, sizes in views:
                        one = _fit(view, sizes, room, arrangement, factor, full_width, foot, fair, aside)
                        yield
                        if one is None:
                            break
                        tries.append(one)
                    else:
                        found.append((len(tries) / sum(1 / one.scale for one in tries), tries))
                        if min(one.scale for one in tries) >= 1:
                            break  # it cannot be better
                if found:
                    return _common(max(found, key=lambda one: round(one[0], 2))[1])  # small pictures weigh most
    for view, sizes in views:
        if not any(_fit(view, sizes, room, arrangement, least, True, foot, 0.0) for arrangement in order):
            raise Refused(N_("'{item}' does not fit on this screen ({width} × {height}), even in the smallest text; "
                             "show fewer fields, or shorter ones"), code="does_not_fit", item=view.item,
                          width=round(room.width), height=round(room.height))
    # Each fits, but not all in one arrangement: the first that needs the other one is named.
    arrangement = order[0]
    view = next(view for view, sizes in views if not _fit(view, sizes, room, arrangement, least, True, foot, 0.0))
    raise Refused(N_("'{item}' does not fit on this screen ({width} × {height}) where the others do; give it a study "
                     "of its own"), code="does_not_fit", item=view.item, width=round(room.width),
                  height=round(room.height))


def _down_to(least: float) -> list[float]:
    return [*(factor for factor in _FACTORS if factor > least), least]


def _common(tries: list[_Try]) -> Setting:
    """Room for the largest of each."""
    settings = [one.setting for one in tries]
    return replace(settings[0], question=max(one.question for one in settings),
                   stimulus=(max(one.stimulus[0] for one in settings), max(one.stimulus[1] for one in settings)),
                   options=(max(one.options[0] for one in settings), max(one.options[1] for one in settings)),
                   text=max(one.text for one in settings), each=max(one.each for one in settings))


def _fit(view: TrialView, sizes: Sizes, room: Room, arrangement: Arrangement, factor: float, full_width: bool,
         foot: bool, fair: float, aside: bool = False) -> _Try | None:
    wide, tall = room.stage(foot)
    question = Words(view.question, "display", factor)
    if not question.fits_words(min(wide, theme.wide(900))):
        return None
    above = question.height_at(min(wide, theme.wide(900)))
    options = Options(view.options, factor)
    beside = arrangement == "beside"
    across = 0.5 * wide if beside and view.pointer else 0.4 * wide if beside else wide
    each = options.each(across, pointer=view.pointer)
    placed = options.place(each, across, pointer=view.pointer, column=beside)
    if placed is None:
        return None
    left = wide - placed.width - _gap() if beside else wide
    height = tall - above - _under() - (0 if beside or not view.options else placed.height + _under())
    if left <= 0 or height <= 0 or placed.height > (tall - above - _under() if beside else tall):
        return None
    text = left if full_width else min(left, theme.size("reading_column") * max(1.0, theme.scale()) * factor)
    made = flow(view.parts, sizes, factor, text, aside=aside)
    made, scale = best(made, left, height)
    if scale is None or (made.cells and not _is_fair(view, sizes, made, scale, fair, wide, tall)):
        return None
    used, high, _ = made.place(left, scale)
    setting = Setting(arrangement, aside, factor, text, above, (math.ceil(used), math.ceil(high)),
                      (math.ceil(placed.width), math.ceil(placed.height)), each)
    return _Try(scale, setting)


def _is_fair(view: TrialView, sizes: Sizes, made: Flow, scale: float, fair: float, wide: float, tall: float) -> bool:
    if made.smallest(scale) < min(LEAST_PICTURE, made.smallest(1.0)):
        return False
    pictures = tuple(part for part in view.parts if part.kind in ("image", "images"))
    alone = best_scale(flow(pictures, sizes, made.factor, wide), wide, tall) if fair and pictures else 1.0
    return scale >= fair * min(1.0, alone or 1.0)


def best(made: Flow, width: float, height: float) -> tuple[Flow, float | None]:
    """The way to set it in which pictures are clearly larger, and their scale."""
    found, scale = made, best_scale(made, width, height)
    for other in made.ways[1:]:
        larger = best_scale(other, width, height)
        if larger is not None and larger > CLEARLY * (scale or 0.0):
            found, scale = other, larger
    return found, scale


def best_scale(made: Flow, width: float, height: float) -> float | None:
    """The largest scale of the pictures at which the flow fits; None where it does at none."""
    grown = [min(theme.scale(), 2.0)] if theme.scale() > 1 else []
    scales = (*grown, *SCALES) if made.cells else (1.0,)

    def fits(scale: float) -> bool:
        wide, tall, _ = made.place(width, scale)
        return wide <= width + 0.5 and tall <= height + 0.5

    low, high = 0, len(scales) - 1
    if not fits(scales[high]):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(scales[middle]) else (middle + 1, high)
    return scales[low]


def _gap() -> int:
    """Between the stimulus and the options beside it."""
    return theme.space("xxl") + theme.space("s")


def _under() -> int:
    return theme.space("xl")


def place(view: TrialView, sizes: Sizes, room: Room, setting: Setting) -> Layout:
    """The trial in its setting; mirrored where the question is written from right to left."""
    beside = setting.arrangement == "beside"
    options = Options(view.options, setting.factor)
    question = Words(view.question, "display", setting.factor)
    wide, _ = room.stage(bool(view.goes_on))
    across = min(wide, theme.wide(900))
    stimulus = setting.stimulus
    total = stimulus[0] + _gap() + setting.options[0] if beside else max(stimulus[0], setting.options[0])
    total = max(total, min(across, question.natural_width()) if not view.parts else 0)
    high = max(stimulus[1], setting.options[1]) if beside else stimulus[1] + _under() + setting.options[1]
    x = round((room.width - total) / 2)
    y = round(max(theme.space("xxl"), (room.height - setting.question - _under() - high) / 2))
    asked = min(across, room.width - theme.space("xxl") - x)
    if question.height_at(asked) > setting.question:  # a long question over a narrow stimulus begins further left
        asked = across
    left = min(x, room.width - theme.space("xxl") - asked)
    pieces = [Piece("question", left, y, asked, question.height_at(asked), words=question)]
    top = y + setting.question + _under()
    made = flow(view.parts, sizes, setting.factor, setting.text, aside=setting.aside)
    made, scale = best(made, stimulus[0] + 1, stimulus[1] + 1)
    pieces += [piece.moved(x, top) for piece in made.place(stimulus[0] + 1, scale or SCALES[-1])[2]]
    placed = options.place(setting.each, setting.options[0] + 1, pointer=view.pointer, column=beside)
    assert placed is not None  # it was settled so
    if beside:
        placed = placed.moved(x + stimulus[0] + _gap(), top + (max(stimulus[1], setting.options[1])
                                                               - setting.options[1]) / 2)
    else:
        placed = placed.moved(x, top + stimulus[1] + _under())
    pieces += placed.pieces
    targets, home = placed.targets, placed.home
    if is_right_to_left(view.question):
        pieces = [replace(piece, x=room.width - piece.x - piece.width) for piece in pieces]
        targets = [replace(target, x=room.width - target.x - target.width) for target in targets]
        home = (room.width - home[0], home[1]) if home else None
    return Layout(tuple(pieces), tuple(targets), home)
