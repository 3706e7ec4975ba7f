"""Exercises of the chapters on the assumptions, and on other methods."""

from __future__ import annotations

from itertools import product

import numpy as np

from lifelong.teaching.exercise import Exercise
from lifelong.teaching.grading import Submission, near, rows


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


EXERCISES = (
    Exercise(
        label="ex-beyond-spectral",
        page="halfspaces/peers/index",
        kind="compute",
        difficulty=2,
        minutes=30,
        goal="Compare a spectral method with the streaming ones, on random and on rare directions.",
        hint="How long is the rare vector in the matrix of the results, and how are the errors of the others spread?",
    ),
    Exercise(
        label="ex-beyond-lean",
        page="halfspaces/assumptions/index",
        kind="break",
        difficulty=2,
        minutes=25,
        goal="Find from where on features that lean lose a target of their own span.",
        hint="Which corner is worst for the equal mixture, and what does the proof ask of three corners together?",
        stub='''
def weights(b):
    """Return three weights of the features 10 e_i + b e_4 with error 0 on e_1 + e_2 + e_3; None if there are none."""
    ...
''',
        checker=_leaning,
    ),
    Exercise(
        label="ex-beyond-flat",
        page="halfspaces/assumptions/index",
        kind="prove",
        difficulty=2,
        minutes=25,
        goal="Carry a theorem over to a distribution that lives on a subspace.",
        hint="Through which vectors do target and hypothesis enter the formula? Compute with these images.",
    ),
    Exercise(
        label="ex-beyond-noise",
        page="halfspaces/assumptions/labels",
        kind="prove",
        difficulty=1,
        minutes=20,
        goal="Compute what a test sees when labels are flipped, and up to which rate it works unchanged.",
        hint="When do hypothesis and noisy label differ? Which hypothesis that must pass is the worst?",
        stub='''
def largest_noise(epsilon):
    """Return the largest rate of flipped labels at which the test still accepts."""
    ...
''',
        checker=_largest_noise,
    ),
)
