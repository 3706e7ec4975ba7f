"""Conjunctions over overlapping product metafeatures: the consistency problem and its online use (Section 4).

A conjunction is the set of its variables, one boolean row. A set of metafeatures represents a target when
the target is the union of the metafeatures inside it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong._checks import BoolArray, bool_array, instance, integer, number, same_dimension, same_size
from lifelong.bounds import SampleSizes, product_sizes
from lifelong.stream import How
from lifelong.tasks import ConjunctionTask

__all__ = [
    "OnlineMetafeatures",
    "ProductLawMetafeatures",
    "metafeatures",
    "metafeatures_as_printed",
    "represent",
    "trim",
]


def represent(target: Any, metafeatures: Any) -> BoolArray | None:
    """Which metafeatures lie inside a target, if their union is the target.

    Parameters
    ----------
    target : array_like, shape (n,), bool
        The variables of a conjunction.
    metafeatures : array_like, shape (k, n), bool
        One metafeature a row; k may be 0.

    Returns
    -------
    bool, shape (k,), or None
        The metafeatures inside the target; None when they leave a variable of it uncovered.
        The empty target is represented by whatever lies inside it, if only by nothing.

    Raises
    ------
    ValueError
        If an argument is not boolean or the dimensions differ.

    Notes
    -----
    The test of `algo-monomial-anchor-online`, and h(T) of `algo-consistency-anchor`.

    Examples
    --------
    >>> pieces = [[True, True, False], [False, True, True]]
    >>> represent([True, True, True], pieces)
    array([ True,  True])
    >>> represent([False, True, False], pieces) is None
    True
    """
    T = bool_array("target", target, axes=1)
    M = bool_array("metafeatures", metafeatures, axes=2)
    same_dimension("metafeatures", M, len(T), "target")
    inside: BoolArray = np.asarray((~M | T).all(axis=1))
    return inside if np.array_equal(M[inside].any(axis=0), T) else None


def metafeatures_as_printed(targets: Any) -> BoolArray:
    """Algorithm 3 read literally, one metafeature a round.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        The hypothesised metafeatures in the order in which they are made.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    `algo-consistency-anchor` with its inclusion read as strict; `metafeatures` gives the same rows, faster.

    Examples
    --------
    >>> metafeatures_as_printed([[True, True, False], [False, True, True]]).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    TS = bool_array("targets", targets, axes=2)
    found = np.empty((0, TS.shape[1]), dtype=np.bool_)
    while len(open_targets := [T for T in TS if represent(T, found) is None]):
        T = open_targets[0]
        inside = (~found | T).all(axis=1)
        z = _least_minimal(TS, T & ~found[inside].any(axis=0))
        found = np.vstack([found, np.asarray(TS[TS[:, z]].all(axis=0))])
    return found


def _least_minimal(TS: BoolArray, uncovered: BoolArray) -> int:
    """First uncovered variable z such that no uncovered z' occurs in strictly fewer targets, all with z."""
    candidates = np.flatnonzero(uncovered)
    for z in candidates:
        others = TS[:, candidates]
        within = (~others | TS[:, [z]]).all(axis=0) & (others.sum(axis=0) < TS[:, z].sum())
        if not within.any():
            return int(z)
    raise AssertionError("strict inclusion has a minimal element")  # pragma: no cover


def _classes(rows: BoolArray) -> tuple[Any, Any]:
    """Indices of the first copy of each distinct row, in order, and for every row its place among them."""
    if not len(rows):
        return np.arange(0), np.arange(0)
    packed = np.packbits(rows, axis=1)
    keys = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1])))[:, 0]
    _, first, label = np.unique(keys, return_index=True, return_inverse=True)
    return np.sort(first), np.argsort(np.argsort(first))[label]


