"""Life-long learning of halfspaces where the assumptions of Section 3 fail: other laws, wrong labels, real images."""

from __future__ import annotations

from dataclasses import dataclass
from math import gamma, log, pi, sqrt
from typing import Any, NamedTuple

import numpy as np

from lifelong._checks import FloatArray, integer, number, real_array, same_size
from lifelong.angles import unit
from lifelong.distributions import IsotropicLaw
from lifelong.halfspaces import Subspace
from lifelong.learners import NotSeparableError
from lifelong.stream import How
from lifelong.tasks import Counts, HalfspaceTask, signs

__all__ = [
    "Digits",
    "FourBumps",
    "NoisyTask",
    "PoolTask",
    "ProductStudent",
    "RobustSubspace",
    "SignCube",
    "StretchedGaussian",
    "StudentT",
    "bipartitions",
    "cauchy_disagreement",
    "cauchy_rate",
    "digits",
    "ridge_halfspace",
]

# laws ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudentT(IsotropicLaw):
    """Student's t law in n variables: heavy tails, the same in every direction.

    Parameters
    ----------
    n : int
        Dimension, at least 1.
    df : float, default 3
        Degrees of freedom, positive; the covariance is the identity above 2 and does not exist below.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Not log-concave, and yet `lem-angle` holds with both constants 1/pi: see `prop-rotation-invariant`.

    Examples
    --------
    >>> law = StudentT(2, df=1.0)
    >>> law.rotation_invariant, law.sample(3, rng=0).shape
    (True, (3, 2))
    """

    df: float = 3.0
    name = "Student t"
    rotation_invariant = True

    def __post_init__(self) -> None:
        super().__post_init__()
        number("df", self.df, low=0.0, high=np.inf, open_low=True, open_high=True)

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        X = rng.standard_normal(shape)
        X *= _student_scale(self.df) * np.sqrt(self.df / rng.chisquare(self.df, (shape[0], 1)))
        return X


def _student_scale(df: float) -> float:
    """What makes the variance 1, where there is one."""
    return sqrt((df - 2) / df) if df > 2 else 1.0


@dataclass(frozen=True)
class ProductStudent(IsotropicLaw):
    """Independent Student t coordinates: heavy tails along the axes.

    Parameters
    ----------
    n : int
        Dimension, at least 1.
    df : float, default 3
        Degrees of freedom, positive; the variance is 1 above 2 and does not exist below.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The upper half of `lem-angle` holds in the plane if and only if df > 1. At df = 1 `cauchy_disagreement` is exact.

    Examples
    --------
    >>> print(np.round(ProductStudent(2, df=3.0).planar_rate([0.0, np.pi / 4]), 4))
    [0.4053 0.2702]
    """

    df: float = 3.0
    name = "product Student t"

    def __post_init__(self) -> None:
        super().__post_init__()
        number("df", self.df, low=0.0, high=np.inf, open_low=True, open_high=True)

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


