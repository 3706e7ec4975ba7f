"""Exercises of the introduction and of the preliminaries."""

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong.halfspaces.angles import angle_to_subspace, effective_dimension, subspace_angle
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, family, near, number, rows, whole


def _regret(times: FloatArray, once: float, reused: float, alone: float) -> FloatArray:
    """The worst quotient of costs when sharing begins after so many tasks, over all numbers of tasks that may come."""
    more = np.geomspace(1e-12, 1e3, 61)[:, None] * (times + 1)  # the worst is the moment of the change
    paid = times * alone + once + more * reused
    return np.asarray((paid / np.minimum((times + more) * alone, once + (times + more) * reused)).max(axis=0))


def _crossover(answer: Submission) -> None:
    rng = np.random.default_rng(0)
    prices = [(5, 3000.0, 500.0, 600.0), (1, 2.0, 0.0, 1.0)]
    for _ in range(20):
        reused, alone, scratch = np.sort(rng.uniform(1, 5000, 3))
        prices.append((int(rng.integers(1, 50)), float(scratch), float(reused), float(alone)))
    for kept, scratch, reused, alone in prices:
        once = kept * (scratch - reused)
        t, quotient = (number(x, answer.where) for x in answer.parts(kept, scratch, reused, alone, count=2))
        if not t > 0:
            answer.refuse("expected a positive number of tasks")
        times = once / alone * np.geomspace(0.01, 1e4, 4001)
        here, others = _regret(np.array([t]), once, reused, alone), _regret(times, once, reused, alone)
        if here[0] > others.min() * (1 + 1e-6):
            answer.refuse("another moment has a smaller quotient")
        if not near(quotient, here[0], 1e-6):
            answer.refuse("the quotient at this moment is another one")


def _nothing_shared(answer: Submission) -> None:
    for n, epsilon in ((40, 0.1), (12, 0.05), (200, 0.01), (2, 0.1)):
        wasted, later = (number(x, answer.where) for x in answer.parts(n, epsilon, count=2))
        if not near(wasted * epsilon, sum(4 * features + 20 for features in range(1, n)), 1e-6):
            answer.refuse("the failed attempts of the first n tasks cost another number of labels")
        if not near(later * epsilon, 4 * n + 20, 1e-6):
            answer.refuse("a task that comes later costs another number of labels")


def _from_scratch(stream: BoolArray, *, cut: bool) -> int:
    """How many targets of a stream are no product of pieces: those learned before, whole or cut."""
    learned = pieces = stream[:0]
    for target in stream:
        if not np.array_equal(pieces[~(pieces & ~target).any(axis=1)].any(axis=0), target):
            learned = pieces = np.vstack([learned, target])
            if cut:
                pieces = np.array([learned[with_it].all(axis=0) for with_it in learned.T if with_it.any()])
    return len(learned)


def _cut(answer: Submission) -> None:
    for k in (2, 3, 4, 6):
        given, counted = answer.parts(k, count=2)
        stream, with_cuts = family(given, answer.where, shape=(None, k)), whole(counted, answer.where)
        if not stream.any(axis=1).all():
            answer.refuse("one of the targets is empty")
        if _from_scratch(stream, cut=False) < len(stream):
            answer.refuse("one of the targets is a product of targets before it")
        if len(stream) < 2**k - 1:
            answer.refuse("another stream is longer")
        if with_cuts != _from_scratch(stream, cut=True):
            answer.refuse("the learner that cuts learns another number of these targets from scratch")


