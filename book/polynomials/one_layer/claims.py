"""Claims of Section 5, the warm-up: polynomials that share their monomials."""

from __future__ import annotations

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
from lifelong_book.press.claim import Check, Claim, Finding, Generator

# prop-warmup ---------------------------------------------------------------------------------------------


class _RoundedLabels(PolynomialTask):
    """A task whose labels are rounded to doubles, whatever is asked for."""

    def exact_examples(self, size: int) -> tuple[BoolArray, Any]:
        """Examples whose labels are the doubles nearest to the values."""
        X, y = super().exact_examples(size)
        return X, np.array([Fraction(float(value)) for value in y], dtype=object)


def _shared_run(targets: list[Polynomial], seed: int) -> float:
    """Targets learned from scratch over distinct monomials; NaN if a hypothesis from scratch is not the target."""
    tasks = [PolynomialTask(f, rng=seed + i) for i, f in enumerate(targets)]
    run = learn_stream(tasks, SharedTerms(targets[0].n, epsilon=0.2, delta=0.1))
    exact = all(s.how == "reused" or s.hypothesis == f for s, f in zip(run.steps, targets, strict=True))
    distinct = len(np.unique(np.vstack([f.terms for f in targets]), axis=0))
    return run.scratch / max(1, distinct) if exact else np.nan


def _warmup_random(count: int, rng: Generator) -> Finding:
    ratios = []
    for _ in range(count):
        n, k = int(rng.integers(3, 7)), int(rng.integers(1, 6))
        shared = rng.random((k, n)) < 0.5
        weights = rng.integers(-2, 3, (12, k)) * (rng.random((12, k)) < 0.5)
        targets = [Polynomial(shared, c) for c in weights]
        ratios.append(_shared_run(targets, int(rng.integers(2**31))))
    return Finding.of_ratios(ratios)


def _warmup_cube(count: int, rng: Generator, fewer: int = 0) -> Finding:
    """The 64 monomials in six variables, each a target, large ones first: every one is learned from scratch."""
    tasks = [PolynomialTask(Polynomial(row[None], [1]), rng=i) for i, row in enumerate(_large_first(cube(6)))]
    run = learn_stream(tasks, SharedTerms(6, epsilon=0.004, delta=0.1))
    return Finding.of_ratios([run.scratch / (len(tasks) - fewer)])


def _large_first(rows: BoolArray) -> BoolArray:
    return rows[np.argsort(-rows.sum(axis=1), kind="stable")]


#: Coefficients that no double holds, of sizes far apart.
_AWKWARD = (Fraction(10**9, 3), Fraction(-(10**9), 3), Fraction(1, 7), Fraction(1, 3), Fraction(2, 11))


def _warmup_awkward(count: int, rng: Generator, kind: type[PolynomialTask] = PolynomialTask) -> Finding:
    """Targets over five known monomials, with awkward coefficients in a random order: never refused."""
    known = polynomial("x1 + x2 + x3 + x4x5 + x1x5")

    def reused() -> bool:
        learner = SharedTerms(5, epsilon=0.3, delta=0.3)
        learner.grow("scratch", known)
        f = Polynomial(known.terms, [_AWKWARD[i] for i in rng.permutation(5)])
        return learner.reuse(kind(f, rng=int(rng.integers(2**31)))) is not None

    return Finding.of_outcomes([reused() for _ in range(count)])


def _warmup_automata(count: int, rng: Generator) -> Finding:
    rules = [cellular_automaton(rule) for rule in range(256)]
    orders = [range(256), rng.permutation(256)]
    return Finding.of_ratios([_shared_run([rules[i] for i in order], seed) for seed, order in enumerate(orders)])


PROP_WARMUP = Claim(
    "prop-warmup",
    "added",
    "",
    "polynomials over shared monomials",
    "If all targets together use at most $k$ distinct monomials, the learner that keeps the monomials it has seen "
    "learns at most $k$ targets from scratch, given labels that are not rounded.",
    "proved",
    scope="attained by one new monomial a target",
    checks=(
        Check("random streams, k <= 5", "random", _warmup_random, 25, scales=True, chunk=25),
        Check("one new monomial a target, all 64 in six variables", "tight", _warmup_cube),
        Check("the 256 elementary cellular automata, two orders", "exact", _warmup_automata, 2),
        Check("coefficients from 1/7 to 10^9/3, never refused", "adversarial", _warmup_awkward, 40),
    ),
    twins=(
        Check("k - 1 for k = 64", "tight", partial(_warmup_cube, fewer=1), violated=True, spoils=1 / 64),
        Check(
            "labels rounded to doubles",
            "adversarial",
            partial(_warmup_awkward, kind=_RoundedLabels),
            40,
            violated=True,
            drops="labels that are not rounded",
        ),
    ),
    page="polynomials/one_layer/index",
    functions=(
        "lifelong_book.polynomials.one_layer.shared_terms.SharedTerms",
        "lifelong_book.polynomials.instances.cellular_automaton",
    ),
)


CLAIMS = (PROP_WARMUP,)