class SignCube(IsotropicLaw):
    """Uniform law on {-1, 1}^n: isotropic, without a density.

    Notes
    -----
    Both halves of `lem-angle` fail: see `prop-sign-cube`. There is no `planar_rate`.

    Examples
    --------
    >>> X = SignCube(3).sample(4, rng=0)
    >>> bool((abs(X) == 1).all())
    True
    """

    name = "corners of a cube"

    def _draw(self, shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return np.where(rng.random(shape) < 0.5, -1.0, 1.0)

    def _rate(self, c: FloatArray, s: FloatArray) -> FloatArray:
        raise ValueError(f"n: expected a law with a density, got {self}")


@dataclass(frozen=True)
class FourBumps(IsotropicLaw):
    """Four narrow Gaussian bumps on two axes, and standard normal in the other variables.

    Parameters
    ----------
    n : int
        Dimension, at least 2.
    width : float, default 0.25
        Standard deviation of a bump, in (0, 1).

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Isotropic and not log-concave. The constants of `lem-angle` exist and are bad: along a diagonal there is
    almost nothing.

    Examples
    --------
    >>> [f"{q:.4f}" for q in FourBumps(2).planar_rate([0.0, np.pi / 4])]
    ['1.0925', '0.0009']
    """

    width: float = 0.25
    name = "four bumps"

    def __post_init__(self) -> None:
        integer("n", self.n, least=2)
        number("width", self.width, low=0.0, high=1.0, open_low=True, open_high=True)

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
        from scipy.special import erf

        def pair(along: FloatArray, across: FloatArray) -> FloatArray:
            # |r| against one bump and its mirror image: the mean of a folded normal variable
            along, across = along * self._centre / self.width, across * self._centre / self.width
            folded = sqrt(2 / pi) * np.exp(-(along**2) / 2) + along * erf(along / sqrt(2))
            mean: FloatArray = folded * np.exp(-(across**2) / 2) / sqrt(2 * pi)
            return mean

        rate: FloatArray = (pair(c, s) + pair(s, c)) / 2
        return rate


@dataclass(frozen=True)
class StretchedGaussian(IsotropicLaw):
    """Independent centred normal variables, thin from some coordinate on: a law near a subspace.

    Parameters
    ----------
    n : int
        Dimension, at least 1.
    thick : int, default 1
        How many of the first variables have standard deviation 1.
    thickness : float, default 0.1
        Standard deviation of the others, positive.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Not isotropic, so outside the hypothesis of `thm-halfspaces`. A linear map makes it so, hence
    `prop-rotation-invariant` applies: the rate lies between thickness/pi and 1/(pi thickness).

    Examples
    --------
    >>> print(np.round(np.pi * StretchedGaussian(2, 1, 0.1).planar_rate([0.0, np.pi / 2]), 6))
    [10.   0.1]
    """

    thick: int = 1
    thickness: float = 0.1
    name = "near a subspace"

    def __post_init__(self) -> None:
        super().__post_init__()
        integer("thick", self.thick, least=0, most=self.n)
        number("thickness", self.thickness, low=0.0, high=np.inf, open_low=True, open_high=True)

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


def cauchy_disagreement(theta: Any) -> FloatArray:
    r"""Disagreement of the first axis with a vector at an angle, for independent Cauchy coordinates.

    Parameters
    ----------
    theta : array_like of float
        Angle in the plane of two coordinates, in (0, pi/4], in radians.

    Returns
    -------
    float64, the shape of `theta`
        :math:`\pi^{-2}\int_0^{\tan\theta}\ln(r^2)/(r^2-1)\,dr`: the ratio of the coordinates has twice this density.

    Raises
    ------
    ValueError
        If an angle is out of range.

    Notes
    -----
    For small angles about (2 theta / pi^2) (1 + ln(1/theta)): no constant times the angle bounds it, so the upper half
    of `lem-angle` fails, by a logarithm.

    Examples
    --------
    >>> print(f"{cauchy_disagreement(np.pi / 4):.6f}")
    0.250000
    """
    angles = real_array("theta", theta, axes=0)
    if (angles <= 0).any() or (angles > pi / 4 + 1e-12).any():
        raise ValueError(f"theta: expected angles in (0, pi/4], got {theta!r}")
    t = np.tan(angles)[..., None]
    nodes, weights = np.polynomial.legendre.leggauss(60)
    x = (nodes + 1) / 2
    r = t * x**4  # smooths the logarithm at 0
    density = -2 * np.log(r) / (1 - np.minimum(r, 1 - 1e-15) ** 2) * 4 * t * x**3
    disagreement: FloatArray = density @ (weights / 2) / pi**2
    return disagreement


def cauchy_rate(n: int) -> float:
    r"""Rate of independent Cauchy coordinates along (1, -1, 0, ..., 0), with the normal (1, ..., 1).

    Parameters
    ----------
    n : int
        Dimension, at least 2.

    Returns
    -------
    float
        :math:`\frac{4}{\pi^2}\sqrt{\frac n2}\,\frac{\ln(n/2)}{n-2}` per radian, and its limit :math:`2/\pi^2` at n = 2.

    Raises
    ------
    ValueError
        If `n` is not an integer >= 2.

    Notes
    -----
    It falls to 0 like :math:`\ln n/\sqrt n`: for independent Cauchy coordinates no lower constant of `lem-angle` serves
    all dimensions.

    Examples
    --------
    >>> print(" ".join(f"{pi * cauchy_rate(n):.3f}" for n in (2, 10, 100, 1000)))
    0.637 0.573 0.359 0.177
    """
    integer("n", n, least=2)
    if n == 2:
        return 2 / pi**2
    return 4 / pi**2 * sqrt(n / 2) * log(n / 2) / (n - 2)


# wrong labels -------------------------------------------------------------------------------------------


class NoisyTask(HalfspaceTask):
    """A halfspace some of whose labels are flipped.

    Parameters
    ----------
    target : array_like, shape (n,), real
        Normal vector of the halfspace before the noise.
    distribution : IsotropicLaw
        Marginal of the examples.
    rate : float
        Probability of a flip, in [0, 1].
    width : float, optional
        Only examples within this distance of the boundary are flipped; all of them unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of examples and flips.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Outside the model of `algo-one`, whose targets are consistent. `error` is still that of the clean target. Without
    a width this is random classification noise; with one and a rate below 1/2 it is Massart noise.

    Examples
    --------
    >>> from lifelong.distributions import Gaussian
    >>> task = NoisyTask([1.0, 0.0], Gaussian(2), 1.0, rng=0)
    >>> X, y = task.examples(5)
    >>> bool((y == -signs(X, task.target)).all()), task.counts.labels
    (True, 5)
    """

    def __init__(
        self, target: Any, distribution: IsotropicLaw, rate: float, *, width: float | None = None, rng: Any = None
    ) -> None:
        super().__init__(target, distribution, rng=rng)
        self.rate = number("rate", rate, low=0.0, high=1.0)
        self.width = np.inf if width is None else number("width", width, low=0.0, high=np.inf, open_high=True)

    def examples(self, size: int) -> tuple[FloatArray, Any]:
        """Fresh examples with labels that may be wrong; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X, y = super().examples(size)
        flipped = (self._rng.random(len(X)) < self.rate) & (np.abs(X @ self.target) <= self.width)
        return X, np.where(flipped, -y, y)


class RobustSubspace(Subspace):
    """Algorithm 1 with a test that survives wrong labels, or targets that are no halfspaces.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    epsilon_acc : float, optional
        As in `Subspace`.
    noise : float, default 0
        Known rate of random classification noise, in [0, 1/2): the test allows for it.
    margin : float, optional
        If given, a feature is opened only when the vector from scratch beats the one in the span by more
        than this, on fresh labels.
    sizes : keyword arguments
        The other keyword arguments of `Subspace`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    A rule of this book, not of the paper; with neither `noise` nor `margin` it is `algo-one`. Noise at the rate h
    turns an error e into h + (1 - 2h) e, so that is where the threshold goes. The margin needs
    no knowledge of the noise, but a task that fails the test is then learned from scratch, feature or not.

    Examples
    --------
    >>> from lifelong.distributions import Gaussian
    >>> from lifelong.stream import learn_stream
    >>> def stream():
    ...     vectors = ([1, 0, 0], [0, 1, 0], *5 * [[1, 1, 0]])
    ...     return [NoisyTask(w, Gaussian(3), 0.2, rng=i) for i, w in enumerate(vectors)]
    >>> learn_stream(stream(), Subspace(3, 0.1)).scratch
    7
    >>> learn_stream(stream(), RobustSubspace(3, 0.1, noise=0.2, fit=20, holdout=100, scratch=20)).scratch
    2
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        epsilon_acc: float | None = None,
        *,
        noise: float = 0.0,
        margin: float | None = None,
        **sizes: Any,
    ) -> None:
        super().__init__(n, epsilon, epsilon_acc, **sizes)
        self.noise = number("noise", noise, low=0.0, high=0.5, open_high=True)
        self.margin = None if margin is None else number("margin", margin, low=0.0, high=1.0)
        self._rival: FloatArray | None = None

    def _tested(self, task: Any, *hypotheses: FloatArray) -> list[float]:
        """Errors of hypotheses on the same fresh labels."""
        X, y = task.examples(int(np.ceil(self.holdout / self.epsilon)))
        return [float(np.mean(signs(X, w) != y)) for w in hypotheses]

    def reuse(self, task: Any) -> FloatArray | None:
        """Look for a hypothesis in the span, test it, and if there is a margin compare it with one from scratch.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector, or None where a feature is to be opened.

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        same_size("task", task.n, self.features.shape[1], "the representation")
        self._rival = None
        if not len(self.features):
            return None
        basis = self.span
        X, y = task.examples(int(np.ceil(self.fit * len(basis) / self.epsilon)))
        try:
            hypothesis: FloatArray = self.learner(X @ basis.T, y) @ basis
        except NotSeparableError:
            return None
        if self._tested(task, hypothesis)[0] <= self.noise + (1 - 2 * self.noise) * self.threshold * self.epsilon:
            return hypothesis
        if self.margin is None:
            return None
        rival = super().learn(task)[1]
        ours, theirs = self._tested(task, hypothesis, rival)
        if ours - theirs <= self.margin:
            return hypothesis
        self._rival = rival
        return None

    def learn(self, task: Any) -> tuple[How, FloatArray]:
        """The vector from scratch that won the comparison, or a new one.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : float64, shape (n,)

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        return super().learn(task) if self._rival is None else ("scratch", self._rival)