def _mirror(answer: Submission) -> None:
    rng = np.random.default_rng(1)
    for k, n, right_angle in ((1, 3, False), (2, 4, False), (3, 7, False), (2, 5, True), (4, 5, False)):
        U, V = rng.standard_normal((k, n)), rng.standard_normal((k, n))
        if right_angle:  # one direction of U is perpendicular to V
            U[0] -= np.linalg.lstsq(V.T, U[0], rcond=None)[0] @ V
        v = answer.rows(U, V, shape=(n,))
        if not np.linalg.norm(v) > 1e-12:
            answer.refuse("expected a nonzero vector")
        v = v / np.linalg.norm(v)
        if angle_to_subspace(v, V) > 1e-6:
            answer.refuse("the vector is not in the span of the rows of V")
        if abs(float(angle_to_subspace(v, U)) - float(subspace_angle(U, V))) > 1e-6:
            answer.refuse("the vector is not as far from the span of U as some vector of U is from the span of V")


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
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Decide when to begin to share if nobody says how many tasks will come.",
        hint="Which number of tasks is the unluckiest for a given t? Look at the moment when P has just been paid.",
        answer="switch(kept, scratch, reused, alone)",
        returns="(t, quotient): the best moment to begin to share, not rounded, and the worst quotient then.",
        given="`kept` tasks are learned from scratch; the prices of a task are reused < alone < scratch.",
        checker=_crossover,
    ),
    Exercise(
        label="ex-intro-nothing",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Find what a loop loses on tasks that share nothing, and bound the loss by a rule for giving up.",
        hint="How many vectors does each failed attempt have? Ask when an attempt costs more than the task itself.",
        answer="labels(n, epsilon)",
        returns="(wasted, later): labels of the failed attempts of the first n tasks, and of each task after them.",
        given="The targets of the first n tasks are perpendicular to each other; the first of them makes no attempt.",
        checker=_nothing_shared,
    ),
    Exercise(
        label="ex-intro-attempt",
        asks=Asks("prove", difficulty=1, minutes=15),
        goal="Bound the queries of an elimination by what each counterexample removes for good.",
        hint="What does a positive counterexample tell of each piece that is still in the hypothesis?",
    ),
    Exercise(
        label="ex-intro-cut",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="See that a representation must cut what it has learned, or else pay for exponentially many targets.",
        hint="When is a target a product of others? Try three variables, and ask what all pieces still contain.",
        answer="streams(k)",
        returns="(stream, cut): a longest stream all of which is learned from scratch, and how many of it with "
        "cutting.",
        given="`stream` has a row of zeros and ones over k variables for each target; `cut` is a number.",
        checker=_cut,
    ),
    Exercise(
        label="ex-prelim-dimension",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="See three facts about angles of subspaces in the singular values of one matrix.",
        hint="What is the length of the projection of a unit vector? A matrix and its transpose have the same norm.",
        answer="mirror(U, V)",
        returns="a vector of the span of V whose angle to the span of U is theta(U, V).",
        given="U and V have equally many rows, which are independent.",
        checker=_mirror,
    ),
    Exercise(
        label="ex-prelim-greedy",
        asks=Asks("compute", difficulty=2, minutes=20),
        goal="Build sequences on which greed finds far fewer separated vectors than there are.",
        hint="The text has an example in a plane. Spaces that are orthogonal to each other do not interact.",
        answer="example()",
        returns="(vectors, gamma): six vectors of R^4 as rows, and the angle.",
        checker=_greedy,
    ),
    Exercise(
        label="ex-prelim-mixture",
        asks=Asks("break", difficulty=2, minutes=20),
        goal="Recognise from three values of a density that it is not log-concave.",
        hint="What does concavity of the logarithm say of the middle of a segment? Look near the spike.",
        answer="witness()",
        returns="(s, a, b): a scale, and two points between which the density of the mixture is not log-concave.",
        checker=_mixture,
    ),
    Exercise(
        label="ex-prelim-digits",
        asks=Asks("compute", difficulty=1, minutes=20),
        goal="Say at which angles the arccosine of a rounded inner product can be used.",
        hint="How fast does the arccosine change at the cosine of the angle?",
        answer="angle(delta, share)",
        returns="the angle at which an error `delta` of the inner product is a relative error `share` of the "
        "arccosine.",
        checker=_digits,
    ),
)
