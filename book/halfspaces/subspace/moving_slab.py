"""The proof of `thm-halfspaces-volume`: the smallest box that rejections allow, in the slab that errors allow."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark, Plot, Space
from lifelong_book.press.moving.picture import Picture, moving, slider, stream

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def slab_data(epsilon: float, accuracies: Sequence[float], most: int) -> list[list[dict[str, Any]]]:
    """Data of the moving picture of Algorithm 1's chapter, the volume bound: vectors near a plane; volumes."""
    found = []
    for accuracy in accuracies:
        apart, aside = np.pi * (epsilon - accuracy), np.pi * accuracy
        far, near = float(np.sin(apart)), float(np.sin(aside))
        half = np.sin(apart / 2)
        turn = min(apart, float(np.arcsin(min(1.0, near / half))))
        side = half * np.array([np.cos(turn), np.sin(turn)])
        left, middle = apart - turn, np.cos(apart / 2)
        third = [0, np.cos(left), np.sin(left)]
        vectors = np.array([[middle, -side[0], side[1]], [middle, side[0], -side[1]], third])
        row = []
        for count in range(1, most + 1):
            some = vectors[:count]
            distances = [np.sin(angle_to_subspace(some[i], some[:i])) for i in range(1, len(some))]
            least, allowed = far ** (count - 1), 1.0
            if count > 2:  # the slack is the logarithm of what is allowed over what is needed
                allowed = least * np.exp(bounds.volume_slack(count, 2, epsilon, accuracy))
            row.append(
                {
                    "epsilon": epsilon,
                    "accuracy": float(accuracy),
                    "features": count,
                    "vectors": some,
                    "far": far,
                    "near": near,
                    "tip": float(np.sin(angle_to_subspace(some[-1], np.eye(3)[:2]))),
                    "volume": float(np.prod(distances)),
                    "least": float(least),
                    "most": float(min(1.0, allowed)),
                    "bound": int(bounds.volume_bound(2, epsilon, accuracy)),
                }
            )
        found.append(row)
    return found