# digits -------------------------------------------------------------------------------------------------


class Digits(NamedTuple):
    """Images of digits as vectors, split once and for all.

    Parameters
    ----------
    pool : float64, shape (1297, n)
        Images whose labels can be bought.
    pool_digits : int64, shape (1297,)
    test : float64, shape (500, n)
        Images for the evaluator only.
    test_digits : int64, shape (500,)

    Notes
    -----
    A real stream for `algo-one`, outside every assumption of Section 3.

    Examples
    --------
    >>> Digits._fields
    ('pool', 'pool_digits', 'test', 'test_digits')
    """

    pool: FloatArray
    pool_digits: Any
    test: FloatArray
    test_digits: Any


def digits(features: int = 1000, *, bandwidth: float = 0.05, rng: Any = 0) -> Digits:
    """The 1797 images of scikit-learn's `load_digits`, as random Fourier features or as raw pixels.

    Parameters
    ----------
    features : int, default 1000
        Random Fourier features; 0 for the 64 pixels themselves.
    bandwidth : float, default 0.05
        The kernel of x and z is exp(-bandwidth d^2), with d their distance and pixels in [0, 1].
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the features and of the split.

    Returns
    -------
    Digits
        Columns standardised on the pool, and a last column of ones; columns constant there are left at 0.

    Raises
    ------
    ValueError
        If `features` is not an integer >= 0 or `bandwidth` is not positive.

    Notes
    -----
    The test set of the UCI "Optical Recognition of Handwritten Digits" data (Alpaydin and Kaynak, CC BY 4.0), which
    comes with scikit-learn. A stream for `algo-one`.

    Examples
    --------
    >>> data = digits(100)
    >>> data.pool.shape, data.test.shape
    ((1297, 101), (500, 101))
    """
    from sklearn.datasets import load_digits
    from sklearn.kernel_approximation import RBFSampler
    from sklearn.preprocessing import StandardScaler

    integer("features", features, least=0)
    scale = number("bandwidth", bandwidth, low=0.0, high=np.inf, open_low=True, open_high=True)
    generator = np.random.default_rng(rng)
    images, labels = load_digits(return_X_y=True)
    if features:
        sampler = RBFSampler(gamma=scale, n_components=features, random_state=int(generator.integers(2**31)))
        images = sampler.fit_transform(images / 16)
    order = generator.permutation(len(images))
    pool, test = order[500:], order[:500]
    scaler = StandardScaler().fit(images[pool])
    columns = [np.hstack([scaler.transform(images[rows]), np.ones((len(rows), 1))]) for rows in (pool, test)]
    return Digits(columns[0], labels[pool], columns[1], labels[test])


