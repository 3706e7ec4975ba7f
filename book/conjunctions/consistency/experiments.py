"""Small worlds of conjunctions, searched as a whole: what Section 4 claims, against brute force.

Everything here is exponential in the number of variables, and meant for three, four or five of them.
"""

from collections.abc import Iterable, Iterator
from functools import cache, reduce
from itertools import combinations, permutations
from operator import and_

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer
from lifelong.conjunctions.algorithm3 import metafeatures as algorithm_3
from lifelong.conjunctions.algorithm3 import represent

IntArray = NDArray[np.int64]


# everything there is -------------------------------------------------------------------------------------


def all_targets(n: int) -> BoolArray:
    """A small world for Algorithm 3: all conjunctions of n variables."""
    n = integer("n", n, least=0, most=20)
    bits: BoolArray = (np.arange(2**n)[:, None] >> np.arange(n)) & 1 > 0
    return bits


def all_families(n: int) -> Iterator[BoolArray]:
    """Small worlds for Algorithm 3: every set of nonempty conjunctions of n variables, one after the other."""
    targets = all_targets(integer("n", n, least=1, most=4))[1:]
    return (targets[chosen] for chosen in all_targets(len(targets)))


def has_anchors(metafeatures: ArrayLike) -> bool:
    """Whether every metafeature holds a variable that is in no other one."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    return bool((M & (M.sum(axis=0) == 1)).any(axis=1).all())


def anchored_sets(n: int) -> Iterator[BoolArray]:
    """Small worlds for Algorithm 3: every nonempty set of anchored metafeatures over n variables."""
    targets = all_targets(integer("n", n, least=1, most=4))
    chosen = (list(rows) for size in range(1, n + 1) for rows in combinations(range(1, 2**n), size))
    return (targets[rows] for rows in chosen if has_anchors(targets[rows]))


def unions_of(chosen: ArrayLike, metafeatures: ArrayLike) -> BoolArray:
    """Targets of a small world for Algorithm 3: the unions of chosen metafeatures."""
    C, M = bool_array("chosen", chosen, axes=2), bool_array("metafeatures", metafeatures, axes=2)
    found: BoolArray = (C.astype(np.int64) @ M.astype(np.int64)) > 0
    return found


def masks(rows: BoolArray) -> list[int]:
    """Targets of small worlds for Algorithm 3 as integers: one for each row, one bit a column."""
    return [sum(1 << int(v) for v in np.flatnonzero(row)) for row in rows]


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
    """Algorithm 3's classes of variables: those that are in the same targets, and minimal in one of them."""
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
