"""Claims of Section 4, second half: anchor sets, sparse Boolean autoencoders and their online use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import chain, combinations, permutations, product
from math import comb
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions import bounds, instances
from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.anchor_sets import anchor_set_candidates, anchor_sets, is_anchored
from lifelong.conjunctions.autoencoder import SparseBooleanAutoencoder
from lifelong.conjunctions.programme import AnchorSolution, anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong.loop import learn_stream
from lifelong_book.conjunctions.autoencoders.experiments import (
    fewest_anchored,
    gap_value,
    is_anchored_by_search,
    missing_one,
    rounding_risk,
    spread_risk,
    spread_solution,
    weight_elsewhere,
)
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.consistency.experiments import all_families, all_targets
from lifelong_book.press.claim import Check, Claim, Discrepancy, Finding, Generator

# def-anchor-set ------------------------------------------------------------------------------------------


def _anchored(M: BoolArray, targets: BoolArray, c: int, k: int) -> bool:
    return is_anchored(M, targets, c=c, k=k)


def _by_search(M: BoolArray, targets: BoolArray, c: int, k: int) -> bool:
    return is_anchored_by_search(M, targets, c=c, k=k)


def _without_sparsity(M: BoolArray, targets: BoolArray, c: int, k: int) -> bool:
    """The definition misread: k of the metafeatures are enough, and more may lie inside the target."""
    chosen = list(chain.from_iterable(combinations(range(len(M)), size) for size in range(k + 1)))
    few = all(any(M[list(R)].any(axis=0).tolist() == T.tolist() for R in chosen) for T in targets)
    return few and all(y is not None for y in anchor_sets(M, targets, c=c))


def _worlds_of_two() -> Iterator[tuple[BoolArray, BoolArray, int, int]]:
    every = all_targets(2)
    for pieces, targets in product(all_targets(4), repeat=2):
        for c, k in product(range(3), range(4)):
            yield every[pieces], every[targets], c, k


def _random_world(rng: Generator) -> tuple[BoolArray, BoolArray, int, int]:
    """Unions of up to four pieces over three variables, so that the definition often holds."""
    M = np.unique(rng.random((int(rng.integers(1, 5)), 3)) < 0.5, axis=0)
    chosen = rng.random((int(rng.integers(0, 4)), len(M))) < 0.5
    targets: BoolArray = chosen.astype(np.int64) @ M.astype(np.int64) > 0
    return M, targets, int(rng.integers(0, 4)), int(rng.integers(0, 5))


def _definition_exhaustive(
    count: int, rng: Generator, reading: Callable[[BoolArray, BoolArray, int, int], bool] = _anchored
) -> Finding:
    return Finding.of_outcomes(reading(*world) == _by_search(*world) for world in _worlds_of_two())


def _definition_random(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(
        _anchored(*world) == _by_search(*world) for world in (_random_world(rng) for _ in range(count))
    )


def _planted(rng: Generator) -> tuple[BoolArray, BoolArray, int, int]:
    """Metafeatures with anchor sets and targets made of them; every metafeature is used."""
    c, k = int(rng.integers(1, 3)), int(rng.integers(2, 5))
    pieces = int(rng.integers(2, 8 if c == 1 else 16))
    M, targets = planted_anchor_sets(
        7,
        int(rng.integers(0, 6)),
        pieces=min(pieces, 7 if c == 1 else 21),
        m=int(rng.integers(1, 25)),
        c=c,
        k=k,
        rng=rng,
    )
    used = (targets[:, None] | ~M).all(axis=2).any(axis=0)
    return M[used], targets, c, k


def _planted_holds(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_anchored(*_planted(rng)) for _ in range(count))


DEF_ANCHOR_SET = Claim(
    "def-anchor-set",
    "Definition 1",
    "def:anchorset",
    "the anchor-set assumption",
    "The relevant metafeatures of a target are those inside it: the definition holds exactly if each target is the "
    "union of the metafeatures inside it, at most $k$, and each metafeature has a set of at most $c$ variables that no "
    "target has without the whole.",
    "proved",
    checks=(
        Check("all metafeatures and targets on 2 variables", "exhaustive", _definition_exhaustive),
        Check("random metafeatures on 3 variables", "random", _definition_random, 300, scales=True, chunk=100),
        Check("planted anchor sets", "random", _planted_holds, 200, scales=True, chunk=100),
    ),
    twins=(
        Check(
            "k metafeatures suffice, more may lie inside",
            "exhaustive",
            partial(_definition_exhaustive, reading=_without_sparsity),
            violated=True,
            drops="the limit k on all metafeatures that lie inside a target",
        ),
    ),
    page="conjunctions/autoencoders/index",
    functions=(
        "lifelong.conjunctions.anchor_sets.is_anchored",
        "lifelong.conjunctions.anchor_sets.anchor_sets",
        "lifelong_book.conjunctions.autoencoders.instances.planted_anchor_sets",
    ),
)


# thm-sparse-auto -----------------------------------------------------------------------------------------


def _risks(solutions: list[AnchorSolution]) -> Finding:
    """The three risks over the theorem's 1/n, 1/n^2 and 1/n^2."""
    risks = np.array([rounding_risk(solution) for solution in solutions])
    n = np.array([solution.candidates.shape[1] for solution in solutions])
    return Finding.of_ratios({"coverage": risks[:, 0] * n, "sparsity": risks[:, 1] * n**2, "size": risks[:, 2] * n**2})


