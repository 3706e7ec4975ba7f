"""Claims of Section 3.3: Algorithm 1 and Theorem 1, how many features it needs."""

from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from mpmath import mp

from lifelong import laws
from lifelong._checks import FloatArray
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.oracles import Direction
from lifelong.loop import Run
from lifelong_book.halfspaces import many_digits
from lifelong_book.halfspaces.subspace.experiments import (
    CHAINS,
    DOUBLING,
    SHARP,
    chain_run,
    exact_run,
    factors,
    greedy_openings,
    hand_margins,
    printed_accuracy,
    volume_steps,
)
from lifelong_book.halfspaces.subspace.instances import (
    all_within,
    doubling_in_room,
    fans,
    hand_stream,
    leaning_targets,
    random_targets,
    refusals_with,
    sharp_family,
)
from lifelong_book.press.claim import Check, Claim, Discrepancy, Finding, Generator, Twin
from lifelong_book.press.two_sided import Adverse, Broken, Exact, Random, Sides, Tight, two_sided

# algo-one and thm-halfspaces --------------------------------------------------------------------------

_DIRECTIONS: tuple[Direction, ...] = ("random", "common", "fresh")


def _random_runs(count: int, rng: Generator, accuracy: Any) -> list[tuple[int, float, float, Run[SharedSubspace]]]:
    """Runs of 40 tasks, `count` tasks together, over the three directions of errors: k, epsilon, epsilon_acc, run."""
    found = []
    for i in range(max(1, count // 40)):
        k, epsilon = int(rng.integers(1, 8)), float(np.exp(rng.uniform(np.log(0.003), np.log(0.3))))
        acc = float(accuracy(k, epsilon))
        targets = random_targets(k, k + 60, 40, rng=rng)
        found.append((k, epsilon, acc, exact_run(targets, epsilon, acc, direction=_DIRECTIONS[i % 3], rng=rng)))
    return found


def _opened(run: Run[Any]) -> FloatArray:
    """Features open after each task."""
    counts: FloatArray = np.cumsum([how == "scratch" for how in run.how]).astype(np.float64)
    return counts


def _random_algorithm_runs(count: int, rng: Generator, slack: float = 1.0) -> Iterator[dict[str, Any]]:
    for i in range(max(1, count // 40)):
        k, epsilon = int(rng.integers(1, 8)), float(np.exp(rng.uniform(np.log(0.003), np.log(0.2))))
        targets = random_targets(k, k + 60, 40, rng=rng)
        run = exact_run(targets, slack * epsilon, epsilon / 5, direction=_DIRECTIONS[i % 3], rng=rng)
        yield {"run": run, "targets": targets, "epsilon": epsilon}


def _edge_runs(count: int, rng: Generator, slack: float = 1.0) -> Iterator[dict[str, Any]]:
    """Two targets whose angle is all that may be reused: accepted with the error epsilon."""
    for epsilon in np.linspace(0.001, 0.2, count):
        edge = np.pi * slack * epsilon * (1 - 1e-11)
        targets = np.array([[1.0, 0.0, 0.0], [np.cos(edge), np.sin(edge), 0.0]])
        run = exact_run(targets, slack * float(epsilon), 0.0, direction="random", rng=rng)
        yield {"run": run, "targets": targets, "epsilon": epsilon}


@two_sided(
    "algo-one",
    Random(_random_algorithm_runs, 4_000, name="random tasks, errors in all three directions", chunk=2_000),
    Tight(_edge_runs, 100, name="targets at the angle that is just accepted"),
    Broken(_edge_runs, 100, ((1.01,),), name="the span accepted at 1.01 eps", spoils=0.01),
)
def predictors(run: Run[Any], targets: FloatArray, epsilon: float) -> tuple[Any, float]:
    """Algorithm 1's claim: error of each row of C W, and what it is allowed; infinite if C W lacks the predictors."""
    C, W = factors(run)
    vectors = np.array([step.hypothesis for step in run.steps])
    kept = abs(C @ W - vectors).max() < 1e-6 and len(W) == run.scratch
    errors = angle(C @ W, targets) / np.pi
    return np.where(kept, errors, np.inf), epsilon


ALGO_ONE = predictors.claim(
    "Algorithm 1",
    "lifelong learning of halfspaces in a common subspace",
    r"With exact oracles and $\varepsilon_{\mathrm{acc}}\le\varepsilon$ every one of the $m$ predictors has error "
    r"at most $\varepsilon$, and $\tilde A=\tilde C\tilde W$ holds them with one row of $\tilde W$ for each task "
    "learned from scratch.",
    "proved",
    paper="algo-one",
    scope="exact oracles; Gaussian law in the checks",
    functions=(SharedSubspace, factors),
)


def _hand_stream() -> Sides:
    """Four features for k = 3 if each target is refused and no error is above the accuracy, in fractions."""
    x = hand_margins()
    return Sides(4 if x["refused"] > x["allowed"] and x["tangent"] <= x["accuracy"] else 0, 3)


def _any_constant(count: int) -> Iterator[Sides]:
    """Whatever the constant C in eps_acc = C eps^2: three dimensions of R^4 and four features once eps < C/pi^2."""
    for C in np.geomspace(1e-9, 0.05, count):
        epsilon = 0.99 * float(C) / np.pi**2
        targets, learned = doubling_in_room(3, 4, epsilon, C * epsilon**2)
        yield Sides(sum(x > 1 for x in refusals_with(targets, learned, epsilon)), 3)


def _chains() -> Iterator[dict[str, Any]]:
    for k, epsilon in CHAINS:
        yield {"run": chain_run(k, epsilon), "k": k}


def _chain_in_random_orders(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """The k = 10 chain in random orders, the last target last: no order tried opens more than k features."""
    k, epsilon = 10, 0.1
    targets, accuracy = instances.chain_stream(k, epsilon, printed_accuracy(k, epsilon))
    for order in [np.append(rng.permutation(k), k) for _ in range(count)]:
        yield {"run": exact_run(targets[order], epsilon, accuracy, direction="common"), "k": k}


def _chain_with_random_errors(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """The targets of the k = 10 chain, in order, with errors in random directions of R^31."""
    k, epsilon = 10, 0.1
    acc = printed_accuracy(k, epsilon)
    targets = np.pad(instances.chain_stream(k, epsilon, acc)[0], ((0, 0), (0, 20)))
    for _ in range(count):
        yield {"run": exact_run(targets, epsilon, acc, direction="random", rng=rng), "k": k}


def _printed_random(count: int, rng: Generator) -> Iterator[Sides]:
    """Features open after each of the tasks."""
    for k, _, _, run in _random_runs(count, rng, printed_accuracy):
        yield Sides(_opened(run), k)


@two_sided(
    "thm-halfspaces",
    Exact(
        _hand_stream,
        name="four targets in three dimensions of R^4, by hand",
        expect="break",
        factor=4 / 3,
        witness="targets (1,0,0,0), (318,1,0,0), (0,318,1,0), (0,0,1,0); only the second is learned with an error, as "
        "(318,1,0,1e-5): four features for k = 3 at eps = 1e-3, eps_acc = eps^2/(30 pi)",
    ),
    Exact(_any_constant, 20, name="the same, eps_acc = C eps^2 for C from 1e-9 to 0.05", expect="break"),
    Adverse(
        _chains,
        7,
        name="chains at eps_acc = eps^2/(10 pi k), our constants, k = 3 to 12",
        expect="break",
        factor=4 / 3,
        witness="k = 10, eps = 0.1: best error for target 11 is 0.5000",
    ),
    Adverse(
        _chain_with_random_errors,
        100,
        name="the k = 10 chain at eps = 0.1, same accuracy, errors in random directions: how often",
        expect="tell",
    ),
    Random(
        _chain_in_random_orders,
        100,
        name="the k = 10 chain at eps = 0.1, same accuracy, in random orders: how often",
        expect="tell",
    ),
    Random(_printed_random, 6_000, name="random tasks: how often", expect="tell", chunk=2_000),
)
def theorem_1(run: Run[Any], k: int) -> tuple[Any, int]:
    """Features open after all tasks, and how many there are by Theorem 1 as printed."""
    return sum(how == "scratch" for how in run.how), k


def _printed_angles(k: int, gamma: Any) -> tuple[Any, Any]:
    """The largest angle of an error, and the smallest angle allowed, for which the proof of `thm-halfspaces` argues."""
    error = np.asarray(gamma) ** 2 / (10 * k)
    return error, gamma + 2 * k * error / gamma


def small_k(k: int, gamma: float, epsilon: float, epsilon_acc: float) -> tuple[FloatArray, float]:
    """Theorem 1 for k = 1 and 2: best error for a target gamma to either side of the worst one, and the one allowed."""
    A = np.array([[1.0, 0, 0], [1.0, 0, 0]])
    if k == 2:
        A = instances.chain_stream(2, epsilon, epsilon_acc)[0]
    found = []
    for g in (-gamma, gamma):  # the last leans out of the space
        last = np.cos(g) * A[-1] + np.sin(g) * np.eye(3)[2]
        A_ = np.vstack([A[:-1], last])
        run = exact_run(A_, epsilon, epsilon_acc, direction="common")
        found.append(run.representation.oracle.best[-1])
    return np.array(found), epsilon


def _printed_small(count: int, rng: Generator, coarse: float = 0.0) -> Iterator[Any]:
    """One and two dimensions: after targets as close as is refused, the worst one gamma away from their span."""
    for i in range(count):
        k, gamma = 1 + i % 2, float(np.exp(rng.uniform(np.log(0.003), np.log(0.5))))
        error, allowed = _printed_angles(k, gamma)
        epsilon, acc = float(allowed) / np.pi, float(allowed) / np.pi * coarse or float(error) / np.pi
        best, most = small_k(k, gamma, epsilon, acc)
        yield from best / most


class _Turning:
    """Exact disagreements under a law in the plane: the probability between boundary lines, over their angles."""

    def __init__(self, law: laws.IsotropicLaw) -> None:
        self.angles = np.linspace(-1, 2 * np.pi + 1, 16_001)
        rates = law.planar_rate(self.angles)
        self.low, self.high = float(rates.min()), float(rates.max())
        self.widest = float(self.angles[rates.argmax()] % np.pi)
        self.mass = np.append(0.0, np.cumsum((rates[1:] + rates[:-1]) / 2 * np.diff(self.angles)))

    def error(self, start: float, end: float) -> float:
        """Disagreement of the halfspaces whose boundary lines stand at two angles, start <= end <= start + pi."""
        at = np.interp([start, end], self.angles, self.mass)
        return float(at[1] - at[0])

    def turned(self, start: float, error: float) -> float:
        """The angle at which a halfspace has the given error for that at `start`."""
        return float(np.interp(np.interp(start, self.angles, self.mass) + error, self.mass, self.angles))


@cache
def _planar_laws() -> list[_Turning]:
    return [_Turning(law(2)) for law in laws.ISOTROPIC_LAWS.values()]


def _printed_laws(count: int, rng: Generator) -> Iterator[Any]:
    """One dimension, six laws: the second target gamma to one side of the first, the error to the other."""
    for law in _planar_laws():
        for gamma in np.exp(rng.uniform(np.log(0.01), np.log(0.3), count // len(_planar_laws()) + 1)):
            error, allowed = _printed_angles(1, float(gamma))
            place = rng.uniform(0.5, np.pi)
            learned = law.turned(place, law.low * float(error))
            yield law.error(place - float(gamma), learned) / (law.high * float(allowed))


THM_HALFSPACES = theorem_1.claim(
    "Theorem 1",
    "Algorithm 1 adds at most k features, as printed",
    r"With isotropic log-concave marginals, targets of $\gamma$-effective dimension at most $k$, "
    r"$\gamma=c_1\varepsilon$ and $2k\,\varepsilon_{\mathrm{acc}}/\gamma+\gamma=c_2\varepsilon$ for sufficiently "
    r"small constants $c_1$ and $c_2$, at most $k$ features are added, and "
    r"$\tilde O(nk/\varepsilon_{\mathrm{acc}}+km/\varepsilon)$ labels suffice, which is "
    r"$\tilde O(nk^2/\varepsilon^2+km/\varepsilon)$.",
    "refuted",
    paper="thm:linmetalogconc",
    scope=(
        r"$\tilde k\le k$ is true for $k\le 2$ and every law and $\gamma$ that meet the conditions of the printed "
        r"proof, and for $n=k$, where it says nothing. It is false for every $k\ge 3$, $n\ge k+1$ and choice of "
        r"the constants once $\varepsilon$ is small. The bound on labels follows from the corrected theorems"
    ),
    replaced_by=(
        "thm-halfspaces-volume",
        "thm-halfspaces-determinant",
        "thm-halfspaces-exact",
        "thm-halfspaces-small-error",
        "thm-halfspaces-spectral",
        "lem-holdout",
    ),
    checks=(
        Check("k = 1 and 2, as close as is refused, the next target gamma off", "tight", _printed_small, 100),
        Check("k = 1, six laws in the plane, the second target gamma off", "tight", _printed_laws, 300),
    ),
    twins=(
        Twin(
            "k = 2 learned to the accuracy eps/3",
            "tight",
            partial(_printed_small, coarse=1 / 3),
            100,
            drops="the accuracy of the order of eps^2",
        ),
    ),
    functions=(hand_stream, instances.chain_stream, SharedSubspace),
    discrepancies=(
        Discrepancy(
            "found-theorem-one",
            "refuted",
            "Theorem 1, the conclusion on the number of features",
            r"Under isotropic log-concave marginals, with $\gamma=c_1\varepsilon$ and "
            r"$2k\,\varepsilon_{acc}/\gamma+\gamma=c_2\varepsilon$ for small constants, so $\varepsilon_{acc}$ of the "
            r"order of $\varepsilon^2/k$, Algorithm 1 adds at most $k$ "
            r"features on targets of $\gamma$-effective dimension at most $k$ (the size of the largest subsequence in "
            r"which each target is more than $\gamma$ from the span of those before it).",
            r"The last display of the proof takes from Lemma 3 that the errors of the learned vectors only add up in "
            r"their span; they can compound. Smaller constants $c_1$, $c_2$ do not help, as the example says. Nor does "
            r"$\tilde O$, which stands in the bound on labels only. What would help is an "
            r"$\varepsilon_{acc}=C\varepsilon^2$ with a $C$ that falls with $\varepsilon$. For $k\le2$ the statement "
            r"and its proof are right, under every law and $\gamma$ that meet its conditions.",
            r"$k=3$ in $\mathbb R^4$, Gaussian law, $\varepsilon=1/1000$, $\varepsilon_{acc}=\varepsilon^2/(30\pi)$: "
            r"that is $\gamma=\varepsilon$, $c_1=1$, $c_2=1+\frac1{5\pi}$. What the proof asks of the constants is "
            r"met: $\gamma+2k\,\pi\varepsilon_{acc}/\gamma=1.2\,\varepsilon\le\pi\varepsilon$. Targets "
            r"$(1,0,0,0)$, $(318,1,0,0)$, $(0,318,1,0)$, $(0,0,1,0)$. All are learned exactly but for the second, "
            r"which becomes $(318,1,0,10^{-5})$: an angle below $3.2\cdot10^{-8}$, where "
            r"$\pi\varepsilon_{acc}=3.33\ldots\cdot10^{-8}$. Each target is farther than $\pi\varepsilon$ from the "
            r"span of what was learned before it. For the last one: $(0,-1,318,10^5)$ is orthogonal to all three "
            r"learned vectors, so the sine is at least $318/\sqrt{1+318^2+10^{10}}$. That is above $0.00317$, and "
            r"$\sin\pi\varepsilon<0.00315$. Four features are added. Further axes as targets give $k+1$ features for "
            r"every $k\ge3$ and $n\ge k+1$."
            "\n\n"
            r"*No choice of the constants helps.* For all $0<c_1<c_2$, however small, and also if they depend on $k$, "
            r"$\varepsilon_{acc}$ is $C\varepsilon^2$ with some $C>0$; for every $C>0$ four such targets, with other "
            r"numbers, add a fourth feature once $\varepsilon$ is small enough.",
            r"For targets exactly in a $k$-space $\tilde k=O(k\log\frac1\varepsilon)$ already at "
            r"$\varepsilon_{acc}=c_0\varepsilon$ with a constant $c_0$, hence $\tilde O((n+m)k/\varepsilon)$ labels; "
            r"the same for targets of $\gamma$-effective dimension at most $k$ if $\gamma$ is at most a small constant "
            r"times $\varepsilon$. "
            r"For targets exactly in a $k$-space at $\varepsilon_{acc}\le\varepsilon^2/2$ and $\varepsilon\le0.4$ "
            r"under a Gaussian law at most $\min(n,\max(1,2k-2))$, and that is reached at "
            r"$\varepsilon_{acc}=C\varepsilon^2$ for small $\varepsilon$. At most $k$ at an $\varepsilon_{acc}$ of "
            r"the order of $\varepsilon^k$.",
            r"For the label bound nothing: it holds, and with smaller powers of $k$ and $\frac1\varepsilon$. For the "
            r"number of features a factor $\log\frac1\varepsilon$, or 2 at the printed accuracy for a Gaussian law and "
            r"targets exactly in a $k$-space.",
            (
                "thm-halfspaces-volume",
                "thm-halfspaces-determinant",
                "thm-halfspaces-exact",
                "thm-halfspaces-small-error",
                "thm-halfspaces-spectral",
            ),
            stands="its bound on labels",
        ),
    ),
)


def _volume_random(count: int, rng: Generator, bound: Any = bounds.volume_bound, coarsest: float = 0.4) -> Finding:
    """Random tasks at accuracies from eps/1000 to a share of eps: the features open after each of them."""
    share = partial(rng.uniform, np.log(1e-3), np.log(coarsest))
    ratios = [
        _opened(run) / bound(k, epsilon, acc)
        for k, epsilon, acc, run in _random_runs(count, rng, lambda k, e: e * np.exp(share()))
    ]
    return Finding.of_ratios(ratios)


def _constants_at_random(rng: Generator) -> dict[str, float]:
    """Constants c <= c' of a law; the angles that it allows are those of a Gaussian law at other errors."""
    return {"low": float(rng.uniform(0.19, 1 / np.pi)), "high": float(rng.uniform(1 / np.pi, 0.66))}


def _volume_leaning(count: int, rng: Generator, bound: Any = bounds.volume_bound) -> Iterator[Any]:
    """Targets that lean out of a k-space by gamma, constants c < c': every angle the largest that they allow."""
    for i in range(count):
        law, k, epsilon = _constants_at_random(rng), int(rng.integers(1, 6)), float(10 ** rng.uniform(-2, -0.7))
        gamma = epsilon / law["high"] * float(rng.uniform(0, 0.3))
        acc = epsilon * law["low"] / law["high"] * float(10 ** rng.uniform(-3, -0.7))
        targets = leaning_targets(k, 15, gamma, rng=rng, room=30)
        equal = (epsilon / (np.pi * law["high"]), acc / (np.pi * law["low"]))
        run = exact_run(targets, *equal, direction=_DIRECTIONS[i % 3], rng=rng)
        yield _opened(run).max() / bound(k, epsilon, acc, gamma=gamma, **law)


def _two_in_the_plane(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Six laws in the plane, k = 1: one target gamma to each side of a line, the first one learned away from it."""
    for law in _planar_laws():
        for i in range(count // len(_planar_laws()) + 1):
            gamma = float(np.exp(rng.uniform(np.log(0.005), np.log(0.3))))
            line = law.widest + np.pi if i % 2 else float(rng.uniform(1, np.pi))
            reached = float(10 ** rng.uniform(-5, -2)) * (gamma if i % 2 else 10)
            learned = law.turned(line + gamma, reached)
            epsilon = law.error(line - gamma, learned) * (1 - 1e-9)
            far = epsilon / law.high - reached / law.low
            if far > 0:
                yield {"N": 2, "k": 1, "far": far, "near": reached / law.low + gamma}


def _fans_of_lines(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """What Algorithm 1 opens on fans of lines, errors in fresh directions."""
    for _ in range(count):
        k, epsilon = int(rng.integers(2, 7)), float(10 ** rng.uniform(-3, -0.5))
        acc = epsilon * float(rng.uniform(0.05, 0.45))
        N = exact_run(fans(k, epsilon, acc), epsilon, acc, direction="fresh").scratch
        if k < N:
            yield {"N": N, "k": k, "far": np.pi * (epsilon - acc), "near": np.pi * acc}


@two_sided(
    "thm-halfspaces-volume",
    Tight(_two_in_the_plane, 600, name="six laws in the plane, one target to each side of a line"),
    Adverse(_fans_of_lines, 60, name="fans of lines, each just too far from what was learned"),
)
def volume(N: Any, k: Any, far: Any, near: Any) -> tuple[Any, Any]:
    """The volume bound on Algorithm 1's features, as a claim: its inequality, solved for s alone at the left."""
    s, t = np.sin(far), np.sin(near)
    a, b = k / 2 * np.log(N / k), (N - k) / 2 * np.log(N / (N - k))
    return s, np.exp((a + b + (N - k) * np.log(t)) / (N - 1))


def _volume_greedy(count: int, rng: Generator, bound: Any = bounds.volume_bound, wide: int = 1) -> Iterator[Any]:
    """Fresh errors, constants c <= c'; the broken version takes targets of a space that is `wide` times as large."""
    for _ in range(count):
        law, k, epsilon = _constants_at_random(rng), int(rng.integers(2, 9)), float(10 ** rng.uniform(-4, -0.5))
        acc = epsilon * law["low"] / law["high"] * float(rng.uniform(0.02, 0.4))
        equal = (epsilon / (np.pi * law["high"]), acc / (np.pi * law["low"]))
        yield greedy_openings(wide * k, *equal, rng=rng) / bound(k, epsilon, acc, **law)


def _volume_family(count: int, rng: Generator) -> Finding:
    """The family that opens about k log(1/eps) features, at accuracy eps/5, in 200 digits."""
    opened, words = [], []
    against: dict[str, list[float]] = {"": [], "k (2 + ln(1/eps))": []}
    for k, power in ((3, 3), (5, 6), (10, 3), (10, 12)):
        epsilon = 10.0**-power
        rows = many_digits.logarithmic_family(k, epsilon, epsilon / 5)
        opened.append(sum(x > 1 for x in many_digits.refusals(rows, epsilon, epsilon / 5)))
        against[""].append(opened[-1] / bounds.volume_bound(k, epsilon, epsilon / 5))
        against["k (2 + ln(1/eps))"].append(opened[-1] / bounds.features_logarithmic(k, epsilon))
        words.append(f"k = {k}, eps = 1e-{power}: {opened[-1]}")
    return Finding.of_ratios(against, "; ".join(words))


def _volume_rounds(count: int, rng: Generator) -> Iterator[Any]:
    """The round forms at the accuracy c_0 eps over the inequality itself, constants c <= c' up to eps = 0.4 pi c'."""
    for k in (1, 2, 5, 30, 200):
        for share in np.geomspace(1e-10, 1, count):
            law = _constants_at_random(rng)
            epsilon = min(0.4 * np.pi * law["high"], 0.499) * float(share)
            most = bounds.volume_bound(k, epsilon, bounds.accuracy_share(**law) * epsilon, **law)
            yield {
                _VOLUME_ROUND: most / (k * (2 + np.log(1.5 * law["high"] / epsilon))),
                "k (2 + ln(1/eps)), as stated": bounds.features_logarithmic(k, 0.4 * share)
                / (k * (2 + np.log(1 / (0.4 * share)))),
            }


def _volume_steps(count: int, rng: Generator) -> Iterator[Any]:
    """Whether every inequality of the proof holds on runs that open more than k features: the family in R^n."""
    for k, epsilon in ((3, 0.02), (4, 0.02), (5, 0.03)):
        targets = np.array(many_digits.logarithmic_family(k, epsilon, epsilon / 5), dtype=np.float64)
        targets = np.pad(targets, ((0, 0), (0, len(targets))))
        run = exact_run(targets, epsilon, epsilon / 5, direction="fresh")
        steps = volume_steps(run.representation.features, np.eye(targets.shape[1])[:k], k, epsilon, epsilon / 5)
        yield from [left <= right + 1e-9 for left, right in steps.values()]


_VOLUME_ROUND = "k (2 + ln(3c'/2eps))"

THM_HALFSPACES_VOLUME = volume.claim(
    "corrected",
    "how many features Algorithm 1 adds: the volume bound",
    r"Exact oracles, laws with the constants $c\le c'$ of Lemma 1, targets within the angle $\gamma$ of a "
    r"$k$-dimensional space; $s=\sin(\varepsilon/c'-\varepsilon_{\mathrm{acc}}/c)$ and "
    r"$t=\sin(\varepsilon_{\mathrm{acc}}/c+\gamma)$, both angles positive and at most $\pi/2$. If $N>k$ features "
    r"are added, then $(N-1)\ln s$ $\le\frac{k}{2}\ln\frac{N}{k}$ $+\frac{N-k}{2}\ln\frac{N}{N-k}$ $+(N-k)\ln t$. "
    r"Hence at most $k\,(2+\ln\frac{3c'}{2\varepsilon})$ features if $\gamma=0$, "
    r"$\varepsilon_{\mathrm{acc}}=c_0\varepsilon$, $c_0=c/(5c')$ and $\varepsilon\le 0.4\,\pi c'$. For a Gaussian "
    r"law that is at most $k\,(2+\ln\frac1\varepsilon)$ at $\varepsilon_{\mathrm{acc}}=\varepsilon/5$.",
    "proved",
    scope="in the checks $c<c'$ stands for its angles, and six laws are integrated in the plane",
    checks=(
        Check(
            "random tasks, accuracies eps/1000 to eps/2.5", "random", _volume_random, 4_000, scales=True, chunk=2_000
        ),
        Check("targets off the space by gamma, c < c'", "random", _volume_leaning, 80),
        Check("each target refused by a hair, errors in fresh directions", "adversarial", _volume_greedy, 300),
        Check("the k log(1/eps) family in 200 digits", "adversarial", _volume_family, 4),
        Check("the round forms against the inequality, constants c <= c'", "exact", _volume_rounds, 60),
        Check("every inequality of the proof", "adversarial", _volume_steps, 3),
    ),
    twins=(
        Twin(
            "targets of a space three times as large",
            "adversarial",
            partial(_volume_greedy, wide=3),
            50,
            drops="targets within gamma of a k-dimensional space",
        ),
    ),
    functions=(bounds.volume_bound, bounds.accuracy_share, bounds.features_logarithmic),
    loose={
        _VOLUME_ROUND: r"a round form: the inequality itself allows 0.77 of it at most, for large $k$",
        "k (2 + ln(1/eps))": (
            r"a round form: at $\varepsilon/5$ thm-halfspaces-determinant shows that no stream adds more than "
            r"$k\,(\frac12+\ln\frac1\varepsilon)$, and to leading order none adds more than "
            r"$(k-1)\ln\frac1\varepsilon/\ln 5$, which is 0.62 of it"
        ),
    },
)


def _corollary(k: int, epsilon: float, high: float = 1 / np.pi) -> float:
    return k * (1.63 + float(np.log(high / epsilon)))


_ROUND = "k (1.63 + ln(c'/eps))"


def _determinant_shares(count: int, rng: Generator) -> Iterator[Any]:
    """At the accuracy c_0 eps: random tasks and targets refused by a hair, constants c <= c'; and k axes at 0.4."""
    yield from ({_ROUND: k / _corollary(k, 0.4)} for k in range(1, 30))
    for _ in range(count):
        law, k, epsilon = _constants_at_random(rng), int(rng.integers(1, 9)), float(10 ** rng.uniform(-4, -0.4))
        equal = epsilon / (np.pi * law["high"])
        yield {_ROUND: greedy_openings(k, equal, equal / 5, rng=rng) / _corollary(k, epsilon, law["high"])}


def _determinant_family(count: int, rng: Generator, share: float = 1.0, cases: Any = SHARP) -> Finding:
    """The sharp family in 200 digits: targets, errors and refusals are all computed from its vectors."""
    found, words = [], []
    for k, power, ratio in cases:
        with mp.workdps(200):
            epsilon = mp.mpf(10) ** -power
            acc = epsilon / ratio
            targets, learned = sharp_family(k, epsilon, acc)
            close = all_within(targets, learned, acc)
        opened = sum(x > 1 for x in refusals_with(targets, learned, epsilon)) if close else 0
        found.append(opened / (share * bounds.determinant_bound(k, float(epsilon), float(acc))))
        words.append(f"k = {k}, eps = 1e-{power}, eps/{ratio}: {opened}")
    return Finding.of_ratios(found, "; ".join(words))


def _determinant_leading(count: int, rng: Generator, factor: float = 1.0) -> Iterator[Any]:
    """Bound and family at errors so small that the leading order is all but 5 % of the first and 2 % of the second."""
    for k, power, ratio in ((2, 120, 100), (3, 120, 1000), (10, 120, 30)):
        leading = factor * (k - 1) * power * np.log(10) / np.log(ratio)
        epsilon = 10.0**-power
        yield {"bound to leading order": bounds.determinant_bound(k, epsilon, epsilon / ratio) / (1.05 * leading)}
        if k == 2:  # the digits of the others would take a minute
            with mp.workdps(200):
                small = mp.mpf(10) ** -power
                targets, learned = sharp_family(k, small, small / ratio)
            opened = sum(x > 1 for x in refusals_with(targets, learned, small))
            yield {"leading order reached": leading / opened}


def _falls(run: Run[SharedSubspace], targets: FloatArray, k: int, epsilon: float, acc: float) -> FloatArray:
    """How much each opening lowers the determinant, over what the proof of `thm-halfspaces-determinant` asks."""
    s, x = (float(np.sin(np.pi * e)) ** 2 for e in (epsilon, acc))
    features = run.representation.features
    logs = []
    for i in range(len(features) + 1):
        rows = np.linalg.qr(features[:i].T)[0].T if i else np.empty((0, targets.shape[1]))
        logs.append(np.linalg.slogdet((1 + x) * np.eye(k) - rows[:, :k].T @ rows[:, :k])[1])
    asked = np.log(np.append((2 * x) / (1 + x), np.full(len(features) - 1, 2 * x / (s + x))))
    ratios: FloatArray = np.exp(np.diff(logs) - asked)
    return ratios


def _determinant_steps(count: int, rng: Generator) -> Iterator[Any]:
    for i in range(count):
        k, epsilon = int(rng.integers(1, 7)), float(10 ** rng.uniform(-2, -0.5))
        acc = epsilon * float(rng.uniform(0.05, 0.9))
        targets = random_targets(k, k + 45, 40, rng=rng)
        run = exact_run(targets, epsilon, acc, direction=_DIRECTIONS[i % 3], rng=rng)
        yield {"fall of the determinant": _falls(run, targets, k, epsilon, acc)}


THM_HALFSPACES_DETERMINANT = Claim(
    "thm-halfspaces-determinant",
    "corrected",
    "how many features Algorithm 1 adds: the determinant bound",
    r"Exact oracles, laws with the constants $c\le c'$ of Lemma 1, targets of $\gamma$-effective dimension at most "
    r"$k$, $s=\sin(\varepsilon/c'-\gamma)$ $>t=\sin(\varepsilon_{\mathrm{acc}}/c+\gamma)$, both angles in $[0,\pi/2]$. "
    r"For every $x>0$ the number of features is at most 1 plus the quotient of "
    r"$(k-1)\ln(1+\frac1x)+\ln(1+\frac{t^2}{x})$ by $\ln\frac{s^2+x}{t^2+x}$. Hence at most "
    r"$k\,(1.63+\ln\frac{c'}{\varepsilon})$ if $\gamma=0$, $\varepsilon_{\mathrm{acc}}=c_0\varepsilon$, $c_0=c/(5c')$ "
    r"and $\varepsilon\le 0.4\,\pi c'$. For a Gaussian law and $\varepsilon_{\mathrm{acc}}=\varepsilon/d$ with a fixed "
    r"$d>1$ the worst case is $(k-1)\ln\frac1\varepsilon/\ln d$ to leading order as $\varepsilon$ falls.",
    "proved",
    scope="in the checks $c<c'$ stands for its angles",
    checks=(
        Check(
            "random tasks, accuracies eps/1000 to eps/1.1",
            "random",
            partial(_volume_random, bound=bounds.determinant_bound, coarsest=1 / 1.1),
            4_000,
            scales=True,
            chunk=2_000,
        ),
        Check(
            "targets off the space by gamma, c < c'",
            "random",
            partial(_volume_leaning, bound=bounds.determinant_bound),
            80,
        ),
        Check(
            "each target refused by a hair, errors in fresh directions",
            "adversarial",
            partial(_volume_greedy, bound=bounds.determinant_bound),
            300,
        ),
        Check("accuracy c_0 eps, constants c <= c'", "adversarial", _determinant_shares, 200),
        Check("the sharp family in 200 digits", "tight", _determinant_family, len(SHARP)),
        Check("every opening of random runs, the step of the proof", "random", _determinant_steps, 30),
        Check("the leading order at eps = 1e-120", "tight", _determinant_leading, 3),
    ),
    twins=(
        Twin(
            "bound lowered by 2 %", "tight", partial(_determinant_family, share=0.98, cases=SHARP[:1]), 1, spoils=0.02
        ),
        Twin(
            "targets of a space three times as large",
            "adversarial",
            partial(_volume_greedy, bound=bounds.determinant_bound, wide=3),
            50,
            drops="targets within gamma of a k-dimensional space",
        ),
    ),
    functions=(bounds.determinant_bound, sharp_family),
    loose={
        _ROUND: r"a round form of the bound before it; $k$ orthogonal targets at $\varepsilon=0.4$ reach 0.71 of it, "
        r"and to leading order nothing exceeds $1/\ln 5$, that is 0.62 of it, as $\varepsilon$ falls"
    },
)


def _exact_random_runs(count: int, rng: Generator) -> Finding:
    runs = _random_runs(count, rng, lambda k, e: e**2 / 2)
    return Finding.of_ratios({"at most": [_opened(run) / bounds.features_exact(k) for k, _, _, run in runs]})


def _exact_greedy(count: int, rng: Generator, share: float = 1.0) -> Iterator[Any]:
    """Targets refused by a hair at accuracy eps^2/2 over the share."""
    for _ in range(count):
        k, epsilon = int(rng.integers(2, 9)), float(10 ** rng.uniform(-3, np.log10(0.4)))
        acc = min(epsilon**2 / (2 * share), 0.999 * epsilon)
        yield {"at most": greedy_openings(k, epsilon, acc, rng=rng) / bounds.features_exact(k)}


def _exact_two(count: int, rng: Generator, share: float = 1.0) -> Iterator[Any]:
    """Accuracy eps^2/2 over the share: two targets as close as is refused, then the worst one of their plane."""
    for epsilon in np.geomspace(1e-3, 0.4, count):
        acc = min(epsilon**2 / (2 * share), 0.49 - epsilon)
        run = exact_run(instances.chain_stream(2, float(epsilon), acc)[0], float(epsilon), acc, direction="common")
        yield {"at most": run.scratch / bounds.features_exact(2)}


def _reached(opened: list[int], most: list[int]) -> dict[str, list[float]]:
    """Both directions of an equality: no family opens more than the theorem says, and each opens that many."""
    pairs = list(zip(opened, most, strict=True))
    return {"at most": [a / b for a, b in pairs], "reached": [b / max(a, 1) for a, b in pairs]}


def _exact_family(count: int, rng: Generator) -> Finding:
    """The family of 2k - 2 targets, at eps^2/2 and at eps^2/(10 pi k), fresh errors, in 200 digits."""
    opened, most = [], []
    for k, half, printed in DOUBLING:
        for epsilon, acc in ((mp.mpf(10) ** -half, 0.5), (mp.mpf(10) ** -printed, 1 / (10 * np.pi * k))):
            rows = many_digits.doubling_family(k, epsilon, acc * epsilon**2)
            opened.append(sum(x > 1 for x in many_digits.refusals(rows, epsilon, acc * epsilon**2)))
            most.append(bounds.features_exact(k))
    return Finding.of_ratios(_reached(opened, most), "all 2k - 2 opened, k = 2 to 8")


def _exact_room(count: int, rng: Generator, sizes: Any = None, less: int = 0) -> Finding:
    """Every n from k on for k = 2 to 8, and k = 26 in R^50: targets, errors and refusals from the vectors."""
    opened, most = [], []
    every = [(k, n) for k in range(2, 9) for n in range(k, 2 * k)]
    for k, n in sizes or [*every, (26, 50)]:
        with mp.workdps(200):
            epsilon = mp.mpf(10) ** -min(k, 22)
            targets, learned = doubling_in_room(k, n, epsilon, epsilon**2 / 2)
            close = all_within(targets, learned, epsilon**2 / 2)
        opened.append(sum(x > 1 for x in refusals_with(targets, learned, epsilon)) if close else 0)
        most.append(bounds.features_exact(k, n=n) - less)
    return Finding.of_ratios(_reached(opened, most), "min(n, 2k - 2) opened in every case")


THM_HALFSPACES_EXACT = Claim(
    "thm-halfspaces-exact",
    "corrected",
    "how many features at an accuracy of the order of eps^2",
    r"Gaussian law, exact oracles, targets in a $k$-dimensional space of $\mathbb{R}^n$, $0<\varepsilon\le 0.4$, "
    r"$0<\varepsilon_{\mathrm{acc}}\le\varepsilon^2/2$: at most $\min(n,\max(1,2k-2))$ features are added. For "
    r"$n\ge k\ge 2$, $0<C\le\frac12$ and $\varepsilon_{\mathrm{acc}}=C\varepsilon^2$ some stream adds "
    r"$\min(n,2k-2)$ of them, for every $\varepsilon$ below a bound that depends on $k$ and $C$.",
    "proved",
    scope="the families are computed for $k=2$ to 8 with every $n$, and for $k=26$",
    checks=(
        Check("random tasks at eps^2/2", "random", _exact_random_runs, 4_000, scales=True, chunk=2_000),
        Check("each target refused by a hair at eps^2/2", "adversarial", _exact_greedy, 200),
        Check(
            "k = 2, the worst third target",
            "tight",
            _exact_two,
            40,
            knobs={"accuracy eps^2/2": lambda count, rng, factor: _exact_two(count, rng, max(factor, 1e-3))},
        ),
        Check("the family of 2k - 2 targets, fresh errors, k = 2 to 8", "tight", _exact_family, 14),
        Check("min(n, 2k - 2) targets in R^n, k = 2 to 8 and 26", "tight", _exact_room, 36),
    ),
    twins=(
        Twin("2k - 3 at k = 26, 49 for 50", "tight", partial(_exact_room, sizes=((26, 50),), less=1), 1, spoils=0.02),
    ),
    functions=(bounds.features_exact, doubling_in_room, many_digits.doubling_family),
    loose={
        "accuracy eps^2/2": (
            r"a round sufficient accuracy: by the proof $\varepsilon^2/1.9$ would do at $\varepsilon=0.4$, and "
            r"$1.2\,\varepsilon^2$ for small $\varepsilon$; a third feature at $k=2$ needs about "
            r"$\frac{\pi}{2}\varepsilon^2$ there, and that is the instance tried"
        )
    },
)
