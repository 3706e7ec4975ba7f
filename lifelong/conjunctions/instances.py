"""Streams of Section 4: planted metafeatures, and the families that attain or defeat its bounds."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, RNGLike, bool_array, integer, number, random_generator
from lifelong._contracts import checked
from lifelong._counts import matrix_product
from lifelong.conjunctions.bounds import sperner_rank
from lifelong.laws import BooleanProduct

__all__ = [
    "ProductStream",
    "attaining_sequence",
    "clique_cover_family",
    "hidden_anchor_family",
    "hidden_anchors",
    "overlapping_metafeatures",
    "planted_anchor_sets",
    "planted_conjunctions",
    "product_stream",
    "selector_sequence",
    "sperner_basis",
    "union_family",
]


@checked
def planted_conjunctions(
    n: int, *, k: int, m: int, overlap: float = 0.3, per_target: float | None = None, rng: RNGLike = None
) -> tuple[BoolArray, BoolArray]:
    """Anchored metafeatures and targets that are unions of them.

    Parameters
    ----------
    n : int
        Variables.
    k : int
        Metafeatures, at most n.
    m : int
        Targets.
    overlap : float, default 0.3
        Probability with which each variable that is no anchor joins each metafeature.
    per_target : float, optional
        Expected number of metafeatures in a target; k/2 unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    metafeatures : bool, shape (k, n)
        Variable j is an anchor of metafeature j: in no other one.
    targets : bool, shape (m, n)

    Raises
    ------
    ValueError
        If k > n or an argument is out of range.

    Notes
    -----
    The hypothesis of `lem-consistency`.

    Examples
    --------
    >>> M, targets = planted_conjunctions(6, k=3, m=4, rng=0)
    >>> M[:, :3].astype(int).tolist(), targets.shape
    ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], (4, 6))
    """
    n = integer("n", n, least=1)
    k = integer("k", k, least=1, most=n)
    m = integer("m", m, least=0)
    overlap = number("overlap", overlap, low=0.0, high=1.0)
    share = number("per_target", k / 2 if per_target is None else per_target, low=0.0, high=k) / k
    generator = random_generator(rng)
    M = np.hstack([np.eye(k, dtype=np.bool_), generator.random((k, n - k)) < overlap])
    chosen = generator.random((m, k)) < share
    targets: BoolArray = matrix_product(chosen, M) > 0
    return M, targets


@checked
def planted_anchor_sets(
    selectors: int, body: int, *, pieces: int, m: int, c: int, k: int, density: float = 0.3, rng: RNGLike = None
) -> tuple[BoolArray, BoolArray]:
    """Metafeatures with anchor sets of size c, more of them than variables if wanted, and targets of at most k.

    Parameters
    ----------
    selectors : int
        Variables that make up the anchor sets.
    body : int
        The other variables; n is the sum of the two.
    pieces : int
        Metafeatures, at most the number of sets of c selectors.
    m : int
        Targets.
    c : int
        Size of the anchor sets, at least 1.
    k : int
        Sparsity level, at least 1.
    density : float, default 0.3
        Probability with which each variable of the body joins each metafeature.
    rng : None, int, SeedSequence, BitGenerator or Generator

    Returns
    -------
    metafeatures : bool, shape (pieces, n)
        Each has c of the selectors, no two the same.
    targets : bool, shape (m, n)
        Each is the union of all metafeatures whose selectors lie in it, at most k.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    They satisfy `def-anchor-set`: the selectors of a metafeature are its anchor set.

    Examples
    --------
    >>> M, targets = planted_anchor_sets(5, 2, pieces=10, m=6, c=2, k=4, rng=0)
    >>> M.shape, int(M[:, :5].sum(axis=1).max()), targets.shape
    ((10, 7), 2, (6, 7))
    """
    selectors, body = integer("selectors", selectors, least=1), integer("body", body, least=0)
    c, k = integer("c", c, least=1, most=selectors), integer("k", k, least=1)
    pieces, m = integer("pieces", pieces, least=1, most=comb(selectors, c)), integer("m", m, least=0)
    density, generator = number("density", density, low=0.0, high=1.0), random_generator(rng)
    sets = list(combinations(range(selectors), c))
    M = np.hstack([np.zeros((pieces, selectors), dtype=np.bool_), generator.random((pieces, body)) < density])
    for row, chosen in zip(M, generator.permutation(len(sets))[:pieces], strict=True):
        row[list(sets[chosen])] = True
    return M, np.array([_sparse_union(M, selectors, k, generator) for _ in range(m)], dtype=np.bool_).reshape(
        m, M.shape[1]
    )


def _sparse_union(M: BoolArray, selectors: int, k: int, rng: np.random.Generator) -> BoolArray:
    """Union of up to k random metafeatures and of those whose selectors came along; fewer if they get too many."""
    anchors = M[:, :selectors]
    for size in range(int(rng.integers(1, min(k, len(M)) + 1)), 0, -1):
        seen = anchors[rng.choice(len(M), size=size, replace=False)].any(axis=0)
        summoned = (~anchors | seen).all(axis=1)
        if summoned.sum() <= k:
            break
    return np.asarray(M[summoned].any(axis=0))


def union_family(k: int) -> tuple[BoolArray, BoolArray]:
    """Overlapping metafeatures whose unions span the largest dimension, 2^k - 1 (`rem-dimension`).

    Parameters
    ----------
    k : int
        Number of metafeatures, 1 to 12.

    Returns
    -------
    metafeatures : bool, shape (k, 2^k - 1)
        One variable for every nonempty set B of metafeatures, which lies in exactly those.
    targets : bool, shape (2^k - 1, 2^k - 1)
        All unions of one metafeature or more.

    Raises
    ------
    ValueError
        If `k` is out of range.

    Examples
    --------
    >>> M, targets = union_family(2)
    >>> targets.astype(int)
    array([[1, 0, 1],
           [0, 1, 1],
           [1, 1, 1]])
    """
    k = integer("k", k, least=1, most=12)
    sets = np.arange(1, 2**k)
    return (sets >> np.arange(k)[:, None]) & 1 > 0, (sets[:, None] & sets) > 0


@checked
def sperner_basis(n: int) -> BoolArray:
    """The fewest metafeatures for the sets of n variables with one missing.

    Parameters
    ----------
    n : int
        Number of variables, at least 2.

    Returns
    -------
    bool, shape (r, n)
        With the r of `bounds.sperner_rank`. Every variable is missing in floor(r/2) of them, no two in the same ones.

    Raises
    ------
    ValueError
        If `n` is out of range.

    Notes
    -----
    The basis in the proof of `prop-rank-family`.

    Examples
    --------
    >>> sperner_basis(3).astype(int)
    array([[0, 1, 1],
           [1, 0, 1],
           [1, 1, 0]])
    """
    r = sperner_rank(integer("n", n, least=2))
    missing = islice(combinations(range(r), r // 2), n)
    return np.array([[j not in J for j in range(r)] for J in missing]).T


def clique_cover_family(graph: ArrayLike) -> BoolArray:
    """Targets whose Boolean rank counts the cliques needed to cover the vertices of a graph.

    Parameters
    ----------
    graph : array_like, shape (v, v), bool
        Adjacency matrix, symmetric, with an empty diagonal.

    Returns
    -------
    bool, shape (v + 2e, v + 2e)
        One variable u for each vertex and one variable (u, w) for each edge in each direction. First the targets of
        the vertices: u, its neighbours, and all (u, w). Then one target {(u, w), w} for each (u, w).

    Raises
    ------
    ValueError
        If `graph` is not boolean, square, symmetric and free of loops.

    Notes
    -----
    The reduction of `prop-set-basis-hard`: the rank is 2e and the least number of cliques that cover all vertices.

    Examples
    --------
    >>> clique_cover_family([[False, True], [True, False]]).astype(int)
    array([[1, 1, 1, 0],
           [1, 1, 0, 1],
           [0, 1, 1, 0],
           [1, 0, 0, 1]])
    """
    G = bool_array("graph", graph, axes=2)
    if G.shape[0] != G.shape[1] or (G != G.T).any() or G.diagonal().any():
        raise ValueError(f"graph: expected a symmetric matrix with an empty diagonal, got {G.astype(int).tolist()}")
    u, w = np.nonzero(G)
    vertex, edge = np.eye(len(G), dtype=np.bool_), np.eye(len(u), dtype=np.bool_)
    targets: BoolArray = np.block([[G | vertex, vertex[:, u]], [vertex[w], edge]])
    return targets


@checked
def attaining_sequence(n: int) -> BoolArray:
    """A stream of n(n+1)/2 conjunctions, every one of which Algorithm 4 learns from scratch.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.

    Returns
    -------
    bool, shape (n(n+1)/2, n)
        For each gap d = 0, ..., n-1 and each variable i = 1, ..., n-d the target that holds i and all variables
        beyond i + d. The first n make the variables a chain; each later one makes one pair incomparable.

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Notes
    -----
    Shows that `thm-online-sharp` cannot be improved when nothing is known of the metafeatures.

    Examples
    --------
    >>> attaining_sequence(3).astype(int)
    array([[1, 1, 1],
           [0, 1, 1],
           [0, 0, 1],
           [1, 0, 1],
           [0, 1, 0],
           [1, 0, 0]])
    """
    n = integer("n", n, least=1)
    i, d = np.array([(i, d) for d in range(n) for i in range(n - d)]).T[:, :, None]
    variables = np.arange(n)
    targets: BoolArray = (variables == i) | (variables > i + d)
    return targets


@checked
def overlapping_metafeatures(k: int, overlaps: Iterable[Iterable[int]]) -> BoolArray:
    """Anchored metafeatures with one variable for each wanted overlap.

    Parameters
    ----------
    k : int
        Number of metafeatures, at least 1.
    overlaps : iterable of iterables of int
        Each lists the metafeatures, 0 to k - 1, that share one further variable.

    Returns
    -------
    bool, shape (k, k + q)
        Variable j < k is the anchor of metafeature j; variable k + i is in the metafeatures of overlap i.

    Raises
    ------
    ValueError
        If `k` or a member of an overlap is out of range.

    Notes
    -----
    How many targets are learned from scratch depends only on which overlaps occur (`thm-online-sharp`).

    Examples
    --------
    >>> overlapping_metafeatures(3, [(0, 1), (1, 2)]).astype(int)
    array([[1, 0, 0, 1, 0],
           [0, 1, 0, 1, 1],
           [0, 0, 1, 0, 1]])
    """
    k = integer("k", k, least=1)
    sets = [[integer("overlaps", j, least=0, most=k - 1) for j in overlap] for overlap in overlaps]
    M = np.zeros((k, k + len(sets)), dtype=np.bool_)
    M[np.arange(k), np.arange(k)] = True
    for column, members in enumerate(sets, start=k):
        M[members, column] = True
    return M


@checked
def selector_sequence(p: int, s: int, q: int) -> tuple[BoolArray, BoolArray]:
    """A stream of p q targets over p + s anchored metafeatures, all learned from scratch.

    Parameters
    ----------
    p : int
        Selectors: metafeatures of a single variable, at least 1.
    s : int
        Overlapping metafeatures, at least 4.
    q : int
        Shared variables, each in its own choice of s // 2 overlapping metafeatures; 1 to binomial(s, s // 2).

    Returns
    -------
    metafeatures : bool, shape (p + s, p + s + q)
    targets : bool, shape (p q, p + s + q)
        One for each selector and shared variable: the union of that selector and of all overlapping
        metafeatures without that variable.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For s small beside p and p beside q their number is k n less a vanishing part (`thm-online-sharp`).

    Examples
    --------
    >>> M, targets = selector_sequence(2, 4, 3)
    >>> M.shape, targets.shape
    ((6, 9), (6, 9))
    """
    p, s = integer("p", p, least=1), integer("s", s, least=4)
    q = integer("q", q, least=1, most=comb(s, s // 2))
    shared = [tuple(p + e for e in chosen) for chosen in islice(combinations(range(s), s // 2), q)]
    M = overlapping_metafeatures(p + s, shared)
    without = [M[p:][~M[p:, column]].any(axis=0) for column in range(p + s, p + s + q)]
    targets: BoolArray = np.array([M[j] | rest for j in range(p) for rest in without])
    return M, targets


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


@checked
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
