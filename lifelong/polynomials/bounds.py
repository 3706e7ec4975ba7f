"""Bounds of Section 5, as printed and as corrected, one function each."""

import numpy as np
from numpy.typing import ArrayLike


def eg_loss(features: int, *, bound: float, examples: int = 1, comparator: float | None = None) -> float:
    """The bound on the mean loss of the exponentiated gradient: 2 B^2 ln(2N)/s if some weights fit exactly.

    At the rate 1/(2 B^2); else, at the rate 1/(3 B^2), three times the sum of the mean squared error `comparator` of
    some weights and B^2 ln(2N)/s. For one example it is the bound on the sum of the losses.
    """
    price = bound**2 * float(np.log(2 * features)) / examples
    return 2 * price if comparator is None else 3 * (comparator + price)


def progressive_error(total: float, examples: int, *, bound: float, delta: float) -> float:
    """The bound on a mean squared error by losses of predictions made before their labels, all in [-B, B].

    It is e/(e - 1) (total + 4 B^2 ln(1/delta))/s, and wrong at some time with probability at most delta (Blum, Kalai
    and Langford, *Beating the Hold-Out*, COLT 1999).
    """
    paid = total + 4 * bound**2 * float(np.log(1 / delta))
    return float(paid / (1 - np.exp(-1)) / examples)


def eg_examples(features: int, epsilon: float, *, bound: float, delta: float) -> int:
    """The bound on examples until the exponentiated gradient certifies a target that it can fit."""
    return int(np.ceil(progressive_error(eg_loss(features, bound=bound), 1, bound=bound, delta=delta) / epsilon))


def schapire_sellie_equivalence(n: int, *, t: int) -> int:
    """The published bound on equivalence queries of the Schapire-Sellie learner."""
    return n * t + 2


def schapire_sellie_membership(n: int, *, t: int) -> int:
    """The published bound on membership queries of the Schapire-Sellie learner."""
    return (n * t + 1) * (t * t + 3 * t) // 2


def schapire_sellie_sharp(terms: ArrayLike) -> tuple[int, int]:
    """The bounds of the proof on Schapire-Sellie queries, equivalence and membership, by the sizes of the terms."""
    T = np.asarray(terms, dtype=np.bool_)
    t, n = T.shape
    events = int((n + 1 - T.sum(axis=1)).sum())
    return events + 1, events * t * (t + 1) // 2
