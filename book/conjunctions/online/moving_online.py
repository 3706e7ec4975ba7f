"""A stream of conjunctions that Algorithm 4 learns, and the order of its variables that loses arrows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.loop import learn_stream
from lifelong_book.press.board import listed, word
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark
from lifelong_book.press.moving.picture import Picture, moving, stream


class _Recorded(ConjunctionTask):
    """A task that remembers each query with its answer, and the metafeatures of the time."""

    def __init__(self, target: BoolArray) -> None:
        super().__init__(target)
        self.asked: list[tuple[BoolArray, BoolArray | None]] = []

    def equivalent(self, h: ArrayLike) -> BoolArray | None:
        answer = super().equivalent(h)
        self.asked.append((np.array(h), answer))
        return answer


def stream_data(targets: ArrayLike) -> list[dict[str, Any]]:
    """For a moving picture, Algorithm 4 with equivalence queries on a stream, target by target."""
    rows = bool_array("targets", targets, axes=2)
    tasks, learner = [_Recorded(T) for T in rows], OnlineMetafeatures(rows.shape[1])
    found: list[dict[str, Any]] = []
    for task, T in zip(tasks, rows, strict=True):
        step = learn_stream([task], learner).steps[0]
        # over the metafeatures the attempt ends with a yes or with a negative counterexample, which has not all of T
        ends = [i for i, (_, x) in enumerate(task.asked) if x is None or not (x | ~T).all()]
        offered, counterexample = task.asked[ends[0]]
        kept = learner.targets
        found.append(
            {
                "target": T,
                "how": step.how,
                "offered": offered,
                "counterexample": counterexample,
                "pieces": learner.metafeatures,
                "arrows": (~kept[:, :, None] | kept[:, None]).all(axis=0),
            }
        )
    return found


def _several(count: int, noun: str) -> str:
    return f"{count} {noun}" + "s" * (count != 1)


def _nodes(shape: tuple[int, int]) -> FloatArray:
    """Where the variables stand: as the cells of the board do."""
    row, column = np.divmod(np.arange(shape[0] * shape[1]), shape[1])
    at: FloatArray = np.column_stack([column, row]) / np.maximum(np.array(shape[::-1]) - 1, 1) * 130.0 + (264, 116)
    return at


def _arrow(nodes: FloatArray, x: int, y: int, kind: str) -> Mark:
    """From x to y, a little to the right of the way back."""
    way = (nodes[y] - nodes[x]) / np.linalg.norm(nodes[y] - nodes[x])
    aside = 4.5 * np.array([-way[1], way[0]])
    return marks.arrow(f"{x}>{y}", nodes[x] + 17 * way + aside, nodes[y] - 17 * way + aside, kind)


def stream_picture(data: Sequence[dict[str, Any]], shape: tuple[int, int], *, start: int = 0) -> Picture:
    """A moving picture of Algorithm 4: the targets as boards, what is offered for each, and the arrows it ends."""
    n = len(data[0]["target"])
    nodes, pairs = _nodes(shape), [(x, y) for x in range(n) for y in range(n) if x != y]
    steps = [(r, late) for r, step in enumerate(data) for late in range(1 + (step["how"] == "scratch"))]
    everything = np.ones((n, n), dtype=np.bool_)
    nothing: BoolArray = np.zeros((0, n), dtype=np.bool_)
    cell = 28 / max(shape)
    gap = min(54.0, 430 / len(data))

    def board(key: str, row: BoolArray, at: Any, size: float, kind: str) -> list[Mark]:
        return marks.bitmap(key, row.reshape(shape), at, size, kind)

    def state(r: int) -> tuple[BoolArray, BoolArray]:  # before target r
        return (data[r - 1]["arrows"], data[r - 1]["pieces"]) if r else (everything, nothing)

    def frame(i: int) -> tuple[list[Mark], str]:
        r, late = steps[i]
        step, (before, old) = data[r], state(r)
        T, paid = step["target"], step["how"] == "scratch"
        pieces, holds = (step["pieces"], step["arrows"]) if late else (old, before)
        offered, answer = (T, None) if late else (step["offered"], step["counterexample"])
        bought = [s for s in range(r + late) if data[s]["how"] == "scratch"]
        drawn = [marks.text("stream", (4, 12), "the stream")]
        for s in range(len(data)):
            seen = data[s]["target"] if s <= r else np.zeros(n, dtype=np.bool_)
            drawn += board(f"t{s}", seen, (4 + gap * s, 20), cell, "ink")
            if s < r or (s == r and (late or not paid)):
                sign = "paid" if data[s]["how"] == "scratch" else "free"
                drawn.append(marks.text(f"s{s}", (18 + gap * s, 66), sign, "ink thin", anchor="middle"))
        corner, side = np.array([4 + gap * r, 20]), np.array(shape[::-1]) * cell
        ring = [corner + side * f + 4 * (2 * np.array(f) - 1) for f in ((0, 0), (1, 0), (1, 1), (0, 1))]
        drawn += [
            marks.path("now", ring, "target", closed=True),
            marks.text("said-offer", (4, 94), "offered" if not late else "learned"),
            *board("offer", offered, (4, 102), 52 / max(shape), "learned unbroken"),
            marks.text("said-pieces", (4, 188), f"metafeatures: {len(pieces)}"),
            marks.text("said-arrows", (232, 94), f"arrows: {int((holds & ~np.eye(n, dtype=np.bool_)).sum())}"),
        ]
        if not late:  # what is learned needs no answer
            drawn.append(marks.text("said-answer", (100, 94), "the answer" if answer is None else "counterexample"))
        if not late and answer is None:
            drawn.append(marks.text("yes", (126, 134), "yes", "ink thick", anchor="middle"))
        elif answer is not None:
            size = 52 / max(shape)
            drawn.append(board("point", np.zeros(n, dtype=np.bool_), (100, 102), size, "ink")[0])
            for v, value in enumerate(answer):
                y, x = divmod(v, shape[1])
                middle = np.array([100 + size * (x + 0.5), 102 + size * (y + 0.5)])
                look = "ink" if value else "fails"
                drawn.append(marks.text(f"v{v}", (middle[0], middle[1] + 5), str(int(value)), look, anchor="middle"))
                if not value:
                    drawn.append(marks.circle(f"c{v}", middle, 10, "fails"))
        little = min(cell, 200 / max(1, len(pieces)) / (shape[1] + 0.8))
        for j, piece in enumerate(pieces):
            at = (4 + j * little * (shape[1] + 0.8), 196)
            drawn += board(f"m{word(piece)}", piece, at, little, "metafeature")
        for x, y in pairs:
            if before[x, y]:
                drawn.append(_arrow(nodes, x, y, "measured thin" if holds[x, y] else "fails dashed"))
        for v, spot in enumerate(nodes):
            drawn.append(marks.circle(f"n{v}", spot, 13, "ink erased thin"))
            drawn.append(marks.text(f"l{v}", (spot[0], spot[1] + 5), str(v + 1), anchor="middle"))
        count = f"paid for {len(bought)} of {_several(r + 1, 'target')}"
        drawn.append(marks.text("count", (4, 292), count))
        return drawn, _learned(r, step, before, old, len(bought)) if late else _offered(r, step, old)

    labels = [f"{r + 1} {'learned' if late else 'comes'}" for r, late in steps]
    return moving(
        "stream",
        [stream("target", labels, pace=2500)],
        frame,
        start=(start,),
        size=(440, 300),
        alt="A row of boards that arrive one by one. Below, the conjunction that is offered for the newest one, the "
        "counterexample to it, and the metafeatures. On the right the numbered cells with arrows between them: an "
        "arrow from x to y says that every kept target with x has y. Arrows that a target ends are dashed, then gone.",
    )


def _offered(r: int, step: dict[str, Any], old: BoolArray) -> str:
    """What is offered for a target, and the answer."""
    T, offered = step["target"], step["offered"]
    inside = [word(piece) for piece in old if not (piece & ~T).any()]
    words = f"Target {r + 1} is {word(T)}. "
    if inside:
        words += f"The metafeatures inside it are {listed(inside)}" if len(inside) > 1 else f"Inside it is {inside[0]}"
    else:
        words += "No metafeature lies inside it" if len(old) else "There are no metafeatures yet"
    if step["counterexample"] is None:
        return f"{words}: their union is the target, and it is free." if len(inside) > 1 else f"{words}: it is free."
    zeros = [str(v + 1) for v in np.flatnonzero(~step["counterexample"])]
    cells = f"cell {zeros[0]}" if len(zeros) == 1 else f"the cells {listed(zeros)}"
    offer = word(offered, "the empty conjunction")
    return f"{words}, so the last offer is {offer}. The counterexample is 0 in {cells}, which the offer misses."


def _learned(r: int, step: dict[str, Any], before: BoolArray, old: BoolArray, paid: int) -> str:
    """What changes when a target is learned from scratch."""
    n = len(before)
    ended = [f"{x + 1} to {y + 1}" for x, y in np.argwhere(before & ~step["arrows"])]
    left = int(step["arrows"].sum()) - n
    words = f"{word(step['target'])} is learned from scratch, payment {paid}. "
    words += (f"{len(ended)} arrows end" if len(ended) > 1 else "One arrow ends") if ended else "No arrow ends"
    words += (f", from {listed(ended)}" if ended else "") + f": {left} of {n * (n - 1)} are left. "
    new = [word(piece) for piece in step["pieces"]]
    gone = [word(piece) for piece in old if word(piece) not in new]
    words += f"Metafeatures: {len(new)}, before it {len(old)}"
    return words + (f"; {listed(gone)} vanished." if gone else ".")
