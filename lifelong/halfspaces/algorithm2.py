"""Algorithm 2: lifelong learning of halfspaces with two levels of metafeatures (Section 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong._checks import FloatArray, instance, integer, number, one_row, speaks
from lifelong._contracts import checked
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.level_oracles import LevelOracle, SampledLevels, Sparse
from lifelong.halfspaces.sparse import SubsetBases
from lifelong.halfspaces.tasks import SignTask, checked_task
from lifelong.loop import How, Run

__all__ = [
    "TwoLevels",
    "level_factors",
]


class TwoLevels:
    """Algorithm 2: lifelong learning of halfspaces with metafeatures of metafeatures.

    A task is tried three times, from the cheapest way to the dearest: with tau of the second-level features, with
    all of the first level, and with the original variables. The first attempt that succeeds decides what is kept.

    Parameters
    ----------
    n : int
        Dimension of the examples, at least 1.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    tau : int
        How many second-level features a hypothesis may combine, at least 1.
    epsilon_acc_second : float, optional
        Error of a vector combined from the first level; a quarter of `epsilon` unless given.
    epsilon_acc_first : float, optional
        Error of a vector learned from scratch; a quarter of `epsilon_acc_second` unless given.
    oracle : LevelOracle, optional
        Answers the three questions of Algorithm 2; `level_oracles.SampledLevels` unless given, from counted labels.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The first level, the matrix W~ of the paper.
    second : float64, shape (r~, k~)
        The second level, the matrix U~, padded with zeros.

    Raises
    ------
    TypeError
        If `oracle` is no LevelOracle.
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-two`. Nothing of a task is kept but its vector: features here, and the coefficients C~ (`level_factors`).

    See Also
    --------
    lifelong.halfspaces.algorithm1.SharedSubspace : one level.

    Examples
    --------
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0])
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
    >>> run = learn_stream(tasks, TwoLevels(4, 0.1, tau=2))
    >>> run.how
    ['scratch', 'scratch', 'scratch', 'composed', 'reused', 'reused']

    With exact answers no label is needed, and the oracle says what labels would have cost:

    >>> from lifelong.halfspaces.level_oracles import ExactLevels
    >>> exact = TwoLevels(4, 0.1, tau=2, epsilon_acc_second=0.01, epsilon_acc_first=0.001, oracle=ExactLevels(rng=0))
    >>> learn_stream(tasks[:4], exact).counts.labels, exact.oracle.bill[-1]
    (0, {'sparse': 324, 'dense': 3200, 'scratch': 0})
    """

    @checked
    def __init__(
        self,
        n: int,
        epsilon: float,
        *,
        tau: int,
        epsilon_acc_second: float | None = None,
        epsilon_acc_first: float | None = None,
        oracle: LevelOracle | None = None,
    ) -> None:
        n, self.tau = integer("n", n, least=1), integer("tau", tau, least=1)
        half: dict[str, Any] = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
        self.epsilon = number("epsilon", epsilon, **half)
        second = self.epsilon / 4 if epsilon_acc_second is None else epsilon_acc_second
        self.epsilon_acc_second = number("epsilon_acc_second", second, **half)
        first = self.epsilon_acc_second / 4 if epsilon_acc_first is None else epsilon_acc_first
        self.epsilon_acc_first = number("epsilon_acc_first", first, **half)
        self.oracle = SampledLevels() if oracle is None else oracle
        speaks("oracle", self.oracle, LevelOracle)
        self.features: FloatArray = np.empty((0, n))
        self._frame: FloatArray = np.empty((0, n))  # orthonormal, spans the features: the search is cheap in it
        self._subsets = SubsetBases(self.tau)  # second-level features, in coordinates of the frame
        self._composed: list[FloatArray] = []  # the rows of U~, without padding
        self._coefficients: list[tuple[Any, FloatArray]] = []  # the rows of C~: where, and what

    @property
    def second(self) -> FloatArray:
        """The second level U~, shape (r~, k~): coefficients of its features over the first level."""
        rows = np.zeros((len(self._composed), len(self.features)))
        for row, known in zip(rows, self._composed, strict=True):
            row[: len(known)] = known
        return rows

    def reuse(self, task: SignTask) -> FloatArray | None:
        """Look for a combination of tau second-level features with error `epsilon`.

        Parameters
        ----------
        task : SignTask
            Seen by the oracle only.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when every combination is refused.

        Raises
        ------
        TypeError
            If it is no task of Section 3.
        ValueError
            If the task has another dimension.
        """
        found = self.oracle.sparsely(self._checked(task), self._subsets, self._frame, self.epsilon)
        return None if found is None else self._written(found)

    def learn(self, task: SignTask) -> tuple[How, FloatArray]:
        """Combine the first level to the error `epsilon_acc_second`, else use the original variables.

        Parameters
        ----------
        task : SignTask
            Seen by the oracle only.

        Returns
        -------
        how : {"composed", "scratch"}
        hypothesis : float64, shape (n,)

        Raises
        ------
        TypeError
            If it is no task of Section 3.
        ValueError
            If the task has another dimension.
        """
        combined = self.oracle.within(self._checked(task), self._frame, self.epsilon_acc_second)
        if combined is not None:
            return "composed", combined
        return "scratch", self.oracle.afresh(task, self.epsilon_acc_first)

    @checked
    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add a second-level feature and, after learning from scratch, a first-level one.

        Parameters
        ----------
        how : {"composed", "scratch"}
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
        one_row("hypothesis", hypothesis, self.features.shape[1], "the representation")
        if how == "scratch":
            self.features = np.vstack([self.features, hypothesis])
            self._widen(hypothesis)
            self._composed.append(np.eye(len(self.features))[-1])
        else:
            row = np.linalg.lstsq(self.features.T, hypothesis, rcond=None)[0]
            self._composed.append(np.asarray(row, dtype=np.float64))
        self._subsets.add(self._frame @ hypothesis)
        self._coefficients.append((np.array([len(self._composed) - 1]), np.ones(1)))

    def _checked(self, task: SignTask) -> SignTask:
        return checked_task(task, self.features.shape[1])

    def _widen(self, feature: FloatArray) -> None:
        """Let the frame span a new feature."""
        rest = feature
        for _ in range(2):  # twice is enough against cancellation
            rest = rest - (self._frame @ rest) @ self._frame
        if np.linalg.norm(rest) > 1e-14:
            self._frame = np.vstack([self._frame, unit(rest)])

    def _written(self, found: Sparse) -> FloatArray:
        """Keep the coefficients of a sparse hypothesis over the second level; return it as a vector."""
        coefficients = np.linalg.lstsq(self._subsets.vectors[found.support].T, found.vector, rcond=None)[0]
        self._coefficients.append((np.array(found.support), coefficients / np.linalg.norm(found.vector)))
        return unit(found.vector @ self._frame)


def level_factors(run: Run[Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The three matrices that `algo-two` keeps: coefficients, second level, first level.

    Parameters
    ----------
    run : Run
        Of `TwoLevels`, whatever its oracle.

    Returns
    -------
    C : float64, shape (m, r~)
        At most tau entries of a row differ from zero.
    U : float64, shape (r~, k~)
        The second level.
    W : float64, shape (k~, n)
        The first level. The rows of C U W are the hypotheses.

    Raises
    ------
    ValueError
        If `run` is no Run of `TwoLevels`.

    Examples
    --------
    >>> from lifelong.halfspaces.level_oracles import ExactLevels
    >>> from lifelong.halfspaces.tasks import HalfspaceTask
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(3)) for w in ([1, 0, 0], [0, 1, 0], [3, 4, 0])]
    >>> accuracies = {"epsilon_acc_second": 0.01, "epsilon_acc_first": 1e-9}
    >>> C, U, W = level_factors(learn_stream(tasks, TwoLevels(3, 0.1, tau=2, oracle=ExactLevels(rng=0), **accuracies)))
    >>> np.round(C, 6) + 0.0
    array([[1. , 0. ],
           [0. , 1. ],
           [0.6, 0.8]])
    """
    instance("run", run, Run)
    learner = run.representation
    instance("run.representation", learner, TwoLevels)
    C = np.zeros((len(run.steps), len(learner.second)))
    for row, (support, values) in zip(C, learner._coefficients, strict=False):
        row[support] = values
    return C, learner.second, learner.features
