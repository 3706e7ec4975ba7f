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
    assert integrated_wedge(Gaussian(2), 0.7, 0.5) == pytest.approx(0.5 / np.pi)


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


def test_the_midpoint_rule():
    law, start, width = UniformCube(2), 0.2, 0.5
    for parts in (1, 3):
        middles = start + width * (np.arange(parts) + 0.5) / parts
        expected = width * law.planar_rate(middles).mean()
        assert integrated_wedge(law, start, width, parts=parts) == pytest.approx(expected, rel=1e-12)


def test_constants():
    low, high = bounds.angle_constants()
    found = constant_ratios([low, high, 0.0])
    assert np.allclose([found["lower"], found["upper"]], [[1, low / high, np.inf], [low / high, 1, 0]])
