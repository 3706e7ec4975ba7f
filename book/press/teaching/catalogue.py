"""All exercises of the book, by label."""

from difflib import get_close_matches

from lifelong_book.press.exercise import Exercise
from lifelong_book.press.rooms import modules

#: In the order of the book.
EXERCISES: dict[str, Exercise] = {e.label: e for module in modules("exercises") for e in module.EXERCISES}


def find(label: str) -> Exercise:
    """The exercise of a label; also of the target line above it, whose label the directive's own one continues."""
    found = EXERCISES.get(label) or EXERCISES.get(f"{label}-box")
    if found is None:
        word = str(label).removeprefix("ex-")
        close = [name for name in EXERCISES if word and word in name] or get_close_matches(str(label), EXERCISES)
        wanted = f"one of {', '.join(close)}" if close else "one that `lifelong exercise` lists"
        raise ValueError(f"label: expected {wanted}, got {label!r}")
    return found
