"""The board that answers: targets to draw, what they share, and the pieces of `algo-consistency-anchor`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array, integer
from lifelong.conjunctions.algorithm3 import metafeatures


def word(cells: NDArray[np.bool_], empty: str = "∅") -> str:
    """The cells of the board that are set, by their numbers, without anything between."""
    return "".join(str(i + 1) for i in np.flatnonzero(cells)) or empty


def listed(words: Sequence[str]) -> str:
    """Names of targets on the board, with commas and an *and* between."""
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


def _image(targets: BoolArray, titles: Sequence[str], z: int) -> str:
    """The address of a drawing of the board: where no script runs, and in JupyterLab before a run."""
    marks: list[str] = []

    def grid(x: int, y: int, side: int, fills: Sequence[str], word: str) -> None:
        for i, fill in enumerate(fills):
            at = f'x="{x + i % 3 * side}" y="{y + i // 3 * side}" width="{side}" height="{side}"'
            marks.append(f'<rect {at} fill="{fill}" stroke="#888"/>')
        marks.append(f'<text x="{x + 1.5 * side:g}" y="{y + 3 * side + 18}" text-anchor="middle">{word}</text>')

    for j, (row, title) in enumerate(zip(targets, titles, strict=True)):
        ink = "#1f2328" if row[z] else "#b9bec7"
        grid(10 + 105 * j, 10, 28, [ink if on else "#fff" for on in row], title)
    shared, seen = targets[targets[:, z]], []
    for count in shared.sum(axis=0):
        seen.append("#fff" if not count else "#007a58" if count == len(shared) else "#d3d7de")
    grid(10, 130, 48, seen, f"targets with cell {z + 1}")
    for i, count in enumerate(shared.sum(axis=0)):
        at, ink = f'x="{34 + i % 3 * 48}" y="{160 + i // 3 * 48}"', "#fff" if seen[i] == "#007a58" else "#1f2328"
        marks.append(f'<text {at} fill="{ink}" text-anchor="middle">{count or ""}</text>')
    at = f'x="{12 + z % 3 * 48}" y="{132 + z // 3 * 48}" width="44" height="44"'
    marks.append(f'<rect {at} fill="none" stroke="{"#F0E442" if len(shared) else "#D55E00"}" stroke-width="4"/>')
    pieces = metafeatures(targets)
    marks.append('<text x="10" y="326">Pieces of Algorithm 3</text>')
    for j, piece in enumerate(pieces):
        grid(10 + 105 * j, 340, 28, ["#007a58" if on else "#fff" for on in piece], word(piece))
    wide = 10 + 105 * max(len(targets), len(pieces), 2)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="454" font-family="sans-serif" font-size="14">'
    )
    svg += f'<rect width="{wide}" height="454" fill="#fff"/>{"".join(marks)}</svg>'
    return "data:image/svg+xml," + quote(svg, safe=" ='/:;,()&@*!+>{}")


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
        "IMAGE": _image(rows, titles, z),
        "Z": z + 1,
        "CHOSEN": z,
        "NAMES": json.dumps(list(titles), ensure_ascii=False),
        "MASKS": json.dumps((rows @ (1 << np.arange(9))).tolist()),
    }
    html = Path(__file__).with_name("board.html").read_text(encoding="utf-8")
    for name, value in fields.items():
        html = html.replace(f"__{name}__", str(value))
    return HTML(html)  # type: ignore[no-untyped-call]
