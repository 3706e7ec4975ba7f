"""Exercises of the chapter on two levels."""

from __future__ import annotations

from math import ceil, comb, log

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.direct_studies import direct_labels
from lifelong.teaching.exercise import Exercise
from lifelong.teaching.grading import Submission, near, number


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
        slope = log(seen[1e-2] / seen[1e-4]) / log(100)
        if slope > tau + 0.05:
            answer.refuse("as epsilon falls, this becomes finer than need be: a smaller exponent is enough")


def _second_level(answer: Submission) -> None:
    for n, k, r in ((1000, 60, 60), (2000, 60, 60), (1000, 20, 100), (300, 30, 40), (100, 60, 60)):
        sparse = 40 * (2 + log(comb(2 * r, 2)) + 5)
        once = 2 * r * (4 * k + 20) / 0.025 + k * 0.6 * n / 0.00625
        others = {"learning alone": (6.0 * n, 0.0), "one level": ((4 * k + 20) / 0.1, k * 0.6 * n / 0.02)}
        found = answer.parts_or_none(n, k, r, count=2)
        for value, (name, (each, before)) in zip(found, others.items(), strict=True):
            if value is None:
                if each > sparse and once > before:
                    answer.refuse(f"None, but for enough tasks two levels are cheaper than {name}")
                continue
            if each <= sparse:
                answer.refuse(f"two levels never become cheaper than {name}: None is expected")
            m = number(value, answer.where)
            if m <= 0 or not near(m * sparse + once, m * each + before, 2e-3):
                answer.refuse(f"this is not where two levels and {name} cost the same")


def _direct_bill(answer: Submission) -> None:
    for m in (6000, 600):
        for N in range(2, 7):
            accuracy = bounds.plane_accuracy(0.1, features=N)
            case = {"n": 1000, "tau": 2, "m": m, "epsilon": 0.1}
            bill = direct_labels(**case, epsilon_acc=accuracy, features=60 * N)  # type: ignore[arg-type]
            if not near(answer.number(N, m), sum(bill.values()), 0.01):
                answer.refuse("the worst case costs another number of labels a task")


def _growth(answer: Submission) -> None:
    for f in (3.0, 5.0, 8.0):
        for epsilon in (1e-2, 1e-3):
            said = answer.number(epsilon, f)
            # the leading term: from one accuracy to the other the count grows as the proposition's does
            counted = bounds.plane_features(epsilon**2, epsilon**2 / f) - bounds.plane_features(epsilon, epsilon / f)
            if abs(answer.number(epsilon**2, f) - said - counted) > 2:
                answer.refuse("squaring epsilon does not add as many features as the proposition says")


EXERCISES = (
    Exercise(
        label="ex-levels-wrong",
        page="halfspaces/levels/index",
        kind="break",
        difficulty=2,
        minutes=25,
        goal="See what a learner pays that believes in too small a sparsity.",
        hint="With single features, what does it take for a target of the plane to be accepted?",
        stub='''
def stream(epsilon):
    """Return targets of one plane as rows, all of which a learner with tau = 1 keeps, as many as possible.

    Count the angle to the line of each other target: the learner answers exactly, and the law is Gaussian.
    """
    ...
''',
        checker=_wrong_sparsity,
    ),
    Exercise(
        label="ex-levels-coarse",
        page="halfspaces/levels/index",
        kind="explore",
        difficulty=1,
        minutes=20,
        goal="Tell a theorem that is silent from an algorithm that fails.",
        hint="Put the accuracy into the condition of the theorem, then run random tasks.",
    ),
    Exercise(
        label="ex-levels-line",
        page="halfspaces/levels/proof",
        kind="prove",
        difficulty=1,
        minutes=10,
        goal="Compare a theorem with its simplest case, and see what its constants lose.",
        hint="How many targets are there on a line, up to sign and length?",
    ),
    Exercise(
        label="ex-levels-fine",
        page="halfspaces/levels/proof",
        kind="compute",
        difficulty=2,
        minutes=25,
        goal="Read off the condition of a theorem how fine an accuracy must be, and test the exponent on an instance.",
        hint="Expand both sides of the theorem's condition for small epsilon, and compare the powers.",
        stub='''
def accuracy(tau, epsilon):
    """Return an accuracy of the second level, c epsilon^nu with the least possible nu.

    It must give at most tau features a space by the theorem, for epsilon up to 0.1 and a Gaussian law.
    """
    ...
''',
        checker=_exponent,
    ),
    Exercise(
        label="ex-levels-tasks",
        page="halfspaces/levels/cost",
        kind="compute",
        difficulty=1,
        minutes=15,
        goal="Decide with a bill of labels whether a second level pays.",
        hint="Each bill is a price a task plus a price paid once, divided by the number of tasks.",
        stub='''
def from_task(n, k, r):
    """Return (alone, one_level): the numbers of tasks from which on two levels are cheaper; None where never.

    As in the exercise: tau = 2, epsilon = 0.1, quarters, k features of the first level and 2r of the second.
    """
    ...
''',
        checker=_second_level,
    ),
    Exercise(
        label="ex-direct-line",
        page="halfspaces/levels/direct",
        kind="prove",
        difficulty=2,
        minutes=15,
        goal="Find the step of a proof that gives something away in its simplest case.",
        hint="On a line, what is the combination of features compared with, and what does it pay for?",
    ),
    Exercise(
        label="ex-direct-growth",
        page="halfspaces/levels/direct",
        kind="prove",
        difficulty=3,
        minutes=45,
        goal="Find the growth of a count from the fixed point of a recursion.",
        hint="While the angle is small the recursion is linear: what is its factor, and how far is there to go?",
        stub='''
def leading(epsilon, f):
    """Return the leading term of the number of features of a plane at accuracy epsilon / f, for small epsilon."""
    ...
''',
        checker=_growth,
    ),
    Exercise(
        label="ex-direct-cheapest",
        page="halfspaces/levels/direct",
        kind="compute",
        difficulty=2,
        minutes=20,
        goal="Choose how many features a plane should keep when fewer need a finer accuracy.",
        hint="Which of the two terms of the bill changes much from one number of features to the next?",
        stub='''
def bill(N, m):
    """Return the labels a task in the worst case, N features a plane, at the coarsest accuracy that allows them.

    As in the exercise: n = 1000, r = 60, tau = 2, epsilon = 0.1; `bounds.plane_accuracy` has the accuracy.
    """
    ...
''',
        checker=_direct_bill,
    ),
)
