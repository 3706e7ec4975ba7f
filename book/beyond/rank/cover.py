"""The Boolean rank, the fewest metafeatures of any kind: rectangles of ones, and weights of cells that certify them."""

from fractions import Fraction
from itertools import compress
from typing import Any

import numpy as np

Sets = Any  # a matrix of booleans, one set a row


def merged(TS: Sets) -> Sets:
    """Before a Boolean rank is sought: equal and empty targets and variables taken once, or not at all."""
    for _ in "targets", "variables":
        TS = TS[TS.any(axis=1)]
        first = np.unique(TS, axis=0, return_index=True)[1]
        TS = TS[np.sort(first)].T
    return TS


def inside(M: Sets, TS: Sets) -> Sets:
    """For Boolean covers: entry [T, j] says whether the piece m_j lies in the target T."""
    return ~(~TS @ M.T)


def intents(TS: Sets) -> Sets:
    """The pieces among which the Boolean rank is sought: all intersections of targets, that of none included."""
    n = TS.shape[1]
    found = {2**n - 1}  # a set as a binary number
    for word in ("".join("01"[x] for x in T.astype(int)) for T in TS):
        T = int(word, 2)
        found |= {T & I for I in found}
    whole = "".join(f"{I:0{n}b}" for I in sorted(found)).encode()
    return np.frombuffer(whole, "S1").reshape(-1, n) == b"1"


def essential(TS: Sets) -> Any:
    """What the Boolean rank must cover: the cells (T, z) than which no other cell is harder to cover."""
    smaller = inside(TS, TS).astype(int)  # [T, T']: T' in T
    rarer = inside(TS.T, TS.T)  # [z, z']: N(z') in N(z)
    below = smaller @ TS @ rarer.T  # how many cells (T', z')
    return np.argwhere(TS & (below == 1))  # itself alone


def covering(TS: Sets) -> tuple[Sets, Sets]:
    """The Boolean rank as a covering problem: the intents, and which essential cells (a row each) they cover."""
    I, (T, z) = intents(TS), essential(TS).T  # 1, 2
    return I, inside(I, TS)[T] & I[:, z].T


def fewest(TS: Sets) -> Sets:
    """A basis of as many pieces as the Boolean rank: as few intents as can be that cover all essential cells."""
    from scipy.optimize import LinearConstraint, milp

    I, cover = covering(TS)
    one, whole = np.ones(len(I)), LinearConstraint(cover, lb=1)
    x = milp(one, integrality=one, bounds=(0, 1), constraints=whole).x
    return I[x > 0.5]  # 3


def weights(TS: Sets) -> list[Fraction]:
    """A Boolean rank's certificate: weights of essential cells, at most 1 in a rectangle, of nearly the largest sum."""
    from scipy.optimize import linprog

    _, cover = covering(TS)
    cells, most = np.ones(len(cover)), np.ones(cover.shape[1])
    x = linprog(-cells, A_ub=cover.T, b_ub=most).x
    w = [Fraction(v).limit_denominator(5040) for v in x]
    heaviest = max(sum(compress(w, held)) for held in cover.T)
    return [v / max(heaviest, 1) for v in w]  # 4


def crossed(TS: Sets, cells: Any) -> Sets:
    """Which cells cannot fool together, for the Boolean rank: entry [a, b] says if a rectangle of ones has both."""
    T, z = np.asarray(cells).T
    return TS[T][:, z] & TS[T][:, z].T


def fooling(TS: Sets) -> Any:
    """A certificate of the Boolean rank: essential cells of which no rectangle has two, chosen greedily."""
    cells = essential(TS)
    together, chosen = crossed(TS, cells), []
    left = np.ones(len(cells), dtype=bool)
    while left.any():
        clash = np.where(left, together[:, left].sum(axis=1), np.inf)
        chosen.append(clash.argmin())  # excludes fewest others
        left &= ~together[chosen[-1]]
    return cells[chosen]


def greedy(TS: Sets) -> Sets:
    """A greedy cover, beside the Boolean rank: always the rectangle that covers most of what is uncovered."""
    I, M = intents(TS), []
    users, missing = inside(I, TS).T.astype(float), TS.copy()
    while missing.any():
        gain = ((users @ missing) * I).sum(axis=1)
        M.append(I[gain.argmax()])
        missing &= ~np.outer(users[gain.argmax()], M[-1]).astype(bool)
    return np.array(M)


def clique_family(G: Sets) -> Sets:
    """Targets whose Boolean rank counts the cliques needed to cover the vertices of a graph."""
    u, w = np.nonzero(G)
    V, E = np.eye(len(G), dtype=bool), np.eye(len(u), dtype=bool)
    return np.block([[G | V, V[:, u]], [V[w], E]])  # T_u, then R_uw
