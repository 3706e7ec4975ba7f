"""Pictures of the page on other learners of polynomials."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lifelong_book.polynomials.schapire_sellie import pictures
from lifelong_book.polynomials.shared_monomials.pictures import left_over
from lifelong_book.press.style import drawn

#: What products of few bits leave of a target.
parity = drawn(left_over)


@drawn
def hankel_of(f: Callable[[frozenset[int]], int]) -> Any:
    """A picture for the rival learners: the Hankel matrix of a function of three bits, the block run by hand marked."""
    points = [frozenset(map(int, word)) for word in ("123", "12", "13", "23", "1", "2", "3", "")]
    matrix = np.array([[f(x & y) for y in points] for x in points])
    return pictures.hankel(points, matrix, [0, 2], [0, 1])
