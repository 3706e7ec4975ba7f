"""Section 4.3 in plain steps, and runs over product laws, those where its theorem breaks among them."""

from collections.abc import Callable
from math import ceil, comb, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, RNGLike, integer, matrix_product, random_generator
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures, Rule, most_specific
from lifelong.conjunctions.bounds import SampleSizes
from lifelong.conjunctions.tasks import ConjunctionTask, ExampleTask
from lifelong.laws import BooleanProduct
from lifelong.loop import How, Run, learn_stream
from lifelong_book.conjunctions.applications.instances import ProductStream, hidden_anchor_family, stars

#: s_1, s_2 as a function of the number of metafeatures at hand, and s_3.
Sizes = tuple[int, Callable[[int], int], int]


#: Left and right sides by the name of their inequality.
Pairs = dict[str, tuple[Any, Any]]


# what the chapter shows ----------------------------------------------------------------------------------


def fits(X: BoolArray, y: BoolArray, pieces: BoolArray) -> BoolArray | None:
    """Algorithm 5's rule in plain steps: all pieces true of every positive example; None if a negative one objects."""
    # rows of truth values are sets, and <= is inclusion
    never_0 = (pieces <= X[y].all(axis=0)).all(axis=1)
    h: BoolArray = pieces[never_0].any(axis=0)  # type: ignore[assignment]
    wrong = (h <= X[~y]).all(axis=1).any()
    return None if wrong else h


class Algorithm5:
    """Algorithm 5 in plain steps, for the one loop; s2 is a function of the number of metafeatures at hand."""

    def __init__(self, n: int, epsilon: float, s1: int, s2: Callable[[int], int], s3: int) -> None:
        self.share = epsilon / (4 * n)
        self.s1, self.s2, self.s3 = s1, s2, s3
        self.I: Any = None
        self.TS = self.M = np.zeros((0, n), dtype=np.bool_)

    def reuse(self, task: ExampleTask) -> BoolArray | None:
        """Step 2, and step 1 at the first problem."""
        if self.I is None:  # 1
            zeros = ~task.unlabelled(self.s1)
            self.I = zeros.mean(axis=0) < self.share
        s2 = self.s2(len(self.M))  # 2
        return fits(*task.examples(s2, ones=self.I), self.M)

    def learn(self, task: ExampleTask) -> tuple[How, BoolArray]:
        """From scratch."""
        variables = np.eye(task.n, dtype=np.bool_)[~self.I]
        h = fits(*task.examples(self.s3, ones=self.I), variables)  # 3
        if h is None:
            raise ValueError("no conjunction over S fits")
        return "scratch", h

    def grow(self, how: How, h: BoolArray) -> None:
        """Algorithm 3 on all that was learned from scratch."""
        self.TS = np.vstack([self.TS, h])
        self.M = metafeatures(self.TS)


#: Tasks, and what came of them.
Played = tuple[list[ConjunctionTask], Run[Algorithm5]]


def promises(task: Any, step: Any, M: BoolArray, S: BoolArray) -> dict[str, bool]:
    """Which promises of Algorithm 5 a run breaks on one problem, whatever its examples were; M was at hand."""
    h, c, scratch = step.hypothesis, task.target, step.how == "scratch"
    # M was at hand before; of task.drawn, the examples drawn last,
    # those with a 1 on all of I
    kept = task.drawn[(task.drawn | S).all(axis=1)]
    values, labels = ((T <= kept).all(axis=1) for T in (h, c))
    # represent: the rows of M whose union is c & S, or None
    return {
        "outside S": (h & ~S).any(),
        "wrong on kept": (values != labels).any(),
        "lacks part of c in S": scratch and (c & S & ~h).any(),
        "not reused": scratch and represent(c & S, M) is not None,
    }


def repaired_sizes(n: int, eps: float, m: int, delta: float = 0.05, c0: float = 0.25) -> Sizes:
    """Algorithm 5's sample sizes in plain steps, as repaired; the second is a function of the metafeatures at hand."""
    sigma, Q = 1 - eps / 2, n * (n + 1) // 2
    s1 = 24 * n / eps * log(3 * n / delta)
    s3 = 8 * n / (sigma * c0 * eps) * log(3 * n * Q / delta)

    def s2(j: int) -> int:
        choice = j * log(2) + log(3 * m / delta)
        return ceil(2 / (sigma * eps) * choice)

    return ceil(s1), s2, ceil(s3)


def play(stream: ProductStream, eps: float, sizes: Sizes, rng: np.random.Generator) -> Played:
    """A run of Algorithm 5 in plain steps: the tasks of a stream, and the one loop over them."""
    _, targets, law = stream
    tasks = [ConjunctionTask(c, law, rng=rng) for c in targets]
    learner = Algorithm5(law.n, eps, *sizes)
    return tasks, learn_stream(tasks, learner)


