"""The pictures of chapters 2, 3.1 and 3.2 show the data that they are given, with labelled axes."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong.laws import ISOTROPIC_LAWS
from lifelong_book.halfspaces.angles import pictures as angles
from lifelong_book.halfspaces.perturbation import pictures as perturbation
from lifelong_book.halfspaces.perturbation.scalar import certify_scalar_inequality
from lifelong_book.preliminaries import pictures as preliminaries

mpl.use("agg")


def heights(axis):
    """The second coordinates of every line of an axis."""
    return [np.asarray(line.get_ydata()).tolist() for line in axis.lines]


def test_samples_of_laws():
    figure = preliminaries.samples_of_laws(ISOTROPIC_LAWS.values())
    assert [axis.get_title() for axis in figure.axes] == [kind.name for kind in ISOTROPIC_LAWS.values()]
    for axis, kind in zip(figure.axes, ISOTROPIC_LAWS.values(), strict=True):
        assert heights(axis) == [kind(2).sample(1200, rng=0)[:, 1].tolist()]


def test_angle_errors():
    (axis,) = preliminaries.angle_errors(np.array([0.1, 0.2]), {"a": np.array([1.0, 2]), "b": np.array([3.0, 4])}).axes
    assert heights(axis) == [[1, 2], [3, 4], [0.1, 0.2]]
    assert axis.get_xlabel() and axis.get_ylabel()


def test_rates_around():
    phi = np.linspace(0, 2 * np.pi, 5)
    figure = angles.rates_around(phi, {f"law {i}": np.full(5, i / 10) for i in range(1, 7)})
    assert [heights(axis)[0][0] for axis in figure.axes] == [i / 10 for i in range(1, 7)]
    assert figure.axes[2].get_title() == "law 3\n0.300 to 0.300"


def test_wedges():
    shown = {name: [([1, 2], [(0.5, 0.1, 0.01)]), ([3, 4], [(0.5, 0.2, 0.01)])] for name in "abc"}
    figure = angles.wedges(np.array([0.1, 0.2]), shown)
    found = heights(figure.axes[0])
    assert found[:4] == [[1, 2], [0.2], [3, 4], [0.4]]
    assert [axis.get_title() for axis in figure.axes] == list("abc")


def test_bumps():
    extremes = np.array([[1e-3, 1.0], [1e-2, 0.5]])
    (axis,) = angles.bumps(np.array([0.2, 0.4]), extremes, seen=(0.2, 0.6), constants=(0.01, 8.0)).axes
    assert heights(axis)[2:4] == [[1.0, 0.5], [1e-3, 1e-2]]
    assert axis.get_xlabel() and axis.get_ylabel()


def test_boxes():
    proof = certify_scalar_inequality()
    (axis,) = perturbation.certificate_map(proof).axes
    assert len(axis.patches) == len(proof.boxes)


def test_ratios_of_chapter_3_2():
    errors, ratios = np.array([1e-3, 1e-2]), {"printed": np.array([0.5, 0.6]), "sine": np.array([0.7, 0.8])}
    (axis,) = perturbation.one_vec_ratios(errors, ratios).axes
    assert heights(axis)[:2] == [[0.5, 0.6], [0.7, 0.8]]
    shares = {"random": np.array([0.5, 0.2, 0.0]), "worst": np.array([1.0, 0.5, 0.1])}
    (axis,) = perturbation.shares_violated(np.array([0.1, 0.2, 0.4]), shares).axes
    assert axis.lines[0].get_xdata().tolist() == [0.1, 0.2, 0.4] and heights(axis)[:2] == [[0.5, 0.2, 0], [1, 0.5, 0.1]]
