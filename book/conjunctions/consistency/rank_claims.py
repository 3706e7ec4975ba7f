"""Claims of Section 4.1, continued: the smallest basis of all, how hard it is to find, and what noise does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong_book.conjunctions.consistency.claims import _as_set, _random_family
from lifelong_book.conjunctions.consistency.concept_lattice import (
    essential_cells,
    fooling_set,
    formal_concepts,
    is_fooling,
)
from lifelong_book.conjunctions.consistency.experiments import (
    _fewest,
    all_families,
    all_graphs,
    all_targets,
    fewest_cliques,
    fewest_concepts,
    largest_fooling_set,
    minimal_classes,
    smallest_basis,
    unions_of,
)
from lifelong_book.conjunctions.consistency.instances import clique_cover_family, sperner_basis, sperner_rank
from lifelong_book.conjunctions.consistency.rank import boolean_rank, is_certified
from lifelong_book.conjunctions.consistency.tolerance import robust_metafeatures
from lifelong_book.press.claim import Check, Claim, Finding, Generator

# algo-boolean-rank ---------------------------------------------------------------------------------------


def _rank_exhaustive(count: int, rng: Generator) -> Finding:
    def holds(family: BoolArray) -> bool:
        found = boolean_rank(family)
        return found.rank == smallest_basis(family, need_anchors=False) and is_certified(family, found)

    return Finding.of_outcomes(holds(family) for family in all_families(3))


def _sample(count: int, rng: Generator, most: int = 12) -> Iterator[BoolArray]:
    """Families of nonempty conjunctions on four variables, few targets and many equally often."""
    targets = all_targets(4)[1:]
    for _ in range(count):
        yield targets[rng.permutation(15)[: rng.integers(0, most + 1)]]


def _rank_sampled(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(
        boolean_rank(f).rank == smallest_basis(f, need_anchors=False) for f in _sample(count, rng)
    )


def _small(rng: Generator) -> BoolArray:
    shape = int(rng.integers(1, 6)), int(rng.integers(1, 6))
    return rng.random(shape) < rng.uniform(0.3, 0.9)


def _rank_concepts(count: int, rng: Generator) -> Finding:
    def holds(family: BoolArray) -> bool:
        found, cells = boolean_rank(family), essential_cells(family)
        extents, intents = formal_concepts(family)
        covered = (extents[:, cells[:, 0]] & intents[:, cells[:, 1]]) @ (1 << np.arange(len(cells)))
        least = _fewest(covered.tolist(), 2 ** len(cells) - 1)
        return found.rank == fewest_concepts(family) == least and is_certified(family, found)

    return Finding.of_outcomes(holds(_small(rng)) for _ in range(count))


def _rank_twin(count: int, rng: Generator) -> Finding:
    """Only the closures of variables as candidates: that is Algorithm 3."""
    families = (rng.random((10, 9)) < 0.5 for _ in range(count))
    return Finding.of_outcomes(len(metafeatures(f)) == boolean_rank(f).rank for f in families)


ALGO_RANK = Claim(
    "algo-boolean-rank",
    "added",
    "",
    "the Boolean rank with a certificate",
    "The fewest metafeatures, anchored or not, that represent a family are as many as the fewest formal concepts that "
    "cover its essential cells; weights of cells, at most 1 in every concept, add up to no more than that.",
    "proved",
    checks=(
        Check("all families on 3 variables, all sets as metafeatures", "exhaustive", _rank_exhaustive),
        Check(
            "families on 4 variables, all sets as metafeatures", "random", _rank_sampled, 500, scales=True, chunk=500
        ),
        Check("up to 5 targets on 5 variables, all concepts", "random", _rank_concepts, 200, scales=True, chunk=200),
    ),
    twins=(
        Check(
            "closures of single variables only",
            "random",
            _rank_twin,
            20,
            violated=True,
            drops="the concepts that are the closure of no single variable",
        ),
    ),
    page="beyond/rank",
    functions=(
        "lifelong_book.conjunctions.consistency.rank.boolean_rank",
        "lifelong_book.conjunctions.consistency.concept_lattice.essential_cells",
        "lifelong_book.conjunctions.consistency.concept_lattice.formal_concepts",
    ),
)


# prop-fooling-certificate --------------------------------------------------------------------------------


def _fooling_holds(targets: BoolArray) -> bool:
    """The cells fool, are no more than the rank; if as many as the output, they hold one of each minimal class."""
    cells, size, taken = fooling_set(targets), len(metafeatures(targets)), np.empty((0, 2), dtype=np.int64)
    for cell in np.argwhere(targets):
        more = np.vstack([taken, cell])
        taken = more if is_fooling(targets, more) else taken
    if not is_fooling(targets, cells) or max(len(cells), len(taken)) > boolean_rank(targets).rank:
        return False
    held = [sum(int(z) in c for z in cells[:, 1]) for c in minimal_classes(targets)]
    return len(cells) < size or held == [1] * size


def _fooling_exhaustive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_fooling_holds(family) for family in all_families(3))


def _fooling_random(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_fooling_holds(rng.random((8, 7)) < rng.uniform(0.2, 0.8)) for _ in range(count))


def _fooling_tight(count: int, rng: Generator, k: int = 8, more: int = 0) -> Finding:
    """Anchored metafeatures, each a target too: a certificate in closed form, as many cells as pieces."""
    ratios = []
    for _ in range(count):
        size = k if more else int(rng.integers(1, k + 1))
        M = np.hstack([np.eye(size, dtype=np.bool_), rng.random((size, 6)) < 0.4])
        targets = np.vstack([M, unions_of(rng.random((10, size)) < 0.4, M)])
        cells = np.column_stack([np.arange(size)] * 2)
        ratios.append((len(cells) + more) / len(metafeatures(targets)) if is_fooling(targets, cells) else np.nan)
    return Finding.of_ratios(ratios)


def _fooling_twin(count: int, rng: Generator) -> Finding:
    """The converse: as many fooling cells as the rank."""
    complements = ~np.eye(4, dtype=np.bool_)
    return Finding.of_outcomes([largest_fooling_set(complements) == boolean_rank(complements).rank])


PROP_FOOLING = Claim(
    "prop-fooling-certificate",
    "added",
    "",
    "when Algorithm 3 is smallest of all",
    "If no two of some cells lie in a common rectangle of ones, every basis has at least as many members as there are "
    "cells; if they are as many as the metafeatures of Algorithm 3, these are the fewest of all, and the cells hold "
    "one variable of each minimal class.",
    "proved",
    scope="sufficient, not necessary",
    checks=(
        Check("all families on 3 variables", "exhaustive", _fooling_exhaustive),
        Check("random families", "random", _fooling_random, 200, scales=True, chunk=200),
        Check("every anchored metafeature a target", "tight", _fooling_tight, 200),
    ),
    twins=(
        Check(
            "a basis has a member more than there are cells, 50 cells",
            "tight",
            partial(_fooling_tight, k=50, more=1),
            10,
            violated=True,
            spoils=0.02,
        ),
        Check(
            "as many fooling cells as the rank",
            "exhaustive",
            _fooling_twin,
            violated=True,
            why="the converse of the statement: the condition is not necessary",
        ),
    ),
    page="beyond/rank",
    functions=(
        "lifelong_book.conjunctions.consistency.concept_lattice.fooling_set",
        "lifelong_book.conjunctions.consistency.concept_lattice.is_fooling",
    ),
)


# prop-rank-family ----------------------------------------------------------------------------------------


def _family_exact(count: int, rng: Generator, size: Any = sperner_rank) -> Finding:
    ranks = [(N, boolean_rank(~np.eye(N, dtype=np.bool_)).rank) for N in range(2, count + 2)]
    return Finding.of_outcomes([rank == size(N) for N, rank in ranks])


def _family_built(count: int, rng: Generator, first: int = 2, more: int = 0) -> Finding:
    """The basis of the proof, and the output of Algorithm 3, for larger N; `more` spoils the N of the formula."""

    def holds(N: int) -> bool:
        targets, basis = ~np.eye(N, dtype=np.bool_), sperner_basis(N)
        built = len(basis) == sperner_rank(N + more) and comb(len(basis) - 1, (len(basis) - 1) // 2) < N
        return built and all(represent(T, basis) is not None for T in targets) and len(metafeatures(targets)) == N

    return Finding.of_outcomes(holds(N) for N in range(first, first + count))


PROP_FAMILY = Claim(
    "prop-rank-family",
    "added",
    "",
    "an exponential gap",
    r"On the $N$ sets of $N\ge 2$ variables with one missing Algorithm 3 returns $N$ metafeatures, while the "
    r"Boolean rank is the least $r$ with $\binom{r}{\lfloor r/2\rfloor}\ge N$.",
    "proved",
    checks=(
        Check("exact rank, N = 2 to 9", "exact", _family_exact, 8),
        Check("the basis of the proof, N = 2 to 80", "exact", _family_built, 79),
    ),
    twins=(
        Check(
            "least r with binom(r, r/2) >= N + 1, N = 70",
            "exact",
            partial(_family_built, first=70, more=1),
            violated=True,
            spoils=1 / 70,
        ),
    ),
    page="beyond/rank",
    functions=("lifelong_book.conjunctions.consistency.rank.boolean_rank",),
)


# prop-set-basis-hard -------------------------------------------------------------------------------------


def _reduction_holds(graph: BoolArray, cliques: int) -> bool:
    """The rank is twice the edges plus the cliques; Algorithm 3 returns twice the edges plus the vertices."""
    targets, both = clique_cover_family(graph), int(graph.sum())
    return boolean_rank(targets).rank == both + cliques and len(metafeatures(targets)) == both + len(graph)


def _hard_exhaustive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_reduction_holds(G, fewest_cliques(G)) for v in range(1, 6) for G in all_graphs(v))


def _hard_random(count: int, rng: Generator) -> Finding:
    def holds() -> bool:
        upper = np.triu(rng.random((7, 7)) < rng.uniform(0.2, 0.8), 1)
        return _reduction_holds(upper | upper.T, fewest_cliques(upper | upper.T))

    return Finding.of_outcomes(holds() for _ in range(count))


def _hard_twin(count: int, rng: Generator) -> Finding:
    """Only the vertices and their neighbourhoods: the rank of the smaller family against the cliques."""
    every = [G for v in range(1, 6) for G in all_graphs(v)]
    return Finding.of_outcomes(
        boolean_rank(G | np.eye(len(G), dtype=np.bool_)).rank == fewest_cliques(G) for G in every
    )


PROP_HARD = Claim(
    "prop-set-basis-hard",
    "added",
    "",
    "the set basis problem is NP-hard",
    "For a graph with $v$ vertices and $e$ edges, the Boolean rank of its clique cover family is $2e$ plus the "
    "least number of cliques that cover the vertices, while Algorithm 3 returns $2e+v$ metafeatures.",
    "proved",
    checks=(
        Check("all graphs with up to 5 vertices, up to renaming", "exhaustive", _hard_exhaustive),
        Check("random graphs with 7 vertices", "random", _hard_random, 20),
    ),
    twins=(
        Check(
            "without the targets of the edges",
            "exhaustive",
            _hard_twin,
            violated=True,
            drops="the variables (u, w) and the targets R_uw",
        ),
    ),
    page="beyond/rank",
    functions=(
        "lifelong_book.conjunctions.consistency.instances.clique_cover_family",
        "lifelong_book.conjunctions.consistency.rank.boolean_rank",
    ),
)


# prop-robust-exact ---------------------------------------------------------------------------------------


def _robust_is_exact(targets: BoolArray, tolerance: float = 0.0) -> bool:
    return _as_set(robust_metafeatures(targets, tolerance=tolerance)) == _as_set(metafeatures(targets))


def _robust_exhaustive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_robust_is_exact(family) for family in all_families(3))


def _robust_random(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_robust_is_exact(_random_family(rng)) for _ in range(count))


def _robust_twin(count: int, rng: Generator) -> Finding:
    """A tolerance of 2 %, on families of 100 targets with variables that nearly always come together."""

    def holds() -> bool:
        targets = rng.random((100, 6)) < 0.5
        targets[:, 0] = targets[:, 1]
        targets[rng.integers(0, 100), 0] ^= True
        return _robust_is_exact(targets, tolerance=0.02)

    return Finding.of_outcomes(holds() for _ in range(count))


PROP_ROBUST = Claim(
    "prop-robust-exact",
    "added",
    "",
    "Algorithm 3 from the rarest variable on",
    "Visiting the variables from the rarest to the most frequent, and taking the closure of each that some target "
    "with it leaves uncovered, gives the metafeatures of Algorithm 3: `robust_metafeatures` with tolerance 0.",
    "proved",
    checks=(
        Check("all families on 3 variables", "exhaustive", _robust_exhaustive),
        Check("random families", "random", _robust_random, 1000, scales=True, chunk=500),
    ),
    twins=(Check("tolerance 0.02", "random", _robust_twin, 50, violated=True, spoils=0.02),),
    page="beyond/factorisations",
    functions=(
        "lifelong_book.conjunctions.consistency.tolerance.robust_metafeatures",
        "lifelong_book.conjunctions.consistency.tolerance.fits",
    ),
)

CLAIMS = (ALGO_RANK, PROP_FOOLING, PROP_FAMILY, PROP_HARD, PROP_ROBUST)
