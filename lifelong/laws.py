"""The laws of the examples: isotropic log-concave laws on R^n and product laws on {0,1}^n.

A law on R^n is *isotropic* when its mean is zero and its covariance the identity. Every such law
here is *log-concave* (its density is the exponential of a concave function), as Section 3 assumes. Laws that are
not, for the study of what happens then, are a `Law` and no `IsotropicLaw`.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import (
    BoolArray,
    FloatArray,
    RNGLike,
    bool_array,
    integer,
    number,
    random_generator,
    real_array,
    same_dimension,
)
from lifelong._contracts import checked, checked_record

__all__ = [
    "ISOTROPIC_LAWS",
    "BooleanProduct",
    "CentredExponential",
    "Gaussian",
    "IsotropicLaw",
    "Laplace",
    "Law",
    "Logistic",
    "Ridge",
    "UniformBall",
    "UniformCube",
    "isotropic_law",
]


@checked_record
@dataclass(frozen=True)
class Law:
    """A law of examples in R^n: a dimension and a sampler. Nothing else is promised.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Attributes
    ----------
    name : str
        What the law is called in tables and figures.
    rotation_invariant : bool
        Whether the disagreement of two halfspaces is their angle over pi exactly.

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    See Also
    --------
    IsotropicLaw : The laws that Section 3 assumes.

    Notes
    -----
    `algo-one` and `algo-two` run under every law; what `thm-halfspaces` and `thm-two-levels` promise needs an
    `IsotropicLaw`, or another with constants like those of `lem-angle`.

    Examples
    --------
    A law says how to draw, and may say at which rate a turning halfspace disagrees:

    >>> class Corner(Law):
    ...     name = "uniform on [0, 1]^n"
    ...     def _draw(self, shape, rng):
    ...         return rng.random(shape)
    >>> bool((Corner(3).sample(100, rng=0) >= 0).all())
    True
    >>> Corner(3).planar_rate(0.0)
    Traceback (most recent call last):
    NotImplementedError: Corner does not define _rate
    """

    n: int
    name = "law"
    rotation_invariant = False

    def __post_init__(self) -> None:
        integer("n", self.n, least=1)

    @checked
    def sample(self, size: int, *, rng: RNGLike = None) -> FloatArray:
        """Independent draws.

        Parameters
        ----------
        size : int
            How many.
        rng : None, int, SeedSequence, BitGenerator or Generator
            Anything that `numpy.random.default_rng` takes.

        Returns
        -------
        float64, shape (size, n)
            One draw a row.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.

        Examples
        --------
        >>> bool(abs(UniformCube(2).sample(1000, rng=0)).max() <= 3**0.5)
        True
        """
        return self._draw((integer("size", size, least=0, most=10**9), self.n), random_generator(rng))

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        raise NotImplementedError(f"{type(self).__name__} does not define _draw")

    def planar_rate(self, phi: ArrayLike) -> FloatArray:
        r"""Disagreement per radian of a halfspace turning in the plane of two coordinates.

        Parameters
        ----------
        phi : array_like of float
            Direction in the plane of the boundary line, in radians.

        Returns
        -------
        float64, the shape of `phi`
            :math:`q(\varphi) = \int_{-\infty}^{\infty} |r|\, f(r\cos\varphi, r\sin\varphi)\, dr`, with f the
            density of the first two coordinates. The disagreement of two vectors of that plane
            is the integral of q between their boundary lines, so the best constants of `lem-angle` in that plane
            are the smallest and the largest q.

        Raises
        ------
        ValueError
            If `phi` is not finite, or the law has one dimension only.
        NotImplementedError
            If the law does not say.

        Examples
        --------
        >>> print(f"{Gaussian(2).planar_rate(0.3) * np.pi:.6f}")
        1.000000
        """
        integer("n", self.n, least=2)
        angles = real_array("phi", phi, axes=0)
        return self._rate(np.cos(angles), np.sin(angles))

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        """`planar_rate` in the direction (c, s); the same in all directions when the law is."""
        if not self.rotation_invariant:
            raise NotImplementedError(f"{type(self).__name__} does not define _rate")
        return np.full_like(c, 1 / np.pi)


class IsotropicLaw(Law):
    """An isotropic log-concave law on R^n; the base of the laws below.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Attributes
    ----------
    name : str
        As in `Law`.
    rotation_invariant : bool
        As in `Law`.

    See Also
    --------
    isotropic_law : One of the six by its name.
    Ridge : A seventh, with a worse constant in `lem-angle`.

    Notes
    -----
    The assumption on the marginals in `lem-angle`, `thm-halfspaces` and `thm-two-levels`.

    References
    ----------
    L. Lovász and S. Vempala, *The geometry of logconcave functions and sampling algorithms*, Random Structures and
    Algorithms 30, 2007, 307-358. M.-F. Balcan and P. Long, *Active and passive learning of linear separators under
    log-concave distributions*, COLT 2013, PMLR 30, 288-316.

    Examples
    --------
    >>> law = Laplace(3)
    >>> law.sample(2, rng=0).shape
    (2, 3)
    """

    name = "isotropic law"


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
    """Uniform law on the ball of radius sqrt(n + 2), which makes it isotropic.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> X = UniformBall(5).sample(1000, rng=0)
    >>> bool(np.linalg.norm(X, axis=1).max() <= 7**0.5)
    True
    """

    name = "uniform in a ball"
    rotation_invariant = True

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        radius: FloatArray = np.sqrt(self.n + 2) * rng.random((shape[0], 1)) ** (1 / self.n)
        return X * radius


class UniformCube(IsotropicLaw):
    """Uniform law on the cube with half side sqrt(3).

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> print(np.round(UniformCube(2).planar_rate([0, np.pi / 4]), 4))
    [0.25 0.5 ]
    """

    name = "uniform in a cube"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.uniform(-np.sqrt(3), np.sqrt(3), shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        # density 1/12 up to radius sqrt(3) / max(|c|, |s|), on both sides
        rate: FloatArray = 1 / (4 * np.maximum(np.abs(c), np.abs(s)) ** 2)
        return rate


class Laplace(IsotropicLaw):
    """Independent Laplace (two-sided exponential) coordinates of variance 1.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> print(np.round(Laplace(2).planar_rate([0, np.pi / 4]), 4))
    [0.5  0.25]
    """

    name = "Laplace"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.laplace(scale=1 / np.sqrt(2), size=shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        rate: FloatArray = 1 / (2 * (np.abs(c) + np.abs(s)) ** 2)
        return rate


class Logistic(IsotropicLaw):
    """Independent logistic coordinates of variance 1.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> print(np.round(Logistic(2).planar_rate([0, np.pi / 4]), 3))
    [0.347 0.295]
    """

    name = "logistic"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.logistic(scale=np.sqrt(3) / np.pi, size=shape)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        # with scale b: q = 2 / (16 b^2) * integral of r sech^2(cr/2b) sech^2(sr/2b) dr, r = b t
        t, weight = np.polynomial.legendre.leggauss(200)
        t, weight = 40 * (t + 1), 40 * weight
        density = t / (np.cosh(np.multiply.outer(c, t) / 2) * np.cosh(np.multiply.outer(s, t) / 2)) ** 2
        rate: FloatArray = density @ weight / 8
        return rate


class CentredExponential(IsotropicLaw):
    """Independent coordinates, each an exponential variable minus 1: log-concave, not symmetric.

    Parameters
    ----------
    n : int
        Dimension, at least 1.

    Notes
    -----
    One of the laws for which `lem-angle` is checked.

    Examples
    --------
    >>> print(f"{CentredExponential(2).planar_rate(np.pi / 4):.4f} {0.5 + np.exp(-2):.4f}")
    0.6353 0.6353
    """

    name = "centred exponential"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return rng.exponential(size=shape) - 1

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        return self._ray(c, s) + self._ray(-c, -s)

    @staticmethod
    def _ray(c: FloatArray, s: FloatArray) -> FloatArray:
        """Integral of r exp(-2 - (c + s) r) over the r >= 0 at which both coordinates are >= -1."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            end = np.minimum(np.where(c < 0, -1 / c, np.inf), np.where(s < 0, -1 / s, np.inf))
            z = (c + s) * end
            # 1 - (1 + z) e^{-z} loses its digits near 0: take the series there
            exact = (1 - np.where(np.isinf(z), 0.0, (1 + z) * np.exp(-z))) / (c + s) ** 2
            series = end**2 * (1 / 2 - z / 3 + z**2 / 8 - z**3 / 30)
            rate: FloatArray = np.exp(-2) * np.where(np.abs(z) < 1e-3, series, exact)
        return rate


