"""What a claim is, how it is tested, and what a test finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal
from zlib import crc32

import numpy as np

from lifelong_book.press.contents import places

Generator = np.random.Generator

#: A ratio of measured to bound above 1 by more than this is a violation; below it is rounding.
ROUNDING = 1e-9

#: What checks of the same instances have computed and share, by the name of those instances.
Known = dict[str, Any]

Kind = Literal["random", "tight", "adversarial", "exhaustive", "exact", "interval"]
Verdict = Literal["proved", "holds on all instances tried", "exhaustive", "refuted", "unchecked"]
Part = Literal["refuted", "gap", "misprint", "reading"]

#: How what is printed and what is true can part: the sign and the meaning of each kind.
KINDS: dict[str, tuple[str, str]] = {
    "refuted": (
        "✗",
        "an instance meets every hypothesis and violates the conclusion; where constants are left open, one for every "
        "choice of them",
    ),
    "gap": ("△", "the statement is true; a step of its printed proof is missing, or is not true"),
    "misprint": ("✎", "what is printed cannot be meant; the reading that this book uses is named"),
    "reading": ("⇄", "true in one reading of the words, false in another; both are shown"),
}


@dataclass(frozen=True)
class Discrepancy:
    """A place where what is printed and what is true part; one line of the page for reviewers."""

    label: str
    kind: Part
    where: str
    printed: str
    fails: str
    example: str
    repair: str
    cost: str
    repaired_by: tuple[str, ...] = ()
    page: str = ""
    stands: str = ""

    @property
    def sign(self) -> str:
        """The sign of its kind."""
        return KINDS[self.kind][0]


@dataclass(frozen=True)
class Finding:
    """What one run of a check saw."""

    instances: int
    violations: int
    worst: float | None = None
    witness: str = ""
    ratios: dict[str, float] = field(default_factory=dict)
    error: str = ""
    needs: str = ""
    at: int | None = None

    @classmethod
    def of_ratios(cls, ratios: Any, witness: str = "") -> Finding:
        """Finding of an inequality from its ratios."""
        if isinstance(ratios, Mapping):
            parts = {name: cls.of_ratios(r) for name, r in ratios.items()}
            by_name = {name: part.worst for name, part in parts.items() if part.worst is not None}
            names = list(by_name)
            first = names[int(np.argmax(list(by_name.values())))] if names else None  # of a NaN, where there is one
            return cls(
                max((p.instances for p in parts.values()), default=0),
                max((p.violations for p in parts.values()), default=0),
                None if first is None else by_name[first],
                witness,
                by_name,
                at=None if first is None else parts[first].at,
            )
        r = np.asarray(ratios, dtype=np.float64).ravel()
        at = int(np.argmax(r)) if len(r) else None
        worst = None if at is None else float(r[at])
        return cls(len(r), int((~(r <= 1 + ROUNDING)).sum()), worst, witness, at=at)

    @classmethod
    def of_outcomes(cls, outcomes: Iterable[bool], witness: str = "") -> Finding:
        """Finding of a claim that holds on an instance, or does not."""
        held = [bool(outcome) for outcome in outcomes]
        return cls(len(held), held.count(False), witness=witness, at=held.index(False) if False in held else None)

    @classmethod
    def of(cls, found: Any) -> Finding:
        """What a check gives: a finding; or of each instance whether the claim holds, or its ratios, also by name."""
        if isinstance(found, Finding):
            return found
        each = list(found)
        if each and all(isinstance(x, bool | np.bool_) for x in each):
            return cls.of_outcomes(each)
        if not each or not isinstance(each[0], Mapping):
            return cls.of_ratios(np.hstack(each) if each else ())
        names = dict.fromkeys(name for x in each for name in x)
        return cls.of_ratios({name: np.hstack([x[name] for x in each if name in x]) for name in names})

    @property
    def inequalities(self) -> dict[str, float]:
        """Largest ratio of each inequality; the only one of a check has no name, which is the empty one."""
        return self.ratios or ({} if self.worst is None else {"": self.worst})

    def __add__(self, other: Finding) -> Finding:
        worst = [w for w in (self.worst, other.worst) if w is not None]  # numpy's maximum keeps a NaN
        names = [*self.ratios, *(name for name in other.ratios if name not in self.ratios)]
        return Finding(
            self.instances + other.instances,
            self.violations + other.violations,
            float(np.max(worst)) if worst else None,
            self.witness or other.witness,
            {name: float(np.max([f.ratios[name] for f in (self, other) if name in f.ratios])) for name in names},
            self.error or other.error,
            self.needs or other.needs,
        )


@dataclass(frozen=True)
class Check:
    """One way to test a claim, able to fail."""

    name: str
    kind: Kind
    run: Callable[..., Any]  # what `Finding.of` takes
    instances: int = 1
    violated: bool | None = False
    scales: bool = False
    chunk: int = 10_000
    knobs: Mapping[str, Callable[[int, np.random.Generator, float], Any]] = field(default_factory=dict)
    spoils: float | None = None
    drops: str = ""
    why: str = ""
    same: str = ""
    pin: float | None = None  # the largest left/right that it must find

    @property
    def spoiling(self) -> str:
        """What a broken version does to its claim, in words; empty for other checks."""
        if self.spoils is not None:
            return f"spoils {100 * self.spoils:.2g} %"
        return f"drops: {self.drops}" if self.drops else self.why

    def counts(self, instances: int | None) -> list[int]:
        """Sizes of the chunks that make up the wanted number of instances."""
        total = instances if self.scales and instances is not None else self.instances
        if not self.scales:
            return [total]
        return [min(self.chunk, total - start) for start in range(0, total, self.chunk)]

    def find(
        self, *, seed: int, label: str, chunk: int = 0, count: int | None = None, known: Known | None = None
    ) -> Finding:
        """Run one chunk; its random numbers depend on the seed, the claim, the check and the chunk only."""
        shared = {"known": known} if self.same else {}
        return Finding.of(self.run(self.instances if count is None else count, self._rng(seed, label, chunk), **shared))

    def _rng(self, seed: int, label: str, chunk: int = 0) -> np.random.Generator:
        key = (crc32(label.encode()), crc32(self.name.encode()), chunk)
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))

    def turn(self, knob: str, *, seed: int, label: str, width: float = 0.01) -> float:
        """The bite of one knob, by bisection: the lowest factor at which this check stays green."""

        def green(factor: float) -> bool:
            count = self.counts(None)[0]
            found = Finding.of(self.knobs[knob](count, self._rng(seed, label), factor))
            return found.instances > 0 and found.violations == 0

        if not green(1.0):
            return float("inf")
        low, high = 0.0, 1.0
        while high - low > width:
            middle = (low + high) / 2
            low, high = (low, middle) if green(middle) else (middle, high)
        return high


#: A broken version of a claim: a check that must find violations.
Twin = partial(Check, violated=True)


@dataclass(frozen=True)
class Claim:
    """One numbered item of the paper, or one corrected item of this book."""

    label: str
    item: str
    title: str
    statement: str
    verdict: Verdict = "unchecked"
    paper: str = ""
    scope: str = ""
    replaced_by: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    twins: tuple[Check, ...] = ()
    functions: tuple[Callable[..., Any], ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    loose: Mapping[str, str] = field(default_factory=dict)

    @property
    def page(self) -> str:
        """Where the book states it."""
        return places()[self.label]

    @property
    def ours(self) -> bool:
        """Whether it is an item of this book, and not of the paper."""
        return self.item in ("corrected", "added")

    @property
    def checked(self) -> bool:
        """Whether there is evidence at all."""
        return self.verdict != "unchecked"

    @property
    def standing(self) -> str:
        """The verdict with the signs and kinds of what was found wrong in print: "proved, △ gap"."""
        verdict = f"{KINDS['refuted'][0]} refuted" if self.verdict == "refuted" else self.verdict
        others = dict.fromkeys(d.kind for d in self.discrepancies if d.kind != "refuted")
        return ", ".join([verdict, *(f"{KINDS[kind][0]} {kind}" for kind in others)])
