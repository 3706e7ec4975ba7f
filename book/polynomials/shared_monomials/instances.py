"""Streams for Algorithm 6: all monomials at once, one by one, and polynomials over planted metafeatures."""

from fractions import Fraction

from lifelong._checks import BoolArray, RNGLike, integer, random_generator
from lifelong.conjunctions.instances import attaining_sequence, planted_conjunctions
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong_book.conjunctions.consistency.instances import unions_of


def everything(n: int) -> Polynomial:
    """A target for Algorithm 6: the sum of all 2^n - 1 nonempty monomials, over n disjoint metafeatures."""
    terms = cube(n)[1:]
    return Polynomial(terms, [1] * len(terms))


def single_terms(n: int) -> list[Polynomial]:
    """A stream for Algorithm 6: one monomial a problem, in an order with all n(n+1)/2 learned from scratch."""
    return [Polynomial(T[None], [1]) for T in attaining_sequence(n)]


def polynomial_stream(*, largest: int = 8, rng: RNGLike = None) -> tuple[BoolArray, list[Polynomial]]:
    """A stream of Algorithm 6's chapter: anchored metafeatures, twelve polynomials of their products."""
    rng = random_generator(rng)
    k = int(rng.integers(1, integer("largest", largest, least=1) + 1))
    M, _ = planted_conjunctions(k + int(rng.integers(0, 8)), k=k, m=0, overlap=rng.random(), rng=rng)
    stream = []
    for _ in range(12):
        chosen = rng.random((int(rng.integers(1, 6)), k)) < rng.uniform(0.2, 0.8)
        terms = unions_of(chosen, M)
        values = rng.integers(1, 4, len(terms)) * rng.choice([-1, 1], len(terms))
        stream.append(Polynomial(terms, [Fraction(2 * int(v), int(abs(values).sum())) for v in values]))
    return M, stream