def _first_minimal(rows: BoolArray, below: BoolArray) -> Any:
    """For each column z the first row that holds z and nothing `below` it; len(rows) where there is none.

    A row that holds z' holds everything above z', so only the lower covers of z need a look: those below z
    with nothing in between.
    """
    steps = below.astype(np.float32)
    covers = below & (steps @ steps == 0)
    held = np.packbits(rows.T, axis=1)  # which rows hold each column, one bit a row
    blocked = np.stack([np.bitwise_or.reduce(held[lower], axis=0) for lower in covers.T])
    minimal = np.unpackbits(held & ~blocked, axis=1, count=len(rows))
    return np.where(minimal.any(axis=1), minimal.argmax(axis=1), len(rows))


def metafeatures(targets: Any) -> BoolArray:
    r"""Algorithm 3: metafeatures whose unions give every target, the fewest that anchors allow.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row; m may be 0.

    Returns
    -------
    bool, shape (k, n)
        The rows, in the order, of the printed algorithm. As a set they are canonical (`thm-canonical`): the
        closures cl(z) of the variables z that are minimal in some target, whatever the order of targets
        and variables, and k is the least size of an anchored set of metafeatures that represents
        every target. Without the anchor assumption a smaller set that represents them may exist. With more
        targets k never falls (`lem-online-monotone`).

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    `algo-consistency-anchor` and `lem-consistency`. With A the target matrix, N(z) lies inside N(y) exactly where
    :math:`(A^T A)_{zy} = (A^T A)_{zz}`: one product of matrices gives the whole order, and with it the closures. Which
    of them are minimal in some target is then read off the rows, one bit a target.

    Examples
    --------
    >>> metafeatures([[True, True, False], [False, True, True], [True, True, True]]).astype(int)
    array([[1, 1, 0],
           [0, 1, 1]])
    """
    TS = bool_array("targets", targets, axes=2)
    rows: BoolArray = TS[_classes(TS)[0]]
    if not len(rows):
        return rows
    columns, place = _classes(rows.T)
    # counts up to 2^24 are exact in single precision, which is twice as fast
    A: Any = rows[:, columns].astype(np.float32 if len(rows) < 2**24 else np.float64)
    together = A.T @ A
    inside = together == np.diag(together)[:, None]  # inside[z, y]: N(z) is a subset of N(y)
    below = inside & ~inside.T  # below[z', z]: N(z') is a strict subset of N(z)
    first = _first_minimal(rows[:, columns], below)
    minimal = np.flatnonzero(first < len(rows))
    closures: BoolArray = inside[minimal[np.argsort(first[minimal], kind="stable")]]
    spread: BoolArray = closures[:, place]
    return spread


def trim(metafeatures: Any) -> BoolArray:
    """Take from each metafeature what the smaller ones inside it already cover.

    Parameters
    ----------
    metafeatures : array_like, shape (k, n), bool
        Distinct metafeatures.

    Returns
    -------
    bool, shape (k, n)
        Each row less the union of the rows strictly inside it. Applied to the output of `metafeatures` the
        result is anchored, of the same size, and represents at least the same targets.

    Raises
    ------
    ValueError
        If `metafeatures` is not a boolean matrix.

    Notes
    -----
    The output of `algo-consistency-anchor` need not satisfy the anchor assumption itself; its trimmed form
    does (`thm-canonical`).

    Examples
    --------
    >>> trim([[True, False], [True, True]]).astype(int)
    array([[1, 0],
           [0, 1]])
    """
    M = bool_array("metafeatures", metafeatures, axes=2)
    inside = (~M[:, None, :] | M[None, :, :]).all(axis=2)
    strictly = inside & ~inside.T
    covered = (strictly.T.astype(np.float32) @ M.astype(np.float32)) > 0
    trimmed: BoolArray = M & ~covered
    return trimmed


