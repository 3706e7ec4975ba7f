"""What draws figures, their look, and the digest by which a figure is compared."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong_book.press.extras import needs

__all__ = ["Axes", "Figure", "plt"]  # which come from elsewhere

if TYPE_CHECKING:
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:

    class _Later:
        """`matplotlib.pyplot`, from the moment it is asked for anything."""

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(import_module("matplotlib.pyplot"), name)

    plt, Axes, Figure = _Later(), Any, Any

#: Okabe and Ito's colour-blind safe palette; meaning never rests on colour alone.
COLOURS = {
    "black": "#000000",
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "yellow": "#F0E442",
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
}

_STYLE = {
    "figure.figsize": (6.8, 3.8),
    "figure.dpi": 100,
    "figure.facecolor": "#FFFFFF",
    "savefig.facecolor": "#FFFFFF",
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    "svg.hashsalt": "lifelong",
}


def use_book_style() -> None:
    """Set matplotlib to the book's style, and notebooks to sharp pictures."""
    with needs("matplotlib", extra="figures"):
        import matplotlib as mpl
        from cycler import cycler

    order = ("blue", "vermilion", "green", "purple", "orange", "sky", "black")
    marks = ("-", "--", "-.", ":", "-", "--", "-.")
    mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]
    mpl.rcParams["axes.prop_cycle"] = cycler(color=[COLOURS[c] for c in order], linestyle=marks)
    try:
        from IPython import get_ipython
        from matplotlib_inline.backend_inline import set_matplotlib_formats
    except ModuleNotFoundError:
        return
    shell = get_ipython()
    if shell is not None:
        set_matplotlib_formats("retina")  # type: ignore[no-untyped-call]
        shell.display_formatter.formatters["image/png"].for_type(mpl.figure.Figure, _signed_picture)
        shell.display_formatter.formatters["text/plain"].for_type(mpl.figure.Figure, _signed_text)


