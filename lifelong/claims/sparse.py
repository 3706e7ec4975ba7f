"""Claims of Section 4, second half: anchor sets, sparse Boolean autoencoders and their online use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, combinations, permutations, product
from typing import Any

import numpy as np

from lifelong import bounds, instances
from lifelong._checks import BoolArray, FloatArray
from lifelong.autoencoders import (
    AnchorSolution,
    SparseBooleanAutoencoder,
    WinnowMetafeatures,
    anchor_programme,
    anchor_set_candidates,
    anchor_sets,
    is_anchored,
    randomised_rounding,
)
from lifelong.claims.ledger import Check, Claim, Finding
from lifelong.claims.section4 import all_families, all_targets
from lifelong.monomials import metafeatures, represent
from lifelong.stream import learn_stream
from lifelong.tasks import ConjunctionTask

Generator = np.random.Generator
Set = frozenset[int]


def _failed(outcomes: Iterator[bool], witness: str = "") -> Finding:
    seen = list(outcomes)
    return Finding(len(seen), seen.count(False), witness=witness)


def as_sets(rows: BoolArray) -> list[Set]:
    """Each row as the set of its variables."""
    return [frozenset(np.flatnonzero(row).tolist()) for row in rows]


def subsets(items: Any, most: int) -> list[Set]:
    """Sets of at most `most` of the items, small ones first."""
    items = sorted(items)
    sizes = range(min(most, len(items)) + 1)
    return [frozenset(s) for s in chain.from_iterable(combinations(items, size) for size in sizes)]


def missing_one(n: int) -> BoolArray:
    """The n targets that lack one variable each: bool (n, n)."""
    return ~np.eye(n, dtype=np.bool_)


# def-anchor-set ------------------------------------------------------------------------------------------


def definition(M: BoolArray, targets: BoolArray, c: int, k: int) -> bool:
    """Definition 1 word for word, for distinct metafeatures: all relevant sets and all anchor sets are tried."""
    pieces, TS = as_sets(M), as_sets(targets)

    def relevant(T: Set, y: tuple[Set, ...]) -> bool:
        summoned = {j for j in range(len(pieces)) if y[j] <= T}
        unions = (frozenset[int]().union(*(pieces[j] for j in R)) for R in subsets(range(len(M)), k) if summoned <= R)
        return any(union == T for union in unions)

    return any(all(relevant(T, y) for T in TS) for y in product(*(subsets(m, c) for m in pieces)))


def without_sparsity(M: BoolArray, targets: BoolArray, c: int, k: int) -> bool:
    """The definition misread: k of the metafeatures are enough, and more may lie inside the target."""
    few = all(any(M[list(R)].any(axis=0).tolist() == T.tolist() for R in subsets(range(len(M)), k)) for T in targets)
    return few and all(y is not None for y in anchor_sets(M, targets, c))


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


def _definition_exhaustive(count: int, rng: Generator, reading: Any = is_anchored) -> Finding:
    return _failed(reading(*world) == definition(*world) for world in _worlds_of_two())


def _definition_random(count: int, rng: Generator) -> Finding:
    return _failed(is_anchored(*world) == definition(*world) for world in (_random_world(rng) for _ in range(count)))


def _planted(rng: Generator) -> tuple[BoolArray, BoolArray, int, int]:
    """Metafeatures with anchor sets and targets made of them; every metafeature is used."""
    c, k = int(rng.integers(1, 3)), int(rng.integers(2, 5))
    pieces = int(rng.integers(2, 8 if c == 1 else 16))
    M, targets = instances.planted_anchor_sets(
        7, int(rng.integers(0, 6)), min(pieces, 7 if c == 1 else 21), int(rng.integers(1, 25)), c=c, k=k, rng=rng
    )
    used = (targets[:, None] | ~M).all(axis=2).any(axis=0)
    return M[used], targets, c, k


def _planted_holds(count: int, rng: Generator) -> Finding:
    return _failed(is_anchored(*_planted(rng)) for _ in range(count))


DEF_ANCHOR_SET = Claim(
    "def-anchor-set",
    "Definition 1",
    "def:anchorset",
    "the anchor-set assumption",
    "The relevant metafeatures of a target are those inside it: the definition holds exactly if each target is the "
    "union of the metafeatures inside it, at most k, and each metafeature has at most c variables that no "
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
            partial(_definition_exhaustive, reading=without_sparsity),
            violated=True,
        ),
    ),
    page="autoencoders",
    functions=("autoencoders.is_anchored", "autoencoders.anchor_sets", "instances.planted_anchor_sets"),
)


# thm-sparse-auto -----------------------------------------------------------------------------------------


def rounding_risk(solution: AnchorSolution, factor: float | None = None) -> tuple[float, float, float]:
    """Bounds on the chances of the three bad events, from the exact chance of each of their parts.

    Sums over pairs of target and pixel, over targets, and the last chance itself; `factor` is the paper's L unless
    given.
    """
    m, n = len(solution.inside), solution.candidates.shape[1]
    L = bounds.rounding_logarithm(n, m)
    p = np.minimum(1.0, solution.weights * (L if factor is None else factor))
    missed = sum(np.prod(1 - p[row]) for row in solution.coverage)
    most = np.inf if solution.k is None else bounds.rounded_sparsity(solution.k, n, m)
    dense = sum(_tail(p[row], most) for row in solution.inside)
    return float(missed), dense, _tail(p, 2 * max(solution.value, 3) * L)


def _tail(p: FloatArray, most: float) -> float:
    """Chance that more than `most` of independent events of probabilities p occur."""
    if len(p) <= most:
        return 0.0
    chance = np.array([1.0])
    for q in p:
        chance = np.convolve(chance, (1 - q, q))
    return float(chance[int(most) + 1 :].sum())


def spread_solution(n: int) -> AnchorSolution:
    """Optimum for `missing_one`, c = 2: weight 1/(n - 2) on every pair, and the least k for which it is feasible."""
    targets = missing_one(n)
    candidates = anchor_set_candidates(targets, 2)
    inside: BoolArray = np.asarray((targets[:, None] | ~candidates).all(axis=2))
    return AnchorSolution(candidates, inside, np.where(candidates.sum(axis=1) == 2, 1 / (n - 2), 0.0), n // 2)


def _risks(solution: AnchorSolution, factor: float | None = None) -> list[float]:
    """The three risks over the theorem's 1/n, 1/n^2 and 1/n^2."""
    n = solution.candidates.shape[1]
    return [risk * scale for risk, scale in zip(rounding_risk(solution, factor), (n, n**2, n**2), strict=True)]


