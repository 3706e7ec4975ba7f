"""Own data: samples, functions and tables of bits, and what is said where they are not what was promised."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from lifelong import (
    BooleanProduct,
    ConjunctionBox,
    ConjunctionTask,
    OnlineMetafeatures,
    Polynomial,
    PolynomialBox,
    PoolTask,
    ProductLawMetafeatures,
    SharedMonomials,
    SharedSubspace,
    bits,
    learn_polynomial,
    learn_stream,
    metafeatures,
)
from lifelong.loop import Counts
from lifelong.own_data import BrokenPromiseError, ExhaustedError, trial_points
from lifelong.polynomials.polynomial import cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.learners.rivals import learn_by_membership, learn_hankel

# --- samples ------------------------------------------------------------------------------------------------------


class Frame:
    """What pandas has in common with others: columns of numbers behind `to_numpy`."""

    def __init__(self, values):
        self._values = values

    def to_numpy(self):
        return self._values


RNG = np.random.default_rng(0)
X = RNG.standard_normal((50, 3))
Y = np.where(X[:, 0] > 0, 1, -1)


@pytest.mark.parametrize("same", [Y > 0, (Y > 0).astype(np.uint8), Y.astype(np.float32), Y.tolist()])
def test_labels_may_be_signs_bits_or_booleans(same):
    expected, found = (PoolTask(X, y, rng=0).examples(50) for y in (Y, same))
    assert (expected[0] == found[0]).all() and (expected[1] == found[1]).all()
    assert found[1].dtype == np.int64 and set(found[1]) == {-1, 1}


def test_the_pool_is_sold_in_an_order_of_the_callers_seed_and_no_row_twice():
    halves = [[pool.examples(25)[0] for _ in range(2)] for pool in (PoolTask(X, Y, rng=s) for s in (0, 0, 1))]
    same, again, other = (np.vstack(half) for half in halves)
    assert (same == again).all() and not (same == other).all()
    np.testing.assert_array_equal(np.sort(same, axis=0), np.sort(X, axis=0))


def test_trial_points_are_of_every_fullness():
    points, everywhere = trial_points(30, 4000, np.random.default_rng(0))
    ones = points.sum(axis=1)  # uniform on 0, ..., 30
    assert not everywhere and abs(ones.mean() - 15) < 1
    assert min(np.bincount(ones, minlength=31)) > 80
    assert trial_points(3, 8, np.random.default_rng(0))[1]


@pytest.mark.parametrize("same", [X.tolist(), np.asfortranarray(X), sparse.csr_matrix(X), Frame(X)], ids=type)
def test_examples_may_be_a_list_a_table_or_sparse(same):
    expected, found = (PoolTask(examples, Y, rng=0).examples(50)[0] for examples in (X, same))
    assert (expected == found).all()


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (Y[:-1], r"^y: expected 50 labels, .+, got 49: "),
        (np.arange(50) % 3 - 1, r"^y: expected 50 labels, .+, got 50: \{-1.0, 0.0, 1.0\}; .+ y == c$"),
        (np.full(50, np.nan), "^y: expected .+, got NaN or infinity$"),
        (["cat"] * 50, "^y: expected .+, got <U3 of shape"),
        (np.ma.array(Y, mask=X[:, 0] > 1), r"^y: expected .+, got masked entries; fill them first$"),
    ],
)
def test_bad_labels(bad, words):
    with pytest.raises(ValueError, match=words):
        PoolTask(X, bad)
    with pytest.raises(ValueError, match=words.replace("y:", r"test\[1\]:")):
        PoolTask(X, Y, test=(X, bad))


@pytest.mark.parametrize("bad", [X[0], X[:, :0], "X", None, np.where(X > 2, np.nan, X)])
def test_bad_examples(bad):
    with pytest.raises(ValueError, match=r"^X: expected .+, got .+"):
        PoolTask(bad, Y)
    with pytest.raises(ValueError, match=r"^test\[0\]: expected .+, got .+"):
        PoolTask(X, Y, test=(bad, Y))


def test_no_label_is_sold_twice_and_an_empty_pool_says_so():
    task = PoolTask(X, Y, rng=0)
    sold = np.vstack([task.examples(size)[0] for size in (20, 0, 30)])
    assert len({row.tobytes() for row in sold}) == 50 == task.counts.labels and task.left == 0
    with pytest.raises(
        ExhaustedError, match="size: expected at most 0, for 50 of the 50 labels of the pool are sold, got 1"
    ):
        task.examples(1)
    assert task.counts.labels == 50


def test_a_pool_that_is_too_small_leaves_the_run_so_far():
    tasks = [PoolTask(np.vstack([X] * copies), np.tile(Y, copies), rng=0) for copies in (30, 30, 1)]
    with pytest.raises(ExhaustedError) as caught:
        learn_stream(tasks, SharedSubspace(3, 0.1))
    assert caught.value.run.how == ["scratch", "reused"]


def test_the_test_examples_judge_and_cost_nothing():
    task = PoolTask(X, Y, test=(X, Y))
    assert task.error([1, 0, 0]) == 0 and task.error([-1, 0, 0]) == 1 and task.counts == Counts()
    with pytest.raises(ValueError, match=r"^test: expected examples and labels at construction"):
        PoolTask(X, Y).error([1, 0, 0])


# --- functions: conjunctions --------------------------------------------------------------------------------------


def conjunction(*variables: int) -> Callable[[Any], bool]:
    return lambda x: all(x[v] for v in variables)


@pytest.mark.parametrize("n", [1, 8, 40])
def test_a_box_and_a_known_target_are_learned_alike(n):
    rng = np.random.default_rng(n)
    targets = rng.random((6, n)) < 0.4
    boxes = [ConjunctionBox(conjunction(*np.flatnonzero(target)), n, rng=0) for target in targets]
    runs = [learn_stream(tasks, OnlineMetafeatures(n)) for tasks in (boxes, map(ConjunctionTask, targets))]
    assert runs[0].how == runs[1].how
    assert [s.equivalence for s in runs[0].steps] == [s.equivalence for s in runs[1].steps]
    assert all((step.hypothesis == target).all() for step, target in zip(runs[0].steps, targets, strict=True))
    assert {box.reach for box in boxes} == {
        f"all {2**n} points" if n <= 8 else "the points that decide, and 256 others"
    }


def test_a_box_with_a_law_has_examples():
    law = BooleanProduct(np.full(4, 0.8))
    boxes = [ConjunctionBox(conjunction(i, 3), 4, law, rng=i) for i in (0, 1, 0)]
    run = learn_stream(boxes, ProductLawMetafeatures(4, 0.2, m=3, c0=0.4))
    assert run.steps[-1].hypothesis.tolist() == [True, False, False, True]
    assert run.counts.labels > 0 == run.counts.membership
    with pytest.raises(ValueError, match=r"^distribution: expected a law"):
        ConjunctionBox(conjunction(0), 4).examples(3)


BROKEN: dict[str, Callable[[Any], Any]] = {
    "a disjunction": lambda x: x[0] or x[1],
    "a negation": lambda x: not x[0],
    "a negated variable beside another": lambda x: x[0] and not x[1],
    "a majority": lambda x: int(x.sum() >= 2),
    "a parity": lambda x: x.sum() % 2,
    "never": lambda x: False,
    "not monotone": lambda x: x.all() or not x.any(),
}


@pytest.mark.parametrize("name", BROKEN)
def test_no_conjunction_is_found_out(name):
    with pytest.raises(BrokenPromiseError, match=r"^f: expected a conjunction of variables, .+ (at \[[01, ]+\]|there)"):
        learn_stream([ConjunctionBox(BROKEN[name], 5)], OnlineMetafeatures(5))
    law = BooleanProduct(np.full(5, 0.6))
    with pytest.raises(BrokenPromiseError, match=r"^task: expected a conjunction, .+ False at \[[01, ]+\]") as caught:
        learn_stream([ConjunctionBox(BROKEN[name], 5, law, rng=0)], ProductLawMetafeatures(5, 0.1, m=2, c0=0.4))
    point = np.array(re.findall("[01]", str(caught.value)), dtype=int) == 1
    assert not BROKEN[name](point)


def test_a_disjunction_is_found_out_without_another_point():
    """Each variable alone can be missing, and not all of them: then no other question is needed."""
    box = ConjunctionBox(lambda x: x[0] or x[1], 4, points=0)
    with pytest.raises(BrokenPromiseError, match=r"got False at \[0, 0, 0, 0\], though it is True without each"):
        learn_stream([box], OnlineMetafeatures(4))
    assert box.counts == Counts(membership=6, equivalence=6)
    box = ConjunctionBox(conjunction(0), 4)  # a point that is False and says nothing yet
    assert box.equivalent([False, True, False, False]).tolist() == [True, False, True, True]
    assert box.equivalent([False] * 4).tolist() == [False] * 4


@pytest.mark.parametrize("answer", [None, 2, "True"])
def test_answers_that_are_no_truth_values(answer):
    with pytest.raises(ValueError, match=r"^f: expected True or False, .+ at \[1, 1\]"):
        ConjunctionBox(lambda x: answer, 2).member([True, True])


# --- functions: polynomials ---------------------------------------------------------------------------------------


TARGETS = ["x1", "4 x3x4x5x6x7 - 2 x5x6x7x8x1", "1 + x2 - 0.5 x1x2x3", "0.1 x1 - 0.2 x8"]


@pytest.mark.parametrize("text", TARGETS)
@pytest.mark.parametrize("terms", [None, 3])
def test_a_polynomial_behind_a_function_is_found_exactly(text, terms):
    target = polynomial(text, n=8).exact()
    box = PolynomialBox(lambda x: target(x[None])[0], 8, terms=terms)
    h, counts = learn_polynomial(box)
    assert h == target and box.reach == "all 256 points" and counts == box.counts
    for learner in (lambda task: learn_by_membership(task, terms=3), learn_hankel):
        assert learner(box)[0] == target


def test_the_promise_of_few_terms_makes_the_answer_exact_far_beyond_the_cube():
    target = polynomial("3 x1x2x30 - x7x8x9x10 + x40", n=40)
    box = PolynomialBox(lambda x: target(x[None])[0], 40, terms=4)
    assert learn_polynomial(box)[0] == target
    count = sum(comb(40, z) for z in range(3))  # a difference of 4 + 3 terms shows at a point with at most 2 zeros
    assert box.reach == f"the {count} points with at most 2 zeros, which decide among at most 4 terms"
    box = PolynomialBox(lambda x: 0, 40, terms=1)
    assert box.equivalent(polynomial("0", n=40)) is None and box.counts.membership == 1  # one term shows at all ones


def test_the_points_near_the_top_decide():
    rng = np.random.default_rng(0)
    for _ in range(200):  # h has at most 3 terms, f at most 3 others: some point with at most 2 zeros tells
        h, f = (polynomial_of(rng, 6, int(rng.integers(0, 4))) for _ in range(2))
        box = PolynomialBox(lambda x, f=f: f(x[None])[0], 6, terms=3, points=30)
        assert (box.equivalent(h) is None) == (h == f)


def polynomial_of(rng: np.random.Generator, n: int, terms: int) -> Any:
    return Polynomial(rng.random((terms, n)) < 0.4, rng.integers(-2, 3, terms).tolist())


@pytest.mark.parametrize("points", [4096, 57, 30])
def test_more_terms_than_promised_that_few_queries_find(points):
    """All points, those with few zeros, or random ones: a hypothesis with more terms than promised is not taken."""
    target = polynomial("x1 + x2 + x3 + x4 + x1x2 + x3x4", n=6).exact()
    box = PolynomialBox(lambda x: target(x[None])[0], 6, terms=3, points=points, rng=0)
    with pytest.raises(
        BrokenPromiseError, match=r"^f: expected a polynomial of at most 3 terms, got .+ of \[0, 0, 0, 1, 0, 0\]$"
    ):
        box.equivalent(target)
    assert box.reach.startswith({4096: "all 64", 57: "the 42", 30: "30 random"}[points])
    with pytest.raises(BrokenPromiseError, match=r"^f: expected a polynomial of at most 3 terms"):
        learn_polynomial(PolynomialBox(lambda x: target(x[None])[0], 6, terms=3, points=points, rng=0))
    for terms in (6, 7):
        box = PolynomialBox(lambda x: target(x[None])[0], 6, terms=terms)
        assert learn_polynomial(box)[0] == target


@pytest.mark.parametrize("seed", range(4))
def test_a_function_that_errs_one_time_in_twenty_is_found_out_soon(seed):
    noise = np.random.default_rng(seed)
    target = polynomial("4 x3x4x5x6x7 - 2 x5x6x7x8x1")
    box = PolynomialBox(lambda x: target(x[None])[0] + int(noise.random() < 0.05), 8, terms=2)
    with pytest.raises(BrokenPromiseError):
        learn_polynomial(box)
    assert box.counts.equivalence <= 8 * 2 + 2


class Liar(PolynomialTask):
    """A task of one's own whose two oracles contradict each other."""

    def equivalent(self, h):
        return np.ones(self.n, dtype=bool)


