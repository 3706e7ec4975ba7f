"""Right answers to the exercises, and the wrong ones that come nearest, written without the checkers."""

from __future__ import annotations

from itertools import combinations, islice, permutations, product
from math import comb, cos, exp, log, pi, sin

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, norm

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.halfspaces import bounds
from lifelong.polynomials.bounds import schapire_sellie_sharp
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.noise.pieces import preorder_threshold
from lifelong_book.beyond.rank.instances import sperner_basis
from lifelong_book.conjunctions.consistency import experiments as studies
from lifelong_book.conjunctions.consistency.instances import all_families
from lifelong_book.polynomials.schapire_sellie.experiments import AnyMember, longest_run

RIGHT: dict[str, object] = {}
WRONG: dict[str, list[object]] = {}


def answers(label, given, *wrong):
    assert label not in RIGHT
    RIGHT[label], WRONG[label] = given, list(wrong)


def right(label, *wrong):
    return lambda function: answers(label, function, *wrong) or function


def rows_of(*words, n):
    return np.array([[str(v) in word for v in range(1, n + 1)] for word in words])


def circle(phi):
    return np.column_stack([np.cos(phi), np.sin(phi)])


# --- introduction, preliminaries, discussion


@right("ex-intro-crossover", lambda k, s, r, a: (k * s / a, 2 - r / a), lambda k, s, r, a: (switch(k, s, r, a)[0], 2.0))
def switch(kept, scratch, reused, alone):
    return kept * (scratch - reused) / (alone - reused), 2 - reused / alone


@right("ex-prelim-dimension", lambda U, V: np.linalg.svd(V @ U.T)[0][:, -1] @ V, lambda U, V: np.linalg.svd(U)[2][-1])
def mirror(U, V):
    B, C = np.linalg.qr(U.T)[0].T, np.linalg.qr(V.T)[0].T
    return np.linalg.svd(C @ B.T)[0][:, -1] @ C  # the direction of V with the least singular value


@right("ex-intro-threshold", lambda e, d: (int(20 / e), 15), lambda e, d: (fewest(e, d)[0] + 40, fewest(e, d)[1] + 3))
def fewest(epsilon, delta, eta=0.0):
    high, low = (eta + (1 - 2 * eta) * e for e in (epsilon, epsilon / 2))
    for labels in range(1, 10**5):
        most = int(binom.ppf(delta, labels, high))
        most -= binom.cdf(most, labels, high) > delta
        if most >= 0 and binom.sf(most, labels, low) <= delta:
            return labels, most
    return None


answers(
    "ex-intro-nothing",
    lambda n, e: ((n - 1) * (2 * n + 20) / e, (4 * n + 20) / e),
    lambda n, e: (n * (2 * n + 22) / e, (4 * n + 20) / e),  # one attempt too many
    lambda n, e: ((n - 1) * (2 * n + 20) / e, 4 * n / e),  # no test
)


def products(k):
    return (np.arange(1, 2**k)[:, None] >> np.arange(k)) & 1


@right(
    "ex-intro-cut",
    lambda k: (sorted(products(k).tolist(), key=sum), k),  # the friendliest order
    lambda k: (streams(k)[0][: k + 1], k + 1),  # only those that are learned with cutting
    lambda k: (streams(k)[0], k),
    lambda k: ([*streams(k)[0], [0] * k], k + 1),
)
def streams(k):
    return sorted(products(k).tolist(), key=sum, reverse=True), k + 1


GREEDY = np.kron(np.eye(2), circle([0.4, 0.0, 0.8]))
answers("ex-prelim-greedy", lambda: (GREEDY, 0.5), (GREEDY, 0.1), lambda: (GREEDY[:5], 0.5))
answers("ex-prelim-mixture", (0.1, 0.0, 1.0), (0.1, -0.5, 0.5), (1.5, 0.0, 1.0))
answers("ex-prelim-digits", lambda d, s: (d / s) ** 0.5, lambda d, s: d / s, lambda d, s: 10 * (d / s) ** 0.5)