def _risks_spread(count: int, rng: Generator, factor: float | None = None) -> Finding:
    return Finding.of_ratios([_risks(spread_solution(n), factor) for n in range(6, 6 + count, 6)])


def spread_risk(n: Any) -> Any:
    """Expected number of uncovered pairs for `spread_solution`, over the 1/n of the theorem, in closed form."""
    n = np.asarray(n, dtype=np.float64)
    p = np.minimum(1.0, 3 * np.log(n) / (n - 2))
    with np.errstate(divide="ignore"):
        return n**2 * (n - 1) * np.exp((n - 2) * np.log1p(-p))


def _risks_tight(count: int, rng: Generator) -> Finding:
    return Finding.of_ratios(spread_risk(np.geomspace(4, 1e6, count).round()))


def _fractional(rng: Generator) -> AnchorSolution:
    """Optimum of a random family with slack in k; such programmes are often fractional, with weights like 1/2."""
    while True:
        n = int(rng.integers(6, 9))
        solution = anchor_programme(rng.random((n, n)) < 0.7, 2, n)
        if solution is not None and not solution.integral:
            return solution


def _risks_random(count: int, rng: Generator) -> Finding:
    return Finding.of_ratios([_risks(_fractional(rng)) for _ in range(count)])


def theorem_holds(M: BoolArray, targets: BoolArray, c: int, k: int, rng: Generator) -> bool:
    """Both parts, the definition checked on what comes out."""
    candidates = anchor_set_candidates(targets, c)
    closures = [targets[(~y | targets).all(axis=1)].all(axis=0) for y in anchor_sets(M, targets, c) if y is not None]
    chosen = np.unique(np.array(closures), axis=0)
    part_one = {m.tobytes() for m in chosen} <= {m.tobytes() for m in candidates} and is_anchored(chosen, targets, c, k)
    auto = SparseBooleanAutoencoder(c, k, rng=rng).fit(targets)
    sizes = auto.lp_value_ <= len(M) + 1e-6 and len(auto.metafeatures_) <= _largest(max(len(M), 3), targets)
    exact = np.array_equal(auto.decode(auto.encode(targets)), targets) and auto.satisfies(targets)
    return part_one and sizes and exact and auto.level_ <= bounds.rounded_sparsity(k, *targets.shape[::-1])


