"""Exercises that grade: every exercise of the book, and checks for those that ask for more than a proof.

An answer is a function, the completed one of `stub`. A check asks for the property that the exercise speaks of, on
random, extreme and degenerate instances; it knows no solution.

Examples
--------
>>> print(stub("ex-online-shuffle"))
def order(n):
    \"\"\"Return all 2^n - 1 nonempty targets as 0/1 rows, in an order in which only n are learned from scratch.\"\"\"
    ...
>>> check("ex-online-shuffle", lambda n: [[1] * n])
Not yet: order(n=2): not every nonempty target is there
"""

from __future__ import annotations

from lifelong_book.press.exercise import Exercise, Result
from lifelong_book.press.grading import Submission, Wrong
from lifelong_book.press.teaching.catalogue import EXERCISES, find

__all__ = ["check", "exercises", "hint", "stub"]


def exercises(*, page: str | None = None, kind: str | None = None) -> list[Exercise]:
    """The exercises of the book, in its order.

    Parameters
    ----------
    page : str, optional
        Only those of pages that begin so, such as "halfspaces" or "halfspaces/angles/index".
    kind : {"prove", "compute", "break", "explore"}, optional
        Only those of this kind.

    Examples
    --------
    >>> [e.label for e in exercises(page="halfspaces/angles", kind="compute")]
    ['ex-angles-logistic']
    """
    return [e for e in EXERCISES.values() if e.page.startswith(page or "") and (kind is None or e.kind == kind)]


def hint(label: str) -> str:
    """What helps with an exercise without giving it away.

    Parameters
    ----------
    label : str
        Of the exercise.

    Raises
    ------
    ValueError
        If no exercise has this label.

    Examples
    --------
    >>> hint("ex-break")
    'Put one vector almost into the plane of two others.'
    """
    return find(label).hint


def stub(label: str) -> str:
    """A function to complete, as the check of an exercise asks for it.

    Parameters
    ----------
    label : str
        Of the exercise.

    Returns
    -------
    str
        Python: the function's name, its arguments and what it has to return.

    Raises
    ------
    ValueError
        If no exercise has this label, or if it has nothing that could be checked.

    Examples
    --------
    >>> print(stub("ex-beyond-noise"))
    def largest_noise(epsilon):
        \"\"\"Return the largest rate of flipped labels at which the test still accepts.\"\"\"
        ...
    """
    return _checked(label).stub.strip()


def _checked(label: str) -> Exercise:
    exercise = find(label)
    if not exercise.checked:
        raise ValueError(
            f"label: expected an exercise that can be checked, got {label!r}: see its solution in the book"
        )
    return exercise


def check(label: str, answer: object) -> Result:
    """Check an answer to an exercise.

    Parameters
    ----------
    label : str
        Of the exercise.
    answer : callable or object
        The function of `stub`, completed; or its value, if it takes no argument.

    Returns
    -------
    Result
        True if right. Printed, it is "Right." or says what is wrong, without giving the answer away. A function
        that raises, returns something else or takes too long is reported so.

    Raises
    ------
    ValueError
        If no exercise has this label, or if it has nothing that could be checked.

    Notes
    -----
    A function is run in this process, within a time limit where the system has signals for it; it is not isolated.
    The bound that `ex-threshold` breaks is that of `lem-subspace`.

    Examples
    --------
    >>> check("ex-beyond-noise", lambda epsilon: epsilon / 4)
    Not yet: largest_noise(epsilon=0.2): the test does not stand on the edge at this rate
    """
    exercise = _checked(label)
    assert exercise.checker is not None
    submission = Submission(answer, exercise.stub)
    try:
        exercise.checker(submission)
    except Wrong as wrong:
        return Result(exercise.label, False, str(wrong), arguments=submission.arguments)
    return Result(exercise.label, True, "")
