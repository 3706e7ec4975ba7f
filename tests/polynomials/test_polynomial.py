"""Polynomials on the cube, their queries and the learners: against brute force and sympy."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.laws import BooleanProduct
from lifelong.loop import Counts, learn_stream
from lifelong.polynomials import bounds
from lifelong.polynomials.instances import cellular_automaton, planted_polynomials, security_council, tic_tac_toe
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, learn_by_membership, learn_hankel, learn_polynomial
from lifelong.polynomials.shared_terms import SharedTerms
from lifelong.polynomials.studies import NoGreedyMeet, SidewaysTask, longest_run, random_polynomial
from lifelong.polynomials.tasks import PolynomialTask

PROPERTY = settings(deadline=None, derandomize=True, max_examples=40)

POLICIES = ("smallest", "largest", "random")
numbers = st.one_of(
    st.integers(-5, 5),
    st.fractions(min_value=-3, max_value=3, max_denominator=7),
    st.just(10**20),
)


# coefficients that no double holds, of sizes far apart
AWKWARD = (Fraction(10**9, 3), Fraction(-(10**9), 3), Fraction(1, 7), Fraction(1, 3), Fraction(2, 11))


def learned_within_bounds(f, policy, seed):
    """Whether the learner returns the target with no more queries than both bounds allow."""
    h, counts = learn_polynomial(PolynomialTask(f, rng=seed, counterexample=policy))
    equivalence, membership = bounds.schapire_sellie_sharp(f.terms)
    published = bounds.schapire_sellie_equivalence(f.n, len(f.terms))
    most = bounds.schapire_sellie_membership(f.n, len(f.terms))
    return h == f and counts.equivalence <= min(equivalence, published) and counts.membership <= min(membership, most)


@st.composite
def polynomials(draw, *, n=None, most=8, values=numbers):
    n = draw(st.integers(1, 6)) if n is None else n
    rows = draw(st.lists(st.integers(0, 2**n - 1), max_size=most))
    terms = (np.array(rows, dtype=np.int64).reshape(-1, 1) >> np.arange(n) & 1).astype(bool)
    return Polynomial(terms, draw(st.lists(values, min_size=len(rows), max_size=len(rows))))


def by_hand(f, x):
    """Value at one point, term by term."""
    return sum(c for row, c in zip(f.terms, f.coefficients, strict=True) if all(x[v] for v in np.flatnonzero(row)))


def in_sympy(f):
    import sympy

    x = sympy.symbols(f"x1:{f.n + 1}")
    total = sympy.Integer(0)
    for row, c in zip(f.terms, f.coefficients, strict=True):
        total += sympy.Rational(Fraction(c)) * sympy.prod([x[v] for v in np.flatnonzero(row)])
    return sympy.expand(total), x


# --- the polynomials themselves ---------------------------------------------------------------------


@PROPERTY
@given(polynomials())
def test_values_are_those_by_hand(f):
    X = cube(f.n)
    assert f(X).tolist() == [by_hand(f, x) for x in X]


@PROPERTY
@given(polynomials(n=4), polynomials(n=4), numbers)
def test_arithmetic_is_that_of_functions(f, g, c):
    X = cube(4)
    assert ((f + g)(X) == f(X) + g(X)).all() and ((f - g)(X) == f(X) - g(X)).all()
    assert ((f * g)(X) == f(X) * g(X)).all() and ((-f)(X) == -f(X)).all()
    assert ((c * f)(X) == c * f(X)).all() and ((c - f)(X) == c - f(X)).all()


@PROPERTY
@given(polynomials(n=3), polynomials(n=3))
def test_sympy_multiplies_alike(f, g):
    import sympy

    (a, x), (b, _), (ours, _) = in_sympy(f), in_sympy(g), in_sympy(f * g)
    reduced = sympy.expand(a * b)
    for v in x:  # on the cube every power of a variable is the variable
        for power in (6, 5, 4, 3, 2):
            reduced = reduced.subs(v**power, v)
    assert sympy.expand(reduced - ours) == 0


@PROPERTY
@given(polynomials())
def test_a_function_on_the_cube_is_one_polynomial(f):
    assert Polynomial.from_values(f(cube(f.n))) == f


@PROPERTY
@given(polynomials())
def test_moebius_sums_over_subsets(f):
    X = cube(f.n)
    recovered = Polynomial.from_values(f(X))
    for row, c in zip(recovered.terms, recovered.coefficients, strict=True):
        inside = np.flatnonzero(row)
        total = 0
        for size in range(len(inside) + 1):
            for chosen in combinations(inside, size):
                x = np.isin(np.arange(f.n), chosen)
                total += (-1) ** (len(inside) - size) * by_hand(f, x)
        assert total == c


@PROPERTY
@given(polynomials())
def test_text_is_read_back(f):
    assert polynomial(str(f), n=f.n) == f
    assert len(f.terms) > 8 or eval(repr(f), {"polynomial": polynomial}) == f


@PROPERTY
@given(polynomials(), st.randoms(use_true_random=False))
def test_the_form_is_canonical(f, random):
    order = list(range(len(f.terms)))
    random.shuffle(order)
    terms = np.vstack([f.terms[order], f.terms[order], f.terms[order]])
    c = f.coefficients[order].tolist()
    same = Polynomial(terms, [2 * v for v in c] + [-v for v in c] + [0] * len(c))
    assert same == f and hash(same) == hash(f)
    assert (np.diff(f.terms.sum(axis=1)) >= 0).all()
    assert f.norm == sum(map(abs, f.coefficients.tolist()))


def test_floats_stay_floats_and_exact_numbers_exact():
    f = Polynomial([[True, False], [False, True]], [0.5, 1])
    assert not f.is_exact and f(cube(2)).dtype == np.float64
    assert f.exact() == polynomial("1/2 x1 + x2") and f.exact().is_exact
    g = Polynomial([[True, False]], [np.int64(3)])
    assert g.is_exact and type(g.coefficients[0]) is int
    large = Polynomial([[True, False], [False, True]], [2**60, 1])
    assert large(np.array([[True, True]])).tolist() == [2**60 + 1]
    assert str(Polynomial([[True, False]], [0.25])) == "0.25 x1"


def test_small_cases():
    zero = Polynomial(np.empty((0, 3), dtype=bool), [])
    assert (str(zero), zero.norm, zero.degree, zero(cube(3)).tolist()) == ("0", 0, 0, [0] * 8)
    assert polynomial("0", n=3) == zero and polynomial("x1 - x1", n=3) == zero
    assert polynomial("-x2*x_1 + 3").coefficients.tolist() == [3, -1]
    assert Polynomial.constant(3, 2) == polynomial("3", n=2)
    assert (zero == 3) is False
    assert repr(tic_tac_toe()) == "<Polynomial: 80 terms, degree 9, n=9>"


@pytest.mark.parametrize("text", ["", "x1 x", "2 2", "x0", "x9", "1 + + x1", "y1"])
def test_what_is_no_polynomial_is_refused(text):
    with pytest.raises(ValueError, match="text: expected"):
        polynomial(text, n=8)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: Polynomial([[1, 0]], [1]), "terms: expected a boolean array"),
        (lambda: Polynomial([[True, False]], [1, 2]), "coefficients: expected 1, one a term, got 2"),
        (lambda: Polynomial([[True, False]], [True]), "coefficients: expected integers"),
        (lambda: Polynomial([[True, False]], ["1"]), "coefficients: expected integers"),
        (lambda: Polynomial([[True, False]], [np.inf]), "coefficients: expected"),
        (lambda: Polynomial.from_values([1, 2, 3]), "values: expected 2"),
        (lambda: polynomial("x1", n=2) + polynomial("x1", n=3), "other: expected dimension 2"),
        (lambda: polynomial("x1", n=2)(cube(3)), "X: expected dimension 2"),
        (lambda: cube(21), "n: expected an integer"),
        (lambda: PolynomialTask("x1"), "target: expected a Polynomial"),
        (lambda: PolynomialTask(polynomial("x1"), counterexample="worst"), "counterexample: expected smallest"),
        (lambda: PolynomialTask(polynomial("x1"), BooleanProduct([0.5, 0.5])), "distribution: expected dimension 1"),
        (lambda: PolynomialTask(polynomial("x1")).equivalent([True]), "h: expected a Polynomial"),
        (lambda: PolynomialTask(polynomial("x1")).member([True, True]), "x: expected dimension 1"),
        (lambda: learn_hankel(PolynomialTask(polynomial("x13"))), "task.n: expected an integer >= 1 and <= 12"),
        (lambda: SharedTerms(2, epsilon=0), "epsilon: expected a number"),
        (lambda: SharedTerms(2).reuse(PolynomialTask(polynomial("x1"))), "task: expected dimension 2"),
        (lambda: cellular_automaton(256), "rule: expected"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()


@pytest.mark.parametrize(
    "learn",
    [learn_polynomial, learn_hankel, partial(learn_by_membership, terms=1), MeetLearner, SharedTerms(2).reuse],
)
def test_what_is_no_task_is_refused(learn):
    with pytest.raises(TypeError, match=r"^task: expected a PolynomialTask or another BlackBox, got 'x1'"):
        learn("x1")


def test_no_silent_sums_with_strangers():
    for strange in ("x1", True, None):
        with pytest.raises(TypeError):
            polynomial("x1") + strange
        with pytest.raises(TypeError):
            strange - polynomial("x1")
        with pytest.raises(TypeError):
            polynomial("x1") * strange


# --- the task ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials(n=4), h=polynomials(n=4))
def test_a_counterexample_is_one(policy, f, h):
    task = PolynomialTask(f, rng=0, counterexample=policy)
    x = task.equivalent(h)
    assert (x is None) == (f == h) and task.counts == Counts(equivalence=1)
    if x is None:
        return
    X = cube(4)
    differ = np.array([by_hand(f, p) != by_hand(h, p) for p in X])
    assert by_hand(f, x) != by_hand(h, x)
    if policy == "smallest":
        assert not differ[(~X | x).all(axis=1) & (x != X).any(axis=1)].any()  # nothing below differs
    if policy == "largest":
        one_more = (X & ~x).sum(axis=1) + (~X & x).sum(axis=1) == 1
        assert not differ[one_more & (~x | X).all(axis=1)].any()
        assert x.all() or not differ[-1]


def test_random_counterexamples_of_a_rare_difference_and_their_seed():
    f, zero = polynomial("x1x2x3x4x5x6x7x8x9x10x11x12x13x14", n=20), polynomial("0", n=20)
    points = [PolynomialTask(f, rng=seed, counterexample="random").equivalent(zero) for seed in (1, 1, 2)]
    assert all(p[:14].all() for p in points)
    assert np.array_equal(points[0], points[1]) and not np.array_equal(points[0], points[2])


def test_labels_and_queries_are_counted():
    task = PolynomialTask(polynomial("2 x1 - 1/2 x1x2"), BooleanProduct([1.0, 1.0]), rng=0)
    X, y = task.examples(3)
    assert X.all() and y.tolist() == [1.5] * 3
    assert task.member([True, True]) == Fraction(3, 2)
    assert task.counts == Counts(labels=3, membership=1)
    assert PolynomialTask(Polynomial([[True]], [0.1])).member([True]) == Fraction(0.1)


@PROPERTY
@given(polynomials(n=4), polynomials(n=4), st.lists(st.sampled_from([0.0, 0.2, 0.5, 1.0]), min_size=4, max_size=4))
def test_error_is_the_mean_square_over_the_cube(f, h, p):
    task = PolynomialTask(f, BooleanProduct(p))
    X = cube(4)
    weights = np.where(X, p, 1 - np.array(p)).prod(axis=1)
    gap = (h - f)(X).astype(float)
    scale = max(1.0, float((h - f).norm) ** 2)
    assert task.error(h) == pytest.approx(weights @ gap**2, abs=1e-12 * scale)
    assert task.error(f) == 0 and task.counts == Counts()


def test_error_in_blocks_of_rows():
    f = Polynomial.from_values(np.random.default_rng(0).integers(-3, 4, 2**11))
    zero = polynomial("0", n=11)
    assert len(f.terms) > 1024
    values = f(cube(11)).astype(float)
    assert PolynomialTask(f).error(zero) == pytest.approx(np.mean(values**2), rel=1e-6)


# --- learning exactly -------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials())
def test_learned_exactly_within_all_bounds(policy, f):
    assert learned_within_bounds(f, policy, seed=0)


def test_two_thousand_random_polynomials():
    rng = np.random.default_rng(0)
    kinds = set()
    for i in range(2000):
        f = random_polynomial(rng=rng)
        kinds.add((len(f.terms) == 0, f.degree == 0))
        assert learned_within_bounds(f, POLICIES[i % 3], i)
    assert kinds == {(True, True), (False, True), (False, False)}  # zero, constants and the rest


@PROPERTY
@given(polynomials(n=4), st.randoms(use_true_random=False))
def test_the_learner_keeps_its_invariants(f, random):
    """After every event: F is [f(s meet s')], its inverse is kept right, h is f on S, and the potential rises."""
    task, X = PolynomialTask(f), cube(4)
    members, potential = MeetLearner(task), 0
    while len(wrong := X[np.asarray(members.hypothesis(X) != f(X), dtype=bool)]):
        y = members.inconsistent_meet()
        members.take(members.greedy_meet(random.choice(list(wrong)) if y is None else y))
        S = members.S
        assert members.F.tolist() == [[by_hand(f, s & r) for r in S] for s in S]
        assert (members.F @ members._inverse == np.eye(len(S), dtype=int)).all()
        assert members.hypothesis(S).tolist() == np.diag(members.F).tolist()
        assert len(S) <= len(f.terms)
        before, potential = potential, int((5 - S.sum(axis=1)).sum())
        assert potential > before
    assert members.hypothesis == f


def test_no_query_is_asked_twice():
    class Strict(PolynomialTask):
        def member(self, x):
            assert x.tobytes() not in self.__dict__.setdefault("seen", set())
            self.seen.add(x.tobytes())
            return super().member(x)

    rng = np.random.default_rng(1)
    for _ in range(30):
        f = random_polynomial(rng=rng)
        by_membership = partial(learn_by_membership, terms=len(f.terms))
        for learner in (learn_polynomial, learn_hankel, by_membership):
            task = Strict(f, counterexample="largest")
            h, counts = learner(task)
            assert h == f and counts == task.counts


def test_a_large_target_is_fast_and_cheap():
    rng = np.random.default_rng(0)
    terms = np.zeros((15, 50), dtype=bool)
    for row, degree in zip(terms, rng.integers(5, 41, 15), strict=True):
        row[rng.choice(50, degree, replace=False)] = True
    f = Polynomial(terms, [Fraction(int(p), 7) for p in rng.integers(1, 50, 15)])
    for policy in POLICIES:
        assert learned_within_bounds(f, policy, seed=0)


def test_real_boards_are_learned():
    assert learned_within_bounds(tic_tac_toe(), "smallest", seed=0)


def test_a_constant_may_cost_a_value_for_each_variable():
    for n in (1, 2, 3, 10):
        one = Polynomial.constant(1, n)
        assert bounds.schapire_sellie_sharp(one.terms) == (n + 2, n + 1)
        _, counts = learn_polynomial(SidewaysTask(one, counterexample="largest"))
        assert (counts.equivalence, counts.membership) == (n + 2, n + 1)


def test_the_longest_games():
    assert longest_run(polynomial("1", n=2)) == bounds.schapire_sellie_equivalence(2, 1) == 4
    assert longest_run(polynomial("x1 + x2")) <= bounds.schapire_sellie_sharp(np.eye(2, dtype=bool))[0]
    assert any(longest_run(Polynomial(cube(2), c), learner=NoGreedyMeet) is None for c in np.ndindex(2, 2, 2, 2))


# --- the rivals -------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials(most=5))
def test_the_automaton_needs_one_query_a_term(policy, f):
    h, counts = learn_hankel(PolynomialTask(f, rng=0, counterexample=policy))
    assert h == f and counts.equivalence <= len(f.terms) + 1


@PROPERTY
@given(polynomials(most=6), st.integers(0, 3))
def test_membership_queries_suffice(f, more):
    h, counts = learn_by_membership(PolynomialTask(f), terms=len(f.terms) + more)
    assert h == f and counts.equivalence == 0 and counts.membership <= 2**f.n


@PROPERTY
@given(polynomials())
def test_a_sparse_polynomial_is_not_zero_near_the_top(f):
    if len(f.terms):
        X = cube(f.n)
        near = X[(~X).sum(axis=1) < len(f.terms).bit_length()]
        assert any(f(near) != 0)


# --- the warm-up ------------------------------------------------------------------------------------


def test_shared_terms_reuse_what_they_have_seen():
    texts = ["x1x2 - 2 x3", "5 x3", "1/4 x1x2 + x3", "0", "x1x3", "x1x3 - x3"]
    tasks = [PolynomialTask(polynomial(text, n=3), rng=i) for i, text in enumerate(texts)]
    run = learn_stream(tasks, SharedTerms(3))
    assert run.how == ["scratch", "reused", "reused", "reused", "scratch", "reused"]
    assert all(step.hypothesis == task.target for step, task in zip(run.steps, tasks, strict=True))
    for k, step in zip((0, 2, 2, 2, 2, 3), run.steps, strict=True):
        assert step.labels <= (k + 1) * np.ceil(np.log((k + 1) / 0.01) / 0.05)
        assert step.how == "scratch" or step.membership == step.equivalence == 0


@PROPERTY
@given(st.integers(0, 2**20))
def test_a_target_over_known_monomials_is_never_refused(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 8)), int(rng.integers(1, 7))
    learner = SharedTerms(n, epsilon=0.3, delta=0.3)
    learner.grow("scratch", Polynomial(rng.random((k, n)) < 0.6, rng.integers(1, 4, k)))
    c = [Fraction(int(p), int(q)) for p, q in rng.integers(1, 9, (len(learner.terms), 2))]
    assert learner.reuse(PolynomialTask(Polynomial(learner.terms, c), rng=rng)) is not None


def test_labels_are_not_rounded():
    f = Polynomial([[True, False], [False, True]], AWKWARD[:2])
    task, twin = PolynomialTask(f, rng=0), PolynomialTask(f, rng=0)
    X, y = task.exact_examples(50)
    assert y.tolist() == [by_hand(f, x) for x in X]
    assert all(type(value) in (int, Fraction) for value in y)
    same, rounded = twin.examples(50)
    np.testing.assert_array_equal(same, X)
    assert rounded.dtype == np.float64 and rounded.tolist() == [float(value) for value in y]
    assert task.counts == twin.counts == Counts(labels=50)


def test_awkward_coefficients_are_reused_exactly():
    known = polynomial("x1 + x2 + x3 + x4x5 + x1x5")
    for seed in range(20):
        f = Polynomial(known.terms, [AWKWARD[i] for i in np.random.default_rng(seed).permutation(5)])
        learner = SharedTerms(5, epsilon=0.02, delta=0.01)
        learner.grow("scratch", known)
        assert learner.reuse(PolynomialTask(f, rng=seed)) == f


def test_a_round_takes_the_labels_it_says():
    learner = SharedTerms(3, epsilon=0.1, delta=0.2)
    learner.grow("scratch", polynomial("x1 + x2 + x1x3", n=3))
    one_round = int(np.ceil(np.log(4 / 0.2) / 0.1))
    for text, rounds in (("0", [1]), ("x1", [2]), ("x3", [1, 2, 3, 4])):
        task = PolynomialTask(polynomial(text, n=3), rng=0)
        h = learner.reuse(task)
        assert (h is None) == (text == "x3")
        assert task.counts.labels / one_round in rounds


def test_a_monomial_is_kept_once():
    learner = SharedTerms(3)
    for text in ("x1 + x2x3", "x2x3 - 2 x1", "x1 + 1"):
        learner.grow("scratch", polynomial(text, n=3))
    assert learner.terms.astype(int).tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]


