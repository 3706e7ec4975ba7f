"""How a moving picture is declared: controls, and a frame for each of their positions."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from html import escape
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from lifelong._checks import integer
from lifelong_book.press.moving.marks import Mark

MOST_FRAMES, MOST_BYTES, MOST_WIDTH = 1000, 120_000, 520
_GAP = "¤"  # stands for a number that was left out
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


class Frame(NamedTuple):
    """One position of a moving picture."""

    marks: Sequence[Any]
    words: str


class Control(NamedTuple):
    """What the reader moves in a picture that moves; made by `slider`, `choice` and `stream`."""

    kind: str
    name: str
    labels: tuple[str, ...]
    pace: int = 0


def _labels(values: Iterable[object]) -> tuple[str, ...]:
    found = tuple(v if isinstance(v, str) else format(v, ".3g" if isinstance(v, float) else "") for v in values)
    if len(found) < 2 or not all(found):
        raise ValueError(f"values: expected two or more labels, got {list(found)}")
    return found


def slider(name: str, values: Iterable[object]) -> Control:
    """A slider of a picture that moves."""
    return Control("slider", name, _labels(values))


def choice(name: str, values: Iterable[object]) -> Control:
    """A choice among a few, by radio buttons, in a picture that moves."""
    return Control("choice", name, _labels(values))


def stream(name: str, values: Iterable[object], *, pace: int = 1500) -> Control:
    """Steps in time of a picture that moves: Back, Next, Play and Pause, and a slider."""
    return Control("stream", name, _labels(values), integer("pace", pace, least=400, most=10_000))


@dataclass(frozen=True)
class Picture:
    """A moving picture, as `moving` makes it. A notebook shows it; a test asks it for its words."""

    name: str
    controls: tuple[Control, ...]
    frames: dict[tuple[int, ...], Frame] = field(repr=False)
    start: tuple[int, ...]
    size: tuple[float, float]
    alt: str

    def __repr__(self) -> str:
        return f"<Moving picture {self.name}: {len(self.frames)} frames, digest {self.digest}>"

    def _repr_html_(self) -> str:
        return self.html

    @property
    def digest(self) -> str:
        """Twelve hexadecimal digits of all that it shows and says."""
        return sha256(json.dumps(self.data, sort_keys=True).encode()).hexdigest()[:12]

    @cached_property
    def data(self) -> dict[str, object]:
        """What the script gets: every text is a shape with its numbers left out, and the numbers."""
        shapes: dict[str, int] = {}
        marks: dict[str, int] = {}

        def split(text: str) -> list[object]:
            shape = shapes.setdefault(_NUMBER.sub(_GAP, text), len(shapes))
            return [shape, " ".join(_NUMBER.findall(text))]

        frames = []
        for frame in self.frames.values():
            drawn = [marks.setdefault(_compact(list(mark)), len(marks)) for mark in frame.marks]
            frames.append([*split(frame.words), _runs(drawn)])
        return {
            "start": list(self.start),
            "labels": [control.labels for control in self.controls],
            "marks": [split(mark) for mark in marks],
            "frames": frames,
            "shapes": list(shapes),
        }

    @cached_property
    def html(self) -> str:
        """The drawing at its start with its words, the controls, the data and the script."""
        kit = {kind: Path(__file__).with_name(f"kit.{kind}").read_text("utf-8").strip() for kind in ("css", "js")}
        placed = list(zip(self.controls, self.start, strict=True))
        widgets = "".join(_control(self.name, control, at, i) for i, (control, at) in enumerate(placed))
        where = ", ".join(f"{control.name} = {control.labels[at]}" for control, at in placed)
        told = f"With scripts on (in JupyterLab: once its cell was run) this picture moves. Here it stands at {where}."
        stored = _compact(self.data).replace("</", "<\\/")
        html = (  # of an untrusted one JupyterLab drops drawings and scripts, but no image
            f'<div class="moving" id="moving-{self.name}">\n<style>{kit["css"]}</style>\n'
            f'<noscript><img width="{1.3 * self.size[0]:.0f}" alt="{escape(self.alt)}" src="{self.image(kit["css"])}">'
            f"<p>{escape(told, quote=False)}</p></noscript>\n"
            f'<script type="text/html">{self.still()}<div class="controls">{widgets}</div></script>\n'
            f'<output aria-live="polite">{escape(self.frames[self.start].words, quote=False)}</output>\n'
            f'<script type="application/json">{stored}</script>\n<script>{kit["js"]}</script>\n</div>'
        )
        if len(html.encode()) > MOST_BYTES:
            raise ValueError(f"frame: expected at most {MOST_BYTES:,} bytes in all, got {len(html.encode()):,}")
        return html

    def still(self, *at: int, head: str = "") -> str:
        """The drawing of one position as SVG, or an empty one."""
        body = "".join(_element(mark) for mark in self.frames[at].marks) if at else ""
        (width, height), look = self.size, f"max-width:{1.3 * self.size[0]:.0f}px"
        return (
            f'<svg viewBox="0 0 {width:g} {height:g}" style="{look}" role="img" aria-label="{escape(self.alt)}">'
            f'{head}<g class="marks">{body}</g></svg>'
        )

    def image(self, css: str) -> str:
        """The address of an image of the start, with the look of the marks inside it."""
        colours, *looks = (line for line in css.splitlines() if line.startswith(".moving {") or ".marks" in line)
        colours = colours.partition(";\n")[0] + " font-family: sans-serif; }"
        svg = self.still(*self.start, head=f"<style>{colours}{''.join(looks)}</style>")
        svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" class="moving" ', 1)
        return "data:image/svg+xml," + quote(svg, safe=" ='/:;,()&@*!+>{}")


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _runs(numbers: list[int]) -> str:
    """Numbers with what follows on put together: 0-4 9 6-7."""
    runs: list[list[int]] = []
    for n in numbers:
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return " ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in runs)


def _element(mark: Mark) -> str:
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in mark.attributes.items())
    return f'<{mark.tag} data-k="{escape(mark.key)}"{attributes}>{escape(mark.text)}</{mark.tag}>'


def _control(name: str, control: Control, at: int, number: int) -> str:
    """The widgets of one control."""
    own, label = f"moving-{name}-{number}", escape(control.name)
    if control.kind == "choice":
        buttons = "".join(
            f'<label><input type="radio" name="{own}"{" checked" * (i == at)}>{escape(value)}</label>'
            for i, value in enumerate(control.labels)
        )
        return f'<fieldset class="control choice"><legend>{label}</legend>{buttons}</fieldset>'
    value = escape(control.labels[at])
    ranged = (
        f'<label for="{own}">{label} = <b>{value}</b></label>'
        f'<input id="{own}" type="range" aria-label="{label}" aria-valuetext="{value}" min="0" '
        f'max="{len(control.labels) - 1}" value="{at}">'
    )
    if control.kind == "slider":
        return f'<div class="control slider">{ranged}</div>'
    buttons = "".join(f'<button type="button" class="{n.lower()}">{n}</button>' for n in ("Back", "Play", "Next"))
    return (
        f'<div class="control stream" role="group" aria-label="{label}" data-pace="{control.pace}">'
        f"<div>{buttons}</div>{ranged}</div>"
    )


def moving(
    name: str,
    controls: Sequence[Control],
    frame: Callable[..., tuple[Sequence[Mark], str]],
    *,
    start: Sequence[int],
    size: tuple[float, float],
    alt: str,
) -> Picture:
    """Declare a moving picture."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise ValueError(f"name: expected small letters, digits and hyphens, got {name!r}")
    if not 1 <= len(controls) <= 3:
        raise ValueError(f"controls: expected one to three, got {len(controls)}")
    if len(start) != len(controls):
        raise ValueError(f"start: expected {len(controls)} positions, one for each control, got {len(start)}")
    count = prod(len(control.labels) for control in controls)
    if count > MOST_FRAMES:
        raise ValueError(f"controls: expected at most {MOST_FRAMES:,} frames, got {count:,}")
    first = tuple(integer("start", s, least=0, most=len(c.labels) - 1) for s, c in zip(start, controls, strict=True))
    if not alt.strip() or not 0 < size[0] <= MOST_WIDTH or not size[1] > 0:
        raise ValueError(f"alt, size: expected a sentence and a width up to {MOST_WIDTH}, got {alt!r}, {size}")
    frames, tags = {}, dict[str, tuple[str, ...]]()
    for at in product(*(range(len(control.labels)) for control in controls)):
        marks, words = frame(*at)
        seen = set()
        for mark in marks:
            shape = (mark.tag, *mark.attributes)
            if mark.key in seen or tags.setdefault(mark.key, shape) != shape or _GAP in mark.text:
                raise ValueError(f"frame: expected one mark of one kind of the key {mark.key!r}, in frame {at}")
            seen.add(mark.key)
        if not words.strip() or re.search(rf"[<>]\w|\\|\$|{_GAP}", words):
            raise ValueError(f"words: expected a plain sentence, got {words!r}")
        frames[at] = Frame(tuple(marks), words)
    picture = Picture(name, tuple(controls), frames, first, size, alt)
    _ = picture.html  # so that what is too long is said here
    return picture
