"""Exercises of the discussion."""

from math import erfc

import numpy as np

from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near

_erfc = np.vectorize(erfc, otypes=[np.float64])


def _two_clusters(phi: float, mu: float) -> float:
    """Disagreement of two halfspaces at an angle, by the trapezoidal rule."""
    z = np.linspace(-9, 9, 3601)
    far = np.abs(mu + np.sqrt(1 - mu**2) * z) / np.tan(phi)
    weight = np.exp(-(z**2) / 2)
    return float(_erfc(far / np.sqrt(2)) @ weight / (2 * weight.sum()))


def _clusters(answer: Submission) -> None:
    for mu, error in ((0.9, 0.01), (0.99, 0.01), (0.999, 0.01), (0.95, 0.05)):
        degrees = answer.number(mu, error)
        if not 0 < degrees < 90:
            answer.refuse("expected an angle in degrees, between 0 and 90")
        if not near(_two_clusters(np.radians(degrees), mu), error, 0.02):
            answer.refuse("the halfspaces disagree with another probability at this angle")


EXERCISES = (
    Exercise(
        label="ex-discussion-clusters",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Compute how far off a good rule may be under a distribution that is not log-concave.",
        hint="The disagreement is a one-dimensional integral. The integrand has a corner: try a finer rule too.",
        answer="angle(mu, error)",
        returns="the angle in degrees at which the disagreement under two clusters reaches `error`.",
        checker=_clusters,
    ),
    Exercise(
        label="ex-discussion-quarter",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Use a central limit theorem to see what perfect rules lose when they are added up.",
        hint="Write target and hypothesis with two independent normalised sums. What is their joint limit?",
    ),
)
