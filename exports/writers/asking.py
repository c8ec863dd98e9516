"""What a model is shown for one gold answer: the protocol's ``model`` part, or else what people saw."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.derive import chosen_from, group_field
from annotation.protocol import Protocol
from annotation.questions import NumberQuestion
from annotation.questions.base import number_text
from annotation.questions.pairwise import TIES
from exports.writers.columns import ELEMENTS, picture_path
from exports.writers.source import Row

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
Part = tuple[str, str]  # ("text", words) or ("image", path in the bundle)


def parts(protocol: Protocol, item: Row, question: str, element: str | None, options: Sequence[str], *,
          kind: str) -> list[Part]:
    """Texts and pictures in the order in which they are shown; ``options`` are texts in their shown order.

    ``kind``: choice, choices, number or pairs. Neighbouring texts are one part.
    """
    asking = _Asking(protocol, item, question, element, options, kind)
    return list(_joined(asking.by_model() if protocol.model is not None else asking.as_people_saw()))


def not_shown(protocol: Protocol) -> tuple[str, ...]:
    """Public fields that the prompt of ``model`` does not place; a model never sees these."""
    if protocol.model is None:
        return ()
    placed = {*_PLACE.findall(protocol.model.prompt + protocol.model.system), *protocol.model.media_order}
    return tuple(field.name for field in protocol.fields if not field.private and field.name not in placed)


class _Asking:
    def __init__(self, protocol: Protocol, item: Row, question: str, element: str | None, options: Sequence[str],
                 kind: str) -> None:
        self.protocol, self.item, self.question, self.element = protocol, item, question, element
        self.options, self.kind = options, kind
        self.fields: Mapping[str, Any] = item["fields"]
        self.compared = chosen_from(protocol, question)
        self.group = group_field(protocol, question) if element is not None else None

    def by_model(self) -> Iterator[Part]:
        model = self.protocol.model
        assert model is not None
        placed = set(_PLACE.findall(model.prompt))
        yield "text", _PLACE.sub(self._placed, model.prompt).rstrip()
        for name in model.media_order:
            yield from self._field(name)
        if self.compared is not None and self.compared not in {*placed, *model.media_order} and self.kind == "pairs":
            yield from self._field(self.compared)
        if self.group is not None:
            yield from self._one_element()
        if "options" not in placed and self.kind in ("choice", "choices"):
            yield from self._options()

    def as_people_saw(self) -> Iterator[Part]:
        for field in self.protocol.fields:
            listed = field.name == self.compared and self.kind in ("choice", "choices") and self._only_texts(field.name)
            if not field.private and field.name in self.fields and not listed:
                yield "text", f"{field.label}:"
                yield from self._field(field.name)
        if self.group is not None:
            yield from self._one_element()
        has_text = self.protocol.has_question(self.question)
        yield "text", self.protocol.question(self.question).text if has_text else self.question
        yield from self._options()

    def _options(self) -> Iterator[Part]:
        if self.kind in ("choice", "choices"):
            yield "text", self._listed()
            yield "text", ("Reply with the letter alone." if self.kind == "choice" else
                           "Reply with the letters alone, as A, C; with none if none applies.")
        elif self.kind == "pairs":
            ties = [one for one in self.item["choices"].get(self.question, ()) if one["id"] in TIES]
            letters = ", ".join(LETTERS[:len(self.options)])
            yield "text", f"Reply with {letters}{' or tie' if ties else ''} alone."
        else:
            number = self.protocol.question(self.question) if self.protocol.has_question(self.question) else None
            unit = number.unit if isinstance(number, NumberQuestion) else ""
            yield "text", f"Reply with the number alone{f', in {unit}' if unit else ''}."

    def _listed(self) -> str:
        form = self.protocol.model.option_format if self.protocol.model is not None else "{letter}. {text}"
        return "\n".join(form.replace("{letter}", LETTERS[n]).replace("{text}", text)
                         for n, text in enumerate(self.options))

    def _placed(self, found: re.Match[str]) -> str:
        name = found[1]
        if name == "options" and not self.protocol.has_field(name):
            return self._listed()
        if not self.protocol.has_field(name):
            return found[0]
        return "\n\n".join(words for kind, words in self._field(name) if kind == "text")

    def _field(self, name: str) -> Iterator[Part]:
        value = self.fields.get(name)
        if value is None:
            return
        kind = self.protocol.field(name).kind
        if kind == "image":
            yield "image", picture_path(self.item, name, value)
        elif kind in ELEMENTS:
            for n, element in enumerate(value):
                yield from self._element(name, kind, n, element)
        else:
            yield "text", number_text(value)

    def _element(self, name: str, kind: str, n: int, element: Row) -> Iterator[Part]:
        last = ELEMENTS[kind][-1]
        label = f"{LETTERS[n]}:" if kind == "candidates" and n < len(LETTERS) else f"{element.get('name') or n + 1}:"
        words = element.get("text") if kind != "images" else None
        yield "text", f"{label} {words}" if words else label
        if element.get(last):
            yield "image", picture_path(self.item, name, element[last])

    def _one_element(self) -> Iterator[Part]:
        assert self.group is not None
        listed = list(self.fields.get(self.group) or ())
        for n, element in enumerate(listed):
            if element["id"] == self.element:
                yield "text", "This is about:"
                yield from self._element(self.group, self.protocol.field(self.group).kind, n, element)

    def _only_texts(self, name: str) -> bool:
        return all(not one.get("image") and not one.get("figure") for one in self.fields.get(name) or ())


def _joined(found: Iterator[Part]) -> Iterator[Part]:
    words: list[str] = []
    for kind, value in found:
        if kind == "text":
            words.append(value)
            continue
        if words:
            yield "text", "\n\n".join(words)
            words = []
        yield kind, value
    if words:
        yield "text", "\n\n".join(words)
