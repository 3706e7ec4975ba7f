"""The board that answers: targets to draw, what they share, and the pieces of `algo-consistency-anchor`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer
from lifelong.conjunctions.algorithm3 import metafeatures


def word(cells: NDArray[np.bool_], empty: str = "∅") -> str:
    """The numbers of the cells, without anything between."""
    return "".join(str(i + 1) for i in np.flatnonzero(cells)) or empty


def listed(words: Sequence[str]) -> str:
    """The words with commas and an *and* between."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else list(words))


def _minimal(targets: BoolArray, z: int) -> NDArray[np.int64]:
    """The targets in which variable z is minimal."""
    counts = targets.astype(np.int64).T @ targets.astype(np.int64)
    inside = counts == np.diag(counts)[:, None]
    rarer = inside[:, z] & ~inside[z]
    found: NDArray[np.int64] = np.flatnonzero(targets[:, z] & ~(targets & rarer).any(axis=1))
    return found


def _sentence(targets: BoolArray, titles: Sequence[str], z: int) -> str:
    """What the closure of one cell is, and whether it is a piece."""
    has = np.flatnonzero(targets[:, z])
    if not has.size:
        return f"No target contains cell {z + 1}."
    share = "all of them share" if len(has) > 1 else "it has"
    found = f"N({z + 1}) consists of {listed([titles[int(t)] for t in has])}. "
    found += f"The cells that {share} are cl({z + 1}) = {word(np.asarray(targets[has].all(axis=0)))}. "
    least = [titles[int(t)] for t in _minimal(targets, z)]
    if least:
        return found + f"Cell {z + 1} is minimal in {listed(least)}, so this closure is a piece."
    return found + f"Cell {z + 1} is minimal in no target: each has a rarer cell."


def _button(name: str, pressed: bool, look: str = "", text: str = "") -> str:
    kind = f' class="{look}"' if look else ""
    return f'<button type="button"{kind} aria-label="{name}" aria-pressed="{str(pressed).lower()}">{text}</button>'


def closure_board(targets: ArrayLike, titles: Sequence[str], *, chosen: int = 0) -> Any:
    """Show targets on a board of 3 x 3 cells that a reader can redraw, with the closure of a cell and all pieces."""
    from IPython.display import HTML

    rows = bool_array("targets", targets, axes=2)
    z = integer("chosen", chosen, least=0, most=8)
    boards = []
    for title, row in zip(titles, rows, strict=True):
        cells = "".join(_button(f"{title}, cell {i + 1}", bool(on)) for i, on in enumerate(row))
        out = "" if row[z] else " out"
        boards.append(f'<div class="one{out}"><div class="grid" role="group">{cells}</div>{title}</div>')
    with_z = rows[rows[:, z]]
    overlay = ""
    for i, count in enumerate(with_z.sum(axis=0)):
        look = "" if not count else "all" if count == len(with_z) else "some"
        overlay += _button(f"cell {i + 1}", i == z, look, str(count or ""))
    pieces = [
        '<div class="one"><div class="grid">'
        + "".join('<i class="on"></i>' if on else '<i class=""></i>' for on in piece)
        + f"</div>{word(piece)}</div>"
        for piece in metafeatures(rows)
    ]
    fields = {
        "TARGETS": "".join(boards),
        "OVERLAY": overlay,
        "PIECES": "".join(pieces),
        "TEXT": _sentence(rows, titles, z),
        "Z": z + 1,
        "CHOSEN": z,
        "NAMES": json.dumps(list(titles), ensure_ascii=False),
        "MASKS": json.dumps((rows @ (1 << np.arange(9))).tolist()),
    }
    html = Path(__file__).with_name("board.html").read_text(encoding="utf-8")
    for name, value in fields.items():
        html = html.replace(f"__{name}__", str(value))
    return HTML(html)  # type: ignore[no-untyped-call]
