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
GOLD_RULES = frozenset({"dawid_skene"})
AGREEMENT_METRICS = frozenset(
    {"gwet_ac1", "gwet_ac2", "cohen_kappa", "fleiss_kappa", "scott_pi", "conger_kappa",
     "bennett_s_brennan_prediger", "icc", "kendall_w", "span_f1", "mean_iou", "st_iou", "gamma"}
)
SCORER_METRICS = frozenset({"macro_f1", "mra", "ranking", "span_f1", "conflict_ratio", "text_similarity"})
KEYS = frozenset({"forms", "assign", "reveal", "grade", "of_group", "repeat", "ordered", "locale", "texts"})

# For each slot with a closed list: the names of that list that come later.
LATER: dict[str, frozenset[str]] = {
    "kind": FIELD_KINDS,
    "type": QUESTION_TYPES,
    "stages": STAGES,
    "rule": GOLD_RULES,
    "else": GOLD_RULES,
    "agreement.metric": AGREEMENT_METRICS,
    "scorer.metric": SCORER_METRICS,
}
