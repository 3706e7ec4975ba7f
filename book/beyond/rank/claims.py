"""Claims beyond Section 4.1: the smallest basis of all, what certifies it, and how hard it is to find."""

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong_book.beyond.rank.cover import Sets, clique_family, crossed, essential, fewest, fooling, merged, weights
from lifelong_book.beyond.rank.experiments import all_graphs, fewest_cliques, fewest_concepts, largest_fooling_set
from lifelong_book.beyond.rank.instances import sperner_basis, sperner_rank
from lifelong_book.conjunctions.consistency.experiments import minimal_classes, smallest_basis
from lifelong_book.conjunctions.consistency.instances import all_families, all_targets, unions_of
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Broken, Exact, Exhaustive, Random, Tight, two_sided

Instances = Iterator[dict[str, Any]]
Pairs = dict[str, tuple[Any, Any]]

# algo-boolean-rank ---------------------------------------------------------------------------------------


def _families_of_three() -> Instances:
    """All families on 3 variables."""
    return ({"TS": TS} for TS in all_families(3) if len(TS))


def _families_of_four(count: int, rng: Generator) -> Instances:
    """Families on 4 variables, few targets and many equally often."""
    targets = all_targets(4)[1:]
    for _ in range(count):
        yield {"TS": targets[rng.permutation(15)[: rng.integers(1, 13)]]}


def _small_matrices(count: int, rng: Generator) -> Instances:
    """Up to 5 targets on 5 variables."""
    while count:
        TS = rng.random(rng.integers(1, 6, 2)) < rng.uniform(0.3, 0.9)
        if TS.any():
            count -= 1
            yield {"TS": TS}


def _nine_columns(count: int, rng: Generator) -> Instances:
    """Random families of ten targets on nine variables."""
    return ({"TS": rng.random((10, 9)) < 0.5} for _ in range(count))


def _all_concepts(TS: Sets) -> Pairs:
    """All cells, all concepts, and a search through their sets."""
    return {"rank": (len(fewest(merged(TS))), fewest_concepts(TS))}


def _by_closures(TS: Sets) -> tuple[int, int]:
    """Only the closures of single variables: that is Algorithm 3."""
    return len(metafeatures(TS)), len(fewest(merged(TS)))


@two_sided(
    "algo-boolean-rank",
    Exhaustive(_families_of_three, name="all families on 3 variables, all sets as metafeatures", equal=True),
    Random(_families_of_four, 500, name="families on 4 variables, all sets as metafeatures", equal=True, chunk=500),
    Random(_small_matrices, 200, name="up to 5 targets on 5 variables, all concepts", equal=True, sides=_all_concepts),
    Broken(
        _nine_columns,
        20,
        name="closures of single variables only",
        sides=_by_closures,
        drops="the concepts that are the closure of no single variable",
    ),
)
def rank(TS: Sets) -> Pairs:
    """The Boolean rank: the covering problem against all sets of metafeatures."""
    TS = merged(TS)
    M, w = fewest(TS), weights(TS)
    return {
        "rank": (len(M), smallest_basis(TS, need_anchors=False)),
        "a basis": (all(represent(T, M) is not None for T in TS), True),
        "bound": (sum(w) <= len(M), True),
    }


ALGO_RANK = rank.claim(
    "added",
    "the Boolean rank with a certificate",
    "The fewest metafeatures, anchored or not, that represent a family are as many as the fewest formal concepts that "
    "cover its essential cells; weights of cells, at most 1 in every concept, add up to no more than that.",
    "proved",
    functions=(fewest, essential, weights),
)


# prop-fooling-certificate --------------------------------------------------------------------------------


def _matrices(count: int, rng: Generator) -> Instances:
    """Random families."""
    return ({"TS": rng.random((8, 7)) < rng.uniform(0.2, 0.8)} for _ in range(count))


def _every_piece_a_target(count: int, rng: Generator) -> Instances:
    """Every anchored metafeature a target: the anchors of these targets fool."""
    for _ in range(count):
        k = int(rng.integers(1, 9))
        M = np.hstack([np.eye(k, dtype=bool), rng.random((k, 6)) < 0.4])
        targets = np.vstack([M, unions_of(rng.random((10, k)) < 0.4, M)])
        yield {"TS": targets, "cells": np.column_stack([np.arange(k)] * 2)}


def _all_but_one_of_four() -> Instances:
    """The converse: as many fooling cells as the rank."""
    yield {"TS": ~np.eye(4, dtype=bool)}


def _in_closed_form(TS: Sets, cells: Any) -> Pairs:
    """Cells that fool, as many as the pieces of Algorithm 3, and as the rank."""
    apart = not (crossed(TS, cells) & ~np.eye(len(cells), dtype=bool)).any()
    sizes = len(metafeatures(TS)), len(fewest(merged(TS)))
    return {"Algorithm 3": (len(cells) if apart else np.nan, sizes[0]), "rank": (len(cells), sizes[1])}


def largest(TS: Sets) -> tuple[int, int]:
    """The most cells that fool, by search, and the rank."""
    return largest_fooling_set(TS), len(fewest(TS))