def slab_picture(data: Sequence[Sequence[dict[str, Any]]], *, accuracy: int = 0, size: int = 2) -> Picture:
    """Moving picture of Algorithm 1's chapter, the volume bound, from `slab_data`: the box in its slab."""
    counts = [step["features"] for step in data[0]]
    low = min(min(step["least"], step["most"]) for row in data for step in row)
    plot = Plot(60, 222, 350, 80, (1, counts[-1]), (low * 0.5, 1.6), logarithmic=True)
    powers = range(int(np.floor(np.log10(low))), 1)
    ticks = [(10.0**n, f"{10.0**n:g}") for n in powers if n % (1 + len(powers) // 6) == 0 and 10.0**n >= plot.y[0]]
    background = [
        *plot.axes([(n, str(n)) for n in counts], ticks, ("number of features N", "")),
        marks.text("plot-name", (0, 209), "volume; solid: needed at least, dashed: at most in the slab"),
    ]
    view = Space(86, 108, 182, turn=-1.25, tilt=0.16)
    corners = np.array([(-0.2, -0.35, 0), (1.8, -0.35, 0), (1.8, 1.3, 0), (-0.2, 1.3, 0)])

    def frame(i: int, n: int) -> tuple[list[Mark], str]:
        row, step = data[i], data[i][n]
        vectors, near, count = step["vectors"], step["near"], step["features"]
        inside = len(vectors) < 3 or step["tip"] <= near * (1 + 1e-9)
        room = step["least"] <= step["most"]
        look = "learned" if inside else "fails"
        drawn = [*background]
        for name, z in (("below", -near), ("above", near)):
            drawn.append(
                marks.path(name, view.at(corners + np.array([0, 0, z])), "metafeature filled thin", closed=True)
            )
        full = np.zeros((3, 3))
        full[: len(vectors)] = vectors  # what is not there yet is flat
        for j in range(3):
            a, b = (full[m] for m in range(3) if m != j)
            for name, shift in (("near", np.zeros(3)), ("far", full[j])):
                if len(vectors) == 3 or (j == 2 and name == "near" and len(vectors) == 2):
                    face = view.at(np.array([shift, shift + a, shift + a + b, shift + b]))
                    drawn.append(marks.path(f"{name}{j}", face, f"{look} filled thin unbroken", closed=True))
        for j, v in enumerate(vectors):
            kind = f"{look if j == 2 else 'learned'} unbroken"
            drawn.append(marks.arrow(f"v{j}", view.at((0, 0, 0)), view.at(v), kind))
            place = view.at(1.06 * v) + np.array([(-10, 12), (-4, 16), (6, 4)][j])
            drawn.append(marks.text(f"n{j}", place, f"{j + 1}", kind.split()[0]))
        if len(vectors) == 3:
            normal = np.cross(vectors[0], vectors[1])
            normal /= np.linalg.norm(normal)
            foot = vectors[2] - normal * (normal @ vectors[2])
            drawn.append(marks.line("height", view.at(vectors[2]), view.at(foot), "ink dashed"))
            drawn.append(marks.text("s", view.at((vectors[2] + foot) / 2) + np.array([6, 4]), "s", "ink"))
        edge = view.at(np.array([[1.8, 1.3, -near], [1.8, 1.3, near]]))
        drawn.append(marks.line("thick", edge[0], edge[1], "metafeature thick"))
        drawn.append(marks.text("2t", edge.mean(axis=0) + np.array([7, 4]), "2t", "metafeature"))
        lines = {name: plot.at([(other["features"], other[name]) for other in row]) for name in ("least", "most")}
        drawn.append(marks.path("least", lines["least"], "learned unbroken"))
        drawn.append(marks.path("most", lines["most"], "bound"))
        at = plot.at((count, step["least"]))
        drawn.append(marks.line("gap", at, plot.at((count, step["most"])), "quiet" if room else "fails thick"))
        drawn.append(marks.circle("at", at, 7, "learned unbroken" if room else "fails"))
        drawn.append(marks.text("shown", (0, 14), _heading(count, inside)))
        return drawn, _words(step, inside, room)

    return moving(
        "slab",
        [slider("accuracy", [f"{row[0]['accuracy']:.3g}" for row in data]), stream("features", counts)],
        frame,
        start=(accuracy, size),
        size=(440, 342),
        alt="Above, in space, two parallel sheets, the slab, and the box of up to three unit vectors: each is just far "
        "enough from those before. As the accuracy gets finer the slab gets thinner, and the third vector no longer "
        "fits. Below, on a logarithmic scale, the volume that features need and the volume that the slab allows "
        "against the number of features: two falling lines that cross.",
    )


def _heading(count: int, inside: bool) -> str:
    if count > 3:
        return "the first three" + ("; a fourth needs a fourth dimension" if inside else ": the third sticks out")
    if count < 3:
        return "the first vector, in the slab" if count == 1 else "two vectors: the base of the box"
    return "three vectors: the box fits" if inside else "three vectors: the third sticks out"


def _words(step: dict[str, Any], inside: bool, room: bool) -> str:
    count, s, t = step["features"], step["far"], step["near"]
    words = f"Error {step['epsilon']:g}, accuracy {step['accuracy']:.3g}: s is {s:.3g} and t is {t:.3g}. "
    if count == 1:
        words += "One vector has length 1. "
    elif count == 2:
        words += f"The second vector is {s:.3g} from the line of the first: the area is at least {step['least']:.3g}. "
    else:
        words += f"The volume of {count} vectors is at least {step['least']:.3g}, and the slab allows "
        words += f"{step['most']:.3g}" + (". " if room else f": there is no {_ORDINALS[count - 1]} feature. ")
    if count == 3:
        if step["tip"] < 1e-9:
            words += "The tip of the third lies in the middle of the slab. "
        else:
            words += f"The tip of the third is {step['tip']:.3g} above the middle of the slab, "
            words += "within t. " if inside else "more than t. "
    return words + f"The volumes allow at most {step['bound']} features."
