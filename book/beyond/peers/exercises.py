"""Exercises of the page on peers."""

import numpy as np

from lifelong.halfspaces.angles import subspace_angle
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, whole


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


EXERCISES = (
    Exercise(
        label="ex-beyond-spectral",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="See when a spectral method finds a direction that one task alone needs.",
        hint="How long is the rare vector in the matrix of the results, and how are the errors of the others spread?",
    ),
    Exercise(
        label="ex-beyond-shrink",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="See what a penalty on singular values does to a direction that few tasks use.",
        hint="Compare the singular values of the two matrices one by one. What singular value do equal rows have?",
        answer="shrunk(A, penalty)",
        returns="the W that minimises half of |W - A|^2 plus the penalty times the sum of its singular values.",
        checker=_shrunk,
    ),
    Exercise(
        label="ex-beyond-average",
        asks=Asks("prove", difficulty=3, minutes=40),
        goal="Find how random errors average out in a space that many tasks share.",
        hint="To first order the leading space is a graph that fits the errors. What is the norm of a random matrix?",
        answer="tilt(eta, m, k, n)",
        returns="about the angle of the space of the k leading singular vectors of m answers to V, for a small eta.",
        checker=_average,
    ),
    Exercise(
        label="ex-beyond-promise",
        asks=Asks("compute", difficulty=1, minutes=20),
        goal="Turn a bound on a mean into a promise for each task, by a test.",
        hint="What do the errors of those above the limit add up to at least?",
        answer="above(m, mean, epsilon)",
        returns="the largest number of m tasks that can have an error above epsilon, if their mean error is `mean`.",
        checker=_above,
    ),
)
