"""What is to be known before gold is frozen: what is missing, weak, duplicated, leaking, identifying, unlicensed."""

from exports.preflight import (  # noqa: F401 - each file registers its findings
    answers_seen,
    identifying,
    licences,
    options_seen,
    pictures,
    repeats,
    splits,
    weak,
)
from exports.preflight.examine import examine
from exports.preflight.finding import NOT_SEARCHED, Finding, Kind, kinds
from exports.preflight.waits import Preflight, look

__all__ = ["NOT_SEARCHED", "Finding", "Kind", "Preflight", "examine", "kinds", "look"]
