"""A real stream for Algorithm 1: images of digits, and every way to split the ten digits in two."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, integer, needs, number, random_generator, real_array
from lifelong.halfspaces.tasks import PoolTask

__all__ = [
    "Digits",
    "bipartitions",
    "digits",
]


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
    pool_digits: NDArray[np.int64]
    test: FloatArray
    test_digits: NDArray[np.int64]

    def task(self, split: ArrayLike, *, rng: RNGLike = None) -> PoolTask:
        """Tell one half of the digits from the other: a task on the pool, judged by the test images.

        Parameters
        ----------
        split : array_like, shape (10,), values -1 and 1
            Label of each digit.
        rng : None, int, SeedSequence, BitGenerator or Generator
            Source of the order of the pool.

        Returns
        -------
        PoolTask

        Raises
        ------
        ValueError
            If `split` is not as described.

        Examples
        --------
        >>> task = digits(features=0).task([1] * 5 + [-1] * 5, rng=0)
        >>> X, y = task.examples(100)
        >>> X.shape, task.counts.labels, task.left
        ((100, 65), 100, 1197)
        """
        labels = real_array("split", split)
        if labels.shape != (10,) or not (np.abs(labels) == 1).all():
            raise ValueError(f"split: expected ten labels -1 or 1, got {split!r}")
        return PoolTask(self.pool, labels[self.pool_digits], test=(self.test, labels[self.test_digits]), rng=rng)


def digits(*, features: int = 1000, bandwidth: float = 0.05, rng: RNGLike = 0) -> Digits:
    """The 1797 images of scikit-learn's `load_digits`, as random Fourier features or as raw pixels.

    Parameters
    ----------
    features : int, default 1000
        Random Fourier features; 0 for the 64 pixels themselves.
    bandwidth : float, default 0.05
        The kernel of x and z is exp(-bandwidth d^2), with d their distance and pixels in [0, 1].
    rng : None, int, SeedSequence, BitGenerator or Generator, default 0
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
    >>> data = digits(features=100)
    >>> data.pool.shape, data.test.shape
    ((1297, 101), (500, 101))
    """
    with needs("scikit-learn", extra="learners"):
        from sklearn.datasets import load_digits
        from sklearn.kernel_approximation import RBFSampler
        from sklearn.preprocessing import StandardScaler

    integer("features", features, least=0)
    scale = number("bandwidth", bandwidth, low=0.0, high=np.inf, open_low=True, open_high=True)
    generator = random_generator(rng)
    images, labels = load_digits(return_X_y=True)
    if features:
        sampler = RBFSampler(gamma=scale, n_components=features, random_state=int(generator.integers(2**31)))
        images = sampler.fit_transform(images / 16)
    order = generator.permutation(len(images))
    pool, test = order[500:], order[:500]
    scaler = StandardScaler().fit(images[pool])
    columns = [np.hstack([scaler.transform(images[rows]), np.ones((len(rows), 1))]) for rows in (pool, test)]
    return Digits(columns[0], labels[pool], columns[1], labels[test])


def bipartitions(count: int, *, rng: RNGLike = None) -> NDArray[np.int64]:
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
    chosen = 1 + random_generator(rng).permutation(511)[:count]
    return np.where(chosen[:, None] >> np.arange(10) & 1, 1, -1)
