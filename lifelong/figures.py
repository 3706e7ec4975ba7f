"""The book's drawing style and its recurring figures; the only module that imports matplotlib."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import numpy as np

from lifelong import bounds, instances
from lifelong._checks import bool_array, integer
from lifelong.angles import subspace_angle
from lifelong.claims.ledger import KINDS
from lifelong.claims.section3 import largest_error
from lifelong.factorisation import formal_concepts

__all__ = [
    "COLOURS",
    "certificate_map",
    "compounding",
    "concept_lattice",
    "discrepancy_boxes",
    "figure_digest",
    "image_grid",
    "ledger_bites",
    "ledger_evidence",
    "ledger_table",
    "perturbation_data",
    "perturbation_explorer",
    "perturbation_planes",
    "preorder_steps",
    "use_book_style",
]

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
    """Set matplotlib to the book's style, and notebooks to sharp pictures.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is not installed (`pip install lifelong[figures]`).

    Notes
    -----
    Used by every chapter, from `fig-perturbation` on.

    Examples
    --------
    >>> use_book_style()
    >>> import matplotlib as mpl
    >>> mpl.rcParams["axes.spines.top"]
    False
    """
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


#: Key of the digest in the picture file.
DIGEST = "Digest"


def _signed_picture(figure: Any) -> Any:
    """The picture at double resolution; its file says what was drawn."""
    from IPython.core.pylabtools import retina_figure

    return retina_figure(figure, metadata={DIGEST: figure_digest(figure)})  # type: ignore[no-untyped-call]


def _signed_text(figure: Any, printer: Any, cycle: bool) -> None:
    """What stands beside the picture in a notebook, and is compared when the notebook is tested."""
    printer.text(f"<Figure: axes {len(figure.axes)}, digest {figure_digest(figure)}>")


def figure_digest(figure: Any) -> str:
    """A short name for what a figure shows, so that a picture which is no longer true can be told.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Returns
    -------
    str
        Twelve hexadecimal digits. It changes when a point moves by more than 0.4 % of its axis, when a colour, a mark,
        a word or a limit changes; it does not depend on fonts, on the file's format, or on the last digits of a
        computation. Of a curve of many points 200 are looked at. An artist with the gid "rounding" shows rounding
        errors themselves, which are another processor's own: of it only the look counts.

    Raises
    ------
    AttributeError
        If `figure` is no figure.

    Notes
    -----
    For the figures of every chapter, from `fig-perturbation` on. A notebook holds it twice, beside the picture and
    inside its file; the tests compare both with a fresh run.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> names = []
    >>> for end in (1.0, 1.0 + 1e-12, 1.01):
    ...     figure, axis = plt.subplots()
    ...     _ = axis.plot([0.0, 0.5, end]), axis.set_ylim(0, 2)
    ...     names.append(figure_digest(figure))
    ...     plt.close(figure)
    >>> names[0] == names[1], names[0] == names[2]
    (True, False)
    """
    from hashlib import sha256

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


def image_grid(
    images: Any, shape: tuple[int, int], *, columns: int = 16, titles: Any = None, colours: Any = None
) -> Any:
    """Draw rows of booleans as small black-and-white pictures in a grid.

    Parameters
    ----------
    images : array_like, shape (m, height * width), bool
    shape : tuple of int
        (height, width) of a picture.
    columns : int, default 16
        Pictures a row.
    titles : sequence of str, optional
        One for each picture.
    colours : sequence of str, optional
        Colour of the set pixels of each picture; black unless given.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If `images` is not a boolean matrix whose rows fill `shape`.

    Notes
    -----
    The pieces of `algo-consistency-anchor` on real input.

    Examples
    --------
    >>> figure = image_grid(np.eye(4, dtype=bool), (2, 2), columns=4)
    >>> len(figure.axes)
    4
    """
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    rows = bool_array("images", images, axes=2)
    if rows.shape[1] != shape[0] * shape[1]:
        raise ValueError(f"images: expected rows of {shape[0]} x {shape[1]} pixels, got {rows.shape[1]}")
    lines = -(-len(rows) // columns)
    size = (0.46 * columns, lines * 0.46 * columns / columns * shape[0] / shape[1] + (0.2 * lines if titles else 0))
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for i, axis in enumerate(axes.ravel()):
        if i >= len(rows):
            axis.remove()
            continue
        colour = colours[i] if colours is not None else COLOURS["black"]
        axis.imshow(rows[i].reshape(shape), cmap=ListedColormap(["#FFFFFF", colour]), vmin=0, vmax=1)
        axis.set_xticks([])
        axis.set_yticks([])
        axis.grid(False)
        for spine in axis.spines.values():
            spine.set(visible=True, color="#BBBBBB", linewidth=0.5)
        if titles is not None:
            axis.set_title(titles[i], fontsize=8, loc="center", pad=2)
    return figure


def perturbation_data(separations: Any, sizes: Any) -> dict[str, Any]:
    """What `lem-subspace` promises and what really happens, for every separation and number of vectors.

    Parameters
    ----------
    separations : array_like of float, shape (g,)
        Values of gamma in (0, pi/2] radians.
    sizes : array_like of int, shape (s,)
        Values of k, at least 1.

    Returns
    -------
    dict
        "gamma" (g,), "k" (s,), and lists (g, s) of angles in radians: "printed" (the printed bound), "sharp" (the
        bound of `thm-subspace-sharp`) and "measured" (the angle between the spans of the extremal chain), each
        at the largest error that the precondition admits, "error".

    Raises
    ------
    ValueError
        If a value is out of range.

    Notes
    -----
    `lem-subspace`, `thm-subspace-sharp`.

    Examples
    --------
    >>> data = perturbation_data([0.25], [1, 3])
    >>> data["measured"][0][1] > data["printed"][0][1]
    True
    """
    gammas, ks = np.asarray(separations, dtype=float), [int(k) for k in sizes]
    table: dict[str, Any] = {"gamma": gammas.tolist(), "k": ks, "error": [], "printed": [], "sharp": [], "measured": []}
    for gamma in gammas:
        errors = [float(largest_error(k, gamma)) for k in ks]
        pairs = [instances.worst_targets(instances.chain(k, gamma), e) for k, e in zip(ks, errors, strict=True)]
        table["error"].append(errors)
        table["printed"].append([float(bounds.subspace_printed(k, e, gamma)) for k, e in zip(ks, errors, strict=True)])
        table["sharp"].append([float(bounds.subspace_sharp(k, e, gamma)) for k, e in zip(ks, errors, strict=True)])
        table["measured"].append([float(subspace_angle(pair.learned, pair.true)) for pair in pairs])
    return table


_LEFT, _WIDTH, _BOTTOM, _HEIGHT = 58, 372, 258, 210  # the plot inside the 440 x 300 drawing of explorer.html


def _x(i: int, count: int) -> float:
    return _LEFT + _WIDTH * i / (count - 1)


def _y(angle: float) -> float:
    return float(_BOTTOM - _HEIGHT * (np.log10(angle) + 4) / 4.3)


def _path(angles: list[float]) -> str:
    points = [f"{_x(i, len(angles)):.1f} {_y(a):.1f}" for i, a in enumerate(angles)]
    return "M" + "L".join(points)


def _frame(sizes: list[int]) -> str:
    """Axes, grid and labels of the explorer."""
    right = _LEFT + _WIDTH
    lines = [f'<path class="axis" d="M{_LEFT} 46V{_BOTTOM}H{right}"/>']
    for value, text in (
        (1e-4, "0.0001"),
        (1e-3, "0.001"),
        (1e-2, "0.01"),
        (1e-1, "0.1"),
        (1.0, "1"),
        (np.pi / 2, "π/2"),
    ):
        lines.append(f'<path class="grid" d="M{_LEFT} {_y(value):.1f}H{right}"/>')
        if text != "1":  # too near to pi/2 for two labels
            lines.append(f'<text x="{_LEFT - 6}" y="{_y(value) + 4:.1f}" text-anchor="end">{text}</text>')
    for i, k in enumerate(sizes):
        lines.append(f'<text x="{_x(i, len(sizes)):.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{k}</text>')
    lines.append(f'<text x="{_LEFT + _WIDTH / 2}" y="{_BOTTOM + 35}" text-anchor="middle">number of vectors k</text>')
    middle = _BOTTOM - _HEIGHT / 2
    turned = f'<text transform="translate(11 {middle:.0f}) rotate(-90)" text-anchor="middle">'
    lines.append(turned + "angle of the spans (radians)</text>")
    return "".join(lines)


def perturbation_explorer(data: dict[str, Any], *, separation: int = 0, size: int = 0) -> Any:
    """Show `perturbation_data` as a figure with two sliders, for gamma and for k, that needs no server.

    Parameters
    ----------
    data : dict
        From `perturbation_data`, with two sizes or more.
    separation, size : int
        Positions of the sliders at the start: indices into the separations and the sizes.

    Returns
    -------
    IPython.display.HTML
        One drawing with its data and its script inside: it works in the built page with the network cut and in
        a notebook, answers to the arrow keys, and shows its starting position where scripts are off.

    Raises
    ------
    ValueError
        If a position is out of range.

    Notes
    -----
    `lem-subspace` against `thm-subspace-sharp`.

    Examples
    --------
    >>> figure = perturbation_explorer(perturbation_data([0.2, 0.4], [1, 2, 3]), size=2)
    >>> "The printed bound is broken." in figure.data
    True
    """
    from IPython.display import HTML

    i = integer("separation", separation, least=0, most=len(data["gamma"]) - 1)
    j = integer("size", size, least=0, most=len(data["k"]) - 1)
    printed, reached, count = data["printed"][i], data["measured"][i], len(data["k"])
    dots = [
        f'<circle class="dot-reached" r="3" cx="{_x(n, count):.1f}" cy="{_y(a):.1f}"/>' for n, a in enumerate(reached)
    ]
    ratio = reached[j] / printed[j]
    text = f"The chain reaches {ratio:.3g} times the printed bound. The printed bound "
    small = {name: json.loads(json.dumps(data[name]), parse_float=_short) for name in data if name != "sharp"}
    fields = {
        "FRAME": _frame(data["k"]),
        "PRINTED": _path(printed),
        "REACHED": _path(reached),
        "DOTS": "".join(dots),
        "CX": f"{_x(j, count):.1f}",
        "CYP": f"{_y(printed[j]):.1f}",
        "CYR": f"{_y(reached[j]):.1f}",
        "GAMMA": f"{data['gamma'][i]:.3g}",
        "GMAX": len(data["gamma"]) - 1,
        "GINDEX": i,
        "K": data["k"][j],
        "KMAX": count - 1,
        "KINDEX": j,
        "TEXT": text + ("is broken." if ratio > 1 else "holds here."),
        "DATA": json.dumps(small, separators=(",", ":")),
    }
    html = resources.files("lifelong").joinpath("explorer.html").read_text(encoding="utf-8")
    for name, value in fields.items():
        html = html.replace(f"__{name}__", str(value))
    return HTML(html)  # type: ignore[no-untyped-call]


def _short(number: str) -> float:
    """Four significant digits are all that a drawing shows, and the same on every machine."""
    return float(f"{float(number):.4g}")


def _plane(axis: Any, u: Any, v: Any, colour: str, hatch: str) -> None:
    """Draw the part of span(u, v) inside the box of the axes, as a shaded parallelogram."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    corners = np.array([s * u + t * v for s, t in ((0, -1), (1.12, -1), (1.12, 1), (0, 1))])
    plane = Poly3DCollection([corners], facecolor=colour, alpha=0.18, edgecolor=colour, linestyle=hatch)
    axis.add_collection3d(plane)


