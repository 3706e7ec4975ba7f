"""The pictures of the front page."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import integer
from lifelong_book.halfspaces.perturbation.moving_explorer import perturbation_data
from lifelong_book.press.figures import rounded
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def errors_multiply(errors: Sequence[int], coefficients: Sequence[int], allowed: float) -> Figure:
    """A front drawing: errors of three learned vectors, what one combination makes of them, and what is promised."""
    figure, axis = plt.subplots(figsize=(4.8, 2.45))
    colours = [COLOURS[name] for name in ("sky", "orange", "vermilion")]
    axis.axhline(allowed, color=COLOURS["black"], linestyle="--", linewidth=1.4, zorder=0)
    axis.annotate(f"the lemma allows {allowed:.1f}", (-0.45, allowed + 1), fontsize=11.5)
    bottom, last = 0.0, len(errors) + 0.4
    for i, (error, coefficient, colour) in enumerate(zip(errors, coefficients, colours, strict=True)):
        look: dict[str, Any] = {"color": colour, "edgecolor": COLOURS["black"], "linewidth": 0.8}
        axis.bar(i, abs(error), **look)
        axis.annotate(f"{abs(error)}", (i, abs(error) + 0.8), ha="center", fontsize=12)
        part = abs(error * coefficient)
        axis.bar(last, part, bottom=bottom, **look)
        times = f"{abs(coefficient)} × {abs(error)}" if abs(coefficient) != 1 else f"{abs(error)}"
        axis.annotate(times, (last, bottom + part / 2), ha="center", va="center", fontsize=12)
        bottom += part
    axis.annotate(f"{bottom:.0f}", (last, bottom + 0.8), ha="center", fontsize=13, fontweight="bold")
    names = ["1st", "2nd", "3rd", "combined"]
    axis.set_xticks([*range(len(errors)), last], names, fontsize=11.5)
    axis.set(ylabel="error (units)", ylim=(0, 42), yticks=[], xlim=(-0.6, last + 0.6))
    axis.grid(visible=False)
    return figure


def front(how: Sequence[str], labels: Sequence[int], alone: int) -> Figure:
    """A front drawing: labels of each task, learned from scratch or by reuse, and a line for those of a task alone."""
    figure, axis = plt.subplots(figsize=(6.8, 2.6))
    looks = {"scratch": ("vermilion", "learned from scratch"), "reused": ("blue", "put together from features")}
    for kind, (colour, word) in looks.items():
        places = np.flatnonzero([k == kind for k in how])
        axis.bar(places + 1, np.asarray(labels)[places], color=COLOURS[colour], label=word)
    axis.axhline(alone, color=COLOURS["black"], linestyle="--", label="alone")
    axis.set(xlabel="task", ylabel="labels")
    axis.legend()
    return figure


def chapters_map(
    places: Mapping[str, tuple[str, float, float]], arrows: Sequence[tuple[str, str]], short: Collection[str]
) -> Figure:
    """A front drawing, the map of the chapters: title, column and row; arrows to what needs them; the short path."""
    axis = plt.figure(figsize=(5.0, 6.2)).subplots()
    wide, high = 0.86, 0.56
    for number, (title, x, y) in places.items():
        look: dict[str, Any] = {"linewidth": 1.0, "edgecolor": COLOURS["black"]}
        if number in short:
            look = {"linewidth": 2.6, "edgecolor": COLOURS["blue"]}
        rounded(axis, (x, -y), (wide, high), 0.08, fill=False, **look)
        axis.text(x, -y, f"{number}\n{title}", ha="center", va="center", fontsize=10.5, linespacing=1.15)
    for start, end in arrows:
        (_, x, y), (_, u, v) = places[start], places[end]
        turn = wide / 2 * np.sign(u - x)
        ends = ((x, -y - high / 2), (u, -v + high / 2)) if u == x else ((x + turn, -y), (u - turn, -v))
        if u != x and v > y:  # down and sideways: from the bottom to the top
            ends = ((x + turn / 2, -y - high / 2), (u - turn / 2, -v + high / 2))
        axis.annotate("", ends[1], xytext=ends[0], arrowprops={"arrowstyle": "-|>", "color": COLOURS["black"]})
    rows, columns = [y for _, _, y in places.values()], [x for _, x, _ in places.values()]
    return bare(axis, (min(columns) - 0.5, max(columns) + 0.5), (-max(rows) - 0.4, -min(rows) + 0.4), equal=False)


def compounding(separation: float = 0.25, *, most: int = 7) -> Figure:
    """The picture that the README shows: the bound of `lem-subspace` and the angle of the extremal chain, over k."""
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
    axis.set(xlabel="number of vectors $k$", ylabel="angle from true to learned span (radians)", xticks=sizes)
    axis.set_title(f"Separation {separation:g}, errors as large as the printed lemma allows")
    return figure
