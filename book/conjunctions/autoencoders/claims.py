"""Claims of Section 4, second half: anchor sets, sparse Boolean autoencoders and their online use."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import combinations, permutations, product
from math import comb, log
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions import bounds
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.autoencoder import (
    AnchorSolution,
    SparseBooleanAutoencoder,
    anchor_programme,
    anchor_set_candidates,
    anchor_sets,
    is_anchored,
    randomised_rounding,
)
from lifelong.conjunctions.instances import attaining_sequence
from lifelong.conjunctions.winnow import ThresholdTask, WinnowMetafeatures, winnow
from lifelong.loop import learn_stream
from lifelong_book.conjunctions.autoencoders.experiments import (
    candidates,
    covering,
    definition_1,
    fewest_anchored,
    inside,
    is_anchored_by_search,
    missing_pixels,
    programme,
    rounding,
    rounding_risk,
    spread_risk,
    spread_solution,
    weight_elsewhere,
)
from lifelong_book.conjunctions.autoencoders.instances import missing_one, planted_anchor_sets
from lifelong_book.conjunctions.consistency.instances import all_families, all_targets
from lifelong_book.press.claim import Check, Discrepancy, Finding, Generator, Twin
from lifelong_book.press.two_sided import Adverse, Broken, Exact, Exhaustive, Random, Tight, two_sided

Instances = Iterator[dict[str, Any]]
#: Left and right sides by the name of their inequality.
Pairs = dict[str, tuple[Any, Any]]
# def-anchor-set ------------------------------------------------------------------------------------------


def worlds_of_two() -> Instances:
    """All sets of metafeatures and of targets on two variables, c <= 2, k <= 3."""
    every = all_targets(2)
    for pieces, targets in product(all_targets(4), repeat=2):
        for c, k in product(range(3), range(4)):
            yield {"M": every[pieces], "TS": every[targets], "c": c, "k": k}


def _random_worlds(count: int, rng: Generator) -> Instances:
    """Unions of up to four pieces over three variables, so that the definition often holds."""
    for _ in range(count):
        M = np.unique(rng.random((int(rng.integers(1, 5)), 3)) < 0.5, axis=0)
        TS = (rng.random((int(rng.integers(0, 4)), len(M))) < 0.5) @ M
        yield {"M": M, "TS": TS, "c": int(rng.integers(0, 4)), "k": int(rng.integers(0, 5))}


def _planted(count: int, rng: Generator) -> Instances:
    """Metafeatures with anchor sets and targets made of them; every metafeature is used."""
    for _ in range(count):
        c, k = int(rng.integers(1, 3)), int(rng.integers(2, 5))
        pieces, body = min(int(rng.integers(2, 8 if c == 1 else 16)), 7 if c == 1 else 21), int(rng.integers(0, 6))
        m = int(rng.integers(1, 25))
        M, TS = planted_anchor_sets(7, body, pieces=pieces, m=m, c=c, k=k, rng=rng)
        yield {"M": M[inside(M, TS).any(axis=0)], "TS": TS, "c": c, "k": k}


def _satisfied(M: BoolArray, TS: BoolArray, c: int, k: int) -> Pairs:
    """The definition holds, by the plain test and by the package's."""
    return {"plain": (definition_1(M, TS, c, k), True), "package": (is_anchored(M, TS, c=c, k=k), True)}


def _without_sparsity(M: BoolArray, TS: BoolArray, c: int, k: int) -> tuple[bool, bool]:
    """The definition misread: k of the metafeatures are enough, and more may lie inside the target."""
    chosen = [list(R) for size in range(k + 1) for R in combinations(range(len(M)), size)]
    few = all(any((M[R].any(axis=0) == T).all() for R in chosen) for T in TS)
    misread = few and all(y is not None for y in anchor_sets(M, TS, c=c))
    return misread, is_anchored_by_search(M, TS, c=c, k=k)


