"""Exercises of the chapter on angles and errors."""

from math import comb

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, number, rows


def _log_logistic(x: FloatArray) -> FloatArray:
    """Logarithm of the logistic density of variance 1."""
    scale = np.sqrt(3) / np.pi
    y = np.abs(x) / scale
    return np.asarray(-y - np.log(scale) - 2 * np.log1p(np.exp(-y)))


def _logistic(answer: Submission) -> None:
    r = np.linspace(0, 60, 60_001)
    for phi in (0.0, np.pi / 4, 0.3, 1.2, np.pi / 2, 2.0):
        density = np.exp(_log_logistic(r * np.cos(phi)) + _log_logistic(r * np.sin(phi)))
        if not near(answer.number(float(phi)), 2 * float(np.trapezoid(r * density, r)), 2e-4):
            answer.refuse("not the rate at this angle")


def _laplace(answer: Submission) -> None:
    for N in (1, 2, 3, 5, 10, 60):
        # by the characteristic function, (1 + t^2)^-N: the mean is an integral of (1 - cos^2N) / sin^2
        if not near(answer.number(N), sum(comb(2 * j, j) / 4**j for j in range(N)), 5e-6):
            answer.refuse("not the mean absolute value of a sum of so many")


def _waves(turns: FloatArray, parts: NDArray[np.int64], count: int) -> float:
    """The strongest of many waves of the angle, by itself and times waves of the part; about exponential by chance."""
    cells = np.zeros((count, 512))
    np.add.at(cells, (parts, np.floor(turns * 512).astype(int) % 512), 1)
    return float((np.abs(np.fft.fft2(cells)[:, 1:256]) ** 2).max() / len(turns))


def _one_over_pi(answer: Submission) -> None:
    count = 500_000
    points = answer.rows(count, np.random.default_rng(0), shape=(count, 2))
    if not points.any(axis=1).all():
        answer.refuse("some point is the origin, where a distribution with a density has no mass")
    if len(np.unique(points @ [1, 1j])) < 0.99 * count:
        answer.refuse("points come up again and again, so the distribution has no density")
    turns = np.arctan2(points[:, 1], points[:, 0]) / (2 * np.pi)
    # of 255 waves one passes 20 by chance in some million samples; a Gaussian law stretched by 2 % gives about 50
    if _waves(2 * turns, np.zeros(count, dtype=np.int64), 1) > 20:
        answer.refuse("some halfspaces do not disagree in proportion to their angle")
    size = np.round(np.log(np.linalg.norm(points, axis=1)), 9)  # as rotations leave it, but for rounding
    ranks = np.searchsorted(np.quantile(size, np.arange(1, 16) / 16), size)
    if _waves(turns, ranks, 16) < 25:
        answer.refuse("no sector can be told from the others: the distribution looks rotation-invariant")


def _anisotropic(answer: Submission) -> None:
    phi = np.linspace(0, np.pi / 2, 200_001)
    for s in (0.2, 0.5, 1.0, 1.7, 6.0):
        # to divide a coordinate by s makes the law a round one, where angle over pi is the probability
        rates = np.diff(np.arctan2(np.sin(phi) / s, np.cos(phi))) / (np.pi * np.diff(phi))
        low, high = (number(x, answer.where) for x in answer.parts(s, count=2))
        if not (near(low, float(rates.min()), 1e-3) and near(high, float(rates.max()), 1e-3)):
            answer.refuse("these are not the best constants: one is not valid, or can be improved")


def _scaled(answer: Submission) -> None:
    for alpha in (1.2, 1.5, 3.0):
        g = np.random.default_rng(3).gamma(alpha, size=50)
        s = rows(answer(alpha, g), answer.where, shape=(50,))
        factor = s / g
        if not (s > 0).all() or not np.allclose(factor, factor[0], rtol=1e-9):
            answer.refuse("expected the numbers g times one positive constant")
        # E[1/g] = B(alpha - 1, ...) by integrating g^(alpha - 2) e^-g; substitution t = g^(alpha - 1) removes the pole
        t = np.linspace(0, 60 ** (alpha - 1), 400_001)
        weight = np.exp(-(t ** (1 / (alpha - 1))))
        total = np.linspace(0, 60, 400_001)
        mass = np.trapezoid(total ** (alpha - 1) * np.exp(-total), total)
        if not near(factor[0], float(np.trapezoid(weight, t) / ((alpha - 1) * mass)), 1e-3):
            answer.refuse("with these numbers x does not have the covariance I")


EXERCISES = (
    Exercise(
        label="ex-angles-mean",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Tell a constant rate of disagreement from a rotation-invariant density.",
        hint="Which pair of halfspaces has a known disagreement? Along a line only one integral counts.",
        answer="sample(count, rng)",
        returns="`count` points of the plane as rows, drawn with the generator `rng`.",
        given="Halfspaces must disagree in proportion to their angle; half a million points must show that the law is "
        "not\n"
        "rotation-invariant.",
        checker=_one_over_pi,
    ),
    Exercise(
        label="ex-angles-anisotropic",
        asks=Asks("break", difficulty=1, minutes=15),
        goal="Compute how the two constants part when a law is stretched.",
        hint="Write the density on a line through the origin, and integrate |r| against it.",
        answer="constants(s)",
        returns="(c, c'), the best constants for a Gaussian of covariance diag(1, s^2), s > 0.",
        checker=_anisotropic,
    ),
    Exercise(
        label="ex-angles-heavy",
        asks=Asks("break", difficulty=1, minutes=15),
        goal="See that heavy tails alone do not separate error from angle.",
        hint="Does a positive factor change the sign of an inner product? Compute E[1/g] for the Gamma variable.",
        answer="scale(alpha, g)",
        returns="s for draws g of a Gamma variable of shape alpha > 1: proportional to g, with E[1/s] = 1.",
        checker=_scaled,
    ),
    Exercise(
        label="ex-angles-logistic",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Evaluate the rate of a product law along an axis and along the diagonal.",
        hint="Along an axis the two coordinates separate. Along the diagonal, integrate by parts.",
        answer="rate(phi)",
        returns="the rate q(phi) of the logistic law, by any method, with four correct digits.",
        checker=_logistic,
    ),
    Exercise(
        label="ex-angles-laplace",
        asks=Asks("prove", difficulty=3, minutes=40),
        goal="Compute a mean absolute value by splitting a variable into a size and a direction.",
        hint="The size and the direction are independent. Substitute the product B(1 - B) in the integral.",
        answer="mean_absolute(N)",
        returns="the mean absolute value of a sum of N independent Laplace variables of scale 1, to six digits.",
        checker=_laplace,
    ),
)
