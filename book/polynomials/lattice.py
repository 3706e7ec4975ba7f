"""The Boolean lattice as it is drawn in part 5: subsets by size, lines between neighbours."""

from itertools import combinations

from lifelong_book.press.style import COLOURS, Axes, bare

Subset = frozenset[int]


def places(n: int) -> dict[Subset, tuple[float, float]]:
    """In pictures of the Boolean lattice, where each subset of 1, ..., n is drawn: a row for each size."""
    found = {}
    for size in range(n + 1):
        row = list(combinations(range(1, n + 1), size))
        for i, members in enumerate(row):
            found[frozenset(members)] = (i - (len(row) - 1) / 2, float(size))
    return found


def name(subset: Subset) -> str:
    """In pictures of the Boolean lattice, the members of a set as a word of digits, or the sign of the empty set."""
    return "".join(map(str, sorted(subset))) or "∅"


def draw_edges(axis: Axes, at: dict[Subset, tuple[float, float]]) -> None:
    """In pictures of the Boolean lattice, grey lines between sets that differ by one member; no frame."""
    for low, (x, y) in at.items():
        for high, (u, v) in at.items():
            if low < high and len(high) == len(low) + 1:
                axis.plot([x, u], [y, v], "-", color="#B0B0B0", lw=1, zorder=1)
    bare(axis, equal=False)
    axis.grid(visible=False)
    axis.margins(0.12)


def draw_node(
    axis: Axes, place: tuple[float, float], text: str, *, colour: str | None = None, size: float = 10
) -> None:
    """In pictures of the Boolean lattice, a set in a rounded box, filled with a colour of the book if one is given."""
    fill = COLOURS[colour] if colour else "#FFFFFF"
    ink = "#FFFFFF" if colour and colour not in ("yellow", "sky", "orange") else "#000000"
    edge = COLOURS[colour] if colour else "#808080"
    box = {"boxstyle": "round,pad=0.3", "fc": fill, "ec": edge, "lw": 1.2}
    axis.text(*place, text, ha="center", va="center", bbox=box, color=ink, fontsize=size, zorder=3)
