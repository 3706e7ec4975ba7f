"""The doors: what takes arguments from outside refuses bad ones, and says which, what was given and what is expected.

Inside, functions trust their arguments.
"""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import (
    BooleanProduct,
    Counts,
    Exact,
    Gaussian,
    HalfspaceTask,
    PoolTask,
    Run,
    Sampled,
    SharedSubspace,
    Step,
    TwoLevels,
    angle,
    angle_to_subspace,
    bits,
    effective_dimension,
    isotropic_law,
    learn_stream,
    stream,
    subspace_angle,
)
from lifelong.halfspaces.oracles import Labels
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels

NO_COUNTS = (-1, 2.5, True, "3", None, np.nan)
NO_SHARES = (0.0, 0.5, -0.1, np.nan, np.inf, 10**400, True, "0.1", 0.1j, [0.1], np.array([0.1]))
NO_VECTORS = ([0.0, 0.0], [np.nan, 1.0], [np.inf, 1.0], [], 1.0, [[1, 2], [1]], ["1", "2"], [1j, 1], [None, 1], {})
NO_MATRICES = ([[np.nan, 1.0]], [[np.inf, 1.0]], [1.0, 2.0], 3.0, [[1, 2], [1]], [["1", "2"]], [[1j, 1]], [[]])
X = np.eye(2)

