"""Exercises of the introduction and of the preliminaries."""

from __future__ import annotations

import numpy as np

from lifelong.halfspaces.angles import angle_to_subspace, effective_dimension
from lifelong.teaching.exercise import Exercise
from lifelong.teaching.grading import Submission, near, number, rows


def _crossover(answer: Submission) -> None:
    rng = np.random.default_rng(0)
    prices = [(5, 3000.0, 500.0, 600.0), (1, 2.0, 0.0, 1.0)]
    for _ in range(20):
        reused, alone, scratch = np.sort(rng.uniform(1, 5000, 3))
        prices.append((int(rng.integers(1, 50)), float(scratch), float(reused), float(alone)))
    for kept, scratch, reused, alone in prices:
        m = answer.number(kept, scratch, reused, alone)
        if not near(kept * scratch + (m - kept) * reused, m * alone, 1e-6):
            answer.refuse("after so many tasks the two have not used the same number of labels")


def _orthogonal(answer: Submission) -> None:
    rng = np.random.default_rng(1)
    for p, q, n in ((2, 1, 2), (2, 1, 5), (3, 2, 4), (4, 3, 4), (5, 2, 9)):
        U, V = rng.standard_normal((p, n)), rng.standard_normal((q, n))
        for inside in (V, np.vstack([V, V[:1]]), 1e3 * V):  # generators may depend on each other
            u = answer.rows(U, inside, shape=(n,))
            if not np.linalg.norm(u) > 1e-12:
                answer.refuse("expected a nonzero vector")
            u = u / np.linalg.norm(u)
            if angle_to_subspace(u, U) > 1e-6:
                answer.refuse("the vector is not in the span of the rows of U")
            if angle_to_subspace(u, V) < np.pi / 2 - 1e-6:
                answer.refuse("the vector is not orthogonal to every row of V")


def _greedy(answer: Submission) -> None:
    given, bound = answer.parts(count=2)
    vectors, gamma = rows(given, answer.where, shape=(6, 4)), number(bound, answer.where)
    if not 0 < gamma <= np.pi / 2:
        answer.refuse("gamma is not an angle between 0 and a right one")
    if not vectors.any(axis=1).all():
        answer.refuse("one of the vectors is zero")
    greedy = effective_dimension(vectors, gamma, exact_up_to=0)
    longest = effective_dimension(vectors, gamma)
    if greedy != 2:
        answer.refuse(f"the greedy reader finds {greedy}")
    if longest != 4:
        answer.refuse(f"the effective dimension is {longest}")


def _log_mixture(x: float, s: float) -> float:
    """Logarithm of the density of the mixture, but for a constant."""
    variances = np.array([s**2, 2 - s**2])
    with np.errstate(over="ignore"):
        return float(np.logaddexp.reduce(-(x**2) / (2 * variances) - np.log(variances) / 2))


def _mixture(answer: Submission) -> None:
    s, a, b = (number(x, answer.where) for x in answer.parts(count=3))
    if not 1e-100 < s < 1:
        answer.refuse("s is not between 0 and 1")
    if not 2 * _log_mixture((a + b) / 2, s) < _log_mixture(a, s) + _log_mixture(b, s) - 1e-9:
        answer.refuse("half way between the two points the density is as large as concavity of its logarithm asks")


def _digits(answer: Submission) -> None:
    for delta, share in ((1e-16, 0.01), (1e-16, 1e-3), (1e-12, 0.01), (1e-20, 1e-4)):
        theta = answer.number(delta, share)
        if not (0 < theta < 1 and near(delta / theta, share * theta, 0.03)):
            answer.refuse("the relative error of the arccosine is another one at this angle")


EXERCISES = (
    Exercise(
        label="ex-intro-crossover",
        page="introduction",
        kind="prove",
        difficulty=1,
        minutes=15,
        goal="Say from three prices after how many tasks a shared representation has paid for itself.",
        hint="Write down what both learners have paid after m tasks. In n, which of the prices grow alike?",
        stub='''
def crossover(kept, scratch, reused, alone):
    """Return the number of tasks, not rounded, after which both learners have used equally many labels.

    `kept` tasks are learned from scratch; the prices of a task are reused < alone < scratch.
    """
    ...
''',
        checker=_crossover,
    ),
    Exercise(
        label="ex-intro-threshold",
        page="introduction",
        kind="compute",
        difficulty=1,
        minutes=25,
        goal="Judge which price a test pays for a looser threshold or a longer holdout.",
        hint="Which attempts have a holdout error between the two thresholds? On how many tasks is the holdout paid?",
    ),
    Exercise(
        label="ex-intro-nothing",
        page="introduction",
        kind="break",
        difficulty=1,
        minutes=15,
        goal="Separate the cost of learning from the cost of failed attempts when tasks share nothing.",
        hint="A task from scratch has a fixed price; whatever else such a task was charged went into its attempt.",
    ),
    Exercise(
        label="ex-intro-attempt",
        page="introduction",
        kind="prove",
        difficulty=1,
        minutes=15,
        goal="Bound the queries of an elimination by what each counterexample removes for good.",
        hint="What does a positive counterexample tell of each piece that is still in the hypothesis?",
    ),
    Exercise(
        label="ex-prelim-dimension",
        page="preliminaries",
        kind="prove",
        difficulty=1,
        minutes=10,
        goal="Find, in a space that is too large to fit into another, a vector orthogonal to all of the other.",
        hint="Which linear map sends the first space into the second, and what is its kernel?",
        stub='''
def orthogonal(U, V):
    """Return a nonzero vector of the span of the rows of U that is orthogonal to every row of V.

    The rows of U are independent, and more than the dimension of the span of V.
    """
    ...
''',
        checker=_orthogonal,
    ),
    Exercise(
        label="ex-prelim-greedy",
        page="preliminaries",
        kind="compute",
        difficulty=2,
        minutes=20,
        goal="Build sequences on which greed finds far fewer separated vectors than there are.",
        hint="The text has an example in a plane. Spaces that are orthogonal to each other do not interact.",
        stub='''
def example():
    """Return (vectors, gamma): six vectors of R^4 as rows, and the angle."""
    ...
''',
        checker=_greedy,
    ),
    Exercise(
        label="ex-prelim-mixture",
        page="preliminaries",
        kind="break",
        difficulty=2,
        minutes=20,
        goal="Recognise from three values of a density that it is not log-concave.",
        hint="What does concavity of the logarithm say of the middle of a segment? Look near the spike.",
        stub='''
def witness():
    """Return (s, a, b): a scale, and two points between which the density of the mixture is not log-concave."""
    ...
''',
        checker=_mixture,
    ),
    Exercise(
        label="ex-prelim-digits",
        page="preliminaries/digits",
        kind="compute",
        difficulty=1,
        minutes=20,
        goal="Say at which angles the arccosine of a rounded inner product can be used.",
        hint="How fast does the arccosine change at the cosine of the angle?",
        stub='''
def angle(delta, share):
    """Return the angle at which an error `delta` of the inner product is a relative error `share` of the arccosine."""
    ...
''',
        checker=_digits,
    ),
)