def _arrow(axis: Any, v: Any, colour: str, text: str, offset: tuple[float, float], style: str = "-") -> None:
    axis.plot(*np.stack([0 * v, v], axis=1), color=colour, linestyle=style, marker="o", markevery=[1])
    axis.text(v[0] + 0.03, v[1] + offset[0], v[2] + offset[1], text, color=colour, fontsize=11)


def perturbation_planes(vectors: dict[str, Any]) -> Any:
    """Draw `fig-perturbation` in three dimensions from its vectors; sideways axes are stretched, ticks are true.

    Parameters
    ----------
    vectors : dict of str to float64, shape (3,)
        From `lifelong.claims.section3.figure_vectors`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    KeyError
        If a vector of the figure is missing.

    Examples
    --------
    >>> from lifelong.claims.section3 import figure_vectors
    >>> len(perturbation_planes(figure_vectors()).axes)
    2
    """
    import matplotlib.pyplot as plt

    v, side, up = vectors, np.array([0, 0.12, 0]), np.array([0, 0, 0.12])
    figure, axes = plt.subplots(1, 2, figsize=(7, 3.9), subplot_kw={"projection": "3d"})
    blue, red = COLOURS["blue"], COLOURS["vermilion"]
    _plane(axes[0], v["w2"], side, blue, "-")
    _plane(axes[0], v["w2~"], up, red, "--")
    _arrow(axes[0], v["w1"], blue, "$w_1$", (0.012, -0.03))
    _arrow(axes[0], v["w1~"], red, r"$\tilde{w}_1$", (0.0, 0.012), "--")
    _arrow(axes[0], v["w2"], COLOURS["black"], r"$w_2=\tilde{w}_2$", (-0.1, -0.035))
    tilt = v["b~"] - (v["b~"] @ v["a1"]) * v["a1"]
    _plane(axes[1], v["a1"], side, blue, "-")
    _plane(axes[1], v["a1"], 0.12 * tilt / np.linalg.norm(tilt), red, "--")
    _arrow(axes[1], v["b"], blue, "$b$", (0.012, -0.03))
    _arrow(axes[1], v["b~"], red, r"$\tilde{b}$", (0.0, 0.014), "--")
    _arrow(axes[1], v["a1"], COLOURS["black"], "$a_1$", (-0.05, -0.035))
    for axis, title in zip(axes, ("(a) orthogonal planes", "(b) close planes"), strict=True):
        axis.set(xlim=(0, 1.12), ylim=(-0.12, 0.12), zlim=(-0.12, 0.12), title=title)
        axis.set(xlabel="x", ylabel="y", zlabel="z", xticks=(0, 0.5, 1), yticks=(-0.1, 0, 0.1), zticks=(-0.1, 0, 0.1))
        axis.view_init(elev=18, azim=-62)
        axis.set_box_aspect((1.3, 1, 1), zoom=0.8)
    return figure


