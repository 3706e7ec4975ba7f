"""A bound of Theorem 2 that only this chapter needs."""

import numpy as np

from lifelong._checks import number


def two_level_logarithmic(tau: int, epsilon: float) -> float:
    r"""For this chapter alone, the repaired Theorem 2 at :math:`\epsilon/(10\tau)`: second-level features a space."""
    e = number("epsilon", epsilon, "(0, 0.2]")
    return float(tau - (tau - 1) * np.log2(e))
