"""The likelihoods of paired comparisons and their Newton steps, for many tables of counts at once.

With d = b_first - b_second + g (b: log strengths, g: the effect of standing first, 0 unless asked for) all models are
concave in (b, g, tie parameter), so Newton with halved steps finds the maximum wherever it starts:

    bradley_terry  log odds of first against second = d                                  (Bradley & Terry 1952)
    davidson       first : tie : second = e^(d/2) : nu : e^(-d/2)                        (Davidson 1970)
    rao_kupper     P(first) = s(d - t), P(second) = s(-d - t), theta = e^t >= 1          (Rao & Kupper 1967)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from annotation.agreement.preferences.comparisons import Floats, Ints

STEPS = 60
CLOSE = 1e-9
FAR = 25.0  # a log strength beyond this is not an estimate: the likelihood has no maximum there


@dataclass(frozen=True, slots=True)
class Slopes:
    """Log-likelihood (b,) with its derivatives in d (b, P) and in the tie parameter (b,); ``h``: minus the second."""

    loglik: Floats
    g: Floats
    h: Floats
    g_tie: Floats
    h_tie: Floats
    h_both: Floats


def _log_sigmoid(x: Floats) -> Floats:
    return -np.logaddexp(0.0, -x)


def _plain(d: Floats, tie: Floats, won: Floats, tied: Floats, lost: Floats) -> Slopes:
    p, none = 1.0 / (1.0 + np.exp(-d)), np.zeros(len(d))
    loglik = (won * _log_sigmoid(d) + lost * _log_sigmoid(-d)).sum(axis=1)
    return Slopes(loglik, won - (won + lost) * p, (won + lost) * p * (1.0 - p), none, none, np.zeros_like(d))


def _davidson(d: Floats, tie: Floats, won: Floats, tied: Floats, lost: Floats) -> Slopes:
    n, t = won + tied + lost, tie[:, None]
    total = np.logaddexp(np.logaddexp(d / 2.0, -d / 2.0), t)
    p, q, r = np.exp(d / 2.0 - total), np.exp(t - total), np.exp(-d / 2.0 - total)
    loglik = (won * d / 2.0 - lost * d / 2.0 + tied * t - n * total).sum(axis=1)
    return Slopes(loglik, (won - lost) / 2.0 - n * (p - r) / 2.0, n * ((p + r) - (p - r) ** 2) / 4.0,
                  (tied - n * q).sum(axis=1), (n * q * (1.0 - q)).sum(axis=1), -n * q * (p - r) / 2.0)


def _rao_kupper(d: Floats, tie: Floats, won: Floats, tied: Floats, lost: Floats) -> Slopes:
    t = tie[:, None]
    a, c = 1.0 / (1.0 + np.exp(t - d)), 1.0 / (1.0 + np.exp(t + d))
    up, down, all_tied = won + tied, lost + tied, tied.sum(axis=1)
    loglik = (up * _log_sigmoid(d - t) + down * _log_sigmoid(-d - t)).sum(axis=1) + all_tied * np.log(np.expm1(2 * tie))
    curve_up, curve_down = up * a * (1.0 - a), down * c * (1.0 - c)
    decay = -np.expm1(-2.0 * tie)  # 1 - theta^-2
    return Slopes(loglik, up * (1.0 - a) - down * (1.0 - c), curve_up + curve_down,
                  all_tied * 2.0 / decay - (up * (1.0 - a) + down * (1.0 - c)).sum(axis=1),
                  all_tied * 4.0 * np.exp(-2.0 * tie) / decay**2 + (curve_up + curve_down).sum(axis=1),
                  curve_down - curve_up)


SLOPES = {"bradley_terry": _plain, "half_wins": _plain, "davidson": _davidson, "rao_kupper": _rao_kupper}
WITH_TIES = frozenset({"davidson", "rao_kupper"})


@dataclass(frozen=True, slots=True)
class Model:
    """What is fitted: the pairs (P) of ``n`` things, and which parameters beside their log strengths.

    ``prior_sd``: log strengths are drawn around their mean from a normal distribution with this SD; None: no prior.
    Parameters stand as (n log strengths, g if ``order``, tie parameter if the model has one).
    """

    name: str
    n: int
    first: Ints
    second: Ints
    order: bool
    prior_sd: float | None

    @property
    def width(self) -> int:
        return self.n + self.order + (self.name in WITH_TIES)

    def start(self, draws: int) -> Floats:
        theta = np.zeros((draws, self.width))
        if self.name == "rao_kupper":
            theta[:, -1] = np.log(1.5)
        return theta

    def slopes(self, theta: Floats, counts: Floats) -> Slopes:
        d = theta[:, self.first] - theta[:, self.second] + (theta[:, self.n, None] if self.order else 0.0)
        return SLOPES[self.name](d, theta[:, -1], counts[:, :, 0], counts[:, :, 1], counts[:, :, 2])

    def objective(self, theta: Floats, slopes: Slopes) -> Floats:
        """Log-likelihood and, with a prior, its log density but for a constant."""
        if self.prior_sd is None:
            return slopes.loglik
        away = theta[:, : self.n] - theta[:, : self.n].mean(axis=1, keepdims=True)
        return slopes.loglik - (away**2).sum(axis=1) / (2.0 * self.prior_sd**2)

    def gradient(self, theta: Floats, slopes: Slopes) -> Floats:
        out = np.zeros_like(theta)
        table = np.zeros((len(theta), self.n, self.n))
        table[:, self.first, self.second] = slopes.g
        out[:, : self.n] = table.sum(axis=2) - table.sum(axis=1)
        if self.prior_sd is not None:
            away = theta[:, : self.n] - theta[:, : self.n].mean(axis=1, keepdims=True)
            out[:, : self.n] -= away / self.prior_sd**2
        if self.order:
            out[:, self.n] = slopes.g.sum(axis=1)
        if self.name in WITH_TIES:
            out[:, -1] = slopes.g_tie
        return out

    def information(self, slopes: Slopes) -> Floats:
        """Minus the second derivatives, (b, width, width); singular in the sum of the log strengths."""
        b, n = len(slopes.h), self.n
        out = np.zeros((b, self.width, self.width))
        table = np.zeros((b, n, n))
        table[:, self.first, self.second] = slopes.h
        if self.order:
            out[:, :n, n] = out[:, n, :n] = table.sum(axis=2) - table.sum(axis=1)
            out[:, n, n] = slopes.h.sum(axis=1)
        both = table + table.transpose(0, 2, 1)
        out[:, :n, :n] = -both
        out[:, np.arange(n), np.arange(n)] += both.sum(axis=2)
        if self.prior_sd is not None:
            out[:, :n, :n] += (np.eye(n) - 1.0 / n) / self.prior_sd**2
        if self.name in WITH_TIES:
            table[:, self.first, self.second] = slopes.h_both
            out[:, :n, -1] = out[:, -1, :n] = table.sum(axis=2) - table.sum(axis=1)
            if self.order:
                out[:, n, -1] = out[:, -1, n] = slopes.h_both.sum(axis=1)
            out[:, -1, -1] = slopes.h_tie
        return out

    def anchored(self, slopes: Slopes) -> Floats:
        """The information with the sum of the log strengths held fast, and a hair on the diagonal against rounding."""
        out = self.information(slopes)
        size = np.trace(out, axis1=1, axis2=2)[:, None, None] / self.width + 1e-300
        out[:, : self.n, : self.n] += size / self.n
        return out + 1e-12 * size * np.eye(self.width)


def newton(model: Model, counts: Floats, start: Floats) -> tuple[Floats, np.ndarray]:
    """Maximum for each table of ``counts`` (b, P, 3) from ``start`` (b, width); and where one was found (b,).

    A likelihood without a maximum shows as parameters that grow by about 1 a step: given up beyond ``FAR``.
    """
    theta, found = start.copy(), np.zeros(len(start), dtype=bool)
    live = np.arange(len(start))
    for _ in range(STEPS):
        part, now = counts[live], theta[live]
        slopes = model.slopes(now, part)
        uphill = model.gradient(now, slopes)[:, :, None]
        step = np.linalg.solve(model.anchored(slopes), uphill)[:, :, 0].astype(np.float64)
        new = _climbed(model, part, now, step, model.objective(now, slopes))
        theta[live] = new
        small = np.abs(step).max(axis=1) < CLOSE * (1.0 + np.abs(new).max(axis=1))
        lost = ~np.isfinite(new).all(axis=1) | (np.abs(new).max(axis=1) > FAR)
        found[live[small & ~lost]] = True
        live = live[~small & ~lost]
        if not len(live):
            break
    return theta, found


def _climbed(model: Model, counts: Floats, now: Floats, step: Floats, before: Floats) -> Floats:
    """``now + step``, the step halved where that would go down or out of what the parameter may be."""
    size = np.ones((len(now), 1))
    slack = 1e-10 * (1.0 + np.abs(before))
    for _ in range(30):
        new = now + size * step
        allowed = new[:, -1] > 0 if model.name == "rao_kupper" else np.ones(len(now), dtype=bool)
        tried = np.where(allowed[:, None], new, now)
        good = allowed & (model.objective(tried, model.slopes(tried, counts)) >= before - slack)
        if good.all():
            break
        size[~good] /= 2.0
    return now + size * step * (size > 1e-9)
