"""Boolean rank and other factorisations: the smallest basis of a family, anchored or not, and noise (Section 4).

A basis of a family of targets is a set of metafeatures whose unions give every target. With the targets as rows of a
boolean matrix, its size is the inner dimension of a boolean factorisation, and the least size is the Boolean rank.

That some cells of the matrix decide and the others follow is, as far as we can tell, the idea of the essential entries
of Belohlavek and Trnecka (Journal of Computer and System Sciences 81, 2015; arXiv 1306.4905). We could consult its
abstract and the authors' program GreEss, not the definition, so `essential_cells` is stated and proved on its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb
from typing import Any, Literal, NamedTuple

import numpy as np

from lifelong._checks import BoolArray, bool_array, integer, number, same_dimension
from lifelong.conjunctions.algorithm3 import _classes, metafeatures

__all__ = [
    "BooleanRank",
    "boolean_rank",
    "essential_cells",
    "fits",
    "fooling_set",
    "formal_concepts",
    "greedy_concepts",
    "robust_metafeatures",
]


# formal concepts -----------------------------------------------------------------------------------------


def _masks(rows: BoolArray) -> list[int]:
    """Each row as an integer, one bit a column."""
    return [int.from_bytes(row.tobytes(), "little") for row in np.packbits(rows, axis=1, bitorder="little")]


def _rows(masks: list[int], n: int) -> BoolArray:
    """The rows that `_masks` made into integers: bool (len(masks), n)."""
    width = -(-n // 8)
    data = np.frombuffer(b"".join(mask.to_bytes(width, "little") for mask in masks), dtype=np.uint8)
    return np.unpackbits(data.reshape(-1, width), axis=1, count=n, bitorder="little").astype(np.bool_)


def _intersections(rows: BoolArray, most: int, deadline: float = np.inf) -> list[int] | None:
    """All intersections of rows as masks, that of none included; None if there are too many or time is up."""
    found = {(1 << rows.shape[1]) - 1}
    for row in _masks(rows):
        found |= {row & other for other in found}
        if len(found) > most or time.monotonic() > deadline:
            return None
    return sorted(found)


def _concepts(A: BoolArray, most: int, deadline: float = np.inf) -> tuple[BoolArray, BoolArray] | None:
    """Extents and intents of all concepts; intersections are taken along the shorter side."""
    if len(A) > A.shape[1]:
        turned = _concepts(np.ascontiguousarray(A.T), most, deadline)
        return None if turned is None else turned[::-1]
    masks = _intersections(A, most, deadline)
    if masks is None:
        return None
    intents = _rows(masks, A.shape[1])
    outside = intents.astype(np.float32) @ (~A).astype(np.float32).T
    return outside == 0, intents


def formal_concepts(targets: Any, *, most: int = 100_000) -> tuple[BoolArray, BoolArray]:
    """All formal concepts of a family: the largest rectangles of ones.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m at least 1.
    most : int, default 100000
        How many concepts to put up with; there can be 2^min(m, n).

    Returns
    -------
    extents : bool, shape (c, m)
        The targets that contain all variables of the intent.
    intents : bool, shape (c, n)
        The variables that all targets of the extent contain.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix with a row, or has more than `most` concepts.

    Notes
    -----
    The candidates of `algo-boolean-rank`. Intents are the intersections of targets, that of no target included.

    Examples
    --------
    >>> extents, intents = formal_concepts([[True, True, False], [False, True, True]])
    >>> intents.astype(int).tolist()
    [[0, 1, 0], [1, 1, 0], [0, 1, 1], [1, 1, 1]]
    """
    A = bool_array("targets", targets, axes=2)
    most = integer("most", most, least=1)
    if not len(A):
        raise ValueError("targets: expected at least one target, got none")
    found = _concepts(A, most)
    if found is None:
        raise ValueError(f"targets: expected a family of at most {most} formal concepts, got more")
    return found


# cells that decide ---------------------------------------------------------------------------------------


class _Reduced(NamedTuple):
    """Distinct nonzero rows and columns of a matrix, and where they come from."""

    A: BoolArray
    row: Any  # for each row of A its first copy
    column: Any  # for each column of A its first copy
    place: Any  # for every original column its place in A, -1 for an empty one

    def spread(self, pieces: BoolArray) -> BoolArray:
        """Metafeatures over the columns of A as metafeatures over the original ones."""
        wide: BoolArray = np.hstack([pieces, np.zeros((len(pieces), 1), dtype=np.bool_)])[:, self.place]
        return wide


def _reduced(TS: BoolArray) -> _Reduced:
    kept = np.flatnonzero(TS.any(axis=1))
    row = kept[_classes(TS[kept])[0]]
    used = np.flatnonzero(TS.any(axis=0))
    place = np.full(TS.shape[1], -1)
    if not len(row):
        return _Reduced(TS[:0, :0], row, used, place)
    first, place[used] = _classes(TS[np.ix_(row, used)].T)
    column = used[first]
    return _Reduced(TS[np.ix_(row, column)], row, column, place)


def _within(rows: BoolArray) -> Any:
    """within[a, b]: row a is a subset of row b, as 0.0 or 1.0."""
    R = rows.astype(np.float64)
    return ((R @ (1 - R).T) == 0).astype(np.float64)


def _essential(A: BoolArray) -> BoolArray:
    """Which ones of a matrix with distinct nonzero rows and columns are essential."""
    smaller = _within(A).T @ A.astype(np.float64) @ _within(np.ascontiguousarray(A.T))
    found: BoolArray = A & (smaller == 1)  # one cell at or below: itself
    return found


def essential_cells(targets: Any) -> Any:
    """The cells that a basis has to cover; all others follow.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    int, shape (e, 2)
        Pairs of a target T and a variable z in T, such that no target inside T contains a variable z' with N(z') inside
        N(z), T with z itself excepted. Of equal targets and of variables in the same targets only the first appears.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    What makes `algo-boolean-rank` fast. Algorithm 3 looks along rows only: each z here is minimal in its T.

    Examples
    --------
    >>> essential_cells([[True, True, False], [True, False, False]]).tolist()
    [[0, 1], [1, 0]]
    """
    reduced = _reduced(bool_array("targets", targets, axes=2))
    i, j = np.nonzero(_essential(reduced.A))
    return np.column_stack([reduced.row[i], reduced.column[j]])


def _fooling(A: BoolArray, i: Any, j: Any) -> Any:
    """Places of cells (i, j), no two in a common rectangle: the one that excludes fewest is taken next."""
    crossed = A[np.ix_(i, j)]
    together = crossed & crossed.T
    left, chosen = np.ones(len(i), dtype=np.bool_), []
    while left.any():
        conflicts = np.where(left, together[:, left].sum(axis=1), len(i) + 1)
        chosen.append(int(conflicts.argmin()))
        left &= ~together[chosen[-1]]
    return np.array(chosen, dtype=np.intp)


def fooling_set(targets: Any) -> Any:
    """Cells of which no metafeature can cover two: a certificate that a basis has at least so many members.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    int, shape (f, 2)
        Pairs of a target T and a variable z in T; for two of them, z is not in T' or z' is not in T. Found
        greedily among the essential cells, so it is not always a largest one.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    `prop-fooling-certificate`: if there are as many cells as metafeatures of Algorithm 3, those are the fewest of all,
    anchored or not.

    Examples
    --------
    >>> fooling_set([[True, True, False], [False, True, True]]).tolist()
    [[0, 0], [1, 2]]
    """
    TS = bool_array("targets", targets, axes=2)
    cells = essential_cells(TS)
    chosen = _fooling(TS, cells[:, 0], cells[:, 1])
    return cells[np.sort(chosen)]


def _antichain(A: BoolArray) -> Any:
    """Places of the largest number of rows none of which contains another (Dilworth, by way of a matching)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    inside = _within(A) > 0
    below = inside & ~inside.T
    above = maximum_bipartite_matching(csr_array(below), perm_type="column")  # the partner of a row, or -1
    partner = np.full(len(A), -1)
    partner[above[above >= 0]] = np.flatnonzero(above >= 0)
    left, right, fresh = above < 0, np.zeros(len(A), dtype=np.bool_), above < 0
    while fresh.any():  # alternating paths from the rows without partner
        reached = below[fresh].any(axis=0) & ~right
        right |= reached
        fresh = np.isin(np.arange(len(A)), partner[reached]) & ~left
        left |= fresh
    return np.flatnonzero(left & ~right)


