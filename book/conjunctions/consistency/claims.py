"""Claims of Section 4.1: Algorithm 3 and Lemma 4."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions import instances
from lifelong.conjunctions.algorithm3 import metafeatures, metafeatures_as_printed, represent
from lifelong_book.conjunctions.consistency.experiments import (
    any_variable,
    output_sizes,
    smallest_bases,
    smallest_basis,
)
from lifelong_book.conjunctions.consistency.instances import (
    all_families,
    all_targets,
    anchored_sets,
    has_anchors,
    trim,
    union_dimension,
    union_family,
    unions_of,
)
from lifelong_book.press.claim import Discrepancy, Generator
from lifelong_book.press.two_sided import Broken, Exact, Exhaustive, Random, Sides, Tight, two_sided

Sets = Any  # a matrix of booleans, one set a row
World = dict[str, Any]

# Algorithm 3, as the chapter shows it --------------------------------------------------------------------


def N(TS: Sets, z: Any) -> Sets:
    """N(TS, z) in the claim's Algorithm 3, line by line: which targets contain the variable z."""
    return TS[:, z]


def cl(TS: Sets, z: Any) -> Sets:
    """The closure of z in the claim's Algorithm 3, line by line: what all targets with z share."""
    return TS[N(TS, z)].all(axis=0)


def rarer(TS: Sets, y: Any, z: Any) -> Any:
    """The choice in the claim's Algorithm 3, line by line: whether N(TS, y) is a strict subset of N(TS, z)."""
    Ny, Nz = N(TS, y), N(TS, z)
    return (Ny <= Nz).all() and (Ny < Nz).any()  # strictly inside


def h(T: Sets, M: Sets) -> Sets:
    """h(T) in the claim's Algorithm 3, line by line: the union of the metafeatures inside T."""
    return M[(M <= T).all(axis=1)].any(axis=0)


def algorithm_3(TS: Sets) -> Sets:
    """Algorithm 3, line by line."""
    M = TS[:0]
    while left := [T for T in TS if (h(T, M) < T).any()]:
        # 1 the first target that is not represented
        T = left[0]
        U = np.flatnonzero(T & ~h(T, M))
        # 2 a minimal variable, the first of them
        z = next(z for z in U if not any(rarer(TS, y, z) for y in U))
        # 3 what all targets with z share
        M = np.vstack([M, cl(TS, z)])
    return M


def inside(M: Sets, TS: Sets) -> Sets:
    """For claims on Algorithm 3, entry [T, j]: whether m_j lies in T."""
    return (TS[:, None] >= M).all(axis=2)  # [T, j]: m_j lies in T


def minimal_closures(TS: Sets) -> set[bytes]:
    """What Algorithm 3 must return, for claims: the closures of the variables that are minimal in some target."""
    at = [frozenset(np.flatnonzero(column)) for column in TS.T]
    least = set()
    for V in map(np.flatnonzero, TS):
        least |= {z for z in V if not any(at[y] < at[z] for y in V)}
    return {TS[sorted(at[z])].all(axis=0).tobytes() for z in least}


# families of targets -------------------------------------------------------------------------------------


def _random_family(rng: Generator, least: int = 1, most: int = 12) -> BoolArray:
    n, m = int(rng.integers(least, most + 1)), int(rng.integers(0, most + 4))
    return rng.random((m, n)) < rng.uniform(0.1, 0.9)


def _as_set(M: Sets) -> set[bytes]:
    return {row.tobytes() for row in M}


def _small_families() -> Iterator[World]:
    """All families on 3 variables."""
    return ({"TS": TS} for TS in all_families(3))


def _random_families(count: int, rng: Generator, least: int, most: int) -> Iterator[World]:
    """Random families, n <= 12, and one in ten with n = 14 to 40."""
    return ({"TS": _random_family(rng, least, most)} for _ in range(count))


SIZES = (*[(1, 12)] * 9, (14, 40))
EVERY = Exhaustive(_small_families)
SOME = partial(Random, _random_families, over=SIZES, chunk=500)


# rem-dimension -------------------------------------------------------------------------------------------


def _all_overlaps(count: int) -> Iterator[World]:
    """One variable for every set of metafeatures, k = 1 to 9."""
    return (dict(zip(("m", "TS"), union_family(k), strict=True)) for k in range(1, count + 1))


def disjoint(count: int) -> Iterator[World]:
    """Disjoint metafeatures."""
    return ({"m": np.eye(k, dtype=np.bool_), "TS": all_targets(k)[1:]} for k in range(2, count + 1))


