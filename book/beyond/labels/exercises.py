"""Exercises of the page on peers with as many labels."""

import numpy as np

from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission


def _shrunk(answer: Submission) -> None:
    rng = np.random.default_rng(3)
    for A, penalty in ((rng.standard_normal((6, 4)), 1.0), (rng.standard_normal((3, 5)), 2.5), (np.eye(3), 2.0)):
        W = answer.rows(A, penalty, shape=A.shape)
        sizes = np.linalg.svd(W)[1]
        pull = (A - W) / penalty  # optimal exactly if this has norm one at most, and is aligned with W
        if np.linalg.norm(pull, 2) > 1 + 1e-6 or abs((pull * W).sum() - sizes.sum()) > 1e-6 * (1 + sizes.sum()):
            answer.refuse("another matrix has a smaller value")


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
)
