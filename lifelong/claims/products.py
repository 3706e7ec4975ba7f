"""Claims of Section 4.3: conjunctions over product laws, from random examples."""

from __future__ import annotations

from functools import partial
from math import ceil, comb
from typing import Any

import numpy as np
from scipy.stats import binom

from lifelong import bounds, instances
from lifelong._checks import BoolArray, FloatArray
from lifelong.bounds import SampleSizes
from lifelong.claims.ledger import Check, Claim, Finding
from lifelong.instances import ProductStream
from lifelong.monomials import ProductLawMetafeatures, represent
from lifelong.stream import Run, learn_stream
from lifelong.tasks import ConjunctionTask

Generator = np.random.Generator

#: A frequency is held against a theorem only where the theorem gives it less chance than this.
CHANCE = 1e-12


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
    return Finding(count, held.count(False))


ALGO_PRODUCT = Claim(
    "algo-monomial-anchor",
    "Algorithm 5",
    "algo-monomial-anchor",
    "conjunctions over product laws",
    "Every hypothesis lies in the significant variables S and is right on the examples that were kept; one learned "
    "from scratch contains c & S; a problem for which c & S is a union of metafeatures is never learned from scratch.",
    "proved",
    scope="with step 4(b) read as discarding examples with a 0; most specific conjunctions",
    replaced_by=("thm-product-anchor-repaired",),
    checks=(Check("random streams, samples of any size", "random", _invariants_random, 100, scales=True, chunk=50),),
    twins=(
        Check(
            "examples with a 1 discarded, as step 4(b) is printed",
            "random",
            partial(_invariants_random, kind=Misprinted),
            50,
            violated=True,
        ),
    ),
    page="product_laws",
    functions=("monomials.ProductLawMetafeatures",),
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


def hidden_anchor_error(
    k: int, *, constant: float = 1.0, delta: float = 0.05, repaired: bool = False
) -> tuple[float, float, float]:
    """The last problem of `instances.hidden_anchor_family`: accuracy, exact mean error, and P[error > accuracy].

    N = C(k, k/2) metafeatures are at hand, the accuracy is such that s_2 for *k* metafeatures comes out as N,
    printed (times `constant`) or `repaired`. The learner has to tell N/2 variables from the N/2 others.
    """
    N = comb(k, k // 2)
    if repaired:
        epsilon = 1 - np.sqrt(1 - 4 * (k * np.log(2) + np.log(3 * (N + 1) / delta)) / N)
    else:
        epsilon = constant * k * np.log((N + 1) / delta) / N
    return float(epsilon), *overshoot(N, _last_target(k), 1 / N, N // 2, epsilon)


def _last_target(k: int) -> float:
    """Probability that an example of the last problem of the family is kept and positive."""
    N = comb(k, k // 2)
    return float((1 - 1 / N) ** (N // 2) * (1 - instances.HIDDEN) ** k)


def _hidden_anchors(count: int, rng: Generator) -> Finding:
    """Algorithm 5 with the printed sizes ends with more than k metafeatures."""
    stream, sizes = instances.hidden_anchors(), bounds.product_sizes_printed(7, 3, 3, 0.1, 0.05)
    runs = [play_product(stream, 0.1, sizes, rng=rng)[0] for _ in range(count)]
    found = [len(run.representation.metafeatures) for run in runs]
    return Finding.of_ratios(np.array(found) / 3, witness=f"{max(found)} metafeatures for k = 3")


def _hidden_family(
    count: int, rng: Generator, cases: tuple[tuple[int, float], ...] = (), repaired: bool = False
) -> Finding:
    """Chance of an error above the accuracy over the chance that the theorem allows."""
    errors = [hidden_anchor_error(k, constant=c, repaired=repaired) for k, c in cases]
    witness = "; ".join(f"k = {k}: mean error {m / e:.2f} eps" for (k, _), (e, m, _) in zip(cases, errors, strict=True))
    return Finding.of_ratios([chance / 0.05 for _, _, chance in errors], witness)


def _equal_targets(count: int, rng: Generator) -> Finding:
    """The hypotheses lack the insignificant variables, and rightly so."""
    stream, sizes = instances.hidden_anchors(), bounds.product_sizes_printed(7, 3, 3, 0.1, 0.05)
    runs = [play_product(stream, 0.1, sizes, rng=rng)[0] for _ in range(count)]
    equal = [
        all(np.array_equal(s.hypothesis, c) for s, c in zip(run.steps, stream.targets, strict=True)) for run in runs
    ]
    return Finding(count, equal.count(False))


def _significant_anchors(
    count: int, rng: Generator, sizes: Any, claimed: bool = True, learner: Any = ProductLawMetafeatures
) -> Finding:
    """Runs over streams that meet every hypothesis: more failures than chance explains are a violation."""
    n, k, m, epsilon, delta = 8, 3, 12, 0.2, 0.05
    chosen, failures = sizes(n, k, m, epsilon, delta), 0
    for _ in range(count):
        stream = instances.product_stream(n, k, m, epsilon, rng=rng)
        if not claimed:
            stream = stream._replace(targets=rng.random((m, n)) < 0.4)
        run, errors = play_product(stream, epsilon, chosen, rng=rng, learner=learner)
        failures += bool((errors > epsilon).any() or (claimed and not within(run, k)))
    allowed = binom.isf(CHANCE, count, delta)
    return Finding(count, int(failures > allowed), failures / allowed, f"{failures} of {count} runs failed")


def within(run: Run[ProductLawMetafeatures], k: int) -> bool:
    """Whether a run kept to k metafeatures, to the bound on problems learned from scratch, and to that on labels."""
    learner, scratch = run.representation, bounds.online_uniform(run.representation.targets.shape[1], k)
    most = bounds.product_labels(learner.sizes, len(run.steps), k, scratch)
    return len(learner.metafeatures) <= k and run.scratch <= scratch and run.counts.labels <= most


def _repaired_sizes(n: int, k: int, m: int, epsilon: float, delta: float, constant: float = 1.0) -> SampleSizes:
    return bounds.product_sizes(n, m, epsilon, delta, 0.25, constant=constant)


THM_PRODUCT = Claim(
    "thm-product-anchor",
    "Theorem 4",
    "thm-product-anchor",
    "labels over product laws, as printed",
    "With k/eps log(m/delta) labels for a reused problem, n/eps log(nk/delta) for one learned from scratch, and "
    "anchored metafeatures, all errors are at most eps over a product law with balanced targets.",
    "refuted",
    scope="fails, for every constant, where anchors are almost never 0",
    replaced_by=("thm-product-anchor-repaired",),
    checks=(
        Check("three hidden anchors: more than k metafeatures", "adversarial", _hidden_anchors, 20, violated=True),
        Check(
            "family with hidden anchors, k = 14 and 16, constant 1",
            "exact",
            partial(_hidden_family, cases=((14, 1.0), (16, 1.0))),
            violated=True,
        ),
        Check(
            "the same with constant 10 (k = 18, 20)",
            "exact",
            partial(_hidden_family, cases=((18, 10.0), (20, 10.0))),
            violated=True,
        ),
        Check("the same for k = 8 and 10", "exact", partial(_hidden_family, cases=((8, 1.0), (10, 1.0)))),
    ),
    twins=(
        Check(
            "hypotheses from scratch equal to the targets, as in the proof",
            "adversarial",
            _equal_targets,
            20,
            violated=True,
        ),
    ),
    page="product_laws",
    functions=("bounds.product_sizes_printed", "instances.hidden_anchors", "instances.hidden_anchor_family"),
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
    return Finding.of_ratios([proof_failures(*arguments) for arguments in grid])


def adaptive_error(k: int, delta: float = 0.05) -> tuple[float, float]:
    """As `hidden_anchor_error`, with s_2 for the number of metafeatures at hand: accuracy and P[error > accuracy]."""
    N, epsilon = comb(k, k // 2), hidden_anchor_error(k)[0]
    draws = bounds.product_sizes(N + k, N + 1, epsilon, delta, 0.25).reuse[N]
    limit = epsilon - 2 * k * instances.HIDDEN  # what the hidden anchors may add to the error
    return epsilon, overshoot(draws, _last_target(k), 1 / N, N // 2, limit)[1]


def _adaptive(count: int, rng: Generator) -> Finding:
    return Finding.of_ratios([adaptive_error(k)[1] / 0.05 for k in (10, 12, 14)])


THM_REPAIRED = Claim(
    "thm-product-anchor-repaired",
    "corrected",
    "",
    "labels over product laws, repaired",
    "With s_2 from the number of metafeatures at hand, s_3 for the first problem too, and P[c_r = 1] >= c_0, all "
    "errors are at most eps with probability 1 - delta, anchors or not; with anchors that are 0 with probability "
    "eps/2n or more the labels are at most m s_2(k) + kn s_3.",
    "proved",
    checks=(
        Check("the three chances of the proof, exact, 486 settings", "exact", _proof_exact),
        Check(
            "runs with significant anchors: errors, metafeatures, labels",
            "random",
            partial(_significant_anchors, sizes=_repaired_sizes),
            200,
            scales=True,
            chunk=100,
        ),
        Check(
            "runs with arbitrary targets: errors",
            "random",
            partial(_significant_anchors, sizes=_repaired_sizes, claimed=False),
            50,
        ),
        Check(
            "the same with short conjunctions in place of the most specific ones",
            "random",
            partial(_significant_anchors, sizes=_repaired_sizes, learner=ShortConjunctions),
            50,
        ),
        Check("family with hidden anchors, k = 10, 12, 14", "exact", _adaptive),
    ),
    twins=(
        Check(
            "all sizes times 1/50",
            "random",
            partial(_significant_anchors, sizes=partial(_repaired_sizes, constant=0.02)),
            100,
            violated=True,
        ),
        Check(
            "s_2 for k metafeatures, hidden anchors, k = 14",
            "exact",
            partial(_hidden_family, cases=((14, 1.0),), repaired=True),
            violated=True,
        ),
    ),
    page="product_laws",
    functions=("bounds.product_sizes", "bounds.product_labels", "instances.product_stream"),
)

CLAIMS = (ALGO_PRODUCT, THM_PRODUCT, THM_REPAIRED)
