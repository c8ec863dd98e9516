"""An item is asked again while its answer is open on the page Work: no answer goes to a text that was not shown."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextEdit
from sqlalchemy import select

from annotation import finding, items, people, stale
from annotation.items import CandidateItem
from annotation.store.tables import Item, ItemVersion, Revision
from tests.desk import ALT, Desk, make

PROTOCOL = """\
id: desk
version: 1
title: A desk
fields: [{name: text, kind: text, label: Text, required: true}]
questions:
  - {name: q, type: choice, text: Which?, options: [{value: red}, {value: blue}]}
  - {name: why, type: text, size: short, text: Why?, required: false}
workflow: {stages: [annotate], people_per_item: 1}
"""


def test_a_changed_answer_to_the_old_text_is_shown_with_the_new_one_before_it_is_kept(qtbot, tmp_path: Path) -> None:
    path = make(tmp_path, PROTOCOL, [{"id": f"i{n}", "text": "old words"} for n in range(3)],
                persons={"ana": ("annotator",)})
    with Desk(qtbot, path, "ana") as desk:
        first = desk.wait_for_item()
        desk.keys("1\n")
        desk.wait_for_revisions(1)
        desk.wait_for_item(other_than=first)
        desk.press(Qt.Key.Key_Left, ALT)
        desk.wait(lambda: desk.item == first)
        with desk.window.opened().store.write() as session:
            owner = people.find(session, "owner").id
            items.upsert(session, [CandidateItem(key=first, folded=first, fields={"text": "new words"})], by=owner)
            stale.ask_again(session, finding.item_of_key(session, first), by=owner)
        desk.keys("2\n")
        desk.wait(lambda: "the text of this item changed" in desk.page.said().lower())
        assert desk.item == first and desk.revisions() == []
        assert any("new words" in one.toPlainText() for one in desk.page.findChildren(QTextEdit) if one.isVisible())
        desk.keys("\n")
        assert desk.wait_for_revisions(1) == [(first, "ana", {"q": {"v": "blue"}})]
        assert desk.read(select(Item.state).where(Item.key == first)) == [("active",)]
        [(fields,)] = desk.read(select(ItemVersion.fields_json).join(Revision, Revision.item_version == ItemVersion.id)
                                .order_by(Revision.id.desc()).limit(1))
        assert fields["text"] == "new words"
