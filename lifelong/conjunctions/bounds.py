"""Bounds of Theorems 3 to 5 and their corollaries, as printed and as corrected, one function each."""

from dataclasses import dataclass
from math import ceil, comb, log

import numpy as np
from numpy.typing import ArrayLike

# Theorem 3 and Corollary 1 -------------------------------------------------------------------------------


def online_printed(n: int, *, k: int) -> int:
    """The bound of Theorem 3 on targets learned from scratch, as printed: true and loose."""
    return n * n + k


def online_sharp(metafeatures: ArrayLike) -> int:
    """The sharp bound on targets learned from scratch, for given anchored metafeatures (k, n)."""
    M = np.asarray(metafeatures, dtype=np.bool_)
    k, overlaps = len(M), {tuple(B) for B in M.T if B.sum() >= 2}
    return int(min(2**k - 1, k + comb(k, 2) + sum(k - sum(map(int, B)) for B in overlaps)))


def online_uniform(n: int, *, k: int) -> int:
    """The sharp bound for n and k alone: the largest `online_sharp` of k anchored metafeatures on n variables."""
    left, total = n - k, k + comb(k, 2)
    for size in range(2, k):
        taken = min(left, comb(k, size))
        left, total = left - taken, total + taken * (k - size)
    return int(min(2**k - 1, total))


def online_any(n: int) -> int:
    """The bound without k: the most targets that Algorithm 4 ever learns from scratch on n variables."""
    return comb(n + 1, 2)


def equivalence_queries(n: int, *, m: int, k: int, scratch: int) -> int:
    """The bound behind Corollary 1: equivalence queries for a stream of m conjunctions."""
    return m * (k + 1) + n * scratch


# Theorem 4 -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SampleSizes:
    """Sample sizes of Theorem 4 and its bounds: s_1, s_2 by the number of metafeatures at hand, s_3, those of step 2.

    Where `first` is None the first problem is learned like the others.
    """

    unlabelled: int
    reuse: tuple[int, ...]
    scratch: int
    first: int | None = None


def product_sizes(
    n: int, epsilon: float, *, m: int, delta: float = 0.05, c0: float = 0.25, constant: float = 1.0
) -> SampleSizes:
    """The sample sizes of Theorem 4 as repaired; the number of true metafeatures is not needed."""
    Q, kept = comb(n + 1, 2), 1 - epsilon / 2
    s1 = 24 * n / epsilon * np.log(3 * n / delta)
    s2 = [2 / (kept * epsilon) * (j * np.log(2) + np.log(3 * m / delta)) for j in range(n + 1)]
    s3 = 8 * n / (kept * c0 * epsilon) * np.log(3 * n * Q / delta)
    return SampleSizes(ceil(constant * s1), tuple(ceil(constant * size) for size in s2), ceil(constant * s3))


def product_sizes_printed(
    n: int, epsilon: float, *, k: int, m: int, delta: float = 0.05, constant: float = 1.0
) -> SampleSizes:
    """The sample sizes of Theorem 4 as printed, with an explicit constant."""
    first = ceil(constant * (n / epsilon * np.log(n / delta)))
    reuse = ceil(constant * (k / epsilon * np.log(m / delta)))
    scratch = ceil(constant * (n / epsilon * np.log(n * k / delta)))
    return SampleSizes(first, (reuse,) * (n + 1), scratch, first=first)


def product_labels(sizes: SampleSizes, *, m: int, k: int, scratch: int) -> int:
    """The bound on labels that Algorithm 5 pays for a stream of m problems with k metafeatures."""
    apart = 0 if sizes.first is None else min(m, 1)  # problems of step 2
    return apart * (sizes.first or 0) + (m - apart) * sizes.reuse[k] + max(scratch - apart, 0) * sizes.scratch


# Theorem 5 and Corollary 2 -------------------------------------------------------------------------------


def rounding_logarithm(n: int, *, m: int) -> float:
    """The factor L in the bounds of Theorem 5 on its randomised rounding."""
    return max(1.0, log(n**2 * m))


def rounded_sparsity(n: int, *, k: int, m: int) -> float:
    """The bound of Theorem 5 on the sparsity after rounding, but for a probability of 1/n^2."""
    return 2 * max(k, 3) * rounding_logarithm(n, m=m)


def winnow_mistakes(features: int, *, k: int, alpha: float = 2.0) -> float:
    """The bound on mistakes of Winnow1 on a disjunction of k features, with threshold `features` / alpha."""
    return alpha * k * log(features) / log(alpha) + alpha


def winnow_queries(n: int, *, m: int, k: int, features: int, scratch: int, alpha: float = 2.0) -> int:
    """The bound behind Corollary 2: equivalence queries for a stream of m conjunctions."""
    return m * (1 + int(winnow_mistakes(features, k=k, alpha=alpha))) + n * scratch
