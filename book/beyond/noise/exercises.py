"""Exercises of the page on pieces under noise."""

import numpy as np

from lifelong_book.beyond.noise.pieces import preorder_threshold
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near


def _tolerance(answer: Submission) -> None:
    for p, tolerance in ((0.02, 0.2), (0.05, 0.2), (0.01, 0.1), (0.1, 0.5)):
        s = answer.number(p, tolerance)
        if not 0 < s < 1:
            answer.refuse("expected a share of the targets")
        shown = lost = 0.0
        for used in (True, False):  # every way in which the two cells can come out
            for z in (True, False):
                for y in (True, False):
                    chance = (s if used else 1 - s) * (1 - p if z == used else p) * (1 - p if y == used else p)
                    shown += chance * z
                    lost += chance * (z and not y)
        if not near(lost / shown, tolerance, 1e-4):
            answer.refuse("at this frequency another share of the targets with the anchor is without its companion")


def _wrong_rate(answer: Submission) -> None:
    for p, q, n, delta in ((0.2, 0.196, 2, 0.01), (0.1, 0.09, 5, 0.01), (0.3, 0.28, 10, 0.05)):
        m = answer.number(p, q, n, delta)
        if not 2 <= m <= 1e9:
            answer.refuse("expected a number of targets")
        cells = np.array([(0 - q) / (1 - 2 * q), (1 - q) / (1 - 2 * q)])  # what a debiased cell may be
        mean = np.array([1 - p, p]) @ cells
        drift = mean * (1 - mean)  # x (1 - y) for two cells of a target without the variables; the same with them
        if abs(m * drift - preorder_threshold(int(m), n, q, delta=delta)[0]) > 0.03 * m * drift:
            answer.refuse("the mean does not cross the threshold about here")


EXERCISES = (
    Exercise(
        label="ex-rank-tolerance",
        asks=Asks("compute", difficulty=2, minutes=20),
        goal="Compute which pieces a tolerance can find in noise.",
        hint="Write down the four ways in which the two cells can come out, with and without the piece.",
        answer="least_share(p, tolerance)",
        returns="the least share of the targets that must use the piece, cells being flipped with probability p.",
        checker=_tolerance,
    ),
    Exercise(
        label="ex-noise-lower",
        asks=Asks("prove", difficulty=3, minutes=60),
        goal="Prove that no test does better, by the distance of two distributions.",
        hint="Only the number of ones matters. Change one variable at a time, and compare a sum with itself plus one.",
    ),
    Exercise(
        label="ex-noise-rate",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Compute how a slightly wrong belief adds up until a test notices it.",
        hint="What is the mean of a cell that was debiased with the wrong rate? How fast do both sides grow?",
        answer="crossing(p, q, n, delta)",
        returns="about how many targets it takes until the mean of D passes the threshold, believed q, true rate p > "
        "q.",
        checker=_wrong_rate,
    ),
)
