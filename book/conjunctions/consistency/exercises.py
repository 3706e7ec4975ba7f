"""Exercises of the chapter on given conjunctions, and of pages that build on it."""

from itertools import combinations
from math import comb

import numpy as np

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, family, parts, variables, whole

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


EXERCISES = (
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
