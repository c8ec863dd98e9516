"""Intervals and tests: printed values, another program's values, and what has no interval."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.agreement import intervals


def test_normal_quantiles_are_scipys_to_the_twelfth_digit() -> None:
    from scipy.stats import norm  # heavy: 0.5 s

    for p in (1e-12, 1e-5, 0.001, 0.02425, 0.025, 0.3, 0.5, 0.8, 0.975, 0.9999, 1 - 1e-9):
        assert intervals.normal_quantile(p) == pytest.approx(float(norm.ppf(p)), rel=1e-11, abs=1e-12)


def test_wilson_of_newcombe_1998_is_the_printed_interval() -> None:
    # Newcombe (1998), table I: 81/263 and 15/148, methods 3 and 4.
    assert intervals.wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert intervals.wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert intervals.wilson_continuity(81, 263) == pytest.approx((0.2535, 0.3682), abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_stays_within_0_and_1(counts: tuple[int, int]) -> None:
    k, n = counts
    for found in (intervals.wilson(k, n), intervals.wilson_continuity(k, n)):
        assert found is not None and 0.0 <= found[0] <= k / n <= found[1] <= 1.0


def test_wilson_of_nothing_is_none() -> None:
    assert intervals.wilson(0, 0) is None and intervals.wilson_continuity(0, 0) is None


@given(st.integers(0, 60), st.integers(0, 60))
def test_exact_mcnemar_is_the_binomial_test(b: int, c: int) -> None:
    from scipy.stats import binomtest  # heavy: 0.5 s

    expected = binomtest(b, b + c).pvalue if b + c else 1.0
    assert intervals.mcnemar_exact(b, c) == pytest.approx(expected, abs=1e-10)
    assert intervals.mcnemar_mid_p(b, c) <= intervals.mcnemar_exact(b, c) + 1e-12


def test_holm_steps_down_and_never_falls() -> None:
    # Holm (1979) by hand: 0.01 x 4, 0.02 x 3, then 0.03 x 2 = 0.06, 0.04 held at 0.06.
    assert intervals.holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert intervals.holm([]) == []


def test_bca_of_a_mean_is_scipys() -> None:
    from scipy.stats import bootstrap  # heavy: 0.5 s

    data = np.random.default_rng(4).exponential(size=60).round(1)
    ours = intervals.bca_of_mean(data, replicates=40_000, seed=1)
    theirs = bootstrap((data,), np.mean, n_resamples=40_000, method="BCa", rng=np.random.default_rng(1))
    assert ours.pair == pytest.approx(tuple(theirs.confidence_interval), abs=0.01)


def test_where_a_bootstrap_says_nothing_there_is_a_reason_and_no_interval() -> None:
    assert "same value" in str(intervals.bca_of_mean(np.ones(20)).reason)
    assert "no values" in str(intervals.bca_of_mean(np.zeros(0)).reason)
    undefined = np.r_[np.full(300, np.nan), np.random.default_rng(0).normal(size=700)]
    assert "undefined" in str(intervals.bca(0.0, undefined).reason)
    one_side = intervals.bca(5.0, np.random.default_rng(0).normal(size=1000))
    assert one_side.pair is None and "one side" in str(one_side.reason)


def test_the_acceleration_of_a_symmetric_sample_is_zero() -> None:
    values = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    assert intervals.acceleration(values, np.ones(5)) == pytest.approx(0.0, abs=1e-15)
    assert intervals.acceleration(np.full(9, math.pi), np.ones(9)) == 0.0
