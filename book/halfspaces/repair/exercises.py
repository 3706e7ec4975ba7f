"""Exercises of the chapter on repairing the halfspace theorem."""

import numpy as np

from lifelong.halfspaces import bounds
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, smallest_holdout, whole


def _strangers(answer: Submission) -> None:
    for n, k in ((500, 10), (2000, 10), (300, 5), (120, 10), (100, 10), (50, 3)):
        share = answer.number(n, k)
        if not 0 <= share < 1:
            answer.refuse("expected a share of the tasks")
        if 0.6 * n <= 4 * k + 20:
            if share > 0:
                answer.refuse("an attempt costs more than a task alone in this dimension, without any strangers")
            continue
        if not share > 0:
            answer.refuse("without strangers enough tasks make Algorithm 1 cheaper")
        m = np.geomspace(1, 1e7, 20_001)
        for factor, ahead in ((0.995, True), (1.005, False)):
            strangers = factor * share
            saved = 0.6 * n * m - 3 * n * (k + strangers * m) - (4 * k + 20) * m - 2 * strangers * m**2
            if (saved.max() > 0) != ahead:
                answer.refuse("this is not the share from which on Algorithm 1 is never cheaper")


def _cost_of_a_dimension(answer: Submission) -> None:
    for k, epsilon in ((2, 1e-3), (3, 1e-4), (5, 1e-4)):
        g = np.pi * epsilon
        exact = bounds.amplification(k + 1, g) / bounds.amplification(k, g)
        if not near(answer.number(epsilon), float(exact), 0.02):
            answer.refuse(f"not the factor from k = {k} on, as the amplification shows")


def _promise(answer: Submission) -> None:
    for epsilon, delta in ((0.1, 0.05), (0.2, 0.01), (0.1, 0.01)):
        labels, most = (whole(x, answer.where) for x in answer.parts(epsilon, delta, count=2))
        smallest_holdout(answer, labels, most, (epsilon / 2, epsilon), delta)


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
        label="ex-asymptotic",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Read off a recursion what each further dimension costs.",
        hint="Begin with two vectors, and see by which factor the recursion grows once its value is large.",
        answer="factor(epsilon)",
        returns="about by what factor n / epsilon_acc grows with each dimension, for small epsilon.",
        checker=_cost_of_a_dimension,
    ),
    Exercise(
        label="ex-same-labels",
        asks=Asks("break", difficulty=2, minutes=30),
        goal="See why a hypothesis must be tested on labels that did not choose it.",
        hint="When is a number of mistakes binomial? Ask what the hypothesis depends on.",
    ),
    Exercise(
        label="ex-intro-threshold",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Price a test by what it promises, with exact probabilities.",
        hint="Only the two borders of the error count. Keep one promise with the largest t, and look at the other.",
        answer="test(epsilon, delta)",
        returns="(labels, most): the least number of labels, and how many wrong ones are still accepted.",
        given="An error of epsilon is accepted, and one of epsilon / 2 rejected, with probability at most delta each.",
        checker=_promise,
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
    Exercise(
        label="ex-unknown-dimension",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Remove a parameter from an algorithm by guessing it, at a constant factor.",
        hint="How does the algorithm notice that a guess was too small, and how do the costs of the guesses add up?",
    ),
    Exercise(
        label="ex-repair-crossover",
        asks=Asks("break", difficulty=2, minutes=30),
        goal="See how few tasks outside of the common space take the profit from the others.",
        hint="How many features are there after m tasks? The labels saved are a quadratic in m.",
        answer="share(n, k)",
        returns="the share of strangers from which on Algorithm 1 is never cheaper; 0 if it is not without them.",
        checker=_strangers,
    ),
)
