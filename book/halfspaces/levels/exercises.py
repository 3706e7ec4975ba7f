"""Exercises of the chapter on two levels."""

from math import ceil, log

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, rows


def _wrong_sparsity(answer: Submission) -> None:
    for epsilon in (0.3, 0.11, 0.05, 0.02):
        vectors = answer.rows(epsilon, shape=(None, 2))
        if not len(vectors) or not vectors.any(axis=1).all():
            answer.refuse("expected nonzero vectors of the plane")
        directions = np.sort(np.arctan2(vectors[:, 1], vectors[:, 0]) % np.pi)
        gaps = np.diff(np.append(directions, directions[0] + np.pi))
        if (gaps <= np.pi * epsilon).any():
            answer.refuse("a target is within pi epsilon of the line of another, which has error at most epsilon on it")
        # so many lines, at equal angles, are still more than pi epsilon apart
        if len(vectors) < ceil(1 / epsilon) - 1:
            answer.refuse("a plane can add more features than that")


def _exponent(answer: Submission) -> None:
    for tau in (2, 3, 4):
        seen = {}
        for epsilon in (0.1, 1e-2, 1e-3, 1e-4):
            accuracy = answer.number(tau, epsilon)
            if not 0 < accuracy < epsilon:
                answer.refuse("expected an accuracy between 0 and epsilon")
            s, t = np.sin(np.pi * (epsilon - accuracy)), np.sin(np.pi * accuracy)
            if bounds.two_level_features(tau, float(s), float(t)) > tau:
                answer.refuse("the theorem allows more features than tau for each space")
            seen[epsilon] = accuracy
        for coarse, fine in ((0.1, 1e-2), (1e-2, 1e-3), (1e-3, 1e-4)):
            # below tau the condition fails for a small enough epsilon, however small the constant is
            if abs(log(seen[coarse] / seen[fine]) / log(coarse / fine) - tau) > 1e-6:
                answer.refuse("not c epsilon^nu with the least nu that is enough for every epsilon")


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
        label="ex-levels-wrong",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="See what a learner pays that believes in too small a sparsity.",
        hint="With single features, what does it take for a target of the plane to be accepted?",
        answer="stream(epsilon)",
        returns="targets of one plane as rows, all of which a learner with tau = 1 keeps, as many as possible.",
        given="Count the angle to the line of each other target: the learner answers exactly, and the law is Gaussian.",
        checker=_wrong_sparsity,
    ),
    Exercise(
        label="ex-levels-fine",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Read off the condition of a theorem how fine an accuracy must be, and test the exponent on an instance.",
        hint="Expand both sides of the theorem's condition for small epsilon, and compare the powers.",
        answer="accuracy(tau, epsilon)",
        returns="an accuracy of the second level, c epsilon^nu with the least possible nu; c may depend on tau.",
        given="It must give at most tau features a space by the theorem, for every epsilon up to 0.1 and a Gaussian "
        "law.",
        checker=_exponent,
    ),
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
