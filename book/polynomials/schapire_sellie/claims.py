"""Claims of Section 5: the learner of Schapire and Sellie."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from lifelong.polynomials import bounds
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.shared_monomials.experiments import (
    STUBBORN,
    NoGreedyMeet,
    NoMeets,
    SidewaysTask,
    longest_run,
    random_polynomial,
)
from lifelong_book.press.claim import Check, Claim, Finding, Generator

# thm-schapire-sellie -------------------------------------------------------------------------------------


def _query_ratios(f: Polynomial, task: PolynomialTask, share: float = 1.0) -> dict[str, float]:
    """Queries over their bounds, by the sizes of the terms and as published; NaN if the target is not returned.

    The bounds are multiplied by `share`.
    """
    h, counts = learn_polynomial(task)
    n, t = f.n, len(f.terms)
    equivalence, membership = bounds.schapire_sellie_sharp(f.terms)
    pairs = {
        "equivalence": (counts.equivalence, equivalence),
        "membership": (counts.membership, membership),
        "equivalence, as published": (counts.equivalence, bounds.schapire_sellie_equivalence(n, t=t)),
        "membership, as published": (counts.membership, bounds.schapire_sellie_membership(n, t=t)),
    }
    if h != f:
        return dict.fromkeys(pairs, np.nan)
    return {name: used / (share * bound) if bound else float(used > 0) * 2 for name, (used, bound) in pairs.items()}


def _learned_random(count: int, rng: Generator) -> Finding:
    runs = []
    for _ in range(count):
        f, seed = random_polynomial(rng=rng), int(rng.integers(2**31))
        for policy in ("smallest", "largest", "random"):
            runs.append(_query_ratios(f, PolynomialTask(f, rng=seed, counterexample=policy)))
    return Finding.of_runs(runs)


def _learned_tight(count: int, rng: Generator) -> Finding:
    """One term below a long way down from all ones: the equivalence queries reach their bound."""
    terms = [np.arange(n)[None] < d for n in range(1, 9) for d in range(n + 1)]
    targets = [Polynomial(rows, [1]) for rows in terms]
    runs = [_query_ratios(f, PolynomialTask(f, counterexample="largest")) for f in targets]
    return Finding.of_ratios({"equivalence": [run["equivalence"] for run in runs]})


def _learned_sideways(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """The constant 1 on up to 60 variables, reached one variable at a time."""
    targets = [Polynomial.constant(1, n) for n in (2, 5, 15, 30, 60)]
    return Finding.of_runs([_query_ratios(f, SidewaysTask(f, counterexample="largest"), share) for f in targets])


def _learned_games(count: int, rng: Generator, *, learner: type[MeetLearner] = MeetLearner, least: int = -1) -> Finding:
    """Every choice of every counterexample: two variables and coefficients from `least` to 1; and the stubborn ones."""
    played = [Polynomial(cube(2), c) for c in product(range(least, 2), repeat=4)]
    ratios = []
    for f in [*played, *(polynomial(text, n=3) for text in STUBBORN)]:
        longest = longest_run(f, learner=learner)
        ratios.append(np.nan if longest is None else longest / bounds.schapire_sellie_sharp(f.terms)[0])
    return Finding.of_ratios({"equivalence": ratios})


THM_SCHAPIRE_SELLIE = Claim(
    "thm-schapire-sellie",
    "added",
    "",
    "sparse polynomials learned exactly",
    "A polynomial of $t$ terms on $n$ variables is learned exactly, whatever counterexamples come, with at most "
    "$nt+2$ equivalence and $(nt+1)(t^2+3t)/2$ membership queries. With $E$ the sum of $n+1-|p|$ over its terms "
    r"$p$, $E+1$ equivalence and $E\,t(t+1)/2$ membership queries are enough.",
    "proved",
    scope="the steps are a reconstruction with its own proof; one term attains $E+1$ and $E$",
    checks=(
        Check("random polynomials, n <= 8, three policies", "random", _learned_random, 100),
        Check("every counterexample there is, n = 2 and 3", "exhaustive", _learned_games, 84),
        Check("one term, counterexamples from above, n <= 8", "tight", _learned_tight, 44),
        Check("the constant 1, counterexamples from the side, n <= 60", "tight", _learned_sideways, 5),
    ),
    twins=(
        Check("bounds 2 % lower", "tight", partial(_learned_sideways, share=0.98), 5, violated=True, spoils=0.02),
        Check(
            "no greedy meets",
            "exhaustive",
            partial(_learned_games, learner=NoGreedyMeet, least=0),
            19,
            violated=True,
            why="a step of the algorithm left out: it has no constant",
        ),
        Check(
            "meets not looked at",
            "exhaustive",
            partial(_learned_games, learner=NoMeets, least=0),
            19,
            violated=True,
            why="a step of the algorithm left out: it has no constant",
        ),
    ),
    page="polynomials/schapire_sellie/index",
    functions=(
        "lifelong.polynomials.schapire_sellie.learn_polynomial",
        "lifelong.polynomials.bounds.schapire_sellie_equivalence",
        "lifelong.polynomials.bounds.schapire_sellie_membership",
        "lifelong.polynomials.bounds.schapire_sellie_sharp",
    ),
    loose={
        "membership, as published": r"at least twice $E\,t(t+1)/2$, the bound by the sizes of the terms, for one term",
    },
)


CLAIMS = (THM_SCHAPIRE_SELLIE,)
