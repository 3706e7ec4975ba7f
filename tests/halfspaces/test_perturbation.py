"""The figure and the lemmas of Section 3.2, computed: against their captions, and in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp

from lifelong.halfspaces import bounds, instances, perturbation
from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle


def test_the_figure_has_the_angles_of_its_caption():
    v = perturbation.figure_vectors()
    assert all(np.linalg.norm(x) == pytest.approx(1, abs=1e-15) for x in v.values())
    assert angle(v["b"], v["b~"]) == pytest.approx(0.01, rel=1e-12)
    assert angle(v["a1"], v["b~"]) == pytest.approx(0.1, rel=1e-12)
    assert subspace_angle([v["w1"], v["w2"]], [v["w1~"], v["w2~"]]) == pytest.approx(np.pi / 2)


def test_one_vec_angles_broadcast():
    U, b, estimate = instances.replaced_vector(7, 5, 3, rng=0)
    between, error, separation = perturbation.one_vec_angles(U, b, estimate)
    assert between.shape == error.shape == separation.shape == (7,)
    one = perturbation.one_vec_angles(U[4].tolist(), b[4].tolist(), estimate[4].tolist())
    assert np.allclose(one, [between[4], error[4], separation[4]], rtol=0, atol=1e-14)
    assert separation[4] == angle_to_subspace(estimate[4], U[4])


def test_the_largest_error():
    assert np.allclose(perturbation.largest_error(3, [0.1, 0.3]), [0.01 / 30, 0.09 / 30])
    with pytest.raises(ValueError, match=r"^k: expected"):
        perturbation.largest_error(0, 0.1)


@pytest.mark.parametrize("k", [1, 2, 3, 6])
def test_the_chain_reaches_the_sharp_bound_and_no_more(k):
    assert perturbation.chain_ratio(k, 0.3, bounds.subspace_sharp) == pytest.approx(1, rel=1e-9)
    assert perturbation.chain_ratio(k, 0.3, bounds.subspace_sharp, share=0.5) == pytest.approx(1, rel=1e-9)
    if k in (2, 3):  # beyond, both are near a right angle
        assert perturbation.chain_ratio(k, 0.3, bounds.subspace_sharp, separation=0.5) > 1.5


@pytest.mark.parametrize("x", [Fraction(1, 4), Fraction(1, 500), Fraction(9, 125)])
def test_arctan_bounds(x):
    low, high = perturbation._arctan_bounds(x)
    with mp.workdps(120):
        middle = mp.atan(mp.mpf(x.numerator) / x.denominator)
        assert mp.mpf(low.numerator) / low.denominator < middle < mp.mpf(high.numerator) / high.denominator


def test_the_counterexample_refutes():
    x = perturbation.exact_counterexample()
    assert x["error"] <= x["allowed"] and x["angle"] > x["printed"]
    true, learned = (np.array(rows, dtype=float) for rows in instances.hand_counterexample())
    assert float(x["error"]) == pytest.approx(angle(true, learned).max(), rel=1e-9)
    assert float(x["angle"]) <= subspace_angle(true, learned)


@pytest.mark.parametrize("spoiled", [(1, 1), (2, 3), (2, 2)])
def test_another_counterexample_is_not_passed_off(spoiled, monkeypatch):
    true, learned = (list(map(list, rows)) for rows in instances.hand_counterexample())
    row, column = spoiled
    (true if column == 3 else learned)[row][column] += Fraction(1, 7)
    monkeypatch.setattr(instances, "hand_counterexample", lambda: (true, learned))
    with pytest.raises(AssertionError, match=r"tangent 1/4|arctan"):
        perturbation.exact_counterexample()


def test_random_vectors_and_the_printed_bound():
    found = perturbation.printed_ratios(5, 8, count=400, few=40, rng=0)
    assert [len(r) for r in found.values()] == [400, 400, 40]
    equal, worst = found["equal separations"], found["worst errors"]
    assert (worst >= equal[:40] * (1 - 1e-9)).all()
    assert np.mean(worst > 1) > np.mean(equal > 1) > np.mean(found["Gaussian"] > 1)
    for bad in ({"count": 0}, {"few": 401}):
        with pytest.raises(ValueError, match=rf"^{next(iter(bad))}: expected"):
            perturbation.printed_ratios(5, 8, **{"count": 400, "few": 40, **bad})
    with pytest.raises(ValueError, match=r"^n: expected"):
        perturbation.printed_ratios(5, 5, count=4, few=4)
