"""The one online loop: try the representation cheaply, else learn from scratch and let it grow.

Every online algorithm of the paper (`algo-one`, `algo-two`, `algo-monomial-anchor-online`, `algo-monomial-anchor`,
`algo-polynomials`, `cor-sparse-auto`) is this loop with a representation of its own. The loop keeps
hypotheses, counts and the representation: nothing of the data of a task outlives the task.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

from lifelong._checks import integer, one_of, same_size, speaks

How = Literal["reused", "composed", "scratch"]


class CountedTask(Protocol):
    """What the loop asks of a task; what its oracles are is between the task and a representation."""

    n: int  #: dimension of the examples
    counts: Counts  #: what the oracles have given so far


class Representation(Protocol):
    """What the loop asks of a representation: three verbs; in these alone do Algorithms 1, 2, 4, 5 and 6 differ.

    One that has an `n` or `classes` refuses tasks of another dimension, or with other labels.

    Examples
    --------
    One that knows again what it has met, and learns a new conjunction by equivalence queries:

    >>> import numpy as np
    >>> from lifelong import ConjunctionTask, learn_stream
    >>> class Met:
    ...     def __init__(self):
    ...         self.known = []
    ...
    ...     def reuse(self, task):
    ...         return next((h for h in self.known if task.equivalent(h) is None), None)
    ...
    ...     def learn(self, task):
    ...         h = np.ones(task.n, dtype=bool)
    ...         while (x := task.equivalent(h)) is not None:
    ...             h &= x
    ...         return "scratch", h
    ...
    ...     def grow(self, how, h):
    ...         self.known.append(h)
    >>> targets = np.array([[1, 0], [0, 1], [1, 0]], dtype=bool)
    >>> learn_stream(map(ConjunctionTask, targets), Met()).how
    ['scratch', 'scratch', 'reused']
    """

    def reuse(self, task: Any) -> Any:
        """A hypothesis from the representation as it is, or None where there is none."""

    def learn(self, task: Any) -> tuple[How, Any]:
        """A hypothesis, and how it was learned: "composed" of parts of the representation, or from "scratch"."""

    def grow(self, how: How, hypothesis: Any) -> None:
        """Take in what `learn` returned."""


R = TypeVar("R", bound=Representation)
_COUNTED = ("labels", "membership", "equivalence")


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What an oracle has given so far.

    Parameters
    ----------
    labels : int, default 0
        Labelled examples drawn.
    membership : int, default 0
        Membership queries answered.
    equivalence : int, default 0
        Equivalence queries answered.

    Raises
    ------
    ValueError
        If one is no integer, or negative.

    See Also
    --------
    Step : The counts of one task.
    Run : Those of all tasks of a stream.

    Notes
    -----
    The costs of `cor-equivalence` are equivalence queries, those of `thm-halfspaces` labels.

    Examples
    --------
    >>> Counts(labels=5) - Counts(labels=2)
    Counts(labels=3, membership=0, equivalence=0)
    """

    labels: int = 0
    membership: int = 0
    equivalence: int = 0

    def __post_init__(self) -> None:
        for name in _COUNTED:
            if type(value := getattr(self, name)) is not int or value < 0:
                object.__setattr__(self, name, integer(name, value, least=0))

    def __add__(self, other: Counts) -> Counts:
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in _COUNTED})

    def __sub__(self, other: Counts) -> Counts:
        return Counts(**self.since(other))

    def since(self, before: Counts) -> dict[str, int]:
        """What was given since then, by name."""
        return {name: getattr(self, name) - getattr(before, name) for name in _COUNTED}


@dataclass(frozen=True)
class Step(Counts):
    """What happened to one task, and what its oracles gave.

    Parameters
    ----------
    how : {"reused", "composed", "scratch"}
        Learned in the representation as it was; out of its parts, which then grew; or from scratch.
    hypothesis : object
        What the learner returned: a vector (n,), the variables (n,) of a conjunction, or a Polynomial.
    labels : int, default 0
        Labelled examples that the task's oracles gave during the step, failed attempts included.
    membership : int, default 0
        Membership queries, in the same way.
    equivalence : int, default 0
        Equivalence queries, in the same way.

    Raises
    ------
    ValueError
        If `how` is another word, or a count is no integer.

    See Also
    --------
    Run : The steps of a stream.

    Notes
    -----
    One record a task, whatever the algorithm, `algo-one` to `algo-polynomials`.

    Examples
    --------
    >>> Step("reused", None, labels=3).equivalence
    0
    """

    how: How
    hypothesis: Any

    def __post_init__(self) -> None:
        one_of("how", self.how, "reused", "composed", "scratch")
        super().__post_init__()

    @property
    def counts(self) -> Counts:
        """Labels and queries of the step."""
        return self + Counts()


