"""Closed-form standard errors and intervals of agreement coefficients: people fixed, items a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass

from annotation.agreement.intervals import normal_cdf, normal_quantile
from annotation.agreement.metric import Analytic
from annotation.agreement.ratings import Floats, Ints
from annotation.errors import N_, Refused

GWET = "analytic_gwet_t"
ASYMPTOTIC = "analytic_normal"

# Lower ends of the bands of Landis & Koch (1977), best first; they call their own divisions arbitrary.
LANDIS_KOCH: tuple[tuple[str, float], ...] = (
    ("almost perfect", 0.8), ("substantial", 0.6), ("moderate", 0.4), ("fair", 0.2), ("slight", 0.0), ("poor", -1.0),
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A coefficient with its standard error over ``n`` items; ``se`` is None for fewer than two items."""

    value: float
    se: float | None
    n: int

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """value -+ t(n - 1) se, cut at 1 (Gwet 2014, ch. 5)."""
        if self.se is None:
            return None
        # scipy takes a tenth of a second to load, and most runs ask for no closed form.
        from scipy.special import stdtrit

        half = float(stdtrit(self.n - 1, 0.5 + level / 2.0)) * self.se
        return self.value - half, min(1.0, self.value + half)

    @property
    def large_sample_se(self) -> float | None:
        """The same with divisor n instead of n - 1: the delta method on a table of two people."""
        return None if self.se is None else self.se * math.sqrt((self.n - 1) / self.n)

    def analytic(self, level: float = 0.95) -> Analytic | None:
        ends = self.interval(level)
        return None if ends is None or self.se is None else Analytic(self.se, ends[0], ends[1], GWET)


def spread_of_mean(values: Floats, count: Ints, middle: float) -> float | None:
    """Standard error of a mean of ``values`` (K), each ``count`` times, about ``middle``; None for one item."""
    n = int(count.sum())
    if n < 2:
        return None
    away = values - middle
    return math.sqrt(float((count * away * away).sum()) / (n * (n - 1.0)))


def linearised(agreement: Floats, count: Ints, paired: Floats, *, chance: float = 0.0,
               item_chance: Floats | None = None) -> Estimate | None:
    """Gwet's linearised estimate of (p_a - p_e) / (1 - p_e) over items (Gwet 2008; 2014, ch. 5).

    ``agreement`` (K): of a kind of item, read where ``paired`` (K) is 1, that is at least two values. ``item_chance``
    (K): its part in the chance agreement, with mean ``chance``; None where chance does not depend on the items.
    None where no item is paired or chance agreement is 1.
    """
    n, pairs = float(count.sum()), float((count * paired).sum())
    if pairs == 0.0 or 1.0 - chance <= 1e-12:
        return None
    value = (float((count * paired * agreement).sum()) / pairs - chance) / (1.0 - chance)
    each = n / pairs * paired * (agreement - chance) / (1.0 - chance)
    if item_chance is not None:
        each = each - 2.0 * (1.0 - value) * (item_chance - chance) / (1.0 - chance)
    return Estimate(value, spread_of_mean(each, count, value), int(n))


def normal_interval(value: float, se: float, level: float = 0.95) -> Analytic:
    """value -+ z se, not cut (the customary interval of Cohen's kappa)."""
    half = normal_quantile(0.5 + level / 2.0) * se
    return Analytic(se, value - half, value + half, ASYMPTOTIC)


def benchmark_probabilities(value: float, se: float, bands: tuple[tuple[str, float], ...] = LANDIS_KOCH
                            ) -> tuple[tuple[str, float], ...]:
    """For each band, best first, the probability that the true value lies in it or in a better one.

    Normal around ``value``, cut to [-1, 1]. Gwet (2014, ch. 6) reports the best band that exceeds 0.95. ``bands``:
    names with their lower ends, whose source goes wherever a name goes. Refused for a standard error of 0.
    """
    if not se > 0.0:
        raise Refused(N_("Without a standard error there is no probability of a band"), code="undefined")
    beyond = normal_cdf((value - 1.0) / se)
    whole = normal_cdf((value + 1.0) / se) - beyond
    return tuple((name, (normal_cdf((value - low) / se) - beyond) / whole) for name, low in bands)


def best_band(probabilities: tuple[tuple[str, float], ...], *, least: float = 0.95) -> str:
    """The first band whose cumulative probability exceeds ``least``."""
    return next((name for name, p in probabilities if p > least), probabilities[-1][0])