def bipartitions(count: int, *, rng: Any = None) -> Any:
    """Distinct ways to split the ten digits in two, in random order: one task each.

    Parameters
    ----------
    count : int
        How many, at most 511.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the choice.

    Returns
    -------
    int64, shape (count, 10), values -1 and 1
        Entry d is the label of digit d; of a split and its mirror image only one occurs.

    Raises
    ------
    ValueError
        If `count` is not an integer from 1 to 511.

    Notes
    -----
    The tasks of a real stream for `algo-one`: all are combinations of the ten indicators.

    Examples
    --------
    >>> bipartitions(3, rng=0).shape
    (3, 10)
    """
    integer("count", count, least=1, most=511)
    chosen = 1 + np.random.default_rng(rng).permutation(511)[:count]
    return np.where(chosen[:, None] >> np.arange(10) & 1, 1, -1)


class PoolTask:
    """A task on a finite pool of examples, drawn without replacement.

    Parameters
    ----------
    data : Digits
        Pool and test set.
    split : array_like, shape (10,), values -1 and 1
        Label of each digit.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the order of the pool.

    Raises
    ------
    ValueError
        If `split` is not as described.

    Notes
    -----
    The interface that `algo-one` needs, on real data: no target vector is known, and no label is sold twice.

    Examples
    --------
    >>> task = PoolTask(digits(0), [1] * 5 + [-1] * 5, rng=0)
    >>> X, y = task.examples(100)
    >>> X.shape, task.counts.labels, task.left
    ((100, 65), 100, 1197)
    """

    def __init__(self, data: Digits, split: Any, *, rng: Any = None) -> None:
        labels = real_array("split", split)
        if labels.shape != (10,) or not (np.abs(labels) == 1).all():
            raise ValueError(f"split: expected ten labels -1 or 1, got {split!r}")
        self.data, self.split, self.counts = data, labels.astype(np.int64), Counts()
        self._order = np.random.default_rng(rng).permutation(len(data.pool))

    @property
    def n(self) -> int:
        """Dimension of the examples."""
        return int(self.data.pool.shape[1])

    @property
    def left(self) -> int:
        """Images of the pool whose label was not yet bought."""
        return len(self._order) - self.counts.labels

    def examples(self, size: int) -> tuple[FloatArray, Any]:
        """Images with labels that were not bought before; each label is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1

        Raises
        ------
        ValueError
            If the pool has fewer images left.
        """
        integer("size", size, least=0, most=self.left)
        rows = self._order[self.counts.labels : self.counts.labels + size]
        self.counts += Counts(labels=size)
        return self.data.pool[rows], self.split[self.data.pool_digits[rows]]

    def error(self, w: Any) -> float:
        """Error on the test images: the evaluator's view.

        Parameters
        ----------
        w : array_like, shape (n,), real

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If `w` is not one vector of dimension n.
        """
        hypothesis = real_array("w", w)
        same_size("w", hypothesis.shape[-1], self.n, "the task")
        return float(np.mean(signs(self.data.test, hypothesis) != self.split[self.data.test_digits]))


