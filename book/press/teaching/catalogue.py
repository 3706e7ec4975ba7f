"""All exercises of the book, by label."""

from __future__ import annotations

from difflib import get_close_matches

from lifelong_book.conjunctions.autoencoders import exercises as autoencoders
from lifelong_book.conjunctions.consistency import exercises as consistency
from lifelong_book.conjunctions.online import exercises as online
from lifelong_book.discussion import exercises as discussion
from lifelong_book.halfspaces.angles import exercises as angles
from lifelong_book.halfspaces.assumptions import exercises as assumptions
from lifelong_book.halfspaces.levels import exercises as levels
from lifelong_book.halfspaces.repair import exercises as repair
from lifelong_book.halfspaces.subspace import exercises as subspace
from lifelong_book.introduction import exercises as introduction
from lifelong_book.polynomials import exercises as polynomials
from lifelong_book.press.exercise import Exercise

#: In the order of the parts of the book.
EXERCISES: dict[str, Exercise] = {
    exercise.label: exercise
    for part in (
        introduction,
        angles,
        subspace,
        repair,
        levels,
        assumptions,
        consistency,
        online,
        autoencoders,
        polynomials,
        discussion,
    )
    for exercise in part.EXERCISES
}


def find(label: str) -> Exercise:
    """The exercise of a label; also of the target line above it, whose label the directive's own one continues."""
    found = EXERCISES.get(label) or EXERCISES.get(f"{label}-box")
    if found is None:
        word = str(label).removeprefix("ex-")
        close = [name for name in EXERCISES if word and word in name] or get_close_matches(str(label), EXERCISES)
        wanted = f"one of {', '.join(close)}" if close else "one that `lifelong exercise` lists"
        raise ValueError(f"label: expected {wanted}, got {label!r}")
    return found
