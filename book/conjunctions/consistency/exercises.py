"""Exercises of the chapter on given conjunctions and of the pages below it."""

from functools import cache
from itertools import combinations, permutations
from math import comb

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong_book.conjunctions.consistency import experiments as studies
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, family, parts, rows, variables, whole

#: The most pieces that so many targets can have; a test tries all families.
_MOST_PIECES = {1: 1, 2: 2, 3: 4, 4: 7}


def _how_many(answer: Submission) -> None:
    for r, most in _MOST_PIECES.items():
        targets = answer.family(r, shape=(r, None))
        if len(metafeatures(targets)) != most:
            answer.refuse(f"the output has {len(metafeatures(targets))} metafeatures")


def _gram(answer: Submission) -> None:
    first, second = answer.parts(count=2)
    A, B = family(first, answer.where), family(second, answer.where)
    if A.shape[1] != B.shape[1] or not np.array_equal(A.T.astype(int) @ A, B.T.astype(int) @ B):
        answer.refuse("the two Gram matrices differ")
    if len(metafeatures(A)) == len(metafeatures(B)):
        answer.refuse("the two outputs have the same size")


def _refuse_no_fooling_set(answer: Submission, cells: list[tuple[frozenset[int], int]]) -> None:
    for target, z in cells:
        if z not in target:
            answer.refuse(f"{z} is not in the target that it is paired with")
    for (target, z), (other, w) in combinations(cells, 2):
        if z in other and w in target:
            answer.refuse(f"{z} and {w} are both in both of their targets")


def _braille(answer: Submission) -> None:
    patterns = answer.parts(count=8)
    cells = [(variables(T, answer.where, among=range(1, 9)), dot) for dot, T in enumerate(patterns, 1)]
    _refuse_no_fooling_set(answer, cells)


def _hexagrams(answer: Submission) -> None:
    first, second = answer.parts(count=2)
    pieces = family(first, answer.where, shape=(7, 12))
    solid = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(np.bool_)
    hexagrams = np.hstack([np.ones((64, 6), dtype=np.bool_), solid])
    if any(represent(T, pieces) is None for T in hexagrams):
        answer.refuse("some hexagram is not a union of the pieces")
    cells = []
    for cell in parts(second, answer.where, count=7):
        hexagram, pixel = parts(cell, answer.where, count=2)
        inked = variables(hexagram, answer.where, among=range(1, 13))
        if not (hexagrams == np.isin(np.arange(1, 13), list(inked))).all(axis=1).any():
            answer.refuse("one of the seven sets is no hexagram")
        cells.append((inked, whole(pixel, answer.where)))
    _refuse_no_fooling_set(answer, cells)


def _masks(targets: BoolArray) -> int:
    """A family of nonempty sets of four variables as a number of 15 bits."""
    return sum({1 << S - 1 for S in studies.masks(targets) if S})


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


def _one_missing(answer: Submission) -> None:
    for a in (1, 2, 3, 4, 6):
        first, second = answer.parts(a, count=2)
        pieces = family(first, answer.where, shape=(a + 1, None))
        targets = family(second, answer.where, shape=(None, pieces.shape[1]))
        if any(represent(T, pieces) is None for T in targets):
            answer.refuse("some target is not a union of the metafeatures")
        alone = pieces.sum(axis=0) == 1
        if not (pieces[:a] & alone).any(axis=1).all():
            answer.refuse("one of the metafeatures but the last has no anchor")
        if len(metafeatures(targets)) != a + comb(a, a // 2):
            answer.refuse(f"the output has {len(metafeatures(targets))} metafeatures")


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
    return studies.fewest_concepts(graph | np.eye(len(graph), dtype=np.bool_)) != studies.fewest_cliques(graph)


def _broken_reduction(answer: Submission) -> None:
    G = answer.family()
    v = len(G)
    if G.shape != (v, v) or not np.array_equal(G, G.T) or G.diagonal().any():
        answer.refuse("expected the adjacency matrix of a graph: symmetric, zeros on the diagonal")
    if v > 6:
        answer.refuse("there are smaller graphs")
    if not _differs(G):
        answer.refuse("for this graph the two numbers are the same")
    if any(_differs(H) for fewer in range(1, v) for H in studies.all_graphs(fewer)):
        answer.refuse("a graph with fewer vertices does it")


def _transposed(answer: Submission) -> None:
    A = answer.family()
    if len(metafeatures(A)) == len(metafeatures(np.ascontiguousarray(A.T))):
        answer.refuse("the family and its transpose have the same number of pieces")
    if A.size > 12:  # a test tries everything with fewer cells
        answer.refuse("there is a family with fewer cells")


_FEWEST = (
    Exercise(
        label="ex-consistency-at-most-n",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Bound the output of Algorithm 3 by the targets, and see that it can outnumber them.",
        hint="Describe a variable by the targets that contain it. Which of these sets do others fill?",
        answer="targets(r)",
        returns="r targets as 0/1 rows, over any number of variables, with as many metafeatures as r targets can have.",
        given="Here r is at most 4.",
        checker=_how_many,
    ),
    Exercise(
        label="ex-consistency-gram",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Separate what a matrix of counts determines from what needs the targets themselves.",
        hint="Try one target of four variables and three with two, one variable in all: is it minimal in some target?",
        answer="families()",
        returns="two families as 0/1 matrices with the same Gram matrix, and outputs of different size.",
        checker=_gram,
    ),
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
        label="ex-consistency-anchors",
        asks=Asks("break", difficulty=3, minutes=40),
        goal="See what one missing anchor costs, and prove that it cannot cost more.",
        hint="Let the one without an anchor share variables with many different sets of others. When are all minimal?",
        answer="example(a)",
        returns="(metafeatures, targets) as 0/1 matrices: a + 1 metafeatures of which all but the last have an anchor.",
        given="The output of Algorithm 3 on the targets, unions of metafeatures, must be as large as possible.",
        checker=_one_missing,
    ),
    Exercise(
        label="ex-consistency-hexagrams-box",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Read the structure of a font off its pieces, and prove that none is superfluous.",
        hint="What has a solid line that a broken one has not, and what do all hexagrams share?",
        answer="pieces_and_cells()",
        returns="(pieces, cells) for hexagrams drawn with twelve pixels: 1 to 6 an end of each line, 7 to 12 its "
        "middle.",
        given="A broken line has its end only. `pieces`: seven rows of 12 zeros and ones that represent all 64 "
        "hexagrams. `cells`:\n"
        "seven pairs (set of pixels that are inked in a hexagram, one of its pixels) that are a fooling set.",
        checker=_hexagrams,
    ),
)

_RANK = (
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

EXERCISES = (*_FEWEST, *_RANK)
