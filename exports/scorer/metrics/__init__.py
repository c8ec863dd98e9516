# SPDX-License-Identifier: Apache-2.0
"""One file a metric; importing this package registers them all."""

from exports.scorer.metrics import accuracy, disclosure, pairs, presupposition

__all__ = ["accuracy", "disclosure", "pairs", "presupposition"]