@two_sided(
    "def-anchor-set",
    Exhaustive(worlds_of_two, name="all metafeatures and targets on 2 variables", equal=True),
    Random(_random_worlds, 300, name="random metafeatures on 3 variables", equal=True, chunk=100),
    Random(_planted, 200, name="planted anchor sets", equal=True, chunk=100, sides=_satisfied),
    Broken(
        worlds_of_two,
        name="k metafeatures suffice, more may lie inside",
        equal=True,
        sides=_without_sparsity,
        drops="the limit k on all metafeatures that lie inside a target",
    ),
)
def relevant(M: BoolArray, TS: BoolArray, c: int, k: int) -> Pairs:
    """Definition 1 of anchor sets as a claim: whether it holds, searched, by the plain test and by the package's."""
    searched = is_anchored_by_search(M, TS, c=c, k=k)
    return {
        "plain": (definition_1(M, TS, c, k), searched),
        "package": (is_anchored(M, TS, c=c, k=k), searched),
    }


DEF_ANCHOR_SET = relevant.claim(
    "Definition 1",
    "the anchor-set assumption",
    "The relevant metafeatures of a target are those inside it: the definition holds exactly if each target is the "
    "union of the metafeatures inside it, at most $k$, and each metafeature has a set of at most $c$ variables that no "
    "target has without the whole.",
    "proved",
    paper="def:anchorset",
    functions=(is_anchored, anchor_sets, planted_anchor_sets),
)


# thm-sparse-auto -----------------------------------------------------------------------------------------


def small_count(n: int, c: int) -> int:
    """For claims on anchor sets: the number of sets of at most c of n variables."""
    return sum(comb(n, size) for size in range(c + 1))


def worlds_of_theorem_5(count: int, rng: Generator) -> Instances:
    """Planted anchor sets, c = 1 and 2."""
    yield from ({**world, "rng": rng} for _ in range(count) for world in _planted(1, rng))


def _one_missing(count: int, rng: Generator) -> Instances:
    """Images with one pixel missing: the cycle of n pairs is a planted solution at sparsity n - 2."""
    for n in range(5, 5 + count):
        pairs = np.eye(n, dtype=np.bool_) | np.roll(np.eye(n, dtype=np.bool_), 1, axis=1)
        yield {"M": pairs, "TS": missing_one(n), "c": 2, "k": n - 2, "rng": rng}


def fitted(M: BoolArray, TS: BoolArray, c: int, k: int, rng: Generator) -> Pairs:
    """Both parts of the theorem, by the package; NaN if what comes out does not satisfy the definition."""
    m, n = TS.shape
    L = log(n**2 * m)
    found = anchor_set_candidates(TS, c=c)
    closures = [TS[(~y | TS).all(axis=1)].all(axis=0) for y in anchor_sets(M, TS, c=c) if y is not None]
    chosen = np.unique(np.array(closures), axis=0)
    known = {row.tobytes() for row in chosen} <= {row.tobytes() for row in found}
    auto = SparseBooleanAutoencoder(c=c, k=k, rng=rng).fit(TS)
    exact = np.array_equal(auto.inverse_transform(auto.transform(TS)), TS) and auto.satisfies(TS)
    good = 1.0 if known and exact and definition_1(chosen, TS, c, k) else np.nan
    pieces = good * auto.metafeatures_.shape[0]
    return {
        "pieces a target": (good * inside(chosen, TS).sum(axis=1).max(), k),
        "candidates": (len(found), small_count(n, c) - 1),
        "value of the programme": (auto.lp_value_ - 1e-6, len(M)),
        "kept": (pieces, 2 * max(len(M), 3) * L),
        "kept a target": (inside(auto.metafeatures_, TS).sum(axis=1).max(), 2 * max(k, 3) * L),
    }


def _three_risks(solution: AnchorSolution) -> Pairs:
    """The chances of the three bad events, summed over their parts; the theorem's 1/n, 1/n^2 and 1/n^2."""
    n = solution.candidates.shape[1]
    bounds_of = (("coverage", 1 / n), ("sparsity", 1 / n**2), ("size", 1 / n**2))
    return {name: (risk, right) for (name, right), risk in zip(bounds_of, rounding_risk(solution), strict=True)}


def _spread_weights() -> Instances:
    """Weights 1/(n - 2) on the pairs, where constraint (2) is an equality everywhere."""
    yield from ({"solution": spread_solution(n)} for n in range(6, 49, 6))