@right(
    "ex-discussion-clusters",
    lambda mu, error: 0.99 * clusters(mu, error),
    lambda mu, error: np.degrees(np.arctan(-1 / norm.ppf(error))),  # the limit
)
def clusters(mu, error):
    z = np.linspace(-8, 8, 20_001)
    weight = norm.pdf(z) / norm.pdf(z).sum()

    def disagree(phi):
        return float(norm.cdf(-np.abs(mu + np.sqrt(1 - mu**2) * z) / np.tan(phi)) @ weight)

    return np.degrees(brentq(lambda phi: disagree(phi) - error, 0.001, 1.5))


# --- angles


@right(
    "ex-angles-mean",
    lambda count, rng: rng.standard_normal((count, 2)) * [1, 1.02],
    lambda count, rng: np.eye(2)[rng.integers(2, size=count)],
    lambda count, rng: circle(rng.uniform(0, 2 * pi, count)),  # all of one radius
)
def sample(count, rng):
    phi = rng.uniform(0, 2 * pi, count)
    return circle(phi) * (np.sqrt(rng.random(count)) * (2 + np.cos(2 * phi)))[:, None]


def sectors(count, rng):
    """In every other one of 64 sectors the points are twice as far."""
    phi = rng.uniform(0, 2 * pi, count)
    return circle(phi) * (np.sqrt(rng.random(count)) * (1 + np.floor(phi * 32 / pi) % 2))[:, None]


def coin(count, rng):
    """Near 1 or near 3 on one side, near 2 on the other: the mean size is the same."""
    phi = rng.uniform(0, 2 * pi, count)
    return circle(phi) * (np.where(phi < pi, rng.choice([1, 3], count), 2) + 0.1 * rng.random(count))[:, None]


answers(
    "ex-angles-anisotropic",
    lambda s: (min(s, 1 / s) / pi, max(s, 1 / s) / pi),
    lambda s: (s / pi, 1 / (s * pi)),  # right for s < 1 only
    lambda s: (min(s, 1 / s), max(s, 1 / s)),
)
answers("ex-angles-heavy", lambda a, g: g / (a - 1), lambda a, g: g / a, lambda a, g: 1 / g)


@right("ex-angles-logistic", lambda phi: 1 / pi, lambda phi: np.log(2) / 2)
def rate(phi):
    r, s = np.linspace(-80, 80, 200_001), np.sqrt(3) / pi
    with np.errstate(over="ignore"):
        along, across = (1 / np.cosh(r * x / (2 * s)) ** 2 / (4 * s) for x in (np.cos(phi), np.sin(phi)))
    return float(np.trapezoid(np.abs(r) * along * across, r))


@right(
    "ex-angles-laplace",
    lambda N: 2 * (N / pi) ** 0.5 * (1 - 1 / (8 * N)),  # Stirling's formula with its next term
    lambda N: N**0.5 * comb(2 * N, N) / 4**N,  # the rate instead of the mean
)
def mean_absolute(N):
    return 2 * N * comb(2 * N, N) / 4**N


# --- one more error, the span


@right("ex-threshold", lambda k: pi / 2 - 0.01, lambda k: 1.05 * threshold(k))
def threshold(k):
    def beyond(gamma):
        error = gamma**2 / (10 * k)
        return bounds.subspace_sharp(k, error, gamma) - bounds.subspace_printed(k, error, gamma)

    return brentq(beyond, 0.05, pi / 2)


answers(
    "ex-chain",
    lambda a, b: (a - b) / np.linalg.norm(a - b),
    lambda a, b: (a + b) / np.linalg.norm(a + b),
    lambda a, b: a - b,
)


@right("ex-break", lambda factor: nearly_flat(1), lambda f: [[1, 0, 0], [cos(0.1 / f), sin(0.1 / f), 0], [0, 0, 1]])
def nearly_flat(factor):
    eta = 0.5 / factor
    side = np.cos(eta) / 2**0.5
    return np.array([[1, 0, 0], [0, 1, 0], [side, side, np.sin(eta)]])


