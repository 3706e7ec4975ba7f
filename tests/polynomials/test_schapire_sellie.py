"""The order in which the learner of Schapire and Sellie takes the meets on which it errs."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, _interpolant
from lifelong.polynomials.tasks import PolynomialTask

# targets and members for which the hypothesis errs on two meets, one inside the other
TERMS = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]], dtype=bool)
MEMBERS = np.array([[1, 1, 1, 0], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0]], dtype=bool)


def two_wrong_meets(order) -> tuple[MeetLearner, list[list[int]]]:
    f = Polynomial(TERMS, [-1, 1, 1, 1, 1])
    learner = MeetLearner(PolynomialTask(f))
    learner.S = MEMBERS[list(order)]
    learner.F = np.array([f(s & learner.S) for s in learner.S], dtype=object)
    learner.hypothesis = _interpolant(learner.S, np.diag(learner.F))
    meets = np.unique([s & t for s in learner.S for t in learner.S], axis=0)
    wrong = meets[np.asarray(learner.hypothesis(meets) != f(meets), dtype=bool)]
    return learner, wrong.astype(int).tolist()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 2, 0, 3)])
def test_of_two_wrong_meets_the_smaller_one_is_taken(order):
    """The proof of the replacement uses that no wrong meet lies inside the one that is taken."""
    learner, wrong = two_wrong_meets(order)
    assert sorted(wrong) == [[0, 0, 1, 0], [1, 0, 1, 0]]
    found = learner.inconsistent_meet()
    assert found is not None
    assert found.astype(int).tolist() == [0, 0, 1, 0]