def certificate_map(certificate: Any) -> Any:
    """Draw the boxes of a `lifelong.scalar.Certificate` over the square, each marked by the quotient that proves it.

    Parameters
    ----------
    certificate : Certificate

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    For `ineq-scalar`.

    Examples
    --------
    >>> from lifelong.scalar import certify_scalar_inequality
    >>> len(certificate_map(certify_scalar_inequality()).axes)
    1
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    looks = {"inside": ("sky", ""), "right": ("orange", "//"), "top": ("green", "\\\\"), "corner": ("purple", "xx")}
    figure, axis = plt.subplots(figsize=(4.6, 4.4))
    for (x0, x1, y0, y1), region in zip(certificate.boxes, certificate.regions, strict=True):
        colour, hatch = looks[region]
        axis.add_patch(
            Rectangle(
                (x0, y0), x1 - x0, y1 - y0, facecolor=COLOURS[colour], alpha=0.75, hatch=hatch, edgecolor="#333333"
            )
        )
    for region, (x, y) in {
        "inside": (0.3, 0.3),
        "right": (0.84, 0.3),
        "top": (0.3, 0.84),
        "corner": (0.9, 0.9),
    }.items():
        axis.text(x, y, region, ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    axis.set(xlim=(0, 1), ylim=(0, 1), xlabel=r"$\alpha$ in units of $\pi/2$", ylabel=r"$\beta$ in units of $\pi/2$")
    axis.set_aspect("equal")
    axis.grid(False)
    return figure


_MARKS = {
    "proved": "✓ proved",
    "holds on all instances tried": "≈ holds on all instances tried",
    "exhaustive": "∀ exhaustive",
    "unchecked": "… unchecked",
}


def _kind_mark(kind: str) -> str:
    return f'<span class="found-{kind}">{KINDS[kind][0]} {kind}</span>'


def _standing(claim: dict[str, Any], page: str) -> str:
    """The verdict, and below it each thing found in print, linked to the box that tells it."""
    found = [
        f'<a href="{d["page"] or page}.html#{d["label"]}">{_kind_mark(d["kind"])}</a>' for d in claim["discrepancies"]
    ]
    return "<br>".join([*([_MARKS[claim["verdict"]]] if claim["verdict"] in _MARKS else []), *dict.fromkeys(found)])


def _bites(claim: dict[str, Any]) -> str:
    """Each bite below 0.995 under its name, or that all are above; of a refuted claim the excess."""
    if claim["verdict"] == "refuted":
        return f"exceeded {float(claim['worst']):.3g}-fold" if claim["worst"] else ""
    if not claim["bites"]:
        return "–" if claim["evidence"] else ""
    low = {name: bite for name, bite in claim["bites"].items() if float(bite) < 0.995}
    if not low:
        return "1.00"
    return "<br>".join(f"{float(bite):.2f}{f' ({name})' if name else ''}" for name, bite in low.items())


def _html_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{h}</th>' for h in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _ratio(worst: float | str | None) -> str:
    return f"{worst:.6g}" if isinstance(worst, float) else str(worst or "")


def ledger_table(claims: list[dict[str, Any]]) -> str:
    """HTML table of claims: verdict, what was found in print, instances, bite, twins, what replaces a refuted one.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.claims import LEDGER, reports
    >>> "✗ refuted" in ledger_table([r.as_dict() for r in reports([LEDGER["lem-subspace"]], instances=60)])
    True
    """
    pages = {c["label"]: c["page"].removeprefix("book/") for c in claims}
    rows: list[tuple[str, ...]] = []
    for c in claims:
        twins = [t["violations"] > 0 for t in c["twins"]]
        see = ", ".join(f'<a href="{pages[r]}">{r}</a>' for r in c["replaced_by"] if r in pages)
        standing = _standing(c, pages[c["label"]].partition(".html")[0])
        rows.append(
            (
                f'{c["item"]}<br><a href="{pages[c["label"]]}"><code>{c["label"]}</code></a><br>{c["title"]}',
                "<br>".join(note for note in (standing, c["scope"], f"see {see}" if see else "") if note),
                f"{c['instances']:,}" if c["evidence"] else "",
                _bites(c),
                f"{sum(twins)} of {len(twins)}" if twins else "",
            )
        )
    headings = ("Item", "Verdict", "Instances", "Bite", "Twins violated")
    return _html_table(headings, rows)


def ledger_evidence(claims: list[dict[str, Any]]) -> str:
    """HTML table of every check and every broken twin.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` on.

    Examples
    --------
    >>> from lifelong.claims import LEDGER, reports
    >>> "hand counterexample" in ledger_evidence([r.as_dict() for r in reports([LEDGER["lem-subspace"]], instances=60)])
    True
    """
    rows: list[tuple[str, ...]] = [
        (
            f"<code>{c['label']}</code>",
            f"broken twin: {e['check']}<br>({e['spoiling']})" if twin else e["check"],
            e["kind"],
            f"{e['instances']:,}",
            f"{e['violations']:,}",
            "<br>".join(f"{_ratio(r)} {name}" for name, r in e["ratios"].items()) or _ratio(e["worst"]),
        )
        for c in claims
        for twin in (False, True)
        for e in c["twins" if twin else "evidence"]
    ]
    return _html_table(("Label", "Check", "Kind", "Instances", "Violations", "Worst ratio"), rows)


def ledger_bites(claims: list[dict[str, Any]]) -> str:
    """HTML table of every inequality whose evidence would let a constant go below 0.9, and why.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --bite --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` on.

    Examples
    --------
    >>> entry = {"label": "lem-x", "bites": {"labels": 0.5}, "loose": {"labels": "a Chernoff bound"}}
    >>> "0.50" in ledger_bites([entry])
    True
    """
    rows: list[tuple[str, ...]] = [
        (f"<code>{c['label']}</code>", name or "its bound", f"{float(bite):.2f}", c["loose"].get(name, ""))
        for c in claims
        for name, bite in c["bites"].items()
        if float(bite) < 0.9
    ]
    return _html_table(("Label", "Inequality", "Bite", "Why no more"), rows)


def discrepancy_boxes(claims: Any) -> str:
    """Everything in print that is not quite true, as MyST Markdown: one box each, the refuted ones first.

    Parameters
    ----------
    claims : iterable of Claim
        Entries of the ledger.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If a kind is unknown.

    Notes
    -----
    The page "What is printed, what is true", from `lem-subspace` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.claims import LEDGER
    >>> "found-refuted" in discrepancy_boxes([LEDGER["lem-subspace"]])
    True
    """
    entries = [(c, d) for kind in KINDS for c in claims for d in c.discrepancies if d.kind == kind]
    return "\n\n".join(_discrepancy_box(claim, d) for claim, d in entries)


def _discrepancy_box(claim: Any, d: Any) -> str:
    repaired = ", ".join(f"{{ref}}`{label} <{label}>`" for label in d.repaired_by)
    rows = (
        ("Printed", d.printed),
        ("What fails" if d.kind != "reading" else "The readings", d.fails),
        ("Smallest example", d.example),
        ("What is true", d.repair + (f" ({repaired})" if repaired else "")),
        ("What it costs", d.cost),
        ("More", f"{{ref}}`where the book tells it <{d.label}>`; `{claim.label}` in {{doc}}`the ledger <ledger>`"),
    )
    title = f"{d.kind.capitalize()}: {claim.item}, {claim.title} ({d.where})"
    text = "\n\n".join(f"**{name}.** {words}" for name, words in rows)
    name = d.label.replace("found-", "printed-")
    return f":::{{admonition}} {title}\n:class: found-{d.kind}\n:name: {name}\n{text}\n:::"


def compounding(separation: float = 0.25, most: int = 7) -> Any:
    """Draw the printed bound of `lem-subspace` against the angle that the extremal chain reaches, over k.

    Parameters
    ----------
    separation : float, default 0.25
        gamma in (0, pi/2] radians.
    most : int, default 7
        The largest number of vectors, at least 2.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `lem-subspace`, `thm-subspace-sharp`; the picture of the README.

    Examples
    --------
    >>> compounding(0.3, 4).axes[0].get_yscale()
    'log'
    """
    import matplotlib.pyplot as plt

    sizes = list(range(1, integer("most", most, least=2) + 1))
    data = perturbation_data([separation], sizes)
    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    axis.semilogy(sizes, data["measured"][0], "o-", color=COLOURS["blue"])
    axis.semilogy(sizes, data["printed"][0], "--", color=COLOURS["vermilion"])
    last = sizes[-1]
    axis.annotate(
        "reached by a chain", (last, data["measured"][0][-1]), (0, -14), textcoords="offset points", ha="right"
    )
    axis.annotate("bound as printed", (last, data["printed"][0][-1]), (0, -14), textcoords="offset points", ha="right")
    axis.set(xlabel="number of vectors $k$", ylabel="angle between the spans (radians)", xticks=sizes)
    axis.set_title(f"Separation {separation:g}, errors as large as the printed lemma allows")
    return figure


def preorder_steps(targets: Any, titles: Any, *, columns: int = 3) -> Any:
    """Draw which variables imply which, before the first target and after each further one.

    Parameters
    ----------
    targets : array_like, shape (r, n), bool
        The targets learned from scratch, in order.
    titles : sequence of str
        One for each of the r + 1 panels.
    columns : int, default 3
        Panels a row.

    Returns
    -------
    matplotlib.figure.Figure
        A square is drawn in row x and column y while every target with x has y; a cross where the
        newest target has just ended that.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    The relation whose incomparable pairs are counted by the potential of `thm-online-sharp`.

    Examples
    --------
    >>> figure = preorder_steps([[True, False]], ["start", "after {1}"])
    >>> len(figure.axes)
    2
    """
    import matplotlib.pyplot as plt

    rows = bool_array("targets", targets, axes=2)
    n = rows.shape[1]
    lines = -(-(len(rows) + 1) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(2.2 * columns, 2.5 * lines), squeeze=False)
    before = np.ones((n, n), dtype=np.bool_)
    for r, axis in enumerate(axes.ravel()):
        if r > len(rows):
            axis.remove()
            continue
        T = rows[r - 1] if r else np.zeros(n, dtype=np.bool_)
        now = before & ~(T[:, None] & ~T[None, :])
        for holds, marker, colour in ((now, "s", COLOURS["blue"]), (before & ~now, "x", COLOURS["vermilion"])):
            x, y = np.nonzero(holds)
            axis.scatter(y + 1, x + 1, marker=marker, color=colour, s=55, linewidths=2)
        before = now
        ticks = np.arange(1, n + 1)
        axis.set(xlim=(0.4, n + 0.6), ylim=(n + 0.6, 0.4), xticks=ticks, yticks=ticks, aspect="equal")
        axis.set_title(titles[r], fontsize=9)
        if r % columns == 0:
            axis.set_ylabel("if a target has x ...")
        if r + columns > len(rows):
            axis.set_xlabel("... it has y")
    return figure


def _levels(intents: Any) -> Any:
    """Which intent covers which (lower, upper), and the longest chain below each; intents are sorted by size."""
    strictly = (~intents[:, None] | intents[None]).all(axis=2) & ~np.eye(len(intents), dtype=np.bool_)
    height = np.zeros(len(intents), dtype=int)
    for i in range(1, len(intents)):
        height[i] = 1 + height[strictly[:, i]].max(initial=-1)
    return strictly & (strictly.astype(int) @ strictly == 0), height


def concept_lattice(targets: Any, *, marked: Any = None) -> Any:
    """Draw the formal concepts of a small family as a diagram: a line for every cover, intents growing upwards.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        At most 9 variables, which are numbered from 1, and few concepts.
    marked : array_like, shape (q, n), bool, optional
        Intents to draw as filled squares; the others are open circles.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If an argument is not a boolean matrix, or there are more than 40 concepts.

    Notes
    -----
    The candidates of `algo-boolean-rank`, and among them the output of `algo-consistency-anchor`.

    Examples
    --------
    >>> figure = concept_lattice([[True, True, False], [True, False, True]])
    >>> len(figure.axes[0].texts)
    4
    """
    import matplotlib.pyplot as plt

    intents = formal_concepts(targets, most=40)[1]
    intents = intents[np.argsort(intents.sum(axis=1), kind="stable")]
    special = {row.tobytes() for row in bool_array("marked", marked, axes=2)} if marked is not None else set()
    covers, height = _levels(intents)
    across = np.zeros(len(intents))
    for level in range(height.max() + 1):  # each above the middle of what it covers, as far as there is room
        here = np.flatnonzero(height == level)
        middle = [across[covers[:, i]].mean() if level else 0.0 for i in here]
        across[here[np.argsort(middle, kind="stable")]] = np.arange(len(here)) - (len(here) - 1) / 2
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    for a, b in np.argwhere(covers):
        axis.plot(across[[a, b]], height[[a, b]], color="#8C8C8C", lw=1, ls="-", zorder=1)
    for row, x, y in zip(intents, across, height, strict=True):
        chosen = row.tobytes() in special
        fill, mark = (COLOURS["blue"], "s") if chosen else ("white", "o")
        axis.plot(x, y, mark, ms=10, color=COLOURS["blue"], mfc=fill, zorder=2)
        name = "".join(str(v + 1) for v in np.flatnonzero(row)) or "∅"
        axis.annotate(name, (x, y), xytext=(10, 0), textcoords="offset points", va="center")
    axis.margins(0.15)
    axis.set_axis_off()
    return figure