class OnlineMetafeatures:
    """Algorithm 4 as a representation for the online loop, for exact conjunctions.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.

    Attributes
    ----------
    metafeatures : bool, shape (k, n)
        The current metafeatures.
    targets : bool, shape (r, n)
        The hypotheses learned from scratch, all that the algorithm remembers.

    Raises
    ------
    ValueError
        If `n` is not a positive integer.

    Notes
    -----
    `algo-monomial-anchor-online` with the equivalence queries of `cor-equivalence`: over the metafeatures the most
    specific conjunction is refined by positive counterexamples; a negative one shows that no
    conjunction of metafeatures is the target. From scratch the same is done over the variables.

    Examples
    --------
    >>> from lifelong.stream import learn_stream
    >>> tasks = [ConjunctionTask([True, True, False]), ConjunctionTask([True, True, False])]
    >>> run = learn_stream(tasks, OnlineMetafeatures(3))
    >>> run.how, [step.equivalence for step in run.steps]
    (['scratch', 'reused'], [3, 1])
    """

    def __init__(self, n: int) -> None:
        n = integer("n", n, least=1)
        self.targets = np.empty((0, n), dtype=np.bool_)
        self.metafeatures = self.targets

    def reuse(self, task: ConjunctionTask) -> BoolArray | None:
        """Learn over the metafeatures.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the hypothesis; None when the target is no conjunction of metafeatures.

        Raises
        ------
        ValueError
            If the task has another number of variables.
        """
        same_size("task", task.n, self.targets.shape[1], "the representation")
        return _eliminate(task, self.metafeatures)

    def learn(self, task: ConjunctionTask) -> tuple[How, BoolArray]:
        """Learn over the variables.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : bool, shape (n,)

        Raises
        ------
        ValueError
            If the task has another number of variables, or its answers fit no conjunction.
        """
        same_size("task", task.n, self.targets.shape[1], "the representation")
        hypothesis = _eliminate(task, np.eye(task.n, dtype=np.bool_))
        if hypothesis is None:
            raise ValueError("task: expected a conjunction, got counterexamples that no conjunction explains")
        return "scratch", hypothesis

    def grow(self, how: How, hypothesis: BoolArray) -> None:
        """Remember the hypothesis and find the fewest metafeatures again.

        Parameters
        ----------
        how : str
            As `learn` returned it.
        hypothesis : bool, shape (n,)
        """
        self.targets = np.vstack([self.targets, hypothesis])
        self.metafeatures = metafeatures(self.targets)


def _eliminate(task: ConjunctionTask, pieces: BoolArray) -> BoolArray | None:
    """Learn a conjunction of pieces from equivalence queries; None if there is none.

    Starts from all pieces and drops those that a positive counterexample falsifies, so the hypothesis stays
    the most specific one: a negative counterexample ends the attempt.
    """
    while True:
        hypothesis: BoolArray = np.asarray(pieces.any(axis=0))
        point = task.equivalent(hypothesis)
        if point is None:
            return hypothesis
        kept = (~pieces | point).all(axis=1)
        if kept.all():
            return None
        pieces = pieces[kept]


