"""Streams that doubles cannot hold, in 200 digits: for Theorem 1 as printed and as repaired; every vector is a row."""

from itertools import product
from typing import Any

import numpy as np
from mpmath import mp

from lifelong._checks import integer

#: A float, a fraction or a number of mpmath, which comes without types.
Real = Any


#: Digits of the instances that doubles cannot hold.
DIGITS = 200


def precise(name: str, value: Any) -> Any:
    """Return `value` as a number of mpmath, in the precision of the context: for what doubles cannot hold."""
    x = mp.mpmathify(value)
    if not mp.isfinite(x):
        raise ValueError(f"{name}: expected a finite number, got {value!r}")
    return x


def sine_of_error(epsilon: Real) -> Any:
    """In many digits, the sine of an angle a hair above pi * epsilon: a target at that angle is refused."""
    return mp.sin(mp.pi * mp.mpf(epsilon)) * (1 + mp.mpf(10) ** -9)


def family_arguments(k: Any, epsilon: Real, epsilon_acc: Real, least: int) -> tuple[int, Any, Any]:
    """The arguments of a family of targets in many digits: k, epsilon and epsilon_acc, checked."""
    k = integer("k", k, least=least)
    e, a = precise("epsilon", epsilon), precise("epsilon_acc", epsilon_acc)
    if not 0 < a < e < 0.5:
        raise ValueError(f"epsilon_acc: expected 0 < epsilon_acc < epsilon < 1/2, got {float(a):g} and {float(e):g}")
    return k, e, a


def doubling_family(k: int, epsilon: Real, epsilon_acc: Real) -> Any:
    """In many digits, targets in k dimensions that make Algorithm 1 open 2k - 2 features (`thm-halfspaces-exact`)."""
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 2)
        s = sine_of_error(e)
        c = mp.sqrt(1 - s**2)
        lift, spread = (s / c) ** 2, s * (s / c) / mp.tan(mp.pi * a)
        rows = np.full((2 * k - 2, k), mp.mpf(0), dtype=object)
        rows[0, 0], rows[1, 0], rows[1, 1] = mp.mpf(1), c, s
        inverse = mp.mpf(0)  # 1 / x_j of the direction before
        for j in range(2, k):
            inverse = mp.sqrt(1 + lift + spread**2 * (1 + inverse**2))
            if s * inverse > 1:
                raise ValueError(f"epsilon: expected a smaller one for k = {k}, got {float(e):g}")
            rows[2 * j - 2, j - 1], rows[2 * j - 2, j] = c, s
            rows[2 * j - 1, 0], rows[2 * j - 1, j] = mp.sqrt(1 - (s * inverse) ** 2), s * inverse
        return rows


def logarithmic_family(k: int, epsilon: Real, epsilon_acc: Real) -> Any:
    """In many digits, targets in k dimensions for which Algorithm 1 opens about k log(1/epsilon) features."""
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(k, epsilon, epsilon_acc, 1)
        s = sine_of_error(e)
        factor = mp.sqrt(1 + (s / mp.tan(mp.pi * a)) ** 2)
        sines = [s]
        while sines[-1] * factor <= 1:
            sines.append(sines[-1] * factor)
        rows = np.full((1 + (k - 1) * len(sines), k), mp.mpf(0), dtype=object)
        rows[0, 0] = mp.mpf(1)
        for i, (j, sine) in enumerate(product(range(1, k), sines), start=1):
            rows[i, 0], rows[i, j] = mp.sqrt(1 - sine**2), sine
        return rows


def refusals(targets: Any, epsilon: Real, epsilon_acc: Real) -> list[float]:
    r"""In many digits, how far each target is from what Algorithm 1 has learned, every error with its own direction."""
    rows = np.asarray(targets)
    with mp.workdps(DIGITS):
        k, e, a = family_arguments(rows.shape[1], epsilon, epsilon_acc, 1)
        limit, tau = mp.sin(mp.pi * e), mp.tan(mp.pi * a) ** 2
        system, found = tau * mp.eye(k), []
        for row in rows:
            v = mp.matrix([mp.mpf(x) for x in row])
            sine = mp.sqrt(tau * (v.T * mp.lu_solve(system, v))[0])
            found.append(float(sine / limit))
            if sine > limit:
                system += v * v.T
        return found