@checked_record
@dataclass(frozen=True)
class Ridge(IsotropicLaw):
    """A ridge with soft ends in the first two variables, standard normal in the others.

    The first two variables have the density proportional to exp(-max(abs(x), abs(y) - kappa)), each scaled to
    variance 1.

    Parameters
    ----------
    n : int
        Dimension, at least 2.
    kappa : float, default 5.69
        Half the length of the top of the ridge before scaling, not negative.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Log-concave. Along the first axis it has the least rate that we know for `lem-angle`; the default kappa makes
    it least.

    Examples
    --------
    >>> print(f"{Ridge(2).planar_rate(0.0):.4f}")
    0.1916
    """

    _: KW_ONLY
    kappa: float = 5.69
    name = "ridge"

    def __post_init__(self) -> None:
        integer("n", self.n, least=2)
        number("kappa", self.kappa, low=0.0, high=np.inf, open_high=True)

    @property
    def _scales(self) -> tuple[float, float]:
        """Standard deviations before scaling: a mixture of rectangles with half sides t and t + kappa."""
        k = self.kappa
        variances = np.array([24 + 6 * k, 24 + 18 * k + 6 * k**2 + k**3]) / (3 * (2 + k))
        return float(np.sqrt(variances[0])), float(np.sqrt(variances[1]))

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        t = rng.gamma(np.where(rng.random(shape[0]) < 2 / (2 + self.kappa), 3.0, 2.0))
        sides = np.stack([t, t + self.kappa], axis=1)
        X[:, :2] = rng.uniform(-1, 1, (shape[0], 2)) * sides / self._scales
        return X

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        a, b = self._scales
        p, q = np.abs(c) * a, np.abs(s) * b  # the density falls like exp(-p r), then like exp(kappa - q r)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            turn = np.where(q > p, self.kappa / (q - p), np.inf)  # r at which the second takes over
            first = np.where(
                p * turn < 1e-6, turn**2 / 2, (1 - np.where(np.isinf(turn), 0.0, _gamma_tail(p * turn))) / p**2
            )
            second = np.where(np.isinf(turn), 0.0, np.exp(self.kappa) * _gamma_tail(q * turn) / q**2)
        rate: FloatArray = 2 * a * b * (first + second) / (4 * (2 + self.kappa))
        return rate