answers("ex-random-errors", lambda g: 1 / np.sin(g), lambda g: 1 / np.tan(g), lambda g: 1 / g)
answers(
    "ex-nervous",
    lambda m, k, e: (m / 100, k * (2 + log(1 / e))),
    lambda m, k, e: ((m - 3 * k) / 100, k * (2 + log(1 / e))),
    lambda m, k, e: (m / 100, k * (2.01 + log(1 / e))),
)
answers("ex-cheapest", lambda q: brentq(lambda d: d * (log(d) - 1) - q, 2, 1e6), lambda q: exp(1), lambda q: exp(1) + q)
answers(
    "ex-crossover",
    lambda n, kept, share: share / (1 - share) * 3 * kept * n / (3 * kept + 20),
    lambda n, kept, share: share * 3 * kept * n / (3 * kept + 20),
    lambda n, kept, share: share / (1 - share) * n,
)


@right("ex-two-laws", lambda a, b: (a + b, a - b), lambda a, b: agree_and_not(a, b)[::-1])
def agree_and_not(target, hypothesis):
    a, b = target / np.linalg.norm(target), hypothesis / np.linalg.norm(hypothesis)
    return a + b, a - b


answers(
    "ex-holdout",
    lambda k, C: brentq(lambda x: (1 - x) ** 3 - C * x / (2 * k), 0, 1),
    lambda k, C: 0.5,
    lambda k, C: max(1 - (C / (2 * k)) ** (1 / 3), 0.1),  # the limit for large k
)

# --- repair

answers("ex-asymptotic", lambda e: 1 / (pi * e), lambda e: 1 / e, lambda e: 2 / (pi * e))


@right(
    "ex-repair-crossover",
    lambda n, k: max(0.0, (0.6 * n - 4 * k - 20) / (3 * n)),  # the attempts of the strangers are forgotten
    lambda n, k: strangers(n, k) / 2,
)
def strangers(n, k):
    A = 0.6 * n - 4 * k - 20
    return (A + 4 * k - (8 * k * A + 16 * k**2) ** 0.5) / (3 * n) if A > 0 else 0


@right("ex-near-a-space", lambda g, m: (np.eye(m)[0], np.eye(m)), lambda g, m: (leaning(g, m)[0], leaning(g / 2, m)[1]))
def leaning(gamma, count):
    axes = np.sin(gamma) * np.eye(count)
    return np.eye(count + 1)[0], np.hstack([np.full((count, 1), np.cos(gamma)), axes])


@right(
    "ex-exactly-unequal",
    lambda r, e: (*unequal(r, e)[:2], unequal(r, e)[0][0]),
    lambda r, e: (*unequal(r * 0.9, e)[:2], unequal(r, e)[2]),
    lambda r, e: (*unequal(r, e)[:2], np.eye(len(r) + 1)[-1]),
)
def unequal(errors, epsilon):
    eta = pi * errors
    k, t = len(eta), np.tan(eta)
    rows = np.linalg.cholesky(np.eye(k) + np.diag(t**2) - np.outer(t, t))
    rows = np.hstack([rows, np.zeros((k, 1))])
    targets = np.cos(eta)[:, None] * rows + np.sin(eta)[:, None] * np.eye(k + 1)[-1]
    return targets, rows, np.sin(eta) @ targets


@right("ex-exactly-fresh", lambda F, e: e / len(F) ** 0.5, lambda F, e: coarsest(F, e, None))  # all singular values
def coarsest(F, epsilon, which=2):
    return np.arctan(np.tan(pi * epsilon) / np.linalg.norm(F, which)) / pi


# --- levels


@right("ex-levels-wrong", lambda e: circle(np.arange(0, 2 * pi, 1.01 * pi * e)), lambda e: fan(2 * e))
def fan(epsilon):
    count = int(np.ceil(1 / epsilon - 1e-9)) - 1
    return circle(np.arange(count) * pi / count)


answers(
    "ex-levels-fine",
    lambda tau, e: pi ** (tau - 1) / (8 * tau) * e**tau,
    lambda tau, e: e ** (tau + 0.04) / (8 * tau),
    lambda tau, e: 1e-13 * e,  # a constant that hides the exponent
    lambda tau, e: e**2 / 100,
    lambda tau, e: e**tau,  # too large a constant
)


