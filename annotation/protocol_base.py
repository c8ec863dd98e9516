"""The frozen base of every protocol model, and the rule for names."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
# Words that YAML 1.1 readers turn into other types, and the first words of paths such as item.key.
RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "item", "gold"})


class Model(BaseModel):
    """Frozen, and closed to unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=False, protected_namespaces=())


def _check_name(name: str) -> str:
    if name in RESERVED:
        raise ValueError(f"'{name}' is kept for other uses and cannot be a name")
    return name


Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=64), AfterValidator(_check_name)]
Text = Annotated[str, StringConstraints(max_length=200_000)]
Label = Annotated[str, StringConstraints(max_length=2_000)]
Value = Annotated[str, StringConstraints(min_length=1, max_length=500)]


class Empty(Model):
    """``is_empty: true`` in place of a list of values: the question stands without an answer."""

    is_empty: bool


Values = tuple[Value, ...]
Condition = dict[str, Values | Empty]
