"""Targets, streams and wrong labels for Algorithm 1: random, in fans, by hand, in 200 digits; vectors are rows."""

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from mpmath import mp

from lifelong._checks import FloatArray, RNGLike, integer
from lifelong_book.halfspaces.many_digits import DIGITS, Real, family_arguments, precise, sine_of_error


def random_targets(k: int, n: int, m: int, *, rng: RNGLike = None) -> FloatArray:
    """Targets for runs of Algorithm 1: random unit vectors of R^n on the first k axes."""
    A = np.zeros((m, n))
    A[:, :k] = np.random.default_rng(rng).standard_normal((m, k))
    return A / np.linalg.norm(A, axis=1, keepdims=True)  # type: ignore[no-any-return]


def fans(k: int, epsilon: float, epsilon_acc: float) -> FloatArray:
    """Streams of Algorithm 1's chapter: `many_digits.logarithmic_family` in doubles, with room for errors."""
    s0, tau = np.sin(np.pi * epsilon), np.tan(np.pi * epsilon_acc)
    rho, sines = np.sqrt(1 + (s0 / tau) ** 2), [s0]
    while sines[-1] * rho <= 1:
        sines.append(sines[-1] * rho)
    x, N = np.array(sines)[:, None], 1 + (k - 1) * len(sines)
    e = np.eye(k, k + N)
    rest = [np.sqrt(1 - x**2) * e[0] + x * e[j] for j in range(1, k)]
    return np.vstack([e[:1], *rest])


def leaning_targets(k: int, m: int, gamma: float, *, room: int = 0, rng: RNGLike = None) -> FloatArray:
    """Streams of Algorithm 1's chapter: random targets that lean out of a space, each along its own axis."""
    flat = random_targets(k, k + m + room, m, rng=rng)
    own = np.eye(m, k + m + room, k=k)
    leaning: FloatArray = np.cos(gamma) * flat + np.sin(gamma) * own
    return leaning


class Perturbation(NamedTuple):
    """A stream of Algorithm 1's chapter with its answers: vectors and their estimates, row by row."""

    true: Any
    learned: Any


def hand_stream() -> Perturbation:
    """A stream against Theorem 1 by hand: four targets in three dimensions of R^4 that open four features."""
    rows = [[1, 0, 0, 0], [318, 1, 0, 0], [0, 318, 1, 0], [0, 0, 1, 0]]
    true = np.array([[Fraction(x) for x in row] for row in rows], dtype=object)
    learned = true.copy()
    learned[1, 3] = Fraction(1, 100_000)
    return Perturbation(true, learned)


def doubling_in_room(k: int, n: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    """A stream of Algorithm 1's chapter, k dimensions of R^n, that opens min(n, 2k - 2) features."""
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 2)
        twice = min(k - 2, integer("n", n, least=k) - k)
        s, turn = sine_of_error(e), mp.tan(mp.pi * a)
        c = mp.sqrt(1 - s**2)
        zero, one = mp.mpf(0), mp.mpf(1)
        rows: list[tuple[dict[int, Any], int, Any]] = [({0: one}, 0, zero), ({0: c, 1: s}, k, turn)]
        pull = s * (s / c) / turn
        for j in range(2, 2 + twice):
            inverse = mp.sqrt(1 + (s / c) ** 2 + pull**2)
            if s * inverse > 1:
                raise ValueError(f"epsilon: expected a smaller one for k = {k} and n = {n}, got {float(e):g}")
            rows.append(({j - 1: c, j: s}, k + j - 1, turn / inverse))
            rows.append(({0: mp.sqrt(1 - (s * inverse) ** 2), j: s * inverse}, k + j - 1, turn))
            pull = s * (s / c) / turn * inverse
        rows += [({j: one}, 0, zero) for j in range(2 + twice, k)]
        true = np.full((len(rows), n), zero, dtype=object)
        learned = true.copy()
        for i, (entries, axis, error) in enumerate(rows):
            for j, x in entries.items():
                true[i, j] = x
                learned[i, j] = x
            if axis < k + twice:  # no axis is left for the errors of the last direction: it has none
                learned[i, axis] += error
                learned[i] /= mp.sqrt(1 + error**2)
        return Perturbation(true, learned)


def sharp_family(k: int, epsilon: Real, epsilon_acc: Real) -> Perturbation:
    r"""A stream of Algorithm 1's chapter, answers the worst: `thm-halfspaces-determinant` to first order."""
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 1)
        s, t = sine_of_error(e), mp.sin(mp.pi * a)
        sines = [s]
        while sines[-1] * s / t <= 1:
            sines.append(sines[-1] * s / t)
        room = k + (k - 1) * len(sines)
        true = np.full((1 + (k - 1) * len(sines), room), mp.mpf(0), dtype=object)
        true[0, 0] = mp.mpf(1)
        learned = true.copy()
        turn = mp.sqrt(1 - (t / s) ** 2)  # cosine of how far the new direction turns into its fresh axis
        for j in range(1, k):
            rest = np.full(room, mp.mpf(0), dtype=object)  # what of the axis is outside of the learned span
            rest[j] = mp.mpf(1)
            for i, sine in enumerate(sines):
                row = 1 + (j - 1) * len(sines) + i
                true[row, 0], true[row, j] = mp.sqrt(1 - sine**2), sine
                length = mp.sqrt(rest.dot(rest))
                new = turn * rest / length
                new[k + row - 1] += t / s
                outside = sine * rest  # of the target, its length is s
                nearest = true[row] - outside + new * outside.dot(new)
                learned[row] = nearest / mp.sqrt(nearest.dot(nearest))
                rest = rest - new * rest.dot(new)
        return Perturbation(true, learned)


def all_within(targets: Any, learned: Any, accuracy: Any) -> bool:
    """Streams of Algorithm 1's chapter: whether all answers keep the accuracy, in the precision of the context."""
    chords = (mp.sqrt((a - b).dot(a - b)) for a, b in zip(targets, learned, strict=True))
    return all(2 * mp.asin(x / 2) <= mp.pi * accuracy * (1 + mp.mpf(10) ** -100) for x in chords)


def refusals_with(targets: Any, learned: Any, epsilon: Real) -> list[float]:
    r"""Streams of Algorithm 1's chapter: how far targets are from the answers before, in 200 digits."""
    true, rows = np.array(targets, dtype=object), np.array(learned, dtype=object)
    with mp.workdps(DIGITS):
        e = precise("epsilon", epsilon)
        true, rows = (np.vectorize(mp.mpmathify, otypes=[object])(x) for x in (true, rows))
        found: list[float] = []
        basis: list[Any] = []
        for target, row in zip(true, rows, strict=True):
            outside, new = target, row
            for b in basis:
                outside, new = outside - b * b.dot(outside), new - b * b.dot(new)
            found.append(float(mp.sqrt(outside.dot(outside)) / mp.sin(mp.pi * e)))
            basis.append(new / mp.sqrt(new.dot(new)))
        return found


def far_flips(size: int, k: int, noise: float, *, rng: RNGLike = None) -> tuple[FloatArray, Any]:
    """Examples of Algorithm 1's chapter, against learners from samples: labels of x_1 >= 0 wrong far out along x_2."""
    X = np.random.default_rng(rng).standard_normal((size, k))
    y = np.where(X[:, 0] >= 0, 1, -1)
    far = np.argsort(-np.abs(X[:, 1]))[: round(2 * noise * size)]
    y[far] = np.where(X[far, 1] >= 0, -1, 1)
    return X, y