def is_invertible(matrix: BoolArray) -> bool:
    """For the claim on dimensions: whether a 0/1 matrix has an inverse with whole numbers, certified."""
    A = matrix.astype(np.int64)
    if np.linalg.matrix_rank(A) < len(A):
        return False
    inverse = np.rint(np.linalg.inv(A)).astype(np.int64)
    return bool((A @ inverse == np.eye(len(A), dtype=np.int64)).all())


@two_sided(
    "rem-dimension",
    Exact(_all_overlaps, 9, equal=True),
    Broken(disjoint, 6, drops="overlap", equal=True),
    given=lambda m, TS: has_anchors(m),
)
def dimension(m: Sets, TS: Sets) -> Any:
    """The claim on the dimension of Algorithm 3's targets, certified where they can be, and the most there is."""
    found = np.linalg.matrix_rank(TS.astype(float))
    if len(TS) == TS.shape[1] and is_invertible(TS):
        found = len(TS)
    return found, union_dimension(len(m))


REM_DIMENSION = dimension.claim(
    "dimension remark",
    "overlapping metafeatures fill 2^k - 1 dimensions",
    "The unions of $k$ anchored metafeatures can span $2^k-1$ dimensions, if there are at least that many variables.",
    "proved",
    scope="$2^k-1$ exactly; with fewer variables at most $n$",
    functions=(union_family, union_dimension),
)


# algo-consistency-anchor ---------------------------------------------------------------------------------


def _with_equality(TS: Sets) -> Sets:
    """The loop where a variable is rarer than one that occurs in the same targets, up to where it is stuck."""
    M, where = TS[:0], [set(np.flatnonzero(column)) for column in TS.T]
    for T in TS:
        while (U := np.flatnonzero(T & ~h(T, M))).size:
            least = [z for z in U if not any(where[y] <= where[z] for y in U if y != z)]
            if not least:
                return M
            M = np.vstack([M, cl(TS, least[0])])
    return M


def _outcome(TS: Sets, algorithm: Callable[[Sets], Sets] = algorithm_3) -> Any:
    """What Algorithm 3 returns twice, what is no closure of a minimal variable, and whom it does not represent."""
    M = algorithm(TS)
    return {
        "distinct": (len(M) - len(_as_set(M)), 0),
        "closures": (len(_as_set(M) - minimal_closures(TS)), 0),
        "represented": (sum((h(T, M) < T).any() for T in TS), 0),
    }


outcomes = two_sided(
    "algo-consistency-anchor",
    EVERY,
    SOME(1000),
    Exhaustive(
        _small_families,
        name="All families on 3 variables, in the library's loop",
        sides=partial(_outcome, algorithm=metafeatures_as_printed),
    ),
    Broken(
        _small_families,
        name="Any uncovered variable instead of a minimal one",
        sides=partial(_outcome, algorithm=any_variable),
        drops="minimality of the chosen variable",
    ),
    Broken(
        _small_families,
        name="Equality counts as inclusion",
        sides=partial(_outcome, algorithm=_with_equality),
        drops="strictness of the inclusion",
    ),
)(_outcome)

ALGO_CONSISTENCY = outcomes.claim(
    "Algorithm 3",
    "metafeatures consistent with given conjunctions",
    "On every finite family of targets Algorithm 3 ends, its inclusion read as strict. Its metafeatures are distinct, "
    "each is the closure of a variable that is minimal in some target, and they represent every target.",
    "proved",
    paper="algo-consistency-anchor",
    functions=(metafeatures_as_printed, represent),
)


# prop-matrix-form ----------------------------------------------------------------------------------------


def _closures(TS: Sets) -> Any:
    """The first product alone: the closures of all variables that occur."""
    found = {cl(TS, z).tobytes() for z in range(TS.shape[1]) if N(TS, z).any()}
    return len(found ^ _as_set(metafeatures_as_printed(TS))), 0


@two_sided(
    "prop-matrix-form",
    EVERY,
    SOME(600),
    Broken(_small_families, name="The first product alone", sides=_closures, drops="minimality of the variables"),
)
def matrix_form(TS: Sets) -> Any:
    """The claim that Algorithm 3 is two products of matrices: in how many of two loops rows or their order differ."""
    M, loops = metafeatures(TS), (algorithm_3, metafeatures_as_printed)
    return sum(not np.array_equal(M, loop(TS)) for loop in loops), 0


