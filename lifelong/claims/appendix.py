"""Claims of Section 3 whose proofs the paper puts in its appendix: two levels of metafeatures."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from mpmath import mp

from lifelong import bounds, instances
from lifelong._checks import FloatArray
from lifelong.angles import angle, unit
from lifelong.claims.ledger import Check, Claim, Finding
from lifelong.distributions import Gaussian
from lifelong.levels import ExactTwoLevel, level_factors, precise_levels
from lifelong.sparse_learners import SubsetBases
from lifelong.stream import Run, learn_stream
from lifelong.tasks import HalfspaceTask

Generator = np.random.Generator


def printed_accuracies(k: int, tau: int, epsilon: Any, square: Any = 0.1) -> tuple[Any, Any]:
    """The largest accuracies that `thm-two-levels` allows at a given c^2, second level first."""
    second = square * epsilon**2 / tau
    return second, square * second**2 / k


def exact_levels(
    targets: FloatArray, tau: int, epsilon: float, second: float, first: float, direction: Any, rng: Any = None
) -> Run[ExactTwoLevel]:
    """Run `algo-two` with exact oracles on Gaussian tasks with the given targets."""
    law = Gaussian(targets.shape[1])
    learner = ExactTwoLevel(law.n, epsilon, tau, second, first, direction=direction, rng=rng)
    return learn_stream([HalfspaceTask(t, law) for t in targets], learner)


def kinds_of_targets(k: int, r: int, tau: int, n: int, m: int, rng: Generator) -> tuple[FloatArray, Any]:
    """Random unit targets on the first k axes of n, each in one of r random tau-dimensional spaces; and which."""
    spaces = rng.standard_normal((r, tau, k))
    kinds = rng.integers(r, size=m)
    rows = np.zeros((m, n))
    rows[:, :k] = np.einsum("mt,mtk->mk", rng.standard_normal((m, tau)), spaces[kinds])
    return unit(rows), kinds


def _random_run(rng: Generator, tau: int, accuracy: Any, i: int) -> tuple[Run[ExactTwoLevel], FloatArray, Any, float]:
    """A stream of 60 tasks: run, targets, kinds, epsilon."""
    k, r = int(rng.integers(tau, 9)), int(rng.integers(1, 7))
    epsilon = float(np.exp(rng.uniform(np.log(0.003), np.log(0.2))))
    second, first = accuracy(k, tau, epsilon)
    targets, kinds = kinds_of_targets(k, r, tau, k + 20, 60, rng)
    run = exact_levels(targets, tau, epsilon, second, first, ("random", "common")[i % 2], rng)
    return run, targets, kinds, epsilon


def _coarse(k: int, tau: int, epsilon: float) -> tuple[float, float]:
    return epsilon / (10 * tau), epsilon / (50 * tau)


def _openings(run: Run[Any], kinds: Any) -> list[int]:
    """Second-level features opened for each kind that occurs."""
    opened = np.array([how != "reused" for how in run.how])
    return [int(opened[kinds == kind].sum()) for kind in np.unique(kinds)]


# algo-two ------------------------------------------------------------------------------------------------


def memory_ratios(run: Run[ExactTwoLevel], targets: FloatArray, tau: int, epsilon: float) -> list[float]:
    """Error of every row of C U W over epsilon; infinite if the three matrices are not what the box says."""
    C, U, W = level_factors(run)
    A, learner = C @ U @ W, run.representation
    scratch, opened = run.how.count("scratch"), sum(how != "reused" for how in run.how)
    sound = [
        np.abs(A - np.array([step.hypothesis for step in run.steps])).max() < 1e-6,
        (W.shape[0], U.shape[0]) == (scratch, opened),
        ((C != 0).sum(axis=1) <= tau).all(),
    ]
    kept = [i for i, how in enumerate(run.how) if how != "reused"]
    second = np.asarray(angle(U @ W, targets[kept])) / np.pi / learner.epsilon_acc_second
    sound.append(bool(second.max() < 1 + 1e-6))
    return list(np.asarray(angle(A, targets)) / np.pi / epsilon) if all(sound) else [np.inf]


def _algo_random(count: int, rng: Generator) -> Finding:
    found: list[float] = []
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(1, 4))
        run, targets, _, epsilon = _random_run(rng, tau, _coarse, i)
        found += memory_ratios(run, targets, tau, epsilon)
    return Finding.of_ratios(found)


def _algo_edge(count: int, rng: Generator, slack: float = 1.0) -> Finding:
    """A third target at the angle from the plane of the first two that is just accepted."""
    found: list[float] = []
    for epsilon in np.linspace(0.01, 0.2, count):
        edge = np.pi * slack * epsilon * (1 - 1e-9)
        targets = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [np.cos(edge) * 0.6, np.cos(edge) * 0.8, np.sin(edge), 0]])
        run = exact_levels(targets, 2, slack * float(epsilon), 1e-11, 1e-13, "common")
        found += memory_ratios(run, targets, 2, epsilon)
    return Finding.of_ratios(found)


ALGO_TWO = Claim(
    "algo-two",
    "Algorithm 2",
    "algo-two",
    "life-long learning with two levels of metafeatures",
    "With exact oracles every one of the m predictors has error at most eps, and A~ = C~ U~ W~ holds them: at most tau "
    "nonzero entries in a row of C~, a row of U~ for each task that failed sparsely, one of W~ for each learned from "
    "scratch.",
    "proved",
    scope="exact oracles; Gaussian law in the checks",
    checks=(
        Check("random tasks, tau = 1 to 3", "random", _algo_random, 1_200),
        Check("targets at the angle that is just accepted", "tight", _algo_edge, 60),
    ),
    twins=(Check("accepted at 1.01 eps", "tight", partial(_algo_edge, slack=1.01), 60, violated=True),),
    page="levels",
    functions=("levels.TwoLevel", "levels.ExactTwoLevel", "levels.level_factors"),
)


# thm-two-levels ------------------------------------------------------------------------------------------


def crowded_run(tau: int, epsilon: float, rng: Any, square: float = 0.1) -> Run[ExactTwoLevel]:
    """A draw of `instances.crowded_subspace` at the printed accuracies, in doubles."""
    second, first = printed_accuracies(tau + 1, tau, epsilon, square)
    rows = np.array(instances.crowded_subspace(tau, epsilon, second, rng=rng), dtype=np.float64)
    return exact_levels(rows, tau, epsilon, second, first, "common")


def _crowded_frequency(count: int, rng: Generator, epsilon: float) -> Finding:
    runs = [crowded_run(3, epsilon, rng) for _ in range(count)]
    return Finding.of_ratios([len(run.representation.second) / 6 for run in runs])


def crowded_precise(tau: int, epsilon: Any, square: Any, seed: int = 0) -> int:
    """Second-level features of the second space, at the printed accuracies, in 120 digits."""
    with mp.workdps(120):
        second, first = printed_accuracies(tau + 1, tau, mp.mpf(epsilon), mp.mpf(square))
        rows = instances.crowded_subspace(tau, mp.mpf(epsilon), second, rng=seed)
        return sum(how != "reused" for how, _ in precise_levels(rows, tau, epsilon, second, first)[tau:])


def first_level_precise(k: int, tau: int, epsilon: Any, square: Any) -> int:
    """First-level features on `instances.crowded_first_level` at the printed accuracies, in 120 digits."""
    with mp.workdps(120):
        second, first = printed_accuracies(k, tau, mp.mpf(epsilon), mp.mpf(square))
        rows = instances.crowded_first_level(k, tau, mp.mpf(epsilon), second)
        return [how for how, _ in precise_levels(rows, tau, epsilon, second, first)].count("scratch")


#: Where the second level breaks whatever the draw: tau, epsilon, c^2.
CROWDED = ((3, "1e-10", "0.1"), (3, "1e-14", "0.001"), (4, "1e-8", "0.1"), (5, "1e-8", "0.1"))

#: Where the first level breaks: k, tau, epsilon, c^2.
FIRST_LEVEL = (
    (3, 1, "1e-3", "0.1"),
    (3, 1, "1e-7", "0.001"),
    (4, 2, "1e-3", "0.1"),
    (5, 3, "1e-2", "0.1"),
    (6, 4, "1e-2", "0.1"),
    (4, 3, "1e-6", "0.1"),
)


def _crowded_second(count: int, rng: Generator) -> Finding:
    found = [(tau, crowded_precise(tau, epsilon, square)) for tau, epsilon, square in CROWDED]
    return Finding.of_ratios([opened / tau for tau, opened in found], "tau + 1 features for a tau-dimensional space")


def _crowded_first(count: int, rng: Generator) -> Finding:
    found = [(case[0], first_level_precise(*case)) for case in FIRST_LEVEL]
    return Finding.of_ratios([opened / k for k, opened in found], "k + 1 features for a k-dimensional space")


def _printed_random(count: int, rng: Generator, less: int = 0) -> Finding:
    ratios = []
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(2, 5))
        run, targets, kinds, _ = _random_run(rng, tau, printed_accuracies, i)
        ratios.append(len(run.representation.features) / np.linalg.matrix_rank(targets))
        ratios += [opened / (tau - less) for opened in _openings(run, kinds)]
    return Finding.of_ratios(ratios)


THM_TWO_LEVELS = Claim(
    "thm-two-levels",
    "Theorem 2",
    "thm:linmetalogconc2levels",
    "how many features Algorithm 2 opens, as printed",
    "With gamma~ <= c eps, eps~_acc <= c gamma~ eps/tau, gamma <= c eps~_acc and eps_acc <= c gamma eps~_acc/k at most "
    "k features of the first level and tau r of the second are opened.",
    "refuted",
    scope="r~ <= tau r is true for tau <= 2 and false for every tau >= 3; k~ <= k is true for k <= 2 and false for "
    "every k >= 3 with tau <= k - 2",
    replaced_by=("thm-two-levels-repaired", "prop-two-levels-small"),
    checks=(
        Check("two subspaces, tau = 3 to 5: second-level features", "adversarial", _crowded_second, 4, violated=True),
        Check("leaning targets, k = 3 to 6: first-level features", "adversarial", _crowded_first, 6, violated=True),
        Check(
            "two subspaces, tau = 3, eps = 1e-4: how often",
            "adversarial",
            partial(_crowded_frequency, epsilon=1e-4),
            60,
            violated=None,
        ),
        Check(
            "two subspaces, tau = 3, eps = 1e-2: how often",
            "adversarial",
            partial(_crowded_frequency, epsilon=1e-2),
            60,
            violated=None,
        ),
        Check(
            "random tasks, tau = 2 to 4: how often",
            "random",
            _printed_random,
            1_800,
            violated=None,
        ),
    ),
    twins=(
        Check("random tasks: tau - 1 features a space", "random", partial(_printed_random, less=1), 900, violated=True),
    ),
    page="levels",
    functions=("instances.crowded_subspace", "instances.crowded_first_level", "levels.precise_levels"),
)


# thm-two-levels-repaired ---------------------------------------------------------------------------------


def distances(epsilon: float, second: float) -> tuple[float, float]:
    """The numbers s and t of `thm-two-levels-repaired` for a Gaussian law."""
    return float(np.sin(np.pi * (epsilon - second))), float(np.sin(np.pi * second))


def greedy_second_level(
    tau: int, epsilon: float, second: float, rng: Generator, *, searched: int | None = None, most: int = 40
) -> FloatArray:
    """Learned unit vectors for targets in the span of tau axes that are refused, but only just if one is found.

    Errors point along one common axis or each along an axis of its own. Refused means farther than pi epsilon from
    the span of every `searched` earlier ones, tau of them unless given. For `thm-two-levels-repaired`.
    """
    size, turn, limit = tau + most + 1, np.pi * second, np.sin(np.pi * epsilon) ** 2
    common = rng.random() < 0.5
    subsets = SubsetBases(tau if searched is None else searched)
    rows = np.empty((0, size))
    quiet = 0
    while len(rows) < most and quiet < 4:
        mix = rng.standard_normal((60, tau))
        if len(rows):
            near = rng.standard_normal((60, len(rows))) * (rng.random((60, len(rows))) < 0.5)
            lean = near @ rows[:, :tau] + 1e-12 * mix
            mix = unit(lean) + 10 ** rng.uniform(np.log10(epsilon), 1, (60, 1)) * unit(mix)
        targets = np.zeros((60, size))
        targets[:, :tau] = unit(mix)
        if len(rows):
            inside = np.einsum("psd,cd->cps", subsets.bases, targets)
            far = 1 - (inside**2).sum(axis=2).max(axis=1)
        else:
            far = np.ones(60)
        refused = np.flatnonzero(far > limit)
        quiet = 0 if len(refused) else quiet + 1
        if len(refused):
            target = targets[refused[far[refused].argmin()]]
            axis = np.eye(size)[-1 if common else tau + len(rows)] * rng.choice([-1.0, 1.0])
            rows = np.vstack([rows, np.cos(turn) * target + np.sin(turn) * axis])
            subsets.add(rows[-1])
    return rows


def _greedy_cases(count: int, rng: Generator, largest: int = 4) -> list[tuple[int, float, float]]:
    cases = []
    for _ in range(count):
        epsilon = float(10 ** rng.uniform(-2.5, -0.7))
        tau = int(rng.integers(2, largest + 1))
        cases.append((tau, epsilon, epsilon / (tau * float(10 ** rng.uniform(0.9, 2.5)))))
    return cases


def _repaired_greedy(count: int, rng: Generator) -> Finding:
    ratios = [
        len(greedy_second_level(tau, epsilon, second, rng))
        / bounds.two_level_features(tau, *distances(epsilon, second))
        for tau, epsilon, second in _greedy_cases(count, rng)
    ]
    return Finding.of_ratios(ratios)


def _searched_less(count: int, rng: Generator) -> Finding:
    """The broken twin: the algorithm searches tau - 1 features in a space of dimension tau."""
    ratios = []
    for tau, epsilon, second in _greedy_cases(count, rng, 3):
        rows = greedy_second_level(tau, epsilon, second, rng, searched=tau - 1)
        ratios.append(len(rows) / bounds.two_level_features(tau, *distances(epsilon, second)))
    return Finding.of_ratios(ratios)


def _repaired_random(count: int, rng: Generator) -> Finding:
    ratios = []
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(1, 5))
        run, targets, kinds, epsilon = _random_run(rng, tau, _coarse, i)
        ratios += [opened / bounds.two_level_logarithmic(tau, epsilon) for opened in _openings(run, kinds)]
        k, second = int(np.linalg.matrix_rank(targets)), run.representation.epsilon_acc_second
        ratios.append(len(run.representation.features) / bounds.features_logarithmic(k, second))
    return Finding.of_ratios(ratios)


def _repaired_tight(count: int, rng: Generator, less: int = 0) -> Finding:
    """For tau = 3, at an accuracy of the order of eps^2: four features, the bound 2 tau - 2."""
    ratios = []
    for epsilon, square in (("1e-10", "0.1"), ("1e-12", "0.05"), ("1e-14", "0.01")):
        s, t = distances(float(epsilon), float(square) * float(epsilon) ** 2 / 3)
        ratios.append(crowded_precise(3, epsilon, square) / (bounds.two_level_features(3, s, t) - less))
    return Finding.of_ratios(ratios)


def swap_steps(rows: FloatArray, tau: int, s: float, t: float) -> list[float]:
    """Ratios of the inequalities in the proof of `thm-two-levels-repaired`, each at most 1.

    Parameters
    ----------
    rows : float64, shape (N, d)
        Learned unit vectors of one space, the span of the first tau axes, in the order of opening; N > tau.
    """
    gain = s / (4 * tau * t)
    first, ratios = _volume(rows[:tau]), []
    ratios.append(s ** (tau - 1) / first)
    for p in range(tau, len(rows)):
        S = max(combinations(range(p), tau), key=lambda subset: _volume(rows[list(subset)]))
        old = _volume(rows[list(S)])
        swapped = [_volume(rows[[i for i in S if i != j] + [p]]) / old for j in S]
        heights = [old / _volume(rows[[i for i in S if i != j]]) for j in S]
        ratios.append(gain / max(swapped))
        if min(heights) > 4 * tau * t:
            ratios += _coefficient_steps(rows[list(S)], rows[p], tau, s, t)
    return ratios


def _volume(rows: FloatArray) -> float:
    return float(np.prod(np.linalg.svd(rows, compute_uv=False)))


def _coefficient_steps(S: FloatArray, b: FloatArray, tau: int, s: float, t: float) -> list[float]:
    x = np.linalg.solve(S[:, :tau].T, b[:tau])
    c = np.linalg.lstsq(S.T, b, rcond=None)[0]
    X, miss = float(np.abs(x).max()), float(np.linalg.norm(b - x @ S))
    return [
        s / miss,
        miss / (t * (1 + tau * X)),
        ((s / t - 1) / tau) / X,
        float(np.abs(c - x).max()) / ((1 + tau * X) / (4 * tau)),
        s / (4 * tau * t) / float(np.abs(c).max()),
    ]


def _repaired_steps(count: int, rng: Generator) -> Finding:
    ratios: list[float] = []
    for tau, epsilon, second in _greedy_cases(count, rng, 3):
        rows = greedy_second_level(tau, epsilon, second, rng)
        if len(rows) >= tau:
            ratios += swap_steps(rows, tau, *distances(epsilon, second))
    return Finding.of_ratios(ratios)


THM_TWO_LEVELS_REPAIRED = Claim(
    "thm-two-levels-repaired",
    "corrected",
    "",
    "how many features Algorithm 2 opens: largest volumes",
    "With s = sin(eps/c' - eps~_acc/c), t = sin(eps~_acc/c) and s > 4 tau t a space of dimension at most tau opens at "
    "most tau + (tau-1) ln(1/s)/ln(s/(4 tau t)) features of the second level; Gaussian law, eps <= 0.2, "
    "eps~_acc = eps/(10 tau), eps_acc = eps~_acc/5: at most tau + (tau-1) log2(1/eps), and k (2 + ln(1/eps~_acc)) of "
    "the first.",
    "proved",
    checks=(
        Check("random tasks, tau = 1 to 4", "random", _repaired_random, 1_800),
        Check("each target refused by a hair, tau = 2 to 4", "adversarial", _repaired_greedy, 100),
        Check("two subspaces, tau = 3: four features, 2 tau - 2", "tight", _repaired_tight, 3),
        Check("every inequality of the proof", "adversarial", _repaired_steps, 40),
    ),
    twins=(
        Check("the bound less one", "tight", partial(_repaired_tight, less=1), 3, violated=True),
        Check("only tau - 1 features searched", "adversarial", _searched_less, 20, violated=True),
    ),
    page="levels",
    functions=("bounds.two_level_features", "bounds.two_level_logarithmic"),
)


# prop-two-levels-small -----------------------------------------------------------------------------------


def plane_ratios(epsilon: float, second: float, points: int) -> FloatArray:
    """Two features of a plane in every relative position: the farthest target of the plane, over what is refused.

    Up to rotations all pairs of features with errors of one size are: the angle between the targets, from just above
    what is refused to a right angle, and the angle between the errors. For `prop-two-levels-small`.
    """
    turn, edge = np.pi * second, np.sin(np.pi * epsilon)
    theta = np.pi * epsilon + np.geomspace(1e-9, 1, points) * (np.pi / 2 - np.pi * epsilon)
    psi, phi = np.linspace(0, np.pi, points)[:, None], np.linspace(0, np.pi, 4 * points)
    theta, psi = (x.ravel() for x in np.broadcast_arrays(theta, psi))
    zero, one = np.zeros_like(theta), np.ones_like(theta)
    first = np.stack([np.cos(turn) * one, zero, np.sin(turn) * one, zero], axis=1)
    flat = np.stack([np.cos(theta), np.sin(theta)], axis=1) * np.cos(turn)
    second_row = np.hstack([flat, np.sin(turn) * np.stack([np.cos(psi), np.sin(psi)], axis=1)])
    rest = second_row - (second_row * first).sum(axis=1, keepdims=True) * first
    refused = np.linalg.norm(second_row[:, :2] / np.cos(turn) - [1.0, 0.0], axis=1) > 0
    targets = np.stack([np.cos(phi), np.sin(phi), 0 * phi, 0 * phi], axis=1)
    bases = np.stack([first, unit(rest)], axis=1)
    miss = targets - np.einsum("bcs,bsd->bcd", np.einsum("cd,bsd->bcs", targets, bases), bases)
    far: FloatArray = np.linalg.norm(miss, axis=2)[refused].max(axis=1) / edge
    return far


def _small_planes(count: int, rng: Generator, share: float = 0.0) -> Finding:
    grid = np.geomspace(1e-3, 0.2, 8)
    return Finding.of_ratios([plane_ratios(e, share * e if share else e**2 / 4, count).max() for e in grid])


def _small_random(count: int, rng: Generator, less: int = 0) -> Finding:
    ratios = []
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(1, 3))
        run, targets, kinds, _ = _random_run(
            rng, tau, lambda k, tau, e: (e**2 / (2 * tau), (e**2 / (2 * tau)) ** 2 / 2), i
        )
        ratios += [opened / (tau - less) if tau > less else 0.0 for opened in _openings(run, kinds)]
        if np.linalg.matrix_rank(targets) <= 2:
            ratios.append(len(run.representation.features) / np.linalg.matrix_rank(targets))
    return Finding.of_ratios(ratios)


PROP_TWO_LEVELS_SMALL = Claim(
    "prop-two-levels-small",
    "corrected",
    "",
    "where the printed counts are true",
    "Gaussian law, targets exactly in their spaces, eps <= 0.2 and eps~_acc <= eps^2/(2 tau): at most tau r features "
    "of the second level are opened for tau <= 2, and 2 tau - 2 a space for tau >= 2; with eps_acc <= eps~_acc^2/2 "
    "at most k of the first level for k <= 2.",
    "proved",
    checks=(
        Check("random tasks, tau = 1 and 2", "random", _small_random, 1_800),
        Check("two features of a plane in every relative position", "adversarial", _small_planes, 40),
    ),
    twins=(
        Check("tau - 1 features a plane", "random", partial(_small_random, less=1), 1_800, violated=True),
        Check("accuracy eps/3, not eps^2/4", "adversarial", partial(_small_planes, share=1 / 3), 40, violated=True),
    ),
    page="levels",
    functions=("bounds.two_level_features",),
)

CLAIMS = (ALGO_TWO, THM_TWO_LEVELS, THM_TWO_LEVELS_REPAIRED, PROP_TWO_LEVELS_SMALL)
