"""Claims of Section 4.3: conjunctions over product laws, from random examples."""

from __future__ import annotations

from functools import partial
from math import ceil, comb, log
from typing import Any

import numpy as np
from scipy.special import gammaln
from scipy.stats import binom

from lifelong._checks import BoolArray, FloatArray
from lifelong.conjunctions import bounds, instances
from lifelong.conjunctions.algorithm3 import represent
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures
from lifelong.conjunctions.bounds import SampleSizes
from lifelong.conjunctions.instances import HIDDEN, ProductStream
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.laws import BooleanProduct
from lifelong.ledger.claim import Check, Claim, Discrepancy, Finding, Generator
from lifelong.loop import How, Run, learn_stream

#: The runs of the repaired theorem take this delta, so that a single failure refutes it.
NEVER = 1e-9


class ShortConjunctions(ProductLawMetafeatures):
    """Algorithm 5 with short conjunctions: pieces go as long as every negative example is still refused."""

    def _fit(self, task: ConjunctionTask, pieces: BoolArray, size: int) -> BoolArray | None:
        X, y = task.examples(size, ones=~self._significant(task))
        pieces = pieces[(~pieces | X[y].all(axis=0)).all(axis=1)]
        refuses: BoolArray = (~X[~y]).astype(np.float32) @ pieces.T.astype(np.float32) > 0
        left = refuses.sum(axis=1)  # pieces that refuse each negative example
        if not left.all():
            return None
        kept = np.ones(len(pieces), dtype=np.bool_)
        for piece, refused in enumerate(np.ascontiguousarray(refuses.T)):
            if (left[refused] > 1).all():
                kept[piece] = False
                left[refused] -= 1
        return np.asarray(pieces[kept].any(axis=0))


def play_product(
    stream: ProductStream,
    epsilon: float,
    sizes: SampleSizes,
    *,
    rng: Generator,
    learner: type[ProductLawMetafeatures] = ProductLawMetafeatures,
) -> tuple[Run[ProductLawMetafeatures], FloatArray]:
    """The one loop with Algorithm 5 over a stream, and the exact error of each hypothesis."""
    tasks = [ConjunctionTask(c, stream.law, rng=rng) for c in stream.targets]
    run = learn_stream(tasks, learner(stream.law.n, epsilon, sizes=sizes))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])


def scaled(sizes: SampleSizes, *, unlabelled: float = 1.0, reuse: float = 1.0, scratch: float = 1.0) -> SampleSizes:
    """Sample sizes with a factor on each, rounded up."""
    attempts = tuple(ceil(reuse * size) for size in sizes.reuse)
    return SampleSizes(ceil(unlabelled * sizes.unlabelled), attempts, ceil(scratch * sizes.scratch))


def failures(runs: int, sizes: SampleSizes, k: int, m: int, epsilon: float, *, rng: Generator) -> tuple[int, int]:
    """Over random streams that meet the hypotheses: runs with an error above epsilon, and with more than k pieces."""
    wrong = many = 0
    for _ in range(runs):
        stream = instances.product_stream(len(sizes.reuse) - 1, k, m, epsilon, rng=rng)
        run, errors = play_product(stream, epsilon, sizes, rng=rng)
        wrong += bool((errors > epsilon).any())
        many += len(run.representation.metafeatures) > k
    return wrong, many


def play_alone(stream: ProductStream, size: int, *, rng: Generator) -> FloatArray:
    """Errors when each problem is learned by itself, from `size` examples: the most specific conjunction."""
    tasks = [ConjunctionTask(c, stream.law, rng=rng) for c in stream.targets]
    drawn = [(task, *task.examples(size)) for task in tasks]
    return np.array([task.error(X[y].all(axis=0)) for task, X, y in drawn])


# algo-monomial-anchor ------------------------------------------------------------------------------------


class Watched(ConjunctionTask):
    """A task that remembers the last examples drawn from it, for a witness and not for the learner."""

    drawn: BoolArray

    def unlabelled(self, size: int) -> BoolArray:
        self.drawn = super().unlabelled(size)
        return self.drawn


class Misprinted(Watched):
    """Discards, as step 4(b) is printed, the examples with a 1 on an insignificant variable."""

    def examples(self, size: int, *, ones: Any = None) -> tuple[BoolArray, BoolArray]:
        X = self.unlabelled(size)
        X = X[~X[:, ones].any(axis=1)]
        return X, self._value(X)


