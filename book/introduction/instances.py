"""Streams of the introduction: all products of a few variables, the longer first."""

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm4 import online_metafeatures


def longer_first(k: int) -> BoolArray:
    """A stream for the introduction's learner: all nonempty products of k variables, the longer first."""
    every = (np.arange(1, 2**k)[:, None] >> np.arange(k)) & 1 > 0
    return np.asarray(every[np.argsort(-every.sum(axis=1), kind="stable")])


def seven_products() -> tuple[BoolArray, list[str], list[str]]:
    """The introduction's stream of the products of three variables, their names, and how cutting gets them."""
    three = longer_first(3)
    few = online_metafeatures(three).scratch
    names = [" ".join(f"$x_{v + 1}$" for v in np.flatnonzero(row)) for row in three]
    return three, names, ["scratch" if i in few else "reused" for i in range(len(three))]
