"""The evidence for claims: the checks run, what they found, and whether that is what the ledger records."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from lifelong._checks import integer
from lifelong_book.press.claim import Check, Claim, Finding, Kind, Known
from lifelong_book.press.ledger.runner import Failed, keyed, run

Expected = Literal["holds", "violated", "reported"]

_Key = tuple[str, str, int, int]  # a claim, its check, the chunk and the instances


class _Found(NamedTuple):
    """What one part of a check gave: the finding, the bites of the knobs, and the time taken."""

    finding: Finding
    knobs: dict[str, float]
    seconds: float


_EXPECTED: dict[bool | None, Expected] = {True: "violated", False: "holds", None: "reported"}


@dataclass(frozen=True)
class Evidence:
    """A check, what it found, and whether that is what the ledger expects."""

    check: str
    kind: Kind
    twin: bool
    expected: Expected
    finding: Finding
    seconds: float
    knobs: dict[str, float] = field(default_factory=dict)
    spoiling: str = ""
    counted: bool = True  #: whether its instances are its own; a pinned ratio is that of a family's

    @property
    def ran(self) -> bool:
        """Whether the check came to an end; one that raised, or needs what is not installed, says nothing."""
        return not self.finding.error and not self.finding.needs

    @property
    def agrees(self) -> bool:
        """Whether the check ran and found what is expected; one that tried nothing agrees with nothing."""
        seen = "violated" if self.finding.violations else "holds"
        return self.ran and self.finding.instances > 0 and self.expected in (seen, "reported")

    @property
    def contradicts(self) -> bool:
        """Whether the check ran and found something else; a violation counts even if another part did not run."""
        refutes = self.expected == "holds" and self.finding.violations > 0
        return refutes or (self.ran and not self.agrees)

    @property
    def seen(self) -> str:
        """What the check found, in words."""
        f = self.finding
        if not self.ran:
            return f"skipped, needs {f.needs}" if f.needs else f"did not run: {f.error}"
        worst = "" if f.worst is None or np.isnan(f.worst) else f", worst ratio {f.worst:.7g}"
        return f"{f.violations:,} of {f.instances:,} violated{worst}"

    @property
    def bite(self) -> dict[str, float]:
        """For each inequality, the lowest factor on its bound at which this evidence stays green; 1 is best."""
        return {**self.finding.inequalities, **self.knobs} if self.expected == "holds" else {}

    def as_dict(self) -> dict[str, Any]:
        """The evidence as plain data for JSON."""
        f = self.finding
        return {
            "check": self.check,
            "kind": self.kind,
            "expected": self.expected,
            "agrees": self.agrees,
            "instances": int(f.instances),  # a check may have counted with numpy
            "violations": int(f.violations),
            "worst": _finite(f.worst),
            "ratios": {name: _finite(ratio) for name, ratio in f.ratios.items()},
            "knobs": {name: _finite(bite) for name, bite in self.knobs.items()},
            "witness": f.witness,
            "error": f.error,
            "needs": f.needs,
            "spoiling": self.spoiling,
            "seconds": round(self.seconds, 3),
        }


@dataclass
class Report:
    """The ledger's evidence: a claim with all that was gathered for it."""

    claim: Claim
    evidence: list[Evidence] = field(default_factory=list)
    complete: bool = True

    @property
    def agrees(self) -> bool:
        """Whether every check ran to its end, and found what the recorded verdict says."""
        return self.complete and all(e.agrees for e in self.evidence)

    @property
    def needs(self) -> list[str]:
        """What to install for the checks that were skipped."""
        return sorted({e.finding.needs for e in self.evidence} - {""})

    @property
    def instances(self) -> int:
        """Instances behind the verdict, twins not counted."""
        return sum(e.finding.instances for e in self.evidence if e.counted and not e.twin)

    @property
    def worst(self) -> float | None:
        """Largest ratio of measured to bound over all checks but the twins."""
        ratios = [e.finding.worst for e in self.evidence if not e.twin and e.finding.worst is not None]
        return float(np.max(ratios)) if ratios else None  # numpy's maximum keeps a NaN

    @property
    def bites(self) -> dict[str, float]:
        """The bite of every inequality: that of the check which bites it most; none for a refuted claim."""
        found: dict[str, float] = {}
        for e in self.evidence:
            if not e.twin and self.claim.verdict != "refuted":
                for name, bite in e.bite.items():
                    found[name] = max(bite, found.get(name, 0.0))
        return found

    @property
    def bite(self) -> float | None:
        """The least of the bites; None where the claim is no inequality."""
        return min(self.bites.values(), default=None)

    @property
    def seconds(self) -> float:
        """Time spent in all checks, summed over jobs."""
        return sum(e.seconds for e in self.evidence)

    def summary(self) -> str:
        """Lines for a notebook: the verdict, then two lines a check; nothing that depends on the time taken."""
        lines = [f"{self.claim.label}: {self.claim.verdict}"]
        for e in self.evidence:
            lines += [f"  {'broken version: ' if e.twin else ''}{e.check}", f"      {e.seen}"]
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON."""
        c = self.claim
        return {
            "label": c.label,
            "item": c.item,
            "paper_label": c.paper,
            "title": c.title,
            "statement": c.statement,
            "verdict": c.verdict,
            "scope": c.scope,
            "standing": c.standing,
            "discrepancies": [vars(d) | {"repaired_by": list(d.repaired_by)} for d in c.discrepancies],
            "replaced_by": list(c.replaced_by),
            "functions": [f"{f.__module__}.{f.__qualname__}" for f in c.functions],
            "agrees": self.agrees,
            "complete": self.complete,
            "instances": int(self.instances),
            "worst": _finite(self.worst),
            "bites": {name: _finite(bite) for name, bite in self.bites.items()},
            "loose": dict(c.loose),
            "seconds": round(self.seconds, 3),
            "evidence": [e.as_dict() for e in self.evidence if not e.twin],
            "twins": [e.as_dict() for e in self.evidence if e.twin],
        }


def _finite(worst: float | None) -> float | str | None:
    """JSON has no infinity and no NaN: they travel by name."""
    return worst if worst is None or np.isfinite(worst) else str(worst)


def reports(
    claims: Iterable[Claim],
    *,
    instances: int | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
    bite: bool = False,
) -> list[Report]:
    """Gather the evidence for claims."""
    if instances is not None:
        integer("instances", instances, least=1)
    integer("seed", seed, least=0)
    chosen = tuple(claims)
    tries: dict[tuple[str, str], dict[_Key, Callable[[Known], _Found]]] = {}  # those of the same instances are one call
    for claim in chosen:
        for check in claim.checks + claim.twins:
            for chunk, count in enumerate(check.counts(instances)):
                alike = tries.setdefault((claim.label, check.same or f"{check.name}, {chunk}"), {})
                part = partial(_try, check, claim.label, seed, chunk, count, bite)
                alike[claim.label, check.name, chunk, count] = part
    calls = {key: partial(_all, alike) for key, alike in tries.items()}
    done: dict[_Key, _Found] = {}
    for key, found in run(calls, n_jobs=n_jobs, progress=progress, unit="check").items():
        done |= dict.fromkeys(tries[key], _nothing(found)) if isinstance(found, Failed) else found
    gathered = []
    for claim in chosen:
        report = Report(claim)
        for j, check in enumerate(claim.checks + claim.twins):
            keys = [(claim.label, check.name, chunk, count) for chunk, count in enumerate(check.counts(instances))]
            report.complete &= all(key in done for key in keys)
            if parts := [done[key] for key in keys if key in done]:
                report.evidence.append(_evidence(check, parts, twin=j >= len(claim.checks)))
        gathered.append(report)
    return gathered


def _all(alike: Mapping[_Key, Callable[[Known], _Found]]) -> dict[_Key, _Found]:
    known: Known = {}
    tried = [keyed(key, partial(part, known)) for key, part in alike.items()]
    return {key: _nothing(found) if isinstance(found, Failed) else found for key, found in tried}


def _nothing(why: Failed) -> _Found:
    """What a part found that did not run, and what kept it."""
    return _Found(Finding(0, 0, error="" if why.needs else why.error, needs=why.needs), {}, 0.0)


def _try(check: Check, label: str, seed: int, chunk: int, count: int, bite: bool, known: Known) -> _Found:
    start = time.perf_counter()
    finding = check.find(seed=seed, label=label, chunk=chunk, count=count, known=known)
    turned = check.knobs if bite and chunk == 0 else ()
    knobs = {name: float(check.turn(name, seed=seed, label=label)) for name in turned}
    return _Found(finding, knobs, time.perf_counter() - start)


def _evidence(check: Check, parts: list[_Found], *, twin: bool) -> Evidence:
    first, *others = (part.finding for part in parts)
    knobs = {name: bite for part in parts for name, bite in part.knobs.items()}
    seconds = sum(part.seconds for part in parts)
    expected = _EXPECTED[check.violated]
    found = sum(others, first)
    return Evidence(check.name, check.kind, twin, expected, found, seconds, knobs, check.spoiling, check.pin is None)
