"""Studies of Section 5: adversaries, longest runs, spoiled learners and streams."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from lifelong.conjunctions import bounds as counting
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.instances import attaining_sequence
from lifelong.polynomials import bounds
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.conjunctions.consistency.experiments import play
from lifelong_book.polynomials.shared_monomials.experiments import (
    STUBBORN,
    AnyMember,
    Majority,
    NoGreedyMeet,
    NoMeets,
    SidewaysTask,
    everything,
    exact_run,
    halving,
    longest_run,
    polynomial_stream,
    random_polynomial,
    single_terms,
    small_steps,
)


def test_a_constant_may_cost_a_value_for_each_variable():
    for n in (1, 2, 3, 10):
        one = Polynomial.constant(1, n)
        assert bounds.schapire_sellie_sharp(one.terms) == (n + 2, n + 1)
        _, counts = learn_polynomial(SidewaysTask(one, counterexample="largest"))
        assert (counts.equivalence, counts.membership) == (n + 2, n + 1)


def test_the_longest_games():
    assert longest_run(polynomial("1", n=2)) == bounds.schapire_sellie_equivalence(2, t=1) == 4
    assert longest_run(polynomial("x1 + x2")) <= bounds.schapire_sellie_sharp(np.eye(2, dtype=bool))[0]
    assert any(longest_run(Polynomial(cube(2), c), learner=NoGreedyMeet) is None for c in np.ndindex(2, 2, 2, 2))


def test_the_halving_adversary_forces_its_price():
    for power in (1, 3, 6):
        least = 4.0 * (power + 1)
        assert halving(Majority(2**power, bound=2.0)) == pytest.approx(least)
        assert halving(ExponentiatedGradient(2**power, bound=2.0)) >= least
        worst = halving(ExponentiatedGradient(2**power, bound=2.0), dead=True, extra=40)
        assert least <= worst <= bounds.eg_loss(2**power, bound=2.0)


def test_small_steps_come_close_to_the_constants():
    shares = []
    for power in (4, 8, 11):
        total, best = small_steps(2**power, bound=2.0, step=0.2)
        assert best == 0
        shares.append(total / bounds.eg_loss(2**power, bound=2.0))
        total, best = small_steps(2**power, bound=2.0, step=0.2, noisy=True)
        assert 0 < total <= bounds.eg_loss(2**power, bound=2.0, comparator=best)
    assert shares[0] < shares[1] < shares[2] < 1
    assert shares[2] > 0.9


def test_single_monomials_are_conjunctions():
    for n in range(2, 9):
        targets = attaining_sequence(n)
        run = exact_run(single_terms(n))
        conjunctions = play(targets)
        learner = conjunctions.representation
        assert run.scratch == conjunctions.scratch == counting.online_any(n)
        np.testing.assert_array_equal(metafeatures(run.representation.terms), run.representation.metafeatures)
        assert {r.tobytes() for r in run.representation.metafeatures} == {r.tobytes() for r in learner.metafeatures}


def test_one_problem_may_bring_more_terms_than_the_bound_on_problems():
    for n in range(1, 8):
        run = exact_run([everything(n)])
        assert run.scratch == 1
        kept = len(run.representation.terms)
        assert kept == 2**n - 1
        assert (kept > counting.online_printed(n, k=n)) == (n >= 5)


def test_each_step_of_the_learner_is_needed():
    for text, needed in zip(STUBBORN, (True, True, False), strict=True):
        f = polynomial(text, n=3)
        assert longest_run(f) <= bounds.schapire_sellie_sharp(f.terms)[0]
        assert (longest_run(f, learner=NoMeets) is None) == needed
    rng, unfinished = np.random.default_rng(0), {MeetLearner: 0, AnyMember: 0}
    for _ in range(30):
        f = Polynomial(rng.random((6, 8)) < 0.5, rng.integers(1, 4, 6))
        for kind in unfinished:
            learner = kind(PolynomialTask(f, counterexample="largest"))
            events = list(islice(learner.events(), bounds.schapire_sellie_sharp(f.terms)[0]))
            unfinished[kind] += learner.hypothesis != f
            assert all((taken <= error).all() for error, taken in events)
    assert unfinished[MeetLearner] == 0 < unfinished[AnyMember]


def test_same_seed_same_stream():
    (M, first), (again, second) = (polynomial_stream(rng=3) for _ in range(2))
    np.testing.assert_array_equal(M, again)
    assert first == second and all(f.norm <= 2 for f in first)
    assert random_polynomial(rng=3) == random_polynomial(rng=3)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: exact_run([]), "the length of stream"),
        (lambda: polynomial_stream(largest=0), "largest"),
        (lambda: random_polynomial(most=0), "most"),
        (lambda: Majority(0, bound=1.0), "features"),
        (lambda: Majority(2, bound=0.0), "bound"),
        (lambda: small_steps(1, bound=1.0, step=0.2), "features"),
        (lambda: small_steps(2, bound=1.0, step=1.0), "step"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        call()


def test_streams_of_few_metafeatures_are_drawn_too():
    for seed in range(5):
        M, stream = polynomial_stream(largest=1, rng=seed)
        assert len(M) == 1 and len(stream) == 12
        allowed = {np.zeros(M.shape[1], dtype=bool).tobytes(), M[0].tobytes()}  # the only product of one is itself
        assert {term.tobytes() for f in stream for term in f.terms} <= allowed
    assert {len(polynomial_stream(largest=3, rng=seed)[0]) for seed in range(40)} == {1, 2, 3}


class Listening:
    """Weights of one's own, never changed but for the first round; it keeps what it is shown."""

    def __init__(self, weights):
        self.features, self.bound, self.weights, self.shown = len(weights), 2.0, np.array(weights), []

    @property
    def current(self):
        return self.weights * bool(self.shown)  # the first prediction is 0, so that all features are still right

    def update(self, X, y):
        self.shown.append((np.array(X[0]), y[0]))
        return np.array([(self.current @ X[0] - y[0]) ** 2])


@pytest.mark.parametrize("dead", [False, True])
def test_the_halving_adversary_round_by_round(dead):
    """The signed features still right are halved; the last one is right for ever, and the others vote against it."""
    learner = Listening([0.1, -0.2, 0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    halving(learner, dead=dead, extra=3)
    right = np.ones(8, dtype=bool)
    for i, (x, y) in enumerate(learner.shown):
        assert set(np.abs(x)) == {1.0} and abs(y) == 2
        if i:
            assert (x[right] > 0).sum() in ((right.sum() + 1) // 2, right.sum() // 2)
        right &= 2 * x == y
        assert right.sum() == max(1, 8 // 2**i)
        if i > 3:  # one is left
            others = x[~right]
            votes = -np.sign(learner.weights[~right]) if dead else -np.ones(7)
            np.testing.assert_array_equal(others, y / 2 * votes)
    assert len(learner.shown) == 7
