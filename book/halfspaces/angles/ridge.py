"""A seventh isotropic log-concave law, whose constant in `lem-angle` is worse than that of the other six."""

from dataclasses import KW_ONLY, dataclass

import numpy as np

from lifelong._checks import FloatArray, integer, number
from lifelong.laws import IsotropicLaw


@dataclass(frozen=True)
class Ridge(IsotropicLaw):
    """A ridge with soft ends in the first two variables, standard normal in the others."""

    _: KW_ONLY
    kappa: float = 5.69
    name = "ridge"

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", integer("n", self.n, least=2))
        object.__setattr__(self, "kappa", number("kappa", self.kappa, "[0, inf)"))

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
