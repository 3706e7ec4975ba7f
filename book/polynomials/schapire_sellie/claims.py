"""Claims of Section 5: the learner of Schapire and Sellie."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from lifelong.polynomials import bounds
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, learn_polynomial
from lifelong.polynomials.tasks import Choice, PolynomialTask
from lifelong_book.polynomials.schapire_sellie.experiments import NoGreedyMeet, NoMeets, longest_run
from lifelong_book.polynomials.schapire_sellie.instances import STUBBORN, SidewaysTask, random_polynomial
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Broken, Exhaustive, Random, Tight, two_sided

Instances = Iterator[dict[str, Any]]

# thm-schapire-sellie -------------------------------------------------------------------------------------


def random_tasks(count: int, rng: Generator) -> Instances:
    """Random polynomials, each under three policies."""
    for _ in range(count):
        f, seed = random_polynomial(rng=rng), int(rng.integers(2**31))
        policies: tuple[Choice, ...] = ("smallest", "largest", "random")
        for policy in policies:
            yield {"task": PolynomialTask(f, rng=seed, counterexample=policy)}


def _from_above() -> Instances:
    """One term below a long way down from all ones: the equivalence queries reach their bound."""
    for n in range(1, 9):
        for d in range(n + 1):
            f = Polynomial(np.arange(n)[None] < d, [1])
            yield {"task": PolynomialTask(f, counterexample="largest")}


def from_the_side(n: int) -> Instances:
    """The constant 1, reached one variable at a time."""
    yield {"task": SidewaysTask(Polynomial.constant(1, n), counterexample="largest")}


def small_polynomials(least: int) -> Instances:
    """Two variables and coefficients from `least` to 1; and the stubborn ones."""
    played = [Polynomial(cube(2), c) for c in product(range(least, 2), repeat=4)]
    for f in [*played, *(polynomial(text, n=3) for text in STUBBORN)]:
        yield {"f": f}


def longest(f: Polynomial, learner: type[MeetLearner] = MeetLearner) -> Any:
    """Most equivalence queries over all choices of all counterexamples; without end if the learner is stuck."""
    most = longest_run(f, learner=learner)
    E = (f.n + 1 - f.terms.sum(axis=1)).sum()
    return {"equivalence": (np.inf if most is None else most, E + 1)}


def attained(task: PolynomialTask) -> Any:
    """The bounds that one term attains, and twice its membership queries against the published number."""
    (_, used), terms = learn_polynomial(task), task.target.terms
    t, n = terms.shape
    events, most = bounds.schapire_sellie_sharp(terms)
    return {
        "equivalence": (used.equivalence, events),
        "membership": (used.membership, most),
        "equivalence, as published": (used.equivalence, bounds.schapire_sellie_equivalence(n, t=t)),
        "twice the membership, as published": (2 * used.membership, bounds.schapire_sellie_membership(n, t=t)),
    }


@two_sided(
    "thm-schapire-sellie",
    Random(random_tasks, 100, name="random polynomials, n <= 8, three policies", chunk=50),
    Exhaustive(small_polynomials, 84, ((-1,),), "every counterexample there is, n = 2 and 3", sides=longest),
    Tight(_from_above, 44, name="one term, counterexamples from above, n <= 8", of=("equivalence",)),
    Tight(
        from_the_side,
        5,
        ((2,), (5,), (15,), (30,), (60,)),
        "the constant 1, counterexamples from the side, n <= 60",
        equal=True,
        sides=attained,
    ),
    Broken(
        small_polynomials,
        19,
        ((0,),),
        "no greedy meets",
        sides=partial(longest, learner=NoGreedyMeet),
        why="a step of the algorithm left out: it has no constant",
    ),
    Broken(
        small_polynomials,
        19,
        ((0,),),
        "meets not looked at",
        sides=partial(longest, learner=NoMeets),
        why="a step of the algorithm left out: it has no constant",
    ),
    loose={
        "membership, as published": r"at least twice $E\,t(t+1)/2$, the bound by the sizes of the terms, for one term"
    },
)
def queries(task: PolynomialTask) -> Any:
    """The claim on Schapire and Sellie's learner: its queries against their bounds, and whether it is right."""
    (h, used), f = learn_polynomial(task), task.target
    t, n = f.terms.shape
    E = (n + 1 - f.terms.sum(axis=1)).sum()
    many = (n * t + 1) * (t * t + 3 * t) // 2
    return {
        "errors": (int(h != f), 0),
        "equivalence": (used.equivalence, E + 1),
        "membership": (used.membership, E * t * (t + 1) // 2),
        "equivalence, as published": (used.equivalence, n * t + 2),
        "membership, as published": (used.membership, many),
    }


THM_SCHAPIRE_SELLIE = queries.claim(
    "added",
    "sparse polynomials learned exactly",
    "A polynomial of $t$ terms on $n$ variables is learned exactly, whatever counterexamples come, with at most "
    "$nt+2$ equivalence and $(nt+1)(t^2+3t)/2$ membership queries. With $E$ the sum of $n+1-|p|$ over its terms "
    r"$p$, $E+1$ equivalence and $E\,t(t+1)/2$ membership queries are enough.",
    "proved",
    scope="the steps are a reconstruction with its own proof; one term attains $E+1$ and $E$",
    functions=(
        learn_polynomial,
        bounds.schapire_sellie_equivalence,
        bounds.schapire_sellie_membership,
        bounds.schapire_sellie_sharp,
    ),
)