@right("ex-levels-tasks", lambda k, tau: spaces(k, tau) + 1, lambda k, tau: spaces(k, tau) - 1)
def spaces(k, tau):
    low, high = 1, 10**40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if log(comb(tau * middle, tau)) < k - tau else (low, middle)
    return low


def apart(epsilon, share):
    """Two answers that lean apart, the second target a little farther than need be."""
    eta = pi * epsilon / 2
    turn = share * np.arccos(np.cos(2 * eta) / np.cos(eta))
    plane = np.array([[1, 0, 0], [np.cos(turn), np.sin(turn), 0], [np.cos(turn) - 1, np.sin(turn), 0]])
    up = np.array([[0, 0, np.sin(eta)]])
    return plane, np.cos(eta) * plane[:2] + np.vstack([up, -up])


answers("ex-levels-coarse", lambda e: apart(e, 1.000001), lambda e: apart(e, 0.9), lambda e: (np.eye(3), np.eye(3)[:2]))


answers(
    "ex-direct-growth",
    lambda e, f: log(1 / e) / log((f + 1) / 2),
    lambda e, f: 1.15 * log(1 / e) / log((f + 1) / 2),
    lambda e, f: log(1 / e) / log((f + 1.1) / 2),
)

# --- assumptions

answers(
    "ex-beyond-lean",
    lambda b: (1, 1, 1) if 3 * b < 10 else None,
    lambda b: (1, 1, 1),
    lambda b: (1, 1, 1) if b < 3 else None,
)
answers("ex-beyond-noise", lambda e: e / 4 / (1 - e), lambda e: e / 4, lambda e: 0.75 * e)
answers(
    "ex-beyond-price",
    lambda e, d, eta: fewest(e, d, eta),
    lambda e, d, eta: fewest(e, d),  # without noise
    lambda e, d, eta: (10**4, int(10**4 * (eta + (1 - 2 * eta) * 0.75 * e))),
)


@right("ex-beyond-shrink", lambda A, p: np.zeros_like(A), lambda A, p: np.sign(A) * np.maximum(abs(A) - p, 0))
def shrunk(A, penalty):
    left, sizes, right_ = np.linalg.svd(A, full_matrices=False)
    return left * np.maximum(sizes - penalty, 0) @ right_


answers(
    "ex-beyond-average",
    lambda eta, m, k, n: eta * (k / m) ** 0.5 * (1 + (k / (n - k)) ** 0.5),
    lambda eta, m, k, n: eta * (k / m) ** 0.5,
    lambda eta, m, k, n: eta * (k / m) ** 0.5 * (1 + (k / n) ** 0.5),
)
answers(
    "ex-beyond-promise",
    lambda m, mean, e: max(int(np.ceil(m * mean / e)) - 1, 0),
    lambda m, mean, e: int(m * mean / e),
    lambda m, mean, e: 0,
)

# --- conjunctions


@right(
    "ex-consistency-at-most-n",
    lambda r: np.eye(r),
    lambda r: [[int(j >> i & 1) for j in range(1, 2**r)] for i in range(r)],  # all sets at once
)
def outnumbered(r):
    sets = {1: ["1"], 2: ["1", "2"], 3: ["2", "12", "3", "13"], 4: ["3", "4", "12", "13", "14", "23", "24"]}[r]
    return [[str(i) in s for s in sets] for i in range(1, r + 1)]


DOTS = [{dot} for dot in range(1, 9)]
answers("ex-consistency-fooling", DOTS, [set(range(1, 9))] * 8, [{1}] * 8, [{dot} for dot in range(8)])

EDGES = rows_of("12", "13", "24", n=4)


def masks(family):
    return frozenset(int(row @ [1, 2, 4, 8]) for row in np.asarray(family).astype(int))


