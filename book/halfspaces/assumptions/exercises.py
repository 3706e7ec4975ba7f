"""Exercises of the chapters on the assumptions, and on other methods."""

from itertools import product

import numpy as np

from lifelong.halfspaces.angles import subspace_angle
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, binomial, near, rows, whole


def _leaning(answer: Submission) -> None:
    corners = np.array(list(product((-1, 1), repeat=4)))
    labels = np.where(corners[:, :3].sum(axis=1) >= 0, 1, -1)
    for b in range(10):
        features = np.hstack([10 * np.eye(3), np.full((3, 1), b)])
        found = answer.maybe(b)
        if found is None:
            # three equal weights do, if any do: permuting them and averaging keeps error 0
            if (np.where(corners @ features.sum(axis=0) >= 0, 1, -1) == labels).all():
                answer.refuse("returned None (or is not completed), but the span holds a vector of error 0")
            continue
        weights = rows(found, answer.where, shape=(3,))
        if not (np.where(corners @ (weights @ features) >= 0, 1, -1) == labels).all():
            answer.refuse("the combination errs at a corner of the cube")


def _largest_noise(answer: Submission) -> None:
    for epsilon in (0.2, 0.1, 0.01, 0.4):
        eta = answer.number(epsilon)
        if not 0 <= eta < 0.5:
            answer.refuse("expected a rate of flips below one half")
        error = epsilon / 2  # the worst hypothesis that must pass
        if not near(error * (1 - eta) + (1 - error) * eta, 0.75 * epsilon, 1e-6):
            answer.refuse("the test does not stand on the edge at this rate")


def _shrunk(answer: Submission) -> None:
    rng = np.random.default_rng(3)
    for A, penalty in ((rng.standard_normal((6, 4)), 1.0), (rng.standard_normal((3, 5)), 2.5), (np.eye(3), 2.0)):
        W = answer.rows(A, penalty, shape=A.shape)
        sizes = np.linalg.svd(W)[1]
        pull = (A - W) / penalty  # optimal exactly if this has norm one at most, and is aligned with W
        if np.linalg.norm(pull, 2) > 1 + 1e-6 or abs((pull * W).sum() - sizes.sum()) > 1e-6 * (1 + sizes.sum()):
            answer.refuse("another matrix has a smaller value")


def _average(answer: Submission) -> None:
    for n, k, m in ((60, 20, 400), (400, 4, 200), (120, 40, 1000), (150, 100, 600)):
        rng, seen = np.random.default_rng(n), []
        for _ in range(5):
            targets = np.linalg.qr(rng.standard_normal((m, k)))[0] * np.sqrt(m / k)
            errors = rng.standard_normal((m, n - k))
            errors /= np.linalg.norm(errors, axis=1, keepdims=True)
            leading = np.linalg.svd(np.hstack([targets, 1e-4 * errors]), full_matrices=False)[2][:k]
            seen.append(float(subspace_angle(np.eye(k, n), leading)))
        if not near(answer.number(1e-4, m, k, n), float(np.median(seen)), 0.08):  # a norm is below its limit
            answer.refuse("the space of the leading singular vectors is at another angle")


def _above(answer: Submission) -> None:
    for m, mean, epsilon in ((200, 1 / 32, 1 / 8), (100, 1 / 64, 1 / 16), (50, 3 / 128, 1 / 8), (8, 1 / 64, 1 / 4)):
        most = whole(answer(m, mean, epsilon), answer.where)
        if not 0 <= most <= m:
            answer.refuse("expected a number of tasks")
        if most * epsilon >= m * mean and most > 0:
            answer.refuse("so many tasks above epsilon make the mean larger")
        if (most + 1) * epsilon < m * mean:
            answer.refuse("one more task can be above epsilon")