PROP_MATRIX_FORM = matrix_form.claim(
    "added",
    "Algorithm 3 as two matrix products",
    r"For the target matrix $A$, $N(z)\subseteq N(y)$ exactly where $(A^{\mathsf T}A)_{zy}=(A^{\mathsf T}A)_{zz}$. "
    r"With $B_{yz}=1$ for $N(y)\subsetneq N(z)$, $z\in T$ is minimal in $T$ exactly where $(AB)_{Tz}=0$. The closures "
    "of these variables, by the first target in which they are minimal and then by the least index, are the "
    "metafeatures of Algorithm 3 in its order.",
    "proved",
    functions=(metafeatures,),
)


# lem-consistency -----------------------------------------------------------------------------------------


def _world(m: Sets, TS: Sets) -> World:
    """With the first variable that only m_j has as its anchor; or, where there is none, the first that it has."""
    own = m & (m.sum(axis=0) == 1)
    return {"m": m, "y": np.where(own.any(axis=1), own.argmax(axis=1), m.argmax(axis=1)), "TS": TS}


def worlds(n: int) -> Iterator[World]:
    """All anchored worlds on up to 4 variables."""
    for m in anchored_sets(n):
        unions = unions_of(all_targets(len(m))[1:], m)
        for chosen in all_targets(len(unions)):
            yield _world(m, unions[chosen])


def planted(count: int, rng: Generator) -> Iterator[World]:
    """Random anchored worlds."""
    for _ in range(count):
        k = int(rng.integers(1, 9))
        n, r = k + int(rng.integers(0, 12)), int(rng.integers(0, 25))
        yield _world(*instances.planted_conjunctions(n, k=k, m=r, overlap=rng.random(), rng=rng))


def _without_anchors(count: int, rng: Generator) -> Iterator[World]:
    """Anchors taken away."""
    for world in planted(count, rng):
        m, r = world["m"][:, len(world["m"]) :], len(world["TS"])
        m = m[m.any(axis=1)]
        if len(m):
            yield _world(m, unions_of(rng.random((r, len(m))) < 0.5, m))


def all_are_targets(count: int, rng: Generator, k: int) -> Iterator[World]:
    """Every metafeature a target."""
    for _ in range(count):
        m, TS = instances.planted_conjunctions(k + 12, k=k, m=12, overlap=rng.random(), rng=rng)
        yield _world(m, np.vstack([m, TS]))


def _three_edges() -> Iterator[Sides]:
    """12, 13, 24: two readings of the fewest."""
    edges = all_targets(4)[[0b0011, 0b0101, 0b1010]]
    least = tuple(smallest_basis(edges, need_anchors=need) for need in (True, False))
    yield Sides(int((len(metafeatures(edges)), *least) != (4, 4, 3)), 0)
    for TS in all_families(3):  # with three variables there is no such example
        yield Sides(len(metafeatures(TS)), smallest_basis(TS, need_anchors=False))


def anchored(m: Sets, y: Any, TS: Sets) -> Any:
    """The anchors."""
    return (m[:, y] == np.eye(len(m), dtype=np.bool_)).all()


def unions(m: Sets, y: Any, TS: Sets) -> Any:
    """That every target is a union of metafeatures."""
    return np.array_equal(inside(m, TS) @ m, TS)


@two_sided(
    "lem-consistency",
    Exhaustive(worlds, over=((1,), (2,), (3,), (4,))),
    Random(planted, 2000, chunk=500),
    Tight(all_are_targets, 300, ((8,), (60,)), equal=True, of=("q",)),
    Exact(_three_edges, equal=True),
    Broken(_without_anchors, 500, drops=anchored),
    given=(anchored, unions),
)
def lemma_4(m: Sets, y: Any, TS: Sets) -> Any:
    """The pieces; those without a metafeature of their own for (a) and (b); the failures of (c)."""
    P = metafeatures(TS)
    a = inside(m, P)  # a[i, j]: m_j lies in piece i
    # b[i, j]: all targets with m_j have piece i
    b = inside(inside(m, TS).T, inside(P, TS).T)
    # t_i: the anchor with piece i as its closure
    closures = np.array([cl(TS, z) for z in y])
    fits = a & b & (P[:, None] == closures).all(axis=2)
    # pieces without a t of their own: distinct t are counted
    lost = len(P) - len({*fits.argmax(axis=1)[fits.any(axis=1)]})
    wrong = (~a & P[:, y]).sum()
    return {"q": (len(P), len(m)), "a, b": (lost, 0), "c": (wrong, 0)}


