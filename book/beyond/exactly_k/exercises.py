"""Exercises of the page on exactly k features and on targets near a space."""

import numpy as np

from lifelong.halfspaces.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong_book.beyond.exactly_k.answers import features, hidden_blocks, later_most
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, rows, whole


def _near_a_line(answer: Submission) -> None:
    for gamma in (0.1, 0.3, 1.0, 1.5):
        for count in (1, 2, 5, 9):
            axis, targets = answer.parts(gamma, count, count=2)
            line = rows(axis, answer.where, shape=(None,))
            vectors = rows(targets, answer.where, shape=(None, len(line)))
            if not line.any() or not vectors.any(axis=1).all():
                answer.refuse("a vector is zero")
            if len(vectors) > 20:
                answer.refuse("expected at most 20 targets")
            if (angle_to_subspace(vectors, line[None]) > gamma + 1e-9).any():
                answer.refuse("a target is farther than gamma from the line")
            if effective_dimension(vectors, gamma) < count:
                answer.refuse("the effective dimension of the targets is not so large")


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


def _fresh(answer: Submission) -> None:
    rng, directions = np.random.default_rng(0), [np.eye(4), np.ones((5, 1)), np.eye(3, 8)]
    for k, d in ((6, 3), (5, 40), (2, 2)):
        drawn = rng.standard_normal((k, d))
        directions.append(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    for F in directions:
        for epsilon in (0.1, 0.02):
            accuracy = answer.number(F, epsilon)
            if not 0 < accuracy < 0.5:
                answer.refuse("expected an error between 0 and one half")
            k, d = F.shape
            for share, accepted in ((0.999, True), (1.001, False)):
                eta = np.pi * accuracy * share
                learned = np.hstack([np.cos(eta) * np.eye(k), np.sin(eta) * F])
                if (subspace_angle(np.eye(k, k + d), learned) <= np.pi * epsilon) != accepted:
                    answer.refuse("not the coarsest accuracy at which the span of the answers serves all of V")


def _blocks(answer: Submission) -> None:
    for most in (256, 60):
        said = answer(most)
        if not isinstance(said, tuple | list | set | range | np.ndarray):
            answer.refuse("expected a list of numbers")
        found = {whole(x, answer.where) for x in said}
        if not found <= set(range(1, most + 1)):
            answer.refuse("expected numbers from 1 on, up to the given one")
        size = next(b for b in range(2, 60) if len(features(*hidden_blocks(1, b, np.pi * 0.02), 0.1)) > b)
        agree = {k for k in range(1, most + 1) if int(np.ceil(later_most(k, 0.1, 0.02))) - 1 == k // size}
        if found != agree:
            answer.refuse("for some k of the list the two differ, or some k for which they agree is missing")


EXERCISES = (
    Exercise(
        label="ex-exactly-power",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Bound what unequal accuracies can gain with two inequalities between means.",
        hint="Cauchy and Schwarz for the first part. Which two means of the sines does the price compare?",
    ),
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
    Exercise(
        label="ex-exactly-fresh",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Measure what errors have in common by one number, and see that only this makes a span fail.",
        hint="Write the span of the answers as the graph of a linear map. What is the largest angle to a graph?",
        answer="coarsest(F, epsilon)",
        returns="the coarsest accuracy at which the answers serve every target of V; the rows of F are the f_i.",
        checker=_fresh,
    ),
    Exercise(
        label="ex-exactly-blocks",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Find out how far a bound can be from the truth, and where it is exact.",
        hint="Treat each group by itself. Round both counts before you compare them.",
        answer="agree(most)",
        returns="the k from 1 to `most` for which the groups add exactly as many features as the fourth part allows.",
        given="At epsilon = 0.1 and the accuracy epsilon / 5.",
        checker=_blocks,
    ),
    Exercise(
        label="ex-near-a-space",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Tell a small effective dimension from nearness to a small space.",
        hint="For the converse let all targets lean away from one line, each in a direction of its own.",
        answer="example(gamma, count)",
        returns="(line, targets): a vector, and at most 20 targets as rows, all within gamma of the line it spans.",
        given="Their effective dimension must be at least `count` (at most 9 here).",
        checker=_near_a_line,
    ),
)