def test_a_contradiction_is_seen_at_once():
    learner = SharedTerms(2, epsilon=0.01, delta=0.01)  # no monomials: only the zero polynomial fits
    task = PolynomialTask(polynomial("1/1000000000000", n=2), rng=0)
    assert learner.reuse(task) is None and task.counts.labels == np.ceil(np.log(100) / 0.01)


def test_accepted_hypotheses_are_rarely_wrong():
    rng = np.random.default_rng(0)
    learner = SharedTerms(6, epsilon=0.1, delta=0.01)
    learner.grow("scratch", polynomial("x1 + x2 + x1x2x3 + x4x5x6", n=6))
    far = 0
    for seed in range(300):
        f = polynomial("x1 - 2 x2", n=6) + Polynomial(rng.random((1, 6)) < 0.5, [1])
        h = learner.reuse(PolynomialTask(f, rng=seed))
        far += h is not None and float(np.mean(h(cube(6)) != f(cube(6)))) > 0.1
    assert far <= 30  # 3 expected at most


# --- polynomials from elsewhere ---------------------------------------------------------------------


def test_automata_follow_their_rules():
    for rule in (0, 1, 30, 110, 255):
        values = cellular_automaton(rule)(cube(3)).tolist()
        assert sum(v << i for i, v in enumerate(values)) == rule
    monomials = {row.tobytes() for rule in range(256) for row in cellular_automaton(rule).terms}
    assert len(monomials) == 8
    assert len(cellular_automaton(1).terms) == 8


