"""Bounds of Section 5, as printed and as corrected, one function each."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import bool_array, integer, number
from lifelong._contracts import checked

__all__ = [
    "eg_examples",
    "eg_loss",
    "progressive_error",
    "schapire_sellie_equivalence",
    "schapire_sellie_membership",
    "schapire_sellie_sharp",
]


@checked
def eg_loss(features: int, *, bound: float, examples: int = 1, comparator: float | None = None) -> float:
    r"""Mean loss that the exponentiated gradient cannot exceed (`prop-eg`).

    Parameters
    ----------
    features : int
        Number of features N, at least 1, with values in [-1, 1].
    bound : float
        The L1 norm B > 0 that the weights may have.
    examples : int, default 1
        Number of examples s; 1 gives the bound on the sum of the losses.
    comparator : float, optional
        Mean squared error of the weights to compare with. Without it some weights fit exactly.

    Returns
    -------
    float
        :math:`2B^2\ln(2N)/s` at the rate :math:`1/(2B^2)` if some weights fit exactly; otherwise three times the
        sum of `comparator` and :math:`B^2\ln(2N)/s`, at the rate :math:`1/(3B^2)`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    See Also
    --------
    eg_examples : The labels after which this loss certifies an error.
    lifelong.polynomials.linear.exponentiated_gradient : The learner.

    Examples
    --------
    >>> print(round(eg_loss(256, bound=2, examples=1000), 4))
    0.0499
    >>> print(round(eg_loss(256, bound=2, examples=1000, comparator=0.0), 4))
    0.0749
    """
    B = number("bound", bound, low=0.0, high=float("inf"), open_low=True)
    log = float(np.log(2 * integer("features", features, least=1)))
    price = B**2 * log / integer("examples", examples, least=1)
    if comparator is None:
        return 2 * price
    return 3 * (number("comparator", comparator, low=0.0, high=float("inf")) + price)


@checked
def progressive_error(total: float, examples: int, *, bound: float, delta: float) -> float:
    r"""Mean squared error certified by the losses of predictions made before their labels (`prop-progressive`).

    Parameters
    ----------
    total : float
        Sum of the squared errors of the predictions.
    examples : int
        Number of predictions s, at least 1.
    bound : float
        Predictions and labels lie in [-B, B], with B > 0.
    delta : float
        Probability in (0, 1) with which the certificate may be wrong at some time.

    Returns
    -------
    float
        :math:`\frac{e}{e-1}\,(\mathrm{total}+4B^2\ln\frac1\delta)/s`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    References
    ----------
    A. Blum, A. Kalai and J. Langford, *Beating the Hold-Out: Bounds for K-fold and Progressive Cross-Validation*,
    COLT 1999, 203-208.

    Examples
    --------
    >>> print(f"{progressive_error(0.0, 1000, bound=1, delta=0.05):.4f}")
    0.0190
    """
    B = number("bound", bound, low=0.0, high=float("inf"), open_low=True)
    d = number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)
    paid = number("total", total, low=0.0, high=float("inf")) + 4 * B**2 * float(np.log(1 / d))
    return float(paid / (1 - np.exp(-1)) / integer("examples", examples, least=1))


@checked
def eg_examples(features: int, epsilon: float, *, bound: float, delta: float) -> int:
    r"""Examples with which the exponentiated gradient certifies a target that it can fit (`prop-progressive`).

    Parameters
    ----------
    features : int
        Number of features N, at least 1, with values in [-1, 1].
    epsilon : float
        Mean squared error to reach, positive.
    bound : float
        The L1 norm B > 0 that the weights may have.
    delta : float
        Probability of failure, in (0, 1).

    Returns
    -------
    int
        :math:`\frac{e}{e-1}\,(2B^2\ln(2N)+4B^2\ln\frac1\delta)/\epsilon`, rounded up.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The number that Theorem 6 (`thm-polynomials`) calls :math:`O(B^2k)`, with nothing hidden: there :math:`N=2^k`.

    Examples
    --------
    >>> [eg_examples(2**k, 0.1, bound=2, delta=0.01) for k in (4, 8)]
    [1605, 1956]
    """
    e = number("epsilon", epsilon, low=0.0, high=float("inf"), open_low=True)
    return int(np.ceil(progressive_error(eg_loss(features, bound=bound), 1, bound=bound, delta=delta) / e))


def schapire_sellie_equivalence(n: int, *, t: int) -> int:
    """Equivalence queries of the Schapire-Sellie learner, as published: `thm-schapire-sellie`.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    t : int
        Number of terms of the target, at least 0.

    Returns
    -------
    int
        n t + 2.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> schapire_sellie_equivalence(8, t=2)
    18
    """
    return integer("n", n, least=1) * integer("t", t, least=0) + 2


def schapire_sellie_membership(n: int, *, t: int) -> int:
    """Membership queries of the Schapire-Sellie learner, as published: `thm-schapire-sellie`.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    t : int
        Number of terms of the target, at least 0.

    Returns
    -------
    int
        (n t + 1)(t^2 + 3 t)/2.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> schapire_sellie_membership(8, t=2)
    85
    """
    n, t = integer("n", n, least=1), integer("t", t, least=0)
    return (n * t + 1) * (t * t + 3 * t) // 2


def schapire_sellie_sharp(terms: ArrayLike) -> tuple[int, int]:
    r"""Queries of the Schapire-Sellie learner by the sizes of the terms: what the proof of `thm-schapire-sellie` gives.

    Parameters
    ----------
    terms : array_like, shape (t, n), bool
        The monomials of the target, all distinct.

    Returns
    -------
    equivalence, membership : int
        E + 1 and E t (t + 1)/2, with E the sum over the terms of n + 1 less their size.

    Raises
    ------
    ValueError
        If `terms` is not a boolean matrix.

    Examples
    --------
    Two terms of five variables out of eight:

    >>> schapire_sellie_sharp([[True] * 5 + [False] * 3, [False] * 3 + [True] * 5])
    (9, 24)
    """
    T = bool_array("terms", terms, axes=2)
    t, n = T.shape
    events = int((n + 1 - T.sum(axis=1)).sum())
    return events + 1, events * t * (t + 1) // 2