@dataclass
class Run(Generic[R]):
    """What a stream of tasks gave.

    Parameters
    ----------
    representation : object
        The representation after the last task.
    steps : list of Step, optional
        One record a task, in order; none unless given.
    complete : bool, default True
        False when the run was interrupted; the steps before that are kept.

    Notes
    -----
    The output of every online algorithm of the paper, `algo-one` to `algo-polynomials`.

    Examples
    --------
    >>> run = Run(None, steps=[Step("scratch", None), Step("reused", None)])
    >>> run.scratch, run.how
    (1, ['scratch', 'reused'])
    """

    representation: R
    steps: list[Step] = field(default_factory=list, kw_only=True)
    complete: bool = field(default=True, kw_only=True)

    @property
    def scratch(self) -> int:
        """How many tasks were learned from scratch."""
        return self.how.count("scratch")

    @property
    def how(self) -> list[How]:
        """How each task was learned, in order."""
        return [step.how for step in self.steps]

    @property
    def counts(self) -> Counts:
        """Labels and queries of all tasks together."""
        return sum(self.steps, Counts())


def stream(tasks: Iterable[CountedTask], representation: Representation) -> Iterator[Step]:
    """Learn tasks one after the other, and stop after each, so that the representation can be looked at.

    Parameters
    ----------
    tasks : iterable of CountedTask
        Each with its dimension `n` and its `counts`; read once, in order, and let go.
    representation : Representation
        Offers `reuse`, `learn` and `grow`; it is changed in place.

    Yields
    ------
    Step
        How the task was learned, the hypothesis and what it cost. Between two steps the representation is in the
        state in which the next task will find it, and nothing of the task before is left.

    Raises
    ------
    TypeError
        If `representation` lacks one of the three operations, `tasks` is no iterable, or a task lacks an oracle that
        the representation asks for.
    ValueError
        If a task has another dimension than the first one, or `learn` does not say how it learned.

    See Also
    --------
    learn_stream : The same to the end, with all steps in a `Run`.

    Notes
    -----
    The loop of `algo-one` and of every later online algorithm.

    Examples
    --------
    >>> from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> targets = [True, True, False], [False, True, True], [True, True, True]
    >>> tasks = [ConjunctionTask(target) for target in targets]
    >>> learner = OnlineMetafeatures(3)
    >>> for step in stream(tasks, learner):
    ...     print(step.how, "- metafeatures:", len(learner.metafeatures))
    scratch - metafeatures: 1
    scratch - metafeatures: 2
    reused - metafeatures: 2
    """
    speaks("representation", representation, Representation)
    if not isinstance(tasks, Iterable):
        raise TypeError(f"tasks: expected an iterable of tasks, got {type(tasks).__name__}")
    return _steps(tasks, representation)


def _steps(tasks: Iterable[CountedTask], representation: Representation) -> Iterator[Step]:
    """The loop: each task is met once, and none of its data is kept."""
    asks, first = f"which {type(representation).__name__} asks for", "the representation"
    n, kind = (getattr(representation, name, None) for name in ("n", "classes"))  # of the tasks that it is made for
    for task in tasks:
        try:
            same_size("tasks", task.n, n or task.n, first)
            if kind not in (None, getattr(task, "classes", kind)):
                raise TypeError(f"tasks: expected labels {kind}, {asks}, got {type(task).__name__}")
            n, first = task.n, first if n else "the first task"
            step = one_step(task, representation)
        except AttributeError as error:
            if error.obj is not task:
                raise
            raise TypeError(f"tasks: expected `{error.name}`, {asks}, got {type(task).__name__} without") from error
        del task  # whoever looks at the state between two tasks finds none
        yield step


def one_step(task: CountedTask, representation: Representation) -> Step:
    """One step of the loop: try the representation; if that fails, learn and let it grow."""
    before = task.counts
    how: How = "reused"
    found = representation.reuse(task)  # cheaply
    if found is None:  # it failed: pay now, gain later
        how, found = representation.learn(task)
        one_of("learn", how, "composed", "scratch")  # or it raises
        representation.grow(how, found)
    return Step(how, found, **task.counts.since(before))


def learn_stream(tasks: Iterable[CountedTask], representation: R) -> Run[R]:
    """Learn tasks one after the other with a representation that grows.

    Parameters
    ----------
    tasks : iterable of CountedTask
        Each with its dimension `n` and its `counts`; read once, in order, and let go.
    representation : Representation
        Offers `reuse`, `learn` and `grow`; it is changed in place.

    Returns
    -------
    Run
        The steps, the representation, and how many tasks were learned from scratch. An interrupt from
        the keyboard ends the run early and keeps what it has (`complete` is False).

    Raises
    ------
    TypeError, ValueError
        As in `stream`.
    Exception
        What a task or the representation raises. Whatever is raised has the run so far as its attribute `run`.

    See Also
    --------
    stream : A step at a time.

    Notes
    -----
    The loop of `algo-one` and of every later online algorithm.

    Examples
    --------
    >>> from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> targets = [True, True, False], [False, True, True], [True, True, True]
    >>> tasks = [ConjunctionTask(target) for target in targets]
    >>> run = learn_stream(tasks, OnlineMetafeatures(3))
    >>> run.how
    ['scratch', 'scratch', 'reused']
    """
    run = Run(representation)
    try:
        for step in stream(tasks, representation):
            run.steps.append(step)
    except KeyboardInterrupt:
        run.complete = False
    except Exception as error:
        run.complete = False
        error.run = run  # type: ignore[attr-defined]
        raise
    return run
