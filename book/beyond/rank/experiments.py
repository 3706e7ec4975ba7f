"""The Boolean rank and what bounds it, by trying everything; and all small graphs."""

from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, bool_array, integer
from lifelong_book.conjunctions.consistency.instances import masks


def fewest_concepts(targets: ArrayLike) -> int:
    """Least number of formal concepts whose unions give every target, by trying all; no cell is left out."""
    TS = bool_array("targets", targets, axes=2)
    rows, n = masks(np.unique(TS, axis=0)), TS.shape[1]
    intents = {2**n - 1}
    for row in rows:
        intents |= {row & other for other in intents}
    cells = [sum(I << n * i for i, row in enumerate(rows) if I & ~row == 0) for I in intents]
    return _fewest(cells, sum(row << n * i for i, row in enumerate(rows)))


def _fewest(sets: list[int], everything: int) -> int:
    """Least number of sets, as bit masks, whose union is everything."""
    reached, size = {0}, 0
    while everything not in reached:
        reached = {mask | more for mask in reached for more in sets}
        size += 1
    return size


def largest_fooling_set(targets: ArrayLike) -> int:
    """Most ones of which no two lie in a rectangle of ones, by trying all sets of cells, larger and larger."""
    TS = bool_array("targets", targets, axes=2)
    cells, size = np.argwhere(TS).tolist(), 0

    def apart(one: list[int], other: list[int]) -> bool:
        return not (TS[one[0], other[1]] and TS[other[0], one[1]])

    while any(all(apart(*two) for two in combinations(chosen, 2)) for chosen in combinations(cells, size + 1)):
        size += 1
    return size


def fewest_cliques(graph: ArrayLike) -> int:
    """Least number of cliques that cover the vertices of a graph, by trying all sets of vertices."""
    G = bool_array("graph", graph, axes=2)
    v = len(G)
    near = [1 << a | sum(1 << int(b) for b in np.flatnonzero(G[a])) for a in range(v)]
    cliques = [S for S in range(1, 1 << v) if all(S & ~near[a] == 0 for a in range(v) if S >> a & 1)]
    return _fewest(cliques, (1 << v) - 1)


@cache
def all_graphs(v: int) -> tuple[BoolArray, ...]:
    """Graphs whose cliques give Boolean ranks: one of v vertices of each kind up to renaming."""
    pairs = list(combinations(range(integer("v", v, least=1, most=6)), 2))
    place = {pair: e for e, pair in enumerate(pairs)}
    moves = [[place[min(p[a], p[b]), max(p[a], p[b])] for a, b in pairs] for p in permutations(range(v))]
    seen: set[int] = set()
    found = []
    for mask in range(1 << len(pairs)):
        if mask not in seen:
            edges = [e for e in range(len(pairs)) if mask >> e & 1]
            seen |= {sum(1 << move[e] for e in edges) for move in moves}
            G = np.zeros((v, v), dtype=np.bool_)
            for e in edges:
                G[pairs[e]] = G[pairs[e][::-1]] = True
            found.append(G)
    return tuple(found)