def _largest(size: int, targets: BoolArray) -> float:
    return 2 * size * bounds.rounding_logarithm(*targets.shape[::-1])


def _theorem_random(count: int, rng: Generator) -> Finding:
    return _failed(theorem_holds(*_planted(rng), rng) for _ in range(count))


def _theorem_spread(count: int, rng: Generator) -> Finding:
    """Fractional programmes: the cycle of n pairs is a planted solution at sparsity n - 2."""

    def holds(n: int) -> bool:
        cycle = np.eye(n, dtype=np.bool_) | np.roll(np.eye(n, dtype=np.bool_), 1, axis=1)
        return theorem_holds(cycle, missing_one(n), 2, n - 2, rng)

    return _failed(holds(n) for n in range(5, 5 + count))


def _frequencies(count: int, rng: Generator) -> Finding:
    rounding = randomised_rounding(spread_solution(40), draws=count, rng=rng)
    events = (rounding.uncovered, rounding.too_dense, rounding.too_large)
    seen = ", ".join(f"{int(e.sum())} {name}" for e, name in zip(events, ("uncovered", "dense", "large"), strict=True))
    return Finding(count, int((~rounding.succeeded).sum()), witness=seen)


def _every_pixel(count: int, rng: Generator) -> Finding:
    """Constraint (2) for pixels outside the target too: an empty sum has to be at least 1."""

    def feasible(targets: BoolArray) -> bool:
        candidates = anchor_set_candidates(targets, 2)
        inside = (targets[:, None] | ~candidates).all(axis=2)
        return bool((inside.astype(int) @ candidates.astype(int) > 0).all())

    return _failed(feasible(_planted(rng)[1]) for _ in range(count))


THM_SPARSE = Claim(
    "thm-sparse-auto",
    "Theorem 5",
    "thm:sparseauto",
    "sparse Boolean autoencoders",
    "If |M| metafeatures satisfy Definition 1 at (c,k), then of the O(n^c) candidates some k give each target; and "
    "with probability 1 - 1/n - 2/n^2 the rounded programme gives at most 2 max(|M|,3) L that satisfy it at sparsity "
    "2 max(k,3) L, L = ln(n^2 m).",
    "proved",
    scope="constraint (2) for the pixels of each target only; the printed proof bounds the size in expectation only; "
    "the time counts the targets too",
    replaced_by=("prop-anchor-program", "prop-anchor-integral", "prop-anchor-gap"),
    checks=(
        Check(
            "planted anchor sets, c = 1 and 2, the output tested", "random", _theorem_random, 60, scales=True, chunk=60
        ),
        Check("fractional programmes, n = 5 to 24, the output tested", "adversarial", _theorem_spread, 20),
        Check("chances of the three events, weights 1/(n - 2), n = 6 to 48", "exact", _risks_spread, 43),
        Check("sum over targets and pixels, weights 1/(n - 2), n to 10^6", "tight", _risks_tight, 200),
        Check("chances of the three events, random fractional programmes", "random", _risks_random, 20),
        Check("how often a rounding fails, n = 40", "random", _frequencies, 1000, violated=None),
    ),
    twins=(
        Check("constraint (2) for every pixel, as printed", "random", _every_pixel, 40, violated=True),
        Check("rounding without the logarithm", "exact", partial(_risks_spread, factor=1.0), 20, violated=True),
    ),
    page="autoencoders",
    functions=(
        "anchor_set_candidates",
        "autoencoders.anchor_programme",
        "autoencoders.randomised_rounding",
        "SparseBooleanAutoencoder",
        "bounds.rounding_logarithm",
        "bounds.rounded_sparsity",
    ),
)


# prop-anchor-program -------------------------------------------------------------------------------------


