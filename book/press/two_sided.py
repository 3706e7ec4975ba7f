"""A claim is a function of its two sides, and families of instances on which the left must not exceed the right.

The page shows that function, the ledger runs it. From the families follows everything else: the largest left/right
(the bite: the least factor on the right side that stays green), the worst instance, and the broken versions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial, update_wrapper
from html import escape
from typing import Any, Literal, NamedTuple

import numpy as np

from lifelong_book.press.claim import ROUNDING, Check, Claim, Finding, Generator, Kind, Known, Verdict

#: A right side times the first is too small on tight instances; times the second too large, where equality is claimed.
SPOILED = (0.98, 1.02)


class Sides(NamedTuple):
    """Both sides, from a family that has an arithmetic of its own: fractions, intervals, many digits."""

    left: Any
    right: Any


@dataclass(frozen=True)
class Family:
    """Instances of a claim: `Random(draw, ...)`, `Tight(draw, ...)`, `Adverse`, `Exact`, `Exhaustive`, `Boxes`."""

    kind: Kind
    draw: Callable[..., Any]
    count: int = 1
    over: tuple[tuple[Any, ...], ...] = ((),)
    name: str = ""
    _: KW_ONLY
    expect: Literal["hold", "break", "tell"] = "hold"
    equal: bool = False
    factor: float | None = None
    of: tuple[str, ...] = ()
    broken: bool = False
    drops: Any = ""
    why: str = ""
    spoils: float | None = None
    sides: Callable[..., Any] | None = None
    witness: str = ""
    chunk: int = 10_000

    @property
    def same(self) -> str:
        """Its title where its instances are the same every time, so that their sides need be computed only once."""
        return "" if "rng" in inspect.signature(self.draw).parameters else self.title

    @property
    def title(self) -> str:
        """What pages call it, and what its random numbers depend on."""
        return self.name or _line(self.draw)

    def instances(self, count: int, rng: Generator) -> Iterator[Any]:
        """What `draw` gives, setting by setting."""
        names = list(inspect.signature(self.draw).parameters)
        free = [name for name in names if name not in ("count", "rng")]
        for i, setting in enumerate(self.over):
            share = count // len(self.over) + (i < count % len(self.over))
            if share or "count" not in names:
                given = {name: x for name, x in (("count", share), ("rng", rng)) if name in names}
                drawn = self.draw(**given, **dict(zip(free, setting, strict=False)))
                yield from [drawn] if isinstance(drawn, Mapping | Sides) else drawn


Random, Tight, Adverse = partial(Family, "random"), partial(Family, "tight"), partial(Family, "adversarial")
Exact, Exhaustive, Boxes = partial(Family, "exact"), partial(Family, "exhaustive"), partial(Family, "interval")
#: A broken version: instances without a hypothesis, or other sides, of which some must violate.
Broken = partial(Family, "adversarial", broken=True, expect="break")


def _line(thing: Any) -> str:
    """The first line of its docstring."""
    return (inspect.getdoc(getattr(thing, "func", thing)) or repr(thing)).splitlines()[0].rstrip(".")


def _ratios(left: Any, right: Any, equal: bool) -> Any:
    """left/right, or right/left if that is larger and equality is claimed; not above 1 where the claim holds."""
    left, right = np.broadcast_arrays(np.atleast_1d(left), np.atleast_1d(right))
    positive = np.asarray(right > 0, dtype=bool)  # of a count that must be 0 there is no ratio
    holds = np.asarray(left == right if equal else left <= right, dtype=bool)
    with np.errstate(all="ignore"):
        ratio = np.where(positive, left / np.where(positive, right, 1), np.where(holds, float(equal), np.inf))
        ratio = ratio.astype(np.float64)
        return np.maximum(ratio, 1 / ratio) if equal else ratio


def _of(ratio: Any, right: Any) -> Finding:
    """What the ratios of one inequality show; the worst is measured only if some right side is positive."""
    bad, some = ~(ratio <= 1 + ROUNDING), bool(len(ratio))
    measured = some and bool(np.any(np.asarray(right > 0, dtype=bool)))
    at = int(np.argmax(ratio)) if some and (measured or bad.any()) else None
    return Finding(len(ratio), int(bad.sum()), float(ratio[at]) if measured and at is not None else None, at=at)


def _joined(parts: list[Sides]) -> Sides:
    """Both sides of all instances, one array each; most are one number an instance."""
    if not any(np.ndim(side) for part in parts for side in part):
        return Sides(*map(np.array, zip(*parts, strict=True)))
    rows = (np.broadcast_arrays(np.atleast_1d(left), right) for left, right in parts)
    return Sides(*map(np.concatenate, zip(*rows, strict=True)))


class TwoSided:
    """The function of the two sides, with its label, families and hypotheses; called, it gives the sides."""

    def __init__(
        self,
        label: str,
        sides: Callable[..., Any],
        families: tuple[Family, ...],
        given: tuple[Callable[..., Any], ...] = (),
        loose: Mapping[str, str] | None = None,
    ) -> None:
        update_wrapper(self, sides)
        self.label, self.sides, self.families, self.given, self.loose = label, sides, families, given, loose or {}
        names = [check.name for check in (*self.checks(), *self.twins())]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{label}: expected a name for each family, got {', '.join(twice)} twice")
        if not self.twins():
            raise ValueError(f"{label}: expected a tight family, a factor or a broken version, got none")

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self.sides(*given, **named)

    def compare(
        self, family: Family, sides: Any, factor: float, count: int, rng: Generator, *, known: Known | None = None
    ) -> Finding:
        """Both sides on each instance of a family, the right one times a factor."""
        known = {} if known is None or not family.same else known
        if family.same not in known:
            known[family.same] = self._both(family, sides, count, rng)
        found: dict[str, Finding] = {}
        for name, (left, right) in known[family.same].items():
            found[name] = _of(_ratios(left, right if factor == 1 else right * factor, family.equal), right)
        return self._together(found, family, factor != 1)

    def _both(self, family: Family, sides: Callable[..., Any] | None, count: int, rng: Generator) -> Any:
        """Both sides of all instances, inequality by inequality."""
        both: dict[str, list[Sides]] = {}
        for x in family.instances(count, rng):
            met = {} if isinstance(x, Sides) else {h: np.all(h(**x)) for h in self.given if h != family.drops}
            for missed in (h for h, holds in met.items() if not holds):
                raise ValueError(f"{self.label}: an instance of '{family.title}' misses a hypothesis: {_line(missed)}")
            drawn = x if isinstance(x, Sides) else (family.sides or sides or self.sides)(**x)
            for name, (left, right) in (drawn if isinstance(drawn, Mapping) else {"": drawn}).items():
                both.setdefault(name, []).append(Sides(left, right))
        return {name: _joined(parts) for name, parts in both.items()}

    def _together(self, found: dict[str, Finding], family: Family, spoiled: bool) -> Finding:
        """One finding of several inequalities; a spoiled right side must be noticed in every one that is tight."""
        if spoiled:
            found = {
                name: f for name, f in found.items() if (name in family.of if family.of else name not in self.loose)
            }
            found = dict([min(found.items(), key=lambda item: item[1].violations)] if found else [])
        ratios = {name: f.worst for name, f in found.items() if f.worst is not None}
        chief = max(found.values(), key=lambda f: (f.violations > 0, _high(f.worst)), default=Finding(0, 0))
        size, bad = (max((getattr(f, n) for f in found.values()), default=0) for n in ("instances", "violations"))
        return Finding(size, bad, chief.worst, family.witness, ratios if set(ratios) - {""} else {}, at=chief.at)

    def pinned(self, family: Family, *tried: Any, known: Known | None = None) -> Finding:
        """Whether the largest left/right of a family that breaks is what it says, to six digits."""
        worst = self.compare(family, *tried, known=known).worst
        off = np.inf if worst is None or family.factor is None else abs(worst / family.factor - 1)
        return Finding(1, int(not off <= 1e-6), worst)

    def instance(self, family: Family, count: int, rng: Generator, at: int) -> dict[str, Any]:
        """One instance of those that a family draws with these random numbers, as plain data."""
        for x in family.instances(count, rng):
            size = len(np.atleast_1d(x.left)) if isinstance(x, Sides) else self._size(family, x)
            if at < max(1, size):
                x = x._asdict() if isinstance(x, Sides) else x
                return {name: _plain(v[at] if size and np.ndim(v) else v) for name, v in x.items()}
            at -= max(1, size)
        raise IndexError(at)

    def _size(self, family: Family, x: Mapping[str, Any]) -> int:
        """How many instances one dictionary holds along the first axes; 0 if it is itself one."""
        drawn = (family.sides or self.sides)(**x)
        left, right = next(iter(drawn.values())) if isinstance(drawn, Mapping) else drawn
        shape = np.broadcast_shapes(np.shape(left), np.shape(right))
        return shape[0] if shape else 0

    def checks(self, sides: Callable[..., Any] | None = None) -> tuple[Check, ...]:
        """The families that are evidence, as the ledger runs them; with other sides if these are given."""
        expected = {"hold": False, "break": True, "tell": None}
        found = []
        for f in (f for f in self.families if not f.broken):
            run, scales = partial(self.compare, f, sides, 1.0), f.kind == "random"
            found.append(Check(f.title, f.kind, run, f.count, expected[f.expect], scales, f.chunk, same=f.same))
            if f.factor is not None:
                pin = partial(self.pinned, f, sides, 1.0)
                name = f"{f.title}: the largest left/right is {f.factor:.7g}"
                found.append(Check(name, f.kind, pin, f.count, same=f.same, pin=f.factor))
        return tuple(found)

    def twins(self, sides: Callable[..., Any] | None = None) -> tuple[Check, ...]:
        """The broken versions: a right side spoiled by 2 % on each tight family, and the families that are broken."""
        tight = [f for f in self.families if not f.broken and (f.kind == "tight" or f.factor is not None)]
        found = []
        for f in tight:
            for share in SPOILED if f.equal or f.factor is not None else SPOILED[:1]:
                name = f"right side times {share}" + (f": {f.title}" if len(tight) > 1 else "")
                run = partial(self.compare if f.factor is None else self.pinned, f, sides, share)
                found.append(Check(name, f.kind, run, f.count, True, spoils=0.02, same=f.same, pin=f.factor))
        for f in (f for f in self.families if f.broken):
            words = _line(f.drops) if callable(f.drops) else f.drops
            run = partial(self.compare, f, sides, 1.0)
            found.append(Check(f.title, f.kind, run, f.count, True, spoils=f.spoils, drops=words, why=f.why))
        return tuple(found)

    def claim(
        self,
        item: str,
        title: str,
        statement: str,
        verdict: Verdict,
        *,
        checks: tuple[Check, ...] = (),
        twins: tuple[Check, ...] = (),
        loose: Mapping[str, str] | None = None,
        **said: Any,
    ) -> Claim:
        """The entry of the ledger: these families and broken versions, and what else is tried."""
        checks, twins = (*self.checks(), *checks), (*self.twins(), *twins)
        why = {**self.loose, **(loose or {})}
        return Claim(self.label, item, title, statement, verdict, checks=checks, twins=twins, loose=why, **said)

    def check(self, sides: Callable[..., Any] | None = None, instances: int | None = None, *, seed: int = 0) -> Report:
        """Compare on every instance that the ledger tries: `sides` in place of the claim's own, if given."""
        lines, known = [], Known()
        for twin, checks in ((False, self.checks(sides)), (True, self.twins(sides))):
            for check in checks:
                parts = [
                    check.find(seed=seed, label=self.label, chunk=i, count=count, known=known)
                    for i, count in enumerate(check.counts(instances))
                ]
                total, worst = sum(parts[1:], parts[0]), max(parts, key=lambda f: (f.violations > 0, _high(f.worst)))
                line = Line(check, twin, total)
                if not line.agrees and not twin and check.violated is False and worst.at is not None:
                    family = next(f for f in self.families if f.title == check.name)
                    i, rng = parts.index(worst), check._rng
                    x = self.instance(family, check.counts(instances)[i], rng(seed, self.label, i), worst.at)
                    line = Line(check, twin, total, x)
                lines.append(line)
        return Report(self, tuple(lines))


