"""The laws of the examples: isotropic log-concave laws on R^n and product laws on {0,1}^n.

A law on R^n is *isotropic* when its mean is zero and its covariance the identity. Every such law
here is *log-concave* (its density is the exponential of a concave function), as Section 3 assumes. Laws that are
not, for the study of what happens then, are a `Law` and no `IsotropicLaw`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, RNGLike, bool_array, integer, one_of, random_generator, real_array


@dataclass(frozen=True)
class Law:
    """A law of examples in R^n: a dimension and a sampler. Nothing else is promised."""

    n: int
    name = "law"
    rotation_invariant = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", integer("n", self.n, least=1))

    def sample(self, size: int, *, rng: RNGLike = None) -> FloatArray:
        """Independent draws."""
        return self._draw((integer("size", size, least=0, most=10**9), self.n), random_generator(rng))

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        raise NotImplementedError(f"{type(self).__name__} does not define _draw")

    def planar_rate(self, phi: ArrayLike) -> Any:
        r"""Disagreement per radian of a halfspace turning in the plane of two coordinates."""
        integer("n", self.n, least=2)
        angles = real_array("phi", phi, axes=0)
        return self._rate(np.cos(angles), np.sin(angles))

    def _rate(self, c: FloatArray, s: FloatArray) -> Any:
        """`planar_rate` in the direction (c, s); the same in all directions when the law is."""
        if not self.rotation_invariant:
            raise NotImplementedError(f"{type(self).__name__} does not define _rate")
        return np.full_like(c, 1 / np.pi)


class IsotropicLaw(Law):
    """An isotropic log-concave law on R^n; the base of the laws below."""


class Gaussian(IsotropicLaw):
    """Standard normal law.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> Gaussian(2).rotation_invariant
    True
    """

    name = "Gaussian"
    rotation_invariant = True

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.standard_normal(shape)


class UniformBall(IsotropicLaw):
    """Uniform law on the ball of radius sqrt(n + 2), which makes it isotropic."""

    name = "uniform in a ball"
    rotation_invariant = True

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        return np.asarray(X * (np.sqrt(self.n + 2) * rng.random((shape[0], 1)) ** (1 / self.n)))


class UniformCube(IsotropicLaw):
    """Uniform law on the cube with half side sqrt(3)."""

    name = "uniform in a cube"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.uniform(-np.sqrt(3), np.sqrt(3), shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> Any:
        # density 1/12 up to radius sqrt(3) / max(|c|, |s|), on both sides
        return 1 / (4 * np.maximum(np.abs(c), np.abs(s)) ** 2)


class Laplace(IsotropicLaw):
    """Independent Laplace (two-sided exponential) coordinates of variance 1."""

    name = "Laplace"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.laplace(scale=1 / np.sqrt(2), size=shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> Any:
        return 1 / (2 * (np.abs(c) + np.abs(s)) ** 2)


class Logistic(IsotropicLaw):
    """Independent logistic coordinates of variance 1."""

    name = "logistic"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.logistic(scale=np.sqrt(3) / np.pi, size=shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> Any:
        # with scale b: q = 2 / (16 b^2) * integral of r sech^2(cr/2b) sech^2(sr/2b) dr, r = b t
        t, weight = np.polynomial.legendre.leggauss(200)
        t, weight = 40 * (t + 1), 40 * weight
        density = t / (np.cosh(np.multiply.outer(c, t) / 2) * np.cosh(np.multiply.outer(s, t) / 2)) ** 2
        return density @ weight / 8


class CentredExponential(IsotropicLaw):
    """Independent coordinates, each an exponential variable minus 1: log-concave, not symmetric."""

    name = "centred exponential"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.exponential(size=shape) - 1

    def _rate(self, c: FloatArray, s: FloatArray) -> Any:
        return self._ray(c, s) + self._ray(-c, -s)

    @staticmethod
    def _ray(c: FloatArray, s: FloatArray) -> Any:
        """Integral of r exp(-2 - (c + s) r) over the r >= 0 at which both coordinates are >= -1."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            end = np.minimum(np.where(c < 0, -1 / c, np.inf), np.where(s < 0, -1 / s, np.inf))
            z = (c + s) * end
            # 1 - (1 + z) e^{-z} loses its digits near 0: take the series there
            exact = (1 - np.where(np.isinf(z), 0.0, (1 + z) * np.exp(-z))) / (c + s) ** 2
            series = end**2 * (1 / 2 - z / 3 + z**2 / 8 - z**3 / 30)
            return np.exp(-2) * np.where(np.abs(z) < 1e-3, series, exact)


#: The six laws of the book by the name used in tables and figures.
ISOTROPIC_LAWS: dict[str, type[IsotropicLaw]] = {
    "gaussian": Gaussian,
    "ball": UniformBall,
    "cube": UniformCube,
    "laplace": Laplace,
    "logistic": Logistic,
    "exponential": CentredExponential,
}


def isotropic_law(name: str, n: int) -> IsotropicLaw:
    """The isotropic law of a given name.

    Parameters
    ----------
    name : str
        A key of `ISOTROPIC_LAWS`: gaussian, ball, cube, laplace, logistic or exponential.
    n : int
        Dimension, at least 1.

    Returns
    -------
    IsotropicLaw
        In n dimensions.

    Raises
    ------
    ValueError
        If the name is unknown or `n` is not a positive integer.

    See Also
    --------
    ISOTROPIC_LAWS : The names.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> isotropic_law("cube", 4)
    UniformCube(n=4)
    """
    return ISOTROPIC_LAWS[one_of("name", name, *ISOTROPIC_LAWS)](n)


@dataclass(frozen=True, eq=False, init=False)
class BooleanProduct:
    """Product law on {0,1}^n: independent bits, bit i set with its own probability.

    Parameters
    ----------
    probabilities : array_like, shape (n,), float
        Probability of a 1 for each variable, in [0, 1].

    Raises
    ------
    ValueError
        If `probabilities` is empty, not one row, NaN or outside [0, 1].

    See Also
    --------
    lifelong.conjunctions.tasks.ConjunctionTask, lifelong.polynomials.tasks.PolynomialTask : What draws from it.

    Notes
    -----
    The law of `thm-product-anchor`.

    Examples
    --------
    >>> law = BooleanProduct([0.0, 1.0])
    >>> law.sample(2, rng=0)
    array([[False,  True],
           [False,  True]])
    """

    probabilities: FloatArray

    def __init__(self, probabilities: ArrayLike) -> None:
        p = real_array("probabilities", probabilities, most=1)
        if p.min() < 0 or p.max() > 1:
            raise ValueError(f"probabilities: expected values in [0, 1], got {p.min():g} to {p.max():g}")
        object.__setattr__(self, "probabilities", p)

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.probabilities)

    def sample(self, size: int, *, rng: RNGLike = None) -> BoolArray:
        """Independent draws."""
        shape = (integer("size", size, least=0, most=10**9), self.n)
        return np.asarray(random_generator(rng).random(shape) < self.probabilities)

    def probability(self, conjunction: ArrayLike) -> float:
        """Probability that a conjunction is true."""
        row = bool_array("conjunction", conjunction, axes=1, n=self.n, like="the law")
        return float(np.prod(self.probabilities[row]))
