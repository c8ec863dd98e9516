"""Kept studies: a text that a project keeps always reads as it was kept; what newer rules say of it are findings."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from annotation.protocol_build import BROKEN, Builder, Path
from annotation.protocol_yaml import Mapping, read_nodes
from studies.model import Study
from studies.reading import StudyError, read_study

_FILE = "study.yaml"
_BLANK: dict[Any, Any] = {str: "", int: 1, float: 0.0, bool: False, tuple: (), dict: {}}


def read_kept(text: str) -> Study:
    """The study of a text that passed the rules of its day; ``findings`` of it hold what the rules of today say."""
    try:
        return read_study(text)
    except StudyError as error:
        root, _ = read_nodes(text, _FILE)
        made = _Lenient(_FILE).build(root if isinstance(root, Mapping) else Mapping(1, 1), Study, ())
        assert isinstance(made, Study)
        made._text, made._findings = text, tuple(error.faults)
        return made


class _Lenient(Builder):
    """Takes what stands there where a rule would refuse it, and the default where it cannot be taken at all."""

    def _validate(self, model: type[BaseModel], by_key: dict[str, FieldInfo], built: dict[str, Any], path: Path) -> Any:
        made = super()._validate(model, by_key, built, path)
        if made is not BROKEN:
            return made
        known = {key: value for key, value in built.items() if value is not BROKEN}
        for key, field in by_key.items():
            if field.is_required() and key not in known:
                known[key] = _blank(field.annotation)
        return model.model_construct(**known)


def _blank(want: Any) -> Any:
    """What stands for a value that is needed and is not there."""
    origin = get_origin(want)
    return get_args(want)[0] if origin is Literal else _BLANK.get(origin or want)
