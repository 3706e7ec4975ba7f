"""A stream of halfspaces played task by task: the learned span, the next target, and the labels so far."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong.laws import Gaussian
from lifelong.loop import stream as learned_one_by_one
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark, Plot, Space
from lifelong_book.press.moving.picture import Picture, moving, stream

_ROUND = np.linspace(0, 2 * np.pi, 36, endpoint=False)


def tasks_data(n: int, m: int, epsilon: float, *, seed: int = 0) -> dict[str, Any]:
    """For the introduction's moving picture: a run of Algorithm 1 on samples, and what each task costs alone."""
    W, tasks = planted_halfspaces(Gaussian(n), k=3, m=m, rng=seed)
    learner = SharedSubspace(n, epsilon)
    names = ("how", "labels", "error", "best", "target", "feature", "spans")
    found: dict[str, Any] = {"epsilon": epsilon, **{name: [] for name in names}}
    before = learner.features
    for task, step in zip(tasks, learned_one_by_one(tasks, learner), strict=True):
        best = float(angle_to_subspace(task.target, before)) / np.pi if len(before) else 0.5
        seen = W @ step.hypothesis if step.how == "scratch" else None
        values = (step.how, step.labels, float(task.error(step.hypothesis)), best, W @ task.target, seen, len(before))
        for name, value in zip(names, values, strict=True):
            found[name].append(value)
        before = learner.features
    return found | {"alone": _alone(n, m, epsilon, seed)}


def _alone(n: int, m: int, epsilon: float, seed: int) -> int:
    def errors(labels: int) -> Iterator[float]:
        for task in planted_halfspaces(Gaussian(n), k=3, m=m, rng=seed)[1]:
            yield float(task.error(logistic_halfspace(*task.examples(labels))))

    labels = 100
    while not all(error < epsilon for error in errors(labels)):
        labels += 100
    return labels


def tasks_picture(data: Mapping[str, Any], *, task: int | None = None) -> Picture:
    """The introduction's moving picture: the learned span and the target in their space; below, the labels so far."""
    m, epsilon, alone = len(data["how"]), data["epsilon"], data["alone"]
    spent = np.cumsum(data["labels"])
    last = max([i for i in range(m) if data["how"][i] == "scratch" and data["spans"][i] < 3], default=0)
    plot = Plot(60, 286, 360, 110, (0, m), (0, 1.05 * max(spent[-1], alone * m)))
    step = 10.0 ** np.floor(np.log10(plot.y[1]))
    ticks = [(v, f"{v:,.0f}") for v in np.arange(0, plot.y[1], step)]
    every = max(1, m // 4)
    view = Space(215, 132, 105, turn=0.45, tilt=0.3)
    background = [
        *plot.axes([(i, str(i)) for i in range(0, m + 1, every)], ticks, ("tasks so far", "")),
        marks.text("plot-name", (0, 272), "labels so far; solid: the loop, dashed: each task alone"),
        marks.path("to-come", plot.at([(i, v) for i, v in enumerate([0, *spent])]), "quiet"),
        marks.path("alone", plot.at([(0, 0), (m, alone * m)]), "ink dashed thin"),
        marks.circle("sphere", view.at((0, 0, 0)), view.unit, "quiet"),
        marks.text("kept", (0, 14), "the space of the targets"),
    ]
    basis = [f for f in data["feature"] if f is not None]
    turned, lengths = np.linalg.qr(np.array(basis[:3]).T, mode="complete")
    turned[:, : lengths.shape[1]] *= np.sign(np.diag(lengths))  # the first two features lie flat, the third points up
    basis = [f @ turned for f in basis]

    def region(count: int) -> Any:
        """What the span shows: nothing, a line, a disc, the whole ball."""
        if not count:
            return np.tile(view.at((0, 0, 0)), (len(_ROUND), 1))
        first = basis[0] / np.linalg.norm(basis[0])
        if count == 1:
            return view.at(np.cos(_ROUND)[:, None] * first)
        second = basis[1] - first * (first @ basis[1])
        second /= np.linalg.norm(second)
        if count == 2:
            return view.at(np.cos(_ROUND)[:, None] * first + np.sin(_ROUND)[:, None] * second)
        return view.at((0, 0, 0)) + view.unit * np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)

    def frame(i: int) -> tuple[list[Mark], str]:
        count, target, reused = data["spans"][i], data["target"][i] @ turned, data["how"][i] == "reused"
        drawn = [*background, marks.path("span", region(count), "learned filled thin unbroken", closed=True)]
        origin = view.at((0, 0, 0))
        features = basis[:count]
        for j, f in enumerate(features):
            drawn.append(marks.arrow(f"f{j}", origin, view.at(f), "learned unbroken"))
        if 0 < count < 3:  # from the target straight to the span
            known = np.linalg.qr(np.array(features).T)[0]
            foot = known @ (known.T @ target)
            drawn.append(marks.line("miss", view.at(target), view.at(foot), "quiet" if reused else "fails"))
        drawn.append(marks.arrow("target", origin, view.at(target), "target thick"))
        place = view.at(1.13 * target)
        drawn.append(marks.text("task", place + np.array([0, 4]), f"{i + 1}", "target thick", anchor="middle"))
        if not reused:
            drawn.append(marks.arrow(f"f{count}", origin, view.at(basis[count]), "learned unbroken"))
        total = f"features: {count + (not reused)}"
        drawn.append(marks.text("count", (440, 14), total, "learned thick", anchor="end"))
        verdict = "reused" if reused else "from scratch"
        drawn.append(marks.text("verdict", (440, 34), verdict, "target" if reused else "fails", anchor="end"))
        here = np.minimum(np.arange(m + 1), i + 1)  # what is still to come waits at the newest point
        ours = np.concatenate([[0], spent])[here]
        drawn.append(marks.path("ours", plot.at(np.stack([here, ours], axis=1)), "measured"))
        drawn.append(marks.circle("at-alone", plot.at((i + 1, alone * (i + 1))), 4, "ink"))
        drawn.append(marks.circle("at", plot.at((i + 1, spent[i])), 6, "measured"))
        return drawn, _words(data, i, int(spent[i]), epsilon)

    return moving(
        "tasks",
        [stream("task", range(1, m + 1), pace=1200)],
        frame,
        start=(last if task is None else task,),
        size=(440, 440),
        alt="Above, a ball, the space of the targets: an arrow for the target of the task, arrows for the learned "
        "features, and their span, which grows from a line to a disc to all of the ball. Below, labels against tasks: "
        "the learner's line jumps with each task from scratch, then it is nearly flat, and the dashed line of learning "
        "each task alone crosses it.",
    )


def _words(data: Mapping[str, Any], i: int, spent: int, epsilon: float) -> str:
    count, best, alone = data["spans"][i], data["best"][i], data["alone"] * (i + 1)
    if data["how"][i] == "reused":
        words = f"Task {i + 1} is reused: the best halfspace in the span has the error {best:.3f}, and the one that "
        words += f"{data['labels'][i]:,} labels found has {data['error'][i]:.3f}. "
    elif not count:
        words = f"Task {i + 1} is learned from scratch: nothing is known. It costs {data['labels'][i]:,} labels. "
    else:
        words = f"Task {i + 1} is learned from scratch: the best halfspace in the span has the error {best:.3f}, "
        words += f"above {epsilon:g}. " if best > epsilon else f"below {epsilon:g}, but the one found failed its test. "
        words += f"It costs {data['labels'][i]:,} labels. "
    words += f"So far {spent:,} labels; each task alone, {alone:,}"
    return words + (": the loop is ahead." if spent < alone else ".")
