"""The picture that moves: the angle after a perturbation, by its separation and its dimension."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.angles import subspace_angle
from lifelong.halfspaces.perturbation import largest_error

__all__ = [
    "perturbation_data",
    "perturbation_explorer",
]


_LEFT, _WIDTH, _BOTTOM, _HEIGHT = 58, 372, 258, 210  # the plot inside the 440 x 300 drawing of explorer.html


def perturbation_data(separations: ArrayLike, sizes: Iterable[int]) -> dict[str, Any]:
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
    html = resources.files("lifelong.book").joinpath("explorer.html").read_text(encoding="utf-8")
    for name, value in fields.items():
        html = html.replace(f"__{name}__", str(value))
    return HTML(html)  # type: ignore[no-untyped-call]


def _short(number: str) -> float:
    """Four significant digits are all that a drawing shows, and the same on every machine."""
    return float(f"{float(number):.4g}")
