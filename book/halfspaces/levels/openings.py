"""How many features Algorithm 2 opens where rounding would decide: in fractions, in many digits, on given answers.

The counterexamples to `thm-two-levels` live at accuracies that doubles barely hold. Here the box is walked through
once more, by hand, with the arithmetic that each of them needs.
"""

from fractions import Fraction
from itertools import combinations
from math import gcd, lcm
from typing import Any

import numpy as np
from mpmath import mp

from lifelong._checks import FloatArray, RNGLike, as_array, integer
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle, angle_to_subspace, unit
from lifelong.loop import How, Run
from lifelong_book.halfspaces.levels import instances
from lifelong_book.halfspaces.levels.experiments import exact_levels, level_accuracies
from lifelong_book.halfspaces.many_digits import precise


# `TwoLevels` with an oracle in many digits would not do: the representation itself keeps features, frame and
# coefficients, and it keeps them in doubles. So the box stands here a second time, for mpmath numbers.
def precise_levels(
    targets: Any, epsilon: Any, *, tau: int, second: Any, first: Any, digits: int = 120
) -> list[tuple[How, float]]:
    """Openings of Algorithm 2 in many digits: a run with exact oracles, all errors along the last axis."""
    rows = as_array("targets", targets, "numbers in shape (m, n)", "biufO", 2, 2)
    tau = integer("tau", tau, least=1)
    with mp.workdps(integer("digits", digits, least=15)):
        named = {"epsilon": epsilon, "second": second, "first": first}
        limits = [mp.sin(mp.pi * _share(name, x)) for name, x in named.items()]
        axis = np.array([mp.mpf(int(j == rows.shape[1] - 1)) for j in range(rows.shape[1])])
        levels: tuple[list[Any], list[Any]] = ([], [])
        found: list[tuple[How, float]] = []
        for row in rows:
            target = np.array([precise("targets", x) for x in row])
            subsets = combinations(levels[1], min(tau, len(levels[1])))
            sine = min(_long(_rest(target, _basis(subset))) for subset in subsets)
            found.append((_precise_step(target, axis, *levels, sine, limits), float(sine / limits[0])))
        return found


def _share(name: str, value: Any) -> Any:
    """An error in (0, 1/2), in the precision of the context."""
    x = precise(name, value)
    if not 0 < x < 0.5:
        raise ValueError(f"{name}: expected a number in (0, 1/2), got {value!r}")
    return x


def _precise_step(target: Any, axis: Any, first: list[Any], second: list[Any], sine: Any, limits: list[Any]) -> How:
    """Learn one task in place, and say how."""
    if sine <= limits[0]:
        return "reused"
    span = _basis(first)
    rest = _rest(target, span)
    if span and _long(rest) <= limits[1]:
        near = (target - rest) / _long(target - rest)
        side = axis - _rest(axis, span)  # the part of the axis that the first level can express
        cosine = mp.sqrt(1 - limits[1] ** 2) / _long(target - rest)
        second.append(_turned(near, side, min(mp.mpf(1), cosine)))
        return "composed"
    first.append(_turned(target, axis, mp.sqrt(1 - limits[2] ** 2)))
    second.append(first[-1])
    return "scratch"


def _rest(vector: Any, basis: list[Any]) -> Any:
    """What is left of a vector beside an orthonormal basis, in the precision of the context."""
    for _ in range(2):
        for row in basis:
            vector = vector - (vector @ row) * row
    return vector


def _long(vector: Any) -> Any:
    return mp.sqrt(vector @ vector)


def _basis(rows: Any) -> list[Any]:
    basis: list[Any] = []
    for row in rows:
        rest = _rest(row, basis)
        basis.append(rest / _long(rest))
    return basis


