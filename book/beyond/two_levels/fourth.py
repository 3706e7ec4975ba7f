"""Whether a plane can make the direct learner keep a fourth feature: a search by intervals, and such a stream."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray, RNGLike, number, random_generator
from lifelong_book.halfspaces.subspace.instances import Perturbation

#: Lower and upper ends of one unknown, box by box.
_Range: TypeAlias = NDArray[Any]

#: More than all rounding errors of one comparison; an unknown is an angle, so numbers are of the order of 1.
SLACK = 1e-12


class _BoxSearch(NamedTuple):
    """What the search by intervals for a fourth feature of a plane found."""

    proved: bool
    boxes: int
    left: int


def sines(a: _Range, b: _Range) -> _Range:
    """In boxes of the search for a fourth feature: least and largest sine of the angle between two lines of a plane."""
    low, high = a[0] - b[1], a[1] - b[0]
    ends = np.abs(np.sin([low, high]))
    least, most = ends.min(axis=0), ends.max(axis=0)
    turns = low / np.pi, high / np.pi
    least[np.floor(turns[1]) >= np.ceil(turns[0])] = 0.0
    square = np.floor(turns[1] - 0.5) >= np.ceil(turns[0] - 0.5)
    most[square] = 1.0
    return np.array([least, most])


def possible(boxes: FloatArray, theta: float, eta: float) -> BoolArray:
    """Which boxes the necessary conditions for a fourth feature do not exclude."""
    p, q, t, d, *leans = boxes.transpose(1, 2, 0)  # lows, highs
    lines, third = (0 * p, p, q), q + d
    cosines = [np.cos(theta) / np.cos(f[1]) for f in leans]
    sin_P = [np.sqrt(np.maximum(1 - c**2 - SLACK, 0)) for c in cosines]

    def by_one(a: _Range, i: int) -> BoolArray:
        return np.asarray(sines(a, lines[i])[1] >= sin_P[i] - SLACK)

    def by_two(a: _Range, i: int, j: int) -> BoolArray:
        x = sines(a, lines[j])[1] * np.tan(leans[i][1])
        y = sines(a, lines[i])[1] * np.tan(leans[j][1])
        least = np.tan(theta) * sines(lines[i], lines[j])[0]
        return np.asarray(x + y >= least - SLACK)

    turned = np.maximum(np.maximum(d[0], -d[1]), 0)  # |d| at least
    near = np.cos(turned) * np.cos(leans[2][0])
    kept: BoolArray = near >= np.cos(eta) - SLACK  # 2
    cos_D = np.cos(eta) / np.cos(leans[1][0]) - 1e-15  # D too large
    second = p[1] + np.arccos(np.clip(cos_D, -1, 1))  # a_2, at most
    # 3 and 4
    kept &= np.sin(np.minimum(second, np.pi / 2)) >= sin_P[0] - SLACK
    kept &= by_one(third, 0) & by_one(third, 1) & by_two(third, 0, 1)
    kept &= by_one(t, 0) & by_one(t, 1) & by_one(t, 2)
    return kept & by_two(t, 0, 1) & by_two(t, 0, 2) & by_two(t, 1, 2)


def search(theta: float, eta: float, most: int) -> tuple[int, int]:
    """The search for a fourth feature of a plane halves boxes of seven unknowns: how many were halved, and are left."""
    half, lean = np.pi / 2, (0.0, eta)
    sides = [(0.0, half), (-half, half), (-half, half), (-eta, eta)]
    boxes, looked = np.array([[*sides, lean, lean, lean]]), 0
    while 0 < len(boxes) <= most:
        boxes = boxes[possible(boxes, theta, eta)]
        looked += len(boxes)
        widest = (boxes[:, :, 1] - boxes[:, :, 0]).argmax(axis=1)
        every = np.arange(len(boxes))
        middle = boxes[every, widest].mean(axis=1)
        low, high = boxes.copy(), boxes.copy()
        low[every, widest, 1] = high[every, widest, 0] = middle
        boxes = np.concatenate([low, high])
    return looked, len(boxes)


def three_suffice(epsilon: float, epsilon_acc: float, *, most: int = 1_000_000) -> _BoxSearch:
    """Search for a fourth feature of a plane: a target that all pairs of three features reject."""
    theta = np.pi * number("epsilon", epsilon, "(0, 0.25]")
    eta = np.pi * number("epsilon_acc", epsilon_acc, f"(0, {epsilon})")
    looked, left = search(theta, eta, most)
    return _BoxSearch(not left, looked, left)


def fourth_excluded(stream: Perturbation, epsilon: float, epsilon_acc: float) -> bool:
    """Whether the conditions of the search for a fourth feature say that these four are not all kept."""
    theta = np.pi * number("epsilon", epsilon, "(0, 0.25]")
    eta = np.pi * number("epsilon_acc", epsilon_acc, f"(0, {epsilon})")
    targets = np.arctan2(stream.true[:, 1], stream.true[:, 0])
    lines = np.arctan2(stream.learned[:, 1], stream.learned[:, 0])
    leans = np.arccos(np.minimum(1.0, np.linalg.norm(stream.learned[:3, :2], axis=1)))

    def turn(a: float, b: float) -> float:
        return float((a - b + np.pi / 2) % np.pi - np.pi / 2)

    p = turn(lines[1], lines[0])
    side = -1.0 if p < 0 else 1.0  # the second line is on the positive side
    unknowns = [p, turn(lines[2], lines[0]), turn(targets[3], lines[0]), turn(targets[2], lines[2])]
    point = np.concatenate([side * np.array(unknowns), leans])
    wide = 1e-9 * np.array([-1.0, 1.0])
    return not bool(possible((point[:, None] + wide)[None], theta, eta)[0]) or bool((leans > eta + 1e-9).any())


def four_leaning(epsilon_acc: float = 0.1 / 2.9, *, jitter: float = 0.0, rng: RNGLike = None) -> Perturbation:
    """A plane with a fourth feature: four targets, and answers that the direct learner all keeps, at error 1/10."""
    eta = np.pi * number("epsilon_acc", epsilon_acc, "(0, 0.1)") * (1 - 1e-9)
    off = number("jitter", jitter, "[0, 1]") * random_generator(rng).uniform(-1, 1, (3, 4))
    lines = np.radians([0.0, 14.058, 35.942, 109.725]) + off[0]
    leans = eta * np.clip(np.array([1.0, 0.87476, 0.94356, 0.0]) + [1, 1, 1, 0] * off[1], 0.0, 1.0)
    sides = np.radians([0.0, 135.907, 214.004, 0.0]) + off[2]
    turns = np.arccos(np.minimum(1.0, np.cos(eta) / np.cos(leans)))
    turns[3] = 0.0
    targets, answers = np.zeros((4, 4)), np.zeros((4, 4))
    targets[:, 0], targets[:, 1] = np.cos(lines + turns), np.sin(lines + turns)
    answers[:, 0], answers[:, 1] = np.cos(leans) * np.cos(lines), np.cos(leans) * np.sin(lines)
    answers[:, 2], answers[:, 3] = np.sin(leans) * np.cos(sides), np.sin(leans) * np.sin(sides)
    return Perturbation(targets, answers)
