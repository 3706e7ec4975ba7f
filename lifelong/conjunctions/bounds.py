"""Bounds of Theorems 3 to 5 and their corollaries, as printed and as corrected, one function each."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from math import ceil, comb, log

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import bool_array, instance, integer, number
from lifelong._contracts import checked

__all__ = [
    "SampleSizes",
    "equivalence_queries",
    "independent_labels",
    "online_any",
    "online_printed",
    "online_sharp",
    "online_uniform",
    "product_labels",
    "product_sizes",
    "product_sizes_printed",
    "rounded_sparsity",
    "rounding_logarithm",
    "sperner_rank",
    "union_dimension",
    "winnow_mistakes",
    "winnow_queries",
]


@checked
def union_dimension(k: int) -> int:
    """Largest dimension that the unions of k overlapping metafeatures can span (`rem-dimension`).

    Parameters
    ----------
    k : int
        Number of metafeatures, at least 1.

    Returns
    -------
    int
        2^k - 1; it takes at least that many variables to reach it.

    Raises
    ------
    ValueError
        If `k` < 1.

    Examples
    --------
    >>> union_dimension(4)
    15
    """
    return int(2 ** integer("k", k, least=1) - 1)


def sperner_rank(width: int) -> int:
    """Least number of metafeatures with so many unions that none of these contains another.

    Parameters
    ----------
    width : int
        How many unions there are to be, at least 0.

    Returns
    -------
    int
        The least r with binom(r, floor(r/2)) >= width, and 0 for width 0: by Sperner's theorem r metafeatures have no
        more such unions.

    Raises
    ------
    ValueError
        If `width` is not a non-negative integer.

    Notes
    -----
    The rank of `prop-rank-family`, and a lower bound in `algo-boolean-rank`.

    Examples
    --------
    >>> [sperner_rank(width) for width in (0, 1, 4, 6, 7)]
    [0, 1, 4, 4, 5]
    """
    width = integer("width", width, least=0)
    return next(r for r in range(width + 1) if (comb(r, r // 2) if r else 0) >= width)


def online_printed(n: int, *, k: int) -> int:
    """The bound of `thm-online-anchor` on targets learned from scratch, as printed: true and loose.

    Parameters
    ----------
    n : int
        Variables.
    k : int
        Anchored metafeatures, 1 <= k <= n.

    Returns
    -------
    int
        n^2 + k.

    Raises
    ------
    ValueError
        If `n` or `k` is out of range.

    Examples
    --------
    >>> online_printed(10, k=3)
    103
    """
    n = integer("n", n, least=1)
    return int(n * n + integer("k", k, least=1, most=n))


def online_sharp(metafeatures: ArrayLike) -> int:
    r"""The bound of `thm-online-sharp` on targets learned from scratch, for given metafeatures.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Anchored: each row holds a variable that is in no other row.

    Returns
    -------
    int
        The smaller of :math:`2^k - 1` and :math:`k + \binom{k}{2} + \sum_B (k - |B|)`. The sum is over the distinct
        sets B of at least two metafeatures that are exactly the ones holding some variable.

    Raises
    ------
    ValueError
        If `metafeatures` is not a boolean matrix or a row has no anchor.

    Examples
    --------
    Two disjoint metafeatures, then three of which two share a variable:

    >>> online_sharp([[True, False], [False, True]])
    3
    >>> online_sharp([[True, False, False, True], [False, True, False, True], [False, False, True, False]])
    7
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    holders = M.sum(axis=0)
    if not (M & (holders == 1)).any(axis=1).all():
        raise ValueError("metafeatures: expected a variable of its own in every row, got a row without one")
    k = len(M)
    shared = {column.tobytes(): int(column.sum()) for column in M.T[holders >= 2]}
    return int(min(2**k - 1, k + comb(k, 2) + sum(k - size for size in shared.values())))


def online_uniform(n: int, *, k: int) -> int:
    """The largest value of `online_sharp` over all sets of k anchored metafeatures on n variables.

    Parameters
    ----------
    n : int
        Variables.
    k : int
        Anchored metafeatures, 1 <= k <= n.

    Returns
    -------
    int
        At most k n, and at most n(n-1)/2 + k (`thm-online-sharp`).

    Raises
    ------
    ValueError
        If `n` or `k` is out of range.

    Examples
    --------
    >>> online_uniform(6, k=6), online_uniform(100, k=10)
    (21, 730)
    """
    n = integer("n", n, least=1)
    k = integer("k", k, least=1, most=n)
    left, total = n - k, k + comb(k, 2)
    for size in range(2, k):
        taken = min(left, comb(k, size))
        left, total = left - taken, total + taken * (k - size)
    return int(min(2**k - 1, total))