@two_sided(
    "prop-fooling-certificate",
    Exhaustive(_families_of_three, name="all families on 3 variables"),
    Random(_matrices, 200, name="random families", chunk=200),
    Tight(_every_piece_a_target, 100, name="every anchored metafeature a target", equal=True, sides=_in_closed_form),
    Broken(
        _all_but_one_of_four,
        1,
        name="as many fooling cells as the rank",
        equal=True,
        sides=largest,
        why="the converse of the statement: the condition is not necessary",
    ),
)
def fooled(TS: Sets) -> Pairs:
    """Cells that fool against the Boolean rank; where they certify Algorithm 3, classes without exactly one of them."""
    TS = merged(TS)
    cells, pieces = fooling(TS), len(metafeatures(TS))
    held = [len(c & {*cells[:, 1]}) for c in minimal_classes(TS)]
    missed = sum(h != 1 for h in held)
    return {
        "cells": (len(cells), len(fewest(TS))),
        "classes missed": (missed if len(cells) == pieces else 0, 0),
    }


PROP_FOOLING = fooled.claim(
    "added",
    "when Algorithm 3 is smallest of all",
    "If no two of some cells lie in a common rectangle of ones, every basis has at least as many members as there are "
    "cells; if they are as many as the metafeatures of Algorithm 3, these are the fewest of all, and the cells hold "
    "one variable of each minimal class.",
    "proved",
    scope="sufficient, not necessary",
    functions=(fooling, crossed),
)


# prop-rank-family ----------------------------------------------------------------------------------------


def _numbers(count: int, first: int = 2) -> Instances:
    """Numbers of variables."""
    return ({"N": N} for N in range(first, first + count))


def _built(N: int, more: int = 0) -> Pairs:
    """The basis of the proof, against the formula and its neighbour."""
    TS, M, r = ~np.eye(N, dtype=bool), sperner_basis(N), sperner_rank(N + more)
    return {
        "members": (len(M), r),
        "one fewer is too few": (comb(len(M) - 1, (len(M) - 1) // 2) < N, True),
        "a basis": (all(represent(T, M) is not None for T in TS), True),
        "Algorithm 3": (len(metafeatures(TS)), N),
    }


def _one_more(N: int) -> Pairs:
    """The least r with binom(r, r/2) >= N + 1."""
    return _built(N, 1)


@two_sided(
    "prop-rank-family",
    Exact(_numbers, 8, name="exact rank, N = 2 to 9", equal=True),
    Exact(_numbers, 79, name="the basis of the proof, N = 2 to 80", equal=True, sides=_built),
    Broken(
        _numbers,
        1,
        ((70,),),
        name="least r with binom(r, r/2) >= N + 1, N = 70",
        equal=True,
        sides=_one_more,
        spoils=1 / 70,
    ),
)
def all_but_one(N: int) -> Pairs:
    """The Boolean rank and Algorithm 3 on the N sets with one variable missing."""
    TS = ~np.eye(N, dtype=bool)
    return {
        "rank": (len(fewest(TS)), sperner_rank(N)),
        "Algorithm 3": (len(metafeatures(TS)), N),
    }


PROP_FAMILY = all_but_one.claim(
    "added",
    "an exponential gap",
    r"On the $N$ sets of $N\ge 2$ variables with one missing Algorithm 3 returns $N$ metafeatures, while the "
    r"Boolean rank is the least $r$ with $\binom{r}{\lfloor r/2\rfloor}\ge N$.",
    "proved",
    functions=(fewest,),
)


# prop-set-basis-hard -------------------------------------------------------------------------------------


def _small_graphs() -> Instances:
    """All graphs with up to 5 vertices, up to renaming."""
    return ({"G": G} for v in range(1, 6) for G in all_graphs(v))


def _seven_vertices(count: int, rng: Generator) -> Instances:
    """Random graphs with 7 vertices."""
    for _ in range(count):
        upper = np.triu(rng.random((7, 7)) < rng.uniform(0.2, 0.8), 1)
        yield {"G": upper | upper.T}


def _neighbourhoods(G: Sets) -> Pairs:
    """Only the vertices and their neighbourhoods."""
    TS = merged(G | np.eye(len(G), dtype=bool))
    return {"rank": (len(fewest(TS)), fewest_cliques(G))}


@two_sided(
    "prop-set-basis-hard",
    Exhaustive(_small_graphs, name="all graphs with up to 5 vertices, up to renaming", equal=True),
    Random(_seven_vertices, 20, name="random graphs with 7 vertices", equal=True),
    Broken(
        _small_graphs,
        name="without the targets of the edges",
        equal=True,
        sides=_neighbourhoods,
        drops="the variables (u, w) and the targets R_uw",
    ),
)
def clique_cover(G: Sets) -> Pairs:
    """The Boolean rank of a graph's family counts cliques, Algorithm 3 counts vertices."""
    TS, v, twice_e = clique_family(G), len(G), int(G.sum())
    return {
        "rank": (len(fewest(TS)), twice_e + fewest_cliques(G)),
        "Algorithm 3": (len(metafeatures(TS)), twice_e + v),
    }


PROP_HARD = clique_cover.claim(
    "added",
    "the set basis problem is NP-hard",
    "For a graph with $v$ vertices and $e$ edges, the Boolean rank of its clique cover family is $2e$ plus the "
    "least number of cliques that cover the vertices, while Algorithm 3 returns $2e+v$ metafeatures.",
    "proved",
    functions=(clique_family, fewest),
)