def _high(worst: float | None) -> float:
    return -np.inf if worst is None else np.inf if np.isnan(worst) else worst


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


@dataclass(frozen=True)
class Line:
    """Of a two-sided claim's report one family: its check, what it found, and the instance that should not be there."""

    check: Check
    twin: bool
    finding: Finding
    instance: Mapping[str, Any] | None = None

    @property
    def agrees(self) -> bool:
        """Whether it found what is expected, on one instance at least."""
        return self.finding.instances > 0 and self.check.violated in (None, self.finding.violations > 0)

    def __str__(self) -> str:
        f, pin = self.finding, self.check.pin
        seen = f"{f.violations:,} of {f.instances:,} violated"
        if f.worst is not None:
            equality = f"right side times {SPOILED[1]}" in self.check.name
            seen += f", {'not equal: right/left' if equality else 'left/right'} up to {f.worst:.7g}"
            if pin is not None:  # one number is compared, and no instances are counted
                caught = "caught: " if self.twin and f.violations else ""
                seen = f"{caught}left/right up to {f.worst:.7g}{f', not {pin:.7g} as foreseen' if f.violations else ''}"
        lines = [f"{'broken version: ' if self.twin else ''}{self.check.name}"]
        lines += [f"    {seen}{'' if self.agrees else '  <- NOT AS EXPECTED'}"]
        if self.instance:
            arrays = {name: np.asarray(x) for name, x in self.instance.items()}
            shown = (f"{name} = {np.array2string(x, precision=4, separator=', ')}" for name, x in arrays.items())
            lines += ["    by " + ", ".join(shown).replace("\n", "")]
        return "\n".join(f"  {line}" for line in lines)


