"""Bounds of the repaired theorems that only this chapter needs: exactly k features, broken accuracies, samples."""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer, number, real_array
from lifelong.halfspaces.bounds import accuracy_exact, amplification, last_below


def exactly_k_accuracy(k: int, epsilon: float) -> float:
    r"""The coarsest accuracy at which k orthonormal tasks always serve their span: `prop-exactly-k`."""
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True)
    return float(np.arcsin(np.sin(np.pi * e) / np.sqrt(integer("k", k, least=1))) / np.pi)


def common_direction_error(k: int, epsilon_acc: ArrayLike) -> Any:
    r"""Error of the best hypothesis for the sum of k orthonormal targets that were learned with one common error."""
    a = real_array("epsilon_acc", epsilon_acc, axes=0)
    if not ((a >= 0) & (a < 0.5)).all():
        raise ValueError(f"epsilon_acc: expected errors in [0, 1/2), got {a.min():g} to {a.max():g}")
    return np.arctan(np.sqrt(integer("k", k, least=1)) * np.tan(np.pi * a)) / np.pi


def features_after_orthonormal(k: int, epsilon: float, epsilon_acc: float) -> float:
    r"""What the features opened after k orthonormal targets of a k-dimensional space stay below: `prop-exactly-k`."""
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True)
    a = number("epsilon_acc", epsilon_acc, low=0.0, high=e, open_high=True)
    share = (np.sin(np.pi * a) / np.sin(np.pi * e)) ** 2
    return float(integer("k", k, least=1) * share / (1 - share))


def accuracy_broken(k: int, epsilon: float) -> float:
    r"""An accuracy that some stream breaks, and every coarser one too (`thm-halfspaces-small-error`)."""
    k = integer("k", k, least=2)
    far = np.pi * number("epsilon", epsilon, low=0.0, high=0.25, open_low=True)

    def kept(log_turn: float) -> bool:
        turn = np.exp(log_turn)
        return bool(amplification(k, far + turn) * np.sin(turn) <= np.sin(far))

    least = np.log(np.pi * accuracy_exact(k, epsilon))
    return float(np.exp(last_below(kept, least, np.log(far)))) * (1 + 1e-9) / np.pi


def holdout_share(epsilon: float, size: int, delta: float, *, threshold: float = 0.75) -> float:
    r"""What a refusal certifies: a share of epsilon that the tested hypothesis exceeds (`lem-holdout`)."""
    from scipy.stats import binom

    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    size = integer("size", size, least=1)
    d = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
    most = np.floor(number("threshold", threshold, low=0.0, high=1.0, open_low=True) * e * size + 1e-9)
    return last_below(lambda share: bool(binom.sf(most, size, share * e) <= d), 0.0, 1 / e)


def holdout_size(epsilon: float, delta: float) -> int:
    r"""Labels with which the holdout test errs neither way, but for probability delta (`lem-holdout`)."""
    e = number("epsilon", epsilon, low=0.0, high=0.5, open_low=True, open_high=True)
    d = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
    return ceil(float(30 / e * np.log(1 / d)))
