"""The style of the figures, and the digest by which a notebook's pictures are told apart."""

from __future__ import annotations

import io
import sys

import matplotlib as mpl
import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from PIL import Image

from lifelong_book.press.style import DIGEST, figure_digest, use_book_style

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    import matplotlib.pyplot as plt

    with mpl.rc_context():
        yield
    plt.close("all")


def drawn(draw, **axes):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(**axes)
    draw(axis)
    return figure


def test_outside_a_notebook_only_the_style_is_set(monkeypatch):
    use_book_style()
    assert mpl.rcParams["axes.grid"] and mpl.rcParams["figure.figsize"] == [6.8, 3.8]
    monkeypatch.setitem(sys.modules, "IPython", None)  # not installed
    use_book_style()


def test_without_matplotlib_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install '\.\[figures\]'"):
        use_book_style()


def test_in_a_notebook_pictures_are_signed():
    from matplotlib.figure import Figure

    shell = InteractiveShell.instance()
    try:
        use_book_style()
        figure = drawn(lambda axis: axis.plot([0.0, 1.0]))
        formatters = shell.display_formatter.formatters
        picture = formatters["image/png"].lookup_by_type(Figure)(figure)
        png = picture[0] if isinstance(picture, tuple) else picture
        words = formatters["text/plain"](figure)
    finally:
        InteractiveShell.clear_instance()
    digest = figure_digest(figure)
    assert Image.open(io.BytesIO(png)).text[DIGEST] == digest
    assert words == f"<Figure: axes 1, digest {digest}>"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda axis: axis.bar([1, 2], [1, 2]), lambda axis: axis.bar([1, 2], [1, 3])),
        (lambda axis: axis.bar([1], [1], hatch="/"), lambda axis: axis.bar([1], [1], hatch="x")),
        (lambda axis: axis.scatter([1, 2], [1, 2]), lambda axis: axis.scatter([1, 2], [2, 2])),
        (lambda axis: axis.fill_between([0, 1], [1, 2]), lambda axis: axis.fill_between([0, 1], [1, 3])),
        (lambda axis: axis.imshow([[0.0, 0.3], [0.6, 1.0]]), lambda axis: axis.imshow([[0.0, 0.5], [0.6, 1.0]])),
        (lambda axis: axis.text(0, 0, "a"), lambda axis: axis.text(0, 0, "b")),
        (lambda axis: axis.plot([1, 2], label="a") and axis.legend(), lambda axis: axis.plot([1, 2], label="a")),
        (lambda axis: axis.set_xscale("linear"), lambda axis: axis.set_xscale("log")),
    ],
)
def test_the_digest_sees(one, other):
    assert figure_digest(drawn(one)) == figure_digest(drawn(one)) != figure_digest(drawn(other))


def test_the_digest_of_three_dimensions():
    space = {"subplot_kw": {"projection": "3d"}}
    digests = [
        figure_digest(drawn(lambda axis, z=z: axis.plot([0, 1], [0, 1], [0, z]), **space)) for z in (1.0, 1.0, 2.0)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_the_digest_of_what_cannot_be_placed():
    """A point at minus infinity of a logarithmic axis, and an axis of no length."""
    figure = drawn(lambda axis: (axis.plot([0.0, 1.0], [0.0, 1.0]), axis.set_xscale("log")))
    assert len(figure_digest(figure)) == 12
    assert len(figure_digest(drawn(lambda axis: axis.imshow(np.ones((2, 2)))))) == 12


def test_a_digest_is_of_a_figure():
    with pytest.raises(TypeError, match=r"^figure: expected a matplotlib Figure, got int"):
        figure_digest(3)