def ridge_halfspace(X: Any, y: Any, *, penalty: float = 1.0) -> FloatArray:
    """Unit vector along the ridge regression of the labels.

    Parameters
    ----------
    X : array_like, shape (size, n), real
    y : array_like, shape (size,), values -1 and 1
    penalty : float, default 1
        Weight of the squared norm, against the sum of squared residuals; positive.

    Returns
    -------
    float64, shape (n,)

    Raises
    ------
    ValueError
        If the arrays are not as described or `penalty` is not positive.

    Notes
    -----
    A learner for `algo-one` where no halfspace is consistent. Up to its length it is linear in the labels.

    Examples
    --------
    >>> print(ridge_halfspace([[1.0, 0.0], [0.0, 1.0]], [1, 1]).round(4))
    [0.7071 0.7071]
    """
    rows, labels = real_array("X", X, axes=2), real_array("y", y)
    if rows.ndim != 2 or labels.shape != (len(rows),):
        raise ValueError(f"y: expected one label for each row of X, got shapes {labels.shape} and {rows.shape}")
    weight = number("penalty", penalty, low=0.0, high=np.inf, open_low=True, open_high=True)
    size, n = rows.shape
    if size < n:  # the same vector from the smaller system
        w = rows.T @ np.linalg.solve(rows @ rows.T + weight * np.eye(size), labels)
    else:
        w = np.linalg.solve(rows.T @ rows + weight * np.eye(n), rows.T @ labels)
    return unit(np.asarray(w, dtype=np.float64))
