"""What a user brings: tables of bits, samples and functions, read once and with clear errors.

`bits` reads a table of 0 and 1. The tasks that take samples and functions are with their kinds:
`lifelong.halfspaces.tasks.PoolTask`, `lifelong.conjunctions.tasks.ConjunctionBox` and
`lifelong.polynomials.tasks.PolynomialBox`. This module has the errors that they raise where a pool is empty or what was
promised of a function turns out not to hold.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, RNGLike, as_array, bool_array, function, instance, integer, random_generator
from lifelong.laws import BooleanProduct
from lifelong.loop import Counts

__all__ = ["BitTask", "Box", "BrokenPromiseError", "ExhaustedError", "Function", "bits"]


class BrokenPromiseError(ValueError):
    """A user's function is not what was promised: it is of another class, or it answers one question in two ways."""


def broken(wanted: str, got: str) -> BrokenPromiseError:
    """What is raised of a user's function that is not what was promised."""
    return BrokenPromiseError(f"f: expected {wanted}, got {got}")


class ExhaustedError(ValueError):
    """A pool of a user's samples has fewer unsold labels than are asked for."""


def bits(data: ArrayLike) -> BoolArray:
    """A table of 0 and 1, or of booleans, as a boolean matrix: one conjunction, image or example a row.

    Parameters
    ----------
    data : array_like, shape (m, n)
        Numbers that are 0 or 1, or booleans; also a matrix of scipy.sparse, or a table with `to_numpy` such as a
        pandas DataFrame.

    Returns
    -------
    bool, shape (m, n)
        A new array.

    Raises
    ------
    ValueError
        If an entry is something else, a missing value included, or `data` has not two axes. The error says where.

    See Also
    --------
    lifelong.conjunctions.tasks.ConjunctionTask : A row as a task: ``map(ConjunctionTask, bits(data))`` is a stream.
    lifelong.conjunctions.algorithm3.metafeatures : What all rows are made of.

    Notes
    -----
    The rows may be the conjunctions of `algo-monomial-anchor-online` or the images of `thm-sparse-auto`.

    Examples
    --------
    >>> bits([[1, 0], [1.0, 1.0]])
    array([[ True, False],
           [ True,  True]])
    >>> bits([[1, 0], [1, 2]])
    Traceback (most recent call last):
    ValueError: data: expected a matrix of 0 and 1, or of booleans, got 2 in row 1, column 1
    """
    wanted = "a matrix of 0 and 1, or of booleans"
    array = as_array("data", data, wanted, "biufO", 2, 2)
    if array.dtype == object:  # columns of several types, as tables have them
        array = np.frompyfunc(_plain, 1, 1)(array)
    for row, column in np.argwhere((array != 0) & (array != 1))[:1]:
        name = getattr(data, "columns", range(array.shape[1]))[column]
        raise ValueError(f"data: expected {wanted}, got {array[row, column]} in row {row}, column {name}")
    return np.array(array == 1, dtype=np.bool_, order="C")


def _plain(entry: Any) -> Any:
    """An entry of a table; what is no number becomes its name."""
    return entry if isinstance(entry, bool | int | float | np.number | np.bool_) else repr(entry)


Value = TypeVar("Value")
#: What is behind a box: from a point, a boolean array of shape (n,), to a value.
Function = Callable[[BoolArray], Any]


class BitTask:
    """What tasks on {0,1}^n and boxes around functions share: a law of examples, and counts of what oracles gave."""

    _value: Callable[[BoolArray], Any]  #: labels of points, one or a row each, not counted

    def __init__(self, n: int, distribution: BooleanProduct | None, rng: RNGLike) -> None:
        if distribution is not None:
            instance("distribution", distribution, BooleanProduct, n, "the task")
        self.n, self.distribution = n, distribution
        self.counts = Counts()
        self._rng = random_generator(rng)

    def law(self) -> BooleanProduct:
        """The law of the examples."""
        if self.distribution is None:
            raise ValueError("distribution: expected a law at construction to draw examples, got None")
        return self.distribution

    def unlabelled(self, size: int) -> BoolArray:
        """Fresh examples without labels, which cost nothing: bool (size, n)."""
        return self.law().sample(size, rng=self._rng)

    def examples(self, size: int, *, ones: ArrayLike | None = None) -> tuple[BoolArray, Any]:
        """Fresh examples, those with a 0 among `ones` discarded, and their labels; each label is counted."""
        X = self.unlabelled(size)
        if ones is not None:
            X = X[X[:, np.asarray(ones, dtype=np.bool_)].all(axis=1)]
        self.counts += Counts(labels=len(X))
        return X, self._value(X)

    def _point(self, value: ArrayLike, name: str = "x") -> BoolArray:
        return bool_array(name, value, axes=1, n=self.n, like="the task")


class Box(BitTask, Generic[Value]):
    """A box around a user's function on {0,1}^n: each call is paid for, and two answers at one point must agree."""

    _read: Callable[[Any, BoolArray], Value]  #: what an answer of the function at a point says; an error if it is none

    def __init__(self, f: Function, n: int, distribution: BooleanProduct | None, points: int, rng: RNGLike) -> None:
        super().__init__(integer("n", n, least=1), distribution, rng)
        self.points, self.reach = points, "no point yet"
        self._f = function("f", f, f"of a boolean array of shape ({n},)")
        self._since = 0  # equivalence queries since one was answered with None
        self._said: dict[bytes, Value] = {}

    def _call(self, x: BoolArray) -> Value:
        """The value at a point, neither counted nor remembered: a label, which somebody else counts."""
        return self._read(self._f(x.copy()), x)

    def member(self, x: ArrayLike) -> Value:
        """Membership query: ask the function at a point of the learner's choice, and compare with earlier answers."""
        point = self._point(x)
        self.counts += Counts(membership=1)
        value = self._call(point)
        before = self._said.setdefault(point.tobytes(), value)
        if before != value:
            raise broken(f"one value at {place(point)}", f"{before} and then {value}: it is noisy, or it changes")
        return value

    def _known(self, x: BoolArray) -> Value:
        """What the function said, if it was asked at this point; else ask it now."""
        key = x.tobytes()
        return self._said[key] if key in self._said else self.member(x)

    def _equivalence(self, most: int | None, promise: str) -> None:
        """Count an equivalence query, of which so many suffice until one succeeds."""
        if most is not None and self._since >= most:
            given = "one more: it is not of that class, or it is noisy, or the learner asks more than it needs"
            raise broken(f"{promise}, which {most} equivalence queries find", given)
        self.counts += Counts(equivalence=1)
        self._since += 1


def place(x: BoolArray) -> str:
    """A point of {0,1}^n as the errors about a user's function write it."""
    return str(x.astype(int).tolist())


def trial_points(n: int, most: int, rng: np.random.Generator) -> tuple[BoolArray, bool]:
    """Points to try a user's function at: all of {0,1}^n if few; else random ones, each as full as it happens."""
    if n <= 20 and 2**n <= most:
        return (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1) & 1).astype(np.bool_), True
    points: BoolArray = rng.random((most, n)) < rng.random((most, 1))
    return points, False