@cache
def families_up_to_names(n: int) -> tuple[BoolArray, ...]:
    """Every set of nonempty conjunctions of n variables, one for each class under renaming of the variables."""
    seen, found = set(), []
    for family in all_families(n):
        images = [family[:, list(order)] for order in permutations(range(n))]
        least = min(tuple(sorted(row.tobytes() for row in image)) for image in images)
        if least not in seen:
            seen.add(least)
            found.append(family)
    return tuple(found)


def fewest_anchored(targets: BoolArray, c: int) -> dict[int, int]:
    """Least number of metafeatures with Definition 1 for each k at which there are any, by trying all sets of them.

    Over n <= 4 variables. The first value is for the least possible k, and a missing k has the value of the one
    before it.
    """
    pieces = all_targets(targets.shape[1])[1:]
    pieces = pieces[[y is not None for y in anchor_sets(pieces, targets, c)]]
    chosen = all_targets(len(pieces))
    inside: BoolArray = np.asarray((targets[:, None] | ~pieces).all(axis=2))
    good, most = np.ones(len(chosen), dtype=np.bool_), np.zeros(len(chosen), dtype=np.int64)
    for T, own in zip(targets, inside, strict=True):
        used = (chosen & own).astype(np.float32)
        good &= ((used @ pieces.astype(np.float32) > 0) == T).all(axis=1)
        most = np.maximum(most, used.sum(axis=1).astype(np.int64))
    sizes = chosen.sum(axis=1)
    return {int(k): int(sizes[good & (most <= k)].min()) for k in np.unique(most[good])}


def _programme_agrees(targets: BoolArray, c: int, k: int, integral: bool = True) -> bool:
    """The programme has the value of the brute force, or both have none."""
    reachable = [size for level, size in fewest_anchored(targets, c).items() if level <= k]
    solution = anchor_programme(targets, c, k, integral=integral)
    if solution is None or not reachable:
        return solution is None and not reachable
    return abs(solution.value - min(reachable)) < 1e-6


def _programme_exhaustive(count: int, rng: Generator) -> Finding:
    worlds = product(families_up_to_names(3), (1, 2), (1, 2, 3))
    return _failed(_programme_agrees(*world) for world in worlds)


def _programme_random(count: int, rng: Generator) -> Finding:
    def world() -> tuple[BoolArray, int, int]:
        targets = rng.random((int(rng.integers(2, 6)), 4)) < 0.6
        return targets, int(rng.integers(1, 4)), int(rng.integers(1, 4))

    return _failed(_programme_agrees(*world()) for _ in range(count))


def _programme_relaxed(count: int, rng: Generator) -> Finding:
    """The linear programme in the place of the integer one, where it is feasible."""

    def same(n: int) -> bool:
        k = n // 2
        exact = anchor_programme(missing_one(n), 2, k, integral=True)
        return (anchor_programme(missing_one(n), 2, k) is None) == (exact is None)

    return _failed(same(n) for n in range(5, 5 + count))


PROP_PROGRAM = Claim(
    "prop-anchor-program",
    "corrected",
    "",
    "the integer programme is the assumption",
    "Definition 1 holds at (c,k) for some set of at most mu metafeatures exactly if the programme (1)-(3) has a "
    "solution in zeros and ones of value at most mu.",
    "proved",
    checks=(
        Check("all families on 3 variables up to renaming, k <= 3", "exhaustive", _programme_exhaustive),
        Check("random families on 4 variables, all sets of pieces", "random", _programme_random, 20),
    ),
    twins=(Check("the linear programme instead", "exact", _programme_relaxed, 3, violated=True),),
    page="autoencoders",
    functions=("autoencoders.anchor_programme",),
)


# prop-anchor-integral ------------------------------------------------------------------------------------


def _integral_holds(targets: BoolArray, k: int) -> bool:
    """Feasible exactly if no target holds more than k pieces of Algorithm 3; then these are the optimum."""
    found = metafeatures(targets)
    codes = [represent(T, found) for T in targets]
    most = max((int(code.sum()) for code in codes if code is not None), default=0)
    solution = anchor_programme(targets, 1, k)
    if solution is None or most > k:
        return solution is None and most > k
    same = {m.tobytes() for m in solution.support} == {m.tobytes() for m in found}
    return same and solution.integral


def _integral_exhaustive(count: int, rng: Generator) -> Finding:
    return _failed(_integral_holds(family, k) for family, k in product(families_up_to_names(3), (1, 2, 3)))