@dataclass(frozen=True)
class Report:
    """What the families of a claim show; as the last line of a cell, a line that opens."""

    claim: TwoSided
    lines: tuple[Line, ...]

    @property
    def agrees(self) -> bool:
        """Whether every family and every broken version shows what is expected."""
        return all(line.agrees for line in self.lines)

    def __repr__(self) -> str:
        seen = "refuted" if any(line.check.violated for line in self.lines if not line.twin) else "holds"
        count = sum(line.finding.instances for line in self.lines if not line.twin and line.check.pin is None)
        tried = f"{count:,} instance{'' if count == 1 else 's'}"
        head = f"{self.claim.label}: {seen if self.agrees else 'NOT AS EXPECTED'}; {tried}"
        shown: list[str] = []
        for line in self.lines:
            if line.check.pin is not None and line.agrees and not line.twin:
                shown[-1] += ", as foreseen"  # the family's largest left/right
            else:
                shown.append(str(line))
        return "\n".join([head, *shown])

    def _repr_html_(self) -> str:
        head, _, rest = escape(repr(self)).partition("\n")
        kind = "evidence" if self.agrees else "evidence fails"
        start = f'<details class="{kind}" data-claim="{self.claim.label}" open>'  # a page folds what agrees
        return f"{start}<summary>{head}</summary><pre>{rest}</pre></details>"


def two_sided(
    label: str,
    *families: Family,
    given: Callable[..., Any] | tuple[Callable[..., Any], ...] = (),
    loose: str | Mapping[str, str] = "",
) -> Callable[[Callable[..., Any]], TwoSided]:
    """The decorator of a function that returns the two sides, left and right, or a dictionary of such pairs by name."""
    hypotheses = given if isinstance(given, tuple) else (given,)
    why = {"": loose} if isinstance(loose, str) and loose else dict(loose or {})
    return lambda sides: TwoSided(label, sides, families, hypotheses, why)


def climb(sides: Any, x: dict[str, Any], rng: Generator, steps: int = 300) -> dict[str, Any]:
    """For adverse families of a claim: move instances at random, and keep each move with which left/right grows."""
    best = np.divide(*sides(**x))
    for size in 0.3 * 0.98 ** np.arange(steps):
        moved = {name: a + size * rng.standard_normal(a.shape) for name, a in x.items()}
        ratio = np.divide(*sides(**moved))
        better = ratio > best
        x = {name: np.where(better.reshape(-1, *[1] * (a.ndim - 1)), moved[name], a) for name, a in x.items()}
        best = np.where(better, ratio, best)
    return x