def online_any(n: int) -> int:
    """The most targets that Algorithm 4 ever learns from scratch on n variables, whatever they are.

    Parameters
    ----------
    n : int
        Variables, at least 1.

    Returns
    -------
    int
        n(n+1)/2, attained for every n (`thm-online-sharp`).

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Examples
    --------
    >>> online_any(5)
    15
    """
    return comb(integer("n", n, least=1) + 1, 2)


def equivalence_queries(n: int, *, m: int, k: int, scratch: int) -> int:
    """The count behind `cor-equivalence`: equivalence queries for a stream of conjunctions.

    Parameters
    ----------
    n : int
        Variables.
    m : int
        Targets, at least 0.
    k : int
        Anchored metafeatures, 1 to n.
    scratch : int
        How many targets are learned from scratch, or a bound on it such as `online_sharp`.

    Returns
    -------
    int
        m (k + 1) + n `scratch`: an attempt over the metafeatures costs at most k + 1 queries, learning a nonempty
        target over the variables at most n.

    Raises
    ------
    ValueError
        If an argument is no integer in its range.

    Examples
    --------
    >>> equivalence_queries(30, m=100, k=4, scratch=online_uniform(30, k=4))
    950
    """
    n = integer("n", n, least=1)
    attempts = integer("m", m, least=0) * (integer("k", k, least=1, most=n) + 1)
    return attempts + n * integer("scratch", scratch, least=0)


def rounding_logarithm(n: int, *, m: int) -> float:
    """The factor L of the randomised rounding of `thm-sparse-auto`.

    Parameters
    ----------
    n : int
        Variables, at least 1.
    m : int
        Targets, at least 1.

    Returns
    -------
    float
        ln(n^2 m), or 1 if that is less: a weight of 1 must never be rounded down.

    Raises
    ------
    ValueError
        If an argument is not a positive integer.

    Examples
    --------
    >>> round(rounding_logarithm(16, m=16), 2), rounding_logarithm(1, m=1)
    (8.32, 1.0)
    """
    return max(1.0, log(integer("n", n, least=1) ** 2 * integer("m", m, least=1)))


@checked
def rounded_sparsity(n: int, *, k: int, m: int) -> float:
    """Sparsity level that rounding reaches, but for a probability of 1/n^2 (`thm-sparse-auto`).

    Parameters
    ----------
    n : int
        Variables, at least 1.
    k : int
        Sparsity level of the programme, at least 0.
    m : int
        Targets, at least 1.

    Returns
    -------
    float
        2 max(k, 3) L with L of `rounding_logarithm`.

    Raises
    ------
    ValueError
        If an argument is no integer in its range.

    Examples
    --------
    >>> round(rounded_sparsity(16, k=4, m=16), 2)
    66.54
    """
    return 2 * max(integer("k", k, least=0), 3) * rounding_logarithm(n, m=m)


@checked
def winnow_mistakes(features: int, *, k: int, alpha: float = 2.0) -> float:
    """Most mistakes of Winnow1 on a disjunction of k features, with threshold `features` / alpha.

    Parameters
    ----------
    features : int
        Features in all, at least 1.
    k : int
        Features in the disjunction, at least 1.
    alpha : float, default 2
        Factor of a promotion, more than 1.

    Returns
    -------
    float
        alpha k log_alpha(features) + alpha.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    One attempt of `cor-sparse-auto` makes one query more than that, at most.

    Examples
    --------
    >>> winnow_mistakes(256, k=3)
    50.0
    """
    k, features = integer("k", k, least=1), integer("features", features, least=1)
    alpha = number("alpha", alpha, low=1.0, high=1e6, open_low=True)
    return alpha * k * log(features) / log(alpha) + alpha