def _fractional_optima(count: int, rng: Generator) -> Instances:
    """Optima of random families with slack in k; such programmes are often fractional, with weights like 1/2."""
    while count:
        n = int(rng.integers(6, 9))
        solution = anchor_programme(rng.random((n, n)) < 0.7, c=2, k=n)
        if solution is not None and not solution.integral:
            yield {"solution": solution}
            count -= 1


def _many_pixels(count: int) -> dict[str, Any]:
    """Numbers of pixels up to a million."""
    return {"n": np.geomspace(4, 1e6, count).round()}


def _in_closed_form(n: Any, share: float = 1.0) -> Pairs:
    """The expected number of missed pairs for the spread weights, beside 1/n."""
    return {"coverage": (spread_risk(n, share=share) / n, 1 / n)}


def _planted_or_cut_off(count: int, rng: Generator) -> Instances:
    """One target {1} on two variables, and planted families."""
    yield {"TS": np.array([[True, False]]), "c": 1}
    yield from ({"TS": world["TS"], "c": world["c"]} for world in _planted(count - 1, rng))


def _literally(TS: BoolArray, c: int) -> tuple[bool, bool]:
    """Whether constraint (2) can be met for all pixels i, with all weights 1; only if all targets are full."""
    C = candidates(TS, c)
    return bool((inside(C, TS) @ C).all()), bool(TS.all())


@two_sided(
    "thm-sparse-auto",
    Random(worlds_of_theorem_5, 60, name="planted anchor sets, c = 1 and 2, in plain steps", chunk=60),
    Adverse(_one_missing, 12, name="fractional programmes, n = 5 to 16, in plain steps"),
    Random(worlds_of_theorem_5, 60, name="planted anchor sets, c = 1 and 2, the output tested", chunk=60, sides=fitted),
    Adverse(_one_missing, 20, name="fractional programmes, n = 5 to 24, the output tested", sides=fitted),
    Exact(_spread_weights, name="chances of the three events, weights 1/(n - 2), n = 6 to 48", sides=_three_risks),
    Tight(
        _many_pixels,
        200,
        name="sum over targets and pixels, weights 1/(n - 2), n to 10^6",
        sides=_in_closed_form,
        of=("coverage",),
    ),
    Random(
        _fractional_optima, 20, name="chances of the three events, random fractional programmes", sides=_three_risks
    ),
    Exact(_planted_or_cut_off, 40, name="constraint (2) word for word has no solution", equal=True, sides=_literally),
    Broken(_many_pixels, 200, name="a logarithm 2 % smaller", spoils=0.02, sides=partial(_in_closed_form, share=0.98)),
    loose={
        "kept": "Chernoff's bound leaves a factor of 2 above the mean, and the rounding keeps about the mean",
        "kept a target": "the factor of 2 of Chernoff's bound again, and no more than all candidates in a target",
        "sparsity": "exact binomial tails are far below Chernoff's bound at twice the mean",
        "size": "exact binomial tails are far below Chernoff's bound at twice the mean",
    },
)
def theorem_5(M: BoolArray, TS: BoolArray, c: int, k: int, rng: Generator) -> Pairs:
    (m, n), C = TS.shape, candidates(TS, c)
    L, Z = log(n**2 * m), programme(C, TS, k)
    kept = C[rounding(Z, L, rng)]
    most = inside(kept, TS).sum(axis=1).max()
    missed = missing_pixels(Z, covering(C, TS), L)
    return {
        "value": (Z.sum(), len(M) + 1e-6),
        "coverage": (missed, 1 / n),
        "kept": (len(kept), 2 * max(len(M), 3) * L),
        "kept a target": (most, 2 * max(k, 3) * L),
    }


