"""Exercises that grade: every exercise of the book, and checks for those that ask for more than a proof.

An answer is a function, the completed one of `stub`. A check asks for the property that the exercise speaks of, on
random, extreme and degenerate instances; it knows no solution.
"""

from lifelong_book.press.exercise import Exercise, Result
from lifelong_book.press.grading import Submission, Wrong
from lifelong_book.press.teaching.catalogue import EXERCISES, find

__all__ = ["check", "exercises", "hint", "stub"]


def exercises(*, page: str | None = None) -> list[Exercise]:
    """The exercises of the book, in its order; or those of the pages that begin so."""
    return [e for e in EXERCISES.values() if not page or e.page.startswith(page)]


def hint(label: str) -> str:
    """For teaching, of an exercise: what helps without giving it away."""
    return find(label).hint


def stub(label: str) -> str:
    """For teaching, of an exercise: the function to complete, as its check asks for it."""
    return _checked(label).stub


def _checked(label: str) -> Exercise:
    exercise = find(label)
    if not exercise.checked:
        raise ValueError(
            f"label: expected an exercise that can be checked, got {label!r}: see its solution in the book"
        )
    return exercise


def check(label: str, answer: object) -> Result:
    """For teaching, of an exercise: check an answer to it."""
    exercise = _checked(label)
    assert exercise.checker is not None
    submission = Submission(answer, exercise.stub)
    try:
        exercise.checker(submission)
    except Wrong as wrong:
        return Result(exercise.label, False, str(wrong), arguments=submission.arguments)
    return Result(exercise.label, True, "")
