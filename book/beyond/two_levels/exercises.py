"""Exercises of the page on when two levels pay."""

from decimal import Decimal, localcontext
from math import comb

from lifelong_book.beyond.two_levels import limits
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission


def _most_spaces(answer: Submission) -> None:
    for k, tau in ((60, 2), (20, 2), (30, 3), (12, 1), (100, 5)):
        r = answer.whole(k, tau)
        if not 1 <= r < 2**53:
            answer.refuse("expected a number of spaces")
        with localcontext(prec=60):
            most = Decimal(k - tau).exp()  # of the choices of tau features; both sides in 60 digits
            if not comb(tau * r, tau) < most <= comb(tau * (r + 1), tau):
                answer.refuse("a sparse attempt costs as much as one on one level for another number of spaces")


def _growth(answer: Submission) -> None:
    for f in (3.0, 5.0, 8.0):
        for epsilon in (1e-2, 1e-6, 1e-50, 1e-150):
            # what is left out stays bounded, and the count is in the hundreds in the end
            if abs(answer.number(epsilon, f) - limits.plane_features(epsilon, epsilon / f)) > 3:
                answer.refuse("the number of features that the proposition gives does not grow like this")


EXERCISES = (
    Exercise(
        label="ex-levels-tasks",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Decide with a bill of labels when a second level pays, and how much it may search.",
        hint="For enough tasks only the attempts count. How does the logarithm of a binomial coefficient grow?",
        answer="spaces(k, tau)",
        returns="exactly the largest number of spaces for which two levels are cheaper than one, for enough tasks.",
        checker=_most_spaces,
    ),
    Exercise(
        label="ex-direct-growth",
        asks=Asks("prove", difficulty=3, minutes=45),
        goal="Find the growth of a count from the fixed point of a recursion.",
        hint="While the angle is small the recursion is linear: what is its factor, and how far is there to go?",
        answer="leading(epsilon, f)",
        returns="the leading term of the number of features of a plane at accuracy epsilon / f, for small epsilon.",
        given="For f of at least 3 and however small epsilon is, it may differ from the number by at most 3.",
        checker=_growth,
    ),
    Exercise(
        label="ex-direct-line",
        asks=Asks("prove", difficulty=2, minutes=15),
        goal="Find the step of a proof that gives something away in its simplest case.",
        hint="On a line, what is the combination of features compared with, and what does it pay for?",
    ),
)