@checked
def winnow_queries(n: int, *, m: int, k: int, features: int, scratch: int, alpha: float = 2.0) -> int:
    """The count behind `cor-sparse-auto`: equivalence queries for a stream of conjunctions.

    Parameters
    ----------
    n : int
        Variables, at least 1.
    m : int
        Targets, at least 0.
    k : int
        Sparsity level, at least 1.
    features : int
        The most metafeatures at any time, at least 1.
    scratch : int
        How many targets are learned from scratch, or a bound on it: n less the size of a metafeature, summed over
        the true metafeatures.
    alpha : float, default 2
        Winnow's factor, more than 1.

    Returns
    -------
    int
        m (1 + `winnow_mistakes`), the mistakes rounded down, and n `scratch`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> winnow_queries(64, m=100, k=3, features=256, scratch=20)
    6380
    """
    attempts = integer("m", m, least=0) * (1 + int(winnow_mistakes(features, k=k, alpha=alpha)))
    return attempts + integer("n", n, least=1) * integer("scratch", scratch, least=0)


@dataclass(frozen=True)
class SampleSizes:
    """How many examples `algo-monomial-anchor` draws.

    Parameters
    ----------
    unlabelled : int
        Unlabelled examples that say which variables are insignificant: s_1.
    reuse : tuple of int, length n + 1
        Examples of an attempt to reuse, s_2, by the number of metafeatures at hand.
    scratch : int
        Examples to learn a problem over the variables: s_3.
    first : int, optional
        Labelled examples of the first problem, learned apart from the others: s_1 once more. None where the first
        problem is treated like the others, with no metafeature at hand.

    Raises
    ------
    ValueError
        If a size is no integer >= 0, or `reuse` no sequence.

    Notes
    -----
    The printed s_2 of `thm-product-anchor` is the same whatever the number of metafeatures; that of
    `thm-product-anchor-repaired` grows with it.

    Examples
    --------
    >>> product_sizes_printed(20, 0.1, k=3, m=100).reuse[0]
    229
    """

    unlabelled: int
    reuse: tuple[int, ...]
    scratch: int
    _: KW_ONLY
    first: int | None = None

    def __post_init__(self) -> None:
        for name in ("unlabelled", "scratch", *(() if self.first is None else ("first",))):
            object.__setattr__(self, name, integer(name, getattr(self, name), least=0))
        if not isinstance(self.reuse, tuple | list | np.ndarray):
            raise ValueError(f"reuse: expected a tuple of integers, got {self.reuse!r}")
        object.__setattr__(self, "reuse", tuple(integer("reuse", size, least=0) for size in self.reuse))

    def scaled(self, *, unlabelled: float = 1.0, reuse: float = 1.0, scratch: float = 1.0) -> SampleSizes:
        """The sizes with a factor on each, rounded up.

        Parameters
        ----------
        unlabelled : float, default 1
            Factor on s_1, and on the labels of the first problem where it is learned apart; positive.
        reuse : float, default 1
            Factor on s_2, positive.
        scratch : float, default 1
            Factor on s_3, positive.

        Returns
        -------
        SampleSizes

        Raises
        ------
        ValueError
            If a factor is not positive.
        """
        return SampleSizes(
            _rounded_up(unlabelled, self.unlabelled, "unlabelled"),
            tuple(_rounded_up(reuse, size, "reuse") for size in self.reuse),
            _rounded_up(scratch, self.scratch, "scratch"),
            first=None if self.first is None else _rounded_up(unlabelled, self.first, "unlabelled"),
        )


def _half_open(name: str, value: float) -> float:
    return number(name, value, low=0.0, high=1.0, open_low=True, open_high=True)


def _rounded_up(constant: float, size: float, name: str = "constant") -> int:
    return ceil(number(name, constant, low=0.0, high=np.inf, open_low=True) * size)


