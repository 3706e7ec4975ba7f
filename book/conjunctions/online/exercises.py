"""Exercises of the chapters on conjunctions that arrive one by one, and from examples of a product law."""

from math import comb

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, whole


def _forgets(answer: Submission) -> None:
    said = answer.family(shape=(9,))
    stream = ("1236", "1248", "35", "45", "26", "28", "12", "17", "12")
    targets = np.array([[str(v) in word for v in range(1, 9)] for word in stream])
    scratch = np.isin(np.arange(9), online_metafeatures(targets).scratch)
    if not np.array_equal(said, scratch):
        answer.refuse("not what happens to all nine targets")


def _hoarded(targets: BoolArray) -> tuple[int, int]:
    """Targets from scratch and metafeatures, by sets of frozensets."""
    pool: set[frozenset[int]] = set()
    kept: list[BoolArray] = []
    for T in targets:
        have = frozenset(map(int, np.flatnonzero(T)))
        if have != frozenset().union(*(p for p in pool if p <= have)):
            kept.append(T)
            pool |= {frozenset(map(int, np.flatnonzero(row))) for row in metafeatures(np.array(kept))}
    return len(kept), len(pool)


def _hoard(answer: Submission) -> None:
    rng = np.random.default_rng(7)
    streams = [np.array([[1, 1, 0], [1, 1, 0]]) > 0, np.array([[1, 1, 0], [0, 1, 1], [0, 1, 0], [1, 1, 1]]) > 0]
    streams += [planted_conjunctions(12, k=5, m=40, overlap=0.4, rng=rng)[1] for _ in range(12)]
    streams += [rng.random((12, 7)) < 0.5 for _ in range(6)]
    for number, targets in enumerate(streams):
        scratch, pieces = (whole(x, answer.where) for x in answer.parts(targets, count=2))
        wanted = _hoarded(targets)
        if scratch != wanted[0]:
            answer.refuse(f"on stream {number} another number of targets is learned from scratch")
        if pieces != wanted[1]:
            answer.refuse(f"on stream {number} another number of metafeatures is kept in the end")


def _order(answer: Submission) -> None:
    for n in (2, 3, 5, 7):
        targets = answer.family(n, shape=(None, n))
        different = np.unique(targets[targets.any(axis=1)], axis=0)
        if len(different) < 2**n - 1:
            answer.refuse("not every nonempty target is there")
        if len(targets) > 2**n - 1:
            answer.refuse("a target comes twice, or is empty")
        scratch = len(online_metafeatures(targets).scratch)
        if scratch > n:
            answer.refuse("in this order more than n targets are learned from scratch")


def _specific_rule(answer: Submission) -> None:
    # independent of the closed form: N variables of the target's kind, N examples, all numbers of positive ones
    N = 20_000
    positive = (1 - 1 / (2 * N)) ** N
    stay = (1 - 1 / N) ** (positive * N)
    if not near(answer.number(), positive * (1 - (1 - 1 / (2 * N)) ** (stay * N)), 3e-3):
        answer.refuse("not the limit of the error of the most specific conjunction")


def _first_problem(answer: Submission) -> None:
    rare, others = 0.1 / 40, 19
    for c0, labels in ((0.25, 500), (0.06, 4000), (0.08, 34_000), (0.05, 34_000), (0.02, 34_000)):
        # no superfluous variable stays: expand the product, then average over the positive examples
        exact = sum((-1) ** j * comb(others, j) * (1 - c0 + c0 * (1 - rare) ** j) ** labels for j in range(others + 1))
        if abs(answer.number(c0, labels) - (1 - exact)) > 1e-6:
            answer.refuse("not the probability that a superfluous variable stays")


EXERCISES = (
    Exercise(
        label="ex-online-forgets",
        asks=Asks("break", difficulty=1, minutes=20),
        goal="Follow Algorithm 4 by hand, and see that what was free can cost later.",
        hint="Which metafeature is the target when it first comes? What does the target after it do to that one?",
        answer="from_scratch()",
        returns="nine truth values: whether each target of the stream is learned from scratch.",
        checker=_forgets,
    ),
    Exercise(
        label="ex-online-hoard",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Compare an algorithm with a version that throws nothing away: what it saves, and what it pays.",
        hint="`represent` and `metafeatures` do all the work; two equal metafeatures count once.",
        answer="hoard(targets)",
        returns="(from scratch, metafeatures in the end) for a stream, a 0/1 matrix, when no metafeature is dropped.",
        checker=_hoard,
    ),
    Exercise(
        label="ex-online-printed",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Compare two ways to count the same events, and see why one is twice the other.",
        hint="How often does a pair of variables pay in each of the two counts?",
    ),
    Exercise(
        label="ex-online-shuffle",
        asks=Asks("compute", difficulty=1, minutes=20),
        goal="See how much the cost of a stream depends on its order.",
        hint="For the second question, which targets make all others free?",
        answer="order(n)",
        returns="all 2^n - 1 nonempty targets as 0/1 rows, in an order in which only n are learned from scratch.",
        checker=_order,
    ),
    Exercise(
        label="ex-online-queries",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Save a query by looking at what a free target must contain.",
        hint="A free target that is not empty contains a metafeature. Can that one ever be dropped?",
    ),
    Exercise(
        label="ex-product-harmless",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Weaken a hypothesis to what its proof uses.",
        hint="Through which sets does the proof see a metafeature? Ask what these must satisfy.",
    ),
    Exercise(
        label="ex-product-which",
        asks=Asks("compute", difficulty=3, minutes=40),
        goal="Estimate the error of a rule in the limit from which variables it keeps.",
        hint="When does a superfluous variable go? How many stay, and how often does one vanish?",
        answer="most_specific()",
        returns="the limit of the error of the most specific conjunction, with three correct digits.",
        checker=_specific_rule,
    ),
    Exercise(
        label="ex-product-first",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Compute an exact probability of failure, and find from where on a sample is too small.",
        hint="Condition on the number of positive examples. When does a superfluous variable stay?",
        answer="failure(c0, labels)",
        returns="the exact probability that h_1 differs from c_1, from so many labelled examples.",
        checker=_first_problem,
    ),
    Exercise(
        label="ex-product-rare",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Remove an assumption on rare targets with a test that costs few labels.",
        hint="What is the error of 'always false'? Let a sample decide, with a gap between the two cases.",
    ),
    Exercise(
        label="ex-sharpness-length",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Find from which length on a stream of problems pays, and see why none may.",
        hint="Try lengths on a logarithmic scale. How do the labels of an attempt and of a problem alone grow?",
    ),
)
