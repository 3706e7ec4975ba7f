"""Close vectors and the spans they make: the figure, the lemmas and the counterexample of Section 3.2, computed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, integer, real_array
from lifelong.halfspaces import instances
from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle
from lifelong_book.halfspaces.perturbation import families


def figure_vectors() -> dict[str, FloatArray]:
    """The vectors of `fig-perturbation`, from the angles in its caption: 0.01 and 0.1 radian."""
    small, large = 0.01, 0.1
    a1, e2, e3 = np.eye(3)
    tilted = np.cos(large) * a1 + np.sin(large) * e3
    near = np.cos(small) * a1 + np.sin(small) * e2
    # b is turned so far that its estimate is 0.1 away from a1
    turn = np.arccos(np.cos(large) / np.cos(small))
    flat = np.cos(turn) * a1 + np.sin(turn) * e2
    lifted = np.cos(small) * flat + np.sin(small) * e3
    first = {"w1": near, "w2": a1, "w1~": tilted, "w2~": a1}
    return {**first, "a1": a1, "b": flat, "b~": lifted}


def one_vec_angles(U: ArrayLike, b: ArrayLike, estimate: ArrayLike) -> tuple[Any, Any, Any]:
    """The three angles of `lem-one-vec`."""
    rows = real_array("U", U, axes=2)
    pair = (real_array("b", b), real_array("estimate", estimate))
    V, V_estimate = (np.concatenate([rows, x[..., None, :]], axis=-2) for x in pair)
    return subspace_angle(V, V_estimate), angle(*pair), angle_to_subspace(pair[1], rows)


def largest_error(k: int, separation: ArrayLike) -> Any:
    r"""The largest error that the precondition of `lem-subspace` admits."""
    return real_array("separation", separation, axes=0) ** 2 / (10 * integer("k", k, least=1))


def chain_ratio(
    k: int, gamma: float, bound: Callable[[int, Any, Any], Any], *, share: float = 1.0, separation: float = 1.0
) -> float:
    """Angle from the true to the learned span of the extremal chain, over a bound, at an error that is admitted."""
    error = share * float(largest_error(k, gamma))
    true, learned = families.worst_targets(instances.chain(k, separation * gamma), error)
    return float(subspace_angle(true, learned) / bound(k, error, gamma))


def _arctan_bounds(x: Fraction, terms: int = 6) -> tuple[Fraction, Fraction]:
    """Rational numbers below and above arctan(x) for 0 < x < 1: partial sums of the alternating series."""
    parts = [(-1) ** i * x ** (2 * i + 1) / (2 * i + 1) for i in range(2 * terms + 1)]
    return sum(parts[:-1], Fraction(0)), sum(parts, Fraction(0))


def _dot(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    return sum((x * y for x, y in zip(u, v, strict=True)), Fraction(0))


def _tangent_squared(u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Fraction:
    """Square of the tangent of the angle between two rational vectors."""
    return _dot(u, u) * _dot(v, v) / _dot(u, v) ** 2 - 1


def exact_counterexample() -> dict[str, Fraction]:
    """Rational bounds by which `hand_counterexample` refutes `lem-subspace`, no rounding anywhere."""
    true, learned = instances.hand_counterexample()
    quarter = Fraction(1, 4)
    e3 = (Fraction(0), Fraction(0), Fraction(1), Fraction(0))
    separations = (_tangent_squared(learned[1], learned[0]), _tangent_squared(learned[2], e3) ** -1)
    assert all(t == quarter**2 for t in separations), "both separations have tangent 1/4"
    errors = [_tangent_squared(a, b) for a, b in zip(true, learned, strict=True)]
    assert max(errors) <= Fraction(1, 500) ** 2, "every error is at most arctan(1/500)"
    # a3 - 4 a2 + 16 a1 = (0, 0, 1, 36/500): its tangent to the learned span {x4 = 0} is 36/500
    combined = tuple(z - 4 * y + 16 * x for x, y, z in zip(*true, strict=True))
    assert combined[:3] == (0, 0, 1), "the combination lies over the third axis"
    separation, error = _arctan_bounds(quarter)[0], _arctan_bounds(Fraction(1, 500))[1]
    return {
        "separation": separation,
        "error": error,
        "allowed": separation**2 / 30,
        "printed": 6 * error / separation,
        "angle": _arctan_bounds(combined[3])[0],
    }
