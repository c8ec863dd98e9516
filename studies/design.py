"""The door to designs: from a study and its items to lists, from a list to the plan of one sitting."""

from __future__ import annotations

from collections.abc import Sequence

from studies.design_parts import Assigned, Design, StudyItem, conditions_of, facet_names, matches
from studies.lists import design
from studies.planning import plan_for

__all__ = ["Assigned", "Design", "StudyItem", "conditions_of", "design", "facet_names", "least_filled", "matches",
           "plan_for"]


def least_filled(counts: Sequence[int], open_: Sequence[int]) -> int:
    """The list to give to whoever comes next: the one that the fewest have completed or are sitting for.

    ``counts``: completed sittings of each list, ``open_``: those under way; pilots, aborted, withdrawn and excluded
    sittings are in neither, so that their place is free again. Among equals the one with fewer completed (a
    sitting under way may still be lost), then the first.
    """
    if len(counts) != len(open_) or not counts:
        raise ValueError("counts and open_ have one number for each list")
    return min(range(len(counts)), key=lambda n: (counts[n] + open_[n], counts[n], n))
