"""Laws outside the assumptions of Section 3: heavy tails, discrete corners, unequal variances."""

from dataclasses import KW_ONLY, dataclass
from math import erf, gamma, log, pi, sqrt

import numpy as np

from lifelong._checks import FloatArray
from lifelong.laws import Law

# laws ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudentT(Law):
    """A law outside the assumptions: Student's t in n variables, heavy tails, the same in every direction."""

    _: KW_ONLY
    df: float = 3.0
    name = "Student t"
    rotation_invariant = True

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        X *= _student_scale(self.df) * np.sqrt(self.df / rng.chisquare(self.df, (shape[0], 1)))
        return X


def _student_scale(df: float) -> float:
    """What makes the variance 1, where there is one."""
    return sqrt((df - 2) / df) if df > 2 else 1.0


@dataclass(frozen=True)
class ProductStudent(Law):
    """A law outside the assumptions: independent Student t coordinates, heavy tails along the axes."""

    _: KW_ONLY
    df: float = 3.0
    name = "product Student t"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.standard_t(self.df, shape) * _student_scale(self.df)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        # the rate does not depend on the scale; r = t / (1 - t)^2 spreads the long tail over [0, 1]
        if self.df <= 1:
            raise ValueError(f"df: expected more than 1 for a finite rate, got {self.df:g}")
        nodes, weights = np.polynomial.legendre.leggauss(400)
        t, w = (nodes + 1) / 2, weights / 2
        r, w = t / (1 - t) ** 2, w * (1 + t) / (1 - t) ** 3
        top = gamma((self.df + 1) / 2) / (gamma(self.df / 2) * sqrt(self.df * pi))
        spread = (1 + np.multiply.outer(c, r) ** 2 / self.df) * (1 + np.multiply.outer(s, r) ** 2 / self.df)
        rate: FloatArray = 2 * top**2 * (spread ** (-(self.df + 1) / 2) @ (r * w))
        return rate


class SignCube(Law):
    """A law outside the assumptions: uniform on {-1, 1}^n, isotropic, without a density."""

    name = "corners of a cube"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return np.where(rng.random(shape) < 0.5, -1.0, 1.0)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        raise ValueError(f"n: expected a law with a density, got {self}")


@dataclass(frozen=True)
class FourBumps(Law):
    """A law outside the assumptions: four narrow Gaussian bumps on two axes, standard normal in the other variables."""

    _: KW_ONLY
    width: float = 0.25
    name = "four bumps"

    @property
    def _centre(self) -> float:
        return sqrt(2 * (1 - self.width**2))

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        X[:, :2] *= self.width
        X[np.arange(shape[0]), rng.integers(2, size=shape[0])] += self._centre * (
            2 * rng.integers(2, size=shape[0]) - 1
        )
        return X

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        erfs = np.vectorize(erf, otypes=[np.float64])  # numpy has none

        def pair(along: FloatArray, across: FloatArray) -> FloatArray:
            # |r| against one bump and its mirror image: the mean of a folded normal variable
            along, across = along * self._centre / self.width, across * self._centre / self.width
            folded = sqrt(2 / pi) * np.exp(-(along**2) / 2) + along * erfs(along / sqrt(2))
            mean: FloatArray = folded * np.exp(-(across**2) / 2) / sqrt(2 * pi)
            return mean

        rate: FloatArray = (pair(c, s) + pair(s, c)) / 2
        return rate


@dataclass(frozen=True)
class StretchedGaussian(Law):
    """A law outside the assumptions: independent normal variables, thin from some coordinate on, near a subspace."""

    _: KW_ONLY
    thick: int = 1
    thickness: float = 0.1
    name = "near a subspace"

    @property
    def scales(self) -> FloatArray:
        """Standard deviation of each variable."""
        return np.where(np.arange(self.n) < self.thick, 1.0, self.thickness)

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.standard_normal(shape) * self.scales

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        a, b = self.scales[:2]
        rate: FloatArray = 1 / (pi * a * b * ((c / a) ** 2 + (s / b) ** 2))
        return rate


def cauchy_integral(theta: FloatArray) -> FloatArray:
    """A law outside the assumptions, independent Cauchy coordinates: disagreement of e_1 and e_1 turned by theta."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    x, t = (nodes + 1) / 2, np.tan(theta)[..., None]
    r = np.minimum(t * x**4, 1 - 1e-15)  # smooths the logarithm at 0
    density = np.log(r**2) / (r**2 - 1) * 4 * t * x**3
    return np.asarray(density @ weights / 2 / np.pi**2)


def cauchy_rate(n: int) -> float:
    r"""A law outside the assumptions, independent Cauchy: the rate along (1, -1, 0, ..., 0), the normal (1, ..., 1)."""
    if n == 2:
        return 2 / pi**2
    return 4 / pi**2 * sqrt(n / 2) * log(n / 2) / (n - 2)
