"""GLAD (Whitehill et al. 2009): able people and hard items; a label is right with probability 1/(1+exp(-a_j b_i))."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.competence.em import ALONE, APART, CONSTANT, NOBODY
from annotation.agreement.competence.votes import Votes, votes_of
from annotation.agreement.ratings import Floats, Ints, Ratings


def glad_posterior(labels: Sequence[int] | Ints, strength: Sequence[float] | Floats | float, classes: int,
                   prior: Sequence[float] | Floats | None = None) -> Floats:
    """The E-step for one item: P(class | labels), (classes).

    ``labels``: one class number per label; ``strength``: a_j b_i of each, or one for all. Wrong labels share the rest
    equally. ``prior``: class shares, uniform if None.
    """
    given = np.asarray(labels, dtype=np.int64)
    ab = np.broadcast_to(np.asarray(strength, dtype=np.float64), given.shape)
    right, wrong = -np.logaddexp(0.0, -ab), -np.logaddexp(0.0, ab) - np.log(max(1, classes - 1))
    shares = np.full(classes, 1.0 / classes) if prior is None else np.asarray(prior, dtype=np.float64)
    with np.errstate(divide="ignore"):  # a class with the prior 0 has the posterior 0
        joint = np.log(shares) + wrong.sum() + np.bincount(given, weights=right - wrong, minlength=classes)
    joint = np.exp(joint - joint.max())
    return np.asarray(joint / joint.sum())


@dataclass(frozen=True, slots=True)
class Glad:
    """``posterior`` (T, V), ``ease`` (T) b_i > 0 of each kind of item (``votes``), ``ability`` (J) a_j of each person.

    With an ability below 0 a person tends to be wrong. The scale comes from the priors of a_j and log b_i.
    """

    votes: Votes
    posterior: Floats | None = None
    ability: Floats | None = None
    ease: Floats | None = None
    objective: float | None = None
    steps: int = 0
    converged: bool = False
    reason: str | None = None


def glad(data: Ratings | Votes, *, tolerance: float = 1e-7, most_steps: int = 100,
         cancelled: Callable[[], bool] | None = None) -> Glad:
    """EM with normal priors (mean 1, SD 1) on a_j and log b_i and a uniform prior of the classes.

    The M-step climbs by L-BFGS with the exact gradient; every array is over labels, O(labels) a step.
    ``objective``: log-likelihood and log priors, but for constants; no step lowers it.
    """
    votes = data if isinstance(data, Votes) else votes_of(data)
    none = Glad(votes)
    people, v = votes.size
    reason = (NOBODY if not people else ALONE if people == 1 else APART if not votes.shared() else
              CONSTANT if v == 1 else None)
    if reason:
        return replace(none, reason=reason)
    model = _Model(votes)
    theta = np.ones(people + len(votes.count))
    posterior, objective = model.expect(theta)
    steps, converged = 0, False
    for step in range(1, most_steps + 1):
        steps = step
        theta = model.climb(theta, posterior)
        posterior, new = model.expect(theta)
        converged = new - objective <= tolerance * abs(new)
        objective = new
        if converged or (cancelled is not None and cancelled()):
            break
    return replace(none, posterior=posterior, ability=theta[:people], ease=np.exp(theta[people:]), objective=objective,
                   steps=steps, converged=converged)


class _Model:
    """Parameters stand as (a of people, log b of kinds of items)."""

    def __init__(self, votes: Votes) -> None:
        self.votes = votes
        self.people, self.v = votes.size
        self.row = np.repeat(np.arange(len(votes.count)), np.diff(votes.table.indptr))
        self.person, self.label = np.divmod(votes.table.indices.astype(np.int64), self.v)
        self.times = votes.table.data
        self.weight = self.times * votes.count[self.row]

    def expect(self, theta: Floats) -> tuple[Floats, float]:
        ab = theta[self.person] * np.exp(theta[self.people + self.row])
        right, wrong = -np.logaddexp(0.0, -ab), -np.logaddexp(0.0, ab) - np.log(self.v - 1)
        t = len(self.votes.count)
        joint = np.bincount(self.row * self.v + self.label, weights=self.times * (right - wrong),
                            minlength=t * self.v).reshape(t, self.v)
        joint += np.bincount(self.row, weights=self.times * wrong, minlength=t)[:, None] - np.log(self.v)
        top = joint.max(axis=1, keepdims=True)
        total = np.exp(joint - top).sum(axis=1, keepdims=True)
        loglik = float(self.votes.count @ (top + np.log(total))[:, 0])
        return np.exp(joint - top) / total, loglik + self._prior(theta)[0]

    def climb(self, theta: Floats, posterior: Floats) -> Floats:
        # Kept out of the start of the program: scipy.optimize costs more than 100 ms.
        from scipy.optimize import minimize

        right = posterior[self.row, self.label]
        scale = float(self.weight.sum())

        def down(theta: Floats) -> tuple[float, Floats]:
            ease = np.exp(np.minimum(theta[self.people + self.row], 50.0))
            ab = theta[self.person] * ease
            value = float(self.weight @ (-right * np.logaddexp(0.0, -ab) - (1.0 - right) * np.logaddexp(0.0, ab)))
            slope = self.weight * (right - np.exp(-np.logaddexp(0.0, -ab)))  # in a_j b_i
            prior, gradient = self._prior(theta)
            gradient[: self.people] += np.bincount(self.person, weights=slope * ease, minlength=self.people)
            gradient[self.people :] += np.bincount(self.row, weights=slope * ab, minlength=len(self.votes.count))
            return -(value + prior) / scale, -gradient / scale

        return np.asarray(minimize(down, theta, jac=True, method="L-BFGS-B", options={"maxiter": 25}).x)

    def _prior(self, theta: Floats) -> tuple[float, Floats]:
        off = 1.0 - theta
        times = np.r_[np.ones(self.people), self.votes.count]  # each item has a b of its own
        return float(-0.5 * (times * off**2).sum()), times * off