def both_parts(stream: ProductStream, eps: float, sizes: Sizes, rng: np.random.Generator) -> Pairs:
    """A run of Algorithm 5 in plain steps, and the two sides of all that the repaired theorem promises of it."""
    (k, n), (_, s2, s3) = stream.metafeatures.shape, sizes
    tasks, run = play(stream, eps, sizes, rng)
    learner, zero = run.representation, 1 - stream.law.probabilities
    S, m = ~learner.I, len(tasks)
    rare, often = zero <= eps / (8 * n), zero >= eps / (2 * n)
    error = apart = wrong = 0.0
    for task, step in zip(tasks, run.steps, strict=True):
        c, h = task.target & S, step.hypothesis
        error = max(error, task.error(h))
        apart = max(apart, ConjunctionTask(c, stream.law).error(h))
        wrong += step.how == "scratch" and (h != c).any()
    Q_k = bounds.online_uniform(n, k=k)  # at most 2**k - 1 and k * n
    return {
        "misjudged": ((S & rare | ~S & often).sum(), 0),
        "error": (error, eps),
        "Pr[h != c in S]": (apart, eps / 2),
        "from scratch, h != c in S": (wrong, 0),
        "metafeatures": (len(learner.M), k),  # their number never falls
        "problems from scratch": (run.scratch, Q_k),
        "labels": (run.counts.labels, m * s2(k) + Q_k * s3),
    }


def last_error(q: int, s2: int, rng: np.random.Generator) -> float:
    """A run of step 2 of Algorithm 5 alone: its error at a random set of variables, with s2 examples, after q stars."""
    M = metafeatures(stars(q))
    N = len(M)
    law = BooleanProduct(np.full(N, 1 - 1 / N))
    task = ConjunctionTask(rng.random(N) < 0.5, law, rng=rng)
    return task.error(fits(*task.examples(s2), M))  # type: ignore[arg-type]


# runs ----------------------------------------------------------------------------------------------------


def fewest_pieces(X: BoolArray, y: BoolArray, pieces: BoolArray) -> BoolArray | None:
    """A rule for Algorithm 5, short conjunctions: pieces go as long as every negative example is still refused."""
    pieces = pieces[(~pieces | X[y].all(axis=0)).all(axis=1)]
    refuses: BoolArray = matrix_product(~X[~y], pieces.T) > 0
    left = refuses.sum(axis=1)  # by how many pieces
    if not left.all():
        return None
    kept = np.ones(len(pieces), dtype=np.bool_)
    for piece, refused in enumerate(np.ascontiguousarray(refuses.T)):
        if (left[refused] > 1).all():
            kept[piece] = False
            left[refused] -= 1
    return np.asarray(pieces[kept].any(axis=0))


def play_product(
    stream: ProductStream, epsilon: float, sizes: SampleSizes, rule: Rule = most_specific, rng: RNGLike = None
) -> tuple[Run[ProductLawMetafeatures], FloatArray]:
    """A run of the library's Algorithm 5 over a stream, and the error on each problem."""
    source = random_generator(rng)
    tasks = [ConjunctionTask(c, stream.law, rng=source) for c in stream.targets]
    run = learn_stream(tasks, ProductLawMetafeatures(stream.law.n, epsilon, sizes=sizes, rule=rule))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])


# the family with hidden anchors --------------------------------------------------------------------------


class _SettlingTask(ConjunctionTask):
    """A task for runs of Algorithm 5: one size of request is answered with examples that settle every variable."""

    def __init__(self, target: ArrayLike, distribution: BooleanProduct, *, settled: int, rng: RNGLike = None) -> None:
        super().__init__(target, distribution, rng=rng)
        self.settled = integer("settled", settled, least=0)

    def unlabelled(self, size: int) -> BoolArray:
        """Fresh examples without labels, or those that settle every variable."""
        if size != self.settled:
            return super().unlabelled(size)
        return np.vstack([np.ones((1, self.n), dtype=np.bool_), ~np.eye(self.n, dtype=np.bool_)])


def play_family(q: int, *, rule: Rule = most_specific, rng: RNGLike = None) -> tuple[int, int, float]:
    """One run of Algorithm 5 on the family, with exact problems from scratch and N examples for an attempt."""
    source = random_generator(rng)
    stream, N = hidden_anchor_family(q, rng=source), comb(q, q // 2)
    learner = ProductLawMetafeatures(stream.law.n, 0.1, sizes=SampleSizes(1, (N,) * (stream.law.n + 1), 1), rule=rule)
    learner.significant = np.arange(stream.law.n) < N
    tasks = [_SettlingTask(c, stream.law, settled=1, rng=source) for c in stream.targets]
    scratch = learn_stream(tasks[:q], learner).scratch
    pieces = len(learner.metafeatures)
    (last,) = learn_stream(tasks[q:], learner).steps
    return scratch, pieces, tasks[q].error(last.hypothesis)
