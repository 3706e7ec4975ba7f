"""Exact chances of failure of Algorithm 5 over product laws, and bounds on them (Section 4.3)."""

from math import ceil, comb, exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong.conjunctions import bounds
from lifelong.conjunctions.bounds import SampleSizes
from lifelong_book.conjunctions.applications.instances import HIDDEN

# the family with hidden anchors --------------------------------------------------------------------------


def allowed(q: int, C: float = 1) -> float:
    """The accuracy at which Algorithm 5's printed s_2, for q + 1 metafeatures with hidden anchors, is N examples."""
    return C * (q + 1) * log((q + 1) / 0.05) / comb(q, q // 2)


def _half_true(q: int) -> float:
    """Probability that an example is kept and positive for a target of the family."""
    N = comb(q, q // 2)
    return float((1 - 1 / N) ** (N // 2) * (1 - HIDDEN) ** (q + 1))


def _overshoot(draws: int, positive: float, zero: float, extra: int, limit: float) -> tuple[float, float]:
    """Exact error of a most specific conjunction that must get rid of `extra` independent variables."""
    from scipy.stats import binom

    P = np.arange(draws + 1)
    weight, left = binom.pmf(P, draws, positive), (1 - zero) ** P  # left: chance that a variable survives
    mean = positive * (1 - (weight * (1 - zero * left) ** extra).sum())
    if limit >= positive:
        return float(mean), 0.0
    enough = np.log1p(-limit / positive) / np.log1p(-zero)  # more survivors than this are too many
    return float(mean), float((weight * binom.sf(np.floor(enough), extra, left)).sum())


def hidden_anchor_error(q: int, *, repaired: bool = False) -> tuple[float, float, float]:
    """Algorithm 5's exact error on the last problem of the hidden-anchor family: accuracy, error, failure."""
    N, epsilon = comb(q, q // 2), allowed(q)
    if repaired:  # the accuracy at which the repaired s_2 for q + 1 metafeatures is N
        epsilon = 1 - float(np.sqrt(1 - 4 * ((q + 1) * log(2) + log(3 * (q + 1) / 0.05)) / N))
    return epsilon, *_overshoot(N, _half_true(q), 1 / N, N // 2, epsilon)


def adaptive_error(q: int) -> tuple[float, float]:
    """Algorithm 5's `hidden_anchor_error` with the repaired s_2 for the metafeatures at hand: accuracy, failure."""
    epsilon, N = allowed(q), comb(q, q // 2)
    draws = bounds.product_sizes(N + q + 1, epsilon, m=q + 1).reuse[N]
    limit = epsilon - 2 * (q + 1) * HIDDEN  # what the hidden anchors may add to the error
    return epsilon, _overshoot(draws, _half_true(q), 1 / N, N // 2, limit)[1]


def within_reach(N: int, eps: float, s2: int) -> float:
    """A bound on the chance that Algorithm 5 with any rule learns a random set of N variables from s2 examples."""
    p, most = 1 - 1 / N, N / 2 + 2 * N**0.5  # most: variables in m_*
    if eps >= p**most:
        return 1.0
    d = int(np.log1p(-eps / p**most) / np.log(p))  # then D <= d
    return at_most(d, N, p**s2 / 2) + exp(-8)  # or m_* is larger


def _unavoidable_error(q: int, *, chance: float = 0.05) -> float:
    """An error that Algorithm 5 with any rule exceeds, but for this chance, on the last problem after the stars."""
    N, low, high = comb(q, q // 2), 0.0, 0.2
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if within_reach(N, middle, N) <= chance else (low, middle)
    return low


def error_curves() -> tuple[NDArray[np.int64], FloatArray, dict[int, FloatArray]]:
    """Algorithm 5's `unavoidable_error` for numbers q of stars, and the accuracy `allowed` for C = 1 and 10."""
    qs = range(10, 19, 2)
    least = np.array([_unavoidable_error(q) for q in qs])
    return np.array(qs), least, {C: np.array([allowed(q, C) for q in qs]) for C in (1, 10)}


def pieces_of_family(q: int, r: int) -> tuple[int, int, int]:
    """Algorithm 5's metafeatures before star r, 2 <= r <= q: their number, and their variables in and outside it."""
    s = max(1, r - 1 - q // 2)
    inside, outside = (comb(q - 1 - s, q // 2 - s - i) for i in (1, 0))
    return comb(r - 1, s), inside, outside


def _log_choices(n: int, most: int) -> FloatArray:
    """Logarithms of the numbers of ways to choose 0, 1, ..., `most` of n."""
    j = np.arange(1.0, most + 1)  # doubles: n may be larger than an integer of 32 bits
    return np.append(0.0, np.cumsum(np.log((n + 1 - j) / j)))


def at_most(few: int, n: int, p: float) -> float:
    """The chance of at most so many successes in n trials, for Algorithm 5's chances of failure: the sum."""
    j = np.arange(few + 1.0)
    return float(np.exp(_log_choices(n, few) + j * log(p) + (n - j) * np.log1p(-p)).sum())


def more_than(few: int, n: int, p: float) -> float:
    """A bound on the chance of more, for Algorithm 5's chances of failure: the union bound over `few` + 1 trials."""
    return float(np.exp(_log_choices(n, few + 1)[-1] + (few + 1) * log(p)))


def star_reused(q: int, r: int, s2: int) -> float:
    """A bound on the chance that Algorithm 5's attempt at star r, 2 <= r <= q, succeeds after exact stars."""
    N, kept = comb(q, q // 2), (1 - HIDDEN) ** (q + 1)  # anchors all 1
    p, (number, inside, outside) = 1 - 1 / N, pieces_of_family(q, r)
    # 1. an example is positive and has a 0 outside: a piece is dropped
    dropped = kept * p ** (N // 2) * (1 - p**outside)
    fit = number * (1 - dropped) ** s2  # never dropped, in the mean
    # 2. Markov: those that fit cover N/4 variables, half of the star
    half = fit * inside / (N / 4)
    # 3. else, an example has a 0 among N/4 others, and all else is 1
    refuted = kept * p ** (3 * N / 4) * (1 - p ** (N / 4))
    return float(half + (1 - refuted) ** s2)


def phase_failure(q: int, epsilon: float, *, sizes: SampleSizes) -> float:
    """A bound on the chance that Algorithm 5 does not learn all of the first q targets exactly and afresh."""
    N, kept = comb(q, q // 2), (1 - HIDDEN) ** (q + 1)
    p, n = 1 - 1 / N, N + q + 1
    s1, s2, s3 = sizes.unlabelled, sizes.reuse[0], sizes.scratch
    positive = kept * p ** (N // 2)
    reused = sum(star_reused(q, r, s2) for r in range(2, q + 1))
    if sizes.first is None:  # the first target is attempted as well
        reused += (1 - kept + positive) ** s2
    else:
        s3 = min(s3, sizes.first)
    few = ceil(s1 * epsilon / (4 * n)) - 1  # zeros, to be in I
    judged = N * at_most(few, s1, 1 / N)
    judged += (q + 1) * more_than(few, s1, HIDDEN)
    left_open = q * N * (1 - positive / N) ** s3
    return float(reused + judged + left_open)


# the repaired theorem ------------------------------------------------------------------------------------


def proof_failures(
    n: int, epsilon: float, *, m: int, delta: float = 0.05, c0: float = 0.25, constant: float = 1.0
) -> tuple[float, float, float]:
    """Algorithm 5's three chances of failure as its proof adds them up, over delta/3; the first exact."""
    from scipy.stats import binom

    sizes = bounds.product_sizes(n, epsilon, m=m, delta=delta, c0=c0, constant=constant)
    below = np.ceil(sizes.unlabelled * epsilon / (4 * n)) - 1
    misjudged = n * max(
        binom.cdf(below, sizes.unlabelled, epsilon / (2 * n)), binom.sf(below, sizes.unlabelled, epsilon / (8 * n))
    )
    kept = 1 - epsilon / 2
    attempts = [j * np.log(2) + s * np.log1p(-kept * epsilon / 2) for j, s in enumerate(sizes.reuse)]
    missed = np.log(n * bounds.online_any(n)) + sizes.scratch * np.log1p(-kept * c0 * epsilon / (8 * n))
    shares = np.array([misjudged, m * np.exp(max(attempts)), np.exp(missed)]) / (delta / 3)
    return float(shares[0]), float(shares[1]), float(shares[2])


def log_union(n: int, log_chance: float) -> float:
    """For Algorithm 5's failures, the logarithm of the chance of any of n independent, equally likely events."""
    if log_chance < -30:  # the sum of the chances
        return float(log(n) + log_chance)
    return float(np.log(-np.expm1(n * np.log1p(-np.exp(log_chance)))))


def misjudged(s1: int, n: int, eps: float) -> float:
    """Logarithm of the exact chance that Algorithm 5 misjudges one of n variables, the worse of two laws."""
    from scipy.stats import binom

    few = ceil(s1 * eps / (4 * n)) - 1  # zeros, to be in I
    rare = binom.logsf(few, s1, eps / (8 * n))
    often = binom.logcdf(few, s1, eps / (2 * n))
    return log_union(n, max(rare, often))


def misfit(s2: int, m: int, zero: float) -> float:
    """Logarithm of the exact chance that Algorithm 5 wrongly keeps a one-variable metafeature in one of m problems."""
    return log_union(m, s2 * np.log1p(-zero))


def left_open(s1: int, s3: int, n: int, eps: float, c0: float) -> float:
    """Logarithm of the exact chance that Algorithm 5 leaves a significant superfluous variable, in one problem."""
    from scipy.stats import binom

    zero = eps / n * np.linspace(1 / 8, 1 / 2, 200)
    significant = binom.logsf(ceil(s1 * eps / (4 * n)) - 1, s1, zero)
    return float((significant + s3 * np.log1p(-c0 * zero)).max())


def choice_exponent(j: int, *, delta: float, choice: float = 1.0, eps: float = 1e-3) -> float:
    """Whether Algorithm 5's s_2 must pay for the choice among j metafeatures: ln(chance of failure) / ln(delta)."""
    from scipy.special import logsumexp
    from scipy.stats import binom

    m, half = 1000, ceil(j / 2)
    whole = bounds.product_sizes(j, eps, m=m, delta=delta).reuse[j]
    paid = 2 / eps / (1 - eps / 2) * j * log(2)  # for the choice
    draws = ceil(whole - (1 - choice) * paid)
    zero = eps / 2 * (1 + 1e-9)  # of a half
    stays = np.exp(np.log1p(-zero) * draws / half)  # one variable
    many = binom.logpmf(np.arange(half, j + 1), j, stays)
    empty = m - 100  # targets, after the first
    chance = log_union(empty, min(-1e-15, logsumexp(many)))
    return chance / log(delta)


#: Settings of the worst streams: n, delta, c_0, with m = 1000 and epsilon = 1e-3. The smaller delta, the less a union
#: bound matters.
SETTINGS = tuple((n, delta, c0) for n in (2, 20) for delta in (1e-50, 1e-150) for c0 in (0.5, 0.1))


def worst_exponents(*, s1: float = 1.0, s2: float = 1.0, s3: float = 1.0, rare: float = 1.0) -> FloatArray:
    """Algorithm 5 on streams at the end of each sample size: ln(chance of failure) / ln(delta), from exact chances."""
    shown, m, eps = [], 1000, 1e-3
    for n, delta, c0 in SETTINGS:
        given: dict[str, Any] = {"m": m, "delta": delta, "c0": c0}
        sizes = bounds.product_sizes(n, eps, **given)
        two = bounds.product_sizes(2, eps, **given)
        cut = ceil(s2 * sizes.reuse[1]), ceil(s3 * two.scratch)
        chances = (
            misjudged(ceil(s1 * sizes.unlabelled), n, eps),
            misfit(cut[0], m - 1, eps / 2 * (1 + 1e-9)),
            left_open(two.unlabelled, cut[1], 2, eps, rare * c0),
        )
        shown.append(max(chances) / log(delta))
    return np.array(shown)
