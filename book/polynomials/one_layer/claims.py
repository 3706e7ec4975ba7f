"""Claims of Section 5, the warm-up: polynomials that share their monomials."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.loop import learn_stream
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.instances import cellular_automaton
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Adverse, Broken, Exact, Random, Tight, two_sided

Instances = Iterator[dict[str, Any]]

# prop-warmup ---------------------------------------------------------------------------------------------


class _RoundedLabels(PolynomialTask):
    """A task whose labels are rounded to doubles, whatever is asked for."""

    def exact_examples(self, size: int) -> tuple[BoolArray, Any]:
        """Examples whose labels are the doubles nearest to the values."""
        X, y = super().exact_examples(size)
        return X, np.array([Fraction(float(value)) for value in y], dtype=object)


def _shared_streams(count: int, rng: Generator) -> Instances:
    """Twelve random sums of at most five monomials."""
    for _ in range(count):
        n, k = int(rng.integers(3, 7)), int(rng.integers(1, 6))
        shared = rng.random((k, n)) < 0.5
        weights = rng.integers(-2, 3, (12, k)) * (rng.random((12, k)) < 0.5)
        targets = [Polynomial(shared, c) for c in weights]
        yield {"targets": targets, "eps": 0.2, "seed": int(rng.integers(2**31))}


def _one_at_a_time(n: int) -> Instances:
    """All monomials, each a target, large ones first: every one is learned from scratch."""
    rows = cube(n)
    rows = rows[np.argsort(-rows.sum(axis=1), kind="stable")]
    yield {"targets": [Polynomial(p[None], [1]) for p in rows], "eps": 0.004}


def _automata(rng: Generator) -> Instances:
    """The 256 elementary cellular automata, in their order and in a random one."""
    rules = [cellular_automaton(rule) for rule in range(256)]
    for seed, order in enumerate([range(256), rng.permutation(256)]):
        yield {"targets": [rules[i] for i in order], "eps": 0.2, "seed": seed}


#: Coefficients that no double holds, of sizes far apart.
_AWKWARD = (Fraction(10**9, 3), Fraction(-(10**9), 3), Fraction(1, 7), Fraction(1, 3), Fraction(2, 11))


def _awkward(count: int, rng: Generator) -> Instances:
    """Targets over five known monomials, with awkward coefficients in a random order."""
    known = polynomial("x1 + x2 + x3 + x4x5 + x1x5")
    for _ in range(count):
        yield {
            "f": Polynomial(known.terms, [_AWKWARD[i] for i in rng.permutation(5)]),
            "seed": int(rng.integers(2**31)),
        }


def _refusals(f: Polynomial, seed: int, kind: type[PolynomialTask] = PolynomialTask) -> Any:
    """Whether a target is refused of which all monomials are known; it never is."""
    learner = SharedTerms(5, epsilon=0.3, delta=0.3)
    learner.grow("scratch", f)
    return {"refused": (int(learner.reuse(kind(f, rng=seed)) is None), 0)}


@two_sided(
    "prop-warmup",
    Random(_shared_streams, 25, name="random streams, k <= 5", chunk=25),
    Tight(
        _one_at_a_time, 1, ((6,),), "one new monomial a target, all 64 in six variables", equal=True, of=("scratch",)
    ),
    Exact(_automata, 2, name="the 256 elementary cellular automata, two orders"),
    Adverse(_awkward, 40, name="coefficients from 1/7 to 10^9/3, never refused", sides=_refusals),
    Broken(
        _awkward,
        40,
        name="labels rounded to doubles",
        sides=partial(_refusals, kind=_RoundedLabels),
        drops="labels that are not rounded",
    ),
)
def from_scratch(targets: list[Polynomial], eps: float, seed: int = 0) -> Any:
    """The warm-up's claim: targets learned from scratch, at most as many as distinct terms; and how many are wrong."""
    tasks = [PolynomialTask(f, rng=seed + i) for i, f in enumerate(targets)]
    run = learn_stream(tasks, SharedTerms(targets[0].n, eps, delta=0.1))
    wrong = 0
    for step, f in zip(run.steps, targets):
        wrong += step.how == "scratch" and step.hypothesis != f
    k = len({p.tobytes() for f in targets for p in f.terms})
    return {"scratch": (run.scratch, k), "wrong": (wrong, 0)}


PROP_WARMUP = from_scratch.claim(
    "added",
    "polynomials over shared monomials",
    "If all targets together use at most $k$ distinct monomials, the learner that keeps the monomials it has seen "
    "learns at most $k$ targets from scratch, given labels that are not rounded.",
    "proved",
    scope="attained by one new monomial a target",
    functions=(SharedTerms, cellular_automaton),
)
