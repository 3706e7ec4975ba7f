"""Algorithm 6: products, streams that are counted and measured, and the record of its runs."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import PROPERTY, tasks_of

from lifelong.conjunctions import bounds as counting
from lifelong.conjunctions.algorithm3 import represent
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.oracles import Exact, Gradient
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.instances import planted_polynomials
from lifelong_book.polynomials.shared_monomials.experiments import exact_run, polynomial_stream
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares
from lifelong_book.press.notebook import monomials


@given(st.integers(0, 10**6))
@PROPERTY
def test_products_are_all_unions_once(seed):
    rng = np.random.default_rng(seed)
    M = rng.random((int(rng.integers(0, 6)), int(rng.integers(1, 7)))) < 0.4
    unions = {
        M[list(rows)].any(axis=0).tobytes() for size in range(len(M) + 1) for rows in combinations(range(len(M)), size)
    }
    found = products(M)
    assert {row.tobytes() for row in found} == unions
    assert len(found) == len(unions) <= 2 ** len(M)
    assert not found[0].any()
    assert all(represent(row, M) is not None for row in found)


def test_anchored_metafeatures_have_all_their_products():
    M, _ = planted_conjunctions(12, k=6, m=0, overlap=0.4, rng=0)
    assert len(products(M)) == 2**6
    assert len(products([[True, False], [True, True]])) == 3


def test_too_many_metafeatures_are_refused():
    with pytest.raises(ValueError, match=r"^metafeatures: expected at most 16, .*got 17"):
        products(np.eye(17, dtype=bool))
    assert len(products(np.eye(3, dtype=bool), most=3)) == 8


def test_a_stream_by_hand():
    run = learn_stream(
        tasks_of("3", "x1x2 - x3", "x1x2x3", "1 + x3", "x1", "x1 - x2x3", n=4), SharedMonomials(4, 0.2, bound=3, m=6)
    )
    assert run.how == ["reused", "scratch", "reused", "reused", "scratch", "scratch"]
    assert run.counts.membership > 0
    reused = [step for step in run.steps if step.how == "reused"]
    assert all(step.membership == step.equivalence == 0 < step.labels for step in reused)


@pytest.mark.parametrize("oracle", [Gradient, LeastSquares, Exact])
def test_every_task_ends_well(oracle):
    M, stream = polynomial_stream(largest=4, rng=5)
    tasks = [PolynomialTask(f, rng=i) for i, f in enumerate(stream)]
    run = learn_stream(tasks, SharedMonomials(M.shape[1], 0.3, bound=2, m=len(tasks), oracle=oracle()))
    assert run.scratch <= counting.online_sharp(M)
    assert len(run.representation.metafeatures) <= len(M)
    for task, step in zip(tasks, run.steps, strict=True):
        assert task.error(step.hypothesis) <= 0.3
        assert step.hypothesis == task.target or step.how == "reused"
        assert oracle is not Exact or step.labels == step.membership == step.equivalence == 0


def test_same_seed_same_run():
    first, second = (
        learn_stream(tasks_of("x1 - x2", "x1x2", "x2 + 2 x1", n=3), SharedMonomials(3, 0.2, bound=3, m=3))
        for _ in range(2)
    )
    assert first.how == second.how
    assert [s.labels for s in first.steps] == [s.labels for s in second.steps]
    assert first.steps[1].hypothesis == second.steps[1].hypothesis


@given(st.integers(0, 10**6))
@PROPERTY
def test_needed_terms_never_exceed_the_bound(seed):
    M, stream = polynomial_stream(rng=seed)
    for keep in ("all", "needed"):
        run = exact_run(stream, keep=keep)
        assert run.scratch <= counting.online_sharp(M)
        assert len(run.representation.metafeatures) <= len(M)
    assert run.scratch <= len(run.representation.terms) <= counting.online_sharp(M)


def test_a_bound_too_small_is_paid_again_and_again():
    xor = ("x1 + x2 - 2 x1x2",) * 8
    assert counting.online_sharp(np.eye(2, dtype=bool)) == 3
    assert learn_stream(tasks_of(*xor, n=3), SharedMonomials(3, 0.05, bound=1, m=8)).scratch == 8
    assert learn_stream(tasks_of(*xor, n=3), SharedMonomials(3, 0.05, bound=4, m=8)).scratch == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 0),
        ("epsilon", 0.0),
        ("bound", 0),
        ("m", 0),
        ("delta", 1.0),
        ("keep", "some"),
        ("most", -1),
    ],
)
def test_bad_arguments_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name}: expected"):
        SharedMonomials(**{"n": 2, "epsilon": 0.1, "bound": 1, "m": 2, name: value})


def test_bad_tasks_are_refused():
    learner = SharedMonomials(3, 0.1, bound=1, m=2)
    wrong = PolynomialTask(polynomial("x1", n=2))
    with pytest.raises(ValueError, match=r"^task: expected dimension 3"):
        learner.reuse(wrong)
    with pytest.raises(ValueError, match=r"^y: expected labels in \[-1, 1\]"):
        learner.reuse(PolynomialTask(Polynomial([[True, False, False]], [5]), rng=0))


RECORD = Path(__file__).parents[1] / "records" / "algorithm6.json"


ORACLES = {"eg": Gradient, "l1": LeastSquares, "exact": Exact}


STREAMS = [f"{name} {keep} {seed}" for name in ORACLES for keep in ("all", "needed") for seed in range(8)]


def told(stream: str) -> dict[str, str]:
    """What Algorithm 6 decides, counts and keeps on a planted stream: decision, labels and queries of each task."""
    name, keep, digit = stream.split()
    seed = int(digit)
    n, bound = 6 + seed % 4, 3.0 if seed % 2 else 6.0
    _, tasks = planted_polynomials(n, k=2 + seed % 4, m=15, terms=1 + seed % 3, coefficient=2, overlap=0.2, rng=seed)
    learner = SharedMonomials(n, 0.4, bound=bound, m=15, delta=0.01, oracle=ORACLES[name](), keep=keep)
    steps = learn_stream([task for task in tasks if task.target.norm <= bound], learner).steps
    return {
        "steps": " ".join(f"{s.how[0]}{s.labels}/{s.membership}/{s.equivalence}" for s in steps),
        "terms": monomials(learner.terms),
        "metafeatures": monomials(learner.metafeatures),
    }


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
def test_runs_are_those_of_the_record(stream):
    """Made by the class that read targets itself, with which this one agreed bit by bit, hypotheses too."""
    assert told(stream) == json.loads(RECORD.read_text())[stream]
