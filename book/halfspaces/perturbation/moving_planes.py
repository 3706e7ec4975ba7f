"""The two planes of `fig-perturbation`: they share a line, and an error turns one away from the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lifelong._checks import number
from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle
from lifelong_book.halfspaces.perturbation.claims import figure_vectors
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark, Space
from lifelong_book.press.moving.picture import Picture, moving, slider


def planes_data(separations: Sequence[float], errors: Sequence[float]) -> list[list[dict[str, Any]]]:
    """Data of the moving picture of two planes with a common line, as far apart as a separation and an error allow."""
    axis, found = np.eye(3)[:1], []
    for given in separations:
        beta, row = number("separations", given, "(0, 0.5]"), []
        for value in errors:
            e = number("errors", value, "(0, 0.5]")
            tilt = float(np.arcsin(min(1.0, np.sin(e) / np.sin(beta))))
            along = (
                np.arctan(np.tan(beta) * np.cos(tilt)) if e < beta else np.arccos(min(1.0, np.cos(e) / np.cos(beta)))
            )
            along = max(along, 1e-9)  # with an error as large as the separation it would be the shared vector: no plane
            true = np.array([np.cos(along), np.sin(along), 0.0])
            learned = np.array([np.cos(beta), np.sin(beta) * np.cos(tilt), np.sin(beta) * np.sin(tilt)])
            error, separation = float(angle(true, learned)), float(angle_to_subspace(learned, axis))
            row.append(
                {
                    "true": true,
                    "learned": learned,
                    "error": error,
                    "separation": separation,
                    "angle": float(subspace_angle([axis[0], true], [axis[0], learned])),
                    "bound": np.pi / 2 * error / separation,
                }
            )
        found.append(row)
    return found


def figure_error() -> float:
    """For the moving picture of two planes: the error in the paper's figure (a), as large as its separation."""
    v = figure_vectors()
    return float(angle(v["w1"], v["w1~"]))


def planes_picture(data: Sequence[Sequence[dict[str, Any]]], *, separation: int = 0, error: int = 0) -> Picture:
    """Moving picture of Lemma 3, of `planes_data`: two planes in space, and seen along the line that they share."""
    widest = max(step["separation"] for row in data for step in row)
    farthest = max(float(np.hypot(*step["true"][1:])) for row in data for step in row)
    space, large = Space(6, 160, 1, turn=-0.5, tilt=0.5), 105 / widest
    eye, unit = np.array([250.0, 176.0]), 118 / max(widest, farthest)

    def at(along: float, vector: Any, share: float = 1.0) -> Any:  # what is beside the axis is enlarged
        return space.at((155 * along, *(share * large * np.asarray(vector)[1:])))

    def seen(vector: Any) -> Any:
        return eye + unit * np.array([vector[1], -vector[2]])

    def ray(turn: float, length: float = 150) -> Any:
        return eye + length * np.array([np.cos(turn), -np.sin(turn)])

    def frame(i: int, n: int) -> tuple[list[Mark], str]:
        step = data[i][n]
        tilt, allowed = step["angle"], min(step["bound"], np.pi / 2)
        b, learned = step["true"], step["learned"]
        across = np.array([0, np.cos(tilt), np.sin(tilt)]) * 1.15 * widest
        flat = np.array([0, 1.15 * widest, 0])
        corners = [[at(0, 0 * flat), at(1, 0 * flat), at(1, v), at(0, v)] for v in (flat, across)]
        says = f"allows {step['bound']:#.3g}" if step["bound"] <= np.pi / 2 else "says nothing"
        turn = np.linspace(0, tilt, 13)
        circle = np.linspace(0, np.pi / 2, 25)
        drawn = [
            marks.text("space-name", (0, 14), "in space, enlarged sideways", "ink thick"),
            marks.text("seen-name", (236, 14), "along the shared vector", "ink thick"),
            marks.path("true-plane", corners[0], "true filled", closed=True),
            marks.path("learned-plane", corners[1], "learned filled", closed=True),
            marks.arrow("shared", at(0, 0 * flat), at(1.12, 0 * flat), "ink"),
            marks.arrow("b", at(0, 0 * flat), at(1, b), "target"),
            marks.arrow("learned", at(0, 0 * flat), at(1, learned), "learned"),
            marks.path("kept", eye + unit * step["separation"] * np.c_[np.cos(circle), -np.sin(circle)], "grid"),
            marks.line("true-line", eye, ray(0), "true"),
            marks.line("allowed", eye, ray(allowed), "bound"),
            marks.line("learned-line", eye, ray(tilt), "learned"),
            marks.path("angle", np.array([ray(t, 44) for t in turn]), "measured thick"),
            marks.line("error", seen(b), seen(learned), "ink"),
            marks.circle("axis", eye, 4, "ink solid"),
            marks.circle("seen-b", seen(b), 4.5, "target solid"),
            marks.circle("seen-learned", seen(learned), 4.5, "learned erased unbroken"),
            marks.text("angle-name", (236, 206), f"angle of the planes {tilt:#.3g}", "measured thick"),
            marks.text("allowed-name", (236, 224), f"Lemma 2 {says}", "bound"),
            marks.text("true-name", (0, 206), "solid: true", "true"),
            marks.text("learned-name", (0, 224), "dashed: learned", "learned"),
        ]
        words = f"The learned vector is {step['separation']:.3g} from the shared one and has the error "
        words += f"{step['error']:.4g}. The planes are at the angle {tilt:#.3g}, and Lemma 2 {says}"
        words += "." if step["bound"] <= np.pi / 2 else ", for its bound is above π/2."
        words += " They are orthogonal: the error is as large as the separation, or larger." * (step["angle"] > 1.57)
        return drawn, words

    def label(value: float) -> str:
        caption = {0.01: "0.01, as in (b)", round(figure_error(), 6): f"{value:.4f}, as in (a)"}
        return caption.get(round(value, 6), f"{value:.4g}")

    return moving(
        "planes",
        [
            slider("separation", [row[0]["separation"] for row in data]),
            slider("error", [label(step["error"]) for step in data[0]]),
        ],
        frame,
        start=(separation, error),
        size=(440, 234),
        alt="On the left, in space, two planes through one arrow, a solid and a dashed one, each with a vector in it. "
        "On the right the same seen along that arrow: two rays from a point, whose angle grows with the error "
        "until they are at right angles, and a dashed ray for what Lemma 2 allows.",
    )
