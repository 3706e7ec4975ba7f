"""The smallest learner with three verbs, and what the exercises of the introduction say of products."""

from typing import Any

import numpy as np

from lifelong._checks import BoolArray


def product_of(pieces: Any, task: Any) -> BoolArray | None:
    """The product of those pieces that no answer refutes, or None: one attempt of the introduction's learner."""
    while True:
        guess: BoolArray = np.any(pieces, axis=0)
        point = task.equivalent(guess)
        if point is None:  # it is right
            return guess
        if (guess <= point).all():  # too short, whatever we drop
            return None
        pieces = [piece for piece in pieces if (piece <= point).all()]


class Pieces:
    """The introduction's smallest learner: reuse products of known pieces; else learn, variable by variable."""

    def __init__(self, n: int) -> None:
        self.single = np.eye(n, dtype=bool)
        self.known = [np.zeros(n, dtype=bool)]  # the empty product

    def reuse(self, task: Any) -> BoolArray | None:
        """A product of known pieces."""
        return product_of(self.known, task)

    def learn(self, task: Any) -> tuple[str, BoolArray | None]:
        """A product of variables."""
        return "scratch", product_of(self.single, task)

    def grow(self, how: str, product: BoolArray) -> None:
        """One piece more."""
        self.known.append(product)


def kept_whole(targets: BoolArray) -> int:
    """How many products the introduction's learner that never cuts learns from scratch (exercise `ex-intro-cut`)."""
    pieces = targets[:0]
    for target in targets:
        inside = pieces[~(pieces & ~target).any(axis=1)]
        if not np.array_equal(inside.any(axis=0), target):
            pieces = np.vstack([pieces, target])
    return len(pieces)
