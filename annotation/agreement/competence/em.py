"""Dawid and Skene's model and its two simpler relatives: the truth and the people estimated together, by EM.

Each item has a true class k with probability p_k; person j then gives label v with probability c_j[k, v], whoever
else labels the item. The models differ in what c_j may be:

    dawid_skene  any confusion matrix                                      (Dawid & Skene 1979)
    one_coin     right with probability a_j, all wrong labels alike
    mace         knows with probability a_j, else throws a die of its own  (Hovy et al. 2013; plain EM, no smoothing,
                 class shares estimated)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from annotation.agreement.competence.votes import Votes, votes_of
from annotation.agreement.ratings import Floats, Ratings
from annotation.errors import N_, Unknown

MODELS = ("dawid_skene", "one_coin", "mace")
TINY = 1e-300
LEAST_STEPS = 10

NOBODY = "nobody gave a label"
ALONE = "one person only: there is nobody to tell their mistakes by"
APART = "no item was labelled by two people, so nothing tells who is right"
CONSTANT = "everybody always gave the same label, so nothing tells who would see another one"


@dataclass(frozen=True, slots=True)
class Truth:
    """An estimate over kinds of items (T, see ``votes``), people (J), classes = labels (V); None: see ``reason``.

    ``posterior`` (T, V); ``marginals`` (V) the shares of the classes; ``confusion`` (J, V, V) true class by label
    given, 1 / V in the row of a class of which a person saw no item. ``skill`` (J): a_j of one_coin and mace; of
    dawid_skene the expected share of right labels among those given. ``log_likelihood``: without multinomial
    coefficients.
    """

    model: str
    votes: Votes
    posterior: Floats | None = None
    marginals: Floats | None = None
    confusion: Floats | None = None
    skill: Floats | None = None
    log_likelihood: float | None = None
    steps: int = 0
    converged: bool = False
    smoothing: float = 0.0
    reason: str | None = None

    def of_units(self) -> Floats:
        """Posterior of each unit, (n_units, V); the class shares where a unit has no label."""
        if self.posterior is None or self.marginals is None:
            raise ValueError(self.reason)
        return np.vstack([self.posterior, self.marginals])[self.votes.of_unit]

    def best(self) -> tuple[str | None, ...]:
        """The most probable label of each unit, the first of equals; None where a unit has no label."""
        top = self.of_units().argmax(axis=1)
        return tuple(self.votes.labels[k] if kind >= 0 else None
                     for k, kind in zip(top, self.votes.of_unit, strict=True))


@dataclass(slots=True)
class State:
    """Where EM stands; arrays are replaced, never changed in place."""

    posterior: Floats
    marginals: Floats
    confusion: Floats
    skill: Floats
    log_likelihood: float = -np.inf
    steps: int = 0
    converged: bool = False


def estimate(data: Ratings | Votes, model: str = "dawid_skene", *, smoothing: float = 0.0, restarts: int = 0,
             seed: int = 0, tolerance: float = 1e-11, most_steps: int = 5_000,
             cancelled: Callable[[], bool] | None = None) -> Truth:
    """EM from each item's vote shares until a step gains less than ``tolerance`` of the log-likelihood.

    ``smoothing``: labels added to every cell of every confusion matrix (0: the plain maximum). ``restarts``: further
    starts from disturbed vote shares; the best likelihood stands (EM finds a maximum near its start, not the
    highest). The classes are the labels that occur. One step costs O(labels * V) and no loop in Python.
    """
    if model not in MODELS:
        raise Unknown(N_("There is no model '{name}' of people; there are {known}"), name=model,
                      known=", ".join(MODELS))
    votes = data if isinstance(data, Votes) else votes_of(data)
    people, v = votes.size
    none = Truth(model, votes, smoothing=smoothing)
    reason = (NOBODY if not people else ALONE if people == 1 else APART if not votes.shared() else
              CONSTANT if v == 1 else None)
    if reason:
        return replace(none, reason=reason)
    em = Em(votes, model, smoothing)
    rng = np.random.default_rng(seed)
    best: State | None = None
    for run in range(restarts + 1):
        start = em.shares()
        if run:
            start = start * rng.gamma(1.0, size=start.shape)
            start /= start.sum(axis=1, keepdims=True)
        state = em.run(start, votes.count, tolerance=tolerance, most_steps=most_steps, cancelled=cancelled)
        if best is None or state.log_likelihood > best.log_likelihood + 1e-9 * abs(best.log_likelihood):
            best = state
    if best is None:
        return replace(none, reason="no start was tried")
    return replace(none, posterior=best.posterior, marginals=best.marginals, confusion=best.confusion, skill=best.skill,
                   log_likelihood=best.log_likelihood, steps=best.steps, converged=best.converged)


class Em:
    """The steps of one model on one table of votes, for any weights of its kinds of items."""

    def __init__(self, votes: Votes, model: str, smoothing: float) -> None:
        self.votes, self.model, self.smoothing = votes, model, smoothing
        self.people, self.v = votes.size
        self.turned = votes.table.T.tocsr()  # so that both products run along rows

    def shares(self) -> Floats:
        """Each kind's votes as shares of 1, (T, V): Dawid & Skene's eq. 3.1."""
        label = np.tile(np.eye(self.v), (self.people, 1))
        votes = self.votes.table @ label
        return votes / votes.sum(axis=1, keepdims=True)

    def run(self, posterior: Floats, weights: Floats, *, tolerance: float, most_steps: int, start: State | None = None,
            cancelled: Callable[[], bool] | None = None) -> State:
        """From ``posterior`` (T, V); ``start`` holds the people's parameters that a constrained step goes on from."""
        if start is None:
            state = State(posterior, np.zeros(self.v), np.zeros((self.people, self.v, self.v)),
                          np.full(self.people, 0.5))
        else:
            state = State(posterior, start.marginals, start.confusion, start.skill)
        for step in range(1, most_steps + 1):
            self.maximise(state, weights)
            before = state.log_likelihood
            self.expect(state, weights)
            state.steps = step
            gain = state.log_likelihood - before
            # The first steps may hardly gain and still move away from where they began.
            at_rest = gain <= tolerance * max(1.0, abs(state.log_likelihood))
            state.converged = at_rest and (step >= LEAST_STEPS or start is not None)
            if state.converged or (cancelled is not None and cancelled()):
                break
        return state

    def expect(self, state: State, weights: Floats) -> None:
        """E: posterior of every kind, and the log-likelihood of the weighted kinds."""
        # Zero probabilities as the smallest numbers: -inf - -inf would be no number, e^-690 is as good as 0.
        log_c = np.log(np.maximum(state.confusion, TINY)).transpose(0, 2, 1).reshape(-1, self.v)
        joint = self.votes.table @ log_c
        joint += np.log(np.maximum(state.marginals, TINY))
        top = joint.max(axis=1, keepdims=True)
        joint -= top
        np.exp(joint, out=joint)
        total = joint.sum(axis=1, keepdims=True)
        state.log_likelihood = float(weights @ (top + np.log(total))[:, 0])
        joint /= total
        state.posterior = joint

    def maximise(self, state: State, weights: Floats) -> None:
        """M: class shares, and confusion matrices within what the model allows."""
        weighted = state.posterior * weights[:, None]
        state.marginals = weighted.sum(axis=0) / weighted.sum()
        # counts[j, k, v]: labels v that j gave to items of class k
        counts = (self.turned @ weighted).reshape(self.people, self.v, self.v).transpose(0, 2, 1) + self.smoothing
        {"dawid_skene": self._dawid_skene, "one_coin": self._one_coin, "mace": self._mace}[self.model](state, counts)

    def _dawid_skene(self, state: State, counts: Floats) -> None:
        size = counts.sum(axis=2, keepdims=True)
        # A class of which a person saw no item: no row. As good as any is the same chance for every label.
        state.confusion = np.where(size > 0, counts / np.where(size > 0, size, 1.0), 1.0 / self.v)
        total = counts.sum(axis=(1, 2))
        state.skill = np.where(total > 0, np.einsum("jkk->j", counts) / np.where(total > 0, total, 1.0), state.skill)

    def _one_coin(self, state: State, counts: Floats) -> None:
        total = counts.sum(axis=(1, 2))
        right = np.einsum("jkk->j", counts)
        state.skill = np.where(total > 0, right / np.where(total > 0, total, 1.0), state.skill)
        eye = np.eye(self.v)
        state.confusion = (state.skill[:, None, None] * eye
                           + ((1.0 - state.skill) / (self.v - 1))[:, None, None] * (1.0 - eye))

    def _mace(self, state: State, counts: Floats) -> None:
        """One step of EM over "knew or threw" inside: theta_j and the die xi_j from the expected throws."""
        total = counts.sum(axis=(1, 2))
        right = np.einsum("jkk->jk", counts)
        given = counts.sum(axis=1)
        old = state.confusion
        if old.any():
            known = state.skill[:, None] / np.maximum(np.einsum("jkk->jk", old), TINY)
        else:
            known = np.full((self.people, self.v), 0.5)
        knew = right * np.minimum(1.0, known)
        threw = np.maximum(0.0, given - knew)
        some = total > 0
        state.skill = np.where(some, knew.sum(axis=1) / np.where(some, total, 1.0), state.skill)
        thrown = threw.sum(axis=1, keepdims=True)
        die = np.where(thrown > 0, threw / np.where(thrown > 0, thrown, 1.0), 1.0 / self.v)
        state.confusion = (state.skill[:, None, None] * np.eye(self.v)
                           + (1.0 - state.skill)[:, None, None] * die[:, None, :])
