"""Exercises of the chapter on repairing the halfspace theorem."""

from __future__ import annotations

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.halfspaces.instances import hidden_blocks
from lifelong.halfspaces.studies import openings_of
from lifelong.teaching.exercise import Exercise
from lifelong.teaching.grading import Submission, near, rows, whole


def _first_task(answer: Submission) -> None:
    for n in (60, 100, 106, 107, 120, 300, 500, 2000):
        # 11 features at 0.6 n over the accuracy, an attempt a task, and a task alone
        scratch, attempt, alone = 11 * 0.6 * n / 0.02, (4 * 11 + 20) / 0.1, 0.6 * n / 0.1
        m = answer.maybe(n)
        if m is None:
            if alone > attempt:
                answer.refuse("returned None (or is not completed), but for enough tasks it is cheaper")
            continue
        first = whole(m, answer.where)
        if alone <= attempt:
            answer.refuse("it never pays in this dimension: None is expected")
        if not scratch + first * attempt < first * alone:
            answer.refuse("after so many tasks it is not cheaper yet")
        if scratch + (first - 1) * attempt < (first - 1) * alone:
            answer.refuse("it was cheaper one task before")


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
    for k, epsilon in ((2, 0.1), (5, 0.1), (10, 0.02)):
        accuracy = answer.number(k, epsilon)
        if not 0 < accuracy < 0.5:
            answer.refuse("expected an error between 0 and one half")
        for share, accepted in ((0.999, True), (1.001, False)):
            eta = np.pi * accuracy * share
            targets = np.eye(k, 2 * k)
            learned = np.cos(eta) * targets + np.sin(eta) * np.eye(2 * k)[k:]
            if (subspace_angle(targets, learned) <= np.pi * epsilon) != accepted:
                answer.refuse("not the coarsest accuracy at which the span of the answers serves all of V")


def _blocks(answer: Submission) -> None:
    added, allowed = (whole(x, answer.where) for x in answer.parts(count=2))
    accuracy = bounds.exactly_k_accuracy(26, 0.1) * (1 + 1e-7)  # just too coarse
    if added != len(openings_of(*hidden_blocks(4, 26, np.pi * accuracy), 0.1)) - 104:
        answer.refuse("Algorithm 1 adds another number of features to the 104")
    below = bounds.features_after_orthonormal(104, 0.1, accuracy)
    if allowed != int(np.ceil(below)) - 1:
        answer.refuse("the fourth part allows another number of features beyond the 104")


def _cost_of_a_dimension(answer: Submission) -> None:
    for k, epsilon in ((2, 1e-3), (3, 1e-4), (5, 1e-4)):
        g = np.pi * epsilon
        exact = bounds.amplification(k + 1, g) / bounds.amplification(k, g)
        if not near(answer.number(epsilon), float(exact), 0.02):
            answer.refuse(f"not the factor from k = {k} on, as the amplification shows")


EXERCISES = (
    Exercise(
        label="ex-asymptotic",
        page="halfspaces/repair/index",
        kind="prove",
        difficulty=2,
        minutes=20,
        goal="Read off a recursion what each further dimension costs.",
        hint="Begin with two vectors, and see by which factor the recursion grows once its value is large.",
        stub='''
def factor(epsilon):
    """Return about by what factor n / epsilon_acc grows with each dimension, for small epsilon."""
    ...
''',
        checker=_cost_of_a_dimension,
    ),
    Exercise(
        label="ex-repair-crossover",
        page="halfspaces/repair/index",
        kind="compute",
        difficulty=1,
        minutes=15,
        goal="Decide from the prices of a chapter whether and when a shared span pays.",
        hint="First compare what one more task costs, shared and alone.",
        stub='''
def first_task(n):
    """Return the least number of tasks for which Algorithm 1 is cheaper in dimension n; None if there is none.

    As in the exercise: k = 10, epsilon = 0.1, accuracy epsilon/5, 11 features, and an attempt for every task.
    """
    ...
''',
        checker=_first_task,
    ),
    Exercise(
        label="ex-same-labels",
        page="halfspaces/repair/samples",
        kind="break",
        difficulty=2,
        minutes=30,
        goal="See why a hypothesis must be tested on labels that did not choose it.",
        hint="When is a number of mistakes binomial? Ask what the hypothesis depends on.",
    ),
    Exercise(
        label="ex-unknown-dimension",
        page="halfspaces/repair/spectral",
        kind="prove",
        difficulty=2,
        minutes=20,
        goal="Remove a parameter from an algorithm by guessing it, at a constant factor.",
        hint="How does the algorithm notice that a guess was too small, and how do the costs of the guesses add up?",
    ),
    Exercise(
        label="ex-near-a-space",
        page="halfspaces/repair/near",
        kind="prove",
        difficulty=2,
        minutes=25,
        goal="Tell a small effective dimension from nearness to a small space.",
        hint="For the converse let all targets lean away from one line, each in a direction of its own.",
        stub='''
def example(gamma, count):
    """Return (line, targets): a vector, and at most 20 targets as rows, all within gamma of the line it spans.

    Their effective dimension must be at least `count` (at most 9 here).
    """
    ...
''',
        checker=_near_a_line,
    ),
    Exercise(
        label="ex-exactly-power",
        page="halfspaces/repair/exactly_k",
        kind="prove",
        difficulty=2,
        minutes=25,
        goal="Bound what unequal accuracies can gain with two inequalities between means.",
        hint="Cauchy and Schwarz for the first part. Which two means of the sines does the price compare?",
    ),
    Exercise(
        label="ex-exactly-unequal",
        page="halfspaces/repair/exactly_k",
        kind="break",
        difficulty=3,
        minutes=40,
        goal="Show that a condition on unequal errors is exact, by an instance for every case.",
        hint="First find answers with the given inner products, then let all targets lean towards one direction.",
        stub='''
def example(errors, epsilon):
    """Return (targets, answers, rejected): orthonormal rows, answers of exactly these errors, and a target.

    The last lies in the span of the targets and has an error above epsilon in the span of the answers; law Gaussian.
    """
    ...
''',
        checker=_unequal,
    ),
    Exercise(
        label="ex-exactly-fresh",
        page="halfspaces/repair/exactly_k",
        kind="compute",
        difficulty=1,
        minutes=10,
        goal="See that only what errors have in common makes a span fail.",
        hint="Take the same coefficients for the answers as for the targets.",
        stub='''
def coarsest(k, epsilon):
    """Return the coarsest accuracy at which the answers serve every target of V."""
    ...
''',
        checker=_fresh,
    ),
    Exercise(
        label="ex-exactly-blocks",
        page="halfspaces/repair/exactly_k",
        kind="compute",
        difficulty=1,
        minutes=10,
        goal="Find an instance on which a bound is tight.",
        hint="Treat each group by itself. What does the fourth part divide?",
        stub='''
def features():
    """Return two numbers: features added beyond the 104, and how many the fourth part allows."""
    ...
''',
        checker=_blocks,
    ),
)
