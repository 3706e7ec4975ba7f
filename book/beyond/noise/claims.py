"""Claims on metafeatures from flipped targets: what can be read off unbiased counts, and a search that gets on."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from math import ceil, exp, log
from typing import Any

import numpy as np

from lifelong._checks import BoolArray, matrix_product
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong_book.beyond.noise.pieces import (
    Flipped,
    NoisyPieces,
    NoisyPreorder,
    cost,
    debiased_counts,
    estimate_flip_rate,
    flip_scale,
    noisy_metafeatures,
    noisy_preorder,
    preorder_threshold,
    vote,
)
from lifelong_book.beyond.noise.tolerance import fits, robust_metafeatures, tolerant
from lifelong_book.conjunctions.consistency.claims import _as_set, _random_family
from lifelong_book.conjunctions.consistency.instances import all_families
from lifelong_book.press.claim import Check, Finding, Generator, Twin
from lifelong_book.press.two_sided import Broken, Exhaustive, Random, Tight, two_sided


def _matrices(m: int, n: int) -> BoolArray:
    """All boolean matrices of a shape: bool (2^(m n), m, n)."""
    cells: BoolArray = (np.arange(2 ** (m * n))[:, None] >> np.arange(m * n)) & 1 > 0
    return cells.reshape(-1, m, n)


# prop-robust-exact ---------------------------------------------------------------------------------------


def _small_families() -> Iterator[dict[str, Any]]:
    """All families on 3 variables."""
    return ({"TS": TS} for TS in all_families(3))


def _any_families(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Random families."""
    return ({"TS": _random_family(rng)} for _ in range(count))


