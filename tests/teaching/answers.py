"""Right answers to the exercises, and typical wrong ones, written without the checkers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, islice, permutations, product
from math import comb, exp, factorial, log, pi

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import brentq
from scipy.stats import binom, norm

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import subspace_angle
from lifelong.halfspaces.instances import chain
from lifelong.polynomials.bounds import schapire_sellie_sharp
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.noise.pieces import preorder_threshold
from lifelong_book.conjunctions.consistency import experiments as studies
from lifelong_book.conjunctions.consistency.instances import sperner_basis
from lifelong_book.halfspaces.levels import limits
from lifelong_book.halfspaces.perturbation.families import perturbed
from lifelong_book.polynomials.instances import cellular_automaton
from lifelong_book.polynomials.shared_monomials.experiments import AnyMember, longest_run

RIGHT: dict[str, object] = {}
WRONG: dict[str, list[object]] = {}


def right(label):
    def keep(function):
        assert label not in RIGHT
        RIGHT[label] = function
        return function

    return keep


def wrong(label, *answers):
    WRONG.setdefault(label, []).extend(answers)


def rows_of(*words, n):
    return np.array([[str(v) in word for v in range(1, n + 1)] for word in words])


# --- introduction, preliminaries, discussion ---------------------------------------------------------


@right("ex-intro-crossover")
def switch(kept, scratch, reused, alone):
    return kept * (scratch - reused) / (alone - reused), 2 - reused / alone


wrong(
    "ex-intro-crossover",
    lambda kept, scratch, reused, alone: (kept * scratch / alone, 2.0),
    lambda kept, scratch, reused, alone: (switch(kept, scratch, reused, alone)[0], 2.0 + reused),
    lambda kept, scratch, reused, alone: (kept, 2 - reused / alone),
)


@right("ex-prelim-dimension")
def mirror(U, V):
    B, C = np.linalg.qr(U.T)[0].T, np.linalg.qr(V.T)[0].T
    return np.linalg.svd(C @ B.T)[0][:, -1] @ C  # the direction of V with the least singular value


wrong(
    "ex-prelim-dimension",
    lambda U, V: np.linalg.svd(V @ U.T)[0][:, -1] @ V,  # the bases are not orthonormal
    lambda U, V: V[0],
    lambda U, V: np.linalg.svd(U)[2][-1],  # orthogonal to U, but not in V
)


@right("ex-intro-threshold")
def test(epsilon, delta):
    for labels in range(1, 10**4):
        most = int(binom.ppf(delta, labels, epsilon))
        most -= binom.cdf(most, labels, epsilon) > delta
        if most >= 0 and binom.sf(most, labels, epsilon / 2) <= delta:
            return labels, most
    return None


wrong(
    "ex-intro-threshold",
    lambda epsilon, delta: (int(20 / epsilon), 15),
    lambda epsilon, delta: (test(epsilon, delta)[0] + 40, test(epsilon, delta)[1] + 3),
    lambda epsilon, delta: (10**4, int(750 * epsilon * 10)),
)

RIGHT["ex-intro-nothing"] = lambda n, epsilon: ((n - 1) * (2 * n + 20) / epsilon, (4 * n + 20) / epsilon)
wrong(
    "ex-intro-nothing",
    lambda n, epsilon: (n * (2 * n + 22) / epsilon, (4 * n + 20) / epsilon),  # one attempt too many
    lambda n, epsilon: ((n - 1) * (2 * n + 20) / epsilon, 4 * n / epsilon),  # no test
    lambda n, epsilon: (3 * n**2 / epsilon, 3 * n / epsilon),
)


def products(k):
    return (np.arange(1, 2**k)[:, None] >> np.arange(k)) & 1


@right("ex-intro-cut")
def streams(k):
    return sorted(products(k).tolist(), key=sum, reverse=True), k + 1


wrong(
    "ex-intro-cut",
    lambda k: (sorted(products(k).tolist(), key=sum), k),  # the friendliest order
    lambda k: (streams(k)[0][: k + 1], k + 1),  # only those that are learned with cutting
    lambda k: (streams(k)[0], 2**k - 1),  # as if cutting did not help
    lambda k: (streams(k)[0], k),
    lambda k: ([*streams(k)[0], [0] * k], k + 1),
)


def in_planes(*angles):
    three = np.array([[np.cos(a), np.sin(a)] for a in angles])
    none = np.zeros((3, 2))
    return np.vstack([np.hstack([three, none]), np.hstack([none, three])])


@right("ex-prelim-greedy")
def greedy():
    return in_planes(0.4, 0.0, 0.8), 0.5


wrong(
    "ex-prelim-greedy",
    (in_planes(0.4, 0.0, 0.8), 0.1),
    (np.tile(np.eye(4)[0], (6, 1)), 0.5),
    lambda: (in_planes(0.4, 0.0, 0.8)[:5], 0.5),
)

RIGHT["ex-prelim-mixture"] = (0.1, 0.0, 1.0)
wrong("ex-prelim-mixture", (0.9, 0.0, 0.1), (0.1, -0.5, 0.5), (1.5, 0.0, 1.0))

RIGHT["ex-prelim-digits"] = lambda delta, share: (delta / share) ** 0.5
wrong("ex-prelim-digits", lambda delta, share: delta / share, lambda delta, share: 10 * (delta / share) ** 0.5)


@right("ex-discussion-clusters")
def clusters(mu, error):
    z = np.linspace(-8, 8, 20_001)
    weight = norm.pdf(z) / norm.pdf(z).sum()

    def disagree(phi):
        return float(norm.cdf(-np.abs(mu + np.sqrt(1 - mu**2) * z) / np.tan(phi)) @ weight)

    return np.degrees(brentq(lambda phi: disagree(phi) - error, 0.001, 1.5))


def few_nodes(mu, error):
    """A rule of 60 nodes, which does not see the corner of the integrand at x1 = 0."""
    z, weight = hermegauss(60)
    far = np.abs(mu + np.sqrt(1 - mu**2) * z)
    miss = brentq(lambda phi: norm.cdf(-far / np.tan(phi)) @ weight / weight.sum() - error, 0.001, 1.5)
    return np.degrees(miss)


wrong(
    "ex-discussion-clusters",
    few_nodes,
    lambda mu, error: 180 * error,  # the Gaussian law
    lambda mu, error: np.radians(clusters(mu, error)),
    lambda mu, error: np.degrees(np.arctan(-1 / norm.ppf(error))),  # the limit
)


@right("ex-discussion-corners")
def corners():
    C = np.array([[1.0, 0.0], [0.0, 1.0]])
    return C, np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -0.9]])


wrong(
    "ex-discussion-corners",
    (np.eye(2), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0]])),
    (np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -0.9]])),
    (np.eye(2), np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0]])),
)

# --- angles ------------------------------------------------------------------------------------------


@right("ex-angles-mean")
def sample(count, rng):
    phi, r = rng.uniform(0, 2 * np.pi, count), np.sqrt(rng.random(count))
    return np.column_stack([np.cos(phi), np.sin(phi)]) * (r * (2 + np.cos(2 * phi)))[:, None]


wrong(
    "ex-angles-mean",
    lambda count, rng: rng.standard_normal((count, 2)),
    lambda count, rng: rng.random((count, 2)) - 0.5,
    lambda count, rng: np.eye(2)[rng.integers(2, size=count)],
    lambda count, rng: rng.standard_normal((count, 2)) * [1, 1.02],
    lambda count, rng: circle(rng.uniform(0, 2 * pi, count)),  # all of one radius
    lambda count, rng: circle(rng.uniform(0, 2 * pi, count)) * rng.choice([1.0, 3.0], (count, 1)),
)


def circle(phi):
    return np.column_stack([np.cos(phi), np.sin(phi)])


def sectors(count, rng):
    """In every other one of 64 sectors the points are twice as far."""
    phi = rng.uniform(0, 2 * pi, count)
    return circle(phi) * (np.sqrt(rng.random(count)) * (1 + np.floor(phi * 32 / pi) % 2))[:, None]


def coin(count, rng):
    """Near 1 or near 3 on one side, near 2 on the other: the mean size is the same."""
    phi = rng.uniform(0, 2 * pi, count)
    return circle(phi) * (np.where(phi < pi, rng.choice([1, 3], count), 2) + 0.1 * rng.random(count))[:, None]


RIGHT["ex-angles-anisotropic"] = lambda s: (min(s, 1 / s) / pi, max(s, 1 / s) / pi)
wrong(
    "ex-angles-anisotropic",
    lambda s: (s / pi, 1 / (s * pi)),  # right for s < 1 only
    lambda s: (min(s, 1 / s), max(s, 1 / s)),
    lambda s: (1 / pi, 1 / pi),
)

RIGHT["ex-angles-heavy"] = lambda alpha, g: g / (alpha - 1)
wrong("ex-angles-heavy", lambda alpha, g: g / alpha, lambda alpha, g: g / (1 / g).mean(), lambda alpha, g: 1 / g)


@right("ex-angles-logistic")
def rate(phi):
    s = np.sqrt(3) / np.pi
    r = np.linspace(-80, 80, 200_001)

    def f(x):
        return 1 / np.cosh(x / (2 * s)) ** 2 / (4 * s)

    with np.errstate(over="ignore"):
        return float(np.trapezoid(np.abs(r) * f(r * np.cos(phi)) * f(r * np.sin(phi)), r))


wrong("ex-angles-logistic", lambda phi: 1 / np.pi, lambda phi: np.log(2) / 2, lambda phi: rate(phi) / 2)

RIGHT["ex-angles-laplace"] = lambda N: 2 * N * comb(2 * N, N) / 4**N
wrong(
    "ex-angles-laplace",
    lambda N: N,
    lambda N: 2 * (N / pi) ** 0.5,
    lambda N: 2 * (N / pi) ** 0.5 * (1 - 1 / (8 * N)),  # the next term of Stirling's formula
    lambda N: N**0.5 * comb(2 * N, N) / 4**N,  # the rate instead of the mean
)

# --- one more error, the span ------------------------------------------------------------------------


def beyond(gamma, k):
    error = gamma**2 / (10 * k)
    return bounds.subspace_sharp(k, error, gamma) - bounds.subspace_printed(k, error, gamma)


RIGHT["ex-threshold"] = lambda k: brentq(beyond, 0.05, np.pi / 2, args=(k,))
wrong("ex-threshold", lambda k: np.pi / 2 - 0.01, lambda k: 0.3, lambda k: 1.05 * brentq(beyond, 0.05, 1.57, args=(k,)))


@right("ex-chain")
def farthest(first, second):
    return (first - second) / np.linalg.norm(first - second)


wrong(
    "ex-chain",
    lambda first, second: (first + second) / np.linalg.norm(first + second),
    lambda first, second: first - second,
    lambda first, second: second,
)


@right("ex-break")
def nearly_flat(factor):
    eta = 0.5 / factor
    side = np.cos(eta) / 2**0.5
    return np.array([[1, 0, 0], [0, 1, 0], [side, side, np.sin(eta)]])


wrong(
    "ex-break",
    lambda factor: np.eye(3),
    lambda factor: np.array([[1, 0, 0], [np.cos(0.1 / factor), np.sin(0.1 / factor), 0], [0, 0, 1]]),
    lambda factor: nearly_flat(1),
)

RIGHT["ex-random-errors"] = lambda gamma: 1 / np.sin(gamma)
wrong(
    "ex-random-errors",
    lambda gamma: 1.0,
    lambda gamma: 1 / np.sin(gamma / 2),
    lambda gamma: 1 / np.sin(gamma) ** 2,
    lambda gamma: 1 / np.tan(gamma),
    lambda gamma: 1 / gamma,
)


def measured(gamma):
    """The growth of the median from five vectors to eight."""
    medians = []
    for k in (5, 8):
        learned = np.pad(chain(k, gamma), ((0, 0), (0, 4)))
        true = perturbed(np.broadcast_to(learned, (2000, *learned.shape)), 1e-9, rng=1)
        medians.append(np.median(np.sin(subspace_angle(learned, true))))
    return (medians[1] / medians[0]) ** (1 / 3)


RIGHT["ex-nervous"] = lambda m, k, epsilon: (m / 100, k * (2 + log(1 / epsilon)))
wrong(
    "ex-nervous",
    lambda m, k, epsilon: (m / 10, k * (2 + log(1 / epsilon))),
    lambda m, k, epsilon: (m / 100, m / 100),
    lambda m, k, epsilon: ((m - 3 * k) / 100, k * (2 + log(1 / epsilon))),
    lambda m, k, epsilon: (m / 100, k * (2.01 + log(1 / epsilon))),
    lambda m, k, epsilon: (m / 100, k),
)

DELTAS = np.arange(2.05, 20, 0.05)
RIGHT["ex-cheapest"] = lambda ratio: brentq(lambda d: d * (log(d) - 1) - ratio, 2, 1e6)
wrong("ex-cheapest", lambda ratio: 5.0, lambda ratio: exp(1), lambda ratio: exp(1) + ratio)


RIGHT["ex-crossover"] = lambda n, kept, share: share / (1 - share) * 3 * kept * n / (3 * kept + 20)
wrong(
    "ex-crossover",
    lambda n, kept, share: 6.0 * kept,  # when sharing is ahead
    lambda n, kept, share: share * 3 * kept * n / (3 * kept + 20),
    lambda n, kept, share: share / (1 - share) * n,
)


@right("ex-two-laws")
def agree_and_not(target, hypothesis):
    a, b = target / np.linalg.norm(target), hypothesis / np.linalg.norm(hypothesis)
    return a + b, a - b


wrong(
    "ex-two-laws",
    lambda target, hypothesis: (target, hypothesis),
    lambda target, hypothesis: (target + hypothesis, target - hypothesis),  # of different lengths
    lambda target, hypothesis: agree_and_not(target, hypothesis)[::-1],
)

RIGHT["ex-holdout"] = lambda k, C: brentq(lambda x: (1 - x) ** 3 - 2 * C * x / (3 * k), 0, 1)
wrong(
    "ex-holdout",
    lambda k, C: 0.5,
    lambda k, C: max(1 - (2 * C / (3 * k)) ** (1 / 3), 0.1),  # the limit for large k
)


# --- repair ------------------------------------------------------------------------------------------

RIGHT["ex-asymptotic"] = lambda epsilon: 1 / (pi * epsilon)
wrong("ex-asymptotic", lambda epsilon: 1 / epsilon, lambda epsilon: 2 / (pi * epsilon))


@right("ex-repair-crossover")
def strangers(n, k):
    A = 0.6 * n - 4 * k - 20
    return (A + 4 * k - (8 * k * A + 16 * k**2) ** 0.5) / (3 * n) if A > 0 else 0


wrong(
    "ex-repair-crossover",
    lambda n, k: 0.1,
    lambda n, k: max(0.0, (0.6 * n - 4 * k - 20) / (3 * n)),  # the attempts of the strangers are forgotten
    lambda n, k: strangers(n, k) / 2,
)


@right("ex-near-a-space")
def leaning(gamma, count):
    axes = np.sin(gamma) * np.eye(count)
    return np.eye(count + 1)[0], np.hstack([np.full((count, 1), np.cos(gamma)), axes])


wrong(
    "ex-near-a-space",
    lambda gamma, count: (np.eye(count)[0], np.eye(count)),
    lambda gamma, count: (np.eye(count + 1)[0], np.tile(np.eye(count + 1)[0], (count, 1))),
    lambda gamma, count: (leaning(gamma, count)[0], leaning(gamma / 2, count)[1]),
)


@right("ex-exactly-unequal")
def unequal(errors, epsilon):
    eta = np.pi * errors
    k, t = len(eta), np.tan(eta)
    answers = np.linalg.cholesky(np.eye(k) + np.diag(t**2) - np.outer(t, t))
    answers = np.hstack([answers, np.zeros((k, 1))])
    targets = np.cos(eta)[:, None] * answers + np.sin(eta)[:, None] * np.eye(k + 1)[-1]
    return targets, answers, np.sin(eta) @ targets


def towards_one(errors, epsilon):
    """Orthonormal targets turned towards one direction: the sum of the targets is not always the worst."""
    eta, k = np.pi * errors, len(errors)
    targets = np.eye(k, k + 1)
    answers = np.cos(eta)[:, None] * targets + np.sin(eta)[:, None] * np.eye(k + 1)[-1]
    return targets, answers, targets[0]


wrong(
    "ex-exactly-unequal",
    towards_one,
    lambda errors, epsilon: (*unequal(errors * 0.9, epsilon)[:2], unequal(errors, epsilon)[2]),
    lambda errors, epsilon: (*unequal(errors, epsilon)[:2], np.eye(len(errors) + 1)[-1]),
)

RIGHT["ex-exactly-fresh"] = lambda F, epsilon: np.arctan(np.tan(pi * epsilon) / np.linalg.norm(F, 2)) / pi
wrong(
    "ex-exactly-fresh",
    lambda F, epsilon: epsilon,
    lambda F, epsilon: epsilon / len(F) ** 0.5,
    lambda F, epsilon: np.arctan(np.tan(pi * epsilon) / np.linalg.norm(F)) / pi,  # all singular values together
)


@right("ex-exactly-blocks")
def agree(most):
    square = (np.sin(0.1 * pi) / np.sin(0.02 * pi)) ** 2
    return [k for k in range(1, most + 1) if np.ceil(k / (square - 1)) - 1 == k // (int(square) + 1)]


wrong(
    "ex-exactly-blocks",
    lambda most: list(range(1, most + 1)),
    lambda most: [k for k in range(1, most + 1) if k % 25 == 0],
    lambda most: agree(most)[:-1],
    lambda most: 12,
)


# --- levels ------------------------------------------------------------------------------------------


@right("ex-levels-wrong")
def fan(epsilon):
    count = int(np.ceil(1 / epsilon - 1e-9)) - 1
    angles = np.arange(count) * np.pi / count
    return np.column_stack([np.cos(angles), np.sin(angles)])


def half_a_fan(epsilon):
    angles = np.arange(0, 2 * np.pi, 1.01 * np.pi * epsilon)
    return np.column_stack([np.cos(angles), np.sin(angles)])


wrong("ex-levels-wrong", lambda epsilon: np.eye(2), half_a_fan, lambda epsilon: fan(2 * epsilon))

RIGHT["ex-levels-fine"] = lambda tau, epsilon: pi ** (tau - 1) / (8 * tau) * epsilon**tau
wrong(
    "ex-levels-fine",
    lambda tau, epsilon: epsilon / (10 * tau),
    lambda tau, epsilon: epsilon ** (tau + 1) / 10,
    lambda tau, epsilon: epsilon**2 / 100,
    lambda tau, epsilon: 1e-13 * epsilon,  # a constant that hides the exponent
    lambda tau, epsilon: 1e-6 * epsilon ** (tau - 1),
    lambda tau, epsilon: 1e-20,
    lambda tau, epsilon: epsilon ** (tau + 0.04) / (8 * tau),
    lambda tau, epsilon: epsilon**tau,  # too large a constant
)


@right("ex-levels-tasks")
def spaces(k, tau):
    low, high = 1, 10**40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if log(comb(tau * middle, tau)) < k - tau else (low, middle)
    return low


wrong(
    "ex-levels-tasks",
    lambda k, tau: exp(k / tau - 2),
    lambda k, tau: exp(k / tau - 1),
    lambda k, tau: k,
    lambda k, tau: spaces(k, tau) + 1,
    lambda k, tau: spaces(k, tau) - 1,
    lambda k, tau: int(exp(k / tau - 1) * factorial(tau) ** (1 / tau) / tau),  # as if r were large
)

RIGHT["ex-levels-coarse"] = lambda epsilon: apart(epsilon, 1.000001)


def apart(epsilon, share):
    """Two answers that lean apart, the second target a little farther than need be."""
    eta = pi * epsilon / 2
    turn = share * np.arccos(np.cos(2 * eta) / np.cos(eta))
    plane = np.array([[1, 0, 0], [np.cos(turn), np.sin(turn), 0], [np.cos(turn) - 1, np.sin(turn), 0]])
    up = np.array([[0, 0, np.sin(eta)]])
    return plane, np.cos(eta) * plane[:2] + np.vstack([up, -up])


wrong(
    "ex-levels-coarse",
    lambda epsilon: apart(epsilon, 0.9),
    lambda epsilon: (apart(epsilon, 1.1)[0], apart(epsilon, 1.1)[0][:2]),
    lambda epsilon: (np.eye(3), np.eye(3)[:2]),
)

RIGHT["ex-levels-line"] = lambda gamma, epsilon: corners_of(gamma, pi * epsilon)


def corners_of(gamma, theta):
    room = np.cos(gamma) ** 2 - np.cos(theta)
    return int(np.ceil((1 - np.cos(theta)) / room)) - 1 if room > 0 else None


wrong(
    "ex-levels-line",
    lambda gamma, epsilon: 1,
    lambda gamma, epsilon: None,
    lambda gamma, epsilon: (corners_of(gamma, pi * epsilon) or 0) + 1,
)


@right("ex-direct-cheapest")
def bill(N, m):
    accuracy = limits.plane_accuracy(0.1, features=N)
    return 40 * (2 + log(comb(60 * N, 2)) + 5) + 60 * N * 600 / (accuracy * m)


wrong(
    "ex-direct-cheapest",
    lambda N, m: bill(N, 6000),
    lambda N, m: bill(3, m),
    lambda N, m: N,
    lambda N, m: 1.005 * bill(N, m),
)

RIGHT["ex-direct-growth"] = lambda epsilon, f: log(1 / epsilon) / log((f + 1) / 2)
wrong(
    "ex-direct-growth",
    lambda epsilon, f: log(1 / epsilon) / log(f),
    lambda epsilon, f: log(1 / epsilon),
    lambda epsilon, f: 1 / epsilon,
    lambda epsilon, f: 1.15 * log(1 / epsilon) / log((f + 1) / 2),
    lambda epsilon, f: log(1 / epsilon) / log((f + 1.1) / 2),
)

# --- assumptions -------------------------------------------------------------------------------------

RIGHT["ex-beyond-lean"] = lambda b: (1, 1, 1) if 3 * b < 10 else None
wrong("ex-beyond-lean", lambda b: (1, 1, 1), lambda b: None, lambda b: (1, 1, 1) if b < 3 else None)

RIGHT["ex-beyond-noise"] = lambda epsilon: epsilon / 4 / (1 - epsilon)
wrong("ex-beyond-noise", lambda epsilon: epsilon / 4, lambda epsilon: 0.75 * epsilon, lambda epsilon: 0.49)

# --- conjunctions ------------------------------------------------------------------------------------


@right("ex-consistency-at-most-n")
def outnumbered(r):
    sets = {1: ["1"], 2: ["1", "2"], 3: ["2", "12", "3", "13"], 4: ["3", "4", "12", "13", "14", "23", "24"]}[r]
    return [[str(i) in s for s in sets] for i in range(1, r + 1)]


wrong(
    "ex-consistency-at-most-n",
    lambda r: np.eye(r),
    lambda r: np.ones((r, 7)),
    lambda r: [[int(j >> i & 1) for j in range(1, 2**r)] for i in range(r)],  # all sets at once
)


RIGHT["ex-consistency-fooling"] = [{dot} for dot in range(1, 9)]
wrong("ex-consistency-fooling", [set(range(1, 9))] * 8, [{1}] * 8, [{dot} for dot in range(8)])


def masks(family):
    return frozenset(int(row @ [1, 2, 4, 8]) for row in np.asarray(family).astype(int))


@right("ex-consistency-gap")
def gaps():
    """One family of each kind, and Algorithm 3 itself."""
    least = studies.smallest_bases(4, need_anchors=False)
    seen, found = set(), []
    for targets, basis in zip(studies.all_families(4), least, strict=True):
        sets = masks(targets)
        if sets not in seen:
            seen |= {frozenset(int(row @ p) for row in targets.astype(int)) for p in permutations((1, 2, 4, 8))}
            if len(metafeatures(targets)) > basis:
                found.append(targets)
    return found


EDGES = rows_of("12", "13", "24", n=4)
wrong("ex-consistency-gap", [EDGES], [EDGES, EDGES[:, [1, 0, 3, 2]]], [EDGES, EDGES[:2]], lambda: 14)


@right("ex-consistency-anchors")
def one_missing(a):
    sets = [set(S) for S in combinations(range(a), a // 2)]
    anchored = [[int(i == j) for i in range(a)] + [int(j in S) for S in sets] for j in range(a)]
    pieces = [*anchored, [0] * a + [1] * len(sets)]
    return pieces, pieces


wrong(
    "ex-consistency-anchors",
    lambda a: (np.eye(a + 1), np.eye(a + 1)),
    lambda a: (np.ones((a + 1, 3)), np.ones((1, 3))),
    lambda a: (one_missing(a)[0], one_missing(a)[0][:-1]),
)


ENDS = set(range(1, 7))
HEXAGRAM_CELLS = [(ENDS, 1), *((ENDS | {j}, j) for j in range(7, 13))]
HEXAGRAM_PIECES = [[*[1] * 6, *(int(i == j) for i in range(6))] for j in range(6)]
RIGHT["ex-consistency-hexagrams-box"] = ([[*[1] * 6, *[0] * 6], *HEXAGRAM_PIECES], HEXAGRAM_CELLS)
wrong(
    "ex-consistency-hexagrams-box",
    ([[*[1] * 6, *[0] * 6], *HEXAGRAM_PIECES], [(set(range(1, 13)), z) for z in range(1, 8)]),
    ([[1] * 12, *HEXAGRAM_PIECES], HEXAGRAM_CELLS),
    ([[*[1] * 6, *[0] * 6], *HEXAGRAM_PIECES], HEXAGRAM_CELLS[1:]),
    ([[*[1] * 6, *[0] * 6], *HEXAGRAM_PIECES], [({1, 2, 3}, 1), *HEXAGRAM_CELLS[1:]]),
)

RIGHT["ex-consistency-gram"] = (rows_of("124", "134", "234", "4", n=4), rows_of("1234", "14", "24", "34", n=4))
wrong("ex-consistency-gram", (EDGES, EDGES), (EDGES, np.eye(4)), (rows_of("1234", "14", "24", "34", n=4), EDGES))


@right("ex-rank-bounds")
def all_unions(r):
    return [[mask >> j & 1 for j in range(r)] for mask in range(1, 2**r)], np.eye(r)


wrong(
    "ex-rank-bounds",
    lambda r: (np.eye(r), np.eye(r)),
    lambda r: (all_unions(r)[0], np.ones((r, r))),
    lambda r: (np.tile(np.eye(r), (2, 1)), np.eye(r)),
)

RIGHT["ex-rank-three"] = lambda N: [(1, 2), (2, 3), (3, 1)]
wrong(
    "ex-rank-three",
    lambda N: [(1, 2), (2, 1)],
    lambda N: [(i, i % N + 1) for i in range(1, N + 1)],  # a circle: good for three only
    lambda N: [(1, 2), (1, 3), (1, 2)],
    lambda N: [(1.5, 2.5), (2.5, 3.5), (3.5, 1.5)],
)

PATH = np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]])
RIGHT["ex-rank-break"] = PATH
wrong(
    "ex-rank-break",
    PATH + np.eye(4),
    np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]),
    np.eye(5, k=1) + np.eye(5, k=-1),
)

RIGHT["ex-rank-transpose"] = EDGES
wrong("ex-rank-transpose", np.eye(3), ~np.eye(4, dtype=bool), np.vstack([EDGES, EDGES[:1]]))


RIGHT["ex-rank-tolerance"] = lambda q, tolerance: q * (1 - q - tolerance) / (tolerance * (1 - 2 * q))
wrong(
    "ex-rank-tolerance",
    lambda q, tolerance: q / tolerance,
    lambda q, tolerance: q * (1 - tolerance) / (q + tolerance - 2 * q * tolerance),  # false anchors only
)


@right("ex-noise-rate")
def crossing(p, q, n, delta):
    drift = (p - q) * (1 - p - q) / (1 - 2 * q) ** 2
    return brentq(lambda m: m * drift - preorder_threshold(int(m), n, q, delta=delta)[0], 10, 1e8, xtol=1)


wrong(
    "ex-noise-rate",
    lambda p, q, n, delta: 1000.0,
    lambda p, q, n, delta: 1 / (p - q),
    lambda p, q, n, delta: crossing(p, q, n, delta) / 2,
)

# --- one by one, product laws ------------------------------------------------------------------------

FORGETS = ("1236", "1248", "35", "45", "26", "28", "12", "17", "12")
RIGHT["ex-online-forgets"] = lambda: [
    i in online_metafeatures(rows_of(*FORGETS, n=8)).scratch for i in range(len(FORGETS))
]
wrong("ex-online-forgets", [True] * 9, [True] * 6 + [False, True, False], [True] * 8, ["scratch"] * 9)


@right("ex-online-hoard")
def hoard(targets):
    kept = pool = targets[:0]
    for T in targets:
        if represent(T, pool) is None:
            kept = np.vstack([kept, T])
            pool = np.unique(np.vstack([pool, metafeatures(kept)]), axis=0)
    return len(kept), len(pool)


def hoard_twice(targets):
    kept = pool = targets[:0]
    for T in targets:
        if represent(T, pool) is None:
            kept = np.vstack([kept, T])
            pool = np.vstack([pool, metafeatures(kept)])  # equal ones again and again
    return len(kept), len(pool)


wrong(
    "ex-online-hoard",
    hoard_twice,
    lambda targets: (len(online_metafeatures(targets).scratch), len(online_metafeatures(targets).metafeatures)),
    lambda targets: (len(targets), len(targets)),
)


@right("ex-online-shuffle")
def order(n):
    return sorted(([mask >> j & 1 for j in range(n)] for mask in range(1, 2**n)), key=sum)


wrong(
    "ex-online-shuffle",
    lambda n: order(n)[::-1],
    lambda n: order(n)[:n],
    lambda n: [[0] * n, *order(n)],
)

LEFT = exp(-exp(-0.5))
RIGHT["ex-product-which"] = exp(-0.5) * (1 - exp(-LEFT / 2))
wrong(
    "ex-product-which",
    exp(-0.5) * (1 - exp(-exp(-1) / 2)),  # superfluous variables that are 0 in no example at all
    exp(-0.5) * LEFT,
)


@right("ex-product-first")
def failure(c0, labels):
    P = np.arange(labels + 1)
    return 1 - float(binom.pmf(P, labels, c0) @ (1 - (1 - 0.1 / 40) ** P) ** 19)


wrong(
    "ex-product-first",
    lambda c0, labels: 1 - (1 - (1 - 0.1 / 40) ** (c0 * labels)) ** 19,  # the mean in the place of the variable
    lambda c0, labels: min(1.0, 19 * (1 - 0.1 / 40 * c0) ** labels),  # a union bound
)

RIGHT["ex-product-discard"] = lambda n, epsilon, share: 1 - (1 - share * epsilon / (8 * n)) ** n
wrong(
    "ex-product-discard",
    lambda n, epsilon, share: share * epsilon / 8,
    lambda n, epsilon, share: epsilon / 2,
    lambda n, epsilon, share: (share * epsilon / (8 * n)) ** n,
)

# --- autoencoders ------------------------------------------------------------------------------------


@right("ex-autoencoders-nolog")
def covered(n, factor, draws, rng):
    def hit():
        kept = np.triu(rng.random((n, n)) < factor / (n - 2), 1)
        return ((kept + kept.T).sum(axis=0) >= 2).all()  # a single pair is lost in one target

    return np.mean([hit() for _ in range(draws)])


def covered_once(n, factor, draws, rng):
    kept = [np.triu(rng.random((n, n)) < factor / (n - 2), 1) for _ in range(draws)]
    return np.mean([(k | k.T).any(axis=0).all() for k in kept])


wrong("ex-autoencoders-nolog", covered_once, lambda n, factor, draws, rng: 0.0, lambda n, factor, draws, rng: 1.0)

RIGHT["ex-autoencoders-log-box"] = lambda r: sperner_basis(comb(r, r // 2))
wrong(
    "ex-autoencoders-log-box",
    lambda r: np.eye(comb(r, r // 2))[:r],
    lambda r: ~sperner_basis(comb(r, r // 2))[::-1] if r > 4 else np.ones((r, comb(r, r // 2))),
    lambda r: np.eye(comb(r, r // 2)),
)

LINES = ["123", "456", "789", "147", "258", "369", "159", "357"]


@right("ex-autoencoders-lines")
def witness(line, pair):
    sets = [set(map(int, word)) for word in LINES]
    return next(a | b for a, b in combinations(sets, 2) if pair <= a | b and not line <= a | b)


wrong("ex-autoencoders-lines", lambda line, pair: pair, lambda line, pair: line, lambda line, pair: {1, 4, 7})

# --- polynomials -------------------------------------------------------------------------------------

RIGHT["ex-one-layer-literals"] = lambda x1, x2: 1 + x1 + x2 + x1 * x2
wrong(
    "ex-one-layer-literals",
    lambda x1, x2: (1 - x1) * (1 - x2),
    lambda x1, x2: x1 * x2,
    lambda x1, x2: 1 + 2 * x1 + x2 + x1 * x2,
)

RIGHT["ex-one-layer-fewer"] = lambda k: np.tril(np.ones((k, k)))
wrong("ex-one-layer-fewer", lambda k: np.eye(k), lambda k: np.ones((k, 3)), lambda k: np.tril(np.ones((k, k)), -1))

RIGHT["ex-one-layer-half"] = lambda size: (
    Fraction(1, 2) if size == 0 else 1 - Fraction(comb(2**size, 2 ** (size - 1)), 2**2**size)
)
wrong(
    "ex-one-layer-half",
    lambda size: 0.5,
    lambda size: 1 - comb(2**size, 2**size // 2) / 2**size,
    lambda size: 1 - 2.0 ** -(2**size),
)


@right("ex-one-layer-order")
def eight():
    singles = [r for r in range(256) if len(cellular_automaton(r).terms) == 1 and cellular_automaton(r).norm == 1]
    return singles + [r for r in range(256) if r not in singles]


wrong("ex-one-layer-order", list(range(256)), list(range(255, -1, -1)), list(range(255)))

RIGHT["ex-ss-rank"] = lambda terms, coefficients: terms
wrong(
    "ex-ss-rank",
    lambda terms, coefficients: np.tile(terms[:1], (len(terms), 1)),
    lambda terms, coefficients: np.eye(len(terms))[:, : terms.shape[1]],
    lambda terms, coefficients: terms[1:],
)

RIGHT["ex-ss-ring"] = ([[1, 0], [0, 1]], [3, 5], [1, 1], [1, 0])
wrong(
    "ex-ss-ring",
    ([[1, 0], [0, 1]], [1, 5], [1, 1], [1, 0]),
    ([[1, 0], [0, 1]], [3, 5], [1, 0], [0, 1]),
    ([[1, 0], [0, 1]], [2, 3], [1, 1], [1, 0]),
    ([[1, 0], [1, 0]], [3, 5], [1, 1], [1, 0]),
)


@right("ex-ss-games")
def longer():
    found = []
    for a in product((-1, 0, 1), repeat=4):
        g = Polynomial(np.array([[0, 0], [1, 0], [0, 1], [1, 1]], dtype=bool), a) if any(a) else None
        if g and longest_run(g) == sum(2 - len(term) for term, x in zip(("", "1", "2", "12"), a, strict=True) if x) + 3:
            found.append(a)
    return found


wrong("ex-ss-games", 14, [[1, 0, 0, 0]], [[0, 0, 0, 0]], lambda: longer()[1:], lambda: longer() + longer()[:1])


@right("ex-ss-wrong")
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


wrong("ex-ss-wrong", "x1", "3x1 + 2x2x3", "y", "0", "x9")

FORGETFUL = ["x1x2x3x6", "x1x2x4x8", "x3x5", "x4x5", "x2x6", "x2x8", "x1x2 + x1x7", "x1x2"]
RIGHT["ex-shared-frugal"] = FORGETFUL
wrong("ex-shared-frugal", [], ["x1", "x2"], FORGETFUL[:-1], ["y"], ["x13"], "x1")


@right("ex-ss-zeros")
def all_negated(r):
    terms = [[mask >> j & 1 for j in range(max(r, 1))] for mask in range(2**r)]
    return terms, [(-1) ** sum(row) for row in terms]


wrong(
    "ex-ss-zeros",
    lambda r: (all_negated(r)[0], np.ones(2**r)),
    lambda r: (np.eye(2**r, 12), np.ones(2**r)),
    lambda r: (all_negated(2)[0], all_negated(2)[1]),
)


@right("ex-shared-remark")
def largest(k):
    return next((n for n in range(2**k, k - 1, -1) if 2**k > n**2 + k), None)


wrong("ex-shared-remark", lambda k: int((2**k) ** 0.5), lambda k: None, lambda k: (largest(k) or 1) + 1)


@right("ex-shared-certificate")
def best(k, ratio):
    grid = np.linspace(0.05, 6, 20_000)
    cost = (2 * grid * np.log(2 ** (k + 1)) + 4 * np.log(ratio)) / (1 - np.exp(-grid))
    one = (2 * np.log(2 ** (k + 1)) + 4 * np.log(ratio)) / (1 - np.exp(-1))
    return grid[cost.argmin()], 100 * (1 - cost.min() / one)


wrong(
    "ex-shared-certificate",
    lambda k, ratio: (1.0, 0.0),
    lambda k, ratio: (best(k, ratio)[0], best(k, ratio)[1] / 100),  # a share in the place of a percentage
    lambda k, ratio: (best(8, 600)[0], best(k, ratio)[1]),
)


@right("ex-shared-noise")
def exceeded(sigma, excess, bound, N):
    return 3 * bound**2 * log(2 * N) / (excess - 2 * sigma**2) if excess > 2 * sigma**2 else None


wrong(
    "ex-shared-noise",
    lambda sigma, excess, bound, N: 2 * bound**2 * log(2 * N) / sigma**2,
    lambda sigma, excess, bound, N: 3 * bound**2 * log(2 * N) / excess,
    lambda sigma, excess, bound, N: None,
)


@right("ex-shared-constant")
def tells_all(k):
    t = next(t for t in range(1, 9) if comb(t, t // 2) >= k)
    sets = list(combinations(range(t), max(t // 2, 1)))[:k]
    return [[int(i in S) for S in sets] for i in range(t)]


wrong(
    "ex-shared-constant",
    lambda k: np.eye(k),
    lambda k: np.ones((1, k)),
    lambda k: [[j >> i & 1 for j in range(k)] for i in range(max(1, k.bit_length()))],
)

RIGHT["ex-autoencoders-small-k"] = lambda: repeated(30, 12, 10)


def repeated(n, size, times):
    """All single variables, and then one target of some of them again and again."""
    target = np.arange(n) < size
    return np.vstack([np.eye(n, dtype=bool), np.repeat(target[None], times, axis=0)]), size


wrong(
    "ex-autoencoders-small-k",
    lambda: (repeated(30, 12, 10)[0], 1),
    lambda: repeated(30, 2, 10),
    lambda: repeated(60, 12, 10),
)


@right("ex-beyond-shrink")
def shrunk(A, penalty):
    left, sizes, right_ = np.linalg.svd(A, full_matrices=False)
    return left * np.maximum(sizes - penalty, 0) @ right_


wrong(
    "ex-beyond-shrink",
    lambda A, penalty: A,
    lambda A, penalty: np.zeros_like(A),
    lambda A, penalty: np.sign(A) * np.maximum(abs(A) - penalty, 0),  # entry by entry
)

RIGHT["ex-beyond-average"] = lambda eta, m, k, n: eta * (k / m) ** 0.5 * (1 + (k / (n - k)) ** 0.5)
wrong(
    "ex-beyond-average",
    lambda eta, m, k, n: eta,
    lambda eta, m, k, n: eta * (k / m) ** 0.5,
    lambda eta, m, k, n: eta * k**0.5,
    lambda eta, m, k, n: eta * (k / m) ** 0.5 * (1 + (k / n) ** 0.5),
)

RIGHT["ex-beyond-promise"] = lambda m, mean, epsilon: max(int(np.ceil(m * mean / epsilon)) - 1, 0)
wrong(
    "ex-beyond-promise",
    lambda m, mean, epsilon: int(m * mean / epsilon),
    lambda m, mean, epsilon: m,
    lambda m, mean, epsilon: 0,
)


@right("ex-beyond-price")
def noisy_test(epsilon, delta, eta):
    high, low = (eta + (1 - 2 * eta) * e for e in (epsilon, epsilon / 2))
    for labels in range(1, 10**5):
        most = int(binom.ppf(delta, labels, high))
        most -= binom.cdf(most, labels, high) > delta
        if most >= 0 and binom.sf(most, labels, low) <= delta:
            return labels, most
    return None


wrong(
    "ex-beyond-price",
    lambda epsilon, delta, eta: test(epsilon, delta),  # without noise
    lambda epsilon, delta, eta: (10**4, int(10**4 * (eta + (1 - 2 * eta) * 0.75 * epsilon))),
    lambda epsilon, delta, eta: (200, 15),
)


def laplace_by_quadrature(N):
    """The mean of N |2B - 1| * 2 by the trapezoidal rule, to some eight digits."""
    b = np.linspace(0, 1, 20_001)
    weight = (b * (1 - b)) ** (N - 1)
    return float(f"{2 * N * np.trapezoid(abs(2 * b - 1) * weight, b) / np.trapezoid(weight, b):.8g}")


#: Other right answers: a checker asks for a property.
ALSO_RIGHT = {
    "ex-intro-cut": [lambda k: (products(k)[::-1], k + 1)],
    "ex-prelim-mixture": [(1e-5, 0.0, 2.0), (0.2, 1.2, 0.0)],
    "ex-consistency-fooling": [[set(range(1, dot + 1)) for dot in range(1, 9)]],
    "ex-ss-ring": [([[0, 1], [1, 0]], [5, 3], [1, 1], [1, 0]), ([[1, 0], [0, 1]], [3, 1], [1, 1], [1, 0])],
    "ex-rank-break": [PATH[[1, 0, 2, 3]][:, [1, 0, 2, 3]]],
    "ex-one-layer-literals": [lambda x1, x2: -(1 - x1) * (1 - x2), lambda x1, x2: np.int64(1 - x1 + x2 - x1 * x2)],
    "ex-online-shuffle": [lambda n: order(n)[:n] + order(n)[n:][::-1]],
    "ex-nervous": [
        lambda m, k, epsilon: (m / 100, int(k * (2 + log(1 / epsilon)))),
        lambda m, k, epsilon: (m / 100, k * (1.63 + log(1 / (pi * epsilon)))),
    ],
    "ex-random-errors": [measured],
    "ex-angles-laplace": [laplace_by_quadrature],
    "ex-angles-logistic": [lambda phi: round(rate(phi), 4)],
    "ex-angles-mean": [
        sectors,
        coin,
        lambda count, rng: np.abs(rng.standard_normal((count, 2))) * signs(count, rng),
    ],
    "ex-rank-bounds": [lambda r: (np.hstack([np.asarray(all_unions(r)[0])] * 2), np.hstack([np.eye(r)] * 2))],
}


def signs(count, rng):
    """In two opposite quadrants every line through the origin is met, but on one side only."""
    return np.where(rng.random((count, 1)) < 0.5, [[1, -1]], [[1, 1]])
