"""Claims of Section 3.5: Algorithm 2 and Theorem 2, two levels of metafeatures, proved in the paper's appendix."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces import bounds
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle, unit
from lifelong.loop import How, Run
from lifelong_book.halfspaces.levels import instances, limits
from lifelong_book.halfspaces.levels.experiments import (
    exact_levels,
    greedy_second_level,
    level_accuracies,
    level_distances,
    level_factors,
    swap_steps,
)
from lifelong_book.halfspaces.levels.instances import four_leaning, kinds_of_targets, seven_spaces, two_spaces
from lifelong_book.halfspaces.levels.openings import (
    crowded_openings,
    crowded_run,
    precise_levels,
    tiers,
    tiers_in_doubles,
)
from lifelong_book.halfspaces.levels.oracles import ExactLevels
from lifelong_book.press.claim import Discrepancy, Generator
from lifelong_book.press.two_sided import Adverse, Broken, Exact, Random, Sides, Tight, two_sided

Pairs = dict[str, tuple[Any, Any]]
Instance = dict[str, Any]

# random runs ---------------------------------------------------------------------------------------------


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


def _algo_random(count: int, rng: Generator) -> Iterator[Instance]:
    """Random tasks, tau = 1 to 3."""
    for i in range(max(1, count // 60)):
        tau = int(rng.integers(1, 4))
        run, targets, _, epsilon = _random_run(rng, tau, _proved, i)
        yield {"run": run, "targets": targets, "tau": tau, "epsilon": epsilon}


def _algo_edge(count: int, slack: float = 1.0) -> Iterator[Instance]:
    """A third target at the angle from the plane of the first two that is just accepted."""
    for epsilon in np.linspace(0.01, 0.2, count):
        edge = np.pi * slack * epsilon * (1 - 1e-9)
        targets = np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0], [np.cos(edge) * 0.6, np.cos(edge) * 0.8, np.sin(edge), 0]])
        run = exact_levels(targets, slack * float(epsilon), tau=2, second=1e-11, first=1e-13, direction="common")
        yield {"run": run, "targets": targets, "tau": 2, "epsilon": epsilon}


def _algo_shapes() -> Sides:
    """Four tasks by hand: the shapes of the three matrices."""
    targets = unit(np.vstack([np.eye(3, 4), [[1.0, 1.0, 1.0, 0.0]]]))
    factors = level_factors(exact_levels(targets, 0.1, tau=2, second=0.01, first=0.001, direction="common"))
    return Sides(int([M.shape for M in factors] != [(4, 4), (4, 3), (3, 4)]), 0)


@two_sided(
    "algo-two",
    Random(_algo_random, 1_200),
    Tight(_algo_edge, 60, name="targets at the angle that is just accepted", of=("error",)),
    Exact(_algo_shapes),
    Broken(_algo_edge, 60, ((1.01,),), name="accepted at 1.01 eps", spoils=0.01),
)
def algorithm_2(run: Run[TwoLevels], targets: FloatArray, tau: int, epsilon: float) -> Pairs:
    """What Algorithm 2 promises of the rows of C U W: errors, nonzero weights, and which rows there are."""
    C, U, W = level_factors(run)
    A, kept = C @ U @ W, np.array(run.how) != "reused"
    accuracy = run.representation.epsilon_acc_second * (1 + 1e-6)
    told = np.array([step.hypothesis for step in run.steps])
    # other hypotheses, or other shapes, than in the box?
    wrong = abs(A - told).max() >= 1e-6
    wrong |= (len(W), len(U)) != (run.how.count("scratch"), kept.sum())
    return {
        "error": (angle(A, targets) / np.pi, epsilon),
        "second level": (angle(U @ W, targets[kept]) / np.pi, accuracy),
        "weights": ((C != 0).sum(axis=1), tau),
        "not the box": (int(wrong), 0),
    }


FOUND_SHAPE = Discrepancy(
    "found-algo-two-shape",
    "misprint",
    "Algorithm 2 (appendix), steps 3 (a) and 4",
    r"The coefficients of a sparse hypothesis run from $1$ to $\tilde k$, and $\tilde C$ is an $m\times\tilde k$ "
    r"matrix with rows $\tilde c_1,\dots,\tilde c_{\tilde k}$.",
    r"A sparse hypothesis combines the $\tilde r$ features of the second level, and $\tilde U$ is $\tilde "
    r"r\times\tilde k$: where $\tilde r\ne\tilde k$ the product $\tilde C\tilde U\tilde W$ is not defined. This book "
    r"reads $\tilde r$ coefficients and an $m\times\tilde r$ matrix with rows $\tilde c_1,\dots,\tilde c_m$, as the "
    r"rest of the box has it. (The last step of Algorithm 1 names the rows of its $\tilde C$ in the same way.)",
    r"Targets $e_1,e_2,e_3$ and $(1,1,1,0)/\sqrt3$ in $\mathbb{R}^4$, $\tau=2$, $\varepsilon=0.1$: the first three are "
    r"learned from scratch, the fourth is combined from them, so $m=\tilde r=4$ and $\tilde k=3$. A $4\times3$ "
    r"matrix cannot be multiplied by the $4\times3$ matrix $\tilde U$.",
    r"With $\tilde C$ of shape $m\times\tilde r$ the output is as described, and every predictor has error at most "
    r"$\varepsilon$.",
    "Nothing.",
    ("algo-two",),
    page="halfspaces/levels/index",
)

ALGO_TWO = algorithm_2.claim(
    "Algorithm 2",
    "lifelong learning with two levels of metafeatures",
    r"With exact oracles every one of the $m$ predictors has error at most $\varepsilon$, and $\tilde A=\tilde "
    r"C\tilde U\tilde W$ holds them: at most $\tau$ nonzero entries in a row of $\tilde C$, a row of $\tilde U$ "
    r"for each task that failed sparsely, one of $\tilde W$ for each learned from scratch.",
    "proved",
    paper="algo-two",
    scope="exact oracles; Gaussian law in the checks",
    functions=(TwoLevels, ExactLevels, level_factors),
    discrepancies=(FOUND_SHAPE,),
)


# thm-two-levels ------------------------------------------------------------------------------------------


#: Where the second level breaks in a random position of the other space: tau, epsilon, c^2.
_CROWDED = ((3, "1e-10", "0.1"), (3, "1e-14", "0.001"))

#: Where the first level breaks: k, tau, and how long the chain is.
_CHAINS = (*((k, tau, k) for k in (4, 5) for tau in range(1, k)), (5, 5, 5), (6, 4, 6), (6, 6, 6), (10, 5, 5))

#: Where the printed count of the first level is true for a reason of its own: k, tau, and how long the chain is.
_TRUE = ((3, 2, 3), (3, 3, 3), (4, 2, 2), (4, 4, 4), (6, 3, 3), (8, 4, 4))


@cache
def _served_seven() -> list[How]:
    epsilon = Fraction(1, 2700)
    targets, answers, second = seven_spaces(epsilon)
    return tiers(targets, answers, 3, epsilon, second, second**2 / 180)


def _seven_spaces() -> Instance:
    """Seven spaces of three dimensions, every answer given, in fractions."""
    return {"how": _served_seven(), "kinds": [*np.repeat(range(6), 3), 6, 6, 6, 6], "k": 18, "tau": 3}


def _two_spaces() -> Iterator[Instance]:
    """Two spaces of three dimensions in R^4, every answer given, in fractions."""
    for square in (Fraction(1), Fraction(1, 10), Fraction(1, 1000)):
        epsilon = square / 210
        second = square * epsilon**2 / 3
        how = tiers(*two_spaces(8 * epsilon, 3 * second), 3, epsilon, second, square * second**2 / 4)
        yield {"how": how, "kinds": [0, 0, 0, 1, 1, 1, 1], "k": 4, "tau": 3}


def _leaning_second() -> Iterator[Instance]:
    """Leaning targets, tau = 3 and 4, every answer given."""
    for tau, square in ((3, 1.0), (3, 0.1), (3, 0.01), (4, 0.1)):
        stream, epsilon, second = instances.leaning_second_level(tau, square)
        how = tiers_in_doubles(stream, epsilon, tau=tau, second=second)
        yield {"how": how, "kinds": stream.kinds, "k": stream.targets.shape[1], "tau": tau}


def _leaning_first() -> Iterator[Instance]:
    """Leaning targets, k = 3 to 10, in fractions."""
    for square in (Fraction(1), Fraction(1, 10), Fraction(1, 10**4)):
        epsilon = square / 30
        second, first = _printed(3, 1, epsilon, square=square)
        four = *four_leaning(4 * epsilon, 4 * second, 3 * first), 1, epsilon, second, first
        streams = [instances.leaning_chain(k, tau, square, long) for k, tau, long in _CHAINS]
        for (k, tau, long), stream in zip(((3, 1, 3), *_CHAINS), (four, *streams), strict=True):
            how = tiers(*stream)
            assert how == ["scratch"] * (k + 1)
            last = k - (long == tau)  # one chain in the last space, or along all dimensions
            yield {"how": how, "kinds": np.minimum(np.arange(k + 1), last) // tau, "k": k, "tau": tau}


def _leaning_in_vain(count: int, rng: Generator) -> Iterator[Instance]:
    """Random leaning targets where the first count is true, (k, tau) = (3, 2) and k = tau r."""
    for i in range(count):
        k, tau, long = _TRUE[i % len(_TRUE)]
        epsilon = float(rng.uniform(0.02, 0.2))
        second, first = _printed(k, tau, epsilon, square=1.0)
        e, steps = np.eye(k + 1), 4 * epsilon * rng.uniform(1, 1.5, (long - 1, 1))
        before, a = e[: k - long], e[k - long : k]
        rows = unit(np.array([*before, a[0], *(a[:-1] + steps * a[1:]), a[-1]]))
        rows[1::2] *= -1  # so the errors, all towards the last axis, alternate
        how = exact_levels(rows, epsilon, tau=tau, second=second, first=first, direction="common").how
        yield {"how": how, "kinds": np.minimum(np.arange(k + 1), k - 1) // tau, "k": k, "tau": tau}


def _crowded_second() -> Iterator[Instance]:
    """Two subspaces, tau = 3, in 120 digits."""
    for tau, epsilon, square in _CROWDED:
        opened = crowded_openings(epsilon, tau=tau, square=square)
        how = ["scratch"] * (tau + 1) + ["composed"] * (opened - 1)  # of the first space tau features
        yield {"how": how, "kinds": [0] * tau + [1] * opened, "k": tau + 1, "tau": tau}


def _crowded_often(count: int, rng: Generator, epsilon: float) -> Iterator[Instance]:
    """Two subspaces, tau = 3, in a random position: how often."""
    for _ in range(count):
        how = crowded_run(epsilon, tau=3, rng=rng).how
        yield {"how": how, "kinds": [0] * 3 + [1] * (len(how) - 3), "k": 4, "tau": 3}


def _random_stream(count: int, rng: Generator, accuracy: Any, of_tau: bool = False) -> Iterator[Instance]:
    """Random tasks, tau = 2 to 4."""
    for i in range(max(1, count // 60)):
        tau = 2 + i % 3
        run, targets, kinds, epsilon = _random_run(rng, tau, accuracy, i)
        k = int(np.linalg.matrix_rank(targets))
        yield {"how": run.how, "kinds": kinds, "k": k, "tau": tau} | ({"epsilon": epsilon} if of_tau else {})


def _one_less(how: list[How], kinds: Any, k: int, tau: int) -> Pairs:
    less: Pairs = theorem_2(how, kinds, k, tau - 1)
    return less


_PRINTED = partial(_random_stream, accuracy=_printed)
_NEAR = "two subspaces, tau = 3, eps = {}: how often"


@two_sided(
    "thm-two-levels",
    Exact(_seven_spaces, expect="break", factor=22 / 21, of=("second level",)),
    Exact(_two_spaces, 3, expect="break", factor=7 / 6, of=("second level",)),
    Exact(_leaning_first, 36, expect="break", factor=4 / 3, of=("first level",)),
    Tight(_leaning_in_vain, 60, of=("first level",)),
    Adverse(_leaning_second, 4, expect="break"),
    Adverse(_crowded_second, 2, expect="break"),
    Adverse(_crowded_often, 60, ((1e-4,),), _NEAR.format("1e-4"), expect="tell"),
    Adverse(_crowded_often, 60, ((1e-2,),), _NEAR.format("1e-2"), expect="tell"),
    Random(_PRINTED, 1_800, name="random tasks, tau = 2 to 4: how often", expect="tell"),
    Broken(
        _PRINTED,
        900,
        name="random tasks: tau - 1 features a space",
        sides=_one_less,
        why="the counts are whole numbers up to 4, so the least that can be taken from them is one",
    ),
)
def theorem_2(how: list[How], kinds: Any, k: int, tau: int) -> Pairs:
    """Features of the two levels, and how many the printed theorem allows."""
    first = how.count("scratch")
    second = first + how.count("composed")
    most = tau * len(set(kinds))
    return {"first level": (first, k), "second level": (second, most)}


FOUND_TWO_LEVELS = Discrepancy(
    "found-two-levels",
    "refuted",
    "Theorem 2 and its proof in the appendix",
    r"Under isotropic log-concave marginals, $\tilde\varepsilon_{acc}\le c^2\varepsilon^2/\tau$ and "
    r"$\varepsilon_{acc}\le c^2\tilde\varepsilon_{acc}^2/k$ for a sufficiently small constant $c$, and for targets in "
    r"$r$ spaces of dimension $\tau$, all inside one of dimension $k$, at most $k$ features of the first level and at "
    r"most $\tau r$ of the second are added.",
    r"Let the $r$ spaces be different and span the $k$ dimensions, so "
    r"$\tau\le k\le\tau r$. The first count is true for $k\le2$, for $(k,\tau)=(3,2)$ and for $k=\tau r$ with "
    r"$\tau\le4$, the second for $\tau\le2$ and for one space with $\tau\le4$; for all other $k$, $\tau$ and $r$ they "
    r"fail for every $c>0$, once $\varepsilon$ is small (the first, and the second for one space, if $n>k$). The proof "
    r"takes the errors to add up (Lemma 3), and they compound.",
    r"Exact oracles, first level, $k=3$, $\tau=1$, $r=4$ (each target has a line of its own, so that the first level "
    r"alone can fail), Gaussian law, $\varepsilon=10^{-3}$, $c^2=\frac1{10}$, so "
    r"$\tilde\varepsilon_{acc}=10^{-7}$ and $\varepsilon_{acc}=\frac13 10^{-15}$. With $p=4\cdot10^{-3}$, "
    r"$q=1.2\cdot10^{-6}$, $d=10^{-15}$ the targets $(1,0,0,0)$, $(1,p,0,0)$, $(0,1,q,0)$ are learned as "
    r"$(1,0,0,d)$, $(1,p,0,-d)$, $(0,1,q,d)$: errors at most $d/\pi<\varepsilon_{acc}$, and each target is farther "
    r"than $\pi\varepsilon$ from every earlier answer and than $\pi\tilde\varepsilon_{acc}$ from their span. All three "
    r"answers are perpendicular to $(-d,\,2d/p,\,-x,\,1)$ with $x=(2d/p+d)/q>4.1\cdot10^{-7}$, so the target "
    r"$(0,0,1,0)$ is at an angle above $4\cdot10^{-7}>\pi\tilde\varepsilon_{acc}$ from their span and adds a fourth "
    r"feature in three dimensions. For every other $c>0$, however small, other numbers do the same once $\varepsilon$ "
    r"is small enough.",
    r"At $\tilde\varepsilon_{acc}=\varepsilon/(10\tau)$ and $\varepsilon_{acc}=\tilde\varepsilon_{acc}/5$, a "
    r"Gaussian law and $\varepsilon\le0.2$, at most $\tau+(\tau-1)\log_2\frac1\varepsilon$ features of the second "
    r"level are added for each space, and at most $k(2+\ln\frac1{\tilde\varepsilon_{acc}})$ of the first; another "
    r"isotropic log-concave law changes the constants.",
    r"A logarithmic factor in both counts; in labels a gain, for the accuracies are coarser (only in the last "
    r"term $\log r$ becomes $\log(\tau r)$): "
    r"$\tilde O(nk\tau/\varepsilon+kr\tau^2/\varepsilon+m\tau\log(\tau r)/\varepsilon)$. At the printed accuracies "
    r"with $c$ small enough (Gaussian law, $\varepsilon\le0.2$: $c^2\le\frac12$) both counts are less than twice the "
    r"printed ones. With a smaller $c$ and constant $\tau$ the printed bounds on labels hold (a sketch).",
    ("thm-two-levels-repaired", "prop-two-levels-small"),
    stands=r"its bounds on labels, for constant $\tau$ (a sketch)",
)

THM_TWO_LEVELS = theorem_2.claim(
    "Theorem 2",
    "how many features Algorithm 2 adds, as printed",
    "Isotropic log-concave marginals, targets in a $k$-dimensional space and each in one of $r$ spaces of "
    r"dimension $\tau$ inside it, exact oracles: with $\tilde\gamma\le c\varepsilon$, "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le c\tilde\gamma\varepsilon/\tau$, $\gamma\le "
    r"c\,\tilde\varepsilon_{\mathrm{acc}}$ and $\varepsilon_{\mathrm{acc}}\le "
    r"c\gamma\,\tilde\varepsilon_{\mathrm{acc}}/k$ for a small constant $c$ at most $k$ features of the first "
    r"level and $\tau r$ of the second are added.",
    "refuted",
    paper="thm:linmetalogconc2levels",
    scope=(
        r"for $r$ different spaces that span the $k$ dimensions. The first count, $\tilde k\le k$, is true for "
        r"$k\le 2$, for $(k,\tau)=(3,2)$, and for $k=\tau r$ with $\tau\le 4$; the second, $\tilde r\le\tau r$, for "
        r"$\tau\le 2$, and for one space with $\tau\le 4$. In all other cases each is false, however small the "
        r"constant, once $\varepsilon$ is small (the first, and the second for one space, if $n>k$)"
    ),
    replaced_by=("thm-two-levels-repaired", "prop-two-levels-small"),
    functions=(
        instances.leaning_chain,
        instances.leaning_second_level,
        instances.crowded_subspace,
        precise_levels,
    ),
    discrepancies=(FOUND_TWO_LEVELS,),
)


# thm-two-levels-repaired ---------------------------------------------------------------------------------


_GAUSSIAN = (1 / np.pi, 1 / np.pi)

#: Pairs c, c' of rates of disagreement to angle that the checks go through: those of a Gaussian law, of the size of
#: those of the cube and of the Laplace law, and a wider pair.
_RATES = (_GAUSSIAN, (0.25, 0.5), (0.25, float(1 / np.sqrt(np.pi))), (0.19, 0.67))


def _cases(count: int, rng: Generator, largest: int = 4, *, general: bool = True) -> list[Instance]:
    """Accuracies at which the theorem says something, for four pairs c <= c' and gamma >= 0."""
    cases = []
    for i in range(count):
        rates = _RATES[i % len(_RATES)] if general else _GAUSSIAN
        epsilon, tau = float(10 ** rng.uniform(-2.5, -0.9)), int(rng.integers(2, largest + 1))
        far = epsilon / rates[1]
        near = far / (tau * float(10 ** rng.uniform(0.9, 2.5)))
        gamma = near * float(rng.random()) if general and rng.random() < 0.5 else 0.0
        case: Any = {"epsilon": epsilon, "second": near * rates[0], "gamma": gamma, "rates": rates}
        s, t = level_distances(**case)
        if s > 4 * tau * t:
            cases.append({"case": case, "tau": tau, "s": s, "t": t})
    return cases


