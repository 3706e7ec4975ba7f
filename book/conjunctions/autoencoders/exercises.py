"""Exercises of the chapter on sparse Boolean autoencoders."""

from itertools import combinations
from math import comb

import numpy as np

from lifelong.conjunctions.algorithm3 import represent
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, variables

_LINES = [frozenset(line) for line in ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9))]
_LINES += [frozenset((1, 5, 9)), frozenset((3, 5, 7))]


def _few_pieces(answer: Submission) -> None:
    for r in (2, 4, 6, 8):
        n = comb(r, r // 2)
        pieces = answer.family(r, shape=(r, n))
        if (pieces.sum(axis=1) > n // 2).any():
            answer.refuse("a piece has more than c = n/2 variables, so it is no candidate")
        for i in range(n):
            if represent(np.arange(n) != i, pieces) is None:
                answer.refuse(f"the target without variable {i} (counted from 0) is not a union of the pieces")


def _no_pair_summons(answer: Submission) -> None:
    worlds = {one | other for one in _LINES for other in _LINES}
    for line in _LINES:
        for pair in map(frozenset, combinations(sorted(line), 2)):
            target = answer.maybe(set(line), set(pair))
            if target is None:
                answer.refuse("returned None (or is not completed), but the pair is no anchor set of the line")
            found = variables(target, answer.where, among=range(1, 10))
            if found not in worlds:
                answer.refuse("this is not a union of at most two winning lines")
            if not pair <= found:
                answer.refuse("a cell of the pair is not in this target")
            if line <= found:
                answer.refuse("the whole line is in this target")


def _covered(n: int, chance: float, draws: int, rng: np.random.Generator) -> float:
    """How often random pairs give back every set with one variable missing, by trying each."""
    hits = 0
    for _ in range(draws):
        kept = np.triu(rng.random((n, n)) < chance, 1)
        kept = kept | kept.T
        # what the pairs without a variable a cover, for every a
        hits += all(np.delete(np.delete(kept, a, 0), a, 1).any(axis=0).all() for a in range(n))
    return hits / draws


def _share(answer: Submission) -> None:
    for n, factor, draws in ((40, 1.0, 200), (40, 2.0, 200), (12, 5.0, 400), (8, 3.5, 400), (6, 100.0, 20)):
        share = answer.number(n, factor, draws, np.random.default_rng(11))
        seen = _covered(n, min(1.0, factor / (n - 2)), 600, np.random.default_rng(12))
        if abs(share - seen) > 5 * np.sqrt(max(seen * (1 - seen), 1e-3) * (1 / draws + 1 / 600)):
            answer.refuse("everything is covered more or less often than that")


EXERCISES = (
    Exercise(
        label="ex-autoencoders-rank",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="See that without limits the integer programme asks for the Boolean rank.",
        hint="Which set summons a metafeature when every set may? In one direction of the proof, enlarge each one.",
    ),
    Exercise(
        label="ex-autoencoders-nolog",
        asks=Asks("break", difficulty=1, minutes=25),
        goal="See what the logarithm in a rounding is for.",
        hint="Think of the pairs as the edges of a random graph: what is lost at a vertex of small degree?",
        answer="covered(n, factor, draws, rng)",
        returns="how often, as a share of the draws, the pairs that are kept give back every target.",
        given="The targets are the n sets with one variable missing; each pair is kept with probability min(1, factor "
        "/ (n - 2)).",
        checker=_share,
    ),
    Exercise(
        label="ex-autoencoders-fooling",
        asks=Asks("prove", difficulty=3, minutes=40),
        goal="Recognise a combinatorial certificate as a dual solution.",
        hint="When do two pairs have a candidate in common? Compare with the definition of a fooling set.",
    ),
    Exercise(
        label="ex-autoencoders-log-box",
        asks=Asks("prove", difficulty=3, minutes=45),
        goal="Show a logarithmic gap between a linear programme and its integer version.",
        hint="For the linear value weigh all pairs alike; for the integer one name the variables by sets of letters.",
        answer="pieces(r)",
        returns="r pieces as 0/1 rows over n = C(r, r/2) variables, each of at most n/2, r even.",
        given="Their unions must give all n targets with one variable missing.",
        checker=_few_pieces,
    ),
    Exercise(
        label="ex-autoencoders-lines",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Decide for a small world whether a piece has an anchor set.",
        hint="Look for lines that cross the given one in each of the two cells.",
        answer="witness(line, pair)",
        returns="a union of at most two winning lines that has both cells of `pair` and not all of `line`.",
        given="None if there is none. Cells are 1 to 9, row by row; `pair` is a set of two cells of the set `line`.",
        checker=_no_pair_summons,
    ),
)
