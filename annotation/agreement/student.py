"""Student's t: quantiles and tails, without loading scipy where a series does."""

from __future__ import annotations

from annotation.agreement.intervals import normal_quantile


def student(p: float, freedom: float) -> float:
    """Quantile of Student's t, to the ninth digit; from 100 degrees of freedom on as a series in 1 / freedom around
    the normal quantile (Fisher and Cornish 1960; Abramowitz and Stegun 26.7.5)."""
    if freedom >= 100.0:
        z, v = normal_quantile(p), freedom
        return (z + (z**3 + z) / (4.0 * v) + (5.0 * z**5 + 16.0 * z**3 + 3.0 * z) / (96.0 * v**2)
                + (3.0 * z**7 + 19.0 * z**5 + 17.0 * z**3 - 15.0 * z) / (384.0 * v**3)
                + (79.0 * z**9 + 776.0 * z**7 + 1482.0 * z**5 - 1920.0 * z**3 - 945.0 * z) / (92160.0 * v**4))
    # scipy takes a third of a second to load: more than everything else that an instant interval needs.
    from scipy.special import stdtrit

    return float(stdtrit(freedom, p))


def student_p(t: float, freedom: float) -> float:
    """Two-sided p of a value of Student's t."""
    # As above.
    from scipy.special import stdtr

    return float(2.0 * stdtr(freedom, -abs(t)))
