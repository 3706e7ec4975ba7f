"""Exercises of the page on the Boolean rank."""

from functools import cache
from itertools import permutations

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong_book.beyond.rank import experiments
from lifelong_book.conjunctions.consistency import experiments as studies
from lifelong_book.conjunctions.consistency.exercises import _refuse_no_fooling_set
from lifelong_book.conjunctions.consistency.instances import masks
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, family, rows, variables, whole


def _braille(answer: Submission) -> None:
    patterns = answer.parts(count=8)
    cells = [(variables(T, answer.where, among=range(1, 9)), dot) for dot, T in enumerate(patterns, 1)]
    _refuse_no_fooling_set(answer, cells)


def _masks(targets: BoolArray) -> int:
    """A family of nonempty sets of four variables as a number of 15 bits."""
    return sum({1 << S - 1 for S in masks(targets) if S})


@cache
def _has_gap() -> BoolArray:
    """For every family on four variables, whether a basis without anchors is smaller than the output."""
    return np.asarray(studies.output_sizes(4) > studies.smallest_bases(4, need_anchors=False))


def _renamed(mask: int) -> int:
    """The least number of a family among all renamings of the four variables."""
    sets = [S for S in range(1, 16) if mask >> S - 1 & 1]
    moved = (sum(1 << sum(1 << p[z] for z in range(4) if S >> z & 1) - 1 for S in sets) for p in permutations(range(4)))
    return min(moved)


def _all_gaps(answer: Submission) -> None:
    given = answer()
    if not isinstance(given, tuple | list):
        answer.refuse("expected a list of families")
    gap, found = _has_gap(), set()
    for number, one in enumerate(given):
        targets = family(one, answer.where, shape=(None, 4))
        mask = _masks(targets)
        if not gap[mask]:
            answer.refuse(f"family {number} (counted from 0) has no smaller basis without anchors")
        if _renamed(mask) in found:
            answer.refuse(f"family {number} (counted from 0) is an earlier one with other names")
        found.add(_renamed(mask))
    if len(found) < len({_renamed(int(mask)) for mask in np.flatnonzero(gap)}):
        answer.refuse("some family is missing")


def _bounds(answer: Submission) -> None:
    for r in (1, 2, 3, 5):
        first, second = answer.parts(r, count=2)
        targets = family(first, answer.where)
        basis = family(second, answer.where, shape=(r, targets.shape[1]))
        distinct = np.unique(targets[targets.any(axis=1)], axis=0)
        if any(represent(T, basis) is None for T in distinct):
            answer.refuse("some target is not a union of the basis")
        # no rank below r is possible for so many targets: that is the bound itself
        if len(distinct) < 2**r - 1:
            answer.refuse("a family of that rank can have more different nonempty targets")


def _three_cells(answer: Submission) -> None:
    for N in (3, 4, 7, 20):
        given = answer(N)
        if not isinstance(given, tuple | list | np.ndarray):
            answer.refuse("expected a list of pairs (i, z)")
        pairs = [[whole(x, answer.where) for x in pair] for pair in rows(given, answer.where, shape=(None, 2))]
        if not all(1 <= x <= N for pair in pairs for x in pair):
            answer.refuse("expected numbers from 1 to N")
        everything = frozenset(range(1, N + 1))
        _refuse_no_fooling_set(answer, [(everything - {i}, z) for i, z in pairs])
        if len({tuple(pair) for pair in pairs}) < 3:
            answer.refuse("there is a larger fooling set")


def _differs(graph: BoolArray) -> bool:
    """Whether neighbourhoods alone have another Boolean rank than the graph has cliques that cover it."""
    return experiments.fewest_concepts(graph | np.eye(len(graph), dtype=np.bool_)) != experiments.fewest_cliques(graph)


def _broken_reduction(answer: Submission) -> None:
    G = answer.family()
    v = len(G)
    if G.shape != (v, v) or not np.array_equal(G, G.T) or G.diagonal().any():
        answer.refuse("expected the adjacency matrix of a graph: symmetric, zeros on the diagonal")
    if v > 6:
        answer.refuse("there are smaller graphs")
    if not _differs(G):
        answer.refuse("for this graph the two numbers are the same")
    if any(_differs(H) for fewer in range(1, v) for H in experiments.all_graphs(fewer)):
        answer.refuse("a graph with fewer vertices does it")


def _transposed(answer: Submission) -> None:
    A = answer.family()
    if len(metafeatures(A)) == len(metafeatures(np.ascontiguousarray(A.T))):
        answer.refuse("the family and its transpose have the same number of pieces")
    if A.size > 12:  # a test tries everything with fewer cells
        answer.refuse("there is a family with fewer cells")


EXERCISES = (
    Exercise(
        label="ex-consistency-fooling",
        asks=Asks("prove", difficulty=1, minutes=15),
        goal="Certify with pairs of a target and a variable that no basis is smaller.",
        hint="Two cells share no rectangle if one of the crossing cells is empty. Which patterns have few dots?",
        answer="targets()",
        returns="eight Braille patterns T_1 to T_8, nonempty sets of dots 1 to 8, that are a fooling set with z_j = j.",
        checker=_braille,
    ),
    Exercise(
        label="ex-consistency-gap",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Count small families up to renaming, by trying all of them.",
        hint="Give each family a name that no renaming changes, such as the least of all its renamings.",
        answer="families()",
        returns="all families on four variables with a smaller basis without anchors, one of each kind up to renaming.",
        given="A list of 0/1 matrices with four columns and one row for each target, all rows nonempty.",
        checker=_all_gaps,
    ),
    Exercise(
        label="ex-consistency-two",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Work out Algorithm 3 on the smallest inputs, by the order of the variables.",
        hint="Which variables are minimal when neither target contains the other, and which when one does?",
    ),
    Exercise(
        label="ex-rank-bounds",
        asks=Asks("prove", difficulty=1, minutes=20),
        goal="Bound the Boolean rank by counting, from both sides.",
        hint="How many nonempty unions do r sets have at most? Which two bases does every family have?",
        answer="example(r)",
        returns="(targets, basis): as many different nonempty targets as Boolean rank r allows, and a basis of r rows.",
        checker=_bounds,
    ),
    Exercise(
        label="ex-rank-three",
        asks=Asks("prove", difficulty=3, minutes=35),
        goal="Show that a certificate can be arbitrarily far from the truth.",
        hint="Draw the cell (i, z) as an arrow from i to z. What do two arrows of a fooling set have to do?",
        answer="fooling_set(N)",
        returns="a largest fooling set as pairs (i, z): z is in the target without i, both from 1 to N.",
        checker=_three_cells,
    ),
    Exercise(
        label="ex-rank-break",
        asks=Asks("break", difficulty=2, minutes=30),
        goal="Test by a search which part of a reduction is needed, and why.",
        hint="What covers the cell of a target and a neighbour once the forced pieces are gone?",
        answer="graph()",
        returns="the adjacency matrix of a smallest graph for which the two numbers differ.",
        checker=_broken_reduction,
    ),
    Exercise(
        label="ex-rank-transpose",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Tell a symmetric number from an algorithm that treats rows and columns differently.",
        hint="What becomes of a rectangle of ones? For the second part try the families of this chapter.",
        answer="targets()",
        returns="a family of fewest cells, as a 0/1 matrix, for which transposing changes the number of pieces.",
        checker=_transposed,
    ),
)