def _greedy(count: int, rng: Generator, less: int = 0, largest: int = 4, general: bool = True) -> Iterator[Instance]:
    """Each target refused by a hair, four pairs c <= c', gamma >= 0."""
    for x in _cases(count, rng, largest, general=general):
        case, tau = x.pop("case"), x["tau"]
        yield x | {"opened": len(greedy_second_level(tau=tau, searched=tau - less, rng=rng, **case))}


def _four_features() -> Iterator[Instance]:
    """Tau = 3: four features, 2 tau - 2."""
    for epsilon, square in (("1e-10", "0.1"), ("1e-12", "0.05"), ("1e-14", "0.01")):
        s, t = level_distances(float(epsilon), float(square) * float(epsilon) ** 2 / 3)
        yield {"opened": crowded_openings(epsilon, tau=3, square=square), "tau": 3, "s": s, "t": t}
    stream, error, second = instances.leaning_second_level(3, 0.3)
    s, t = level_distances(error, second)
    yield {"opened": _of_the_last(stream, error, second), "tau": 3, "s": s, "t": t}


def _of_the_last(stream: instances.Answered, epsilon: float, second: float) -> int:
    """Features that the last space of a stream opens, for tau = 3."""
    how = tiers_in_doubles(stream, epsilon, tau=3, second=second)
    return sum(one != "reused" for one, kind in zip(how, stream.kinds, strict=True) if kind == stream.kinds[-1])