def _family(rng: Generator) -> BoolArray:
    shape = int(rng.integers(1, 16)), int(rng.integers(1, 13))
    return rng.random(shape) < rng.uniform(0.2, 0.9)


def _integral_random(count: int, rng: Generator) -> Finding:
    return _failed(_integral_holds(_family(rng), int(rng.integers(1, 9))) for _ in range(count))


def _integral_pairs(count: int, rng: Generator) -> Finding:
    """The same value with c = 2, where any k will do."""

    def same(targets: BoolArray) -> bool:
        solution = anchor_programme(targets, 2, None)
        return solution is not None and abs(solution.value - len(metafeatures(targets))) < 1e-6

    return _failed(same(_family(rng)) for _ in range(count))


PROP_INTEGRAL = Claim(
    "prop-anchor-integral",
    "corrected",
    "",
    "with c = 1 the programme is Algorithm 3",
    "With c = 1 the linear programme is feasible exactly if no target contains more than k metafeatures of "
    "Algorithm 3; then these, with weight 1, are its only optimum.",
    "proved",
    checks=(
        Check("all families on 3 variables up to renaming, k <= 3", "exhaustive", _integral_exhaustive),
        Check("random families, n <= 12", "random", _integral_random, 150, scales=True, chunk=50),
    ),
    twins=(Check("the same value with c = 2", "random", _integral_pairs, 40, violated=True),),
    page="autoencoders",
    functions=("autoencoders.anchor_programme", "metafeatures"),
)


# prop-anchor-gap -----------------------------------------------------------------------------------------


def gap_value(n: int) -> float:
    """Value of the linear programme for `missing_one` with c = 2: n (n - 1) / 2 (n - 2)."""
    return n * (n - 1) / (2 * (n - 2))


