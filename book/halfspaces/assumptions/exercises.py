"""Exercises of the chapter on the assumptions, and of the page on laws and data without them."""

from itertools import product

import numpy as np

from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, rows, smallest_holdout, whole


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


def _noisy_test(answer: Submission) -> None:
    for epsilon, delta, eta in ((0.2, 0.05, 0.0), (0.2, 0.05, 0.1), (0.1, 0.1, 0.05)):
        rates = (eta + (1 - 2 * eta) * epsilon / 2, eta + (1 - 2 * eta) * epsilon)
        labels, most = (whole(x, answer.where) for x in answer.parts(epsilon, delta, eta, count=2))
        smallest_holdout(answer, labels, most, rates, delta)


EXERCISES = (
    Exercise(
        label="ex-beyond-lean",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Find from where on features that lean lose a target of their own span.",
        hint="Which corner is worst for the equal mixture, and what does the proof ask of three corners together?",
        answer="weights(b)",
        returns="three weights of the features 10 e_i + b e_4 with error 0 on e_1 + e_2 + e_3; None if there are none.",
        checker=_leaning,
    ),
    Exercise(
        label="ex-beyond-flat",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Carry a theorem over to a distribution that lives on a subspace.",
        hint="Through which vectors do target and hypothesis enter the formula? Compute with these images.",
    ),
    Exercise(
        label="ex-beyond-noise",
        asks=Asks("prove", difficulty=1, minutes=20),
        goal="Compute what a test sees when labels are flipped, and up to which rate it works unchanged.",
        hint="When do hypothesis and noisy label differ? Which hypothesis that must pass is the worst?",
        answer="largest_noise(epsilon)",
        returns="the largest rate of flipped labels at which the test still accepts.",
        checker=_largest_noise,
    ),
    Exercise(
        label="ex-beyond-price",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Price a test on labels of which some are wrong, and see which rate of growth the noise takes away.",
        hint="With which probability does a hypothesis of a given error disagree with a label? Only two borders count.",
        answer="test(epsilon, delta, eta)",
        returns="(labels, most): the least number of labels, and how many disagreements are still accepted.",
        given="Labels are flipped with rate eta; an error of epsilon is accepted, and one of epsilon / 2 rejected, "
        "with\n"
        "probability at most delta each.",
        checker=_noisy_test,
    ),
)