def drawn(draw: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns a figure, in the book's style, and shown once where it ends a cell."""

    @wraps(draw)
    def picture(*given: Any, **named: Any) -> Any:
        with plt.rc_context():
            use_book_style()
            figure = draw(*given, **named)
        plt.close(figure)
        return figure

    return picture


def bare(axis: Any, xlim: Any = None, ylim: Any = None, *, equal: bool = True) -> Figure:
    """A drawing, and no plot: without frame and ticks, both axes to one scale if `equal`; returns the figure."""
    axis.set(xlim=xlim, ylim=ylim, **({"aspect": "equal"} if equal else {}))
    axis.set_axis_off()
    figure: Figure = axis.figure
    return figure


#: Key of the digest in the picture file.
DIGEST = "Digest"


#: Bytes that a picture of a page may take.
LARGEST = 60_000


def _eight_bit(picture: bytes) -> bytes:
    """The same picture with so many colours as it may weigh, 256 at most; what its file says stays."""
    from io import BytesIO

    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    seen, notes = Image.open(BytesIO(picture)), PngInfo()
    for name, value in getattr(seen, "text", {}).items():
        notes.add_text(name, value)
    written = picture
    for colours in (256, 64, 32, 16):
        few = seen.convert("RGB").quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.putpalette([255 if value > 250 else value for value in few.getpalette() or []])  # white stays white
        few.save(file := BytesIO(), "PNG", optimize=True, pnginfo=notes)
        written = file.getvalue()
        if len(written) <= LARGEST:
            break
    return written


def _signed_picture(figure: Any) -> Any:
    """The picture at double resolution; its file says what was drawn."""
    from IPython.core.pylabtools import retina_figure

    picture, size = retina_figure(figure, metadata={DIGEST: figure_digest(figure)})  # type: ignore[no-untyped-call]
    return _eight_bit(picture), size


def _signed_text(figure: Any, printer: Any, cycle: bool) -> None:
    """What stands beside the picture in a notebook, and is compared when the notebook is tested."""
    printer.text(f"<Figure: axes {len(figure.axes)}, digest {figure_digest(figure)}>")


def figure_digest(figure: Figure) -> str:
    """A short name for what a figure shows, so that a picture which is no longer true can be told."""
    from hashlib import sha256

    if not hasattr(figure, "axes"):
        raise TypeError(f"figure: expected a matplotlib Figure, got {type(figure).__name__}")
    parts = [str(text.get_text()) for text in figure.texts]
    for axis in figure.axes:
        parts += _drawn_words(axis)
        for artist in (*axis.lines, *axis.collections, *axis.patches, *axis.images):
            parts += _drawn(axis, artist)
    return sha256("\n".join(parts).encode()).hexdigest()[:12]


def _drawn_words(axis: Any) -> list[str]:
    """Titles, labels, notes, legend and limits."""
    legend = axis.get_legend()
    texts = [*axis.texts, *(legend.get_texts() if legend else ())]
    words = [axis.get_title(loc) for loc in ("left", "center", "right")] + [t.get_text() for t in texts]
    limits = [f"{value:.4g}" for value in (*axis.get_xlim(), *axis.get_ylim())]
    scales = [axis.get_xlabel(), axis.get_ylabel(), axis.get_xscale(), axis.get_yscale()]
    return [*words, *limits, *scales]


def _drawn(axis: Any, artist: Any) -> list[str]:
    """Where an artist lies within its axis, in steps of 0.4 %, and how it looks."""
    parts = [type(artist).__name__, str(artist.get_visible())]
    for name in ("get_color", "get_facecolor", "get_edgecolor"):
        if hasattr(artist, name):
            parts.append(str(_colours(getattr(artist, name)())))
    parts += [str(getattr(artist, name)()) for name in ("get_marker", "get_hatch") if hasattr(artist, name)]
    points: list[Any] = []
    if hasattr(artist, "is_dashed"):  # a line; the dashes of a collection have no name
        parts.append(str(artist.get_linestyle()))
    if hasattr(artist, "get_data_3d"):
        points = [np.column_stack(artist.get_data_3d())]
    elif hasattr(artist, "get_xydata"):
        points = [artist.get_xydata()]
    elif hasattr(artist, "get_array") and artist.get_array() is not None:
        low, high = artist.get_clim()
        shade = (np.asarray(artist.get_array(), dtype=float) - low) / ((high - low) or 1.0)
        parts.append(str(np.floor(shade * 250 + 0.2113).astype(int).ravel().tolist()))
    if hasattr(artist, "get_offsets"):
        points.append(np.ma.filled(artist.get_offsets(), np.nan))
    if hasattr(artist, "get_paths"):
        points += [path.vertices for path in artist.get_paths()]
    elif hasattr(artist, "get_patch_transform"):
        points.append(artist.get_patch_transform().transform(artist.get_path().vertices))
    if artist.get_gid() == "rounding":
        points = []
    return parts + [_steps(axis, np.asarray(p, dtype=float)) for p in points if np.size(p)]


def _colours(colour: Any) -> Any:
    from matplotlib.colors import to_hex, to_rgba_array

    return [to_hex(c, keep_alpha=True) for c in np.round(to_rgba_array(colour), 2)]


def _steps(axis: Any, points: Any) -> str:
    """Points in steps of the axis, rounded where no round number lies on the edge; `~` where there is none."""
    if len(points) > 200:
        points = points[np.linspace(0, len(points) - 1, 200).round().astype(int)]
    if points.shape[-1] == 2 and not hasattr(axis, "get_zlim"):
        corners = np.column_stack([axis.get_xlim(), axis.get_ylim()])
        with np.errstate(all="ignore"):
            points, (low, high) = axis.transScale.transform(points), axis.transScale.transform(corners)
    else:
        low, high = np.nanmin(points), np.nanmax(points)
    with np.errstate(all="ignore"):
        steps = np.floor((points - low) / np.where(high == low, 1.0, high - low) * 250 + 0.2113)
    return " ".join(f"{s:.0f}" if np.isfinite(s) and abs(s) < 1e9 else "~" for s in steps.ravel())
