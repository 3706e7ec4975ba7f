"""A proof step by step: a chain of inequalities, each with its two sides and its slack on a chosen instance."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import product
from typing import NamedTuple

import numpy as np

from lifelong_book.press.moving.picture import Frame, Picture, checked_grid, checked_words, choice, stream

#: Two sides that differ by less, beside the larger one, are equal.
_ROUNDING = 1e-9


class Step(NamedTuple):
    """One inequality of a proof."""

    name: str
    left: str
    right: str
    reason: str
    relation: str = "≤"


class Row(NamedTuple):
    """What a stepper shows of one step: its look, whether it is the current one, numbers and words, lengths of bars."""

    look: str
    now: bool
    texts: tuple[str, ...]
    widths: tuple[float, ...]


def _told_apart(left: float, right: float) -> tuple[str, str]:
    """Two numbers with four digits, or with as many as it takes to see that they differ."""
    for digits in range(4, 17):
        words = f"{left:.{digits}g}", f"{right:.{digits}g}"
        if words[0] != words[1]:
            break
    return words


def _row(step: Step, left: float, right: float, now: bool) -> Row:
    scale = max(abs(left), abs(right)) or 1.0
    equal = abs(left - right) <= _ROUNDING * scale
    holds = equal or (step.relation == "≤" and left < right)
    sign = "=" if equal else "<" if left < right else ">"
    slack = f"{abs(right - left):.3g}"
    sides = (f"{left:.4g}", f"{right:.4g}") if equal else _told_apart(left, right)
    if holds:
        verdict = "✓ holds with equality" if equal else f"✓ holds, {slack} to spare"
    else:
        verdict = f"✗ fails: {sides[0]} {sign} {sides[1]}, by {slack}"
    widths = tuple(float(np.floor(1000 * max(0.0, value) / scale + 0.5 + 1e-6) / 10) for value in (left, right))
    look = ("holds" if holds else "fails") + " now" * now
    return Row(look, now, (sides[0], sign, sides[1], verdict), widths)


@dataclass(frozen=True, repr=False)
class Stepper(Picture):
    """A proof with its instances, as `stepper` makes it."""

    steps: tuple[Step, ...] = field(default=(), repr=False)

    def still(self, *at: int) -> str:
        """The list at one position, as HTML."""
        items = zip(self.steps, self.frames[at].marks, strict=True)
        return (
            f'<ol class="steps" aria-label="{escape(self.alt)}">{"".join(map(_item, *zip(*items, strict=True)))}</ol>'
        )


def _item(step: Step, row: Row) -> str:
    relation = {"≤": r"\le", "=": "="}[step.relation]
    sides = (rf"\({step.left}\)", rf"\({{}}{relation} {step.right}\)")  # apart, so that a phone can break the line
    formula = " ".join(_formula(escape(side, quote=False)) for side in sides)
    reason = re.sub(r"\\\(.*?\\\)", lambda m: _formula(m[0]), escape(step.reason, quote=False))
    left, sign, right, verdict = (escape(text, quote=False) for text in row.texts)
    bars = "".join(f'<i data-w style="width:{width:g}%"></i>' for width in row.widths)
    current = ' aria-current="step"' * row.now
    return (
        f'<li class="{row.look}"{current}><div><b>{escape(step.name)}.</b> {formula}</div>'
        f'<div class="why">{reason}</div><div class="bars" aria-hidden="true">{bars}</div>'
        f"<div><span data-v>{left}</span> <span data-v>{sign}</span> <span data-v>{right}</span> "
        f'<span class="verdict" data-v>{verdict}</span></div></li>'
    )


def _formula(tex: str) -> str:
    return f'<span class="math notranslate nohighlight">{tex}</span>'


def stepper(
    name: str,
    steps: Sequence[Step],
    instances: Mapping[str, Sequence[tuple[float, float]]],
    *,
    start: int = 0,
    alt: str,
) -> Stepper:
    """Declare a proof that is walked through step by step."""
    names = list(instances)
    controls = ([choice("instance", names)] if len(names) > 1 else []) + [
        stream("step", [str(i + 1) for i in range(len(steps))], pace=0)
    ]
    first = checked_grid(name, controls, (0, start)[-len(controls) :])
    for key, values in instances.items():
        if len(values) != len(steps) or not np.isfinite(np.asarray(values, dtype=float)).all():
            raise ValueError(f"instances: expected two finite sides for each of {len(steps)} steps, in {key!r}")
    unknown = {step.relation for step in steps} - {"≤", "="}
    if unknown or not alt.strip():
        raise ValueError(f"steps, alt: expected the relations ≤ and =, and a name, got {sorted(unknown)}, {alt!r}")
    frames = {}
    for i, n in product(range(len(names)), range(len(steps))):
        sides = zip(steps, instances[names[i]], strict=True)
        rows = tuple(_row(step, float(a), float(b), m == n) for m, (step, (a, b)) in enumerate(sides))
        words = f"Step {n + 1}, {steps[n].name}, on {names[i]}: {rows[n].texts[3].lstrip('✓✗ ')}."
        frames[(i, n)[-len(controls) :]] = Frame(rows, checked_words(words))
    made = Stepper(name, tuple(controls), frames, first, (0, 0), alt, tuple(steps))
    _ = made.html  # so that what is too long is said here
    return made