def _turned(vector: Any, towards: Any, cosine: Any) -> Any:
    """A unit vector turned towards another one by an angle of given cosine."""
    side = _rest(towards, [vector])
    if _long(side) < mp.mpf(10) ** (-mp.dps // 2):
        return vector
    return cosine * vector + mp.sqrt(1 - cosine**2) * side / _long(side)


def crowded_run(epsilon: float, *, tau: int, square: float = 0.1, rng: RNGLike = None) -> Run[TwoLevels]:
    """What Algorithm 2 opens on a draw of `instances.crowded_subspace` at the printed accuracies, in doubles."""
    second, first = level_accuracies("printed", tau + 1, tau, epsilon, square=square)
    rows = np.array(instances.crowded_subspace(tau, epsilon, second, rng=rng), dtype=np.float64)
    return exact_levels(rows, epsilon, tau=tau, second=second, first=first, direction="common")


def crowded_openings(epsilon: Any, *, tau: int, square: Any, rng: RNGLike = 0) -> int:
    """Features opened in one space on `instances.crowded_subspace` at the printed accuracies, in 120 digits."""
    with mp.workdps(120):
        second, first = level_accuracies(
            "printed", tau + 1, tau, _share("epsilon", epsilon), square=precise("square", square)
        )
        rows = instances.crowded_subspace(tau, mp.mpf(epsilon), second, rng=rng)
        steps = precise_levels(rows, epsilon, tau=tau, second=second, first=first)
        return sum(how != "reused" for how, _ in steps[tau:])


def whole(row: Any) -> Any:
    """For openings in fractions: the direction of a row, as a multiple of it in whole numbers."""
    times = lcm(*(x.denominator for x in row))
    multiple = [x.numerator * (times // x.denominator) for x in row]
    return np.array(multiple, dtype=object)


def sine_squared(vector: Any, rows: Any) -> Any:
    """For openings in fractions: squared sine of the angle from a vector to the span of rows, exactly."""
    v, left = whole(vector), Fraction(1)
    basis: list[Any] = []
    for row in map(whole, rows):  # Gram-Schmidt, in whole numbers
        for b in basis:
            row = (b @ b) * row - (row @ b) * b
        if row.any():
            b = row // gcd(*row)
            basis.append(b)
            left -= Fraction((v @ b) ** 2, (b @ b) * (v @ v))
    return left


def serves(rows: Any, target: Any, error: Fraction) -> bool:
    """For openings in fractions: whether a span holds a vector that good; it must be sure, for pi is in [3, 22/7]."""
    far = sine_squared(target, rows)
    assert not (3 * error) ** 2 < far <= (Fraction(22, 7) * error) ** 2
    return bool(far <= (3 * error) ** 2)


def tiers(targets: Any, answers: Any, tau: int, epsilon: Fraction, second: Fraction, first: Fraction) -> list[How]:
    """What Algorithm 2 opens for targets that get these answers, in fractions; it asserts that they are allowed."""
    how: list[How] = []
    W_: list[Any] = []
    U_: list[Any] = []
    for a, w_ in zip(targets, answers, strict=True):
        few = combinations(U_, min(tau, len(U_)))
        if any(serves(S, a, epsilon) for S in few):  # 3(a)
            how.append("reused")
            continue
        dense = serves(W_, a, second)  # 3(b)
        # answers are accurate; a composed one is in the span of W_
        assert serves([w_], a, second if dense else first)
        given = not dense or sine_squared(w_, W_) == 0
        assert given, "the first level serves this target"
        how.append("composed" if dense else "scratch")
        U_.append(w_)
        if not dense:  # 1, 2 and 3(b)(b)
            W_.append(w_)
    return how


def tiers_in_doubles(stream: instances.Answered, epsilon: float, *, tau: int, second: float) -> list[How]:
    """What Algorithm 2 opens on an answered stream whose answers from scratch are the targets; Gaussian law."""
    how: list[How] = []
    W_: FloatArray = np.empty((0, stream.targets.shape[1]))
    U_: list[FloatArray] = []
    bases: list[FloatArray] = []  # of the spans that came with each answer
    for a, w_ in zip(unit(stream.targets), unit(stream.learned), strict=True):
        inside = max((((few @ a) ** 2).sum(axis=1).max() for few in bases), default=0.0)
        if 1 - inside <= np.sin(np.pi * epsilon) ** 2:  # 3(a)
            how.append("reused")
            continue
        dense = len(W_) and angle_to_subspace(a, W_) <= np.pi * second
        if dense:  # 3(b)(a)
            assert angle(a, w_) <= np.pi * second
            assert angle_to_subspace(w_, W_) <= 1e-13
        else:  # 1, 2 and 3(b)(b)
            assert (a == w_).all()
            W_ = np.vstack([W_, w_])
        how.append("composed" if dense else "scratch")
        few = np.array([[*others, w_] for others in combinations(U_, min(tau - 1, len(U_)))])
        bases.append(np.linalg.qr(few.mT)[0].mT)
        U_.append(w_)
    return how
