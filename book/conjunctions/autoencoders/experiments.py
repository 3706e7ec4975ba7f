"""Section 4.4 in plain steps, as its chapter shows them; brute force and exact chances to compare Theorem 5 with.

The package has the plain steps too, faster: `lifelong.conjunctions.autoencoder` and `winnow`.
What tries all there is to try, or computes what the theorem bounds, needs instances that are small or regular enough.
"""

from itertools import chain, combinations, product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, matrix_product, real_array
from lifelong.conjunctions import bounds
from lifelong.conjunctions.autoencoder import AnchorSolution, anchor_set_candidates, anchor_sets, lie_inside
from lifelong_book.conjunctions.autoencoders.instances import missing_one
from lifelong_book.conjunctions.consistency.instances import all_targets

Set = frozenset[int]


# what the chapter shows ----------------------------------------------------------------------------------


def inside(M: BoolArray, TS: BoolArray) -> BoolArray:
    """The autoencoder's codes in plain steps: entry [r, j] says whether metafeature j lies inside target r."""
    outside: BoolArray = ~TS @ M.T  # a pixel of m_j that T_r lacks
    return ~outside


def small_sets(variables: ArrayLike, c: int) -> list[list[int]]:
    """The possible anchor sets in plain steps: all sets of at most c of the variables, the empty one first."""
    v = np.asarray(variables).tolist()
    return [[*y] for s in range(c + 1) for y in combinations(v, s)]


def definition_1(M: BoolArray, TS: BoolArray, c: int, k: int) -> bool:
    """Definition 1 in plain steps: whether the c-anchor-set assumption holds at sparsity k."""
    R = inside(M, TS)  # the relevant ones
    few = (R.sum(axis=1) <= k).all()  # 1
    whole = ((R @ M) == TS).all()
    for m, users in zip(M, R.T, strict=True):  # 2
        Y = small_sets(np.flatnonzero(m), c)
        if not any((TS[:, y].all(axis=1) <= users).all() for y in Y):
            return False
    return bool(few and whole)


def candidates(TS: BoolArray, c: int) -> BoolArray:
    """Theorem 5's candidates in plain steps: for every set y of at most c variables, what all targets with y share."""
    Y = small_sets(range(TS.shape[1]), c)[1:]  # 1
    users = np.array([TS[:, y].all(axis=1) for y in Y])  # of each y
    users = np.unique(users[users.any(axis=1)], axis=0)
    return np.array([TS[u].all(axis=0) for u in users])


def covering(M: BoolArray, TS: BoolArray) -> BoolArray:
    """Constraint (2) of Theorem 5 in plain steps, a row for each pixel i of each target r: candidates in T_r with i."""
    R, pixels = inside(M, TS), zip(*np.nonzero(TS), strict=True)
    return np.array([R[r] & M[:, i] for r, i in pixels])


def programme(M: BoolArray, TS: BoolArray, k: int) -> Any:
    """Theorem 5's linear programme in plain steps: its weights over candidates M; None if there are none."""
    import cvxpy as cp
    from scipy.sparse import csr_array

    Z = cp.Variable(len(M))  # 2
    cover = csr_array(covering(M, TS) * 1.0)
    within = csr_array(inside(M, TS) * 1.0)
    constraints = [
        Z >= 0,  # the paper's (1)
        Z <= 1,
        cover @ Z >= 1,  # its (2), for i in T_r
        within @ Z <= k,  # its (3)
    ]
    task = cp.Problem(cp.Minimize(cp.sum(Z)), constraints)  # type: ignore[attr-defined]
    task.solve(solver="SCIPY")  # type: ignore[no-untyped-call]
    return Z.value


def rounding(Z: FloatArray, L: float, rng: np.random.Generator) -> BoolArray:
    """Theorem 5's rounding in plain steps: each candidate is kept with probability min(1, L Z_y), independently."""
    return np.asarray(rng.random(len(Z)) < np.minimum(1, L * Z))  # 3


def missing_pixels(Z: FloatArray, cover: BoolArray, L: float) -> float:
    """Expected number of rows of `cover` in which Theorem 5's rounding in plain steps keeps no candidate."""
    p = np.minimum(1, L * Z)
    return float(np.where(cover, 1 - p, 1.0).prod(axis=1).sum())


def mistakes(F: BoolArray, truth: BoolArray, alpha: float = 2.0) -> FloatArray:
    """Winnow in plain steps: its weights after each mistake on rows of F, where the OR of those in truth is right."""
    w, after = np.ones(F.shape[1]), []
    for active in F:
        says_1 = w[active].sum() >= len(w) / alpha
        if says_1 != (active & truth).any():
            w[active] *= 0 if says_1 else alpha
            after.append(w.copy())
    return np.array(after)


# Definition 1 by brute force ------------------------------------------------------------------------------


def _subsets(items: Set | range, most: int) -> list[Set]:
    """Sets of at most `most` of the items, small ones first."""
    sizes = range(min(most, len(items)) + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(sorted(items), size) for size in sizes)]


