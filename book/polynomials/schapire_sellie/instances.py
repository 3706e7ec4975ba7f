"""What Schapire and Sellie's learner runs on: random polynomials, stubborn ones, and answers from the side."""

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, random_generator
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.tasks import PolynomialTask


def random_polynomial(*, most: int = 8, rng: RNGLike = None) -> Polynomial:
    """A random target in the chapter on Schapire and Sellie: up to ten terms, nested or not, 0 and constants too."""
    rng = random_generator(rng)
    n, t = int(rng.integers(1, integer("most", most, least=1) + 1)), int(rng.integers(0, 11))
    terms = rng.random((t, n)) < rng.uniform(0.1, 0.95)
    if rng.random() < 0.3:  # a chain of terms, each inside the next
        terms = np.logical_or.accumulate(terms & (rng.random((t, n)) < 0.3), axis=0)
    return Polynomial(terms, rng.integers(-3, 4, t))


class SidewaysTask(PolynomialTask):
    """A task against Algorithm 6's learner from scratch: answers from the side, each costs a value and a variable."""

    def equivalent(self, h: Polynomial) -> BoolArray | None:
        """All ones but the first variable of the only term of the hypothesis, where that is a counterexample."""
        point = super().equivalent(h)
        if point is None or len(h.terms) != 1 or h.terms.all():
            return point
        sideways = np.ones(self.n, dtype=np.bool_)
        sideways[h.terms[0].argmax()] = False
        return sideways


#: Polynomials in three variables with long runs; on the first two the first step of the learner is needed.
STUBBORN = ("1 - x1 - x2 - x2x3", "1 - x2 - x3 + x1x3", "1 - x1 + x1x2 + x1x3")