def test_the_board_by_inclusion_and_exclusion():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    one = Polynomial.constant(1, 9)
    none = one
    for line in lines:
        none = none * (one - Polynomial(np.isin(np.arange(9), line)[None], [1]))
    assert tic_tac_toe() == 1 - none


def test_the_council_by_its_formula():
    from math import comb

    f = security_council()
    assert len(f.terms) == sum(comb(10, j) for j in range(4, 11)) and f.terms[:, :5].all()
    sizes = f.terms[:, 5:].sum(axis=1)
    assert f.coefficients.tolist() == [(-1) ** int(j - 4) * comb(int(j) - 1, 3) for j in sizes]


def test_planted_polynomials_are_products_of_their_metafeatures():
    from lifelong.conjunctions.algorithm3 import represent

    M, tasks = planted_polynomials(10, 4, 12, terms=5, coefficient=3, rng=0, counterexample="random")
    again = planted_polynomials(10, 4, 12, terms=5, coefficient=3, rng=0)[1]
    assert [t.target for t in tasks] == [t.target for t in again]
    many = [len(t.target.terms) for t in planted_polynomials(20, 10, 200, terms=3, rng=1)[1]]
    assert all(50 <= many.count(size) <= 85 for size in (1, 2, 3))  # but for equal ones, a third each
    assert np.array_equal(tasks[0].examples(5)[0], again[0].examples(5)[0])
    assert ((M.sum(axis=0) == 1) & M).any(axis=1).all()
    for task in tasks:
        assert len(task.target.terms) <= 5 and task.counterexample == "random"
        assert all(represent(row, M) is not None for row in task.target.terms)