def _formulas(count: int, rng: Generator) -> Iterator[Instance]:
    """Both bounds as stated, and one from the other."""
    yield from (x | {"epsilon": min(x.pop("case")["epsilon"], 0.2)} for x in _cases(count, rng))


def _stated(tau: int, s: float, t: float, epsilon: float) -> Pairs:
    """What the library computes, what is stated, and the round form at eps/(10 tau)."""
    most = tau + (tau - 1) * np.log2(1 / epsilon)
    at_round = of_one_space(0, tau, *level_distances(epsilon, epsilon / (10 * tau)))[1]
    return {
        "as stated": (bounds.two_level_features(tau, s, t), of_one_space(0, tau, s, t)[1]),
        "round form, as stated": (limits.two_level_logarithmic(tau, epsilon), most),
        "round form": (at_round, most),
    }


def _steps(count: int, rng: Generator) -> Iterator[Instance]:
    """Every inequality of the proof, four pairs c <= c', gamma >= 0."""
    for x in _cases(count, rng, 3):
        rows = greedy_second_level(tau=x["tau"], rng=rng, **x.pop("case"))
        if len(rows) >= x["tau"]:
            yield x | {"rows": rows}


def _steps_sides(rows: FloatArray, **given: Any) -> Pairs:
    return {name: tuple(np.array(pairs).T) for name, pairs in swap_steps(rows, **given).items()}


