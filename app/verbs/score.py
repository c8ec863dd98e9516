"""goldsmith score: score predictions against a bundle, with baselines and another version if wanted."""

from __future__ import annotations

from annotation.errors import N_
from app.cli import Call, Outcome, Usage
from exports.prediction_readers import READERS
from exports.scorer.command import arguments, computed

__all__ = ["arguments", "run"]


def run(call: Call) -> Outcome:
    if not call.args.files and not call.args.baselines:
        raise Usage(N_("score wants prediction files, or --baselines"))
    data, text = computed(call.args, READERS, quiet=call.quiet)
    return Outcome(data, text.rstrip("\n").split("\n"))