def invariants(learner: ProductLawMetafeatures, task: Watched) -> bool:
    """What Algorithm 5 promises of one problem, whatever the examples were; the learner learns it."""
    pieces, sizes = learner.metafeatures, learner.sizes
    try:
        (step,) = learn_stream([task], learner).steps
    except ValueError:  # no conjunction of significant variables fits what was kept
        return False
    assert learner.significant is not None
    S, h, scratch = learner.significant, step.hypothesis, step.how == "scratch"
    seen = task.drawn[(task.drawn | S).all(axis=1)]
    right = (seen | ~h).all(axis=1) == (seen | ~task.target).all(axis=1)
    whole = not (scratch and (task.target & S & ~h).any())
    needed = not (scratch and represent(task.target & S, pieces) is not None)
    paid = step.labels <= sizes.reuse[len(pieces)] + scratch * sizes.scratch
    return bool(right.all()) and whole and needed and paid and not (h & ~S).any()


def _invariants_random(count: int, rng: Generator, kind: type[Watched] = Watched) -> Finding:
    held = []
    for _ in range(count):
        n, constant = int(rng.integers(4, 11)), 10 ** rng.uniform(-3, -1)
        stream = instances.product_stream(n, int(rng.integers(1, n)), 8, 0.2, rng=rng)
        sizes = bounds.product_sizes(n, 8, 0.2, 0.1, 0.25, constant=constant)
        learner = ProductLawMetafeatures(n, 0.2, sizes=sizes)
        tasks = [kind(c, stream.law, rng=rng) for c in stream.targets]
        held.append(all(invariants(learner, task) for task in tasks))
    return Finding.of_outcomes(held)


def _nothing_left(count: int, rng: Generator) -> Finding:
    """The example of the misprint: a constant variable, and how many of 100 draws either discarding rule keeps."""
    task = ConjunctionTask([True, False], BooleanProduct(np.array([0.5, 1.0])), rng=rng)
    X, _ = task.examples(100, ones=[False, True])
    printed = task.unlabelled(100)
    return Finding(1, int(len(X) != 100 or (~printed[:, 1]).any()), witness="100 of 100 kept; as printed 0 of 100")


ALGO_PRODUCT = Claim(
    "algo-monomial-anchor",
    "Algorithm 5",
    "algo-monomial-anchor",
    "conjunctions over product laws",
    "Every hypothesis lies in the significant variables S and is right on the examples that were kept; one learned "
    "from scratch contains c & S; a problem for which c & S is a union of metafeatures is never learned from scratch.",
    "proved",
    scope="with step 4(b) read as steps 2 and 4 say it, discarding examples with a 0; most specific conjunctions",
    replaced_by=("thm-product-anchor-repaired",),
    checks=(
        Check("random streams, samples of any size", "random", _invariants_random, 100, scales=True, chunk=50),
        Check("the example of the misprint", "exact", _nothing_left),
    ),
    twins=(
        Check(
            "examples with a 1 discarded, as step 4(b) is printed",
            "random",
            partial(_invariants_random, kind=Misprinted),
            50,
            violated=True,
            drops="the reading of step 4(b): the misprint is followed",
        ),
    ),
    page="product_laws",
    functions=("conjunctions.algorithm5.ProductLawMetafeatures",),
    discrepancies=(
        Discrepancy(
            "found-discard",
            "misprint",
            "Section 4.3, Algorithm 5, step 4(b)",
            "After the $s_3$ examples are drawn, those are removed in which a feature of $I$ is set to 1.",
            "The features of $I$ are those that are almost always 1, so that nearly every example would be removed. "
            "Step 2 and the beginning of step 4 remove the examples in which not all features of $I$ are 1, and the "
            "proof of Theorem 4 works with the law restricted to those; so a 0 is meant, and we read it so.",
            "$n=2$, $x_2$ always 1, so $I=\\{2\\}$: as printed all examples are removed, and every conjunction is "
            "consistent with none.",
            "Remove the examples in which a feature of $I$ is set to 0.",
            "Nothing.",
            ("algo-monomial-anchor",),
        ),
    ),
)


# thm-product-anchor --------------------------------------------------------------------------------------