def _risks_spread(count: int, rng: Generator) -> Finding:
    return _risks([spread_solution(n) for n in range(6, 6 + count, 6)])


def _risks_tight(count: int, rng: Generator, share: float = 1.0) -> Finding:
    return Finding.of_ratios({"coverage": spread_risk(np.geomspace(4, 1e6, count).round(), share=share)})


def _fractional(rng: Generator) -> AnchorSolution:
    """Optimum of a random family with slack in k; such programmes are often fractional, with weights like 1/2."""
    while True:
        n = int(rng.integers(6, 9))
        solution = anchor_programme(rng.random((n, n)) < 0.7, c=2, k=n)
        if solution is not None and not solution.integral:
            return solution


def _risks_random(count: int, rng: Generator) -> Finding:
    return _risks([_fractional(rng) for _ in range(count)])


def _theorem_ratios(M: BoolArray, targets: BoolArray, c: int, k: int, rng: Generator) -> dict[str, float]:
    """Both parts: what comes out over what the theorem allows; NaN if it does not satisfy the definition."""
    m, n = targets.shape
    candidates = anchor_set_candidates(targets, c=c)
    closures = [targets[(~y | targets).all(axis=1)].all(axis=0) for y in anchor_sets(M, targets, c=c) if y is not None]
    chosen = np.unique(np.array(closures), axis=0)
    known = {row.tobytes() for row in chosen} <= {row.tobytes() for row in candidates}
    auto = SparseBooleanAutoencoder(c=c, k=k, rng=rng).fit(targets)
    exact = np.array_equal(auto.inverse_transform(auto.transform(targets)), targets) and auto.satisfies(targets)
    if not (known and exact and is_anchored(chosen, targets, c=c, k=k)):
        return dict.fromkeys(_PARTS, np.nan)
    L = float(np.log(n**2 * m))
    most = [int((targets[:, None] | ~pieces).all(axis=2).sum(axis=1).max()) for pieces in (chosen, auto.metafeatures_)]
    measured = most[0], len(candidates), auto.lp_value_ - 1e-6, len(auto.metafeatures_), most[1]
    allowed = k, _small_sets(n, c) - 1, len(M), 2 * max(len(M), 3) * L, 2 * max(k, 3) * L
    return dict(zip(_PARTS, (float(x / y) for x, y in zip(measured, allowed, strict=True)), strict=True))


#: The inequalities of `_theorem_ratios`.
_PARTS = ("pieces a target", "candidates", "value of the programme", "kept", "kept a target")


def _small_sets(n: int, c: int) -> int:
    """Number of sets of at most c of n variables."""
    return sum(comb(n, size) for size in range(c + 1))


def _theorem_random(count: int, rng: Generator) -> Finding:
    return Finding.of_runs([_theorem_ratios(*_planted(rng), rng) for _ in range(count)])


def _theorem_spread(count: int, rng: Generator) -> Finding:
    """Fractional programmes: the cycle of n pairs is a planted solution at sparsity n - 2."""
    return Finding.of_runs(
        [_theorem_ratios(_cycle_of_pairs(n), missing_one(n), 2, n - 2, rng) for n in range(5, 5 + count)]
    )


def _cycle_of_pairs(n: int) -> BoolArray:
    """The n pairs of neighbours on a cycle, as metafeatures: bool (n, n)."""
    return np.eye(n, dtype=np.bool_) | np.roll(np.eye(n, dtype=np.bool_), 1, axis=1)