class ProductLawMetafeatures(OnlineMetafeatures):
    r"""Algorithm 5: Algorithm 4 with random examples from a product law in place of queries.

    Parameters
    ----------
    n : int
        Number of variables, at least 1.
    epsilon : float
        Error allowed a problem, in (0, 1).
    delta : float, default 0.05
        Probability with which the run may fail, in (0, 1).
    m : int, optional
        Number of problems, at least 1; needed unless the sizes are given.
    c0 : float, default 0.25
        Every target is true with at least this probability, in (0, 1].
    sizes : SampleSizes, optional
        How many examples to draw; those of `bounds.product_sizes` for `delta`, `m` and `c0` unless given, which make
        the repaired theorem true. `bounds.product_sizes_printed` has the printed ones.

    Attributes
    ----------
    significant : bool, shape (n,), or None
        The variables that are 0 often enough to matter; None before the first problem.
    metafeatures, targets : bool, shape (k, n) and (r, n)
        As in `OnlineMetafeatures`; all of them within the significant variables.

    Raises
    ------
    ValueError
        If an argument is out of range, or the sizes are for another number of variables.

    Notes
    -----
    `algo-monomial-anchor`. A variable is insignificant when it is 0 in fewer than :math:`\epsilon/4n` of the
    unlabelled examples. Examples with a 0 on an insignificant variable are discarded *before* they are labelled, so
    that nothing is paid for them. Every conjunction is the most specific one that fits the positive examples. The
    first problem is treated like the others, with no metafeature at hand.

    Examples
    --------
    >>> from lifelong.distributions import BooleanProduct
    >>> from lifelong.stream import learn_stream
    >>> law = BooleanProduct([0.7, 0.8, 0.8, 1.0])
    >>> stream = [[True, True, False, True], [False, True, True, False], [True, True, True, True]]
    >>> tasks = [ConjunctionTask(c, law, rng=seed) for seed, c in enumerate(stream)]
    >>> learner = ProductLawMetafeatures(4, 0.1, 0.05, m=3, c0=0.4)
    >>> run = learn_stream(tasks, learner)
    >>> run.how, learner.significant.astype(int)
    (['scratch', 'scratch', 'reused'], array([1, 1, 1, 0]))
    >>> [task.error(step.hypothesis) for task, step in zip(tasks, run.steps)]
    [0.0, 0.0, 0.0]
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        delta: float = 0.05,
        *,
        m: int | None = None,
        c0: float = 0.25,
        sizes: SampleSizes | None = None,
    ) -> None:
        super().__init__(n)
        if sizes is None:
            if m is None:
                raise ValueError("m: expected the number of problems, or sizes, got neither")
            sizes = product_sizes(n, m, epsilon, delta, c0)
        instance("sizes", sizes, SampleSizes)
        same_size("sizes", len(sizes.reuse) - 1, n, "n")
        self.epsilon = number("epsilon", epsilon, low=0.0, high=1.0, open_low=True, open_high=True)
        self.sizes = sizes
        self.significant: BoolArray | None = None

    def _significant(self, task: ConjunctionTask) -> BoolArray:
        """The significant variables, found at the first problem from unlabelled examples."""
        n = self.targets.shape[1]
        same_size("task", task.n, n, "the representation")
        if self.significant is None:
            zeros = ~task.unlabelled(self.sizes.unlabelled)
            self.significant = np.asarray(zeros.mean(axis=0) >= self.epsilon / (4 * n))
        return self.significant

    def _fit(self, task: ConjunctionTask, pieces: BoolArray, size: int) -> BoolArray | None:
        """Most specific conjunction of pieces on the examples that matter; None if one of them contradicts it."""
        X, y = task.examples(size, ones=~self._significant(task))
        always = X[y].all(axis=0)
        hypothesis: BoolArray = np.asarray(pieces[(~pieces | always).all(axis=1)].any(axis=0))
        contradicted = (X[~y] | ~hypothesis).all(axis=1).any()
        return None if contradicted else hypothesis

    def reuse(self, task: ConjunctionTask) -> BoolArray | None:
        """Learn over the metafeatures, from s_2 examples.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        bool, shape (n,), or None
            The variables of the hypothesis; None when no conjunction of metafeatures fits.

        Raises
        ------
        ValueError
            If the task has another number of variables or no law.
        """
        self._significant(task)
        return self._fit(task, self.metafeatures, self.sizes.reuse[len(self.metafeatures)])

    def learn(self, task: ConjunctionTask) -> tuple[How, BoolArray]:
        """Learn over the significant variables, from s_3 fresh examples.

        Parameters
        ----------
        task : ConjunctionTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : "scratch"
        hypothesis : bool, shape (n,)

        Raises
        ------
        ValueError
            If the task has another number of variables or no law, or its labels fit no conjunction.
        """
        variables = np.eye(self.targets.shape[1], dtype=np.bool_)[self._significant(task)]
        hypothesis = self._fit(task, variables, self.sizes.scratch)
        if hypothesis is None:
            raise ValueError("task: expected a conjunction, got labels that no conjunction explains")
        return "scratch", hypothesis