def _gamma_tail(z: FloatArray) -> FloatArray:
    """Integral of t exp(-t) from z on."""
    tail: FloatArray = (1 + z) * np.exp(-z)
    return tail


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
    if not isinstance(name, str) or name not in ISOTROPIC_LAWS:
        raise ValueError(f"name: expected one of {', '.join(ISOTROPIC_LAWS)}, got {name!r}")
    return ISOTROPIC_LAWS[name](n)


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
        p = real_array("probabilities", probabilities)
        if p.ndim != 1 or (p < 0).any() or (p > 1).any():
            raise ValueError(f"probabilities: expected shape (n,) with values in [0, 1], got {probabilities!r}")
        object.__setattr__(self, "probabilities", p)

    @property
    def n(self) -> int:
        """Number of variables."""
        return len(self.probabilities)

    def sample(self, size: int, *, rng: RNGLike = None) -> BoolArray:
        """Independent draws.

        Parameters
        ----------
        size : int
            How many.
        rng : None, int, SeedSequence, BitGenerator or Generator
            Anything that `numpy.random.default_rng` takes.

        Returns
        -------
        bool, shape (size, n)
            One draw a row.

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        shape = (integer("size", size, least=0, most=10**9), self.n)
        drawn: BoolArray = random_generator(rng).random(shape) < self.probabilities
        return drawn

    def probability(self, conjunction: ArrayLike) -> float:
        """Probability that a conjunction is true.

        Parameters
        ----------
        conjunction : array_like, shape (n,), bool
            Its variables; none of them is the constant true.

        Returns
        -------
        float
            The product of the probabilities of its variables; 1 for none.

        Raises
        ------
        ValueError
            If `conjunction` is not one row of n booleans.
        """
        row = bool_array("conjunction", conjunction, axes=1)
        same_dimension("conjunction", row, self.n, "the law")
        return float(np.prod(self.probabilities[row]))
