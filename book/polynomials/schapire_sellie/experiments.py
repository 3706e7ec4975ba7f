"""Schapire and Sellie's learner with a step left out or spoiled, and its longest runs over all counterexamples."""

from copy import copy
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import PolynomialTask


class NoMeets(MeetLearner):
    """Algorithm 6's learner from scratch without its first step: errors on meets of its own members go unseen."""

    def inconsistent_meet(self) -> None:
        """Look at nothing."""
        return


class NoGreedyMeet(MeetLearner):
    """Algorithm 6's learner from scratch without its second step: a counterexample is taken in as it comes."""

    def greedy_meet(self, y: BoolArray) -> BoolArray:
        """Leave the point as it is."""
        return y


class AnyMember(MeetLearner):
    """Algorithm 6's learner from scratch with a spoiled third step: the first member with a weight is replaced."""

    def _sinking(self, y: BoolArray, w: Any) -> Any:
        return np.flatnonzero(w != 0)[0]


def longest_run(f: Polynomial, *, learner: type[MeetLearner] = MeetLearner) -> int | None:
    """The longest run of Algorithm 6's learner from scratch: equivalence queries, over all counterexamples."""
    X, longest = cube(f.n), dict[bytes, int]()
    values = f(X)

    def go(state: MeetLearner) -> int:
        key = state.S.tobytes()
        if key not in longest:
            longest[key] = 1  # "yes", if it errs nowhere
            for y in X[np.not_equal(state.hypothesis(X), values)]:
                after = copy(state)
                after.take(after.greedy_meet(y))
                while (meet := after.inconsistent_meet()) is not None:
                    after.take(after.greedy_meet(meet))
                longest[key] = max(longest[key], 1 + go(after))
        return longest[key]

    try:
        return go(learner(PolynomialTask(f)))
    except IndexError:  # a broken learner, stuck
        return None
