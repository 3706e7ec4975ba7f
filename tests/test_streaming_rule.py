"""The streaming rule of the paper: when a task is over, its data are gone.

A learner may keep hypotheses, features, counts and its random numbers, and no example, label, answered point or task.
After each task of a stream three things are seen: no array that the task gave is alive; no example stands in the
learner, pickled; and that has grown by no more bytes than the numbers of a hypothesis and a feature take.
"""

import gc
import pickle
import weakref
from functools import partial

import numpy as np
import pytest

from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures
from lifelong.conjunctions.bounds import SampleSizes
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.conjunctions.winnow import ThresholdTask, WinnowMetafeatures
from lifelong.halfspaces import oracles as section3
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import BooleanProduct, Gaussian
from lifelong.loop import stream
from lifelong.polynomials import oracles as section5
from lifelong.polynomials.algorithm6 import SharedMonomials
from lifelong.polynomials.polynomial import polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections
from lifelong_book.beyond.two_levels.direct import SparseDictionary
from lifelong_book.halfspaces.levels import oracles as billed
from lifelong_book.halfspaces.subspace.robust import Robust
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms
from lifelong_book.polynomials.shared_monomials.experiments import Exact as ExactPolynomials
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares


def halfspaces():
    targets = np.pad([[1, 0], [0, 1], [1, 1], [1, -2], [3, 1], [1, 1]], ((0, 0), (0, 4)))
    return [HalfspaceTask(w, Gaussian(6), rng=i) for i, w in enumerate(targets)]


def levels():
    targets = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0], [1, 1, 1, 0]]
    return [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]


def conjunctions(kind=ConjunctionTask):
    pieces = np.zeros((3, 24), dtype=bool)
    pieces[[0, 0, 1, 1, 2], [0, 1, 2, 3, 4]] = True
    targets = [pieces[list(rows)].any(axis=0) for rows in ([0], [1], [2], [0, 1], [1, 2], [0, 1, 2], [2])]
    law = BooleanProduct([0.8] * 22 + [1.0, 0.0])  # examples end in 1, 0, and no hypothesis does
    return [kind(target, law, rng=i) for i, target in enumerate(targets)]


def polynomials():
    texts = ("x1x2 - x3", "0.5 x1x2 + x3", "x3 - x1x2", "0.3 x3", "x1x2 + 0.7 x3")
    return [PolynomialTask(polynomial(text, n=24), rng=i) for i, text in enumerate(texts)]


def monomials(oracle, **options):
    return lambda: SharedMonomials(24, 0.2, bound=2, m=5, oracle=oracle(), **options)


LARGE = LargeDirections(2, 0.05, epsilon_acc=0.02)
SIZES = SampleSizes(unlabelled=500, reuse=(64,) * 25, scratch=300)
CASES = {  # a learner, and a stream that it first learns and then reuses
    "Algorithm 1": (lambda: SharedSubspace(6, 0.1, oracle=section3.Sampled()), halfspaces),
    "Algorithm 1, exact": (lambda: SharedSubspace(6, 0.1, oracle=section3.Exact(rng=0)), halfspaces),
    "large directions": (lambda: SharedSubspace(6, 0.1, searched=LARGE, oracle=section3.Sampled()), halfspaces),
    "robust": (lambda: SharedSubspace(6, 0.1, oracle=Robust(margin=0.05)), halfspaces),
    "Algorithm 2": (lambda: TwoLevels(4, 0.1, tau=2, oracle=billed.SampledLevels()), levels),
    "the direct learner": (lambda: SparseDictionary(4, 0.1, tau=2, oracle=billed.SampledLevels()), levels),
    "Algorithm 4": (lambda: OnlineMetafeatures(24), conjunctions),
    "Algorithm 5": (lambda: ProductLawMetafeatures(24, 0.3, sizes=SIZES), conjunctions),
    "Corollary 2": (lambda: WinnowMetafeatures(24, c=1, k=3), partial(conjunctions, ThresholdTask)),
    "Algorithm 6": (monomials(section5.Gradient), polynomials),
    "Algorithm 6, least squares": (monomials(LeastSquares), polynomials),
    "Algorithm 6, needed terms": (monomials(ExactPolynomials, keep="needed"), polynomials),
    "the warm-up": (lambda: SharedTerms(24), polynomials),
}
EVERY = pytest.mark.parametrize("name", CASES)
#: Bytes that a task may leave: two counts where it is reused; else a hypothesis, n numbers of a feature, rows of bases.
GROWTH = {"reused": 20, "composed": 300, "scratch": 500}


class Given:
    """What tasks have handed out: weak references to the arrays, and the bytes of the examples."""

    def __init__(self):
        self.alive, self.rows = [], set()

    def watch(self, task):
        for name in ("examples", "equivalent", "unlabelled", "member"):
            if hasattr(task, name):
                setattr(task, name, self.recorded(getattr(task, name)))
        return task

    def recorded(self, method):
        def asked(*args, **options):
            answer = method(*args, **options)
            arrays = [x for x in (answer if isinstance(answer, tuple) else (answer,)) if isinstance(x, np.ndarray)]
            self.alive += map(weakref.ref, arrays)
            self.rows |= {row.tobytes() for x in arrays if x.ndim == 2 for row in x}
            return answer

        return asked


def faults(make, tasks):
    learner, given, found = make(), Given(), set()
    before = len(pickle.dumps(vars(learner)))
    gc.freeze()  # what is there already is not looked through after each task
    for step in stream(map(given.watch, tasks()), learner):
        gc.collect()
        found |= {"alive"} if any(ref() is not None for ref in given.alive) else set()
        held = pickle.dumps(vars(learner))
        found |= {"content"} if any(row in held for row in given.rows) else set()
        found |= {"growth"} if len(held) > before + GROWTH[step.how] else set()
        before, given = len(held), Given()
    gc.unfreeze()
    return found


@EVERY
def test_nothing_of_a_task_is_kept(name):
    assert faults(*CASES[name]) == set()


@EVERY
def test_the_stream_learns_and_reuses(name):
    make, tasks = CASES[name]
    assert {step.how for step in stream(tasks(), make())} >= {"scratch", "reused"}


HOARDS = {
    "alive": lambda task, X, y: X[1:, ::2],
    "content": lambda task, X, y: X[-1].copy(),
    "growth": lambda task, X, y: y.copy(),
}


@pytest.mark.parametrize("name", ["Algorithm 1, exact", "Algorithm 4", "Algorithm 5", "Algorithm 6, needed terms"])
@pytest.mark.parametrize("hoard", HOARDS)
def test_a_learner_that_hoards_is_caught(name, hoard):
    make, tasks = CASES[name]

    def hoarding():
        learner = make()
        kind, learner.cupboard = type(learner), []

        def reuse(self, task):
            answer = kind.reuse(self, task)
            self.cupboard.append(HOARDS[hoard](task, *task.examples(100)))
            return answer

        learner.__class__ = type("Hoarding", (kind,), {"reuse": reuse})
        return learner

    assert hoard in faults(hoarding, tasks)
