"""The recurring figures say what their data say, label their axes, and the one that moves moves."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.halfspaces import bounds
from lifelong_book.front.pictures import compounding
from lifelong_book.halfspaces.perturbation.explorer import perturbation_data, perturbation_explorer
from lifelong_book.halfspaces.perturbation.pictures import certificate_map
from lifelong_book.halfspaces.perturbation.scalar import certify_scalar_inequality
from lifelong_book.press.figures import image_grid
from lifelong_book.press.style import figure_digest

mpl.use("agg")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: compounding(0.3, most=5),
        lambda: certificate_map(certify_scalar_inequality()),
    ],
    ids=["compounding", "certificate"],
)
def test_every_axis_is_labelled(draw):
    for axis in draw().axes:
        assert axis.get_xlabel() and axis.get_ylabel()


def test_image_grid_shows_every_image():
    images = np.random.default_rng(0).random((5, 6)) < 0.5
    figure = image_grid(images, (2, 3), columns=3, titles=list("abcde"))
    shown = [np.asarray(axis.images[0].get_array(), dtype=bool).ravel() for axis in figure.axes]
    assert np.array_equal(shown, images)
    assert [axis.get_title() for axis in figure.axes] == list("abcde")


@pytest.mark.parametrize(("images", "shape"), [(np.ones((2, 5), bool), (2, 3)), (np.ones((2, 6)), (2, 3))])
def test_image_grid_refuses(images, shape):
    with pytest.raises(ValueError, match=r"^images: expected"):
        image_grid(images, shape)


def test_perturbation_data_are_measurements_and_bounds():
    data = perturbation_data([0.2, 0.5, np.pi / 2], [1, 2, 3, 6])
    for i, gamma in enumerate(data["gamma"]):
        for j, k in enumerate(data["k"]):
            error = data["error"][i][j]
            assert error == pytest.approx(gamma**2 / (10 * k))
            assert data["printed"][i][j] == bounds.subspace_printed(k, error, gamma)
            assert data["measured"][i][j] == pytest.approx(data["sharp"][i][j], rel=1e-7)


@pytest.mark.parametrize(("separation", "size", "name"), [(2, 0, "separation"), (0, 3, "size"), (-1, 0, "separation")])
def test_the_explorer_refuses_positions(separation, size, name):
    data = perturbation_data([0.2, 0.4], [1, 2, 3])
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        perturbation_explorer(data, separation=separation, size=size)


def test_the_explorer_says_what_its_data_say():
    data = perturbation_data([0.2, 0.4], [1, 2, 3])
    made = perturbation_explorer(data, size=2)
    for (i, j), frame in made.frames.items():
        printed, reached = data["printed"][i][j], data["measured"][i][j]
        assert f"allows {printed:.3g}, the chain reaches {reached:.3g}, {reached / printed:.3g} " in frame.words
        assert ("broken" in frame.words) == (reached > printed)


def line(y, **look):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots()
    axis.plot(np.linspace(0, 1, len(y)), y, **look)
    axis.set(ylim=(0, 2), title="a line")
    return figure


CURVE = np.linspace(0.2, 1.5, 1000)


@pytest.mark.parametrize(
    "other",
    [
        lambda: line(CURVE + 0.02),
        lambda: line(CURVE, color="red"),
        lambda: line(CURVE, marker="o"),
        lambda: line(CURVE, linestyle=":"),
        lambda: line(CURVE[:-1]),
    ],
    ids=["moved", "colour", "mark", "dashes", "a point less"],
)
def test_the_digest_sees_what_changed(other):
    assert figure_digest(other()) != figure_digest(line(CURVE))


def test_the_digest_does_not_see_rounding():
    assert figure_digest(line(CURVE * (1 + 1e-12))) == figure_digest(line(CURVE))
    errors = [np.random.default_rng(seed).random(50) for seed in (0, 1)]
    noisy = [figure_digest(line(y, gid="rounding")) for y in errors]
    assert noisy[0] == noisy[1] != figure_digest(line(errors[0]))


def test_the_digest_sees_words_and_images():
    import matplotlib.pyplot as plt

    named, plain, boards = line(CURVE), line(CURVE), []
    named.axes[0].set_title("another line")
    assert figure_digest(named) != figure_digest(plain)
    for cells in ([[0, 1], [1, 0]], [[0, 1], [1, 1]]):
        figure, axis = plt.subplots()
        axis.imshow(cells)
        boards.append(figure_digest(figure))
    assert boards[0] != boards[1]
