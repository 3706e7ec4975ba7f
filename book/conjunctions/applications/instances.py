"""Conjunctions over product laws: streams with the hypotheses of Theorem 4, and some that defeat it (Section 4.3)."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, number, random_generator
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.laws import BooleanProduct

__all__ = [
    "HIDDEN",
    "ProductStream",
    "hidden_anchor_family",
    "hidden_anchors",
    "independent_labels",
    "product_stream",
]


class ProductStream(NamedTuple):
    """Conjunctions over a product law.

    Parameters
    ----------
    metafeatures : bool, shape (k, n)
        Anchored: each row has a variable that is in no other one.
    targets : bool, shape (m, n)
        Unions of them, in the order of the stream.
    law : BooleanProduct
        Law of the examples of every problem.

    Notes
    -----
    The situation of `thm-product-anchor`.

    Examples
    --------
    >>> hidden_anchors().targets.shape
    (3, 7)
    """

    metafeatures: BoolArray
    targets: BoolArray
    law: BooleanProduct


#: Probability of a 0 at a hidden anchor: insignificant at every accuracy that a learner can afford.
HIDDEN = 1e-9


def hidden_anchors(*, zero: float = 0.25) -> ProductStream:
    """Three metafeatures whose anchors are almost never 0: four are hypothesised (`thm-product-anchor`).

    Parameters
    ----------
    zero : float, default 0.25
        Probability, in (0, 1), that a variable which is no anchor is 0.

    Returns
    -------
    ProductStream
        Seven variables, the last three the anchors. The metafeatures are 125, 136 and 247, and so are the
        targets. Without the anchors they are 12, 13 and 24.

    Raises
    ------
    ValueError
        If `zero` is out of range.

    Examples
    --------
    >>> hidden_anchors().targets[:, :4].astype(int)
    array([[1, 1, 0, 0],
           [1, 0, 1, 0],
           [0, 1, 0, 1]])
    """
    zero = number("zero", zero, low=0.0, high=1.0, open_low=True, open_high=True)
    M = np.zeros((3, 7), dtype=np.bool_)
    M[[0, 0, 1, 1, 2, 2], [0, 1, 0, 2, 1, 3]] = True
    M[:, 4:] = np.eye(3, dtype=np.bool_)
    return ProductStream(M, M.copy(), BooleanProduct(np.repeat([1 - zero, 1 - HIDDEN], [4, 3])))


def hidden_anchor_family(k: int, *, rng: RNGLike = None) -> ProductStream:
    r"""Few metafeatures with hidden anchors that leave C(k, k/2) hypothesised ones (`thm-product-anchor`).

    Parameters
    ----------
    k : int
        Even, 2 to 14.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the last metafeature.

    Returns
    -------
    ProductStream
        There is a variable for every set B of k/2 of the first k metafeatures, which lies in those, with probability
        of a 0 one over their number :math:`N=\binom k{k/2}`; metafeature k + 1 is a random half of these variables.
        Each of the k + 1 has a hidden anchor besides. The targets are the metafeatures, one after the other.

    Raises
    ------
    ValueError
        If `k` is out of range or odd.

    Notes
    -----
    Without the anchors the first k targets leave the N single variables as metafeatures; and the last is a set of N/2
    variables about which nothing that was seen before says anything.

    Examples
    --------
    >>> stream = hidden_anchor_family(4, rng=0)
    >>> stream.targets.shape, stream.targets[:, :6].sum(axis=1)
    ((5, 11), array([3, 3, 3, 3, 3]))
    """
    k = integer("k", k, least=2, most=14)
    if k % 2:
        raise ValueError(f"k: expected an even number, got {k}")
    halves = np.array(list(combinations(range(k), k // 2)))
    N = len(halves)
    member = np.zeros((N, k + 1), dtype=np.bool_)
    np.put_along_axis(member, halves, True, axis=1)
    member[random_generator(rng).permutation(N)[: N // 2], k] = True
    M = np.hstack([member.T, np.eye(k + 1, dtype=np.bool_)])
    p = np.repeat([1 - 1 / N, 1 - HIDDEN], [N, k + 1])
    return ProductStream(M, M.copy(), BooleanProduct(p))


def product_stream(n: int, epsilon: float, *, k: int, m: int, c0: float = 0.25, rng: RNGLike = None) -> ProductStream:
    r"""Random conjunctions and a product law that meet every hypothesis of `thm-product-anchor-repaired`.

    Parameters
    ----------
    n : int
        Variables.
    epsilon : float
        Error allowed a problem, in (0, 1).
    k : int
        Metafeatures, at most n.
    m : int
        Targets.
    c0 : float, default 0.25
        Lower bound, in (0, 1), on the probability that all variables are 1, and with it every target.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    ProductStream
        The probabilities of a 0 lie between :math:`\epsilon/40n` and a third, evenly on a logarithmic scale, so that
        some variables are insignificant and some in between; those of the anchors start at :math:`\epsilon/2n`.
        Where the probability that all are 1 would come out below `c0`, they are lowered towards these ends.

    Raises
    ------
    ValueError
        If an argument is out of range, or `epsilon` is too large for this `c0`.

    Examples
    --------
    >>> stream = product_stream(12, 0.1, k=3, m=5, rng=0)
    >>> stream.law.probability(np.ones(12, dtype=bool)) >= 0.25
    True
    """
    generator = random_generator(rng)
    M, targets = planted_conjunctions(n, k=k, m=m, rng=generator)
    e = number("epsilon", epsilon, low=0.0, high=1.0, open_low=True, open_high=True)
    c0 = number("c0", c0, low=0.0, high=1.0, open_low=True, open_high=True)
    low = np.where(np.arange(n) < k, e / (2 * n), e / (40 * n))
    if k * np.log1p(-e / (2 * n)) + (n - k) * np.log1p(-e / (40 * n)) < np.log(c0):
        raise ValueError(f"epsilon: expected a smaller one for c0 = {c0:g}, got {e:g}")
    zero = np.exp(generator.uniform(np.log(low), np.log(np.maximum(low, 1 / 3))))
    while np.log1p(-zero).sum() < np.log(c0):
        zero = low + 0.9 * (zero - low)
    return ProductStream(M, targets, BooleanProduct(1 - zero))


def independent_labels(n: int, epsilon: float, *, m: int, delta: float = 0.05, constant: float = 1.0) -> int:
    r"""Labels with which m conjunctions are learned one by one: what `thm-product-anchor` is to beat.

    Parameters
    ----------
    n : int
        Variables.
    epsilon : float
        Error allowed a problem, in (0, 1).
    m : int
        Problems.
    delta : float, default 0.05
        Probability of failure, in (0, 1).
    constant : float, default 1.0
        Factor on the labels of a problem.

    Returns
    -------
    int
        m times :math:`\frac1\epsilon(n\ln2+\ln\frac m\delta)`, rounded up: a consistent one of
        the :math:`2^n` conjunctions has error at most epsilon, whatever the law and the targets.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> independent_labels(20, 0.1, m=100)
    21500
    """
    return m * int(np.ceil(constant * ((n * np.log(2) + np.log(m / delta)) / epsilon)))