def repaired(how: list[How], kinds: Any, k: int, tau: int, epsilon: float) -> Pairs:
    """Features of the first level and of a space, and how many the repaired theorem allows (Gaussian)."""
    first = how.count("scratch")
    each = np.bincount(kinds, np.array(how) != "reused")
    at_most = k * (2 + np.log(10 * tau / epsilon))
    a_space = each.max(), tau + (tau - 1) * np.log2(1 / epsilon)
    return {"first level": (first, at_most), "a space": a_space}


@two_sided(
    "thm-two-levels-repaired",
    Random(
        partial(_random_stream, accuracy=_proved, of_tau=True), 1_800, name="random tasks, tau = 2 to 4", sides=repaired
    ),
    Adverse(_greedy, 100, name="each target refused by a hair, four pairs c <= c', gamma >= 0"),
    Tight(_four_features, 4, equal=True),
    Exact(_formulas, 400, name="both bounds as stated, and one from the other", sides=_stated),
    Adverse(_steps, 60, name="every inequality of the proof, four pairs c <= c', gamma >= 0", sides=_steps_sides),
    Broken(
        _greedy, 20, ((1, 3, False),), "only tau - 1 features searched", drops="the learner searches every tau features"
    ),
    loose={
        "a space": r"at this accuracy no stream that we know adds many more than $\tau$ features; whether the "
        "logarithm is needed for two levels is open",
        "first level": "random tasks add about $k$ features; the bound is the corollary of the volume bound, which has "
        "its own checks",
        "round form": "a round form of the bound before it, whose whole part it exceeds",
        "proof: exchange": "a step with a generous constant, 4 where 1 would do in the instances",
        "proof: projection": (
            r"a step that is needed only where a height is as small as $4\tau t$, and the instances' are far above"
        ),
        "proof: gain": "the last step, which collects the slack of the others",
    },
)
def of_one_space(opened: int, tau: int, s: float, t: float) -> tuple[int, float]:
    """The repaired Theorem 2, as a claim: features of one space, and how many the exchange of features allows."""
    gain = s / (4 * tau * t)
    more = (tau - 1) * np.log(1 / s) / np.log(gain)
    return opened, tau + np.floor(more)