def overshoot(draws: int, positive: float, zero: float, extra: int, limit: float) -> tuple[float, float]:
    """Exact error of a most specific conjunction that must get rid of `extra` independent variables.

    Each example is positive with probability `positive`, and each extra variable is then 0 with probability `zero`.
    Returned are the mean of the probability that the target is true and the hypothesis false, and the
    chance that it is above `limit`.
    """
    P = np.arange(draws + 1)
    weight, left = binom.pmf(P, draws, positive), (1 - zero) ** P  # left: chance that a variable survives
    mean = positive * (1 - (weight * (1 - zero * left) ** extra).sum())
    if limit >= positive:
        return float(mean), 0.0
    enough = np.log1p(-limit / positive) / np.log1p(-zero)  # more survivors than this are too many
    return float(mean), float((weight * binom.sf(np.floor(enough), extra, left)).sum())


def family_accuracy(k: int, *, constant: float = 1.0, delta: float = 0.05, repaired: bool = False) -> float:
    """The accuracy at which s_2 for the k + 1 metafeatures of `instances.hidden_anchor_family` is N = C(k, k/2).

    The printed s_2, times `constant`; or the repaired one, were it taken for the number of true metafeatures.
    """
    N = comb(k, k // 2)
    if repaired:
        return 1 - float(np.sqrt(1 - 4 * ((k + 1) * log(2) + log(3 * (k + 1) / delta)) / N))
    return constant * (k + 1) * log((k + 1) / delta) / N


def half_true(k: int) -> float:
    """Probability that an example is kept and positive for a target of the family."""
    N = comb(k, k // 2)
    return float((1 - 1 / N) ** (N // 2) * (1 - HIDDEN) ** (k + 1))


def hidden_anchor_error(
    k: int, *, constant: float = 1.0, delta: float = 0.05, repaired: bool = False
) -> tuple[float, float, float]:
    """The last problem of the family with most specific conjunctions, from N examples.

    Returned are the accuracy, the exact mean error but for the hidden anchors, and P[error > accuracy].
    """
    N, epsilon = comb(k, k // 2), family_accuracy(k, constant=constant, delta=delta, repaired=repaired)
    return epsilon, *overshoot(N, half_true(k), 1 / N, N // 2, epsilon)


def within_reach(N: int, draws: int, epsilon: float) -> float:
    """An upper bound for the chance that any rule at all learns a random half of N variables to error `epsilon`.

    Each variable is 0 with probability 1/N. Variables that were never 0 in the draws are exchangeable: if there are F
    of them, f in the target, all C(F, f) choices are equally likely, and a hypothesis is good for those at a Hamming
    distance of at most d only, at most C(F, d) (F - d + 1)/(F - 2d + 1) of them.
    """
    p, half = 1 - 1 / N, N // 2
    left = 1 - epsilon / p**half
    if left <= 0:
        return 1.0
    d = int(log(left) / log(p))
    f = np.arange(half + 1)
    weight = binom.pmf(f, half, p**draws)
    common = np.flatnonzero(weight > 1e-13)
    f, weight = f[common], weight[common]
    F = f[:, None] + f  # in the target and outside
    G = np.maximum(F, 2 * d)  # where the ball holds all sets, the bound below is above 1 anyway
    near = _log_binomial(G, d) + np.log((G - d + 1) / (G - 2 * d + 1))
    share = np.exp(np.minimum(0.0, np.where(2 * d < F, near - _log_binomial(F, f[:, None]), 0.0)))
    return float(weight @ share @ weight + 2 * (1 - weight.sum()))


def _log_binomial(n: Any, k: Any) -> Any:
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def unavoidable_error(k: int, chance: float = 0.05) -> float:
    """An error that every rule exceeds on the last problem of the family but for this chance, from N examples."""
    N, low, high = comb(k, k // 2), 0.0, 0.2
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if within_reach(N, N, middle) <= chance else (low, middle)
    return low


def pieces_of_family(k: int, r: int) -> tuple[int, int, int]:
    """Metafeatures after r - 1 targets, 2 <= r <= k: their number, and their variables in and outside target r.

    They are the closures of the smallest classes: {B : a in B} for the sets a of r - 1 indices of the least size.
    """
    s = max(1, r - 1 - k // 2)
    return comb(r - 1, s), comb(k - 1 - s, k // 2 - s - 1), comb(k - 1 - s, k // 2 - s)


def phase_failure(k: int, sizes: SampleSizes, epsilon: float) -> float:
    """An upper bound for the chance that not all of the first k targets of the family are learned from scratch exactly.

    It adds up: a target can be explained by metafeatures (more than N/4 of its variables are covered by pieces that
    fit the positive examples, or fewer are and no negative example shows it); a variable is misjudged; a
    variable is not settled by the examples from scratch.
    """
    N, positive, kept = comb(k, k // 2), half_true(k), (1 - HIDDEN) ** (k + 1)
    p, n, draws, s1 = 1 - 1 / N, N + k + 1, sizes.reuse[0], sizes.unlabelled
    explained = (1 - kept + positive) ** draws  # of the first: no negative example
    for r in range(2, k + 1):
        count, inside, outside = pieces_of_family(k, r)
        covered = count * inside * (1 - positive * (1 - p**outside)) ** draws
        explained += covered / (N / 4) + (1 - kept * p ** (3 * N / 4) * (1 - p ** (N / 4))) ** draws
    below = ceil(s1 * epsilon / (4 * n)) - 1
    misjudged = N * binom.cdf(below, s1, 1 / N) + (k + 1) * binom.sf(below, s1, HIDDEN)
    least = min(s1, sizes.scratch)  # the paper learns the first problem from s_1 examples
    return float(explained + misjudged + k * N * np.exp(least * np.log1p(-positive / N)))


def family_failure(k: int, *, constant: float = 1.0, delta: float = 0.05) -> float:
    """A lower bound for the chance that Algorithm 5 with the printed sizes errs by more than the accuracy.

    It holds for every rule that picks a consistent conjunction; hidden anchors may change the error by their chance.
    """
    epsilon, N = family_accuracy(k, constant=constant, delta=delta), comb(k, k // 2)
    sizes = bounds.product_sizes_printed(N + k + 1, k + 1, k + 1, epsilon, delta, constant=constant)
    return 1 - within_reach(N, sizes.reuse[0], epsilon + 2 * (k + 1) * HIDDEN) - phase_failure(k, sizes, epsilon)


def _any_rule(count: int, rng: Generator, cases: tuple[tuple[int, float], ...] = ()) -> Finding:
    """Chance of an error above the accuracy over the chance that the theorem allows, whatever the rule."""
    chances = [family_failure(k, constant=c) for k, c in cases]
    shown = "; ".join(f"{k + 1} metafeatures: {chance:.3f}" for (k, _), chance in zip(cases, chances, strict=True))
    return Finding.of_ratios([chance / 0.05 for chance in chances], f"P[error > eps] at least: {shown}")


class ExactScratch(ProductLawMetafeatures):
    """Algorithm 5 with enough examples from scratch: it is handed c & S then, and `phase_failure` says how surely."""

    def learn(self, task: ConjunctionTask) -> tuple[How, BoolArray]:
        return "scratch", np.asarray(task.target & self._significant(task))


class ShortExactScratch(ShortConjunctions, ExactScratch):
    """The same with short conjunctions."""


def play_family(k: int, *, rng: Generator, learner: type[ExactScratch] = ExactScratch) -> tuple[int, int, float]:
    """One run on the family: problems from scratch among the first k, metafeatures then, and error of the last."""
    stream, N = instances.hidden_anchor_family(k, rng=rng), comb(k, k // 2)
    learned = learner(stream.law.n, 0.1, sizes=SampleSizes(1, (N,) * (stream.law.n + 1), 1))
    learned.significant = np.arange(stream.law.n) < N
    tasks = [ConjunctionTask(c, stream.law, rng=rng) for c in stream.targets]
    scratch = learn_stream(tasks[:k], learned).scratch
    found = len(learned.metafeatures)
    (last,) = learn_stream(tasks[k:], learned).steps
    return scratch, found, tasks[k].error(last.hypothesis)


def _family_run(count: int, rng: Generator, learner: type[ExactScratch] = ExactScratch) -> Finding:
    """Runs on 13 metafeatures; a violation is an error above the accuracy."""
    errors = np.array([play_family(12, rng=rng, learner=learner)[2] for _ in range(count)])
    return Finding.of_ratios(errors / family_accuracy(12), f"errors from {errors.min():.3f} to {errors.max():.3f}")


def _hidden_anchors(count: int, rng: Generator, equal: bool = False) -> Finding:
    """Three hidden anchors: the hypotheses are the targets (`equal`), or there are at most three metafeatures."""
    stream, sizes = instances.hidden_anchors(), bounds.product_sizes_printed(7, 3, 3, 0.1, 0.05)
    runs = [play_product(stream, 0.1, sizes, rng=rng)[0] for _ in range(count)]
    if equal:
        found = [[s.hypothesis for s in run.steps] for run in runs]
        return Finding.of_outcomes(np.array_equal(h, stream.targets) for h in found)
    return Finding.of_outcomes(
        (len(run.representation.metafeatures) <= 3 for run in runs), witness="4 metafeatures, k = 3"
    )


THM_PRODUCT = Claim(
    "thm-product-anchor",
    "Theorem 4",
    "thm-product-anchor",
    "labels over product laws, as printed",
    "With C k/eps log(m/delta) labels for a reused problem and n/eps log(nk/delta) for one learned from scratch, "
    "anchored metafeatures, a product law and balanced targets, all errors are at most eps with probability 1 - delta.",
    "refuted",
    scope="fails for every constant C and every consistency rule, where anchors are almost never 0",
    replaced_by=("thm-product-anchor-repaired",),
    checks=(
        Check(
            "hidden anchors, any rule: 13, 15 and 17 metafeatures, C = 1",
            "exact",
            partial(_any_rule, cases=((12, 1.0), (14, 1.0), (16, 1.0))),
            violated=True,
        ),
        Check(
            "hidden anchors, any rule: 17, 19 and 21 metafeatures, C = 10",
            "exact",
            partial(_any_rule, cases=((16, 10.0), (18, 10.0), (20, 10.0))),
            violated=True,
        ),
        Check("runs on 13 metafeatures, most specific conjunctions", "adversarial", _family_run, 4, violated=True),
        Check(
            "runs on 13 metafeatures, short conjunctions",
            "adversarial",
            partial(_family_run, learner=ShortExactScratch),
            4,
            violated=True,
        ),
    ),
    twins=(
        Check(
            "hypotheses from scratch equal to the targets",
            "adversarial",
            partial(_hidden_anchors, equal=True),
            20,
            violated=True,
            why="a line of the printed proof, and no constant: h_r = c_r",
        ),
        Check(
            "three hidden anchors: at most k metafeatures",
            "adversarial",
            _hidden_anchors,
            20,
            violated=True,
            why="a line of the printed proof, and no constant: the argument of Theorem 3 is applied to c_r",
        ),
    ),
    page="product_laws",
    functions=(
        "conjunctions.bounds.product_sizes_printed",
        "conjunctions.instances.hidden_anchors",
        "conjunctions.instances.hidden_anchor_family",
    ),
    discrepancies=(
        Discrepancy(
            "found-product",
            "refuted",
            "Section 4.3, Theorem 4 and the end of its proof",
            "Over a product law, with anchored metafeatures and balanced targets, $s_2=\\frac k\\varepsilon\\log\\frac "
            "m\\delta$ examples suffice for a problem that is learned over the metafeatures at hand.",
            "The last step of the proof, that for a target $c_r$ learned from scratch the hypothesis is $h_r=c_r$, "
            "and so Theorem 3 applies. It is $c_r\\cap S$, where $S$ is the set of significant variables, and the "
            "sets $m_j\\cap S$ need not have anchors: the anchors may be "
            "insignificant. Then there can be exponentially many metafeatures at hand for $k$ true ones, and $s_2$ "
            "examples are too few. This does not depend on the constants in the sizes, on which consistent "
            "conjunction is taken, nor on how balanced is understood: all targets are true with probability about "
            "$e^{-1/2}$.",
            "The step: $m_1=\\{1,2,a_1\\}$, $m_2=\\{1,3,a_2\\}$, $m_3=\\{2,4,a_3\\}$, where the $a_j$ are never seen "
            "to be 0. Learned from scratch they are $12$, $13$, $24$, and Algorithm 3 makes the four metafeatures "
            "$1$, $2$, $13$, $24$ of them, although $k=3$. The theorem: 15 metafeatures, each with a hidden anchor. "
            "For each set $B$ of 7 of the first 14 there is a variable $x_B$, which the $j$-th contains exactly if "
            "$j\\in B$. There are $N=\\binom{14}7=3432$ of these variables, each 0 with probability $1/N$. The last "
            "has a random half of "
            "the $x_B$. Learned from scratch, the first 14 leave the $N$ single variables as metafeatures. At "
            "$\\delta=0.05$ the printed $s_2$ is $N$ for $\\varepsilon=\\frac{15}N\\ln 300\\approx0.025$. In $N$ "
            "examples about $N/e$ variables are never 0, and nothing tells which half of them is in the target; so "
            "the hypothesis $h$ and the target $c$ differ in about $N/2e$ of them, and the error is about "
            "$e^{-1/2}(1-e^{-1/2e})\\approx0.10$ "
            "whatever $h$ is, four times $\\varepsilon$.",
            "Take $s_2$ for the number of metafeatures *at hand*, which the learner knows. Then all errors are at "
            "most $\\varepsilon$ with probability $1-\\delta$, with no assumption on anchors; and if every anchor is 0 "
            "with probability at least $\\varepsilon/2n$, there are at most $k$ metafeatures.",
            "With such anchors nothing: about $kn\\cdot\\frac n\\varepsilon+m\\frac{k+\\ln(m/\\delta)}\\varepsilon$ "
            "labels "
            "up to constants and logarithms, fewer than printed. With insignificant anchors the errors stay "
            "guaranteed, and the labels grow with the number of metafeatures at hand, which is at most $n$.",
            ("thm-product-anchor-repaired",),
        ),
    ),
)


# thm-product-anchor-repaired -----------------------------------------------------------------------------


def proof_failures(
    n: int, m: int, epsilon: float, delta: float, c0: float, *, constant: float = 1.0
) -> tuple[float, float, float]:
    """The three chances that the proof adds up, each over its share delta/3; the first from exact binomial tails.

    They are that a variable is misjudged, that a bad conjunction of metafeatures fits, and that some variable
    is not settled by the examples from scratch.
    """
    sizes = bounds.product_sizes(n, m, epsilon, delta, c0, constant=constant)
    below = np.ceil(sizes.unlabelled * epsilon / (4 * n)) - 1
    misjudged = n * max(
        binom.cdf(below, sizes.unlabelled, epsilon / (2 * n)), binom.sf(below, sizes.unlabelled, epsilon / (8 * n))
    )
    kept = 1 - epsilon / 2
    attempts = [j * np.log(2) + s * np.log1p(-kept * epsilon / 2) for j, s in enumerate(sizes.reuse)]
    missed = np.log(n * bounds.online_any(n)) + sizes.scratch * np.log1p(-kept * c0 * epsilon / (8 * n))
    shares = np.array([misjudged, m * np.exp(max(attempts)), np.exp(missed)]) / (delta / 3)
    return float(shares[0]), float(shares[1]), float(shares[2])


def _proof_exact(count: int, rng: Generator) -> Finding:
    grid = [
        (n, m, e, d, c0)
        for n in (1, 2, 5, 20, 100, 500)
        for m in (1, 30, 10_000)
        for e in (0.5, 0.1, 0.01)
        for d in (0.5, 0.05, 1e-6)
        for c0 in (1.0, 0.25, 0.01)
    ]
    shares = np.array([proof_failures(*arguments) for arguments in grid])
    names = ("a variable is misjudged", "a bad conjunction fits", "a variable is left open")
    return Finding.of_ratios(dict(zip(names, shares.T, strict=True)))


def misjudged_chance(draws: int, n: int, epsilon: float) -> float:
    """Logarithm of the exact chance that one of n variables is misjudged, the worse of two laws.

    All are 0 with probability epsilon/8n and some is judged significant, or with epsilon/2n and some is not.
    """
    below = ceil(draws * epsilon / (4 * n)) - 1
    tails = binom.logsf(below, draws, epsilon / (8 * n)), binom.logcdf(below, draws, epsilon / (2 * n))
    return float(max(np.log(-np.expm1(n * np.log1p(-np.exp(tail)))) for tail in tails))


def misfit_chance(draws: int, m: int, zero: float) -> float:
    """Logarithm of the exact chance that a metafeature of one variable is kept by mistake in one of m problems.

    The targets are empty, and the variable is 0 with probability `zero` in each of the draws; the hypothesis then errs
    with the same probability.
    """
    return float(np.log(-np.expm1(m * np.log1p(-np.exp(draws * np.log1p(-zero))))))


def left_open_chance(unlabelled: int, draws: int, epsilon: float, c0: float) -> float:
    """Logarithm of the exact chance that a significant superfluous variable stays, in one problem with n = 2.

    The target is the other variable, true with probability c0. The superfluous one has the worst probability of a 0
    on a grid, from epsilon/16 to epsilon/4; it has to be judged significant, and then never be 0 in a positive example.
    """
    zero = epsilon / 2 * np.linspace(1 / 8, 1 / 2, 200)
    significant = binom.logsf(ceil(unlabelled * epsilon / 8) - 1, unlabelled, zero)
    return float((significant + draws * np.log1p(-c0 * zero)).max())


#: Settings of `worst_cases`: n, m, epsilon, delta, c_0. The smaller delta, the less a union bound matters.
SETTINGS = tuple((n, 1000, 1e-3, delta, c0) for n in (2, 20) for delta in (1e-50, 1e-150) for c0 in (1.0, 0.1))


def worst_cases(
    count: int, rng: Generator, *, s1: float = 1.0, s2: float = 1.0, s3: float = 1.0, rare: float = 1.0
) -> Finding:
    """Streams that sit at the end of each size: the exact chance that (a) fails, against delta.

    The factors multiply the sizes; `rare` multiplies the probability of the target from scratch.
    """
    failed, shown = 0, []
    for n, m, e, delta, c0 in SETTINGS:
        sizes = bounds.product_sizes(n, m, e, delta, c0)
        # one metafeature, kept when its single variable was never 0; it errs by a little more than epsilon/2
        chances = [
            misjudged_chance(ceil(s1 * sizes.unlabelled), n, e),
            misfit_chance(ceil(s2 * sizes.reuse[1]), m - 1, e / 2 * (1 + 1e-9)),
            left_open_chance(
                bounds.product_sizes(2, m, e, delta, c0).unlabelled,
                ceil(s3 * bounds.product_sizes(2, m, e, delta, c0).scratch),
                e,
                rare * c0,
            ),
        ]
        failed += max(chances) > log(delta)
        shown.append(max(chances) / log(delta))
    return Finding(len(SETTINGS), failed, witness=f"ln(chance)/ln(delta) down to {min(shown):.3f}")


def _turned(name: str) -> Any:
    return lambda count, rng, factor: worst_cases(count, rng, **{name: factor})


def adaptive_error(k: int, delta: float = 0.05) -> tuple[float, float]:
    """As `hidden_anchor_error`, with s_2 for the number of metafeatures at hand: accuracy and P[error > accuracy]."""
    N, epsilon = comb(k, k // 2), family_accuracy(k)
    draws = bounds.product_sizes(N + k + 1, k + 1, epsilon, delta, 0.25).reuse[N]
    limit = epsilon - 2 * (k + 1) * HIDDEN  # what the hidden anchors may add to the error
    return epsilon, overshoot(draws, half_true(k), 1 / N, N // 2, limit)[1]


def _adaptive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(adaptive_error(k)[1] <= NEVER for k in (10, 12, 14))


def performance(
    stream: ProductStream,
    epsilon: float,
    *,
    rng: Generator,
    learner: Any = ProductLawMetafeatures,
    claimed: bool = True,
) -> dict[str, float]:
    """One run with the proved sizes for delta = `NEVER`: what is promised over its bound, by name.

    A problem from scratch that does not give c & S counts as an infinite error. With `claimed` also what
    part (b) promises; its k is the number of metafeatures.
    """
    (k, n), m = stream.metafeatures.shape, len(stream.targets)
    sizes = bounds.product_sizes(n, m, epsilon, NEVER, 0.25)
    run, errors = play_product(stream, epsilon, sizes, rng=rng, learner=learner)
    S = run.representation.significant
    assert S is not None
    pairs = list(zip(stream.targets & S, run.steps, strict=True))
    exact = all(np.array_equal(c, s.hypothesis) for c, s in pairs if s.how == "scratch")
    visible = max(ConjunctionTask(c, stream.law).error(s.hypothesis) for c, s in pairs)
    found = {"errors": errors.max() / epsilon if exact else np.inf, "errors on S": visible / (epsilon / 2)}
    if not claimed:
        return found
    Q = bounds.online_uniform(n, k)
    labels = run.counts.labels / bounds.product_labels(sizes, m, k, Q)
    pieces = len(run.representation.metafeatures) / k
    return {**found, "metafeatures": pieces, "problems from scratch": run.scratch / Q, "labels": labels}


def within(run: Run[ProductLawMetafeatures], k: int) -> bool:
    """Whether a run kept to k metafeatures, to the bound on problems learned from scratch, and to that on labels."""
    learner, scratch = run.representation, bounds.online_uniform(run.representation.targets.shape[1], k)
    most = bounds.product_labels(learner.sizes, len(run.steps), k, scratch)
    return len(learner.metafeatures) <= k and run.scratch <= scratch and run.counts.labels <= most


def _runs(count: int, rng: Generator, claimed: bool = True, learner: Any = ProductLawMetafeatures) -> Finding:
    """Random streams with significant anchors, or with arbitrary targets."""
    seen = []
    for _ in range(count):
        stream = instances.product_stream(8, 3, 12, 0.2, rng=rng)
        if not claimed:
            stream = stream._replace(targets=rng.random((12, 8)) < 0.4)
        seen.append(performance(stream, 0.2, rng=rng, learner=learner, claimed=claimed))
    return Finding.of_ratios({name: [row[name] for row in seen] for name in seen[0]})


def attaining_stream(n: int) -> ProductStream:
    """The sequence that Algorithm 4 learns from scratch as a whole, over a law with P[x_i = 0] = 1/2n."""
    targets = instances.attaining_sequence(n)
    return ProductStream(np.eye(n, dtype=np.bool_), targets, BooleanProduct(np.full(n, 1 - 1 / (2 * n))))


def unseen_stream(n: int, epsilon: float) -> ProductStream:
    """One target of n variables, all just rare enough to be insignificant: the error that this alone costs."""
    everything = np.ones((1, n), dtype=np.bool_)
    return ProductStream(everything, everything, BooleanProduct(np.full(n, 1 - epsilon / (8 * n))))


def _tight_runs(count: int, rng: Generator) -> Finding:
    """All problems from scratch, and a target that nobody sees."""
    seen = [performance(attaining_stream(n), 0.2, rng=rng) for n in (4, 6)]
    hidden = performance(unseen_stream(8, 0.2), 0.2, rng=rng, claimed=False)
    return Finding.of_ratios({name: [row.get(name, 0.0) for row in (*seen, hidden)] for name in seen[0]})


THM_REPAIRED = Claim(
    "thm-product-anchor-repaired",
    "corrected",
    "",
    "labels over product laws, repaired",
    "Over a product law with P[c_r = 1] >= c_0 > 0, with s_1, s_3 and a nondecreasing s_2 (of the number of "
    "metafeatures at hand) as in the theorem, with probability 1 - delta: variables are judged rightly but between "
    "eps/8n and eps/2n, no h_r differs from c_r & S by more than eps/2, all errors are at most eps, those from "
    "scratch are c_r & S; and if the targets are unions of k metafeatures with anchors 0 with probability eps/2n or "
    "more, there are at most k metafeatures, Q_k <= kn problems from scratch and m s_2(k) + Q_k s_3 labels.",
    "proved",
    scope="for every consistency rule; part (a) needs no anchors",
    checks=(
        Check("the three chances of the proof over delta/3, 486 settings", "exact", _proof_exact),
        Check(
            "the worst streams for each size: exact chance of failure, delta = 1e-50 and 1e-150",
            "exact",
            worst_cases,
            knobs={"s_1": _turned("s1"), "s_2": _turned("s2"), "s_3": _turned("s3")},
        ),
        Check(
            "runs with significant anchors, delta = 1e-9: no failure is allowed",
            "random",
            _runs,
            40,
        ),
        Check("runs with arbitrary targets, delta = 1e-9", "random", partial(_runs, claimed=False), 12),
        Check("the same with short conjunctions", "random", partial(_runs, learner=ShortConjunctions), 20),
        Check("all problems from scratch; a target that is never seen", "tight", _tight_runs),
        Check("family with hidden anchors, k = 10, 12, 14", "exact", _adaptive),
    ),
    twins=(
        Check("s_2 times 0.98, the worst streams", "exact", partial(worst_cases, s2=0.98), violated=True, spoils=0.02),
        Check(
            "targets true with half of c_0, the worst streams",
            "exact",
            partial(worst_cases, rare=0.5),
            violated=True,
            drops="P[c_r = 1] >= c_0",
        ),
        Check(
            "s_2 for the true metafeatures, hidden anchors, k = 14",
            "exact",
            lambda count, rng: Finding.of_ratios([hidden_anchor_error(14, repaired=True)[2] / 0.05]),
            violated=True,
            drops="s_2 taken for the number of metafeatures at hand",
        ),
    ),
    page="product_laws",
    functions=(
        "conjunctions.bounds.product_sizes",
        "conjunctions.bounds.product_labels",
        "conjunctions.instances.product_stream",
    ),
    loose={
        "a variable is misjudged": "Chernoff's bound against exact binomial tails; in sizes the slack is that of s_1.",
        "s_1": "Chernoff's exponent 1/6 against the true 0.193 of a binomial tail at twice its mean.",
        "s_3": "the proof lets a variable that is 0 with probability eps/8n count as significant; to be judged so with "
        "noticeable probability it must be 0 with nearly twice that.",
        "errors": "half of eps is kept for the insignificant variables together, and a variable that is surely "
        "insignificant is 0 with less than eps/4n; the worst stream that fails on S as well would reach 3/4.",
        "errors on S": "it nears eps/2 with probability about delta only, as the worst streams for s_2 show.",
    },
)

CLAIMS = (ALGO_PRODUCT, THM_PRODUCT, THM_REPAIRED)
