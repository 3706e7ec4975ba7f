"""Where the open problems of Section 6 start: laws that are not log-concave, and anchors of real dictionaries."""

from collections.abc import Iterator
from math import pi
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.random import Generator

from lifelong._checks import BoolArray, FloatArray
from lifelong.laws import Law
from lifelong.polynomials.polynomial import cube


class Clusters(Law):
    """Where an open problem starts, a law: two clusters along the first axis; the other coordinates are normal."""

    def _draw(self, shape: tuple[int, int], rng: Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        side = rng.choice([-0.99, 0.99], shape[0])
        X[:, 0] = side + np.sqrt(1 - 0.99**2) * X[:, 0]
        return X


def clustered(phi: FloatArray, mu: float = 0.99) -> Any:
    """Where an open problem starts: how often halfspaces at angle phi disagree on two clusters, not log-concave."""
    node, weight = np.polynomial.legendre.leggauss(120)
    cdf = np.vectorize(NormalDist().cdf)
    spread, chance = np.sqrt(1 - mu**2), 0.0
    corner = max(-9.0, -mu / spread)  # there |x_1| has a kink at 0
    for low, high in ((-9.0, corner), (corner, 9.0)):
        z = low + (high - low) * (node + 1) / 2
        share = weight * (high - low) / 2 * np.exp(-(z**2) / 2)
        least = np.abs(mu + spread * z) / np.tan(phi)[..., None]
        chance = chance + cdf(-least) @ share / np.sqrt(2 * pi)
    return chance


def errors_on_majority(k: int, draws: int) -> tuple[float, list[float]]:
    """Where an open problem starts: exact errors of the sum of the rules, and of combinations around it."""
    X = 2.0 * cube(2 * k) - 1  # all examples there are
    targets, rules = X[:, :k], X[:, :k] + 0.9 * X[:, k:]
    assert (np.sign(rules) == targets).all()  # each is perfect
    majority = np.sign(targets.sum(axis=1))
    rng = np.random.default_rng(0)
    far = rng.random((draws, 1)) ** 3  # most of them small
    around = 1 + far * rng.standard_normal((draws, k))
    tried = (np.ones(k), *around)
    wrong = [np.sign(rules @ c) != majority for c in tried]
    of_sum, *rest = (float(np.mean(w)) for w in wrong)
    return of_sum, rest


def successive_projection(X: FloatArray, k: int) -> list[int]:
    """A start on the open problem of real anchors: columns of X, scaled to sum 1, that are corners of their hull."""
    R = X / np.maximum(np.abs(X.sum(axis=0)), 1e-12)
    chosen = []
    for _ in range(k):
        j = int(np.argmax((R**2).sum(axis=0)))  # the longest
        chosen.append(j)
        direction = R[:, j] / np.linalg.norm(R[:, j])
        R = R - np.outer(direction, direction @ R)
    return chosen


def dictionary(k: int, n: int, leak: float, rng: Generator) -> FloatArray:
    """A dictionary for the open problem of real anchors: non-negative atoms, each with a coordinate, up to a leak."""
    D = rng.random((k, n))
    others = leak * (1 - np.eye(k)) * rng.random((k, k))
    D[:, :k] = np.eye(k) + others
    return D


def two_valued(v: FloatArray, tolerance: float) -> Any:
    """For the open problem of real anchors: the indicator of the nonzero values, if they are all alike, else None."""
    top = np.abs(v).max()
    high = np.abs(v) > top / 2
    if top < 1e-9 or high.all():
        return None
    values = np.where(high, np.median(v[high]), 0)
    alike = np.abs(v - values).max() <= tolerance * top
    return high if alike else None


def functions(X: FloatArray, c: int) -> Iterator[FloatArray]:
    """For the open problem of real anchors: columns, or for c = 2 the functions of two that vanish on a row."""
    # c is 1 or 2
    if c == 1:
        yield from X.T
        return
    for i in range(X.shape[1]):
        for j in range(i):
            pair = X[:, [i, j]]
            for a, b in np.unique(np.round(pair, 9), axis=0):
                if abs(a) + abs(b) > 1e-6:  # 0 along this direction
                    yield pair @ np.array([-b, a])


def single_out(X: FloatArray, c: int, tolerance: float = 1e-6) -> BoolArray:
    """A start on the open problem of real anchors: columns of coefficients found in sets of c = 1 or 2 coordinates."""
    highs = [two_valued(v, tolerance) for v in functions(X, c)]
    found = {high.tobytes(): high for high in highs if high is not None}
    return np.array([*found.values()], bool).reshape(-1, len(X))


def planted(k: int, c: int, m: int, rng: Generator) -> tuple[BoolArray, FloatArray]:
    """A dictionary for the open problem of real anchors: binary coefficients, atoms with anchor sets of size c."""
    C = rng.random((m, k)) < 0.5
    D = rng.standard_normal((k, c * k))
    for j in range(k):
        others = np.arange(k) != j
        block = slice(c * j, c * j + c)
        scale = rng.standard_normal((k - 1, 1)) * (c > 1)
        D[others, block] = scale * rng.standard_normal((1, c))
    return C, D


def same(found: BoolArray, C: BoolArray) -> bool:
    """For the open problem of real anchors: whether the columns found are those of C."""
    mine, true = ([r.tobytes() for r in rows] for rows in (found, C.T))
    return sorted(mine) == sorted(true)
