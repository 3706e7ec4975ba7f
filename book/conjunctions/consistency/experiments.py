"""Small worlds of conjunctions, searched as a whole: what Section 4 claims, against brute force.

Everything here is exponential in the number of variables, and meant for three, four or five of them.
"""

from collections.abc import Iterable
from functools import cache, reduce
from itertools import combinations, permutations
from operator import and_

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer
from lifelong.conjunctions.algorithm3 import metafeatures as algorithm_3
from lifelong.conjunctions.algorithm3 import represent
from lifelong_book.conjunctions.consistency.instances import all_families, all_targets, has_anchors, masks

IntArray = NDArray[np.int64]


# the smallest basis --------------------------------------------------------------------------------------


@cache
def _bases(n: int, need_anchors: bool) -> tuple[tuple[int, int], ...]:
    """Every set of at most n nonempty metafeatures over n variables, as (size, mask of its unions)."""
    targets = all_targets(n)
    found = []
    for size in range(n + 1):
        for rows in combinations(range(1, 2**n), size):
            if not need_anchors or has_anchors(targets[list(rows)]):
                reached = {0}
                for row in rows:
                    reached |= {row | u for u in reached}
                found.append((size, sum(1 << u for u in reached)))
    return tuple(found)


def smallest_basis(targets: ArrayLike, *, need_anchors: bool) -> int:
    """What Algorithm 3 is measured by: the least number of metafeatures that represent a family, all sets tried."""
    TS = bool_array("targets", targets, axes=2)
    n = integer("targets", TS.shape[1], least=1, most=4)
    wanted = sum({1 << mask for mask in masks(TS)})
    return min(size for size, reached in _bases(n, need_anchors) if wanted & ~reached == 0)


def smallest_bases(n: int, *, need_anchors: bool) -> IntArray:
    """What Algorithm 3 is measured by, for every family of `all_families` at once: `smallest_basis`."""
    n = integer("n", n, least=1, most=4)
    wanted = 2 * np.arange(2 ** (2**n - 1), dtype=np.int64)
    best = np.full(len(wanted), n, dtype=np.int64)
    for size, reached in _bases(n, need_anchors):
        best[(wanted & ~reached == 0) & (size < best)] = size
    return best


# Algorithm 3 ---------------------------------------------------------------------------------------------


@cache
def output_sizes(n: int) -> IntArray:
    """How many metafeatures Algorithm 3 returns for every family of `all_families`."""
    sizes = np.array([len(algorithm_3(family)) for family in all_families(n)], dtype=np.int64)
    sizes.setflags(write=False)
    return sizes


def any_variable(targets: ArrayLike) -> BoolArray:
    """Algorithm 3 as printed without its test of minimality: the least uncovered variable is taken."""
    TS = bool_array("targets", targets, axes=2)
    found = np.empty((0, TS.shape[1]), dtype=np.bool_)
    for T in TS:
        while represent(T, found) is None:
            covered = found[(~found | T).all(axis=1)].any(axis=0)
            z = int(np.argmax(T & ~covered))
            found = np.vstack([found, TS[TS[:, z]].all(axis=0)])
    return found


def minimal_classes(TS: BoolArray) -> set[frozenset[int]]:
    """Algorithm 3's chapter, in plain steps: classes of variables in the same targets, minimal in one of them."""
    N = [frozenset(np.flatnonzero(column)) for column in TS.T]
    least = set()  # the sets N(z) of the minimal z
    for T in TS:
        here = {N[z] for z in np.flatnonzero(T)}
        least |= {Nz for Nz in here if not any(Ny < Nz for Ny in here)}
    alike = ([z for z, Nz in enumerate(N) if Nz == C] for C in least)
    return set(map(frozenset, alike))


def canonical(TS: Iterable[int], n: int) -> list[int]:
    """The output of Algorithm 3 on nonempty targets that are bit masks, straight from `thm-canonical`."""
    cl = {}
    for z in range(n):
        if with_z := [T for T in TS if T >> z & 1]:
            cl[z] = reduce(and_, with_z)
    rarer = dict.fromkeys(cl, 0)  # [z]: all y with N(y) < N(z)
    for z, y in permutations(cl, 2):
        if cl[y] >> z & 1 and not cl[z] >> y & 1:
            rarer[z] |= 1 << y
    fit = {z for z in cl for T in TS if T >> z & 1 and not T & rarer[z]}
    return list({cl[z] for z in fit})