@checked
def product_sizes_printed(
    n: int, epsilon: float, *, k: int, m: int, delta: float = 0.05, constant: float = 1.0
) -> SampleSizes:
    r"""The sample sizes of `thm-product-anchor`, with an explicit constant.

    Parameters
    ----------
    n : int
        Variables.
    epsilon : float
        Error allowed a problem, in (0, 1).
    k : int
        Metafeatures, at most n.
    m : int
        Problems.
    delta : float, default 0.05
        Probability of failure, in (0, 1).
    constant : float, default 1.0
        Factor on all three; the paper leaves it open for the first and prints 1 for the others.

    Returns
    -------
    SampleSizes
        :math:`\frac n\epsilon\ln\frac n\delta`, then :math:`\frac k\epsilon\ln\frac m\delta` and
        :math:`\frac n\epsilon\ln\frac{nk}\delta`, rounded up. The first problem is learned from as many examples as
        are looked at without labels.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> sizes = product_sizes_printed(20, 0.1, k=3, m=100)
    >>> sizes.unlabelled, sizes.reuse[3], sizes.scratch, sizes.first
    (1199, 229, 1419, 1199)
    """
    n, m = integer("n", n, least=1), integer("m", m, least=1)
    k = integer("k", k, least=1, most=n)
    e, d = _half_open("epsilon", epsilon), _half_open("delta", delta)
    first = _rounded_up(constant, n / e * np.log(n / d))
    reuse = _rounded_up(constant, k / e * np.log(m / d))
    return SampleSizes(first, (reuse,) * (n + 1), _rounded_up(constant, n / e * np.log(n * k / d)), first=first)


@checked
def product_sizes(
    n: int, epsilon: float, *, m: int, delta: float = 0.05, c0: float = 0.25, constant: float = 1.0
) -> SampleSizes:
    r"""The sample sizes of `thm-product-anchor-repaired`; the number of true metafeatures is not needed.

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
    c0 : float, default 0.25
        Lower bound, in (0, 1], on the probability that a target is true.
    constant : float, default 1.0
        Factor on all three; the theorem needs 1.

    Returns
    -------
    SampleSizes
        With :math:`Q=n(n+1)/2`, :math:`r=1-\epsilon/2` and j metafeatures:
        :math:`\frac{24n}\epsilon\ln\frac{3n}\delta`, then
        :math:`\frac2{r\epsilon}(j\ln2+\ln\frac{3m}\delta)` and
        :math:`\frac{8n}{rc_0\epsilon}\ln\frac{3nQ}\delta`, rounded up. The first problem is treated like the
        others: the proof wants an attempt before every problem from scratch, so that a target without a significant
        variable is not one of the Q.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> sizes = product_sizes(20, 0.1, m=100)
    >>> sizes.unlabelled, sizes.reuse[3], sizes.scratch
    (34033, 227, 83788)
    """
    Q, m = online_any(n), integer("m", m, least=1)
    e, d = _half_open("epsilon", epsilon), _half_open("delta", delta)
    c0 = number("c0", c0, low=0.0, high=1.0, open_low=True)
    kept = 1 - e / 2
    attempts = [2 / (kept * e) * (j * np.log(2) + np.log(3 * m / d)) for j in range(n + 1)]
    return SampleSizes(
        _rounded_up(constant, 24 * n / e * np.log(3 * n / d)),
        tuple(_rounded_up(constant, size) for size in attempts),
        _rounded_up(constant, 8 * n / (kept * c0 * e) * np.log(3 * n * Q / d)),
    )


def product_labels(sizes: SampleSizes, *, m: int, k: int, scratch: int) -> int:
    """The most labels that `algo-monomial-anchor` pays for a stream.

    Parameters
    ----------
    sizes : SampleSizes
        What it draws.
    m : int
        Problems.
    k : int
        The most metafeatures that it ever has.
    scratch : int
        How many problems are learned from scratch, or a bound on it such as `online_uniform`.

    Returns
    -------
    int
        m attempts with k metafeatures, and `scratch` problems over the variables
        (`thm-product-anchor-repaired`). Where the first problem is learned apart, it makes no attempt and its own
        examples stand for those of one problem from scratch.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Examples
    --------
    >>> product_labels(product_sizes(20, 0.1, m=100), m=100, k=3, scratch=6)
    525428
    """
    instance("sizes", sizes, SampleSizes)
    m, k = integer("m", m, least=0), integer("k", k, least=0, most=len(sizes.reuse) - 1)
    scratch = integer("scratch", scratch, least=0)
    if sizes.first is None:
        return m * sizes.reuse[k] + scratch * sizes.scratch
    apart = min(m, 1)
    return apart * sizes.first + (m - apart) * sizes.reuse[k] + max(scratch - apart, 0) * sizes.scratch


@checked
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
    n, m = integer("n", n, least=1), integer("m", m, least=1)
    e, d = _half_open("epsilon", epsilon), _half_open("delta", delta)
    return m * _rounded_up(constant, (n * np.log(2) + np.log(m / d)) / e)