def test_so_many_equivalence_queries_suffice_until_one_succeeds():
    one, few = ConjunctionBox(conjunction(0), 3), PolynomialBox(lambda x: x[0], 3, terms=2)
    zero, target = polynomial("0", n=3), polynomial("x1", n=3)
    cases = ((one, [True] * 3, [True, False, False], 2 * (3 + 1)), (few, zero, target, 3 * 2 + 2))
    for box, wrong, right, most in cases:
        for _ in range(2):
            assert [box.equivalent(h) is None for h in [wrong] * (most - 1) + [right]] == [False] * (most - 1) + [True]
        with pytest.raises(BrokenPromiseError, match=f"which {most} equivalence queries find"):
            [box.equivalent(wrong) for _ in range(most + 1)]
        assert box.counts.equivalence == 3 * most


def test_oracles_that_contradict_each_other_do_not_run_for_ever():
    with pytest.raises(
        BrokenPromiseError, match=r"^y: expected a point where the hypothesis errs, got \[1, 1\], where"
    ):
        learn_polynomial(Liar(polynomial("x1 + x2")))
    learner = MeetLearner(PolynomialTask(polynomial("x1")))
    with pytest.raises(BrokenPromiseError, match=r"^y: expected a point where the hypothesis errs"):
        learner.take(np.array([False]))


