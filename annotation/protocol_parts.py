"""The parts of a protocol beside its fields and questions: workflow, derive, gold, agreement, export and so on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from annotation.protocol_base import Condition, Label, Model, Name, Text, Value, Values

Role = Literal["annotator", "verifier", "adjudicator", "physician", "experimenter", "researcher", "owner"]
Stage = Literal["annotate", "verify", "adjudicate", "sign"]
# A test holds these names against the registry of annotation.agreement; some wait for their question types.
AgreementMetric = Literal[
    "percent_agreement", "percent_agreement_mean_pairwise", "percent_vs_majority", "krippendorff_alpha",
    "krippendorff_alpha_gwet_weights", "gwet_ac1", "gwet_ac2", "cohen_kappa", "fleiss_kappa", "scott_pi",
    "conger_kappa", "bennett_s_brennan_prediger", "randolph_kappa_free", "light_kappa", "pabak", "prevalence_index",
    "positive_agreement", "negative_agreement", "icc", "icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k",
    "icc_3_k", "cronbach_alpha", "pearson", "spearman", "kendall_w", "kendall_tau_b", "mae", "mard",
    "mean_relative_difference", "masi_distance", "jaccard_distance", "text_exact", "token_f1", "edit_ratio",
    "span_f1", "span_f1_overlap", "interval_iou", "krippendorff_alpha_u", "unitizing_u_alpha", "unitizing_binary",
    "unitizing_cu_alpha", "st_iou", "bradley_terry", "davidson", "dawid_skene",
]
AgreementLevel = Literal["nominal", "ordinal", "interval", "ratio", "circular", "masi", "jaccard"]
AgreementWeights = Literal["unweighted", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]
ScorerMetric = Literal[
    "accuracy", "presupposition", "disclosure", "disclosure_upstream", "pairs", "macro_f1", "f1", "circular", "stare",
    "mra", "mra_lt", "rmse", "mae", "median_ae", "relative_accuracy", "delta_accuracy", "consistent_accuracy",
    "editreward_verdicts", "conflict_ratio", "non_transitivity",
]
RuleName = Literal["majority", "unanimous", "mean", "median", "union", "first", "dawid_skene", "adjudicated"]
ElseRule = Literal["majority", "unanimous", "mean", "median", "union", "first", "dawid_skene"]


class Verify(Model):
    """Who is verified (a share of the items, or only some) and what the verifier sees."""

    sample: float | None = Field(None, gt=0, le=1)
    only: Literal["flagged", "all"] | None = None
    shows: Literal["nothing", "standing"] = "nothing"

    @model_validator(mode="after")
    def _one(self) -> Verify:
        if self.sample is not None and self.only is not None:
            raise ValueError("needs sample or only (and not both)")
        return self


class Adjudicate(Model):
    when: Literal["no_value", "any_difference"] = "no_value"
    role: Role = "adjudicator"
    reason: Literal["required", "optional"] = "optional"


class Sign(Model):
    """``reauthenticate``: when the name is entered again, at each item or once while a person sits there."""

    role: Role = "physician"
    reauthenticate: Literal["sitting", "item"] = "item"


class SkipReason(Model):
    """``routes``: another person gets the item, or it goes to adjudication at once."""

    value: Value
    label: Label = ""
    routes: Literal["another", "adjudicate"] = "another"

    @property
    def shown(self) -> str:
        return self.label or self.value.replace("_", " ").capitalize()


SKIPS = (
    SkipReason(value="not_my_field", label="Not my field", routes="another"),
    SkipReason(value="cannot_be_answered", label="Cannot be answered as it stands", routes="adjudicate"),
    SkipReason(value="later", label="Somebody else, please", routes="another"),
)


class Workflow(Model):
    stages: tuple[Stage, ...] = ("annotate",)
    people_per_item: int = Field(1, ge=1, le=50)
    blind: bool = True
    allow_self: bool = Field(False, description="whether a verifier or adjudicator may have answered the item before")
    verify: Verify = Verify()
    adjudicate: Adjudicate = Adjudicate()
    sign: Sign = Sign()
    advance: Literal["on_submit", "on_answer"] = "on_submit"
    idle_limit_s: int = Field(60, ge=5, le=3600)
    skip: tuple[SkipReason, ...] = SKIPS


class TableRow(Model):
    """``{if: {..}, value: ..}``, or ``{otherwise: ..}`` as the last row."""

    if_: Condition | None = Field(None, alias="if")
    value: Value | None = None
    otherwise: Value | None = None

    @model_validator(mode="after")
    def _either(self) -> TableRow:
        if (self.otherwise is None) == (self.if_ is None) or (self.if_ is None) != (self.value is None):
            raise ValueError("a row is {if: .., value: ..} or {otherwise: ..}")
        return self


class Over(Model):
    """``of``: names of questions or derived values; ``across``: one result over all elements of that list."""

    of: tuple[Name, ...] = Field(min_length=1)
    across: Name | None = None


class Weighted(Model):
    of: dict[Name, float] = Field(min_length=1, description="name: weight; the result is the weighted mean")
    across: Name | None = None


class CountOf(Model):
    of: tuple[Name, ...] = Field(min_length=1)
    values: Values = Field(min_length=1)
    across: Name | None = None


class Compare(Model):
    """The element with the highest ``of``: its id, or tie; with ``good_from``, both_good or both_bad."""

    of: Name
    across: Name
    tie_within: float = Field(0, ge=0)
    good_from: float | None = None


class Rank(Model):
    """The element ids from the highest ``of`` to the lowest; elements within ``tie_within`` stand in one list."""

    of: Name
    across: Name
    tie_within: float = Field(0, ge=0)


OPERATIONS = ("table", "sum", "mean", "weighted", "compare", "rank", "count", "any", "all")


class Derive(Model):
    """Exactly one operation."""

    table: tuple[TableRow, ...] | None = None
    sum: Over | None = None
    mean: Over | None = None
    weighted: Weighted | None = None
    compare: Compare | None = None
    rank: Rank | None = None
    count: CountOf | None = None
    any: CountOf | None = None
    all: CountOf | None = None

    @model_validator(mode="after")
    def _one(self) -> Derive:
        if sum(getattr(self, name) is not None for name in OPERATIONS) != 1:
            raise ValueError(f"needs exactly one of {', '.join(OPERATIONS)}")
        if self.table is not None:
            rest = [n for n, row in enumerate(self.table) if row.otherwise is not None]
            if not self.table or rest not in ([], [len(self.table) - 1]):
                raise ValueError("a table has rows, and 'otherwise' only in the last one")
        return self

    @property
    def operation(self) -> str:
        return next(name for name in OPERATIONS if getattr(self, name) is not None)


class GoldRule(Model):
    """A rule over people's answers, or ``{from: gold}``: computed from the gold answers of other questions.

    ``threshold``: the least probability that makes an answer gold under dawid_skene (0.9 where it is left out).
    """

    rule: RuleName | None = None
    min_people: int = Field(1, ge=1, le=50)
    else_: ElseRule | None = Field(None, alias="else")
    from_: Literal["gold"] | None = Field(None, alias="from")
    threshold: float | None = Field(None, gt=0.5, le=1)

    @model_validator(mode="after")
    def _one(self) -> GoldRule:
        if (self.rule is None) == (self.from_ is None):
            raise ValueError("needs rule or from (and not both)")
        if self.else_ is not None and self.rule != "adjudicated":
            raise ValueError("else belongs to the rule adjudicated")
        if self.threshold is not None and "dawid_skene" not in (self.rule, self.else_):
            raise ValueError("threshold belongs to the rule dawid_skene")
        return self


class AgreementSpec(Model):
    question: Name
    metric: AgreementMetric
    level: AgreementLevel | None = None
    weights: AgreementWeights | None = None


class Check(Model):
    """``{if: .., then: ..}`` or ``{iff: [.., ..]}``; ``say`` is the sentence that people read."""

    if_: Condition | None = Field(None, alias="if")
    then: Condition | None = None
    iff: tuple[Condition, ...] | None = None
    level: Literal["block", "warn"] = "block"
    say: Label = ""

    @model_validator(mode="after")
    def _one(self) -> Check:
        if (self.iff is None) == (self.if_ is None) or (self.if_ is None) != (self.then is None):
            raise ValueError("a check is {if: .., then: ..} or {iff: [.., ..]}")
        if self.iff is not None and len(self.iff) != 2:
            raise ValueError("iff has exactly two conditions")
        return self


class Quality(Model):
    gold_items: float = Field(0, ge=0, lt=1)
    repeat_items: float = Field(0, ge=0, lt=1)
    min_seconds: float = Field(0, ge=0)
    say_so: bool = True


class ScorerSpec(Model):
    """``settings``: what the metric wants to know beside its question (docs/scorer.md), as a unit or a fact's name."""

    metric: ScorerMetric
    question: Name | None = None
    settings: dict[str, Label | tuple[Label, ...]] = {}


class Export(Model):
    """``held_out``: splits whose gold and answers leave the project in private/ alone."""

    keep: dict[str, Values] = {}
    columns: dict[str, Label] = {}
    scorer: ScorerMetric | ScorerSpec | tuple[ScorerMetric | ScorerSpec, ...] | None = None
    splits: dict[str, float] = {"test": 1.0}
    held_out: tuple[Value, ...] = ()
    free_text: Literal["withheld", "public"] = "withheld"


class Proof(Model):
    """What the tests of the shelf expect of the scorer: the value of an oracle and of an anti-oracle."""

    oracle: float = 1.0
    worst: float = 0.0


class ModelPart(Model):
    """What models are asked; carried in the bundle so that people and models are asked comparably."""

    prompt: Text
    system: Text = ""
    option_format: Label = "{letter}. {text}"
    media_order: tuple[Name, ...] = ()
    extract: Annotated[str, StringConstraints(max_length=2_000)] = ""
    judge_prompt: Text = ""