THM_TWO_LEVELS_REPAIRED = of_one_space.claim(
    "corrected",
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
    functions=(bounds.two_level_features, limits.two_level_logarithmic),
)


# prop-two-levels-small ----------------------------------------------------------------------------------


def _two_of_a_plane(epsilon: float, second: float, points: int) -> FloatArray:
    """Unit vectors learned for two targets of the plane of e1 and e2, in every relative position, as rows of pairs."""
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
    b = np.zeros((len(i), 2, 4))
    b[:, 0, 0], b[:, 0, 1] = np.cos(across[i]) * np.cos(one), np.cos(across[i]) * np.sin(one)
    b[:, 0, 2] = np.sin(across[i])
    b[:, 1, 0], b[:, 1, 1] = np.cos(across[j]) * np.cos(two), np.cos(across[j]) * np.sin(two)
    b[:, 1, 2], b[:, 1, 3] = np.sin(across[j]) * np.cos(psi), np.sin(across[j]) * np.sin(psi)
    return b


def _small_planes(count: int, factor: float = 1.0) -> Iterator[Instance]:
    """Two features of a plane in every relative position."""
    for epsilon in (3e-4, 0.001, 0.01, 0.1, 0.2):
        accuracy = bounds.accuracy_exact(2, epsilon) / factor
        yield {"b": _two_of_a_plane(epsilon, accuracy, count // 5), "epsilon": epsilon}


def _small_square(count: int) -> Instance:
    """The square of eps against the accuracy for a plane."""
    return {"epsilon": np.linspace(1e-3, 0.2, count)}


def _square(epsilon: FloatArray) -> Pairs:
    return {"eps^2 for a plane": (epsilon**2, np.array([bounds.accuracy_exact(2, e) for e in epsilon]))}


def _small_random(count: int, rng: Generator) -> Iterator[Instance]:
    """Random tasks, tau = 1 and 2."""
    for i in range(max(1, count // 60)):
        tau = 1 + i % 2
        run, targets, kinds, _ = _random_run(
            rng, tau, lambda k, tau, e: (e**2, e**4) if tau > 1 else (0.999 * e, e**2), i
        )
        yield {"how": run.how, "kinds": kinds, "k": int(np.linalg.matrix_rank(targets)), "tau": tau}


def _small_counts(how: list[How], kinds: Any, k: int, tau: int) -> Pairs:
    opened = np.bincount(kinds, np.array(how) != "reused").max()  # by the tasks of one space
    first = {"first-level features for k <= 2": (how.count("scratch"), k)} if k <= 2 else {}
    return {"features for tau <= 2": (opened, tau), **first}


def _small_three() -> Iterator[Instance]:
    """Tau = 3, accuracies of at most eps^2 / (2 tau): four features, 2 tau - 2."""
    for epsilon, square in (("1e-10", "0.5"), ("1e-14", "0.01")):
        yield {"opened": crowded_openings(epsilon, tau=3, square=square), "tau": 3}
    yield {"opened": _of_the_last(*instances.leaning_second_level(3, 0.5)), "tau": 3}


def _small_bound(count: int) -> Iterator[Instance]:
    """The bound of the repaired theorem at eps^2/(2 tau), tau = 3 to 20."""
    for tau in range(3, 21):
        for e in np.geomspace(1e-7, 0.2, count // 18):
            distances = level_distances(float(e), float(e) ** 2 / (2 * tau))
            yield {"opened": bounds.two_level_features(tau, *distances), "tau": tau}


def _of_a_space(opened: float, tau: int) -> Pairs:
    return {"features of a space, tau >= 3": (opened, 2 * tau - 2)}


@two_sided(
    "prop-two-levels-small",
    Random(_small_random, 1_800, name="random tasks, tau = 1 and 2", sides=_small_counts),
    Tight(_small_planes, 80),
    Exact(_small_square, 200, sides=_square),
    Tight(_small_three, 3, equal=True, sides=_of_a_space),
    Exact(_small_bound, 360, sides=_of_a_space),
    Broken(_small_planes, 80, ((1 / 1.02,),), "accuracy for a plane coarser by 2 %", spoils=0.02),
    loose={
        "eps^2 for a plane": (
            r"a round number, exact up to $\pi/2$ for small $\varepsilon$; `bounds.accuracy_exact` is the bound that "
            "bites"
        ),
    },
)
def two_features(b: FloatArray, epsilon: float) -> tuple[FloatArray, float]:
    """Theorem 2 for a plane, as a claim: tangents of its farthest angle to two rows' span, and of that allowed."""
    Q = np.linalg.qr(np.swapaxes(b, 1, 2))[0]  # of their span
    off = np.eye(2, b.shape[2]) - Q[:, :2] @ np.swapaxes(Q, 1, 2)
    sine = np.linalg.norm(off, ord=2, axis=(1, 2))
    far = np.arcsin(np.minimum(sine, 1))
    return np.tan(far), np.tan(np.pi * epsilon)


PROP_TWO_LEVELS_SMALL = two_features.claim(
    "corrected",
    "what holds at the printed accuracies",
    r"Gaussian law, exact oracles, targets exactly in their spaces, $\varepsilon\le 0.2$. A line adds one feature "
    r"of the second level if $\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon$, a plane at most two if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2$, a space of dimension $\tau\ge 3$ at most $2\tau-2$ if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2/(2\tau)$. The first level has at most $k$ features if "
    r"$k=1$ and $\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}$, or $k=2$ and "
    r"$\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}^{\,2}$; for $k\ge 2$ at most $2k-2$ if "
    r"$\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}^{\,2}/2$.",
    "proved",
    functions=(bounds.accuracy_exact, bounds.two_level_features),
)