def is_anchored_by_search(metafeatures: ArrayLike, targets: ArrayLike, *, c: int, k: int) -> bool:
    """Definition 1 word for word: all relevant sets and all anchor sets are tried."""
    M, TS = bool_array("metafeatures", metafeatures, axes=2), bool_array("targets", targets, axes=2)
    c, k = integer("c", c, least=0), integer("k", k, least=0)
    pieces, wholes = ([frozenset(np.flatnonzero(row).tolist()) for row in rows] for rows in (M, TS))

    def relevant(T: Set, y: tuple[Set, ...]) -> bool:
        summoned = {j for j in range(len(pieces)) if y[j] <= T}
        unions = (frozenset[int]().union(*(pieces[j] for j in R)) for R in _subsets(range(len(M)), k) if summoned <= R)
        return any(union == T for union in unions)

    return any(all(relevant(T, y) for T in wholes) for y in product(*(_subsets(m, c) for m in pieces)))


def fewest_anchored(targets: ArrayLike, *, c: int) -> dict[int, int]:
    """Least number of metafeatures with anchor sets, for each sparsity level, by trying all sets of them."""
    TS, c = bool_array("targets", targets, axes=2), integer("c", c, least=0)
    n = integer("targets: number of columns", TS.shape[1], least=1, most=4)
    pieces = all_targets(n)[1:]
    pieces = pieces[[y is not None for y in anchor_sets(pieces, TS, c=c)]]
    chosen = all_targets(len(pieces))
    good, most = np.ones(len(chosen), dtype=np.bool_), np.zeros(len(chosen), dtype=np.int64)
    for T, own in zip(TS, lie_inside(pieces, TS), strict=True):
        used = chosen & own
        good &= ((matrix_product(used, pieces) > 0) == T).all(axis=1)
        most = np.maximum(most, used.sum(axis=1))
    sizes = chosen.sum(axis=1)
    return {int(k): int(sizes[good & (most <= k)].min()) for k in np.unique(most[good])}


# the linear programme ------------------------------------------------------------------------------------


def weight_elsewhere(solution: AnchorSolution) -> float:
    """The most weight that any equally good solution of Theorem 5's programme puts on candidates left out here."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    left_out = (solution.weights < 0.5).astype(np.float64)
    if not left_out.any():
        return 0.0
    k = np.inf if solution.k is None else solution.k
    cover = csr_array(solution.coverage, dtype=float)
    inside = csr_array(solution.inside, dtype=float)
    all_together = np.ones((1, len(left_out)))
    rows = [
        LinearConstraint(cover, lb=1),
        LinearConstraint(all_together, ub=solution.value),
        LinearConstraint(inside, ub=k),
    ]
    found = milp(-left_out, constraints=rows, bounds=Bounds(0, 1))
    if found.x is None:
        raise ValueError("solution: nothing satisfies its constraints")
    return float(-found.fun)


# the rounding --------------------------------------------------------------------------------------------


def spread_solution(n: int) -> AnchorSolution:
    """An optimum of Theorem 5's programme for `missing_one`, c = 2: weight 1/(n - 2) on every pair, at the least k."""
    targets = missing_one(integer("n", n, least=4))
    candidates = anchor_set_candidates(targets, c=2)
    weights = np.where(candidates.sum(axis=1) == 2, 1 / (n - 2), 0.0)
    return AnchorSolution(candidates, lie_inside(candidates, targets), weights, n // 2)


def rounding_risk(solution: AnchorSolution, *, share: float = 1.0) -> tuple[float, float, float]:
    """Bounds on the chances of the three bad events of Theorem 5's rounding, from exact chances of their parts."""
    m, n = len(solution.inside), solution.candidates.shape[1]
    L = bounds.rounding_logarithm(n, m=m)
    p = np.minimum(1.0, solution.weights * (L * share))
    missed = sum(np.prod(1 - p[row]) for row in solution.coverage)
    most = np.inf if solution.k is None else bounds.rounded_sparsity(n, k=solution.k, m=m)
    dense = sum(_tail(p[row], most) for row in solution.inside)
    return float(missed), dense, _tail(p, 2 * max(solution.value, 3) * L)


def _tail(p: FloatArray, most: float) -> float:
    """Chance that more than `most` of independent events of probabilities p occur."""
    if len(p) <= most:
        return 0.0
    chance = np.array([1.0])
    for q in p:
        chance = np.convolve(chance, (1 - q, q))
    return float(chance[int(most) + 1 :].sum())


def spread_risk(n: ArrayLike, *, share: float = 1.0) -> FloatArray:
    """Expected number of uncovered pairs of target and pixel, `spread_solution` rounded, over Theorem 5's 1/n."""
    sizes = real_array("n", n, axes=0)
    kept = np.minimum(1.0, 3 * share * np.log(sizes) / (sizes - 2))  # with this chance a pair is
    with np.errstate(divide="ignore"):
        return np.asarray(sizes**2 * (sizes - 1) * np.exp((sizes - 2) * np.log1p(-kept)))
