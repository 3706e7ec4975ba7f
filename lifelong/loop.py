"""The one online loop: try the representation cheaply, else learn from scratch and let it grow.

Every online algorithm of the paper (`algo-one`, `algo-two`, `algo-monomial-anchor-online`, `algo-monomial-anchor`,
`algo-polynomials`, `cor-sparse-auto`) is this loop with a representation of its own. The loop keeps
hypotheses, counts and the representation: nothing of the data of a task outlives the task.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

__all__ = [
    "Counts",
    "Representation",
    "Run",
    "Step",
    "learn_stream",
]


How = Literal["reused", "composed", "scratch"]


class CountedTask(Protocol):
    """What the loop asks of a task: a dimension and the counts of its oracles."""

    @property
    def n(self) -> int: ...

    counts: Counts


class Representation(Protocol):
    """What the loop asks of a representation: three operations.

    Notes
    -----
    The boxes of `algo-one`, `algo-two`, `algo-monomial-anchor-online`, `algo-monomial-anchor` and `algo-polynomials`
    differ in these three and in nothing else.

    Examples
    --------
    >>> from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
    >>> all(hasattr(OnlineMetafeatures, name) for name in ("reuse", "learn", "grow"))
    True
    """

    def reuse(self, task: Any) -> Any | None:
        """Try to learn a task with the representation as it is.

        Parameters
        ----------
        task : task
            Seen through its counted oracles only.

        Returns
        -------
        object or None
            A hypothesis, or None where the attempt failed.
        """

    def learn(self, task: Any) -> tuple[How, Any]:
        """Learn a task from scratch, or out of parts of the representation.

        Parameters
        ----------
        task : task
            Seen through its counted oracles only.

        Returns
        -------
        how : {"composed", "scratch"}
        hypothesis : object
        """

    def grow(self, how: How, hypothesis: Any) -> None:
        """Take in what was learned.

        Parameters
        ----------
        how : {"composed", "scratch"}
        hypothesis : object
            As `learn` returned them.
        """


R = TypeVar("R", bound=Representation)


@dataclass(frozen=True)
class Step:
    """What happened to one task.

    Parameters
    ----------
    how : {"reused", "composed", "scratch"}
        Learned in the representation as it was; out of its parts, which then grew; or from scratch.
    hypothesis : object
        What the learner returned: a vector (n,), or the variables of a conjunction (n,).
    labels, membership, equivalence : int
        What the task's oracles counted during the step, failed attempts included.

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
    labels: int = 0
    membership: int = 0
    equivalence: int = 0


@dataclass
class Run(Generic[R]):
    """What a stream of tasks gave.

    Parameters
    ----------
    representation : object
        The representation after the last task.
    steps : list of Step
        One record a task, in order.
    complete : bool
        False when the run was interrupted; the steps before that are kept.

    Notes
    -----
    The output of every online algorithm of the paper, `algo-one` to `algo-polynomials`.

    Examples
    --------
    >>> run = Run(None, [Step("scratch", None), Step("reused", None)])
    >>> run.scratch, run.how
    (1, ['scratch', 'reused'])
    """

    representation: R
    steps: list[Step] = field(default_factory=list)
    complete: bool = True

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
        return sum((Counts(s.labels, s.membership, s.equivalence) for s in self.steps), Counts())


def learn_stream(tasks: Iterable[Any], representation: R, *, progress: bool = False) -> Run[R]:
    """Learn tasks one after the other with a representation that grows.

    Parameters
    ----------
    tasks : iterable of tasks
        Each with its dimension `n` and its `counts`; read once, in order, and let go.
    representation : Representation
        Offers `reuse`, `learn` and `grow`; it is changed in place.
    progress : bool, default False
        Show a progress bar.

    Returns
    -------
    Run
        The steps, the representation, and how many tasks were learned from scratch. An interrupt from
        the keyboard ends the run early and keeps what it has (`complete` is False).

    Raises
    ------
    ValueError
        If a task has another dimension than the first one.
    Exception
        What a task or the representation raises, with the run so far as its attribute `run`.

    Notes
    -----
    The loop of `algo-one` and of every later online algorithm.

    Examples
    --------
    >>> from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
    >>> from lifelong.conjunctions.tasks import ConjunctionTask
    >>> tasks = [ConjunctionTask(t) for t in ([True, True, False], [False, True, True], [True, True, True])]
    >>> run = learn_stream(tasks, OnlineMetafeatures(3))
    >>> run.how
    ['scratch', 'scratch', 'reused']
    """
    run = Run(representation)
    n: int | None = None
    try:
        for task in _shown(tasks, progress):
            n = task.n if n is None else n
            if task.n != n:
                raise ValueError(f"tasks: expected dimension {n} as in the first task, got dimension {task.n}")
            run.steps.append(_step(task, representation))
    except KeyboardInterrupt:
        run.complete = False
    except Exception as error:
        run.complete = False
        error.run = run  # type: ignore[attr-defined]
        raise
    return run


def _step(task: CountedTask, representation: Representation) -> Step:
    """Try the representation; if that fails, learn and let it grow."""
    before = task.counts
    how: How = "reused"
    hypothesis = representation.reuse(task)
    if hypothesis is None:
        how, hypothesis = representation.learn(task)
        representation.grow(how, hypothesis)
    cost = task.counts - before
    return Step(how, hypothesis, cost.labels, cost.membership, cost.equivalence)


def _shown(tasks: Iterable[Any], progress: bool) -> Iterable[Any]:
    if not progress:
        return tasks
    from tqdm.auto import tqdm

    bar: Iterable[Any] = tqdm(tasks, desc="tasks", unit="task")
    return bar


@dataclass(frozen=True)
class Counts:
    """What an oracle has given so far.

    Parameters
    ----------
    labels, membership, equivalence : int
        Labelled examples, membership queries and equivalence queries.

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

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.labels + other.labels,
            self.membership + other.membership,
            self.equivalence + other.equivalence,
        )

    def __sub__(self, other: Counts) -> Counts:
        return Counts(
            self.labels - other.labels,
            self.membership - other.membership,
            self.equivalence - other.equivalence,
        )
