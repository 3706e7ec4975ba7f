"""The picture that moves: the angle after a perturbation, by its separation and its dimension."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import integer
from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import subspace_angle
from lifelong.halfspaces.instances import chain
from lifelong_book.halfspaces.perturbation.claims import worst_targets
from lifelong_book.press.moving import Picture, marks, moving, slider
from lifelong_book.press.moving.marks import Plot


def perturbation_data(separations: ArrayLike, sizes: Iterable[int]) -> dict[str, Any]:
    """Data of the explorer of Lemma 3: what it promises and what happens, by separation and number of vectors."""
    gammas, ks = np.asarray(separations, dtype=float), [int(k) for k in sizes]
    table: dict[str, Any] = {"gamma": gammas.tolist(), "k": ks, "error": [], "printed": [], "measured": []}
    for gamma in gammas:
        errors = [(1 - 1e-9) * float(gamma**2 / (10 * k)) for k in ks]  # as large as the lemma allows
        pairs = [worst_targets(chain(k, np.array([gamma])), np.array([e])) for k, e in zip(ks, errors, strict=True)]
        table["error"].append(errors)
        table["printed"].append([float(bounds.subspace_printed(k, e, gamma)) for k, e in zip(ks, errors, strict=True)])
        table["measured"].append([float(subspace_angle(*pair.values())[0]) for pair in pairs])
    return table


def perturbation_explorer(data: dict[str, Any], *, separation: int = 0, size: int = 0) -> Picture:
    """The explorer of Lemma 3: `perturbation_data` as a picture with two sliders, for gamma and for k."""
    i = integer("separation", separation, least=0, most=len(data["gamma"]) - 1)
    j = integer("size", size, least=0, most=len(data["k"]) - 1)
    sizes = data["k"]
    plot = Plot(58, 48, 372, 210, (sizes[0], sizes[-1]), (1e-4, 2.0), logarithmic=True)
    heights = [(1e-4, "0.0001"), (1e-3, "0.001"), (1e-2, "0.01"), (1e-1, "0.1"), (1.0, ""), (np.pi / 2, "π/2")]
    names = ("number of vectors k", "")
    background = [
        *plot.axes([(k, str(k)) for k in sizes], heights, names),
        marks.text("name", (0, 14), "angle from the true to the learned span: solid, dots: the chain;"),
        marks.text("legend", (0, 32), "dashed: printed bound, 2kε/γ"),
    ]

    def frame(g: int, n: int) -> tuple[list[marks.Mark], str]:
        printed, reached = data["printed"][g], data["measured"][g]
        lines = [plot.at(np.column_stack([sizes, angles])) for angles in (printed, reached)]
        allowed, real = printed[n], reached[n]
        drawn = [
            *background,
            marks.path("printed", lines[0], "printed"),
            marks.path("reached", lines[1], "measured"),
            marks.dots("dots", lines[1], "measured"),
            marks.circle("at-printed", lines[0][n], 7, "printed unbroken"),
            marks.circle("at-reached", lines[1][n], 6, "measured solid"),
        ]
        words = f"Errors of at most {data['error'][g][n]:.3g}: the printed bound allows {allowed:.3g}, "
        words += f"the chain reaches {real:.3g}, {real / allowed:.3g} "
        return drawn, words + (
            "times as much. The printed bound is broken." if real > allowed else "of it. The printed bound holds here."
        )

    return moving(
        "perturbation",
        [slider("separation γ", data["gamma"]), slider("vectors k", sizes)],
        frame,
        start=(i, j),
        size=(440, 300),
        alt="Angle from the true to the learned span against the number of vectors k, on a logarithmic scale: the "
        "printed bound, a dashed line, stays level; the angle really reached, a solid line with dots, climbs above it "
        "from k = 3 on.",
    )
