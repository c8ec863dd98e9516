"""Options that stand in the item are said once on the work page: by the question's buttons where they are short."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.viewers.candidates import CandidatesViewer
from tests.desk import Desk, make

PICK = """\
id: pick
version: 1
title: Pick
fields: [{name: text, kind: text}, {name: replies, kind: candidates}]
questions: [{name: q, type: choice, text: Which?, options_from: replies}]
workflow: {stages: [annotate], people_per_item: 1}
"""


@pytest.mark.parametrize(("replies", "shown"), [(["no", "yes"], False), (["no", "yes " * 40], True)])
def test_candidates_that_the_buttons_say_whole_are_not_shown_beside_them(qtbot, tmp_path: Path, replies, shown) -> None:
    path = make(tmp_path, PICK, [{"id": "a", "text": "x", "replies": replies}])
    with Desk(qtbot, path, "ana") as desk:
        desk.wait_for_item()
        assert any(viewer.isVisible() for viewer in desk.page.findChildren(CandidatesViewer)) == shown
