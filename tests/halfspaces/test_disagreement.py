"""Disagreement for each radian: integrals against counts, polygons against laws with a formula."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong.halfspaces import bounds
from lifelong.laws import ISOTROPIC_LAWS, Gaussian, UniformCube
from lifelong_book.halfspaces.angles.disagreement import (
    constant_ratios,
    counted_wedge,
    integrated_wedge,
    polygon_rates,
    random_pair_rates,
)


@pytest.mark.parametrize("kind", ISOTROPIC_LAWS.values(), ids=list(ISOTROPIC_LAWS))
def test_integrals_and_counts_agree(kind):
    law = kind(3)
    X = law.sample(100_000, rng=0)[:, :2]
    for start, width in ((0.0, 0.3), (-1.0, 1.2), (2.0, np.pi)):
        share, spread = counted_wedge(X, start, width)
        assert abs(share - integrated_wedge(law, start, width)) <= 5 * spread + 1e-5


def test_a_wedge_by_hand():
    assert integrated_wedge(Gaussian(2), 0.7, 0.5) == pytest.approx(0.5 / np.pi)
    points = [
        [1, 0.1],
        [1, -0.1],
        [0.1, 1],
        [-1, 0.1],
    ]  # the boundaries are the axes: the second quadrant and the fourth
    assert counted_wedge(points, 0, np.pi / 2)[0] == 0.5


def test_random_pairs():
    rates = random_pair_rates(Gaussian(4), pairs=20, angle=0.5, size=50_000, rng=0)
    assert rates.shape == (20,)
    assert np.allclose(rates, 1 / np.pi, atol=0.02)
    assert np.array_equal(rates, random_pair_rates(Gaussian(4), pairs=20, angle=0.5, size=50_000, rng=0))


def test_polygons():
    turns = np.linspace(0, np.pi, 50)
    square = [[5, 5], [9, 5], [9, 9], [5, 9], [6, 6]]  # moved and scaled, with a point inside
    assert np.allclose(polygon_rates(square, turns), UniformCube(2).planar_rate(turns))
    circle = np.column_stack([np.cos(angles := np.linspace(0, 2 * np.pi, 400)), np.sin(angles)])
    assert np.allclose(polygon_rates(circle, turns), 1 / np.pi, atol=1e-3)


def test_constants():
    low, high = bounds.angle_constants()
    found = constant_ratios([low, high, 0.0])
    assert np.allclose(found["lower"], [1, low / high, np.inf])
    assert np.allclose(found["upper"], [low / high, 1, 0])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: integrated_wedge(Gaussian(2), np.nan, 1.0), "start"),
        (lambda: integrated_wedge(Gaussian(2), 0.0, 4.0), "width"),
        (lambda: integrated_wedge(Gaussian(2), 0.0, 1.0, parts=0), "parts"),
        (lambda: counted_wedge(np.ones((3, 3)), 0.0, 1.0), "X"),
        (lambda: random_pair_rates(Gaussian(2), angle=0.0), "angle"),
        (lambda: random_pair_rates(Gaussian(2), pairs=0), "pairs"),
        (lambda: polygon_rates([[0, 0], [1, 1]], [0.0]), "corners"),
        (lambda: constant_ratios("fast"), "rates"),
    ],
)
def test_refusals(call, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        call()


def test_the_midpoint_rule():
    law, start, width = UniformCube(2), 0.2, 0.5
    one = width * float(law.planar_rate(0.45))
    assert integrated_wedge(law, start, width, parts=1) == pytest.approx(one, rel=1e-12)
    middles = [0.2 + 0.5 * share for share in (1 / 6, 1 / 2, 5 / 6)]
    three = width / 3 * sum(float(law.planar_rate(middle)) for middle in middles)
    assert integrated_wedge(law, start, width, parts=3) == pytest.approx(three, rel=1e-12)
