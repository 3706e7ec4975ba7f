"""The claims beside each other: a concordance, and a map of what rests on what."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Container, Iterable, Mapping
from html import escape

from lifelong_book.press.claim import KINDS, Claim
from lifelong_book.press.contents import Chapter, Printed
from lifelong_book.press.dashboard import MARKS, home, plain
from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.dependencies import RESTS_ON

_COLUMN, _ROW, _WIDTH, _HEIGHT, _LANE = 190, 76, 160, 68, 22


def concordance(
    claims: Iterable[Claim], exercises: Mapping[str, Printed], pages: Mapping[str, Chapter] | None = None
) -> str:
    """Where a claim stands in this book, what one can practise on it, and what computes it, as MyST Markdown."""
    lines = ["| Verdict | Claim | In this book | Exercises | Computed by |", "|:--|:--|:--|:--|:--|"]
    for c in claims:
        title = plain(c.title)
        name = title if c.ours else f"**{c.item}**, {title}"
        where = _in_chapter(c, pages or {}) if c.label in _UNNUMBERED else _box_of(c)
        if c.verdict == "refuted":
            where += f"<br>what holds: {_box_of(LEDGER[c.replaced_by[0]])}"
        verdict = f'<a href="ledger.html#claim-{c.label}">{MARKS[c.verdict]} {c.verdict}</a>'
        found = dict.fromkeys(f" {KINDS[d.kind][0]} {d.kind}" for d in c.discrepancies if d.kind != "refuted")
        about = ", ".join(_numbered(e) for e, on in exercises.items() if c.label in on.links) or "–"
        functions = ", ".join(
            f"{{py:obj}}`~{home(f)}`" if f.startswith("lifelong.") else f"`{f.rpartition('.')[2]}`" for f in c.functions
        )
        lines.append(f"| {verdict}{''.join(found)} | {name} | {where} | {about} | {functions} |")
    return "\n".join(lines)


def _in_chapter(c: Claim, pages: Mapping[str, Chapter]) -> str:
    return f"{{ref}}`Chapter {pages.get(c.page, Chapter('', '')).number} <{c.label}>`"


def _numbered(label: str) -> str:
    """A link to an exercise that shows its number."""
    return f"{{numref}}`{{number}} <{label}>`"


#: Claims that are a figure of the paper and no statement with a number.
_UNNUMBERED = ("fig-perturbation",)


def _box_of(claim: Claim) -> str:
    return f"{{prf:ref}}`{claim.label}-box`"


def exercise_list(exercises: Mapping[str, Printed], pages: Mapping[str, Chapter]) -> str:
    """The exercises by chapter, with their numbers and titles, as MyST Markdown: a table of one line a page."""
    lines = ["| Page | Exercises |", "|:--|:--|"]
    for page in dict.fromkeys(e.page for e in exercises.values()):
        each = [f"{_numbered(x)} {{ref}}`{e.name} <{x}>`" for x, e in exercises.items() if e.page == page]
        lines.append(f"| {{doc}}`{pages[page]} </book/{page}>` | {'<br>'.join(each)} |")
    return "\n".join(lines)


#: A place in a column of the map: a claim, or the lane that arrows from a claim to later columns take there.
_Place = tuple[str, int]


def _depths(arrows: Mapping[str, list[str]]) -> dict[str, int]:
    """The column of each claim: to the right of everything that it rests on, and no farther left than it need be."""
    depth: dict[str, int] = {}

    def deep(label: str) -> int:
        if label not in depth:
            depth[label] = max((deep(b) + 1 for b in arrows[label]), default=0)
        return depth[label]

    for label in arrows:
        deep(label)
    for label in [label for label in arrows if not arrows[label]]:
        depth[label] = min((depth[a] - 1 for a in arrows if label in arrows[a]), default=0)
    return depth


def _columns(arrows: Mapping[str, list[str]]) -> list[list[_Place]]:
    """The claims by columns, each with the lanes that pass it, in an order that leaves few crossings."""
    depth = _depths(arrows)
    far = {b: max(depth[a] for a in arrows if b in arrows[a]) for b in {b for below in arrows.values() for b in below}}
    columns: list[list[_Place]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for label, start in depth.items():
        for number in range(start, max(start + 1, far.get(label, 0))):
            columns[number].append((label, number))
    steps = [((b, depth[a] - 1), (a, depth[a])) for a, below in arrows.items() for b in below]
    steps += [(place, (place[0], place[1] + 1)) for column in columns for place in column]
    for _ in range(12):  # a few sweeps towards the middle of the neighbours
        at = {place: (i + 0.5) / len(column) for column in columns for i, place in enumerate(column)}
        for column in columns:

            def pull(place: _Place, at: dict[_Place, float] = at) -> float:
                near = [at[y] for x, y in steps if x == place and y in at]
                near += [at[x] for x, y in steps if y == place]
                return sum(near) / len(near) if near else at[place]

            column.sort(key=pull)
            at |= {place: (i + 0.5) / len(column) for i, place in enumerate(column)}
    return columns


def _places(columns: list[list[_Place]], depth: Mapping[str, int]) -> dict[_Place, tuple[float, float]]:
    """Where each place is on the drawing: the middle of its left edge."""
    rooms = [[_ROW if depth[label] == column else _LANE for label, column in places] for places in columns]
    tallest = max(map(sum, rooms), default=0)
    at: dict[_Place, tuple[float, float]] = {}
    for x, (places, room) in enumerate(zip(columns, rooms, strict=True)):
        y = 4 + (tallest - sum(room)) / 2
        for place, height in zip(places, room, strict=True):
            at[place] = (10 + x * _COLUMN, y + height / 2)
            y += height
    return at


def claims_map(claims: Iterable[Claim], name: str) -> str:
    """A drawing of what rests on what: claims are boxes, arrows lead from a claim to what uses it."""
    listed = {c.label: c for c in claims}
    beside = {b: LEDGER[b] for label in listed for b in RESTS_ON.get(label, ()) if b not in listed}
    drawn = listed | beside
    used = {b for label in drawn for b in RESTS_ON.get(label, ()) if b in drawn}
    tied = [label for label in drawn if label in used or any(b in drawn for b in RESTS_ON.get(label, ()))]
    arrows = {label: _direct(label, tied) for label in tied}
    columns, depth = _columns(arrows), _depths(arrows)
    at = _places(columns, depth)
    tip = f"tip-{len(tied)}-{tied[0]}" if tied else "tip"  # several maps may stand on one page
    paths = [
        _arrow([at[b, i] for i in range(depth[b], depth[a])], at[a, depth[a]], tip) for a in tied for b in arrows[a]
    ]
    boxes = [_box(drawn[label], *at[label, depth[label]], label in beside) for label in tied]
    width = len(columns) * _COLUMN - (_COLUMN - _WIDTH) + 20
    height = max((y for _, y in at.values()), default=0) + _ROW / 2 + 4
    free = ", ".join(
        f'<a href="ledger.html#claim-{label}">{MARKS[c.verdict]} {escape(_name(c))}</a>'
        for label, c in listed.items()
        if label not in tied
    )
    return (
        f'<div class="wide claims-map"><style>{_STYLE}</style>'
        f'<svg viewBox="0 0 {width} {height:.0f}" width="{width}" height="{height:.0f}" role="group" '
        f'aria-label="{escape(name)}"><defs><marker id="{tip}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" class="tip"/></marker></defs>'
        f"{''.join(paths)}{''.join(boxes)}</svg>" + (f"<p>By themselves: {free}.</p>" if free else "") + "</div>"
    )


def _direct(label: str, drawn: Container[str]) -> list[str]:
    """What a claim rests on of those drawn, without what one of these rests on already."""
    below = [b for b in RESTS_ON.get(label, ()) if b in drawn]
    deeper = {x for b in below for x in _all_below(b, drawn)}
    return [b for b in below if b not in deeper]


def _all_below(label: str, drawn: Container[str]) -> set[str]:
    below = [b for b in RESTS_ON.get(label, ()) if b in drawn]
    return set(below).union(*(_all_below(b, drawn) for b in below))


_STYLE = """
.claims-map svg { max-width: none; font: 11.5px system-ui, sans-serif; }
.claims-map path { fill: none; stroke: var(--pst-color-text-muted, #6b7280); stroke-width: 1.2; }
.claims-map path.tip { fill: var(--pst-color-text-muted, #6b7280); stroke: none; }
.claims-map path.printed { stroke-dasharray: 4 3; }
.claims-map rect { fill: var(--pst-color-surface, #f6f7f9); stroke: var(--book-true, #17633a); stroke-width: 1.4; }
.claims-map .refuted rect { stroke: var(--book-refuted, #a3341f); stroke-width: 2.6; stroke-dasharray: 7 3; }
.claims-map .other rect { stroke: var(--book-reading, #0b5f77); stroke-dasharray: 2 2; }
.claims-map .beside rect { fill: none; stroke-width: .8; }
.claims-map text { fill: var(--pst-color-text-base, #1f2328); }
.claims-map text.item { font-weight: 650; }
.claims-map p { font-size: .9rem; }
.claims-map a:is(:hover, :focus) rect { stroke-width: 3.4; }
.concordance td:nth-child(5) code { font-size: .82em; }
.concordance td:nth-child(3), .concordance td:first-child a { white-space: nowrap; }
.concordance td code { overflow-wrap: normal; word-break: normal; }
@media (max-width: 44rem) {
  .concordance table, .concordance table :is(tbody, tr, td) { display: block; width: auto; }
  .concordance thead { display: none; }
  .concordance tr { border-top: 1px solid var(--pst-color-border, #d0d7de); padding: .4rem 0; position: relative; }
  .concordance table tr > td { border: 0 !important; padding: .05rem 0 !important; text-align: left !important; }
  .concordance td > p { display: inline; }
  .concordance td code { white-space: normal; overflow-wrap: anywhere; }
  .concordance td:nth-child(n+3):not(:has(a, code)) { display: none; }
  .concordance td:nth-child(4)::before { content: "exercises "; }
  .concordance td:nth-child(5)::before { content: "computed by "; }
}
"""


def _name(claim: Claim) -> str:
    return plain(claim.title).rpartition(": ")[2] if claim.ours else claim.item


def _arrow(way: list[tuple[float, float]], end: tuple[float, float], tip: str) -> str:
    """From the right edge of a box, along the lanes of its claim, to the left edge of another box."""
    (x, y), lanes = way[0], way[1:]
    x += _WIDTH
    path = f"M{x:.0f} {y:.0f}"
    for u, v in [*lanes, (end[0] - 1, end[1])]:
        bend = (u - x) * 0.6
        path += f" C{x + bend:.0f} {y:.0f} {u - bend:.0f} {v:.0f} {u:.0f} {v:.0f}"
        x, y = u, v
        if (u, v) in lanes:
            x = u + _WIDTH
            path += f" H{x:.0f}"
    return f'<path d="{path}" marker-end="url(#{tip})"/>'


def _box(claim: Claim, x: float, middle: float, beside: bool = False) -> str:
    """A rounded box for what this book adds, a square one for an item of the paper; paler if it is of another map."""
    y = middle - _HEIGHT / 2
    look = "refuted" if claim.verdict == "refuted" else "" if claim.verdict == "proved" else "other"
    look += " beside" if beside else ""
    found = "".join(f" {KINDS[d.kind][0]}" for d in claim.discrepancies if d.kind != "refuted")
    sign = f"{MARKS[claim.verdict]}{found}"
    if claim.ours:
        lines = textwrap.wrap(f"{sign} {_together(plain(claim.title).rpartition(': ')[2])}", _WIDE)
    else:
        told = plain(claim.title.removesuffix(", as printed"))
        lines = [f"{sign} {claim.item}", *textwrap.wrap(_together(told), _WIDE)]
    if len(lines) > 4:
        lines = [*lines[:3], lines[3].rstrip(",:") + " …"]
    top = y + (_HEIGHT - 14 * len(lines)) / 2 + 10.5
    text = "".join(
        f'<text x="{x + 8:.0f}" y="{top + 14 * i:.0f}"{_bold(i, claim)}>{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    spoken = escape(f"{plain(claim.title)}: {claim.standing}")
    return (
        f'<a href="ledger.html#claim-{claim.label}" class="{look}"><title>{spoken}</title>'
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{_WIDTH}" height="{_HEIGHT}" rx="{10 if claim.ours else 0}"/>{text}</a>'
    )


def _together(title: str) -> str:
    """A title in which the number of an algorithm stays on its line."""
    return re.sub(r"(?<=Algorithm) (?=\d)", "\u00a0", title)


#: Letters in a line of a box.
_WIDE = 22


def _bold(line: int, claim: Claim) -> str:
    return ' class="item"' if line == 0 and not claim.ours else ""
