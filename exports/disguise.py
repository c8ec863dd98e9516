"""One item as the public sees it: candidates under drawn ids in a drawn order, media by hash, private fields gone."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.answers import Answer
from annotation.derive import chosen_from, group_field
from annotation.protocol import Protocol
from annotation.questions.number import NumberQuestion
from annotation.questions.scale import ScaleQuestion

MEDIA = "public/media"
ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif", "image/tiff": "tif",
           "image/bmp": "bmp"}


@dataclass(frozen=True, slots=True)
class Disguise:
    """``ids``: per candidates field, the element's own id -> its public id, in public order."""

    ids: Mapping[str, Mapping[str, str]]

    @property
    def candidates(self) -> list[str]:
        """The public ids of all candidates, in public order."""
        return [public for names in self.ids.values() for public in names.values()]


def disguise(protocol: Protocol, fields: Mapping[str, Any], *, salt: str, public_id: str) -> Disguise:
    """Ids and order drawn from the release's salt: the same for every export of it, new in the next release."""
    ids = {}
    for field in protocol.fields:
        value = fields.get(field.name)
        if field.kind == "candidates" and not field.private and isinstance(value, (list, tuple)):
            own = [str(element["id"]) for element in value]
            order = sorted(own, key=lambda name: _draw(salt, "order", public_id, field.name, name))
            ids[field.name] = {name: "x" + _draw(salt, "id", public_id, field.name, name)[:12] for name in order}
    return Disguise(ids)


def _draw(salt: str, *parts: str) -> str:
    return hmac.new(salt.encode(), "\x1f".join(parts).encode(), hashlib.sha256).hexdigest()


def media_path(sha256: str, mime: str) -> str:
    return f"{MEDIA}/{sha256}.{ENDINGS.get(mime, 'bin')}"


def public_fields(protocol: Protocol, fields: Mapping[str, Any], found: Disguise,
                  media: Mapping[tuple[str, str], Mapping[str, Any]]) -> dict[str, Any]:
    """The fields that may leave; ``media``: (field, element) -> {sha256, path}, the path in the bundle or None.

    The names under which pictures came in are dropped: they may tell the source.
    """
    shown: dict[str, Any] = {}
    for field in protocol.fields:
        if field.private or field.name not in fields:
            continue
        value = fields[field.name]
        if field.name in found.ids:
            by_id = {str(element["id"]): element for element in value}
            shown[field.name] = [{**_plain(by_id[own], field.name, media), "id": public}
                                 for own, public in found.ids[field.name].items()]
        elif isinstance(value, (list, tuple)):
            shown[field.name] = [_plain(element, field.name, media) for element in value]
        elif _is_media(value):
            shown[field.name] = media.get((field.name, ""), {"sha256": None, "path": None})
        else:
            shown[field.name] = value
    return shown


def _plain(element: Any, field: str, media: Mapping[tuple[str, str], Mapping[str, Any]]) -> Any:
    if not isinstance(element, Mapping):
        return element
    place = (field, str(element.get("id", "")))
    return {key: media.get(place, {"sha256": None, "path": None}) if _is_media(value) else value
            for key, value in element.items()}


def _is_media(value: Any) -> bool:
    return isinstance(value, Mapping) and "sha256" in value and "path" in value


def public_element(protocol: Protocol, name: str, element: str | None, found: Disguise) -> str | None:
    """The id of an element as the public sees it."""
    field = group_field(protocol, name) if element is not None else None
    return element if field is None or element is None else found.ids.get(field, {}).get(element, element)


def public_answer(protocol: Protocol, name: str, answer: Answer, found: Disguise) -> dict[str, Any]:
    """An answer whose value names public ids."""
    names = found.ids.get(chosen_from(protocol, name) or "", {})
    return {key: _renamed(value, names) if key == "v" else value for key, value in answer.items()}


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    return [_renamed(one, names) for one in value] if isinstance(value, list) else value


def shown_order(protocol: Protocol, name: str, order: Mapping[str, Any] | None, found: Disguise) -> list[str] | None:
    """In which order a person saw the options or candidates of ``name``, where it was shuffled."""
    field = chosen_from(protocol, name) or group_field(protocol, name) or ""
    shown = (order or {}).get("options", {}).get(name) or (order or {}).get("candidates", {}).get(field)
    names = found.ids.get(field, {})
    return None if shown is None else [names.get(one, one) for one in shown]


def choices(protocol: Protocol, shown: Mapping[str, Any]) -> dict[str, list[dict[str, str]]]:
    """What can be answered: the options of each question with a closed list, in declared (or public) order.

    ``shown``: the item's public fields, so that candidates stand under their public ids. Numbers have no list.
    """
    listed: dict[str, list[dict[str, str]]] = {}
    for question in protocol.asked:
        options = () if isinstance(question, (ScaleQuestion, NumberQuestion)) else question.options_for(shown)
        if options:
            listed[question.name] = [{"id": option.value, "text": option.label} for option in options]
    for name, derive in protocol.derive.items():
        values: Sequence[str] = protocol.options_of(name)
        if derive.compare is not None:
            ties = ("tie",) if derive.compare.good_from is None else ("both_good", "both_bad")
            values = (*(str(element["id"]) for element in shown.get(derive.compare.across) or ()), *ties)
        if values:
            listed[name] = [{"id": value, "text": value} for value in values]
    return listed