@right("ex-consistency-gap", [EDGES], [EDGES, EDGES[:, [1, 0, 3, 2]]], [EDGES, EDGES[:2]], lambda: 14)
def gaps():
    """One family of each kind, and Algorithm 3 itself."""
    least = studies.smallest_bases(4, need_anchors=False)
    seen, found = set(), []
    for targets, basis in zip(all_families(4), least, strict=True):
        sets = masks(targets)
        if sets not in seen:
            seen |= {frozenset(int(row @ p) for row in targets.astype(int)) for p in permutations((1, 2, 4, 8))}
            if len(metafeatures(targets)) > basis:
                found.append(targets)
    return found


@right(
    "ex-consistency-anchors",
    lambda a: (np.ones((a + 1, 3)), np.ones((1, 3))),
    lambda a: (one_missing(a)[0], one_missing(a)[0][:-1]),
)
def one_missing(a):
    sets = [set(S) for S in combinations(range(a), a // 2)]
    anchored = [[int(i == j) for i in range(a)] + [int(j in S) for S in sets] for j in range(a)]
    pieces = [*anchored, [0] * a + [1] * len(sets)]
    return pieces, pieces


ENDS = set(range(1, 7))
CELLS = [(ENDS, 1), *((ENDS | {j}, j) for j in range(7, 13))]
PIECES = np.hstack([np.ones((7, 6)), np.eye(7)[:, 1:]])
answers(
    "ex-consistency-hexagrams-box",
    (PIECES, CELLS),
    (PIECES, [(set(range(1, 13)), z) for z in range(1, 8)]),
    (np.vstack([np.ones(12), PIECES[1:]]), CELLS),
    (PIECES, [({1, 2, 3}, 1), *CELLS[1:]]),
)

GRAM = rows_of("124", "134", "234", "4", n=4), rows_of("1234", "14", "24", "34", n=4)
answers("ex-consistency-gram", GRAM, (EDGES, EDGES), (EDGES, np.eye(4)))


@right(
    "ex-rank-bounds", lambda r: (all_unions(r)[0], np.ones((r, r))), lambda r: (np.tile(np.eye(r), (2, 1)), np.eye(r))
)
def all_unions(r):
    return [[mask >> j & 1 for j in range(r)] for mask in range(1, 2**r)], np.eye(r)


answers(
    "ex-rank-three",
    lambda N: [(1, 2), (2, 3), (3, 1)],
    lambda N: [(1, 2), (2, 1)],
    lambda N: [(i, i % N + 1) for i in range(1, N + 1)],  # a circle: good for three only
)

PATH = np.eye(4, k=1) + np.eye(4, k=-1)
LONGER = np.eye(5, k=1) + np.eye(5, k=-1)
answers("ex-rank-break", PATH, PATH + np.eye(4), PATH[:3, :3], LONGER)
answers("ex-rank-transpose", EDGES, ~np.eye(4, dtype=bool), np.vstack([EDGES, EDGES[:1]]))
answers(
    "ex-rank-tolerance",
    lambda q, t: q * (1 - q - t) / (t * (1 - 2 * q)),
    lambda q, t: q / t,
    lambda q, t: q * (1 - t) / (q + t - 2 * q * t),  # false anchors only
)


@right("ex-noise-rate", lambda p, q, n, delta: 1 / (p - q), lambda p, q, n, delta: crossing(p, q, n, delta) / 2)
def crossing(p, q, n, delta):
    drift = (p - q) * (1 - p - q) / (1 - 2 * q) ** 2
    return brentq(lambda m: m * drift - preorder_threshold(int(m), n, q, delta=delta)[0], 10, 1e8, xtol=1)


# --- one by one, product laws


@right("ex-online-forgets", [True] * 9, [True] * 6 + [False, True, False])
def forgets():
    stream = rows_of("1236", "1248", "35", "45", "26", "28", "12", "17", "12", n=8)
    return [i in online_metafeatures(stream).scratch for i in range(9)]


@right("ex-online-hoard", lambda T: hoard(T, once=False), lambda T: (len(T), len(T)))  # equal ones again and again
def hoard(targets, once=True):
    kept = pool = targets[:0]
    for T in targets:
        if represent(T, pool) is None:
            kept = np.vstack([kept, T])
            pool = np.vstack([pool, metafeatures(kept)])
            pool = np.unique(pool, axis=0) if once else pool
    return len(kept), len(pool)


@right("ex-online-shuffle", lambda n: order(n)[::-1], lambda n: order(n)[:n], lambda n: [[0] * n, *order(n)])
def order(n):
    return sorted(products(n).tolist(), key=sum)


LEFT = exp(-exp(-0.5))
answers(
    "ex-product-which",
    exp(-0.5) * (1 - exp(-LEFT / 2)),
    exp(-0.5) * (1 - exp(-exp(-1) / 2)),  # superfluous variables that are 0 in no example at all
    exp(-0.5) * LEFT,
)


@right(
    "ex-product-first",
    lambda c0, labels: 1 - (1 - (1 - 0.1 / 40) ** (c0 * labels)) ** 19,  # the mean in the place of the variable
    lambda c0, labels: min(1.0, 19 * (1 - 0.1 / 40 * c0) ** labels),  # a union bound
)
def failure(c0, labels):
    P = np.arange(labels + 1)
    return 1 - float(binom.pmf(P, labels, c0) @ (1 - (1 - 0.1 / 40) ** P) ** 19)


# --- autoencoders


@right("ex-autoencoders-nolog", lambda *given: covered(*given, least=1), lambda n, factor, draws, rng: 0.0)
def covered(n, factor, draws, rng, least=2):  # a single pair is lost in one target
    kept = (np.triu(rng.random((n, n)) < factor / (n - 2), 1) for _ in range(draws))
    return np.mean([((k + k.T).sum(axis=0) >= least).all() for k in kept])


answers(
    "ex-autoencoders-log-box",
    lambda r: sperner_basis(comb(r, r // 2)),
    lambda r: np.eye(comb(r, r // 2))[:r],
    lambda r: ~sperner_basis(comb(r, r // 2))[::-1] if r > 4 else np.ones((r, comb(r, r // 2))),
)


@right("ex-autoencoders-lines", lambda line, pair: pair, lambda line, pair: line, lambda line, pair: {1, 4, 7})
def witness(line, pair):
    sets = [set(map(int, word)) for word in ("123", "456", "789", "147", "258", "369", "159", "357")]
    return next(a | b for a, b in combinations(sets, 2) if pair <= a | b and not line <= a | b)


# --- polynomials

answers(
    "ex-one-layer-literals",
    lambda x, y: 1 + x + y + x * y,
    lambda x, y: (1 - x) * (1 - y),
    lambda x, y: x * y,
    lambda x, y: 1 + 2 * x + y + x * y,
)
answers("ex-one-layer-fewer", lambda k: np.tri(k), lambda k: np.eye(k), lambda k: np.tri(k, k=-1))


answers("ex-ss-rank", lambda terms, a: terms, lambda t, a: np.tile(t[:1], (len(t), 1)), lambda t, a: t[1:])
answers(
    "ex-ss-ring",
    ([[1, 0], [0, 1]], [3, 5], [1, 1], [1, 0]),
    ([[1, 0], [0, 1]], [1, 5], [1, 1], [1, 0]),
    ([[1, 0], [0, 1]], [3, 5], [1, 0], [0, 1]),
    ([[1, 0], [1, 0]], [3, 5], [1, 1], [1, 0]),
)


@right("ex-ss-games", 14, [[1, 0, 0, 0]], [[0, 0, 0, 0]], lambda: longer()[1:], lambda: longer() + longer()[:1])
def longer():
    found = []
    for a in product((-1, 0, 1), repeat=4):
        g = Polynomial(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool), a) if any(a) else None
        if g and longest_run(g) == sum(2 - len(term) for term, x in zip(("", "1", "2", "12"), a, strict=True) if x) + 3:
            found.append(a)
    return found


@right("ex-ss-wrong", "3x1 + 2x2x3", "0", "x9")
def unfinished():
    rng = np.random.default_rng(0)
    for _ in range(60):
        f = Polynomial(rng.random((6, 8)) < 0.5, rng.integers(1, 4, 6))
        learner = AnyMember(PolynomialTask(f, counterexample="largest"))
        for _ in islice(learner.events(), schapire_sellie_sharp(f.terms)[0]):
            pass
        if learner.hypothesis != f:
            terms = zip(f.coefficients, f.terms, strict=True)
            return " + ".join(f"{a}" + "".join(f"x{v + 1}" for v in np.flatnonzero(term)) for a, term in terms)
    return "none found"


FORGETFUL = ["x1x2x3x6", "x1x2x4x8", "x3x5", "x4x5", "x2x6", "x2x8", "x1x2 + x1x7", "x1x2"]
answers("ex-shared-frugal", FORGETFUL, [], FORGETFUL[:-1], ["x13"], "x1")


@right("ex-ss-zeros", lambda r: (all_negated(r)[0], np.ones(2**r)), lambda r: all_negated(2))
def all_negated(r):
    terms = [[mask >> j & 1 for j in range(max(r, 1))] for mask in range(2**r)]
    return terms, [(-1) ** sum(row) for row in terms]


@right("ex-shared-remark", lambda k: None, lambda k: (largest(k) or 1) + 1)
def largest(k):
    return next((n for n in range(2**k, k - 1, -1) if 2**k > n**2 + k), None)


@right(
    "ex-shared-certificate",
    lambda k, ratio: (best(k, ratio)[0], best(k, ratio)[1] / 100),  # a share in the place of a percentage
    lambda k, ratio: (best(8, 600)[0], best(k, ratio)[1]),
)
def best(k, ratio):
    grid = np.linspace(0.05, 6, 20_000)
    cost = (2 * grid * np.log(2 ** (k + 1)) + 4 * np.log(ratio)) / (1 - np.exp(-grid))
    one = (2 * np.log(2 ** (k + 1)) + 4 * np.log(ratio)) / (1 - np.exp(-1))
    return grid[cost.argmin()], 100 * (1 - cost.min() / one)


answers(
    "ex-shared-noise",
    lambda s, excess, b, N: 3 * b**2 * log(2 * N) / (excess - 2 * s**2) if excess > 2 * s**2 else None,
    lambda s, excess, b, N: 3 * b**2 * log(2 * N) / excess,
    lambda s, excess, b, N: None,
)


@right("ex-shared-constant", lambda k: np.eye(k), lambda k: np.ones((1, k)))
def tells_all(k):
    t = next(t for t in range(1, 9) if comb(t, t // 2) >= k)
    sets = list(combinations(range(t), max(t // 2, 1)))[:k]
    return [[int(i in S) for S in sets] for i in range(t)]


#: Other right answers: a checker asks for a property.
ALSO_RIGHT = {
    "ex-intro-cut": [lambda k: (products(k)[::-1], k + 1)],
    "ex-prelim-mixture": [(1e-5, 0.0, 2.0), (0.2, 1.2, 0.0)],
    "ex-consistency-fooling": [[set(range(1, dot + 1)) for dot in range(1, 9)]],
    "ex-ss-ring": [([[0, 1], [1, 0]], [5, 3], [1, 1], [1, 0]), ([[1, 0], [0, 1]], [3, 1], [1, 1], [1, 0])],
    "ex-rank-break": [PATH[[1, 0, 2, 3]][:, [1, 0, 2, 3]]],
    "ex-one-layer-literals": [lambda x, y: -(1 - x) * (1 - y), lambda x, y: np.int64(1 - x + y - x * y)],
    "ex-nervous": [lambda m, k, e: (m / 100, k * (1.63 + log(1 / (pi * e))))],
    "ex-random-errors": [lambda g: 0.95 / np.sin(g)],  # as measured from five vectors to eight
    "ex-angles-laplace": [lambda N: float(f"{mean_absolute(N):.8g}")],
    "ex-angles-logistic": [lambda phi: round(rate(phi), 4)],
    "ex-angles-mean": [sectors, coin],
    "ex-rank-bounds": [lambda r: tuple(np.hstack([x, x]) for x in all_unions(r))],
}
