"""Exercise of the page on the printed counts of Theorem 2."""

import numpy as np

from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, rows


def _third_feature(answer: Submission) -> None:
    for epsilon in (0.1, 0.05, 0.2):
        first, second = answer.parts(epsilon, count=2)
        targets = rows(first, answer.where, shape=(3, 3))
        answers = rows(second, answer.where, shape=(2, 3))
        if not targets.any(axis=1).all() or not answers.any(axis=1).all():
            answer.refuse("a vector is zero")
        if np.linalg.matrix_rank(targets, tol=1e-9 * float(np.abs(targets).max())) > 2:
            answer.refuse("the targets do not lie in one plane")
        if any(angle(t, a) > np.pi * epsilon / 2 + 1e-9 for t, a in zip(targets, answers, strict=False)):
            answer.refuse("an answer has an error above epsilon / 2")
        if angle_to_subspace(targets[1], answers[:1]) <= np.pi * epsilon:
            answer.refuse("the second target is served by the first answer, so it brings no feature")
        if angle_to_subspace(targets[2], answers) <= np.pi * epsilon:
            answer.refuse("the third target is served by the first two answers")


EXERCISES = (
    Exercise(
        label="ex-levels-coarse",
        asks=Asks("explore", difficulty=2, minutes=30),
        goal="Tell a theorem that is silent from an algorithm that fails, and make it fail.",
        hint="Let the two answers lean to opposite sides of the plane. Where is its tilt the largest?",
        answer="example(epsilon)",
        returns="(targets, answers): three targets of a plane in R^3 as rows, and answers to the first two.",
        given="Each answer errs by at most epsilon / 2, and each target by more than epsilon in the span of the "
        "answers before it.",
        checker=_third_feature,
    ),
)
