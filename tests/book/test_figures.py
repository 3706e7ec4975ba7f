"""The figures: what their data say, their style, and the digest by which a notebook's pictures are told apart."""

from __future__ import annotations

import io
import sys

import matplotlib as mpl
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image

from lifelong.halfspaces import bounds
from lifelong_book.halfspaces.perturbation.moving_explorer import perturbation_data, perturbation_explorer
from lifelong_book.press.figures import image_grid
from lifelong_book.press.style import DIGEST, figure_digest, use_book_style

mpl.use("agg")


def test_image_grid_shows_every_image():
    images = np.random.default_rng(0).random((5, 6)) < 0.5
    figure = image_grid(images, (2, 3), columns=3, titles=list("abcde"))
    shown = [np.asarray(axis.images[0].get_array(), dtype=bool).ravel() for axis in figure.axes]
    assert np.array_equal(shown, images) and [axis.get_title() for axis in figure.axes] == list("abcde")


def test_the_explorer_shows_measurements_and_bounds():
    data = perturbation_data([0.2, 0.5, np.pi / 2], [1, 2, 3, 6])
    for (i, j), frame in perturbation_explorer(data, size=2).frames.items():
        gamma, k, error = data["gamma"][i], data["k"][j], data["error"][i][j]
        printed, reached = data["printed"][i][j], data["measured"][i][j]
        assert error == pytest.approx(gamma**2 / (10 * k)) and printed == bounds.subspace_printed(k, error, gamma)
        assert reached == pytest.approx(float(bounds.subspace_sharp(k, error, gamma)), rel=1e-7)
        assert f"allows {printed:.3g}, the chain reaches {reached:.3g}, {reached / printed:.3g} " in frame.words
        assert ("broken" in frame.words) == (reached > printed)


DATA = perturbation_data([0.2, 0.4], [1, 2, 3])


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: image_grid(np.ones((2, 5), bool), (2, 3)), ValueError, "^images: expected"),
        (lambda: image_grid(np.ones((2, 6)), (2, 3)), ValueError, "^images: expected"),
        (lambda: perturbation_explorer(DATA, separation=2, size=0), ValueError, "^separation: expected"),
        (lambda: perturbation_explorer(DATA, separation=-1, size=0), ValueError, "^separation: expected"),
        (lambda: perturbation_explorer(DATA, separation=0, size=3), ValueError, "^size: expected"),
        (lambda: figure_digest(3), TypeError, "^figure: expected a matplotlib Figure, got int"),
    ],
)
def test_refusals(call, error, said):
    with pytest.raises(error, match=said):
        call()


def drawn(draw, **axes):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(**axes)
    draw(axis)
    return figure


def test_in_a_notebook_pictures_are_signed(monkeypatch):
    from matplotlib.figure import Figure

    shell = InteractiveShell.instance()
    try:
        use_book_style()
        figure = drawn(lambda axis: axis.plot([0.0, 1.0]))
        formatters = shell.display_formatter.formatters
        picture = formatters["image/png"].lookup_by_type(Figure)(figure)
        words = formatters["text/plain"](figure)
    finally:
        InteractiveShell.clear_instance()
    digest, shown = figure_digest(figure), Image.open(io.BytesIO(picture[0]))
    assert (shown.text[DIGEST], shown.mode, shown.convert("RGB").getpixel((0, 0))) == (digest, "P", (255, 255, 255))
    assert words == f"<Figure: axes 1, digest {digest}>"
    monkeypatch.setitem(sys.modules, "IPython", None)  # not installed
    use_book_style()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install '\./book\[figures\]'"):
        use_book_style()


CURVE = np.linspace(0.2, 1.5, 1000)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda a: a.plot(CURVE), lambda a: a.plot(CURVE + 0.02)),
        (lambda a: a.plot(CURVE), lambda a: a.plot(CURVE, color="red")),
        (lambda a: a.plot(CURVE), lambda a: a.plot(CURVE, marker="o")),
        (lambda a: a.plot(CURVE), lambda a: a.plot(CURVE, linestyle=":")),
        (lambda a: a.plot(CURVE), lambda a: a.plot(CURVE[:-1])),
        (lambda a: a.set_title("a line"), lambda a: a.set_title("another line")),
        (lambda a: a.bar([1, 2], [1, 2]), lambda a: a.bar([1, 2], [1, 3])),
        (lambda a: a.bar([1], [1], hatch="/"), lambda a: a.bar([1], [1], hatch="x")),
        (lambda a: a.scatter([1, 2], [1, 2]), lambda a: a.scatter([1, 2], [2, 2])),
        (lambda a: a.fill_between([0, 1], [1, 2]), lambda a: a.fill_between([0, 1], [1, 3])),
        (lambda a: a.imshow([[0.0, 0.3], [0.6, 1.0]]), lambda a: a.imshow([[0.0, 0.5], [0.6, 1.0]])),
        (lambda a: a.text(0, 0, "a"), lambda a: a.text(0, 0, "b")),
        (lambda a: a.plot([1, 2], label="a") and a.legend(), lambda a: a.plot([1, 2], label="a")),
        (lambda a: a.set_xscale("linear"), lambda a: a.set_xscale("log")),
    ],
)
def test_the_digest_sees(one, other):
    assert figure_digest(drawn(one)) == figure_digest(drawn(one)) != figure_digest(drawn(other))


def test_the_digest_of_three_dimensions_and_of_what_cannot_be_placed():
    space = {"subplot_kw": {"projection": "3d"}}
    digests = [figure_digest(drawn(lambda a, z=z: a.plot([0, 1], [0, 1], [0, z]), **space)) for z in (1.0, 1.0, 2.0)]
    assert digests[0] == digests[1] != digests[2]
    # a point at minus infinity of a logarithmic axis, and an axis of no length
    for draw in (lambda a: (a.plot([0.0, 1.0], [0.0, 1.0]), a.set_xscale("log")), lambda a: a.imshow(np.ones((2, 2)))):
        assert len(figure_digest(drawn(draw))) == 12


def test_the_digest_does_not_see_rounding():
    def line(y, **look):
        return figure_digest(drawn(lambda a: (a.plot(y, **look), a.set_ylim(0, 2))))

    assert line(CURVE * (1 + 1e-12)) == line(CURVE)
    errors = [np.random.default_rng(seed).random(50) for seed in (0, 1)]
    noisy = [line(y, gid="rounding") for y in errors]
    assert noisy[0] == noisy[1] != line(errors[0])
