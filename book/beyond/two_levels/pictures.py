"""Pictures of the direct learner, below chapter 3.5."""

from collections.abc import Sequence

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.space import arrow, paper, pointer, words
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def leaning_answers(targets: FloatArray, answers: FloatArray, rejected: FloatArray) -> Figure:
    """A picture for the direct learner: two close targets, answers that lean to opposite sides, and their plane."""
    axis = plt.figure(figsize=(5.2, 4.6)).subplots()
    blue, red, black = COLOURS["blue"], COLOURS["vermilion"], COLOURS["black"]
    steep = answers[1] - answers[0]
    steep = 0.95 * steep / np.linalg.norm(steep)
    for across, colour, style in ((0.95 * np.eye(3)[1], blue, "-"), (steep, red, "--")):
        corners = np.array([-across, 1.25 * np.eye(3)[0] - across, 1.25 * np.eye(3)[0] + across, across])
        flat = paper(corners)
        axis.fill(*flat.T, facecolor=colour, alpha=0.14, linestyle="none")
        axis.plot(*np.vstack([flat, flat[:1]]).T, style, color=colour, linewidth=1)
    for vector, text, shift in zip(targets, ("$a_1$", "$a_2$"), ((0.1, 0.02), (0.1, 0.03)), strict=True):
        arrow(axis, vector, blue, text, shift)
    for vector, text, shift in zip(answers, ("$b_1$", "$b_2$"), ((-0.02, 0.12), (0.0, -0.13)), strict=True):
        arrow(axis, vector, red, text, shift, "--")
    arrow(axis, 0.9 * rejected, black, "$a$", (-0.09, 0.0))
    foot = rejected @ steep / (steep @ steep) * steep
    axis.plot(*paper([0.9 * rejected, 0.9 * foot]).T, ":", color=black, linewidth=2)
    return bare(axis)


@drawn
def narrow_and_wide(theta: float, eta: float, psi: float) -> Figure:
    """A picture for the direct learner: two lines serve directions near them; with a rejected target's, all."""
    served, mu = float(np.arcsin(np.tan(theta) / np.tan(eta) * np.sin(psi / 2))), 1.45
    wide = mu + psi / 2
    third = ((-wide / 2, psi - wide / 2, wide / 2), np.pi / 2, None)
    return _lines_of_a_plane([((-psi / 2, psi / 2), served, mu), third])


def _lines_of_a_plane(pairs: Sequence[tuple[Sequence[float], float, float | None]]) -> Figure:
    """A picture for the direct learner: lines of features in a plane, what they serve, a target they reject."""
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(1, len(pairs), figsize=(6.0, 3.3))
    for axis, (lines, served, target) in zip(axes, pairs, strict=True):
        turns = np.pi / 2 + np.linspace(-served, served, 60)
        for sign in (1, -1):
            rim = sign * np.vstack([np.zeros(2), np.column_stack([np.cos(turns), np.sin(turns)])])
            axis.fill(*rim.T, color=COLOURS["green"], alpha=0.18, linestyle="none")
        for line in lines:
            end = np.array([np.sin(line), np.cos(line)])
            axis.plot(*np.array([-end, end]).T, "-", color=COLOURS["vermilion"])
        axis.plot([0, 0], [-1, 1], ":", color="#777777", linewidth=1.2)
        if target is not None:
            end = 0.85 * np.array([np.sin(target), np.cos(target)])
            pointer(axis, (0, 0), end, COLOURS["blue"])
            words(axis, 1.12 * end, "$a$", color=COLOURS["blue"], fontsize=14, ha="center", va="center")
            arc = np.linspace(0, target, 30)
            axis.plot(0.42 * np.sin(arc), 0.42 * np.cos(arc), "-", color="#555555", linewidth=1.2)
            words(axis, 0.52 * np.array([np.sin(0.72 * target), np.cos(0.72 * target)]), r"$\mu$", fontsize=13)
        axis.add_patch(Circle((0, 0), 1, fill=False, color="#999999", linewidth=0.8))
        bare(axis, (-1.08, 1.08), (-1.08, 1.08))
    return figure