def test_boxes_of_polynomials_share_their_monomials():
    functions = [lambda x: x[0] * x[1] - x[2], lambda x: x[0] * x[1] * x[2], lambda x: x[2] + x[0] * x[1]]
    boxes = [PolynomialBox(lambda x, f=f: f(x.astype(int)), 4, terms=2, rng=0) for f in functions]
    run = learn_stream(boxes, SharedMonomials(4, 0.1, bound=2, m=3))
    assert run.how == ["scratch", "reused", "reused"]
    assert run.representation.metafeatures.astype(int).tolist() == [[0, 0, 1, 0], [1, 1, 0, 0]]


@pytest.mark.parametrize("answer", [None, "1", np.nan])
def test_answers_that_are_no_numbers(answer):
    with pytest.raises(ValueError, match=r"^f: expected an integer, a fraction or a finite float, .+ at \[1, 1\]"):
        PolynomialBox(lambda x: answer, 2).member([True, True])


def test_values_are_exact():
    for value in (np.float32(0.1), np.uint8(255), True, Fraction(1, 3), 10**30):
        found = PolynomialBox(lambda x, value=value: value, 1).member([True])
        assert found == Fraction(float(value)) if isinstance(value, np.floating) else found == value
        assert type(found) in (int, Fraction)


@pytest.mark.parametrize("kind", [ConjunctionBox, PolynomialBox])
def test_a_function_cannot_change_what_was_asked(kind):
    def greedy(x):
        x[:] = True
        return 1

    point = np.array([True, False])
    kind(greedy, 2).member(point)
    assert point.tolist() == [True, False]
    for bad in (None, "f", 3):
        with pytest.raises(ValueError, match=r"^f: expected a function"):
            kind(bad, 2)