def _noisy_test(answer: Submission) -> None:
    for epsilon, delta, eta in ((0.2, 0.05, 0.0), (0.2, 0.05, 0.1), (0.1, 0.1, 0.05)):
        high, low = (eta + (1 - 2 * eta) * e for e in (epsilon, epsilon / 2))
        labels, most = (whole(x, answer.where) for x in answer.parts(epsilon, delta, eta, count=2))
        if not 0 <= most < labels <= 10**5:
            answer.refuse("expected a number of labels, and fewer disagreements that are still accepted")
        if binomial(labels, high)[most] > delta * (1 + 1e-9):
            answer.refuse("a hypothesis of error epsilon is accepted more often than it may be")
        if 1 - binomial(labels, low)[most] > delta * (1 + 1e-9):
            answer.refuse("a hypothesis of half the error is rejected more often than it may be")
        for fewer in range(1, labels):
            accepted = int((binomial(fewer, high) <= delta).sum()) - 1
            if accepted >= 0 and 1 - binomial(fewer, low)[accepted] <= delta * (1 - 1e-9):
                answer.refuse("fewer labels are enough")


EXERCISES = (
    Exercise(
        label="ex-beyond-spectral",
        page="halfspaces/peers/index",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Compare a spectral method with the streaming ones, on random and on rare directions.",
        hint="How long is the rare vector in the matrix of the results, and how are the errors of the others spread?",
    ),
    Exercise(
        label="ex-beyond-shrink",
        page="halfspaces/peers/index",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="See what a penalty on singular values does to a direction that few tasks use.",
        hint="Compare the singular values of the two matrices one by one. What singular value do equal rows have?",
        stub='''
def shrunk(A, penalty):
    """Return the W that minimises half of |W - A|^2 plus the penalty times the sum of its singular values."""
    ...
''',
        checker=_shrunk,
    ),
    Exercise(
        label="ex-beyond-lean",
        page="halfspaces/assumptions/index",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Find from where on features that lean lose a target of their own span.",
        hint="Which corner is worst for the equal mixture, and what does the proof ask of three corners together?",
        stub='''
def weights(b):
    """Return three weights of the features 10 e_i + b e_4 with error 0 on e_1 + e_2 + e_3; None if there are none."""
    ...
''',
        checker=_leaning,
    ),
    Exercise(
        label="ex-beyond-flat",
        page="beyond/tails",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Carry a theorem over to a distribution that lives on a subspace.",
        hint="Through which vectors do target and hypothesis enter the formula? Compute with these images.",
    ),
    Exercise(
        label="ex-beyond-noise",
        page="beyond/tails",
        asks=Asks("prove", difficulty=1, minutes=20),
        goal="Compute what a test sees when labels are flipped, and up to which rate it works unchanged.",
        hint="When do hypothesis and noisy label differ? Which hypothesis that must pass is the worst?",
        stub='''
def largest_noise(epsilon):
    """Return the largest rate of flipped labels at which the test still accepts."""
    ...
''',
        checker=_largest_noise,
    ),
    Exercise(
        label="ex-beyond-price",
        page="beyond/tails",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Price a test on labels of which some are wrong, and see which rate of growth the noise takes away.",
        hint="With which probability does a hypothesis of a given error disagree with a label? Only two borders count.",
        stub='''
def test(epsilon, delta, eta):
    """Return (labels, most): the least number of labels, and how many disagreements are still accepted.

    Labels are flipped with rate eta; an error of epsilon is accepted, and one of epsilon / 2 rejected, with
    probability at most delta each.
    """
    ...
''',
        checker=_noisy_test,
    ),
    Exercise(
        label="ex-beyond-average",
        page="beyond/tails",
        asks=Asks("prove", difficulty=3, minutes=40),
        goal="Find how random errors average out in a space that many tasks share.",
        hint="To first order the leading space is a graph that fits the errors. What is the norm of a random matrix?",
        stub='''
def angle(eta, m, k, n):
    """Return about the angle of the space of the k leading singular vectors of m answers to V, for a small eta."""
    ...
''',
        checker=_average,
    ),
    Exercise(
        label="ex-beyond-promise",
        page="beyond/tails",
        asks=Asks("compute", difficulty=1, minutes=20),
        goal="Turn a bound on a mean into a promise for each task, by a test.",
        hint="What do the errors of those above the limit add up to at least?",
        stub='''
def above(m, mean, epsilon):
    """Return the largest number of m tasks that can have an error above epsilon, if their mean error is `mean`."""
    ...
''',
        checker=_above,
    ),
)
