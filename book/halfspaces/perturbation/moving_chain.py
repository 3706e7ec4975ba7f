"""The chain of `lem-subspace`, vector by vector: the span turns, and its error is multiplied."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lifelong._checks import integer
from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, subspace_angle
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark, Plot, Space
from lifelong_book.press.moving.picture import Picture, moving, slider, stream


def chain_data(leans: Sequence[int], most: int) -> list[list[dict[str, Any]]]:
    """Data of the moving picture of the chain against Lemma 3: for several separations, after each of its vectors."""
    most = integer("most", most, least=2, most=10)
    found = []
    for lean in leans:
        gamma = float(np.arctan(1 / integer("leans", lean, least=1)))
        delta = float(np.tan(gamma**2 / (10 * most)))
        row = []
        for k in range(1, most + 1):
            learned = np.eye(k, k + 1) + lean * np.eye(k, k + 1, -1)
            heights = lean * delta * (-1.0) ** np.arange(k)
            heights[0] = delta
            true = learned.copy()
            true[:, -1] += heights
            slopes = np.linalg.solve(learned[:, :k], heights) / delta
            error = float(np.max(angle(true, learned)))
            row.append(
                {
                    "lean": lean,
                    "k": k,
                    "gamma": gamma,
                    "delta": delta,
                    "slopes": slopes * np.sign(slopes[-1]),
                    "error": error,
                    "angle": float(subspace_angle(true, learned)),
                    "printed": float(bounds.subspace_printed(k, error, gamma)),
                }
            )
        found.append(row)
    return found


def chain_picture(data: Sequence[Sequence[dict[str, Any]]], *, separation: int = 0, size: int = 2) -> Picture:
    """Moving picture of `chain_data`: the span of the newest two axes in space, and the angle against Lemma 3."""
    most = len(data[0])
    angles = [step[name] for row in data for step in row for name in ("angle", "printed")]
    plot = Plot(60, 242, 360, 84, (1, most), (min(angles) * 0.8, max(angles) * 1.25), logarithmic=True)
    ticks = [(10.0**n, f"{10.0**n:g}") for n in range(-5, 1) if plot.y[0] < 10.0**n < plot.y[1]]
    background = [
        *plot.axes([(k, str(k)) for k in range(1, most + 1)], ticks, ("number of vectors k", "")),
        marks.text("plot-name", (0, 230), "angle of the spans; solid: measured, dashed: printed bound 2kε/γ"),
        marks.text("space-name", (0, 14), "solid: true span, heights enlarged; dashed: learned span"),
        marks.text("slopes-name", (354, 214), "slope along axis", "ink thin", anchor="end"),
        *(
            marks.text(f"bar-name{j}", (447.5 - 19 * (most - j), 214), str(j + 1), "ink thin", anchor="middle")
            for j in range(most)
        ),
    ]

    def bars(slopes: Any, tallest: float) -> list[Mark]:  # side by side and to one scale: they are multiplied
        found, width = [], 19
        for j in range(most):
            left, high = 436 - width * (most - j), 130 * float(slopes[j] if j < len(slopes) else 0) / tallest
            corners = [(left + 4, 200), (left + width, 200), (left + width, 200 - high), (left + 4, 200 - high)]
            look = "true solid" if j == len(slopes) - 1 else "true filled"
            found.append(marks.path(f"bar{j}", corners, look, closed=True))
        return found

    def frame(i: int, n: int) -> tuple[list[Mark], str]:
        row, step = data[i], data[i][n]
        new, old = step["slopes"][-1], step["slopes"][-2] if n else 0.0
        lean = float(step["lean"]) if n else 0.0
        view = Space(108, 140, 90, turn=0.25, tilt=0.42)
        tallest = row[-1]["slopes"][-1]

        def at(along: float, up: float, height: float) -> Any:  # the axis before, the new axis, the height
            return view.at((2.3 * along / row[0]["lean"], up, 0.85 * height / tallest))

        # a single vector spans a line: the parallelograms are flat
        flat = [at(0, 0, 0), at(lean, 0, 0), at(lean, 1, 0), at(0, 1, 0)]
        true = [at(0, 0, 0), at(lean, 0, lean * old), at(lean, 1, lean * old + new), at(0, 1, new)]
        allowed = np.tan(step["printed"]) / step["delta"]
        here = [plot.at([(s["k"], s[name]) for s in row]) for name in ("printed", "angle")]
        reached = here[1][np.minimum(np.arange(most), n)]  # what is still to come waits at the newest dot
        broken = step["angle"] > step["printed"]
        drawn = [
            *background,
            *bars(np.abs(step["slopes"]), tallest),
            marks.path("flat", flat, "learned filled thin", closed=True),
            marks.path("true", true, "true filled", closed=True),
            marks.path("allowed", [at(0, 0, 0), at(0, 1, 0), at(0, 1, allowed)], "printed filled", closed=True),
            marks.arrow("learned", at(0, 0, 0), at(lean, 1, 0), "learned"),
            marks.arrow("target", at(0, 0, 0), at(lean, 1, lean * old + new), "target"),
            marks.text("slope", at(0, 1, new) + np.array([-6, 10]), f"slope {new:.0f} δ", "true thick", anchor="end"),
            marks.line("lever", at(lean, 0, 0), at(lean, 0, lean * old), "quiet dashed"),
            marks.text("vector", at(lean, 1, 0) + np.array([10, 14]), f"vector {n + 1}", "learned"),
            marks.path("printed", here[0], "printed"),
            marks.path("reached", reached, "measured"),
            marks.dots("dots", reached, "measured"),
            marks.circle("at", reached[-1], 7, "fails" if broken else "measured"),
        ]
        words = f"{n + 1} {'vectors' if n else 'vector'}, errors of at most {step['error']:.3g}: the spans are at the "
        words += f"angle {step['angle']:.3g}, the printed bound allows {step['printed']:.3g}"
        words += f" and is broken, by a factor of {step['angle'] / step['printed']:.3g}." if broken else ": it holds."
        if n:
            middle = (at(lean, 0, 0) + at(lean, 0, lean * old)) / 2 + np.array([8, 4])
            drawn.append(marks.text("lever-name", middle, f"{step['lean']} × {abs(old):.0f} δ", "true"))
            words += f" The new slope is {step['lean']} × {abs(old):.0f} + {step['lean']} = {new:.0f} times δ."
        return drawn, words

    return moving(
        "chain",
        [
            slider("lean", [f"{row[0]['lean']} (γ = {row[0]['gamma']:.3g})" for row in data]),
            stream("vectors", range(1, most + 1)),
        ],
        frame,
        start=(separation, size),
        size=(440, 368),
        alt="Above, in space, the learned span of the newest two axes, a flat dashed parallelogram, and the true span, "
        "a solid one that turns away from it more and more with each vector, and a small wedge for the turn that the "
        "printed bound allows. Beside it the slopes so far as bars, each several times as high as the one before. "
        "Below, on a logarithmic scale, the angle of the spans against the number of vectors, which crosses the dashed "
        "printed bound.",
    )