#: A door, the argument it must name, and what it must refuse.
DOORS = {
    "law": (Gaussian, "n", (0, 10**30 + 1, *NO_COUNTS)),
    "law by name": (lambda bad: isotropic_law(bad, 2), "name", ("normal", "", None, 3, ["ball"])),
    "draws": (lambda bad: Gaussian(2).sample(bad), "size", (10**9 + 1, *NO_COUNTS)),
    "directions": (lambda bad: Gaussian(2).planar_rate(bad), "phi", (np.nan, np.inf, "0", 1j, None)),
    "source": (lambda bad: Gaussian(2).sample(1, rng=bad), "rng", (-1, 0.5, "seed", [None])),
    "product law": (BooleanProduct, "probabilities", ([], 0.5, [[0.5]], [1.1], [-0.1], [np.nan], ["1"], None)),
    "bits of a law": (lambda bad: BooleanProduct([0.5]).sample(bad), "size", (10**9 + 1, *NO_COUNTS)),
    "conjunction": (lambda bad: BooleanProduct([0.5]).probability(bad), "conjunction", ([1], [True, False], None)),
    "bits": (bits, "data", ([[2]], [["1"]], [1, 0], [[0, 1], [1]], [[np.nan]], [[]], None)),
    "target": (lambda bad: HalfspaceTask(bad, Gaussian(2)), "target", (*NO_VECTORS, [1, 0, 0], X)),
    "distribution": (lambda bad: HalfspaceTask([1, 0], bad), "distribution", (None, Gaussian, "gaussian")),
    "source of a task": (lambda bad: HalfspaceTask([1, 0], Gaussian(2), rng=bad), "rng", (-1, 0.5, "seed")),
    "examples": (lambda bad: HalfspaceTask([1, 0], Gaussian(2)).examples(bad), "size", NO_COUNTS),
    "judged": (lambda bad: HalfspaceTask([1, 0], Gaussian(2)).error(bad), "w", (*NO_VECTORS, [1, 0, 0], X)),
    "judges": (lambda bad: HalfspaceTask([1], Gaussian(1)).error([1], size=bad), "size", (0, *NO_COUNTS)),
    "pool": (lambda bad: PoolTask(bad, [1, -1]), "X", (*NO_MATRICES, np.full((2, 2), np.nan), X.astype(complex))),
    "labels": (lambda bad: PoolTask(X, bad), "y", ([1, 2], [1], [0.5, 1], [-1, 0], "ab", [np.nan, 1], None, X)),
    "test": (lambda bad: PoolTask(X, [1, -1], test=bad), "test", (X, 3, (X,), (X[:0], []))),
    "sold": (lambda bad: PoolTask(X, [1, -1]).examples(bad), "size", (3, *NO_COUNTS)),
    "learner": (Sampled, "learner", (3, "logistic")),
    "scratch_learner": (lambda bad: Sampled(scratch_learner=bad), "scratch_learner", (3, "logistic")),
    "prices": (lambda bad: Sampled(labels=bad), "labels", (4, Labels)),
    "threshold": (lambda bad: Sampled(threshold=bad), "threshold", (0.0, 1.1, np.nan, True, "1")),
    "fit": (lambda bad: Labels(fit=bad), "fit", (0.0, -1.0, np.nan, np.inf, "4")),
    "direction": (Exact, "direction", ("up", None, np.zeros(3))),
    "source of errors": (lambda bad: Exact(rng=bad), "rng", (-1, 0.5, "seed")),
    "subsets fitted": (lambda bad: SampledLevels(tried=bad), "tried", (0, *NO_COUNTS)),
    "bill": (lambda bad: ExactLevels(labels=bad), "labels", (4, Labels)),
    "dimension": (lambda bad: SharedSubspace(bad, 0.1), "n", (0, *NO_COUNTS)),
    "error": (lambda bad: SharedSubspace(3, bad), "epsilon", (*NO_SHARES, None)),
    "accuracy": (lambda bad: SharedSubspace(3, 0.1, epsilon_acc=bad), "epsilon_acc", NO_SHARES[1:]),
    "searched": (lambda bad: SharedSubspace(3, 0.1, searched=bad), "searched", (3, LargeDirections)),
    "large directions": (lambda bad: LargeDirections(bad, 0.1), "k", (0, *NO_COUNTS)),
    "two levels": (lambda bad: TwoLevels(bad, 0.1, tau=1), "n", (0, *NO_COUNTS)),
    "tau": (lambda bad: TwoLevels(3, 0.1, tau=bad), "tau", (0, *NO_COUNTS)),
    "error of two levels": (lambda bad: TwoLevels(3, bad, tau=1), "epsilon", (*NO_SHARES, None)),
    "second": (lambda bad: TwoLevels(3, 0.1, tau=1, epsilon_acc_second=bad), "epsilon_acc_second", NO_SHARES),
    "first": (lambda bad: TwoLevels(3, 0.1, tau=1, epsilon_acc_first=bad), "epsilon_acc_first", NO_SHARES),
    "oracle of one level": (lambda bad: SharedSubspace(3, 0.1, oracle=bad), "oracle", ("exact", Exact, 3)),
    "oracle of two levels": (lambda bad: TwoLevels(3, 0.1, tau=1, oracle=bad), "oracle", ("exact", Exact, 3)),
    "tasks": (
        lambda bad: learn_stream(bad, SharedSubspace(2, 0.1)),
        "tasks",
        (None, 3, ["a task"], [X], [Gaussian(2)]),
    ),
    "stream": (lambda bad: stream(bad, SharedSubspace(2, 0.1)), "tasks", (None, 3)),
    "dimension of a task": (
        lambda bad: learn_stream([HalfspaceTask(bad, Gaussian(len(bad)))], SharedSubspace(2, 0.1)),
        "tasks",
        ([1.0], [1, 0, 0]),
    ),
    "representation": (lambda bad: learn_stream([], bad), "representation", (None, SharedSubspace, "learner")),
    "how": (lambda bad: Step(bad, None), "how", ("learned", None, 3)),
    "labels of a step": (lambda bad: Step("reused", None, labels=bad), "labels", (2.5, True, "3", None)),
    "counts": (lambda bad: Counts(membership=bad), "membership", (2.5, True, "3", None)),
    "u": (lambda bad: angle(bad, [1, 0]), "u", NO_VECTORS),
    "v": (lambda bad: angle([1, 0], bad), "v", (*NO_VECTORS, [1, 0, 0])),
    "v of a span": (lambda bad: angle_to_subspace(bad, X), "v", NO_VECTORS),
    "span": (lambda bad: angle_to_subspace([1, 0], bad), "U", (*NO_MATRICES, np.eye(3))),
    "U": (lambda bad: subspace_angle(bad, X), "U", NO_MATRICES),
    "V": (lambda bad: subspace_angle(X, bad), "V", (*NO_MATRICES, np.eye(3))),
    "A": (lambda bad: effective_dimension(bad, 0.1), "A", (*NO_MATRICES, [[0, 0]], np.ones((2, 2, 2)))),
    "gamma": (lambda bad: effective_dimension(X, bad), "gamma", (-0.1, 2.0, np.nan, "0.1", True, None, [0.1])),
    "exact_up_to": (lambda bad: effective_dimension(X, 0.1, exact_up_to=bad), "exact_up_to", NO_COUNTS),
}


@pytest.mark.parametrize("door", DOORS)
def test_a_door_refuses_and_says_what_was_wrong(door):
    call, name, refused = DOORS[door]
    for bad in refused:
        with pytest.raises((ValueError, TypeError), match=rf"(?s)^{name}(\[[01]\])?: expected .+, got .+"):
            call(bad)


def test_integers_and_floats_of_numpy_are_numbers():
    learner = SharedSubspace(np.int64(3), np.float32(0.125), epsilon_acc=np.float64(0))
    assert (learner.n, learner.epsilon, learner.epsilon_acc) == (3, 0.125, 0.0)
    assert type(learner.n) is int and type(Gaussian(np.int8(2)).n) is int
    assert type(Counts(labels=np.int64(2)).labels) is int


def test_a_run_that_is_refused_keeps_what_it_has():
    tasks = [HalfspaceTask([1, 0], Gaussian(2), rng=0), "a task"]
    with pytest.raises(TypeError, match=r"^tasks: ") as caught:
        learn_stream(tasks, SharedSubspace(2, 0.1))
    run: Run[SharedSubspace] = caught.value.run
    assert run.how == ["scratch"] and not run.complete