LEM_CONSISTENCY = lemma_4.claim(
    "Lemma 4",
    "at most k metafeatures, each tied to a true one",
    "On unions of $k$ anchored metafeatures Algorithm 3 returns at most $k$. Each is tied to a true one of its own "
    "that it contains (a), is in every target that contains that one (b), and holds $m_j$ whole if it holds $y_j$ (c).",
    "proved",
    paper="lem:conjunctionconsistency",
    replaced_by=("thm-canonical",),
    functions=(metafeatures,),
    discrepancies=(
        Discrepancy(
            "found-fewest",
            "reading",
            "Section 4, before Section 4.1, and the opening of Section 4.1; nearly the same words stand in the "
            "introduction, in Section 4.4 and in Algorithm 6",
            "Under the anchor-variable assumption the algorithm finds the smallest set of monomials from which all "
            "given conjunctions can be rebuilt.",
            "Fewest among all *anchored* sets of metafeatures: this stands, for every family whatever. Fewest among "
            "*all* sets of metafeatures: this fails. That there is an anchored basis is no hypothesis, for the $n$ "
            "single variables are one of every family; what an anchored basis brings is its number $k$. Lemma 4 "
            "compares with this $k$ and is right as printed.",
            "$\\{12,13,24\\}$, the top row and the two columns of a $2\\times2$ board. The four "
            "single variables are an anchored basis, and Algorithm 3 returns the four pieces $1$, $2$, $13$, $24$; "
            "the three conjunctions themselves are a basis, in which $1$ and $2$ are both shared. With three "
            "variables, or with two conjunctions, there is no such example.",
            "Call $z$ minimal in a conjunction if no other variable of it occurs in a proper subset of the "
            "conjunctions in which $z$ occurs; the closure of $z$ is what all conjunctions with $z$ have in common. "
            "The output is the set of closures of the variables that are minimal in some conjunction, whatever the "
            "order, and no anchored set is smaller. The fewest of all are NP-hard to find.",
            "Nothing for Lemma 4 and what is built on it. Against the fewest of all the output can be larger by an "
            "exponential factor: on the sets of $N$ variables with one missing it has $N$ pieces, and about "
            "$\\log_2N$ do.",
            ("thm-canonical", "prop-rank-family"),
        ),
    ),
)


# thm-canonical -------------------------------------------------------------------------------------------


def _all_orders() -> Iterator[World]:
    """All families on 3 variables, all orders."""
    return ({"TS": TS, "order": np.array(order)} for TS in all_families(3) for order in permutations(range(3)))


def _random_orders(count: int, rng: Generator, least: int, most: int) -> Iterator[World]:
    """Random families in random orders, n <= 12, and one in ten with n = 14 to 40."""
    for world in _random_families(count, rng, least, most):
        yield {**world, "order": rng.permutation(world["TS"].shape[1])}


def sizes(need_anchors: bool) -> Sides:
    """The size of the output and of the smallest basis, for all families on 4 variables."""
    return Sides(output_sizes(4), smallest_bases(4, need_anchors=need_anchors))


def trimmed(TS: Sets) -> Any:
    """The trimmed output is anchored, of the same size, and represents every target."""
    M = metafeatures(TS)
    M, size = trim(M), len(M)
    missed = sum(represent(T, M) is None for T in TS)
    return {"anchored": (not has_anchors(M), 0), "size": (abs(len(M) - size), 0), "represented": (missed, 0)}


@two_sided(
    "thm-canonical",
    Exhaustive(_all_orders),
    Exhaustive(sizes, 1, ((True,),), "Least anchored size, all families on 4 variables", equal=True),
    Random(_random_orders, 1500, over=SIZES, chunk=500),
    SOME(500, name="Trimmed output, random families", sides=trimmed),
    Broken(
        sizes,
        1,
        ((False,),),
        "Least size among all bases, anchored or not",
        equal=True,
        drops="the anchors of the basis that is compared with",
    ),
)
def canonical(TS: Sets, order: Any) -> Any:
    """The claim that Algorithm 3's output is canonical: how many of three runs, one reordered, output another."""
    turned = algorithm_3(TS[::-1][:, order])[:, np.argsort(order)]
    runs = metafeatures(TS), algorithm_3(TS), turned
    closures = minimal_closures(TS)
    return sum(_as_set(M) != closures or len(M) > len(closures) for M in runs), 0


THM_CANONICAL = canonical.claim(
    "corrected",
    "canonical form and anchored optimality",
    "Whatever the order of targets and variables, Algorithm 3 outputs each closure of a variable that is minimal in "
    "some target once, and their number is the least size of an anchored set of metafeatures for the targets.",
    "proved",
    functions=(metafeatures, trim),
)
