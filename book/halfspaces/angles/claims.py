"""Claims of Section 3.1: how angles measure error."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import numpy as np

from lifelong import laws
from lifelong.halfspaces.angles import angle
from lifelong_book.halfspaces.angles import ridge
from lifelong_book.halfspaces.angles.disagreement import constant_ratios, polygon_rates
from lifelong_book.halfspaces.assumptions.outside import FourBumps, StretchedGaussian
from lifelong_book.press.claim import Check, Claim, Finding, Generator

# lem-angle ----------------------------------------------------------------------------------------------

_TURN = np.linspace(0, np.pi, 4 * 3600 + 1)


def _laws(n: int) -> list[laws.IsotropicLaw]:
    return [law(n) for law in (*laws.ISOTROPIC_LAWS.values(), ridge.Ridge)]


def _lem_angle_general(count: int, rng: Generator) -> Finding:
    """Pairs of vectors in general position, their disagreements counted."""
    rates = []
    for n in (2, 3, 5, 20):
        for law in _laws(n):
            X = law.sample(20_000, rng=rng)
            frames = np.linalg.qr(rng.standard_normal((count // 28 + 1, n, 2)))[0]
            theta = rng.uniform(0.2, np.pi, (len(frames), 1))
            u = frames[..., 0]
            v = np.cos(theta) * u + np.sin(theta) * frames[..., 1]
            seen = np.mean((X @ u.T >= 0) != (X @ v.T >= 0), axis=0)
            rates.append(seen / angle(u, v))
    return Finding.of_ratios(constant_ratios(np.concatenate(rates)))


def _lem_angle_directions(count: int, rng: Generator, laws: Any = None) -> Finding:
    """Exact rates in all directions of a plane of two coordinates: the limits of narrow wedges."""
    rates = [law.planar_rate(_TURN) for law in laws or _laws(2)]
    found = constant_ratios(np.concatenate(rates))
    return Finding.of_ratios(found, f"rates from {np.min(rates):.2g} to {np.max(rates):.4f}")


def _lem_angle_diagonals(count: int, rng: Generator) -> Finding:
    """Laplace law: the boundary along the diagonal of N coordinates, its normal along another; exact rates."""
    rates = [float(np.sqrt(N) * Fraction(comb(2 * N, N), 4**N)) for N in range(1, count + 1)]
    return Finding.of_ratios(constant_ratios(rates))


def _lem_angle_polygons(count: int, rng: Generator) -> Finding:
    """Uniform laws on random polygons, long and short: exact rates in 180 directions."""
    rates = [
        polygon_rates(rng.standard_normal((int(rng.integers(3, 12)), 2)), rng.uniform(0, np.pi, 180))
        for _ in range(count)
    ]
    least, most = np.min(rates, axis=1), np.max(rates, axis=1)
    found = {"lower": constant_ratios(least)["lower"], "upper": constant_ratios(most)["upper"]}
    return Finding.of_ratios(found, f"rates from {least.min():.4f} to {most.max():.4f}")


def _lem_angle_rotation(count: int, rng: Generator) -> Finding:
    """Gaussian law and ball in R^5: counted disagreements against angle over pi, in units of six standard errors."""
    found, size = [], 100_000
    for law in (laws.Gaussian(5), laws.UniformBall(5)):
        X = law.sample(size, rng=rng)
        for u, v in rng.standard_normal((count, 2, 5)):
            p = angle(u, v) / np.pi
            found.append(abs(np.mean((X @ u >= 0) != (X @ v >= 0)) - p) / (6 * np.sqrt(p * (1 - p) / size)))
    return Finding.of_ratios({"angle / pi, in six standard errors": np.array(found)})


LEM_ANGLE = Claim(
    "lem-angle",
    "Lemma 1",
    "l:angle",
    "disagreement is proportional to angle",
    r"For every isotropic log-concave law on $\mathbb{R}^n$, every $n$, and all unit vectors $u$, $v$: "
    r"$c\,\theta(u,v)$ $\le P[\operatorname{sign}(u\cdot x)\ne\operatorname{sign}(v\cdot x)]$ $\le "
    r"c'\,\theta(u,v)$ with $c=1/(24\pi)$ and $c'=2e^2/(e-1)$, the same for all laws and dimensions. For a "
    r"Gaussian law and a ball the probability is $\theta(u,v)/\pi$.",
    "proved",
    scope="with explicit constants that the paper does not need and does not give; the best ones are not known",
    checks=(
        Check("vectors in general position, n = 2 to 20, counted", "random", _lem_angle_general, 2_800, scales=True),
        Check("all directions of a coordinate plane, exact rates", "adversarial", _lem_angle_directions),
        Check("Laplace law, diagonals of up to 200 coordinates, exact", "adversarial", _lem_angle_diagonals, 200),
        Check("uniform laws on random polygons, exact rates", "random", _lem_angle_polygons, 1_000, scales=True),
        Check("Gaussian law and ball in R^5, counted", "random", _lem_angle_rotation, 20),
    ),
    twins=(
        Check(
            "log-concavity dropped: four bumps",
            "exact",
            partial(_lem_angle_directions, laws=(FourBumps(2),)),
            violated=True,
            drops="log-concavity",
        ),
        Check(
            "isotropy dropped: a Gaussian law near a line",
            "exact",
            partial(_lem_angle_directions, laws=(StretchedGaussian(2, thick=1, thickness=0.02),)),
            violated=True,
            drops="isotropy",
        ),
    ),
    page="halfspaces/angles/index",
    functions=(
        "lifelong.halfspaces.bounds.angle_constants",
        "lifelong.laws.IsotropicLaw.planar_rate",
        "lifelong.halfspaces.tasks.HalfspaceTask.error",
    ),
    loose={
        "lower": "proved, not the best constant: the least rate known to us, of a ridge, is over 14 times as large",
        "upper": (
            r"proved, not the best constant: the largest rate tried is $\frac12+e^{-2}$, of two exponential "
            "variables"
        ),
        "angle / pi, in six standard errors": "a count has noise, and six standard errors leave room for all of it",
    },
)


CLAIMS = (LEM_ANGLE,)
