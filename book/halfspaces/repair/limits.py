"""Bounds of the repaired theorems that only this chapter needs: broken accuracies, samples."""

from math import ceil

import numpy as np

from lifelong._checks import integer, number
from lifelong.halfspaces.bounds import accuracy_exact, amplification, last_below


def accuracy_broken(k: int, epsilon: float) -> float:
    r"""For the repaired Theorem 1: an accuracy that some stream breaks, and every coarser one too."""
    k = integer("k", k, least=2)
    far = np.pi * number("epsilon", epsilon, "(0, 0.25]")

    def kept(log_turn: float) -> bool:
        turn = np.exp(log_turn)
        return bool(amplification(k, far + turn) * np.sin(turn) <= np.sin(far))

    least = np.log(np.pi * accuracy_exact(k, epsilon))
    return float(np.exp(last_below(kept, least, np.log(far)))) * (1 + 1e-9) / np.pi


def holdout_share(epsilon: float, size: int, delta: float, *, threshold: float = 0.75) -> float:
    r"""For the repaired Theorem 1: what a refusal certifies, a share of epsilon that is exceeded (`lem-holdout`)."""
    from scipy.stats import binom

    e = number("epsilon", epsilon, "(0, 0.5)")
    size = integer("size", size, least=1)
    d = number("delta", delta, "(0, 1)")
    most = np.floor(number("threshold", threshold, "(0, 1]") * e * size + 1e-9)
    return last_below(lambda share: bool(binom.sf(most, size, share * e) <= d), 0.0, 1 / e)


def holdout_size(epsilon: float, delta: float) -> int:
    r"""Of the repaired Theorem 1's chapter: labels for a test that errs with chance delta at most (`lem-holdout`)."""
    e = number("epsilon", epsilon, "(0, 0.5)")
    d = number("delta", delta, "(0, 1)")
    return ceil(float(30 / e * np.log(1 / d)))