def _unanchored(count: int, rng: Generator) -> Finding:
    """The same at a sparsity below (n - 1)/2, where no metafeatures satisfy the definition."""

    def works(n: int) -> bool:
        try:
            return SparseBooleanAutoencoder(c=2, k=(n - 2) // 2, rng=rng).fit(missing_one(n)).satisfies(missing_one(n))
        except ValueError:  # the linear programme has no solution
            return False

    return Finding.of_outcomes(works(n) for n in range(5, 5 + count))


def _frequencies(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """Roundings fail no more often than they may, and keep as many candidates as they should, but for 1 in 10^9.

    The weights that are rounded are multiplied by `share`.
    """
    from scipy.stats import binom, norm

    outcomes, seen = [], []
    for n in (12, 24, 40):
        solution = spread_solution(n)
        rounding = randomised_rounding(replace(solution, weights=share * solution.weights), draws=count, rng=rng)
        failed = int((~rounding.succeeded).sum())
        p = np.minimum(1, solution.weights * np.log(n**2 * len(solution.inside)))
        spread = np.sqrt(count * float((p * (1 - p)).sum()))
        off = abs(float(rounding.chosen.sum()) - count * float(p.sum()))
        outcomes.append(failed <= binom.isf(1e-9, count, 1 / n + 2 / n**2) and off <= norm.isf(1e-9) * spread)
        seen.append(f"{failed} of {count} fail for n = {n}")
    return Finding.of_outcomes(outcomes, "; ".join(seen))


def _literal_feasible(targets: BoolArray, c: int) -> bool:
    """Whether constraint (2) can be met for all pixels i, those outside the target too, with all weights 1."""
    candidates = anchor_set_candidates(targets, c=c)
    inside = (targets[:, None] | ~candidates).all(axis=2)
    return bool((inside.astype(int) @ candidates.astype(int) > 0).all())


def _every_pixel(count: int, rng: Generator) -> Finding:
    """Read word for word, the programme has a solution only if all targets contain all variables."""
    smallest = np.array([[True, False]])  # one target {1} on two variables, and its metafeature {1}
    met = is_anchored(smallest, smallest, c=1, k=1) and anchor_programme(smallest, c=1, k=1) is not None
    outcomes = [met and not _literal_feasible(smallest, 1)]
    for _ in range(count - 1):
        _, targets, c, _ = _planted(rng)
        outcomes.append(_literal_feasible(targets, c) == bool(targets.all()))
    return Finding.of_outcomes(
        outcomes, "target {1} on two variables: for i = 2 the sum is empty and has to be at least 1"
    )


THM_SPARSE = Claim(
    "thm-sparse-auto",
    "Theorem 5",
    "thm:sparseauto",
    "sparse Boolean autoencoders",
    "If a set $M$ of metafeatures satisfies Definition 1 at $(c,k)$ with $m$ targets on $n$ variables, then each "
    "target is the union of at most $k$ of the candidates, one for each of the $O(n^c)$ sets of at most $c$ "
    "variables. With probability $1-1/n-2/n^2$ the rounded optimum of the programme gives at most "
    r"$2\max(|M|,3)\,L$ metafeatures that satisfy it at sparsity $2\max(k,3)\,L$, where $L=\ln(n^2m)$.",
    "proved",
    scope="constraint (2) read for the pixels of each target",
    replaced_by=("prop-anchor-program", "prop-anchor-integral", "prop-anchor-gap"),
    checks=(
        Check(
            "planted anchor sets, c = 1 and 2, the output tested", "random", _theorem_random, 60, scales=True, chunk=60
        ),
        Check("fractional programmes, n = 5 to 24, the output tested", "adversarial", _theorem_spread, 20),
        Check("chances of the three events, weights 1/(n - 2), n = 6 to 48", "exact", _risks_spread, 43),
        Check("sum over targets and pixels, weights 1/(n - 2), n to 10^6", "tight", _risks_tight, 200),
        Check("chances of the three events, random fractional programmes", "random", _risks_random, 20),
        Check("constraint (2) word for word has no solution", "exact", _every_pixel, 40),
        Check("two thousand roundings, n = 12, 24 and 40", "random", _frequencies, 2000),
    ),
    twins=(
        Check("a logarithm 2 % smaller", "tight", partial(_risks_tight, share=0.98), 200, violated=True, spoils=0.02),
        Check(
            "roundings of weights 2 % smaller",
            "random",
            partial(_frequencies, share=0.98),
            2000,
            violated=True,
            spoils=0.02,
        ),
        Check("no metafeatures to be found", "adversarial", _unanchored, 6, violated=True, drops="Definition 1"),
    ),
    page="conjunctions/autoencoders/index",
    functions=(
        "lifelong.conjunctions.anchor_sets.anchor_set_candidates",
        "lifelong.conjunctions.programme.anchor_programme",
        "lifelong.conjunctions.rounding.randomised_rounding",
        "lifelong.SparseBooleanAutoencoder",
        "lifelong.conjunctions.bounds.rounding_logarithm",
        "lifelong.conjunctions.bounds.rounded_sparsity",
    ),
    discrepancies=(
        Discrepancy(
            "found-autoencoders-programme",
            "misprint",
            "Proof of Theorem 5, constraint (2) of the linear programme",
            r"The covering constraint $\sum_{y:\,e_i\preceq\tilde m_y\preceq T_r}Z_y\ge1$ is asked for all $r$ and "
            "all $i$.",
            r"For a variable $i$ that $T_r$ does not have the sum is empty. This book reads the constraint for those "
            r"$i$ that $T_r$ sets to 1, as the proof does where it bounds the chance that a target is not covered.",
            r"One target $T_1=\{1\}$ over $n=2$ variables, $c=k=1$: for $i=2$ the constraint reads $0\ge1$, while with "
            r"the weight 1 on $\tilde m_{\{1\}}=\{1\}$ all others hold.",
            r"With the constraint for the pairs $(r,i)$ with $i\in T_r$, Theorem 5 and its proof hold.",
            "Nothing.",
            ("thm-sparse-auto",),
        ),
    ),
    loose={
        "kept": "Chernoff's bound leaves a factor of 2 above the mean, and the rounding keeps about the mean",
        "kept a target": "the factor of 2 of Chernoff's bound again, and no more than all candidates in a target",
        "sparsity": "exact binomial tails are far below Chernoff's bound at twice the mean",
        "size": "exact binomial tails are far below Chernoff's bound at twice the mean",
    },
)


# prop-anchor-program -------------------------------------------------------------------------------------


@cache
def _families_up_to_names(n: int) -> tuple[BoolArray, ...]:
    """Every set of nonempty conjunctions of n variables, one for each class under renaming of the variables."""
    seen, found = set(), []
    for family in all_families(n):
        images = [family[:, list(order)] for order in permutations(range(n))]
        least = min(tuple(sorted(row.tobytes() for row in image)) for image in images)
        if least not in seen:
            seen.add(least)
            found.append(family)
    return tuple(found)


def _programme_agrees(targets: BoolArray, c: int, k: int, integral: bool = True) -> bool:
    """The programme has the value of the brute force, or both have none."""
    reachable = [size for level, size in fewest_anchored(targets, c=c).items() if level <= k]
    solution = anchor_programme(targets, c=c, k=k, integral=integral)
    if solution is None or not reachable:
        return solution is None and not reachable
    return abs(solution.value - min(reachable)) < 1e-6


def _programme_exhaustive(count: int, rng: Generator) -> Finding:
    worlds = product(_families_up_to_names(3), (1, 2), (1, 2, 3))
    return Finding.of_outcomes(_programme_agrees(*world) for world in worlds)


def _programme_random(count: int, rng: Generator) -> Finding:
    def world() -> tuple[BoolArray, int, int]:
        targets = rng.random((int(rng.integers(2, 6)), 4)) < 0.6
        return targets, int(rng.integers(1, 4)), int(rng.integers(1, 4))

    return Finding.of_outcomes(_programme_agrees(*world()) for _ in range(count))


def _programme_relaxed(count: int, rng: Generator) -> Finding:
    """The linear programme in the place of the integer one, where it is feasible."""

    def same(n: int) -> bool:
        k = n // 2
        exact = anchor_programme(missing_one(n), c=2, k=k, integral=True)
        return (anchor_programme(missing_one(n), c=2, k=k) is None) == (exact is None)

    return Finding.of_outcomes(same(n) for n in range(5, 5 + count))


PROP_PROGRAM = Claim(
    "prop-anchor-program",
    "corrected",
    "",
    "the integer programme is the assumption",
    r"Definition 1 holds at $(c,k)$ for some set of at most $\mu$ metafeatures exactly if the programme (1)–(3) "
    r"has a solution in zeros and ones of value at most $\mu$.",
    "proved",
    checks=(
        Check("all families on 3 variables up to renaming, k <= 3", "exhaustive", _programme_exhaustive),
        Check("random families on 4 variables, all sets of pieces", "random", _programme_random, 20),
    ),
    twins=(
        Check("the linear programme instead", "exact", _programme_relaxed, 3, violated=True, drops="whole weights"),
    ),
    page="beyond/gap",
    functions=("lifelong.conjunctions.programme.anchor_programme",),
)


# prop-anchor-integral ------------------------------------------------------------------------------------


def _integral_holds(targets: BoolArray, k: int) -> bool:
    """Feasible exactly if no target holds more than k pieces of Algorithm 3; then these are the optimum."""
    found = metafeatures(targets)
    codes = [represent(T, found) for T in targets]
    most = max((int(code.sum()) for code in codes if code is not None), default=0)
    solution = anchor_programme(targets, c=1, k=k)
    if solution is None or most > k:
        return solution is None and most > k
    same = {m.tobytes() for m in solution.support} == {m.tobytes() for m in found}
    return same and solution.integral and weight_elsewhere(solution) < 1e-6


def _integral_exhaustive(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_integral_holds(family, k) for family, k in product(_families_up_to_names(3), (1, 2, 3)))


def _family(rng: Generator) -> BoolArray:
    shape = int(rng.integers(1, 16)), int(rng.integers(1, 13))
    return rng.random(shape) < rng.uniform(0.2, 0.9)


def _integral_random(count: int, rng: Generator) -> Finding:
    return Finding.of_outcomes(_integral_holds(_family(rng), int(rng.integers(1, 9))) for _ in range(count))


def _integral_pairs(count: int, rng: Generator) -> Finding:
    """The same value with c = 2, where any k will do."""

    def same(targets: BoolArray) -> bool:
        solution = anchor_programme(targets, c=2, k=None)
        return solution is not None and abs(solution.value - len(metafeatures(targets))) < 1e-6

    return Finding.of_outcomes(same(_family(rng)) for _ in range(count))


PROP_INTEGRAL = Claim(
    "prop-anchor-integral",
    "corrected",
    "",
    "with c = 1 the programme is Algorithm 3",
    "With $c=1$ the linear programme is feasible exactly if no target contains more than $k$ metafeatures of "
    "Algorithm 3; then these, with weight 1, are its only optimum.",
    "proved",
    checks=(
        Check("all families on 3 variables up to renaming, k <= 3", "exhaustive", _integral_exhaustive),
        Check("random families, n <= 12", "random", _integral_random, 150, scales=True, chunk=50),
    ),
    twins=(Check("the same value with c = 2", "random", _integral_pairs, 40, violated=True, drops="c = 1"),),
    page="beyond/gap",
    functions=("lifelong.conjunctions.programme.anchor_programme", "lifelong.metafeatures"),
)


# prop-anchor-gap -----------------------------------------------------------------------------------------


def _gap_linear(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """Feasible from half of n - 1 on, and not below; the value there, `share` of it for the broken version."""

    def holds(n: int) -> bool:
        solution = anchor_programme(missing_one(n), c=2, k=n // 2)
        below = anchor_programme(missing_one(n), c=2, k=(n - 2) // 2)
        return solution is not None and below is None and abs(solution.value - share * gap_value(n)) < 1e-6

    return Finding.of_outcomes(holds(n) for n in range(4, 4 + count))


def _gap_dual(count: int, rng: Generator) -> Finding:
    """In integers: each of the n (n - 1) constraints with weight 1 puts at most 2 (n - 2) on a candidate."""

    def holds(n: int) -> bool:
        coverage = spread_solution(n).coverage
        pairs = coverage.sum(axis=0).max() == 2 * (n - 2) and len(coverage) == n * (n - 1)
        return bool(pairs and (coverage[:, n:].sum(axis=1) == n - 2).all())  # the pairs come after the singletons

    return Finding.of_outcomes(holds(n) for n in range(4, 4 + count))


def _gap_integer(count: int, rng: Generator) -> Finding:
    def holds(n: int) -> bool:
        exact = anchor_programme(missing_one(n), c=2, k=n - 2, integral=True)
        below = anchor_programme(missing_one(n), c=2, k=n - 3, integral=True)
        return exact is not None and exact.value == n and below is None

    return Finding.of_outcomes(holds(n) for n in range(4, 4 + count))


PROP_GAP = Claim(
    "prop-anchor-gap",
    "corrected",
    "",
    "what the linear programme cannot see",
    r"For the $n$ sets of $n-1$ variables, $n\ge 4$, and $c=2$ the linear programme is feasible exactly for "
    r"$k\ge(n-1)/2$, with value $\frac{n(n-1)}{2(n-2)}$. Metafeatures with Definition 1 exist exactly for $k\ge "
    "n-2$, and are at least $n$.",
    "proved",
    checks=(
        Check("linear programme, n = 4 to 11", "exact", _gap_linear, 8),
        Check("its dual in integers, n = 4 to 30", "exact", _gap_dual, 27),
        Check("integer programme, n = 4 to 7", "exact", _gap_integer, 4),
    ),
    twins=(
        Check("a value 2 % smaller", "exact", partial(_gap_linear, share=0.98), 4, violated=True, spoils=0.02),
        Check(
            "the assumption holds where the linear programme is feasible",
            "exact",
            _programme_relaxed,
            3,
            violated=True,
            drops="whole weights",
        ),
    ),
    page="beyond/gap",
    functions=("lifelong.conjunctions.programme.anchor_programme",),
)


# cor-sparse-auto -----------------------------------------------------------------------------------------


def _winnow_ratios(M: BoolArray, targets: BoolArray, c: int, k: int, alpha: float = 2.0) -> dict[str, float]:
    """What a stream takes over what the corollary allows, from n, c, k, m and M alone.

    NaN if a target is not learned exactly.
    """
    m, n = targets.shape
    learner = WinnowMetafeatures(n, c=c, k=k, alpha=alpha)
    queries, most, worst = 0, 1, 0.0
    for T in targets:
        budget = int(bounds.winnow_mistakes(len(learner.metafeatures), k=k, alpha=alpha))
        (step,) = learn_stream([ConjunctionTask(T)], learner).steps
        if not np.array_equal(step.hypothesis, T):
            return dict.fromkeys(("queries", "from scratch", "attempt", "metafeatures"), np.nan)
        queries, most = queries + step.equivalence, max(most, len(learner.metafeatures))
        attempt = step.equivalence if step.how == "reused" else 0
        worst = max(worst, attempt / (budget + 1))
    allowed = int((~M).sum())
    bound = bounds.winnow_queries(n, m=m, k=k, features=_small_sets(n, c), scratch=allowed, alpha=alpha)
    scratch = len(learner.targets)
    return {
        "queries": queries / bound,
        "from scratch": scratch / max(1, allowed),
        "attempt": worst,
        "metafeatures": most / _small_sets(n, c),
    }


def _winnow_random(count: int, rng: Generator) -> Finding:
    alphas = (2.0, 1.5, 3.0)
    return Finding.of_runs([_winnow_ratios(*_planted(rng), alpha=alphas[i % 3]) for i in range(count)])


def _winnow_adversarial(count: int, rng: Generator) -> Finding:
    """Sequences that force as much learning from scratch as can be, with single variables for metafeatures."""
    return Finding.of_runs(
        [_winnow_ratios(np.eye(n, dtype=np.bool_), instances.attaining_sequence(n), 1, n) for n in range(2, count + 2)]
    )


class _StubbornTask(ConjunctionTask):
    """The conjunction of the first variable alone; its counterexamples cost Winnow over single variables the most.

    It alternates: the heaviest features that stay just below the threshold, with the first variable, so that they
    are promoted for nothing; then the heaviest ones that reach it without that variable, so that they are lost.
    """

    def __init__(self, n: int) -> None:
        super().__init__(np.arange(n) < 1)
        self._promoted = False

    def equivalent_threshold(self, weights: Any, features: Any, theta: float) -> BoolArray | None:
        """The counterexample that leaves Winnow with the most weight."""
        if super().equivalent_threshold(weights, features, theta) is None:
            return None
        w = np.asarray(weights, dtype=np.float64)
        others = 1 + np.argsort(-w[1:], kind="stable")
        total = np.cumsum(w[others])
        point = np.ones(self.n, dtype=np.bool_)
        if total[-1] >= theta and (self._promoted or w[0] >= theta):
            point[others[: int(np.argmax(total >= theta)) + 1]] = self._promoted = False
            return point
        point[0], self._promoted = False, True
        point[others[: int(np.searchsorted(total, theta - w[0]))]] = False
        return point


def _attempt_queries(task: ConjunctionTask, k: int, alpha: float = 2.0) -> float:
    """Queries of an attempt at k of n known single variables over their bound; NaN if it is given up."""
    learner = WinnowMetafeatures(task.n, c=1, k=k, alpha=alpha)
    learner.metafeatures = np.eye(task.n, dtype=np.bool_)
    allowed = int(bounds.winnow_mistakes(task.n, k=k, alpha=alpha)) + 1
    return np.nan if learner.reuse(task) is None else task.counts.equivalence / allowed


def _attempts(count: int, rng: Generator) -> Finding:
    """The first k of n single variables, with the emptiest answers and with stubborn ones."""
    empty = [_attempt_queries(ConjunctionTask(np.arange(n) < k), k) for n in (8, 32, 128, 256) for k in (1, 2, 4, 8)]
    stubborn = [_attempt_queries(_StubbornTask(2**power), 1) for power in range(2, 11)]
    small = [_attempt_queries(_StubbornTask(n), 1, alpha=1.1) for n in range(20, 33)]
    return Finding.of_ratios({"attempt": [*empty, *stubborn, *small]})


def _all_small_sets(count: int, rng: Generator, sizes: Any = range(4, 12), fewer: int = 0) -> Finding:
    """Targets that lack one variable each: all sets of at most two variables are summoned apart."""
    ratios = []
    for n in sizes:
        learner = WinnowMetafeatures(n, c=2, k=1)
        for T in missing_one(n):
            learner.grow("scratch", T)
        ratios.append(len(learner.metafeatures) / (_small_sets(n, 2) - fewer))
    return Finding.of_ratios({"metafeatures": ratios})


def _too_sparse(count: int, rng: Generator) -> Finding:
    """Targets of twelve metafeatures and k = 1: attempts are given up again and again."""
    targets = np.array([rng.permutation(16) < 12 for _ in range(count)])
    return Finding.of_ratios(
        {"from scratch": [_winnow_ratios(np.eye(16, dtype=np.bool_), targets, 1, 1)["from scratch"]]}
    )


COR_SPARSE = Claim(
    "cor-sparse-auto",
    "Corollary 2",
    "cor:sparseauto",
    "conjunctions under the anchor-set assumption",
    r"$m$ conjunctions that satisfy Definition 1 at $(c,k)$ with metafeatures $m_1,m_2,\dots$ are learned from at "
    r"most $m(1+ak\log_a N+a)+nQ$ equivalence queries by Winnow with factor $a>1$. Here $N$, the number of "
    "metafeatures kept, is at most the number of sets of at most $c$ variables, and $Q$, the number of targets "
    "learned from scratch, is at most the sum of $n-|m_j|$.",
    "proved",
    scope=r"as printed, $O(mk\log n+n^2|M|)$ for constant $c$",
    checks=(
        Check("random streams, exact oracle", "random", _winnow_random, 40, scales=True, chunk=40),
        Check("attaining sequences, n = 2 to 9", "adversarial", _winnow_adversarial, 8),
        Check("k of n variables, the emptiest answers and stubborn ones", "adversarial", _attempts),
        Check("one metafeature for each small set", "tight", _all_small_sets, 8),
    ),
    twins=(
        Check(
            "one metafeature fewer, n = 10 and 11",
            "tight",
            partial(_all_small_sets, sizes=(10, 11), fewer=1),
            2,
            violated=True,
            spoils=1 / 56,
        ),
        Check("k = 1 for targets of twelve", "adversarial", _too_sparse, 300, violated=True, drops="sparsity k"),
    ),
    page="conjunctions/autoencoders/winnow",
    functions=(
        "lifelong.conjunctions.winnow.WinnowMetafeatures",
        "lifelong.conjunctions.bounds.winnow_mistakes",
        "lifelong.conjunctions.bounds.winnow_queries",
    ),
    loose={
        "queries": "$m$ attempts and $nQ$ are never both dear: where much is learned from scratch, attempts end early",
    },
)

CLAIMS = (DEF_ANCHOR_SET, THM_SPARSE, PROP_PROGRAM, PROP_INTEGRAL, PROP_GAP, COR_SPARSE)
