"""Problems of Section 4: a conjunction of variables behind counted oracles."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, RNGLike, bool_array, integer
from lifelong.laws import BooleanProduct
from lifelong.loop import CountedTask, Counts
from lifelong.own_data import BitTask, Box, Function, broken, place, trial_points

CONJUNCTION = "a conjunction of variables"


class EquivalenceTask(CountedTask, Protocol):
    """What Algorithm 4 asks of a task: equivalence queries with conjunctions, counted."""

    def equivalent(self, h: BoolArray) -> BoolArray | None:
        """A point on which a conjunction and the target differ, or None if there is none."""


class ExampleTask(CountedTask, Protocol):
    """What Algorithm 5 asks of a task: examples of bits, unlabelled for nothing and labelled ones that are counted."""

    def unlabelled(self, size: int) -> BoolArray:
        """Fresh examples without labels: bool (size, n)."""

    def examples(self, size: int, *, ones: BoolArray | None = None) -> tuple[BoolArray, BoolArray]:
        """Fresh labelled examples, of which those with a 0 among `ones` are discarded before they are labelled."""


class ConjunctionTask(BitTask):
    """A conjunction of variables, behind oracles for examples, membership and equivalence.

    Parameters
    ----------
    target : array_like, shape (n,), bool
        The variables in the conjunction; none of them is the constant true.
    distribution : BooleanProduct, optional
        Law of the examples; without one the task answers queries only.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples.

    Raises
    ------
    ValueError
        If the target is not one row of booleans, or the dimensions differ.

    Notes
    -----
    The problems of Section 4 (`algo-monomial-anchor-online`, `algo-monomial-anchor`, `cor-equivalence`).

    Examples
    --------
    >>> task = ConjunctionTask([True, True, False])
    >>> task.member([True, True, True]), task.member([True, False, True])
    (True, False)
    >>> task.equivalent([True, False, False])
    array([ True, False,  True])
    >>> task.equivalent([True, True, False]) is None, task.counts.equivalence
    (True, 2)
    """

    classes = (False, True)

    def __init__(self, target: ArrayLike, distribution: BooleanProduct | None = None, *, rng: RNGLike = None) -> None:
        self.target = bool_array("target", target, axes=1).copy()
        super().__init__(len(self.target), distribution, rng)

    def _value(self, X: BoolArray) -> BoolArray:
        return np.asarray((self.target <= X).all(axis=-1))

    def error(self, h: ArrayLike) -> float:
        """Error of a conjunction, exactly: the evaluator's view, which no learner sees."""
        law, hypothesis = self.law(), self._point(h, "h")
        with np.errstate(divide="ignore"):  # a variable that is never 1 has logarithm -inf, and the rest is right
            log_p = np.log(law.probabilities)
        a, b = (log_p[rest].sum() for rest in (hypothesis & ~self.target, self.target & ~hypothesis))
        common = law.probability(hypothesis & self.target)
        return float(common * (np.exp(a) * (0 - np.expm1(b)) + np.exp(b) * (0 - np.expm1(a))))

    def member(self, x: ArrayLike) -> bool:
        """Membership query: the label of a point of the learner's choice."""
        point = self._point(x)
        self.counts += Counts(membership=1)
        return bool(self._value(point))

    def equivalent(self, h: ArrayLike) -> BoolArray | None:
        """Equivalence query for a conjunction: None if it is the target, else all ones but for one variable.

        That is the least one that the hypothesis has too much (a positive example), or else the least that it lacks.
        """
        hypothesis = self._point(h, "h")
        self.counts += Counts(equivalence=1)
        extra, lacking = hypothesis & ~self.target, self.target & ~hypothesis
        wrong = extra if extra.any() else lacking
        return np.asarray(np.arange(self.n) != wrong.argmax()) if wrong.any() else None


