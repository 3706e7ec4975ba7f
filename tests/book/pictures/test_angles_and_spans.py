"""The drawings of chapters 3.1 and 3.2 and of the direct learner show the geometry that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.halfspaces.angles import pictures as angles
from lifelong_book.halfspaces.levels import direct_pictures as direct
from lifelong_book.halfspaces.perturbation import pictures as perturbation
from lifelong_book.press import space

mpl.use("agg")


def texts(axis):
    return [text.get_text() for text in axis.texts]


def test_double_wedge_marks_what_is_wrong():
    points = np.array([[1.0, 0.1], [0.0, 1.0], [-1.0, -0.1], [1.0, -1.0]])
    figure = angles.double_wedge(0.0, 0.5, {"one": points, "two": points})
    right, wrong = figure.axes[0].lines[:2]
    assert wrong.get_xydata().tolist() == points[[0, 2]].tolist()
    assert right.get_xydata().tolist() == points[[1, 3]].tolist()
    assert figure.axes[1].get_title(loc="center") == "two\n50% of 4 wrong"


def test_wedges_of_the_square_end_at_its_rim():
    figure = angles.wedges_of_the_square(0.2)
    for axis, farthest in zip(figure.axes, (np.sqrt(3) / np.cos(0.1), np.sqrt(6)), strict=True):
        corners = np.vstack([patch.get_xy() for patch in axis.patches])
        assert np.isclose(np.abs(corners).max(), np.sqrt(3))
        assert np.isclose(np.linalg.norm(corners, axis=1).max(), farthest)


def test_swept_element_has_the_area_of_polar_coordinates():
    (axis,) = angles.swept(0.4, 0.1, 2.0, 0.2).axes
    x, y = axis.patches[0].get_xy().T
    area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
    assert np.isclose(area, 2.1 * 0.1 * 0.2, rtol=1e-3)


def test_squeezed_and_crossing():
    radius = np.linspace(0, 2, 11)
    (axis,) = angles.squeezed(radius, np.exp(-2 * radius), np.exp(-radius), (0.5, 0.1)).axes
    assert [line.get_ydata()[0] for line in axis.lines[:2]] == [1, 1] and axis.get_xlabel()
    (axis,) = angles.one_crossing(radius, 1 - radius / 2, np.exp(-radius), 1.6).axes
    assert axis.lines[2].get_xdata()[0] == 1.6


def test_midpoints():
    (axis,) = angles.midpoints(1.0, 3.0, 2.0).axes
    points = [line.get_xydata().tolist() for line in axis.lines if line.get_marker() == "o"]
    assert points == [[[1, 0]], [[2, 1]], [[3, 2]]]
    assert axis.lines[0].get_xydata().tolist() == [[1, 0], [3, 2]]


def test_bumps_and_ridge():
    points = np.array([[0.5, 0.5], [-1.0, 0.0]])
    (axis,) = angles.two_lines_among_bumps(points, 0.2).axes
    assert axis.lines[0].get_xydata().tolist() == points.tolist() and len(axis.lines) == 5
    (axis,) = angles.ridge_levels(2.0, (0.5, 0.25), points).axes
    assert np.allclose([line.get_xdata().max() for line in axis.lines[1:4]], [0.25, 1.0, 2.0])
    assert np.allclose([line.get_ydata().max() for line in axis.lines[1:4]], [0.625, 1.0, 1.5])


def test_paper_is_linear_and_arrows_have_names():
    import matplotlib.pyplot as plt

    u, v = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0])
    assert np.allclose(space.paper(u + 2 * v), space.paper(u) + 2 * space.paper(v))
    axis = plt.figure().gca()
    space.arrow(axis, u, "black", "name", (0.1, 0.0))
    assert "name" in texts(axis)


def test_the_height_falls_on_the_floor():
    (axis,) = perturbation.height_over_plane(0.75, 0.8).axes
    (dotted,) = [line for line in axis.lines if line.get_linestyle() == ":"]
    x, y = dotted.get_xydata().T
    assert np.isclose(x[0], x[1]) and np.isclose(y[0] - y[1], np.sin(0.75) * np.sin(0.8))


def test_the_separation_is_lost_by_a_sine():
    (axis,) = perturbation.lost_separation(np.arctan(1 / 4)).axes
    tip, foot = axis.lines[1].get_xydata()
    assert np.isclose(np.linalg.norm(tip - foot), 1 / 17) and np.isclose(np.linalg.norm(tip), 17**-0.5)
    assert "to $W$: 0.059" in texts(axis)


def test_curves_of_the_detail_pages():
    (axis,) = perturbation.long_coefficients(0.5).axes
    assert r"$2.02\,\tilde{a}_1$" in texts(axis)
    (axis,) = perturbation.stacked_coefficients({2: np.array([2.0, -1.0])}).axes
    assert [(bar.get_x(), bar.get_width()) for bar in axis.patches] == [(0, 2), (2, 1)]
    (axis,) = perturbation.four_factors({"chain": (2.0, 3.0, 4.0, 2.5), "simplex": (1.5, 2.0, 2.5, 5.0)}).axes
    assert [line.get_xdata()[-1] for line in axis.lines] == [2, 3, 4, 2.5, 1.5, 2, 2.5, 5]
    assert axis.get_xscale() == "log" and len(axis.get_legend().get_texts()) == 4
    gammas = np.array([0.1, 1.0])
    (axis,) = perturbation.amplifications(gammas, {2: np.array([20.0, 2.0])}, {2: np.array([40.0, 4.0])}).axes
    assert [line.get_ydata().tolist() for line in axis.lines] == [[20, 2], [40, 4]]
    (axis,) = perturbation.above_chord(gammas, {"g": (np.array([0.0, 1.0]), 1.0)}).axes
    assert axis.lines[1].get_ydata().tolist() == [0, 1.0]


def test_the_plane_of_the_direct_learner():
    targets = np.array([[0.98, -0.2, 0.0], [0.98, 0.2, 0.0]])
    answers = np.array([[0.977, -0.199, 0.08], [0.977, 0.199, -0.08]])
    (axis,) = direct.leaning_answers(targets, answers, np.eye(3)[1]).axes
    assert {"$a_1$", "$a_2$", "$b_1$", "$b_2$", "$a$"} <= set(texts(axis))
    figure = direct.lines_of_a_plane([([-0.2, 0.2], 0.9, 1.4), ([-0.8, -0.4, 0.8], np.pi / 2, None)])
    solid = [[line for line in axis.lines if line.get_linestyle() == "-"] for axis in figure.axes]
    assert [len(lines) for lines in solid] == [3, 3] and "$a$" in texts(figure.axes[0])


def test_the_errors_of_a_plane_may_be_enlarged():
    turns = np.linspace(-np.pi / 2, np.pi / 2, 19)
    curves = {"two": 1.2 * np.abs(np.sin(turns)), "three": 0.5 * np.abs(np.sin(turns))}
    (axis,) = direct.errors_around(turns, curves).axes
    assert not axis.child_axes
    (axis,) = direct.errors_around(turns, curves, (-80, -60)).axes
    (small,) = axis.child_axes
    assert small.get_xlim() == (-80, -60) and len(small.lines) == 3