def _sperner(width: int) -> int:
    """Least r such that the subsets of r things hold an antichain of a given width."""
    r = 0
    while width > (comb(r, r // 2) if r else 0):
        r += 1
    return r


# greedy --------------------------------------------------------------------------------------------------


def _best_concept(A: Any, missing: Any) -> tuple[BoolArray, BoolArray]:
    """Grow an intent variable by variable while that covers more missing cells; ties go to the least variable."""
    extent, intent, best = np.ones(len(A), dtype=np.bool_), np.zeros(A.shape[1], dtype=np.bool_), 0.0
    while True:
        extents = A.T * extent  # row y: the extent after y has joined
        intents = extents @ (1 - A) == 0
        gain = ((extents @ missing) * intents).sum(axis=1)
        y = int(gain.argmax())
        if gain[y] <= best:
            return extent, intent
        extent, intent, best = extents[y] > 0, intents[y], gain[y]


def greedy_concepts(targets: Any) -> BoolArray:
    """A basis of formal concepts, each the best that a greedy search finds for the cells still uncovered.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        Intents, in the order in which they are found. Every target is the union of those inside it; the number
        is not always the least, and can be below or above that of Algorithm 3. Equal targets, and variables in the
        same targets, count once.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    The idea is GreConD's (Belohlavek and Vychodil, 2010), here with a matrix product in place of the inner loop. A peer
    of `algo-consistency-anchor` that needs no anchors, and an upper bound for `algo-boolean-rank`.

    Examples
    --------
    >>> A = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 0]]) > 0
    >>> greedy_concepts(A).astype(int)
    array([[1, 0, 0],
           [0, 1, 0],
           [1, 0, 1]])
    """
    reduced = _reduced(bool_array("targets", targets, axes=2))
    A = reduced.A.astype(np.float32)
    missing, found = A.copy(), []
    while missing.any():
        extent, intent = _best_concept(A, missing)
        found.append(intent)
        missing[np.ix_(extent, intent)] = 0
    return reduced.spread(np.array(found, dtype=np.bool_).reshape(len(found), A.shape[1]))


# the exact rank ------------------------------------------------------------------------------------------

Proof = Literal["weights", "antichain", "search", "none"]


@dataclass(frozen=True)
class BooleanRank:
    """Bounds for a Boolean rank, with what proves them.

    Parameters
    ----------
    lower, upper : int
        No basis has fewer members than `lower`; the one given has `upper`.
    metafeatures : bool, shape (upper, n)
        A basis of the family.
    cells : int, shape (e, 2)
        Pairs of a target and a variable in it.
    weights : tuple of Fraction
        One for each cell. No rectangle of ones holds cells of total weight above 1, so a basis has at least as many
        members as all weights together. With all weights 1 the cells are a fooling set.
    antichain : int, shape (w,)
        Targets none of which contains another; r metafeatures have at most binom(r, r // 2) such unions.
    proof : {"weights", "antichain", "search", "none"}
        What shows that no basis is smaller than `upper`: the weights or the antichain, which anybody can check;
        the branch and bound search of the integer programme, which one has to trust; or nothing.

    Notes
    -----
    What `boolean_rank` returns, for `algo-boolean-rank`.

    Examples
    --------
    >>> found = boolean_rank([[True, True, False], [False, True, True]])
    >>> found.optimal, found.rank, found.proof
    (True, 2, 'weights')
    """

    lower: int
    upper: int
    metafeatures: BoolArray
    cells: Any
    weights: tuple[Fraction, ...]
    antichain: Any
    proof: Proof

    @property
    def optimal(self) -> bool:
        """Whether the search was finished."""
        return self.lower == self.upper

    @property
    def rank(self) -> int:
        """The Boolean rank.

        Raises
        ------
        ValueError
            If only bounds are known.
        """
        if not self.optimal:
            raise ValueError(
                f"time_limit, most: expected enough to finish, got only {self.lower} <= rank <= {self.upper}"
            )
        return self.upper


class _Cover(NamedTuple):
    """Concepts against essential cells, as a sparse 0/1 matrix: cells are rows."""

    matrix: Any
    intents: BoolArray


def _cover(A: BoolArray, i: Any, j: Any, extents: BoolArray, intents: BoolArray) -> _Cover:
    """Concepts that cover the same essential cells are the same to us: one of each kind is kept."""
    from scipy.sparse import csr_array

    covers = extents[:, i] & intents[:, j]
    kept = _classes(covers)[0]
    kept = kept[covers[kept].any(axis=1)]
    return _Cover(csr_array(covers[kept].T).astype(np.float64), intents[kept])


def _weights(cover: _Cover, seconds: float) -> list[Fraction]:
    """Weights of cells, at most 1 in every concept, of nearly the largest sum: dual prices, made exact."""
    from scipy.optimize import linprog

    count = cover.matrix.shape[0]
    limit = {"time_limit": max(seconds, 1e-3)}
    solved = linprog(-np.ones(count), A_ub=cover.matrix.T, b_ub=np.ones(len(cover.intents)), options=limit)
    if solved.x is None:
        return [Fraction(0)] * count
    weights = [max(Fraction(float(x)).limit_denominator(5040), Fraction(0)) for x in solved.x]
    columns = cover.matrix.tocsc()
    cuts = zip(columns.indptr[:-1], columns.indptr[1:], strict=True)
    heaviest = max(sum((weights[r] for r in columns.indices[a:b]), Fraction(0)) for a, b in cuts)
    return [w / max(heaviest, Fraction(1)) for w in weights]


def _search(cover: _Cover, least: int, seconds: float) -> tuple[Any, int]:
    """Fewest concepts that cover all cells, known to be `least` or more: places or None, and a lower bound."""
    from scipy.optimize import LinearConstraint, milp

    count = len(cover.intents)
    solved = milp(
        np.ones(count),
        integrality=np.ones(count),
        bounds=(0, 1),
        constraints=[LinearConstraint(cover.matrix, lb=1), LinearConstraint(np.ones((1, count)), lb=least)],
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    bound = solved.mip_dual_bound
    lower = 0 if bound is None or not np.isfinite(bound) else ceil(bound - 1e-6)
    chosen = None if solved.x is None else np.flatnonzero(solved.x > 0.5)
    return chosen, lower


def _covers_all(cover: _Cover, chosen: Any) -> bool:
    return bool((cover.matrix[:, chosen].sum(axis=1) > 0.5).all())


def boolean_rank(targets: Any, *, time_limit: float = 60.0, most: int = 20_000) -> BooleanRank:
    """The fewest metafeatures, anchored or not, whose unions give every target; with a certificate.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.
    time_limit : float, default 60
        Seconds after which the search is given up; there is no faster way known than to search.
    most : int, default 20000
        How many formal concepts to put up with.

    Returns
    -------
    BooleanRank
        With a basis and a lower bound. `optimal` is False when time or concepts ran out.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix or a limit is out of range.

    Notes
    -----
    `algo-boolean-rank`: equal targets and variables are merged, only essential cells have to be covered, and a greedy
    basis that meets a fooling set ends the search. Else an integer programme (HiGHS) covers the cells with formal
    concepts. An antichain of targets bounds the rank too (`prop-rank-family`). NP-hard in general
    (`prop-set-basis-hard`).

    Examples
    --------
    The smallest family on which Algorithm 3 is not the best possible:

    >>> edges = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]) > 0
    >>> boolean_rank(edges).rank, len(metafeatures(edges))
    (3, 4)
    """
    TS = bool_array("targets", targets, axes=2)
    seconds = number("time_limit", time_limit, low=0.0, high=np.inf, open_low=True, open_high=True)
    most = integer("most", most, least=1)
    deadline = time.monotonic() + seconds
    reduced = _reduced(TS)
    found = _quick(reduced.A)
    concepts = None if found.lower == len(found.basis) else _concepts(reduced.A, most, deadline)
    if concepts is not None:
        found = _exact(reduced.A, found, concepts, deadline)
    return _result(reduced, found)


class _Found(NamedTuple):
    """What is known so far: a basis, weights of the essential cells (i, j), and lower bounds."""

    basis: BoolArray
    i: Any
    j: Any
    weights: list[Fraction]
    antichain: Any
    searched: int

    @property
    def lower(self) -> int:
        return max(ceil(sum(self.weights)), _sperner(len(self.antichain)), self.searched)


def _quick(A: BoolArray) -> _Found:
    """The smallest basis and the lower bounds that need no search."""
    single: BoolArray = np.eye(A.shape[1], dtype=np.bool_)
    basis = min((metafeatures(A), greedy_concepts(A), A, single), key=len) if len(A) else A
    i, j = np.nonzero(_essential(A))
    fooling = np.isin(np.arange(len(i)), _fooling(A, i, j))
    return _Found(basis, i, j, [Fraction(int(f)) for f in fooling], _antichain(A), 0)


def _exact(A: BoolArray, found: _Found, concepts: tuple[BoolArray, BoolArray], deadline: float) -> _Found:
    """Better weights, then the integer programme, as far as the time allows."""
    cover = _cover(A, found.i, found.j, *concepts)
    weights = _weights(cover, deadline - time.monotonic())
    found = found._replace(weights=max(found.weights, weights, key=sum))
    left = deadline - time.monotonic()
    if found.lower == len(found.basis) or left <= 0:
        return found
    chosen, bound = _search(cover, found.lower, left)
    if chosen is not None and len(chosen) < len(found.basis) and _covers_all(cover, chosen):
        found = found._replace(basis=cover.intents[chosen])
    return found._replace(searched=min(bound, len(found.basis)))


def _proof(found: _Found) -> Proof:
    size = len(found.basis)
    if ceil(sum(found.weights)) == size:
        return "weights"
    if _sperner(len(found.antichain)) == size:
        return "antichain"
    return "search" if found.searched == size else "none"


def _result(reduced: _Reduced, found: _Found) -> BooleanRank:
    """In terms of the original targets and variables, weights 0 left out."""
    positive = np.array([w > 0 for w in found.weights], dtype=np.bool_)
    cells = np.column_stack([reduced.row[found.i[positive]], reduced.column[found.j[positive]]])
    return BooleanRank(
        found.lower,
        len(found.basis),
        reduced.spread(found.basis),
        cells,
        tuple(w for w in found.weights if w > 0),
        reduced.row[found.antichain],
        _proof(found),
    )


# noise ---------------------------------------------------------------------------------------------------


def fits(targets: Any, metafeatures: Any, *, tolerance: float = 0.0) -> BoolArray:
    """Which metafeatures lie inside each target, but for a share of their variables.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
    metafeatures : array_like, shape (k, n), bool
    tolerance : float, default 0
        Share of the variables of a metafeature that a target may lack.

    Returns
    -------
    bool, shape (m, k)
        With tolerance 0, row by row what `represent` returns for targets that can be represented.

    Raises
    ------
    ValueError
        If an argument is not boolean, the dimensions differ, or `tolerance` is not in [0, 1).

    Notes
    -----
    The encoder that goes with `prop-robust-exact`.

    Examples
    --------
    >>> fits([[True, True, True, False]], [[False, True, True, True]], tolerance=0.4)
    array([[ True]])
    """
    TS = bool_array("targets", targets, axes=2)
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_dimension("metafeatures", M, TS.shape[1], "targets")
    share = number("tolerance", tolerance, low=0.0, high=1.0, open_high=True)
    absent = (~TS).astype(np.float32) @ M.astype(np.float32).T
    inside: BoolArray = absent <= share * M.sum(axis=1) + 1e-6
    return inside


def robust_metafeatures(targets: Any, *, tolerance: float = 0.2, support: int = 1) -> BoolArray:
    """Metafeatures for targets of which some cells are wrong: Algorithm 3 with every "all" read as "most".

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.
    tolerance : float, default 0.2
        Share of exceptions: y joins the closure of z if at most this share of the targets with z lack y.
    support : int, default 1
        Variables in fewer targets are left out.

    Returns
    -------
    bool, shape (k, n)
        The rarest variable first. With tolerance 0 and support 1 they are the metafeatures of Algorithm 3, in
        another order. With more there is no guarantee: not every target is a union of them, and a metafeature
        that is rare compared with the noise is lost.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix, `tolerance` is not in [0, 1), or `support` is not a positive integer.

    Notes
    -----
    Not in the paper. `prop-robust-exact` says what it is without noise. Variables are visited from the rarest
    to the most frequent; z gives the closure cl(z) if more than the share `tolerance` of its targets hold no
    metafeature, found so far, that contains z and fits.

    Examples
    --------
    >>> A = np.repeat([[True, True, False], [False, True, True]], 10, axis=0)
    >>> A[0, 1] = False
    >>> robust_metafeatures(A).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    >>> len(metafeatures(A))
    3
    """
    TS = bool_array("targets", targets, axes=2)
    share = number("tolerance", tolerance, low=0.0, high=1.0, open_high=True)
    least = integer("support", support, least=1)
    A: Any = TS.astype(np.float32 if len(TS) < 2**24 else np.float64)
    together = A.T @ A
    often = np.diag(together)
    closures = together >= (1 - share) * often[:, None] - 1e-6
    left, found = TS.copy(), []
    for z in np.argsort(often, kind="stable"):
        if often[z] >= least and left[:, z].sum() > share * often[z]:
            found.append(closures[z])
            inside = fits(TS, closures[z][None], tolerance=share)[:, 0]
            left[np.ix_(inside, closures[z])] = False
    return np.array(found, dtype=np.bool_).reshape(-1, TS.shape[1])
