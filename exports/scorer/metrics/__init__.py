# SPDX-License-Identifier: Apache-2.0
"""One file a metric; importing this package registers them all."""

from exports.scorer.metrics import (
    accuracy,
    disclosure,
    disclosure_upstream,
    macro_f1,
    pairs,
    presupposition,
)

__all__ = [
    "accuracy",
    "disclosure",
    "disclosure_upstream",
    "macro_f1",
    "pairs",
    "presupposition",
]
