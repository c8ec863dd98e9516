"""Names that Goldsmith knows and does not build yet, so that a protocol that uses one hears "comes later"."""

from __future__ import annotations

FIELD_KINDS = frozenset(
    {"code", "json", "date", "panorama", "slices", "video", "clips", "audio", "map", "dialogue", "trajectory",
     "claims", "document", "persona", "file"}
)
QUESTION_TYPES = frozenset(
    {"interval", "spans", "regions", "ranking", "best_of", "rubric", "checklist", "steps", "records", "evidence",
     "item"}
)
STAGES = frozenset({"write", "grade"})
SCORER_METRICS = frozenset({"ranking", "span_f1", "text_similarity"})
KEYS = frozenset({"forms", "assign", "reveal", "grade", "repeat", "ordered"})

# For each slot with a closed list: the names of that list that come later.
LATER: dict[str, frozenset[str]] = {
    "kind": FIELD_KINDS,
    "type": QUESTION_TYPES,
    "stages": STAGES,
    "scorer.metric": SCORER_METRICS,
}
