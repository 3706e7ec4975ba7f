"""A real stream for Algorithm 1: images of digits, and every way to split the ten digits in two."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, number, random_generator, real_array
from lifelong.halfspaces.tasks import PoolTask
from lifelong_book.press.extras import needs

# digits -------------------------------------------------------------------------------------------------


class Digits(NamedTuple):
    """Images of digits as vectors, split once and for all."""

    pool: FloatArray
    pool_digits: NDArray[np.int64]
    test: FloatArray
    test_digits: NDArray[np.int64]

    def task(self, split: ArrayLike, *, rng: RNGLike = None) -> PoolTask:
        """Tell one half of the digits from the other: a task on the pool, judged by the test images."""
        labels = real_array("split", split)
        return PoolTask(self.pool, labels[self.pool_digits], test=(self.test, labels[self.test_digits]), rng=rng)


def digits(*, features: int = 1000, bandwidth: float = 0.05, rng: RNGLike = 0) -> Digits:
    """The 1797 images of scikit-learn's `load_digits`, as random Fourier features or as raw pixels."""
    with needs("scikit-learn", extra="learners"):
        from sklearn.datasets import load_digits
        from sklearn.kernel_approximation import RBFSampler
        from sklearn.preprocessing import StandardScaler

    scale = number("bandwidth", bandwidth, "(0, inf)")
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
    """Distinct ways to split the ten digits in two, in random order: one task each."""
    chosen = 1 + random_generator(rng).permutation(511)[:count]
    return np.where(chosen[:, None] >> np.arange(10) & 1, 1, -1)