def _gap_linear(count: int, rng: Generator) -> Finding:
    """Feasible from half of n - 1 on, and not below; the value there."""

    def holds(n: int) -> bool:
        solution = anchor_programme(missing_one(n), 2, n // 2)
        below = anchor_programme(missing_one(n), 2, (n - 2) // 2)
        return solution is not None and below is None and abs(solution.value - gap_value(n)) < 1e-6

    return _failed(holds(n) for n in range(4, 4 + count))


def _gap_dual(count: int, rng: Generator) -> Finding:
    """In integers: each of the n (n - 1) constraints with weight 1 puts at most 2 (n - 2) on a candidate."""

    def holds(n: int) -> bool:
        coverage = spread_solution(n).coverage
        pairs = coverage.sum(axis=0).max() == 2 * (n - 2) and len(coverage) == n * (n - 1)
        return bool(pairs and (coverage[:, n:].sum(axis=1) == n - 2).all())  # the pairs come after the singletons

    return _failed(holds(n) for n in range(4, 4 + count))


def _gap_integer(count: int, rng: Generator) -> Finding:
    def holds(n: int) -> bool:
        exact = anchor_programme(missing_one(n), 2, n - 2, integral=True)
        below = anchor_programme(missing_one(n), 2, n - 3, integral=True)
        return exact is not None and exact.value == n and below is None

    return _failed(holds(n) for n in range(4, 4 + count))


PROP_GAP = Claim(
    "prop-anchor-gap",
    "corrected",
    "",
    "what the linear programme cannot see",
    "For the n sets of n - 1 variables, n >= 4, and c = 2 the linear programme is feasible exactly for k >= (n-1)/2, "
    "with value n(n-1)/(2(n-2)); metafeatures with Definition 1 exist exactly for k >= n - 2, and are at least n.",
    "proved",
    checks=(
        Check("linear programme, n = 4 to 11", "exact", _gap_linear, 8),
        Check("its dual in integers, n = 4 to 30", "exact", _gap_dual, 27),
        Check("integer programme, n = 4 to 7", "exact", _gap_integer, 4),
    ),
    twins=(
        Check(
            "the assumption holds where the linear programme is feasible", "exact", _programme_relaxed, 3, violated=True
        ),
    ),
    page="autoencoders",
    functions=("autoencoders.anchor_programme",),
)


# cor-sparse-auto -----------------------------------------------------------------------------------------


def winnow_ratios(M: BoolArray, targets: BoolArray, c: int, k: int, alpha: float = 2.0) -> list[float]:
    """Queries of a stream, its targets from scratch and the worst attempt over their bounds.

    NaN if a target is not learned exactly.
    """
    n = targets.shape[1]
    learner = WinnowMetafeatures(n, c, k, alpha=alpha)
    queries, most, worst = 0, 1, 0.0
    for T in targets:
        budget, most = learner.budget, max(most, len(learner.metafeatures))
        (step,) = learn_stream([ConjunctionTask(T)], learner).steps
        if not np.array_equal(step.hypothesis, T):
            return [np.nan]
        queries += step.equivalence
        attempt = step.equivalence if step.how == "reused" else 0
        worst = max(worst, attempt / (budget + 1))
    scratch, shrinks = len(learner.targets), int((~M).sum())
    bound = bounds.winnow_queries(len(targets), n, k, most, shrinks, alpha)
    return [queries / bound, scratch / shrinks if shrinks else float(scratch), worst]


def _winnow_random(count: int, rng: Generator) -> Finding:
    alphas = (2.0, 1.5, 3.0)
    return Finding.of_ratios([np.max(winnow_ratios(*_planted(rng), alpha=alphas[i % 3])) for i in range(count)])


def _winnow_adversarial(count: int, rng: Generator) -> Finding:
    """Sequences that force as much learning from scratch as can be, with single variables for metafeatures."""
    runs = [
        winnow_ratios(np.eye(n, dtype=np.bool_), instances.attaining_sequence(n), 1, n) for n in range(2, count + 2)
    ]
    return Finding.of_ratios([ratio for run in runs for ratio in run])


def attempt_mistakes(k: int, n: int, scale: int) -> float:
    """Mistakes of Winnow on the first k of n single variables, over the bound for `scale` of them."""
    learner = WinnowMetafeatures(n, 1, k)
    learner.metafeatures = np.eye(n, dtype=np.bool_)
    task = ConjunctionTask(np.arange(n) < k)
    return np.nan if learner.reuse(task) is None else (task.counts.equivalence - 1) / bounds.winnow_mistakes(scale, n)


def _attempts(count: int, rng: Generator, forget_k: bool = False) -> Finding:
    sizes = [(k, n) for n in (8, 32, 128, 256) for k in (1, 2, 4, 8)]
    return Finding.of_ratios([attempt_mistakes(k, n, 1 if forget_k else k) for k, n in sizes])


def _once_each(count: int, rng: Generator) -> Finding:
    """The wish that a metafeature costs one target from scratch, and not one for each variable it has too many."""
    ratios = []
    for n in range(3, count + 3):
        learner = WinnowMetafeatures(n, 1, n)
        learn_stream([ConjunctionTask(T) for T in instances.attaining_sequence(n)], learner)
        ratios.append(len(learner.targets) / n)
    return Finding.of_ratios(ratios)


COR_SPARSE = Claim(
    "cor-sparse-auto",
    "Corollary 2",
    "cor:sparseauto",
    "conjunctions under the anchor-set assumption",
    "m conjunctions under Definition 1 are learned from at most m(1 + a k log_a N + a) + n Q equivalence queries by "
    "Winnow with factor a over N = O(n^c) metafeatures; Q, the number learned from scratch, is at most the sum of "
    "n - |m_j|.",
    "proved",
    scope="as printed, O(mk log n + n^2 |M|); Q is sharper",
    checks=(
        Check("random streams, exact oracle", "random", _winnow_random, 40, scales=True, chunk=40),
        Check("attaining sequences, n = 2 to 9", "adversarial", _winnow_adversarial, 8),
        Check("k of n variables, the emptiest answers", "adversarial", _attempts),
    ),
    twins=(
        Check("mistakes that do not depend on k", "adversarial", partial(_attempts, forget_k=True), violated=True),
        Check("one target from scratch for each metafeature", "adversarial", _once_each, 6, violated=True),
    ),
    page="autoencoders",
    functions=("autoencoders.WinnowMetafeatures", "bounds.winnow_mistakes", "bounds.winnow_queries"),
)

CLAIMS = (DEF_ANCHOR_SET, THM_SPARSE, PROP_PROGRAM, PROP_INTEGRAL, PROP_GAP, COR_SPARSE)
