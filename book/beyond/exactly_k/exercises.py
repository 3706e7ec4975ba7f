"""Exercise of the page on exactly k dimensions."""

import numpy as np

from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, rows


def _unequal(answer: Submission) -> None:
    for errors, epsilon in (((0.05, 0.09), 0.1), ((0.03, 0.08, 0.1, 0.02), 0.1), ((0.15, 0.2, 0.2), 0.21)):
        k = len(errors)
        first, second, last = answer.parts(np.array(errors), epsilon, count=3)
        targets = rows(first, answer.where, shape=(k, None))
        n = targets.shape[1]
        learned, rejected = (
            rows(second, answer.where, shape=(k, n)),
            rows(last, answer.where, shape=(n,)),
        )
        if not np.allclose(targets @ targets.T, np.eye(k), rtol=0, atol=1e-9):
            answer.refuse("the targets are not orthonormal")
        if not learned.any(axis=1).all() or not rejected.any():
            answer.refuse("a vector is zero")
        for i in range(k):
            if abs(angle(targets[i], learned[i]) - np.pi * errors[i]) > 1e-7:
                answer.refuse(f"answer {i} does not have its error under a Gaussian law")
        if angle_to_subspace(rejected, targets) > 1e-7:
            answer.refuse("the last target is not in the span of the others")
        if np.linalg.matrix_rank(learned) < k:
            answer.refuse("the answers are dependent")
        if angle_to_subspace(rejected, learned) <= np.pi * epsilon:
            answer.refuse("the last target is not rejected: the span of the answers has it within epsilon")


EXERCISES = (
    Exercise(
        label="ex-exactly-unequal",
        asks=Asks("break", difficulty=3, minutes=40),
        goal="Show that a condition on unequal errors is exact, by an instance for every case.",
        hint="First find answers with the given inner products, then let all targets lean towards one direction.",
        answer="example(errors, epsilon)",
        returns="(targets, answers, rejected): orthonormal rows, answers of exactly these errors, and a target.",
        given="The last lies in the span of the targets and has an error above epsilon in the span of the answers; "
        "law Gaussian.",
        checker=_unequal,
    ),
)