class ConjunctionBox(Box[bool]):
    """A task whose conjunction of variables is known only as a function: a black box, asked and counted.

    Parameters
    ----------
    f : callable
        Takes a point, a boolean array of shape (n,), and says whether the conjunction is true there: a boolean, 0 or 1.
        The promise is that some set of variables, none negated, decides that they are all 1.
    n : int
        Number of variables, at least 1.
    distribution : BooleanProduct, optional
        Law of the examples; without one the task answers queries only.
    points : int, default 256
        At least 0: how many other points test the promise, each time a hypothesis seems right; all of them where 2^n is
        no more.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the examples and of the points.

    Attributes
    ----------
    reach : str
        On which points the last equivalence query that found no difference rests.

    Raises
    ------
    ValueError
        If an argument is not as described.
    BrokenPromiseError
        From every oracle, where the function turns out to be no conjunction of variables, or not to be a function.

    See Also
    --------
    ConjunctionTask : The same with a known target.
    lifelong.polynomials.tasks.PolynomialBox : A function with numbers for values.

    Notes
    -----
    A task for `algo-monomial-anchor-online` by the queries of `cor-equivalence`. An equivalence query is answered by
    membership queries, which are counted beside it. Of two conjunctions, the hypothesis and the target, at most n + 1
    points tell whether they are the same: all ones but for one variable of the hypothesis, and the indicator of the
    hypothesis. So under the promise the answer is exact. The other points can show that the promise is broken, and
    for up to 2^n = `points` they prove that it is kept. No point is asked twice by the task itself.

    Examples
    --------
    >>> task = ConjunctionBox(lambda x: x[0] and x[2], 4)
    >>> task.equivalent([True, True, True, False])
    array([ True, False,  True,  True])
    >>> task.equivalent([True, False, True, False]) is None, task.reach
    (True, 'all 16 points')
    >>> task.counts
    Counts(labels=0, membership=16, equivalence=2)
    >>> ConjunctionBox(lambda x: sum(x) % 2, 3).equivalent([True, True, True])
    Traceback (most recent call last):
    lifelong.own_data.BrokenPromiseError: f: expected a conjunction of variables, got True at [0, 0, 1], where the one
    that fits all other answers is False
    """

    classes = (False, True)

    def __init__(
        self, f: Function, n: int, distribution: BooleanProduct | None = None, *, points: int = 256, rng: RNGLike = None
    ) -> None:
        super().__init__(f, n, distribution, integer("points", points, least=0), rng)

    def _value(self, X: BoolArray) -> BoolArray:
        return np.array([self._call(x) for x in X], dtype=np.bool_)

    @staticmethod
    def _read(answer: Any, x: BoolArray) -> bool:
        if not isinstance(answer, bool | np.bool_ | int | np.integer) or answer not in (0, 1):
            raise ValueError(f"f: expected True or False, or 1 or 0, at every point, got {answer!r} at {place(x)}")
        return bool(answer)

    def equivalent(self, h: ArrayLike) -> BoolArray | None:
        """Equivalence query for a conjunction, by membership queries; `reach` says on what an answer None rests.

        Otherwise all ones but for the least variable of the hypothesis for which the function is true there (a
        positive example), or else the indicator of the hypothesis.
        """
        hypothesis, f = self._point(h, "h"), self._known
        self._equivalence(2 * self.n + 2, CONJUNCTION)
        if not f(np.ones(self.n, dtype=np.bool_)):
            raise broken(f"{CONJUNCTION}, true where all are 1", "False there")
        one_gone = ~np.eye(self.n, dtype=np.bool_)
        for x in one_gone[hypothesis]:
            if f(x):
                return np.asarray(x)
        if not f(hypothesis):
            if all(self._said.get(x.tobytes()) for x in one_gone[~hypothesis]):
                why = "though it is True without each of the variables that are 0 there"
                raise broken(CONJUNCTION, f"False at {place(hypothesis)}, {why}")
            return hypothesis.copy()
        self._test(hypothesis)
        self._since = 0
        return None

    def _test(self, hypothesis: BoolArray) -> None:
        """Look for a point at which the hypothesis, the one conjunction that is left, is wrong."""
        X, everywhere = trial_points(self.n, self.points, self._rng)
        for x in X:
            truth = bool((hypothesis <= x).all())
            if self._known(x) != truth:
                fits = f"where the one that fits all other answers is {truth}"
                raise broken(CONJUNCTION, f"{not truth} at {place(x)}, {fits}")
        others = f"{len(X)} others" if self.points else "no others"
        self.reach = f"all {len(X)} points" if everywhere else f"the points that decide, and {others}"
