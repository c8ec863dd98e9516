# SPDX-License-Identifier: Apache-2.0
"""Slices: which things carry which tag, and which of these may have a number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.errors import N_
from exports.scorer.metric import Unit

TOO_SMALL = N_("n too small")
COMPLEMENT = N_("held back: a smaller slice could be computed from it")
Slice = tuple[str, str | None, NDArray[np.intp], str | None]


def slices_of(units: Sequence[Unit], least: int, held_out: bool) -> list[Slice]:
    """(field, value, places, why it has no number) for every tag; None for those without a value of that field.

    ``held_out``: where one slice of a field is too small, the next smallest has no number either, since the small one
    would be what is left of the total after all others. Two small ones together are left alone only if their sum is
    not too small.
    """
    tagged = {id(unit.slices): unit.slices or {} for unit in units}  # many units share theirs
    fields = sorted({field for tags in tagged.values() for field in tags})
    found: list[Slice] = []
    for field in fields:
        tags = _tagged(units, field)
        reasons: dict[str | None, str] = {tag: TOO_SMALL for tag, places in tags.items() if len(places) < least}
        if held_out and reasons:
            hidden = sum(len(tags[tag]) for tag in reasons)
            for tag in sorted(tags.keys() - reasons.keys(), key=lambda tag: (len(tags[tag]), tag or "")):
                if hidden >= least and len(reasons) > 1:
                    break
                reasons[tag] = COMPLEMENT
                hidden += len(tags[tag])
        found += [(field, tag, np.asarray(tags[tag], dtype=np.intp), reasons.get(tag))
                  for tag in sorted(tags, key=lambda tag: (tag is None, tag or ""))]
    return found


def _tagged(units: Sequence[Unit], field: str) -> dict[str | None, list[int]]:
    places: dict[str | None, list[int]] = {}
    for place, unit in enumerate(units):
        value = (unit.slices or {}).get(field)
        if isinstance(value, list):
            for one in dict.fromkeys(None if one is None else str(one) for one in value or [None]):
                places.setdefault(one, []).append(place)
        else:
            places.setdefault(None if value is None else str(value), []).append(place)
    return places
