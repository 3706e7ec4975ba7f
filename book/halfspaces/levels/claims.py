"""Claims of Section 3.5: Algorithm 2 and Theorem 2, two levels of metafeatures, proved in the paper's appendix."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm2 import TwoLevels, level_factors
from lifelong.halfspaces.angles import angle, unit
from lifelong.loop import How, Run
from lifelong_book.halfspaces.levels.experiments import (
    exact_levels,
    greedy_second_level,
    kinds_of_targets,
    level_accuracies,
    level_distances,
    openings_of_kinds,
    swap_steps,
)
from lifelong_book.halfspaces.levels.openings import (
    crowded_openings,
    crowded_run,
    first_level_crowded,
    second_level_openings,
    tiers,
)
from lifelong_book.press.claim import Check, Claim, Discrepancy, Finding, Generator

# what the chapter shows ------------------------------------------------------------------------------------


def exact(rows: Any) -> Any:
    """The same numbers as fractions."""
    return np.vectorize(Fraction, otypes=[object])(rows)


def four_leaning(p: Fraction, q: Fraction, d: Fraction) -> tuple[Any, Any]:
    """Four targets of three dimensions, of which each leans on the one before, and answers with errors along e4."""
    e1, e2, e3, e4 = exact(np.eye(4, dtype=int))
    targets = np.array([e1, e1 + p * e2, e2 + q * e3, e3])
    return targets, targets + np.outer([d, -d, d, 0], e4)


def seven_spaces(epsilon: Fraction) -> tuple[Any, Any, Fraction]:
    """For tau = 3 and c^2 = 1/10: 18 targets that hide three axes, then four that lean on them; the second accuracy."""
    second, axes = epsilon**2 / 30, exact(np.eye(18, dtype=int))
    blocks, hidden = axes[:12].reshape(4, 3, 18), axes[12:16]
    tied = blocks.sum(axis=1) + 2 * hidden
    others = [*axes[:12], *tied, *axes[16:]]
    p, d = 8 * epsilon, 3 * second
    targets, answers = (rows @ hidden for rows in four_leaning(p, p, d))
    targets = np.array([*others, *targets])
    answers = np.array([*others, *answers])
    return targets, answers, second


def theorem_2(how: list[How], kinds: Any, k: int, tau: int) -> tuple[Any, Any]:
    """Features of the two levels, and how many the printed theorem allows."""
    first = how.count("scratch")
    second = first + how.count("composed")
    return (first, second), (k, tau * len(set(kinds)))


def repaired(how: list[How], kinds: Any, k: int, tau: int, epsilon: float) -> tuple[Any, Any]:
    """Features of the first level and of one space, and how many the repaired theorem allows (Gaussian)."""
    each = np.bincount(kinds, np.array(how) != "reused")
    left = how.count("scratch"), int(each.max())
    most = k * (2 + np.log(10 * tau / epsilon))
    return left, (most, tau + (tau - 1) * np.log2(1 / epsilon))


def of_one_space(rows: FloatArray, tau: int, s: float, t: float) -> tuple[int, float]:
    """Features of one space, and how many the exchange of features allows."""
    gain = s / (4 * tau * t)
    return len(rows), tau + (tau - 1) * np.log(1 / s) / np.log(gain)


def largest_volume(rows: FloatArray, tau: int) -> float:
    """The largest volume that tau of the rows span."""
    few = [rows[list(S)] for S in combinations(range(len(rows)), tau)]
    return float(max(np.sqrt(np.linalg.det(S @ S.T)) for S in few))


_proved, _printed = (partial(level_accuracies, choice) for choice in ("proved", "printed"))


def _random_run(rng: Generator, tau: int, accuracy: Any, i: int) -> tuple[Run[TwoLevels], FloatArray, Any, float]:
    """A stream of 60 tasks: run, targets, kinds, epsilon."""
    k, r = int(rng.integers(tau, 9)), int(rng.integers(1, 7))
    epsilon = float(np.exp(rng.uniform(np.log(0.003), np.log(0.2))))
    second, first = accuracy(k, tau, epsilon)
    targets, kinds = kinds_of_targets(k + 20, k=k, r=r, tau=tau, m=60, rng=rng)
    run = exact_levels(
        targets, epsilon, tau=tau, second=second, first=first, direction="common" if i % 2 else "random", rng=rng
    )
    return run, targets, kinds, epsilon


# algo-two ------------------------------------------------------------------------------------------------


def _memory_ratios(run: Run[TwoLevels], targets: FloatArray, tau: int, epsilon: float) -> list[float]:
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
        run, targets, _, epsilon = _random_run(rng, tau, _proved, i)
        found += _memory_ratios(run, targets, tau, epsilon)
    return Finding.of_ratios(found)


def _algo_edge(count: int, rng: Generator, slack: float = 1.0) -> Finding:
    """A third target at the angle from the plane of the first two that is just accepted."""
    found: list[float] = []
    for epsilon in np.linspace(0.01, 0.2, count):
        edge = np.pi * slack * epsilon * (1 - 1e-9)
        targets = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [np.cos(edge) * 0.6, np.cos(edge) * 0.8, np.sin(edge), 0]])
        run = exact_levels(targets, slack * float(epsilon), tau=2, second=1e-11, first=1e-13, direction="common")
        found += _memory_ratios(run, targets, 2, epsilon)
    return Finding.of_ratios(found)


def _algo_shapes(count: int, rng: Generator) -> Finding:
    """Three axes of four and their sum: shapes of the three matrices, of which only one choice can be multiplied."""
    targets = np.vstack([np.eye(3, 4), [[1.0, 1.0, 1.0, 0.0]]])
    shapes = [
        M.shape
        for M in level_factors(exact_levels(unit(targets), 0.1, tau=2, second=0.01, first=0.001, direction="common"))
    ]
    return Finding(1, int(shapes != [(4, 4), (4, 3), (3, 4)]), None, f"C, U, W have the shapes {shapes}")


FOUND_SHAPE = Discrepancy(
    "found-algo-two-shape",
    "misprint",
    "Algorithm 2 (appendix), steps 3 (a) and 4",
    r"The coefficients of a sparse hypothesis run from $1$ to $\tilde k$, and $\tilde C$ is an $m\times\tilde k$ "
    r"matrix with rows $\tilde c_1,\dots,\tilde c_{\tilde k}$.",
    r"A sparse hypothesis combines the $\tilde r$ features of the second level, and $\tilde U$ is $\tilde "
    r"r\times\tilde k$: where $\tilde r\ne\tilde k$ the product $\tilde C\tilde U\tilde W$ is not defined. This book "
    r"reads $\tilde r$ coefficients and an $m\times\tilde r$ matrix with rows $\tilde c_1,\dots,\tilde c_m$, as the "
    r"rest of the box has it.",
    r"Targets $e_1,e_2,e_3$ and $(1,1,1,0)/\sqrt3$ in $\mathbb{R}^4$, $\tau=2$, $\varepsilon=0.1$: the first three are "
    r"learned from scratch, the fourth is combined from them, so $m=\tilde r=4$ and $\tilde k=3$. A $4\times3$ "
    r"matrix cannot be multiplied by the $4\times3$ matrix $\tilde U$.",
    r"With $\tilde C$ of shape $m\times\tilde r$ the output is as described, and every predictor has error at most "
    r"$\varepsilon$.",
    "Nothing.",
    ("algo-two",),
    page="halfspaces/levels/proof",
)

ALGO_TWO = Claim(
    "algo-two",
    "Algorithm 2",
    "algo-two",
    "lifelong learning with two levels of metafeatures",
    r"With exact oracles every one of the $m$ predictors has error at most $\varepsilon$, and $\tilde A=\tilde "
    r"C\tilde U\tilde W$ holds them: at most $\tau$ nonzero entries in a row of $\tilde C$, a row of $\tilde U$ "
    r"for each task that failed sparsely, one of $\tilde W$ for each learned from scratch.",
    "proved",
    scope="exact oracles; Gaussian law in the checks",
    checks=(
        Check("random tasks, tau = 1 to 3", "random", _algo_random, 1_200),
        Check("targets at the angle that is just accepted", "tight", _algo_edge, 60),
        Check("four tasks by hand: the shapes of the three matrices", "exact", _algo_shapes),
    ),
    twins=(Check("accepted at 1.01 eps", "tight", partial(_algo_edge, slack=1.01), 60, violated=True, spoils=0.01),),
    page="halfspaces/levels/index",
    functions=(
        "lifelong.halfspaces.algorithm2.TwoLevels",
        "lifelong.halfspaces.level_oracles.ExactLevels",
        "lifelong.halfspaces.algorithm2.level_factors",
    ),
    discrepancies=(FOUND_SHAPE,),
)


# thm-two-levels ------------------------------------------------------------------------------------------


def _crowded_frequency(count: int, rng: Generator, epsilon: float) -> Finding:
    runs = [crowded_run(epsilon, tau=3, rng=rng) for _ in range(count)]
    return Finding.of_ratios([len(run.representation.second) / 6 for run in runs])


#: Where the second level breaks in a random position of the other space: tau, epsilon, c^2.
_CROWDED = ((3, "1e-10", "0.1"), (3, "1e-14", "0.001"))

#: Where the first level breaks by a proof: k, tau, c^2, epsilon; the first is the example to check by hand.
_FIRST_LEVEL = (
    (3, 1, Fraction(1, 10), Fraction(1, 1000)),
    *((k, tau, Fraction(1, 10**j), None) for k in (3, 4, 5) for tau in range(1, k - 1) for j in (0, 1, 4)),
    (6, 4, Fraction(1, 1000), None),
)

_SECOND, _FIRST = "features of the second level", "features of the first level"


def _leaning_second(count: int, rng: Generator) -> Finding:
    ratios = []
    for tau, square in ((3, 1.0), (3, 0.1), (3, 0.01), (4, 0.1)):
        stream, epsilon, second = instances.leaning_second_level(tau, square)
        ratios.append(second_level_openings(stream, epsilon, tau=tau, second=second)[0] / (tau * (tau + 4)))
    return Finding.of_ratios(
        {_SECOND: ratios}, "tau + 1 features for one of tau + 4 spaces, tau for each of the others"
    )


def _leaning_first(count: int, rng: Generator) -> Finding:
    ratios = []
    for k, tau, square, given in _FIRST_LEVEL:
        stream, epsilon, second, first = instances.leaning_first_level(k, tau, square, given)
        how = tiers(stream.targets, stream.learned, tau, epsilon, second, first)
        ratios.append(theorem_2(how, stream.kinds, k, tau)[0][0] / k)
    return Finding.of_ratios(
        {_FIRST: ratios}, "learned (1,0,0,d), (1,p,0,-d), (0,1,q,d); then (0,0,1,0), four for k = 3"
    )


def _crowded_first(count: int, rng: Generator) -> Finding:
    return Finding.of_ratios({_FIRST: [first_level_crowded("1e-6", k=4, tau=3, square="0.1") / 4]})


def _crowded_second(count: int, rng: Generator) -> Finding:
    found = [(tau, crowded_openings(epsilon, tau=tau, square=square)) for tau, epsilon, square in _CROWDED]
    return Finding.of_ratios({_SECOND: [opened / tau for tau, opened in found]})


def _printed_random(count: int, rng: Generator, less: int = 0) -> Finding:
    first: list[float] = []
    second: list[float] = []
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(2, 5))
        run, targets, kinds, _ = _random_run(rng, tau, _printed, i)
        first.append(len(run.representation.features) / np.linalg.matrix_rank(targets))
        second += [opened / (tau - less) for opened in openings_of_kinds(run, kinds)]
    return Finding.of_ratios({_SECOND: second, _FIRST: first})


FOUND_TWO_LEVELS = Discrepancy(
    "found-two-levels",
    "refuted",
    "Theorem 2 and its proof in the appendix",
    r"With exact oracles, $\tilde\varepsilon_{acc}\le c^2\varepsilon^2/\tau$ and $\varepsilon_{acc}\le "
    r"c^2\tilde\varepsilon_{acc}^2/k$ for a sufficiently small constant $c$, and for targets in $r$ spaces of "
    r"dimension at most $\tau$, all inside one of dimension $k$, at most $k$ features of the first level and at most "
    r"$\tau r$ of the second are added.",
    r"No constant $c>0$ is small enough: for every $k\ge3$ and $\tau\le k-2$ the first count fails, for every "
    r"$\tau\ge3$ the second, once $\varepsilon$ is small. The proof takes the errors to add up (Lemma 3), and they "
    r"compound. For $\tau\le2$ the second count is true, for $k\le2$ the first.",
    r"First level, $k=3$, $\tau=1$, Gaussian law, $\varepsilon=10^{-3}$, $c^2=\frac1{10}$, so "
    r"$\tilde\varepsilon_{acc}=10^{-7}$ and $\varepsilon_{acc}=\frac13 10^{-15}$. With $p=4\cdot10^{-3}$, "
    r"$q=1.2\cdot10^{-6}$, $d=10^{-15}$ the targets $(1,0,0,0)$, $(1,p,0,0)$, $(0,1,q,0)$ are learned as "
    r"$(1,0,0,d)$, $(1,p,0,-d)$, $(0,1,q,d)$: errors at most $d/\pi<\varepsilon_{acc}$, and each target is farther "
    r"than $\pi\varepsilon$ from every earlier answer and than $\pi\tilde\varepsilon_{acc}$ from their span. All three "
    r"answers are perpendicular to $(-d,\,2d/p,\,-x,\,1)$ with $x=(2d/p+d)/q>4.1\cdot10^{-7}$, so the target "
    r"$(0,0,1,0)$ is at an angle above $4\cdot10^{-7}>\pi\tilde\varepsilon_{acc}$ from their span and adds a fourth "
    r"feature in three dimensions.",
    r"At $\tilde\varepsilon_{acc}=\varepsilon/(10\tau)$ and $\varepsilon_{acc}=\tilde\varepsilon_{acc}/5$, a "
    r"Gaussian law and $\varepsilon\le0.2$, at most $\tau+(\tau-1)\log_2\frac1\varepsilon$ features of the second "
    r"level are added for each space, and at most $k(2+\ln\frac1{\tilde\varepsilon_{acc}})$ of the first; another "
    r"isotropic log-concave law changes the constants.",
    r"A logarithmic factor in both counts; in labels a gain, for the accuracies are coarser (only in the last "
    r"term $\log r$ becomes $\log(\tau r)$): "
    r"$\tilde O(nk\tau/\varepsilon+kr\tau^2/\varepsilon+m\tau\log(\tau r)/\varepsilon)$.",
    ("thm-two-levels-repaired", "prop-two-levels-small"),
)

THM_TWO_LEVELS = Claim(
    "thm-two-levels",
    "Theorem 2",
    "thm:linmetalogconc2levels",
    "how many features Algorithm 2 adds, as printed",
    "Isotropic log-concave marginals, targets in a $k$-dimensional space and each in one of $r$ spaces of "
    r"dimension $\tau$ inside it, exact oracles: with $\tilde\gamma\le c\varepsilon$, "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le c\tilde\gamma\varepsilon/\tau$, $\gamma\le "
    r"c\,\tilde\varepsilon_{\mathrm{acc}}$ and $\varepsilon_{\mathrm{acc}}\le "
    r"c\gamma\,\tilde\varepsilon_{\mathrm{acc}}/k$ for a small constant $c$ at most $k$ features of the first "
    r"level and $\tau r$ of the second are added.",
    "refuted",
    scope=(
        r"$\tilde r\le\tau r$ is true for $\tau\le 2$ and, whatever $c$, false for every $\tau\ge 3$ once "
        r"$\varepsilon$ is small; $\tilde k\le k$ is true for $k\le 2$ and, whatever $c$, false for every $k\ge 3$ "
        r"with $\tau\le k-2$ once $\varepsilon$ is small, and at $(k,\tau)=(4,3)$"
    ),
    replaced_by=("thm-two-levels-repaired", "prop-two-levels-small"),
    checks=(
        Check("leaning targets, tau = 3 and 4, every answer given", "adversarial", _leaning_second, 4, violated=True),
        Check("leaning targets, k = 3 to 6, in fractions", "exact", _leaning_first, 20, violated=True),
        Check("leaning targets, k = 4 and tau = 3, in 120 digits", "adversarial", _crowded_first, 1, violated=True),
        Check("two subspaces, tau = 3, in 120 digits", "adversarial", _crowded_second, 2, violated=True),
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
        Check(
            "random tasks: tau - 1 features a space",
            "random",
            partial(_printed_random, less=1),
            900,
            violated=True,
            why="the counts are whole numbers up to 4, so the least that can be taken from them is one",
        ),
    ),
    page="halfspaces/levels/index",
    functions=(
        "lifelong.halfspaces.instances.leaning_first_level",
        "lifelong.halfspaces.instances.leaning_second_level",
        "lifelong.halfspaces.instances.crowded_subspace",
        "lifelong.halfspaces.instances.crowded_first_level",
        "lifelong_book.halfspaces.levels.openings.precise_levels",
    ),
    discrepancies=(FOUND_TWO_LEVELS,),
)


# thm-two-levels-repaired ---------------------------------------------------------------------------------


_GAUSSIAN = (1 / np.pi, 1 / np.pi)

#: Pairs c, c' of rates of disagreement to angle that the checks go through: those of a Gaussian law, of the size of
#: those of the cube and of the Laplace law, and a wider pair.
_RATES = (_GAUSSIAN, (0.25, 0.5), (0.25, float(1 / np.sqrt(np.pi))), (0.19, 0.67))

_SPACE, _COUNT, _PLANES = "features of a space", "features at eps/(10 tau), tau >= 2", "features for tau <= 2"


def _greedy_cases(count: int, rng: Generator, largest: int = 4, *, general: bool = True) -> list[dict[str, Any]]:
    cases = []
    for i in range(count):
        rates = _RATES[i % len(_RATES)] if general else _GAUSSIAN
        epsilon, tau = float(10 ** rng.uniform(-2.5, -0.9)), int(rng.integers(2, largest + 1))
        far = epsilon / rates[1]
        near = far / (tau * float(10 ** rng.uniform(0.9, 2.5)))
        gamma = near * float(rng.random()) if general and rng.random() < 0.5 else 0.0
        cases.append({"tau": tau, "epsilon": epsilon, "second": near * rates[0], "gamma": gamma, "rates": rates})
    return cases


def _allowed(case: dict[str, Any]) -> float:
    return bounds.two_level_features(case["tau"], *level_distances(**{n: case[n] for n in case if n != "tau"}))


def _repaired_greedy(count: int, rng: Generator) -> Finding:
    cases = _greedy_cases(count, rng)
    return Finding.of_ratios({_SPACE: [len(greedy_second_level(rng=rng, **case)) / _allowed(case) for case in cases]})


def _repaired_formulas(count: int, rng: Generator) -> Finding:
    """Both bounds on the features of a space as stated, and the round one over the other at eps/(10 tau)."""
    first, second, rounds = [], [], []
    for case in _greedy_cases(count, rng):
        tau, epsilon = case["tau"], min(case["epsilon"], 0.2)
        s, t = level_distances(**{n: case[n] for n in case if n != "tau"})
        if s > 4 * tau * t:
            first.append(_allowed(case) / (tau + (tau - 1) * np.log(1 / s) / np.log(s / (4 * tau * t))))
        second.append(bounds.two_level_logarithmic(tau, epsilon) / (tau + (tau - 1) * np.log(1 / epsilon) / np.log(2)))
        s, t = level_distances(epsilon, epsilon / (10 * tau))
        rounds.append(bounds.two_level_features(tau, s, t) / (tau + (tau - 1) * np.log(1 / epsilon) / np.log(2)))
    return Finding.of_ratios({"as stated": first, "round form, as stated": second, "round form": rounds})


def _searched_less(count: int, rng: Generator) -> Finding:
    """The broken version: the algorithm searches tau - 1 features in a space of dimension tau."""
    cases = _greedy_cases(count, rng, 3, general=False)
    rows = [greedy_second_level(rng=rng, searched=case["tau"] - 1, **case) for case in cases]
    return Finding.of_ratios({_SPACE: [len(r) / _allowed(case) for r, case in zip(rows, cases, strict=True)]})


def _repaired_random(count: int, rng: Generator) -> Finding:
    second: list[float] = []
    first: list[float] = []
    for i in range(max(1, count // 60)):
        tau = 2 + i % 3
        run, targets, kinds, epsilon = _random_run(rng, tau, _proved, i)
        second += [opened / bounds.two_level_logarithmic(tau, epsilon) for opened in openings_of_kinds(run, kinds)]
        k, accuracy = int(np.linalg.matrix_rank(targets)), run.representation.epsilon_acc_second
        first.append(len(run.representation.features) / bounds.features_logarithmic(k, accuracy))
    return Finding.of_ratios({_COUNT: second, _FIRST: first})


def _repaired_tight(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """For tau = 3, at an accuracy of the order of eps^2: four features, the bound 2 tau - 2."""
    ratios = []
    for epsilon, square in (("1e-10", "0.1"), ("1e-12", "0.05"), ("1e-14", "0.01")):
        s, t = level_distances(float(epsilon), float(square) * float(epsilon) ** 2 / 3)
        ratios.append(crowded_openings(epsilon, tau=3, square=square) / (share * bounds.two_level_features(3, s, t)))
    stream, epsilon_, second = instances.leaning_second_level(3, 0.3)
    opened = (
        second_level_openings(stream, epsilon_, tau=3, second=second)[0] - 3 * 6
    )  # three for each of the other spaces
    ratios.append(opened / (share * bounds.two_level_features(3, *level_distances(epsilon_, second))))
    return Finding.of_ratios({_SPACE: ratios})


def _repaired_steps(count: int, rng: Generator) -> Finding:
    ratios: dict[str, list[float]] = {}
    for case in _greedy_cases(count, rng, 3):
        s, t = level_distances(**{n: case[n] for n in case if n != "tau"})
        rows = greedy_second_level(rng=rng, **case)
        if len(rows) >= case["tau"] and s > 4 * case["tau"] * t:
            for name, found in swap_steps(rows, tau=case["tau"], s=s, t=t).items():
                ratios.setdefault(name, []).extend(found)
    return Finding.of_ratios(ratios)


THM_TWO_LEVELS_REPAIRED = Claim(
    "thm-two-levels-repaired",
    "corrected",
    "",
    "how many features Algorithm 2 adds: largest volumes",
    r"Exact oracles, a law with disagreement between $c$ and $c'$ times the angle, targets within $\gamma$ of "
    r"spaces of dimension at most $\tau$, $\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}$; "
    r"$s=\sin(\varepsilon/c'-\tilde\varepsilon_{\mathrm{acc}}/c)$ and "
    r"$t=\sin(\tilde\varepsilon_{\mathrm{acc}}/c+\gamma)$, both angles in $(0,\pi/2]$, and $s>4\tau t$. Then the "
    r"tasks of a space add at most $\tau+(\tau-1)\ln\frac1s\,/\ln\frac{s}{4\tau t}$ features of the second level. "
    r"For a Gaussian law, $\gamma=0$, $\varepsilon\le 0.2$, "
    r"$\tilde\varepsilon_{\mathrm{acc}}=\varepsilon/(10\tau)$ and "
    r"$\varepsilon_{\mathrm{acc}}=\tilde\varepsilon_{\mathrm{acc}}/5$ that is at most "
    r"$\tau+(\tau-1)\log_2\frac1\varepsilon$, and at most $k\,(2+\ln(1/\tilde\varepsilon_{\mathrm{acc}}))$ "
    "features of the first level are added for targets in $k$ dimensions.",
    "proved",
    checks=(
        Check("random tasks, tau = 2 to 4", "random", _repaired_random, 1_800),
        Check("each target refused by a hair, four pairs c <= c', gamma >= 0", "adversarial", _repaired_greedy, 100),
        Check("tau = 3: four features, 2 tau - 2", "tight", _repaired_tight, 4),
        Check("both bounds as stated, and one from the other", "exact", _repaired_formulas, 400),
        Check("every inequality of the proof, four pairs c <= c', gamma >= 0", "adversarial", _repaired_steps, 60),
    ),
    twins=(
        Check("the bound less 2 %", "tight", partial(_repaired_tight, share=0.98), 4, violated=True, spoils=0.02),
        Check(
            "only tau - 1 features searched",
            "adversarial",
            _searched_less,
            20,
            violated=True,
            drops="the learner searches every tau features",
        ),
    ),
    page="halfspaces/levels/index",
    functions=("lifelong.halfspaces.bounds.two_level_features", "lifelong.halfspaces.bounds.two_level_logarithmic"),
    loose={
        _COUNT: r"at this accuracy no stream that we know adds many more than $\tau$ features; whether the logarithm "
        "is needed for two levels is open",
        _FIRST: "random tasks add about $k$ features; the bound is the corollary of the volume bound, which has its "
        "own checks",
        "round form": "a round form of the bound before it, whose whole part it exceeds",
        "proof: exchange": "a step with a generous constant, 4 where 1 would do in the instances",
        "proof: projection": (
            r"a step that is needed only where a height is as small as $4\tau t$, and the instances' are far "
            "above"
        ),
        "proof: gain": "the last step, which collects the slack of the others",
    },
)


# prop-two-levels-small -----------------------------------------------------------------------------------


def _plane_ratios(epsilon: float, second: float, points: int) -> FloatArray:
    """Two features of a plane in every relative position: tangent of the farthest unit vector over that refused.

    Up to rotations a feature is given by its direction in the plane, which may lean up to the whole error, and by
    what is left of the error across it. The second target is just outside what the first feature serves, or farther.
    For `prop-two-levels-small`.
    """
    turn, far = np.pi * second, np.pi * epsilon
    lean = np.array([-1.0, -0.5, 0.0, 0.5, 1.0]) * turn
    across = np.arccos(np.minimum(1.0, np.cos(turn) / np.cos(lean)))
    away = np.concatenate([[0.0], np.geomspace(1e-9, 1, points)])
    i, j, step, psi = np.meshgrid(np.arange(5), np.arange(5), away, np.linspace(0, np.pi, points), indexing="ij")
    i, j, step, psi = (x.ravel() for x in (i, j, step, psi))
    # first target (1, 0); the first feature serves what is closer in the plane than `edge` to its direction
    edge = np.arccos(np.minimum(1.0, np.cos(far) / np.cos(across[i])))
    theta = lean[i] + edge + step * (np.pi / 2 - edge)
    one, two = lean[i], theta + lean[j]
    b = np.zeros((2, len(i), 4))
    b[0, :, 0], b[0, :, 1], b[0, :, 2] = (
        np.cos(across[i]) * np.cos(one),
        np.cos(across[i]) * np.sin(one),
        np.sin(across[i]),
    )
    b[1, :, 0], b[1, :, 1] = np.cos(across[j]) * np.cos(two), np.cos(across[j]) * np.sin(two)
    b[1, :, 2], b[1, :, 3] = np.sin(across[j]) * np.cos(psi), np.sin(across[j]) * np.sin(psi)
    basis = np.swapaxes(np.linalg.qr(np.moveaxis(b, 0, 2))[0], 1, 2)
    plane = np.eye(2, 4)
    miss = plane - np.einsum("psc,psd->pcd", basis[:, :, :2], basis)
    sine = np.linalg.svd(miss, compute_uv=False)[:, 0]
    ratios: FloatArray = np.tan(np.arcsin(np.minimum(sine, 1.0))) / np.tan(far)
    return ratios


def _small_planes(count: int, rng: Generator, factor: float = 1.0) -> Finding:
    grid = (3e-4, 0.001, 0.01, 0.1, 0.2)
    ratios = [_plane_ratios(e, bounds.plane_accuracy(e) / factor, count).max() for e in grid]
    return Finding.of_ratios({"farthest target of a plane": ratios})


def _small_square(count: int, rng: Generator) -> Finding:
    """The square of eps, over the accuracy at which two features serve a plane."""
    epsilon = np.linspace(1e-3, 0.2, count)
    return Finding.of_ratios({"eps^2 for a plane": [e**2 / bounds.plane_accuracy(e) for e in epsilon]})


def _small_random(count: int, rng: Generator) -> Finding:
    second: list[float] = []
    first: list[float] = []
    for i in range(max(1, count // 60)):
        tau = 1 + i % 2
        run, targets, kinds, _ = _random_run(
            rng, tau, lambda k, tau, e: (e**2, e**4) if tau > 1 else (0.999 * e, e**2), i
        )
        second += [opened / tau for opened in openings_of_kinds(run, kinds)]
        if np.linalg.matrix_rank(targets) <= 2:
            first.append(len(run.representation.features) / np.linalg.matrix_rank(targets))
    return Finding.of_ratios({_PLANES: second, **({"first-level features for k <= 2": first} if first else {})})


def _small_three(count: int, rng: Generator) -> Finding:
    """Accuracies of at most eps^2 / (2 tau): four features at tau = 3, which is 2 tau - 2."""
    found = [
        crowded_openings(epsilon, tau=3, square=square) / 4 for epsilon, square in (("1e-10", "0.5"), ("1e-14", "0.01"))
    ]
    stream, epsilon_, second = instances.leaning_second_level(3, 0.5)
    found.append((second_level_openings(stream, epsilon_, tau=3, second=second)[0] - 18) / 4)
    return Finding.of_ratios({"features of a space, tau >= 3": found})


def _small_bound(count: int, rng: Generator) -> Finding:
    """The bound of the repaired theorem at the accuracy eps^2 / (2 tau), over 2 tau - 2."""
    grid = [(tau, float(e)) for tau in range(3, 3 + count) for e in np.geomspace(1e-7, 0.2, 20)]
    ratios = [bounds.two_level_features(tau, *level_distances(e, e**2 / (2 * tau))) / (2 * tau - 2) for tau, e in grid]
    return Finding.of_ratios({"features of a space, tau >= 3": ratios})


PROP_TWO_LEVELS_SMALL = Claim(
    "prop-two-levels-small",
    "corrected",
    "",
    "where the printed counts are true",
    r"Gaussian law, exact oracles, targets exactly in their spaces, $\varepsilon\le 0.2$. A line adds one feature "
    r"of the second level if $\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon$, a plane at most two if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2$, a space of dimension $\tau\ge 3$ at most $2\tau-2$ if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2/(2\tau)$. The first level has at most $k$ features if "
    r"$k=1$ and $\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}$, or $k=2$ and "
    r"$\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}^{\,2}$.",
    "proved",
    checks=(
        Check("random tasks, tau = 1 and 2", "random", _small_random, 1_800),
        Check(
            "two features of a plane in every relative position",
            "tight",
            _small_planes,
            16,
            knobs={"accuracy for a plane": _small_planes},
        ),
        Check("eps^2 against the accuracy for a plane", "exact", _small_square, 200),
        Check("tau = 3: four features", "tight", _small_three, 3),
        Check("the bound of the repaired theorem at eps^2/(2 tau), tau = 3 to 20", "exact", _small_bound, 18),
    ),
    twins=(
        Check(
            "accuracy for a plane coarser by 2 %",
            "tight",
            partial(_small_planes, factor=0.98),
            16,
            violated=True,
            spoils=0.02,
        ),
    ),
    page="halfspaces/levels/proof",
    functions=("lifelong.halfspaces.bounds.plane_accuracy", "lifelong.halfspaces.bounds.two_level_features"),
    loose={
        "eps^2 for a plane": (
            r"a round number, exact up to $\pi/2$ for small $\varepsilon$; `bounds.plane_accuracy` is the bound that "
            "bites"
        ),
    },
)

CLAIMS = (ALGO_TWO, THM_TWO_LEVELS, THM_TWO_LEVELS_REPAIRED, PROP_TWO_LEVELS_SMALL)
