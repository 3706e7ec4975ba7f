"""Pictures of chapters 5.1 to 5.3: they draw the numbers that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.book.pictures import one_layer, schapire_sellie, shared_monomials


@pytest.fixture(autouse=True)
def no_window():
    mpl.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def heights(axis) -> list[float]:
    """Last value of each line of an axis."""
    return [float(line.get_ydata()[-1]) for line in axis.lines]


def test_the_orders_of_the_rules():
    (axis,) = one_layer.rules_from_scratch(np.array([0, 5, 9, 3, 0, 0, 0, 0, 0])).axes
    assert [bar.get_height() for bar in axis.patches] == [0, 5, 9, 3, 0, 0, 0, 0, 0]
    assert {text.get_text() for text in axis.texts} == {"5", "9", "3", "bound $k=8$"}
    assert axis.get_ylabel() == "random orders of 17"


def test_the_membership_queries():
    (axis,) = one_layer.membership_queries(np.full(60, 7), np.arange(60)).axes
    assert heights(axis) == [59, 7]


def test_the_equivalence_queries():
    used = {"largest": np.array([3, 4]), "random": np.array([2, 3]), "smallest": np.array([1, 2])}
    (axis,) = schapire_sellie.equivalence_queries(np.array([5, 6]), used).axes
    assert heights(axis) == [4, 3, 2, 6]


def test_the_rivals():
    mean = {1: np.array([[2, 2], [3, 2], [9, 0]]), 4: np.array([[20, 2], [30, 2], [90, 0]])}
    (axis,) = schapire_sellie.rivals(mean).axes
    assert heights(axis) == [90, 30, 20, 512]
    assert axis.get_yscale() == "log"


def test_losses_and_errors():
    losses = {"small steps": [1.5, 1.9], "halving": [1.7, 1.8], "random": [0.9, 0.8]}
    errors = {"bound": [0.1, 0.3], "exponentiated gradient": [0.05, 0.06], "least squares": [0.0]}
    left, right = shared_monomials.losses_and_errors(np.array([8, 16]), losses, errors).axes
    assert heights(left) == pytest.approx([1.9, 1.8, 0.8, 2, 1 / np.log(2)])
    assert heights(right) == [0.3, 0.06, 1e-14]


def test_the_errors_of_problems():
    rows = np.array([[1, 0, 2.0], [0, 0.01, 1.0]])
    first, second = shared_monomials.errors_of_problems({"n = 2": rows, "n = 3": rows}, 0.1).axes
    assert heights(first) == [1e-5, 2, 0.01, 1, 0.1]
    titles = [axis.get_title() + axis.get_title(loc="left") for axis in (first, second)]  # where it stands is style
    assert titles == ["n = 2", "n = 3"]


def test_the_cost_of_an_attempt():
    (axis,) = shared_monomials.cost_of_an_attempt(np.arange(1, 3), np.array([2, 4]), np.array([10, 12])).axes
    assert heights(axis) == [192, 4, 12]


def test_what_is_left_over():
    (axis,) = shared_monomials.left_over({name: np.array([4.0, 1.0]) for name in ("a", "b", "c")}).axes
    assert heights(axis) == [0.25] * 3
