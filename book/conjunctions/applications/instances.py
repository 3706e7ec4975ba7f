"""Conjunctions over product laws: streams with the hypotheses of Theorem 4, and some that defeat it (Section 4.3)."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from lifelong._checks import BoolArray, RNGLike, integer, number, random_generator
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.laws import BooleanProduct


class ProductStream(NamedTuple):
    """A stream of the chapter on Algorithm 5: conjunctions over a product law."""

    metafeatures: BoolArray
    targets: BoolArray
    law: BooleanProduct


#: Probability of a 0 at a hidden anchor: insignificant at every accuracy that a learner can afford.
HIDDEN = 1e-9


def hidden_anchors(*, zero: float = 0.25) -> ProductStream:
    """A stream of three metafeatures with hidden anchors, for which Algorithm 5 finds four (`thm-product-anchor`)."""
    M = np.zeros((3, 7), dtype=np.bool_)
    M[[0, 0, 1, 1, 2, 2], [0, 1, 0, 2, 1, 3]] = True
    M[:, 4:] = np.eye(3, dtype=np.bool_)
    return ProductStream(M, M.copy(), BooleanProduct(np.repeat([1 - zero, 1 - HIDDEN], [4, 3])))


def stars(q: int) -> BoolArray:
    """Stars that defeat Algorithm 5 as printed: a variable for each half of q points, in the stars of its points."""
    halves = [*combinations(range(q), q // 2)]
    return np.array([[j in B for B in halves] for j in range(q)])


def hidden_anchor_family(q: int, *, rng: RNGLike = None) -> ProductStream:
    r"""Against Theorem 4, hidden anchors: Algorithm 5 is left with C(q, q/2) metafeatures (`thm-product-anchor`)."""
    q = integer("q", q, least=2, most=14)
    halves = np.array(list(combinations(range(q), q // 2)))
    N = len(halves)
    member = np.zeros((N, q + 1), dtype=np.bool_)
    np.put_along_axis(member, halves, True, axis=1)
    member[:, q] = random_generator(rng).random(N) < 0.5
    M = np.hstack([member.T, np.eye(q + 1, dtype=np.bool_)])
    p = np.repeat([1 - 1 / N, 1 - HIDDEN], [N, q + 1])
    return ProductStream(M, M.copy(), BooleanProduct(p))


def product_stream(n: int, epsilon: float, *, k: int, m: int, c0: float = 0.25, rng: RNGLike = None) -> ProductStream:
    r"""A random stream of the chapter on Algorithm 5, with every hypothesis of `thm-product-anchor-repaired`."""
    generator = random_generator(rng)
    M, targets = planted_conjunctions(n, k=k, m=m, rng=generator)
    e = number("epsilon", epsilon, "(0, 1)")
    c0 = number("c0", c0, "(0, 1)")
    low = np.where(np.arange(n) < k, e / (2 * n), e / (40 * n))
    if k * np.log1p(-e / (2 * n)) + (n - k) * np.log1p(-e / (40 * n)) < np.log(c0):
        raise ValueError(f"epsilon: expected a smaller one for c0 = {c0:g}, got {e:g}")
    zero = np.exp(generator.uniform(np.log(low), np.log(np.maximum(low, 1 / 3))))
    while np.log1p(-zero).sum() < np.log(c0):
        zero = low + 0.9 * (zero - low)
    return ProductStream(M, targets, BooleanProduct(1 - zero))


def independent_labels(n: int, epsilon: float, *, m: int, delta: float = 0.05, constant: float = 1.0) -> int:
    r"""What Algorithm 5's chapter sets beside it: labels for m conjunctions, learned from examples one by one."""
    return m * int(np.ceil(constant * ((n * np.log(2) + np.log(m / delta)) / epsilon)))
