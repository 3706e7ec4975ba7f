"""A bound of Theorem 2 that only this chapter needs."""

import numpy as np

from lifelong._checks import number


def two_level_logarithmic(tau: int, epsilon: float) -> float:
    r"""Second-level features a subspace at accuracy :math:`\epsilon/(10\tau)`: a case of `thm-two-levels-repaired`."""
    e = number("epsilon", epsilon, "(0, 0.2]")
    return float(tau - (tau - 1) * np.log2(e))
