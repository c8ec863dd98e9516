"""Strengths from paired comparisons: Bradley-Terry, Davidson, Rao-Kupper, ties as half wins, and the order effect."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.preferences.comparisons import Floats, PairTable
from annotation.agreement.preferences.connected import why_not_finite
from annotation.agreement.preferences.likelihood import WITH_TIES, Model, newton
from annotation.errors import N_, Refused, Unknown

MODELS = ("bradley_terry", "half_wins", "davidson", "rao_kupper")
NO_MAXIMUM = ("the likelihood has no maximum: the order or tie parameter grows without end, because the outcomes "
              "leave no doubt about it; state fewer parameters, or collect more comparisons")
CONFOUNDED = ("the effect of standing first cannot be told from the strengths: too few pairs were shown in both "
              "orders, and no circle of pairs tells them apart")


@dataclass(frozen=True, slots=True)
class Strengths:
    """A fit: ``log_strength`` (n) with mean 0 and its ``covariance`` (n, n); None where undefined, see ``reason``.

    ``order_effect``: g of the log odds of the first against the second; above 0, standing first helps.
    ``tie``: nu of Davidson (tie : first : second = nu sqrt(p q) : p : q), theta of Rao-Kupper. ``log_tie_se``: SE
    of its logarithm. ``log_likelihood``: of the data, without multinomial coefficients and without the prior.
    ``ties_left_out``: ties that ``bradley_terry`` does not use. ``parameters``: the fit as ``likelihood`` orders it.
    """

    model: str
    names: tuple[str, ...]
    comparisons: float
    log_strength: Floats | None = None
    covariance: Floats | None = None
    order_effect: float | None = None
    order_effect_se: float | None = None
    tie: float | None = None
    log_tie_se: float | None = None
    log_likelihood: float | None = None
    prior_sd: float | None = None
    ties_left_out: float = 0.0
    reason: str | None = None
    parameters: Floats | None = None

    def place(self, name: str) -> int:
        if name not in self.names:
            raise Unknown(N_("{name} was not compared; these were: {known}"), name=name, known=", ".join(self.names))
        return self.names.index(name)

    def against(self, reference: str) -> Floats | None:
        """Log strengths with that of ``reference`` set to 0, (n)."""
        at = self.place(reference)
        return None if self.log_strength is None else self.log_strength - self.log_strength[at]

    def standard_errors(self, reference: str) -> Floats | None:
        """SE of ``against(reference)``, (n), from the observed information; 0 at the reference itself."""
        at = self.place(reference)
        if self.covariance is None:
            return None
        own = np.diag(self.covariance)
        return np.sqrt(np.maximum(0.0, own + own[at] - 2.0 * self.covariance[at]))

    def worths(self, *, total: float | None = 1.0) -> Floats | None:
        """Strengths that add up to ``total``; with None, strengths with the geometric mean 1."""
        if self.log_strength is None:
            return None
        worth = np.exp(self.log_strength)
        return worth if total is None else total * worth / worth.sum()


def used_counts(counts: Floats, model: str) -> Floats:
    """Counts (.., 3) as the model takes them: ``half_wins`` splits each tie, ``bradley_terry`` leaves ties out."""
    used = counts.copy()
    if model == "half_wins":
        used[..., [0, 2]] += used[..., [1]] / 2.0
    if model not in WITH_TIES:
        used[..., 1] = 0.0
    return used


def model_of(table: PairTable, name: str, *, order_effect: bool, prior_sd: float | None) -> Model:
    if name not in MODELS:
        raise Unknown(N_("There is no model '{name}' of comparisons; there are {known}"), name=name,
                      known=", ".join(MODELS))
    if prior_sd is not None and prior_sd <= 0:
        raise Refused(N_("The standard deviation of the prior must be above 0, not {value}"), value=prior_sd)
    return Model(name, len(table.names), table.first, table.second, order_effect, prior_sd)


def fit(table: PairTable, model: str = "bradley_terry", *, order_effect: bool = False,
        prior_sd: float | None = None) -> Strengths:
    """The maximum of the likelihood (of the posterior, if ``prior_sd`` states a normal prior of the log strengths).

    Newton on the counted pairs: O(n^3 + n^2) a step for n things, whatever the number of judgements; memory n^2.
    Without a finite estimate (not everybody reaches everybody by wins: Ford 1957) the reason says who stands apart.
    """
    shape = model_of(table, model, order_effect=order_effect, prior_sd=prior_sd)
    counts = used_counts(table.counts, model)
    none = Strengths(model, table.names, float(counts.sum()), prior_sd=prior_sd,
                     ties_left_out=table.ties if model == "bradley_terry" else 0.0)
    if len(table.names) < 2:
        return replace(none, reason="fewer than two things were compared")
    if not counts.sum():
        return replace(none, reason="nothing was decided: there are only ties" if table.ties else
                       "there are no comparisons")
    if model in WITH_TIES and not table.ties:
        return replace(none, reason="there are no ties, so a tie parameter cannot be estimated; "
                                    "bradley_terry needs none")
    if model in WITH_TIES and table.ties == table.total:
        return replace(none, reason="there are only ties, so no strengths can be told")
    apart = why_not_finite(table, counts) if prior_sd is None else None
    if apart:
        return replace(none, reason=apart)
    theta, found = newton(shape, counts[None], shape.start(1))
    slopes = shape.slopes(theta, counts[None])
    information = shape.anchored(slopes)[0]
    values = np.linalg.eigvalsh(information)
    if order_effect and values[0] < 1e-8 * values[-1]:
        return replace(none, reason=CONFOUNDED if np.abs(theta).max() < 10.0 else NO_MAXIMUM)
    if not found[0]:
        return replace(none, reason=NO_MAXIMUM)
    return _told(none, shape, theta[0], float(slopes.loglik[0]), np.linalg.inv(information))


def _told(none: Strengths, shape: Model, theta: Floats, loglik: float, inverse: Floats) -> Strengths:
    n = shape.n
    centre = np.eye(n) - 1.0 / n  # the anchor on the sum adds a constant to the block, which this takes off
    order_at, tie_at = (n if shape.order else None), (shape.width - 1 if shape.name in WITH_TIES else None)
    return replace(
        none, log_strength=theta[:n] - theta[:n].mean(), covariance=centre @ inverse[:n, :n] @ centre,
        order_effect=None if order_at is None else float(theta[order_at]),
        order_effect_se=None if order_at is None else float(np.sqrt(inverse[order_at, order_at])),
        tie=None if tie_at is None else float(np.exp(theta[tie_at])),
        log_tie_se=None if tie_at is None else float(np.sqrt(inverse[tie_at, tie_at])),
        log_likelihood=loglik, parameters=theta)
