"""What an exercise of the book is, and what a check of an answer says."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from lifelong_book.press.contents import places
from lifelong_book.press.grading import Submission

#: The one scale of difficulty: what the three numbers mean.
DIFFICULTIES: dict[int, str] = {
    1: "a definition or a formula of the page, applied",
    2: "one idea that is not on the page",
    3: "several ideas, or a proof of some length",
}


class Asks(NamedTuple):
    """What an exercise asks for first, how hard it is, and about how many minutes it takes.

    It asks to prove, to compute, to break (what happens without a hypothesis or a step?) or to explore.
    """

    kind: str
    difficulty: int
    minutes: int


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """An exercise of the book: what it is for, what it takes, and how an answer is checked."""

    label: str
    asks: Asks
    goal: str
    hint: str
    answer: str = ""  # a function to complete: its name and parameters, what it returns, what else is to know
    returns: str = ""
    given: str = ""
    checker: Callable[[Submission], None] | None = None

    @property
    def page(self) -> str:
        """Where the book asks it."""
        return places()[self.label]

    @property
    def stub(self) -> str:
        """The function to complete, as Python."""
        given = f"\n\n{self.given}\n".replace("\n", "\n    ").replace("    \n", "\n") if self.given else ""
        return f'def {self.answer}:\n    """Return {self.returns}{given}"""\n    ...' if self.answer else ""

    @property
    def facts(self) -> str:
        """What it asks for and takes, in a line."""
        kind, difficulty, minutes = self.asks
        return f"{kind.capitalize()} · difficulty {difficulty} of {max(DIFFICULTIES)} · about {minutes} minutes"

    @property
    def checked(self) -> bool:
        """Whether an answer can be checked."""
        return self.checker is not None


@dataclass(frozen=True)
class Result:
    """What a check of an answer says; true if the answer is right."""

    label: str
    right: bool
    message: str
    arguments: tuple[object, ...] = field(default=(), kw_only=True)

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return "Right." if self.right else f"Not yet: {self.message}"

    __repr__ = __str__  # a notebook shows a result as it is printed
