"""Whether a plane can make the direct learner keep a fourth feature: a search by intervals, and such a stream."""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray, RNGLike, number, random_generator
from lifelong_book.halfspaces.subspace.families import Perturbation

#: Lower and upper ends of one unknown, box by box.
_Range: TypeAlias = tuple[NDArray[Any], NDArray[Any]]

#: More than all rounding errors of one comparison; an unknown is an angle, so numbers are of the order of 1.
_SLACK = 1e-12


class BoxSearch(NamedTuple):
    """What a search by intervals found."""

    proved: bool
    boxes: int
    left: int


def _sine(a: _Range, b: _Range) -> _Range:
    """Range of the sine of the angle between two lines of a plane, given their directions."""
    low, high = a[0] - b[1], a[1] - b[0]
    ends = np.abs(np.sin(low)), np.abs(np.sin(high))
    meets = np.floor(high / np.pi) >= np.ceil(low / np.pi)
    square = np.floor(high / np.pi - 0.5) >= np.ceil(low / np.pi - 0.5)
    return np.where(meets, 0.0, np.minimum(*ends)), np.where(square, 1.0, np.maximum(*ends))


def _turned(spare: float, lean: FloatArray) -> FloatArray:
    """Angle whose cosine is cos `spare`/cos `lean`, rounded up; 0 where there is none."""
    turned: FloatArray = np.arccos(np.clip(np.cos(spare) / np.cos(lean) - 1e-15, -1.0, 1.0))
    return turned


def possible(boxes: FloatArray, theta: float, eta: float) -> BoolArray:
    """Which boxes the necessary conditions for a fourth feature do not exclude."""
    p, q, t, d, *leans = ((boxes[:, i, 0], boxes[:, i, 1]) for i in range(7))
    zero = (np.zeros(len(boxes)), np.zeros(len(boxes)))
    third = q[0] + d[0], q[1] + d[1]
    # the sine of the angle within which feature i alone serves a target: rounded down, for the lean at its most
    alone = [np.sqrt(np.maximum(1 - (np.cos(theta) / np.cos(f[1])) ** 2 - _SLACK, 0.0)) for f in leans]
    slope = [np.tan(f[1]) for f in leans]
    lines = (zero, p, q)

    def by_one(a: _Range, i: int) -> BoolArray:
        found: BoolArray = _sine(a, lines[i])[1] >= alone[i] - _SLACK
        return found

    def by_two(a: _Range, i: int, j: int) -> BoolArray:
        reach = _sine(a, lines[j])[1] * slope[i] + _sine(a, lines[i])[1] * slope[j]
        found: BoolArray = reach >= np.tan(theta) * _sine(lines[i], lines[j])[0] - _SLACK
        return found

    nearest = np.where((d[0] <= 0) & (d[1] >= 0), 0.0, np.minimum(np.abs(d[0]), np.abs(d[1])))
    kept = np.cos(nearest) * np.cos(leans[2][0]) >= np.cos(eta) - _SLACK  # the third answer is within eta
    second = p[1] + _turned(eta, leans[1][0])  # the second target, at most
    kept &= np.sin(np.minimum(second, np.pi / 2)) >= alone[0] - _SLACK
    kept &= by_one(third, 0) & by_one(third, 1) & by_two(third, 0, 1)
    kept &= by_one(t, 0) & by_one(t, 1) & by_one(t, 2)
    kept &= by_two(t, 0, 1) & by_two(t, 0, 2) & by_two(t, 1, 2)
    found: BoolArray = kept
    return found


def search(theta: float, eta: float, most: int) -> tuple[int, int]:
    """Halve boxes of the seven unknowns until the conditions exclude all: how many were halved, and are left."""
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


def three_suffice(epsilon: float, epsilon_acc: float, *, most: int = 1_000_000) -> BoxSearch:
    """Search all configurations of three features of a plane for a target that all of their pairs reject."""
    theta = np.pi * number("epsilon", epsilon, "(0, 0.25]")
    eta = np.pi * number("epsilon_acc", epsilon_acc, f"(0, {epsilon})")
    looked, left = search(theta, eta, most)
    return BoxSearch(not left, looked, left)


def fourth_excluded(stream: Perturbation, epsilon: float, epsilon_acc: float) -> bool:
    """Whether the conditions of the search say that these four features are not all kept."""
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
    """Four targets of one plane, and answers to them, of which the direct learner keeps all four at error 1/10."""
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