def _nearly_together(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Families of 100 targets with two variables that nearly always come together."""
    for _ in range(count):
        TS = rng.random((100, 6)) < 0.5
        TS[:, 0] = TS[:, 1]
        TS[rng.integers(0, 100), 0] ^= True
        yield {"TS": TS}


def forgiving(TS: BoolArray) -> Any:
    """The same with two exceptions in a hundred forgiven."""
    return as_algorithm_3(TS, 0.02)


@two_sided(
    "prop-robust-exact",
    Exhaustive(_small_families, name="all families on 3 variables", equal=True),
    Random(_any_families, 1000, name="random families", equal=True, chunk=500),
    Broken(_nearly_together, 50, name="tolerance 0.02", equal=True, sides=forgiving, spoils=0.02),
)
def as_algorithm_3(TS: BoolArray, tau: float = 0.0) -> dict[str, tuple[Any, Any]]:
    """The tolerant Algorithm 3, with tolerance 0: as many pieces as Algorithm 3, and the same ones."""
    found, true = tolerant(TS, tau), metafeatures(TS)
    same = {*map(bytes, found)} == {*map(bytes, true)}
    return {"pieces": (len(found), len(true)), "same": (same, True)}


PROP_ROBUST = as_algorithm_3.claim(
    "added",
    "Algorithm 3 from the rarest variable on",
    "Visiting the variables from the rarest to the most frequent, and taking the closure of each that some target "
    "with it leaves uncovered, gives the metafeatures of Algorithm 3: `robust_metafeatures` with tolerance 0.",
    "proved",
    functions=(robust_metafeatures, fits),
)

# prop-noise-preorder -------------------------------------------------------------------------------------


def exceptions(A: BoolArray, p: float) -> Any:
    """How many targets with z lack w, estimated without bias from flipped targets, off the diagonal: [z, w]."""
    counts, joint = debiased_counts(A, p)
    return counts[:, None] - joint


def _three_targets() -> Iterator[dict[str, Any]]:
    """Two columns of 3 targets, and all their flips."""
    return ({"C": C, "p": p} for C in _matrices(3, 2) for p in (0.02, 0.2, 0.45))


def _rate_too_low(C: BoolArray, p: float) -> Any:
    """The rate believed 2 % too low: how far the mean estimate is from the number of exceptions."""
    flips = _matrices(len(C), 2)
    chance = np.where(flips, p, 1 - p).prod(axis=(1, 2))
    D = np.array([exceptions(C ^ F, 0.98 * p)[0, 1] for F in flips])
    return {"bias": (abs(chance @ D - (C[:, 0] & ~C[:, 1]).sum()), 1e-9)}


@two_sided(
    "prop-noise-preorder",
    Tight(_three_targets, name="two columns of 3 targets, all flips", of=("variance", "range")),
    Broken(_three_targets, name="rate believed 2 % too low, all flips", sides=_rate_too_low, spoils=0.02),
    loose={"bias": "an equation, to rounding"},
)
def moments(C: BoolArray, p: float) -> dict[str, tuple[Any, Any]]:
    """The sides of `prop-noise-preorder`: mean, variance and range of an estimate, over all flips."""
    m, d = len(C), (C[:, 0] & ~C[:, 1]).sum()
    flips = np.array([*np.ndindex((2,) * (2 * m))], dtype=bool)
    flips = flips.reshape(-1, m, 2)
    chance = np.where(flips, p, 1 - p).prod(axis=(1, 2))
    D = np.array([exceptions(C ^ F, p)[0, 1] for F in flips])
    s2, R = p * (1 - p) / (1 - 2 * p) ** 2, ((1 - p) / (1 - 2 * p)) ** 2
    return {
        "bias": (abs(chance @ D - d), 1e-9),
        "variance": (chance @ (D - d) ** 2, m * s2 * (1 + s2) + s2 * d),
        "range": (abs(D - d).max(), m * R),
    }


def _moments(rates: tuple[float, float], targets: BoolArray) -> tuple[Any, Any, Any]:
    """Mean, variance and worst summand of the exceptions of column 0 to column 1, over all flips of (m, 2) targets."""
    mean = variance = far = 0.0
    single = debiased_counts(np.ones((1, 1), dtype=np.bool_), rates)[0][0], debiased_counts([[False]], rates)[0][0]
    for row in targets:
        seen = [[(single[0], 1 - rates[1]), (single[1], rates[1])] if t else
                [(single[0], rates[0]), (single[1], 1 - rates[0])] for t in row]  # fmt: skip
        values = [(z * (1 - w), p * q) for (z, p), (w, q) in product(*seen)]
        first = sum(x * p for x, p in values)
        mean += first
        variance += sum((x - first) ** 2 * p for x, p in values)
        far = max(far, *(abs(x - first) for x, p in values if p > 0))
    return mean, variance, far


def _moments_exhaustive(count: int, rng: Generator) -> Iterator[Any]:
    """The mean is the number of exceptions; the variance, and the farthest summand, against the proof's bounds."""
    for rates in ((0.05, 0.3), (0.3, 0.05), (0.2, 0.0), (0.0, 0.2)):
        variance, largest = flip_scale(rates)
        for targets in _matrices(3, 2):
            exceptions = int((targets[:, 0] & ~targets[:, 1]).sum())
            mean, seen, far = _moments(rates, targets)
            yield {
                "mean": 1.0 if abs(mean - exceptions) < 1e-12 else np.nan,
                "variance": seen / (3 * variance * (1 + variance) + variance * exceptions),
                "largest": far / largest,
            }


def _above(m: int, p: float, threshold: float) -> float:
    """P(estimate > threshold) for two equal columns, exactly."""
    from scipy.stats import binom

    q = p * (1 - p)
    bar = threshold * (1 - 2 * p) ** 2 + m * q
    width = int(45 * np.sqrt(m * q) + 45)  # what lies beyond has a chance below exp(-1000)
    u = np.arange(max(0, int(m * q) - width), min(m, int(m * q) + width) + 1)
    least = np.floor((bar - (1 - p) * u) / p)
    return float(binom.pmf(u, m, q) @ binom.sf(least, m - u, q / (1 - q)))


def _overlooked(m: int, parts: int, exceptions: int, level: float) -> tuple[float, float]:
    """The least x with P(estimate <= x) > exp(-level), and that chance; the rate is 1 / parts.

    Of columns that agree but for some exceptions, one way. The law is computed tilted to where Chernoff's bound is
    exp(-level): there it is exact to many digits.
    """
    from scipy.fft import irfft, next_fast_len, rfft
    from scipy.optimize import brentq

    p = 1 / parts
    values = np.array([0, 1, parts - 1])  # per target: neither or both, the second column only, the first only
    laws = np.array([[1 - 2 * p * (1 - p), p * (1 - p), p * (1 - p)], [2 * p * (1 - p), p**2, (1 - p) ** 2]])
    copies = np.array([m - exceptions, exceptions])

    def height(theta: float) -> float:
        return float(copies @ np.log((laws * np.exp(theta * values)).sum(axis=1)))

    def tilted(theta: float) -> Any:
        weights = laws * np.exp(theta * values)
        return weights / weights.sum(axis=1, keepdims=True)

    theta = brentq(lambda x: height(x) - x * (copies @ (tilted(x) @ values)) + level, -5.0, 0.0)
    size = next_fast_len((parts - 1) * m + 1, real=True)
    rows = np.zeros((2, size))
    rows[:, values] = tilted(theta)
    law = np.maximum(irfft(np.prod(rfft(rows) ** copies[:, None], axis=0), size), 0)
    chances = np.cumsum(law * np.exp(np.minimum(height(theta) - theta * np.arange(size), 700)))
    least = int(np.argmax(chances > exp(-level)))
    return (least / parts - m * p * (1 - p)) / (1 - 2 * p) ** 2, float(chances[least])


#: Targets, rate, and ln(n^2 / delta): from the everyday to where Bernstein's inequality is sharp.
_SIZES = ((2000, 0.02, 9.0), (2000, 0.2, 9.0), (10**6, 0.2, 50.0), (10**7, 0.3, 200.0))


def _judged(m: int, p: float, delta: float, value: float, step: int = 0) -> tuple[NoisyPreorder, float]:
    """What `noisy_preorder` says of two columns with the largest possible estimate up to a value, or steps above it."""
    numerator = value * (1 - 2 * p) ** 2 + m * p * (1 - p) + 1e-9
    u = int((numerator - p * int(m * p * (1 - p))) / (1 - p))
    v = int((numerator - (1 - p) * u) / p) + step
    targets = np.zeros((m, 2), dtype=np.bool_)
    targets[:u, 0] = targets[u : u + v, 1] = True
    return noisy_preorder(targets, p, delta=delta), ((1 - p) * u + p * v - m * p * (1 - p)) / (1 - 2 * p) ** 2


def _first(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that fails at first begins to hold, by bisection."""
    for _ in range(22):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


@cache  # broken versions and what is turned ask for the same
def _quantile(m: int, p: float, level: float) -> float:
    """The least threshold that the estimate of two equal columns exceeds with a chance of at most exp(-level)."""
    return _first(lambda x: _above(m, p, x) <= exp(-level), 0.0, 10 * np.sqrt(level * m))


def _equal_columns(count: int, rng: Generator, factor: float = 1.0, sizes: Any = _SIZES) -> Finding:
    """A true inclusion is refused with a chance of at most delta / n^2; the worst one is that of equal columns."""

    def holds(m: int, p: float, level: float) -> bool:
        return bool(_judged(m, p, 4 * exp(-level), _quantile(m, p, level) / factor)[0].inside[0, 1])

    return Finding.of_outcomes([holds(*size) for size in sizes])


def _just_the_gap(count: int, rng: Generator, factor: float = 1.0) -> Iterator[bool]:
    """As many exceptions as the gap, all one way, are overlooked with a chance of at most delta / n^2."""
    for m, parts, level in ((2000, 50, 9.0), (2000, 5, 9.0), (250_000, 5, 50.0)):
        p, delta = 1 / parts, 4 * exp(-level)
        gap = ceil(factor * _judged(m, p, delta, 0.0)[0].gap)
        yield not _judged(m, p, delta, _overlooked(m, parts, gap, level)[0])[0].inside[0, 1]


def _at_the_threshold(count: int, rng: Generator) -> Iterator[bool]:
    """Estimates just below and just above t of the theorem, here from its formula, are told apart; so are counts."""
    for m, p, level in _SIZES[:3]:
        delta, variance, largest = 4 * exp(-level), p * (1 - p) / (1 - 2 * p) ** 2, ((1 - p) / (1 - 2 * p)) ** 2
        t = np.sqrt(2 * level * m * variance * (1 + variance)) + 2 / 3 * level * largest
        below, above = (_judged(m, p, delta, t, step) for step in (0, 1))
        exact = all(np.isclose(found.exceptions[0, 1], value, atol=1e-6 * t) for found, value in (below, above))
        ones, occurs = int(t * (1 - 2 * p) + p * m), []
        for column in (ones, ones + 1):
            found = noisy_preorder(np.arange(m)[:, None] < [column, 0], p, delta=delta)
            occurs.append(bool(found.occurs[0]))
            exact = exact and np.isclose(found.counts[0], (column - p * m) / (1 - 2 * p), atol=1e-6 * t)
        order = [bool(found.inside[0, 1]) for found, _ in (below, above)]
        yield bool(exact) and order == [True, False] and occurs == [False, True]


def _order(targets: BoolArray) -> BoolArray:
    """inside[z, w]: every target with z has w."""
    return np.asarray((~targets[:, :, None] | targets[:, None, :]).all(axis=0))


def _largest(pieces: BoolArray) -> set[bytes]:
    """The pieces that lie in no other one."""
    return _as_set(pieces[_order(pieces.T).sum(axis=1) == 1])


def _promised(targets: BoolArray, given: BoolArray, rates: tuple[float, float], delta: float) -> bool:
    """Whether everything that the proposition promises with probability 1 - delta is so."""
    found, inside = noisy_preorder(given, rates, delta=delta), _order(targets)
    exceptions, counts = (targets.T.astype(int) @ ~targets), targets.sum(axis=0)
    kept = found.inside[inside].all() and not found.occurs[counts == 0].any()
    refused = (exceptions >= found.gap) & ~inside
    seen = not found.inside[refused].any() and found.occurs[(counts >= found.gap) & (counts > 0)].all()
    clear = (refused | inside).all() and ((counts == 0) | (counts >= found.gap)).all()
    pieces = not clear or _as_set(found.pieces) == _largest(metafeatures(targets))
    return bool(kept and seen and pieces)


def _order_exhaustive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_promised(targets, targets, (0.0, 0.0), 0.01) for targets in _matrices(4, 3))


def _planted(rng: Generator) -> tuple[BoolArray, BoolArray, tuple[float, float]]:
    """Unions of anchored metafeatures with flipped cells; often enough that the gap is met."""
    k, body, m = int(rng.integers(1, 5)), int(rng.integers(0, 6)), int(rng.integers(1000, 6000))
    M = np.hstack([np.eye(k, dtype=np.bool_), rng.random((k, body)) < 0.5])
    targets = matrix_product(rng.random((m, k)) < 0.5, M) > 0
    rates = float(rng.uniform(0, 0.15)), float(rng.uniform(0, 0.15))
    return targets, targets ^ (rng.random(targets.shape) < np.where(targets, rates[1], rates[0])), rates


def _order_random(count: int, rng: Generator) -> Finding:
    """With delta = 1/2 at most half of the runs may err; more than chance allows would be a violation."""
    from scipy.stats import binom

    delta = 0.5
    wrong = sum(not _promised(*_planted(rng), delta) for _ in range(count))
    most = int(binom.isf(1e-9, count, delta))
    return Finding(count, max(0, wrong - most), witness=f"in a part of {count} runs {wrong} erred")


def _misjudged(count: int, rng: Generator, believed: float = 0.98, m: int = 10**7, p: float = 0.2) -> Iterator[bool]:
    """Equal columns, and a rate that is a little wrong."""
    for _ in range(count):
        u, v, _ = rng.multinomial(m, [p * (1 - p), p * (1 - p), 1 - 2 * p * (1 - p)])
        targets = np.zeros((m, 2), dtype=np.bool_)
        targets[:u, 0] = targets[u : u + v, 1] = True
        yield bool(noisy_preorder(targets, believed * p).inside[0, 1])


def _common_flips(count: int, rng: Generator) -> Finding:
    """Either all cells of a target are flipped, or none."""
    targets = np.zeros((2000, 2), dtype=np.bool_)
    targets[: ceil(preorder_threshold(2000, 2, 0.1)[1]), 0] = True
    flips = (rng.random((2000, 1)) < 0.1 for _ in range(count))
    return Finding.of_outcomes(_promised(targets, targets ^ common, (0.1, 0.1), 0.01) for common in flips)


PROP_PREORDER = moments.claim(
    "added",
    "the order of the variables through noise",
    "Cells flipped independently at known rates, $N(z)$ the set of targets that contain the variable $z$: with "
    r"probability at least $1-\delta$ `noisy_preorder` believes every true inclusion of $N(z)$ in $N(w)$ and none "
    "with `gap` exceptions or more. If every number of exceptions, and of targets with $z$, is 0 or at least the "
    "gap, its pieces are those of Algorithm 3 that lie in no other one.",
    "proved",
    checks=(
        Check("two unequal rates, two columns of 3 targets, all flips", "exhaustive", _moments_exhaustive),
        Check("equal columns, exact tails", "exact", _equal_columns, knobs={"threshold": _equal_columns}),
        Check("just as many exceptions as the gap, exact tails", "exact", _just_the_gap, knobs={"gap": _just_the_gap}),
        Check("estimates and counts just below and above the threshold", "tight", _at_the_threshold),
        Check("no noise, all families of 4 targets on 3 variables", "exhaustive", _order_exhaustive),
        Check("planted metafeatures, two rates, delta = 1/2", "random", _order_random, 200, scales=True, chunk=100),
    ),
    twins=(
        Twin(
            "threshold lowered by 2 %, equal columns, 10 million targets",
            "exact",
            partial(_equal_columns, factor=0.98, sizes=_SIZES[-1:]),
            spoils=0.02,
        ),
        Twin("rate believed 2 % too low, 10 million targets", "random", _misjudged, 5, spoils=0.02),
        Twin(
            "flips common to a target",
            "random",
            _common_flips,
            20,
            drops="the flips of the cells of a target are independent",
        ),
    ),
    functions=(noisy_preorder, preorder_threshold, debiased_counts, flip_scale),
)


# prop-noise-shorter --------------------------------------------------------------------------------------


def described(A: BoolArray, found: NoisyPieces, p: float) -> float:
    """The length of a description of flipped targets, cell by cell: wrong cells, right cells, codes and pieces."""
    wrong = (found.targets != A).mean()
    cells = wrong * log(1 / p) + (1 - wrong) * log(1 / (1 - p))
    return float(A.size * cells + cost(*found).sum())


def starts(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Random matrices, random codes and pieces."""
    for _ in range(count):
        (m, n), k = rng.integers(1, 13, 2), int(rng.integers(0, 6))
        shapes = {"A": (m, n), "codes": (m, k), "pieces": (k, n)}
        cells = {name: rng.random(shape) < rng.uniform(0.2, 0.8) for name, shape in shapes.items()}
        yield {**cells, "p": float(rng.uniform(0.001, 0.4))}


def _doubled(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Right descriptions in which every piece is given twice."""
    for _ in range(count):
        codes, pieces = rng.random((12, 3)) < 0.3, rng.random((3, 9)) < 0.5
        A = NoisyPieces(codes, pieces).targets
        yield {"A": A, "codes": np.hstack([codes, codes]), "pieces": np.vstack([pieces, pieces]), "p": 0.1}


def _at_once(A: BoolArray, codes: BoolArray, pieces: BoolArray, p: float) -> Any:
    """Every piece votes on the old codes."""
    gain = Flipped(A, p, p).gain
    each = []
    for j in range(len(pieces)):
        first = np.argsort(np.arange(len(pieces)) != j, kind="stable")  # piece j before the others
        each.append(vote(codes[:, first], pieces[first], gain)[:, :1])
    voted = NoisyPieces(np.hstack([codes[:, :0], *each]), pieces)
    return described(A, voted, p), described(A, NoisyPieces(codes, pieces), p)


@two_sided(
    "prop-noise-shorter",
    Random(starts, 1000, name="random matrices, codes and pieces", chunk=500),
    Broken(_doubled, 50, name="all pieces vote at once", sides=_at_once, drops="one piece votes after the other"),
)
def never_longer(A: BoolArray, codes: BoolArray, pieces: BoolArray, p: float) -> dict[str, tuple[Any, Any]]:
    """The sides of `prop-noise-shorter`: the length after each step, and before; with and without each piece found."""
    f, found = Flipped(A, p, p), NoisyPieces(codes, pieces)
    turned = vote(pieces.T, codes.T, f.gain.T).T
    steps = {
        "codes": NoisyPieces(vote(codes, pieces, f.gain), pieces),
        "pieces": NoisyPieces(codes, turned),
        "drop": f.drop(found),
        "search": f.shorten(found),
    }
    end = f.shorten(NoisyPieces(codes[:, :0], pieces[:0]))
    fewer = [np.inf]  # the lengths with one piece less
    for j in range(len(end.pieces)):
        rest = np.delete(end.codes, j, 1), np.delete(end.pieces, j, 0)
        fewer.append(described(A, NoisyPieces(*rest), p))
    lengths = {name: described(A, x, p) for name, x in steps.items()}
    before = described(A, found, p)
    sides = {name: (after, before) for name, after in lengths.items()}
    return sides | {"each piece": (described(A, end, p), min(fewer))}


PROP_SHORTER = never_longer.claim(
    "added",
    "no vote and no drop makes the description longer",
    "Votes on codes, votes on pieces and drops never lengthen the description; the search ends, and begun with no "
    "piece it returns pieces each of which is worth more than its price.",
    "proved",
    functions=(noisy_metafeatures, estimate_flip_rate),
)