# --- tables of bits -----------------------------------------------------------------------------------------------

TABLE = cube(3)[[3, 6, 7]]


class Columns(Frame):
    columns = ("wings", "legs", "fins")


@pytest.mark.parametrize(
    "table",
    [TABLE.tolist(), TABLE.astype(np.float16), sparse.csr_matrix(TABLE.astype(int)), Columns(TABLE.astype(object))],
    ids=lambda table: type(table).__name__,
)
def test_tables_of_bits(table):
    found = bits(table)
    assert found.dtype == np.bool_ and (found == TABLE).all() and found.flags.c_contiguous
    assert (metafeatures(found) == metafeatures(TABLE)).all()


def spoiled(entry: Any) -> np.ndarray:
    table = TABLE.astype(object)
    table[1, 2] = entry
    return table


@pytest.mark.parametrize("entry", [2, np.nan, None, "1", np.array([1, 0])], ids=repr)  # the last is not even unequal
def test_what_is_no_bit_is_named_with_its_place(entry):
    with pytest.raises(ValueError, match=r"^data: expected a matrix of 0 and 1, .+ in row 1, column 2$"):
        bits(spoiled(entry))
    with pytest.raises(ValueError, match=r"^data: .+ in row 1, column fins$"):
        bits(Columns(spoiled(entry)))


@pytest.mark.parametrize("bad", [[1, 0], [[1], [1, 0]], None, "101", np.zeros((2, 2, 2))])
def test_what_is_no_table(bad):
    with pytest.raises(ValueError, match=r"^data: expected a matrix of 0 and 1, .+, got .+"):
        bits(bad)


def test_pandas_itself():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TABLE.astype(int), columns=["wings", "legs", "fins"])
    assert (bits(frame) == TABLE).all()
    with pytest.raises(ValueError, match="column fins"):
        bits(frame.assign(fins=[0, 2, 1]))
    assert PoolTask(frame, [0, 1, 1]).n == 3