def _unanchored(count: int, rng: Generator) -> Finding:
    """The same at a sparsity below (n - 1)/2, where no metafeatures satisfy the definition."""

    def works(n: int) -> bool:
        try:
            return SparseBooleanAutoencoder(c=2, k=(n - 2) // 2, rng=rng).fit(missing_one(n)).satisfies(missing_one(n))
        except ValueError:  # the linear programme has no solution
            return False

    return Finding.of_outcomes(works(n) for n in range(5, 5 + count))


def _frequencies(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """Roundings fail no more often than they may, and keep as many candidates as they should, but for 1 in 10^9."""
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


THM_SPARSE = theorem_5.claim(
    "Theorem 5",
    "sparse Boolean autoencoders",
    "If a set $M$ of metafeatures satisfies Definition 1 at $(c,k)$ with $m$ targets on $n$ variables, then each "
    "target is the union of at most $k$ of the candidates, one for each of the $O(n^c)$ sets of at most $c$ "
    "variables. With probability $1-1/n-2/n^2$ the rounded optimum of the programme gives at most "
    r"$2\max(|M|,3)\,L$ metafeatures that satisfy it at sparsity $2\max(k,3)\,L$, where $L=\ln(n^2m)$.",
    "proved",
    paper="thm:sparseauto",
    scope="constraint (2) read for the pixels of each target",
    replaced_by=("prop-anchor-program", "prop-anchor-integral", "prop-anchor-gap"),
    checks=(Check("two thousand roundings, n = 12, 24 and 40", "random", _frequencies, 2000),),
    twins=(
        Twin("roundings of weights 2 % smaller", "random", partial(_frequencies, share=0.98), 2000, spoils=0.02),
        Twin("no metafeatures to be found", "adversarial", _unanchored, 6, drops="Definition 1"),
    ),
    functions=(
        anchor_set_candidates,
        anchor_programme,
        randomised_rounding,
        SparseBooleanAutoencoder,
        bounds.rounding_logarithm,
        bounds.rounded_sparsity,
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


def _families_of_three() -> Instances:
    """Every family on three variables up to renaming, c <= 2, k <= 3."""
    for TS, c, k in product(_families_up_to_names(3), (1, 2), (1, 2, 3)):
        yield {"TS": TS, "c": c, "k": k}


def _families_of_four(count: int, rng: Generator) -> Instances:
    """Random families on four variables."""
    for _ in range(count):
        TS = rng.random((int(rng.integers(2, 6)), 4)) < 0.6
        yield {"TS": TS, "c": int(rng.integers(1, 4)), "k": int(rng.integers(1, 4))}


def _half_as_sparse(count: int) -> Instances:
    """Images with one pixel missing at half of what they need."""
    yield from ({"TS": missing_one(n), "c": 2, "k": n // 2} for n in range(5, 5 + count))


def _relaxed(TS: BoolArray, c: int, k: int) -> tuple[bool, bool]:
    """The linear programme in the place of the integer one, where it is feasible."""
    solutions = (anchor_programme(TS, c=c, k=k, integral=whole) for whole in (False, True))
    linear, exact = (solution is not None for solution in solutions)
    return linear, exact


@two_sided(
    "prop-anchor-program",
    Exhaustive(_families_of_three, name="all families on 3 variables up to renaming, k <= 3", equal=True),
    Random(_families_of_four, 20, name="random families on 4 variables, all sets of pieces", equal=True),
    Broken(_half_as_sparse, 3, name="the linear programme instead", sides=_relaxed, drops="whole weights"),
)
def integer_programme(TS: BoolArray, c: int, k: int) -> tuple[float, float]:
    """The claim on Theorem 5's integer programme: its value, and the fewest metafeatures by trying all sets."""
    solution = anchor_programme(TS, c=c, k=k, integral=True)
    least = fewest_anchored(TS, c=c)  # by trying all sets of metafeatures
    tried = min((size for level, size in least.items() if level <= k), default=-1)
    return -1 if solution is None else solution.value, tried


PROP_PROGRAM = integer_programme.claim(
    "corrected",
    "the integer programme is the assumption",
    r"Definition 1 holds at $(c,k)$ for some set of at most $\mu$ metafeatures exactly if the programme (1)–(3) "
    r"has a solution in zeros and ones of value at most $\mu$.",
    "proved",
    functions=(anchor_programme,),
)


# prop-anchor-integral ------------------------------------------------------------------------------------


def _families_of_three_again() -> Instances:
    """Every family on three variables up to renaming, k <= 3."""
    yield from ({"TS": TS, "k": k} for TS, k in product(_families_up_to_names(3), (1, 2, 3)))


def _family(rng: Generator) -> BoolArray:
    shape = int(rng.integers(1, 16)), int(rng.integers(1, 13))
    return rng.random(shape) < rng.uniform(0.2, 0.9)


def _families_up_to_twelve(count: int, rng: Generator) -> Instances:
    """Random families, n <= 12."""
    yield from ({"TS": _family(rng), "k": int(rng.integers(1, 9))} for _ in range(count))


def _by_pairs(TS: BoolArray, k: int) -> tuple[float, float]:
    """The value with c = 2, where any k will do."""
    solution = anchor_programme(TS, c=2, k=None)
    return np.nan if solution is None else round(solution.value, 6), len(metafeatures(TS))


@two_sided(
    "prop-anchor-integral",
    Exhaustive(_families_of_three_again, name="all families on 3 variables up to renaming, k <= 3", equal=True),
    Random(_families_up_to_twelve, 150, name="random families, n <= 12", equal=True, chunk=50),
    Broken(_families_up_to_twelve, 40, name="the same value with c = 2", equal=True, sides=_by_pairs, drops="c = 1"),
)
def with_anchors(TS: BoolArray, k: int) -> Pairs:
    """The claim that with anchor sets of size c = 1 the programme finds what Algorithm 3 finds."""
    found, solution = metafeatures(TS), anchor_programme(TS, c=1, k=k)
    most = inside(found, TS).sum(axis=1).max(initial=0)
    sides = {"feasible": (solution is not None, most <= k)}
    if solution is not None and most <= k:
        names = [sorted(row.tobytes() for row in rows) for rows in (solution.support, found)]
        only = names[0] == names[1] and solution.integral and weight_elsewhere(solution) < 1e-6
        sides["its pieces, and no other optimum"] = (only, True)
    return sides


PROP_INTEGRAL = with_anchors.claim(
    "corrected",
    "with c = 1 the programme is Algorithm 3",
    "With $c=1$ the linear programme is feasible exactly if no target contains more than $k$ metafeatures of "
    "Algorithm 3; then these, with weight 1, are its only optimum.",
    "proved",
    functions=(anchor_programme, metafeatures),
)


# prop-anchor-gap -----------------------------------------------------------------------------------------


def sizes(count: int) -> Instances:
    """Numbers of variables, from four on."""
    yield from ({"n": n} for n in range(4, 4 + count))


def dual(n: int) -> Pairs:
    """In integers: each of the n (n - 1) constraints with weight 1 puts at most 2 (n - 2) on a candidate."""
    coverage = spread_solution(n).coverage  # the pairs come after the single variables
    return {
        "on a candidate": (coverage.sum(axis=0).max(), 2 * (n - 2)),
        "constraints": (len(coverage), n * (n - 1)),
        "pairs in each": ((coverage[:, n:].sum(axis=1) == n - 2).all(), True),
    }


def _whole_weights(n: int) -> Pairs:
    """The integer programme has the value n at sparsity n - 2, and no solution below."""
    exact, below = (anchor_programme(missing_one(n), c=2, k=k, integral=True) for k in (n - 2, n - 3))
    return {"value": (np.nan if exact is None else exact.value, n), "none below": (below is None, True)}


@two_sided(
    "prop-anchor-gap",
    Tight(sizes, 8, name="linear programme, n = 4 to 11", equal=True, of=("value",)),
    Exact(sizes, 27, name="its dual in integers, n = 4 to 30", equal=True, sides=dual),
    Exact(sizes, 4, name="integer programme, n = 4 to 7", equal=True, sides=_whole_weights),
    Broken(
        _half_as_sparse,
        3,
        name="the assumption holds where the linear programme is feasible",
        sides=_relaxed,
        drops="whole weights",
    ),
)
def programme_gap(n: int) -> Pairs:
    """The claim on Theorem 5's linear programme for n sets of n - 1 variables: its value, and where it is feasible."""
    solution = anchor_programme(missing_one(n), c=2, k=n // 2)
    below = anchor_programme(missing_one(n), c=2, k=(n - 2) // 2)
    value = np.nan if solution is None else solution.value
    return {"value": (value, n * (n - 1) / (2 * (n - 2))), "none below": (below is None, True)}


PROP_GAP = programme_gap.claim(
    "corrected",
    "what the linear programme cannot see",
    r"For the $n$ sets of $n-1$ variables, $n\ge 4$, and $c=2$ the linear programme is feasible exactly for "
    r"$k\ge(n-1)/2$, with value $\frac{n(n-1)}{2(n-2)}$. Metafeatures with Definition 1 exist exactly for $k\ge "
    "n-2$, and are at least $n$.",
    "proved",
    functions=(anchor_programme,),
)


# cor-sparse-auto -----------------------------------------------------------------------------------------


def streams(count: int, rng: Generator) -> Instances:
    """Planted streams, Winnow's factor 2, 1.5 and 3."""
    for i, world in enumerate(_planted(count, rng)):
        yield {**world, "alpha": (2.0, 1.5, 3.0)[i % 3]}


def _attaining(count: int) -> Instances:
    """Sequences that force as much learning from scratch as can be, with single variables for metafeatures."""
    for n in range(2, count + 2):
        yield {"M": np.eye(n, dtype=np.bool_), "TS": attaining_sequence(n), "c": 1, "k": n}


class _StubbornTask(ThresholdTask):
    """The conjunction of the first variable alone; its counterexamples cost Winnow over single variables the most."""

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


def _attempt_queries(task: ThresholdTask, k: int, alpha: float = 2.0) -> float:
    """Queries of an attempt at k of n known single variables over their bound; NaN if it is given up."""
    learner = WinnowMetafeatures(task.n, c=1, k=k, alpha=alpha)
    learner.metafeatures = np.eye(task.n, dtype=np.bool_)
    allowed = int(bounds.winnow_mistakes(task.n, k=k, alpha=alpha)) + 1
    return np.nan if learner.reuse(task) is None else task.counts.equivalence / allowed


def _attempts() -> dict[str, Any]:
    """The first k of n single variables, with the emptiest answers and with stubborn ones."""
    empty = [_attempt_queries(ThresholdTask(np.arange(n) < k), k) for n in (8, 32, 128, 256) for k in (1, 2, 4, 8)]
    stubborn = [_attempt_queries(_StubbornTask(2**power), 1) for power in range(2, 11)]
    small = [_attempt_queries(_StubbornTask(n), 1, alpha=1.1) for n in range(20, 33)]
    return {"made": np.array([*empty, *stubborn, *small])}


def _within_bound(made: Any) -> Pairs:
    """Queries of attempts, as shares of what they may take."""
    return {"attempt": (made, 1)}


def _unions_of_few(count: int, rng: Generator) -> Instances:
    """Unions of at most k of up to 300 random pieces."""
    for _ in range(count):
        k, N, n = (int(a) for a in rng.integers(1, (6, 300, 30)))
        M = rng.random((N, n)) < 0.3
        T = M[rng.choice(N, min(k, N), replace=False)].any(axis=0)
        yield {"task": ThresholdTask(T), "M": M, "k": k}


def _stubborn_tasks() -> Instances:
    """One of n single variables, and an oracle that costs as much as it can."""
    for n, alpha in [(2**power, 2.0) for power in range(2, 11)] + [(n, 1.1) for n in range(20, 33)]:
        yield {"task": _StubbornTask(n), "M": np.eye(n, dtype=np.bool_), "k": 1, "alpha": alpha}


def _told_one() -> Instances:
    """Unions of twelve single variables, and k = 1."""
    for n in range(24, 40):
        yield {"task": ThresholdTask(np.arange(n) < 12), "M": np.eye(n, dtype=np.bool_), "k": 1}


@two_sided(
    "cor-sparse-auto",  # an attempt; the next has whole streams
    Random(_unions_of_few, 200, name="unions of at most k of up to 300 pieces, Winnow in ten lines", chunk=200),
    Adverse(_stubborn_tasks, name="stubborn answers, Winnow in ten lines"),
    Broken(_told_one, name="k = 1 for unions of twelve, Winnow in ten lines", drops="the sparsity k"),
)
def attempt(task: ThresholdTask, M: BoolArray, k: int, alpha: float = 2.0) -> tuple[float, float]:
    """The claim on one attempt of Corollary 2: what Winnow asks, and how often it may: its mistakes, and once more."""
    h = winnow(task, M, k, alpha)
    right = h is not None and (h == task.target).all()
    asked = task.counts.equivalence if right else np.inf
    mistakes = bounds.winnow_mistakes(len(M), k=k, alpha=alpha)
    return asked, int(mistakes) + 1


def _summoned_apart(n: int) -> Pairs:
    """Targets that lack one variable each: all sets of at most two variables are summoned apart."""
    learner = WinnowMetafeatures(n, c=2, k=1)
    for T in missing_one(n):
        learner.grow("scratch", T)
    return {"metafeatures": (len(learner.metafeatures), small_count(n, 2))}


def _too_sparse(count: int, rng: Generator) -> Instances:
    """Targets of twelve metafeatures and k = 1: attempts are given up again and again."""
    TS = np.array([rng.permutation(16) < 12 for _ in range(count)])
    yield {"M": np.eye(16, dtype=np.bool_), "TS": TS, "c": 1, "k": 1}


def _from_scratch(M: BoolArray, TS: BoolArray, c: int, k: int) -> tuple[float, float]:
    """Targets learned from scratch, and the most that there may be."""
    return corollary_2.sides(M, TS, c, k)["from scratch"]  # type: ignore[no-any-return]


@two_sided(
    "cor-sparse-auto",
    Random(streams, 40, name="random streams, exact oracle", chunk=40),
    Adverse(_attaining, 8, name="attaining sequences, n = 2 to 9"),
    Adverse(_attempts, name="k of n variables, the emptiest answers and stubborn ones", sides=_within_bound),
    Tight(sizes, 8, name="one metafeature for each small set", equal=True, sides=_summoned_apart),
    Broken(_too_sparse, 300, name="k = 1 for targets of twelve", sides=_from_scratch, drops="sparsity k"),
    loose={
        "queries": "$m$ attempts and $nQ$ are never both dear: where much is learned from scratch, attempts end early"
    },
)
def corollary_2(M: BoolArray, TS: BoolArray, c: int, k: int, alpha: float = 2.0) -> Pairs:
    """What a stream takes, and what the corollary allows, from n, c, k, m and M alone."""
    m, n = TS.shape
    learner = WinnowMetafeatures(n, c=c, k=k, alpha=alpha)
    queries, most, worst = 0.0, 1, 0.0
    for T in TS:
        budget = int(bounds.winnow_mistakes(len(learner.metafeatures), k=k, alpha=alpha))
        (step,) = learn_stream([ThresholdTask(T)], learner).steps
        exact = 1.0 if np.array_equal(step.hypothesis, T) else np.nan
        queries, most = queries + exact * step.equivalence, max(most, len(learner.metafeatures))
        worst = max(worst, step.equivalence / (budget + 1) if step.how == "reused" else 0)
    N, Q = small_count(n, c), int((~M).sum())
    return {
        "queries": (queries, bounds.winnow_queries(n, m=m, k=k, features=N, scratch=Q, alpha=alpha)),
        "from scratch": (len(learner.targets), Q),
        "attempt": (worst, 1),
        "metafeatures": (most, N),
    }


COR_SPARSE = corollary_2.claim(
    "Corollary 2",
    "conjunctions under the anchor-set assumption",
    r"$m$ conjunctions that satisfy Definition 1 at $(c,k)$ with metafeatures $m_1,m_2,\dots$ are learned from at "
    r"most $m(1+ak\log_a N+a)+nQ$ equivalence queries by Winnow with factor $a>1$. Here $N$, the number of "
    "metafeatures kept, is at most the number of sets of at most $c$ variables, and $Q$, the number of targets "
    "learned from scratch, is at most the sum of $n-|m_j|$.",
    "proved",
    paper="cor:sparseauto",
    scope=r"as printed, $O(mk\log n+n^2|M|)$ for constant $c$",
    checks=attempt.checks(),
    twins=attempt.twins(),
    functions=(WinnowMetafeatures, bounds.winnow_mistakes, bounds.winnow_queries),
)
