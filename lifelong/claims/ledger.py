"""What a claim is, what counts as evidence, and how evidence is gathered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from zlib import crc32

import numpy as np

from lifelong._checks import integer

__all__ = ["ROUNDING", "Check", "Claim", "Evidence", "Finding", "Report", "reports"]

#: A ratio of measured to bound above 1 by more than this is a violation; below it is rounding.
ROUNDING = 1e-9

Kind = Literal["random", "tight", "adversarial", "exhaustive", "exact", "interval"]
Expected = Literal["holds", "violated", "reported"]
Verdict = Literal["proved", "holds on all instances tried", "exhaustive", "refuted", "unchecked"]


@dataclass(frozen=True)
class Finding:
    """What one run of a check saw.

    Parameters
    ----------
    instances : int
        How many instances were tried.
    violations : int
        On how many of them the claim failed.
    worst : float or None
        Largest ratio of measured to bound, where the claim is an inequality.
    witness : str
        One instance in words: the worst one, or the one that refutes.

    Notes
    -----
    For every claim from `lem-angle` on.

    Examples
    --------
    >>> Finding.of_ratios([0.5, 1.0, 1.25])
    Finding(instances=3, violations=1, worst=1.25, witness='')
    """

    instances: int
    violations: int
    worst: float | None = None
    witness: str = ""

    @classmethod
    def of_ratios(cls, ratios: Any, witness: str = "") -> Finding:
        """Finding of an inequality from its ratios.

        Parameters
        ----------
        ratios : array_like of float, any shape
            Measured / bound of each instance; a NaN is a violation.
        witness : str
            One instance in words.

        Returns
        -------
        Finding
        """
        r = np.asarray(ratios, dtype=np.float64).ravel()
        worst = float(np.max(r)) if len(r) else None
        return cls(len(r), int((~(r <= 1 + ROUNDING)).sum()), worst, witness)

    def __add__(self, other: Finding) -> Finding:
        worst = [w for w in (self.worst, other.worst) if w is not None]  # numpy's maximum keeps a NaN
        return Finding(
            self.instances + other.instances,
            self.violations + other.violations,
            float(np.max(worst)) if worst else None,
            self.witness or other.witness,
        )


@dataclass(frozen=True)
class Check:
    """One way to test a claim, able to fail.

    Parameters
    ----------
    name : str
        What is tried.
    kind : {"random", "tight", "adversarial", "exhaustive", "exact", "interval"}
        How the instances come about.
    run : callable (count, Generator) -> Finding
        Tries `count` instances, or its fixed set of instances whatever the count.
    instances : int
        How many to try unless told otherwise.
    violated : bool or None
        Whether the check must find violations, as those of a refuted claim and of a broken twin must; None for
        one that only reports how often it finds them.
    scales : bool
        Whether `--instances` sets the count.
    chunk : int
        How many instances a single job tries.

    Notes
    -----
    For every claim from `lem-angle` on.

    Examples
    --------
    >>> check = Check("squares", "random", lambda count, rng: Finding(count, 0), instances=5)
    >>> check.find(seed=0, label="demo").instances
    5
    """

    name: str
    kind: Kind
    run: Callable[[int, np.random.Generator], Finding]
    instances: int = 1
    violated: bool | None = False
    scales: bool = False
    chunk: int = 10_000

    def counts(self, instances: int | None) -> list[int]:
        """Sizes of the chunks that make up the wanted number of instances.

        Parameters
        ----------
        instances : int or None
            Wanted instances of a check that scales; the check's own number unless given.

        Returns
        -------
        list of int
        """
        total = instances if self.scales and instances is not None else self.instances
        if not self.scales:
            return [total]
        return [min(self.chunk, total - start) for start in range(0, total, self.chunk)]

    def find(self, *, seed: int, label: str, chunk: int = 0, count: int | None = None) -> Finding:
        """Run one chunk; its random numbers depend on the seed, the claim, the check and the chunk only.

        Parameters
        ----------
        seed : int
            Seed of the whole run.
        label : str
            Label of the claim.
        chunk : int
            Number of the chunk.
        count : int, optional
            Instances to try; the check's own number unless given.

        Returns
        -------
        Finding
        """
        key = (crc32(label.encode()), crc32(self.name.encode()), chunk)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        return self.run(self.instances if count is None else count, rng)


@dataclass(frozen=True)
class Claim:
    """One numbered item of the paper, or one corrected item of this book.

    Parameters
    ----------
    label : str
        Stable name, used in the book, in links and on the command line.
    item : str
        What the item is called: "Lemma 3"; "corrected" for an item of this book that replaces or sharpens one of
        the paper; "added" for one that stands beside it.
    paper : str
        The label in the paper's source, or empty.
    title : str
        A few words.
    statement : str
        The claim as checked, in one sentence.
    verdict : str
        "proved", "holds on all instances tried", "exhaustive", "refuted" or "unchecked".
    scope : str
        Up to which size an exhaustive check goes, or what else limits the verdict.
    replaced_by : tuple of str
        Labels of the true statements that replace a refuted one, or sharpen a true one.
    checks, twins : tuple of Check
        The evidence, and the same with a constant or a hypothesis spoiled, which must come out violated.
    page : str
        Page of the book that holds it; the label is the anchor.
    functions : tuple of str
        Names in `lifelong` that carry it.

    Notes
    -----
    For every item of the paper, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> claim = Claim("lem-x", "Lemma 0", "", "nothing", "Nothing is claimed.")
    >>> claim.verdict, claim.checked
    ('unchecked', False)
    """

    label: str
    item: str
    paper: str
    title: str
    statement: str
    verdict: Verdict = "unchecked"
    scope: str = ""
    replaced_by: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    twins: tuple[Check, ...] = ()
    page: str = "ledger"
    functions: tuple[str, ...] = ()

    @property
    def checked(self) -> bool:
        """Whether there is evidence at all."""
        return self.verdict != "unchecked"


@dataclass(frozen=True)
class Evidence:
    """A check, what it found, and whether that is what the ledger expects.

    Parameters
    ----------
    check : str
        Name of the check.
    kind : str
        Kind of its instances.
    twin : bool
        Whether it is a broken twin.
    expected : {"holds", "violated", "reported"}
        What the ledger expects; "reported" expects nothing.
    finding : Finding
        What was seen.
    seconds : float
        Time taken, summed over chunks.

    Notes
    -----
    For every claim from `lem-angle` on.

    Examples
    --------
    >>> Evidence("squares", "random", False, "holds", Finding(5, 1), 0.0).agrees
    False
    """

    check: str
    kind: Kind
    twin: bool
    expected: Expected
    finding: Finding
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether the finding is the expected one; a check that tried nothing agrees with nothing."""
        seen = "violated" if self.finding.violations else "holds"
        return self.finding.instances > 0 and self.expected in (seen, "reported")


@dataclass
class Report:
    """A claim with the evidence gathered for it.

    Parameters
    ----------
    claim : Claim
        The entry of the ledger.
    evidence : list of Evidence
        One for each check, then one for each broken twin.
    complete : bool
        False when the run was interrupted before the last check of this claim.

    Notes
    -----
    For every claim from `lem-angle` on.

    Examples
    --------
    >>> Report(Claim("lem-x", "Lemma 0", "", "nothing", "Nothing is claimed.")).agrees
    True
    """

    claim: Claim
    evidence: list[Evidence] = field(default_factory=list)
    complete: bool = True

    @property
    def agrees(self) -> bool:
        """Whether every piece of evidence is as the recorded verdict says."""
        return all(e.agrees for e in self.evidence)

    @property
    def instances(self) -> int:
        """Instances behind the verdict, twins not counted."""
        return sum(e.finding.instances for e in self.evidence if not e.twin)

    @property
    def worst(self) -> float | None:
        """Largest ratio of measured to bound over all checks but the twins."""
        ratios = [e.finding.worst for e in self.evidence if not e.twin and e.finding.worst is not None]
        return max(ratios, default=None)

    @property
    def seconds(self) -> float:
        """Time spent in all checks, summed over jobs."""
        return sum(e.seconds for e in self.evidence)

    def summary(self) -> str:
        """Lines for a notebook: the verdict, then two lines a check; nothing that depends on the time taken.

        Returns
        -------
        str
        """
        lines = [f"{self.claim.label}: {self.claim.verdict}"]
        for e in self.evidence:
            lines.append(f"  {'broken twin: ' if e.twin else ''}{e.check}")
            worst = "" if e.finding.worst is None else f", worst ratio {e.finding.worst:.7g}"
            lines.append(f"      {e.finding.violations:,} of {e.finding.instances:,} violated{worst}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The report as plain data for JSON.

        Returns
        -------
        dict
        """
        c = self.claim
        return {
            "label": c.label,
            "item": c.item,
            "paper_label": c.paper,
            "title": c.title,
            "statement": c.statement,
            "verdict": c.verdict,
            "scope": c.scope,
            "replaced_by": list(c.replaced_by),
            "page": f"book/{c.page}.html#{c.label}",
            "functions": list(c.functions),
            "agrees": self.agrees,
            "complete": self.complete,
            "instances": self.instances,
            "worst": _finite(self.worst),
            "seconds": round(self.seconds, 3),
            "evidence": [_evidence_dict(e) for e in self.evidence if not e.twin],
            "twins": [_evidence_dict(e) for e in self.evidence if e.twin],
        }


def _finite(worst: float | None) -> float | str | None:
    """JSON has no infinity and no NaN: they travel by name."""
    return worst if worst is None or np.isfinite(worst) else str(worst)


def _evidence_dict(e: Evidence) -> dict[str, Any]:
    f = e.finding
    return {
        "check": e.check,
        "kind": e.kind,
        "expected": e.expected,
        "agrees": e.agrees,
        "instances": f.instances,
        "violations": f.violations,
        "worst": _finite(f.worst),
        "witness": f.witness,
        "seconds": round(e.seconds, 3),
    }


_EXPECTED: dict[bool | None, Expected] = {True: "violated", False: "holds", None: "reported"}

Job = tuple[int, int, int, int]  # claim, check (twins after checks), chunk, instances in the chunk


def _run(job: Job, check: Check, label: str, seed: int) -> tuple[Job, Finding, float]:
    start = time.perf_counter()
    finding = check.find(seed=seed, label=label, chunk=job[2], count=job[3])
    return job, finding, time.perf_counter() - start


def _jobs(claims: tuple[Claim, ...], instances: int | None) -> list[Job]:
    return [
        (i, j, c, count)
        for i, claim in enumerate(claims)
        for j, check in enumerate(claim.checks + claim.twins)
        for c, count in enumerate(check.counts(instances))
    ]


def _results(
    jobs: list[Job], claims: tuple[Claim, ...], seed: int, n_jobs: int
) -> Iterator[tuple[Job, Finding, float]]:
    calls = [(job, (c := claims[job[0]]).checks + c.twins, c.label) for job in jobs]
    arguments = [(job, checks[job[1]], label, seed) for job, checks, label in calls]
    if n_jobs == 1:
        yield from (_run(*a) for a in arguments)
        return
    from joblib import Parallel, delayed

    yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered")(delayed(_run)(*a) for a in arguments)


def _gather(claims: tuple[Claim, ...], jobs: list[Job], done: dict[Job, tuple[Finding, float]]) -> list[Report]:
    gathered = []
    for i, claim in enumerate(claims):
        report = Report(claim, complete=all(job in done for job in jobs if job[0] == i))
        for j, check in enumerate(claim.checks + claim.twins):
            parts = [done[job] for job in jobs if job[:2] == (i, j) and job in done]
            if parts:
                finding = sum((p[0] for p in parts[1:]), parts[0][0])
                seconds = sum(p[1] for p in parts)
                twin = j >= len(claim.checks)
                report.evidence.append(
                    Evidence(check.name, check.kind, twin, _EXPECTED[check.violated], finding, seconds)
                )
        gathered.append(report)
    return gathered


def reports(
    claims: Iterable[Claim],
    *,
    instances: int | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> list[Report]:
    """Gather the evidence for claims.

    Parameters
    ----------
    claims : iterable of Claim
        Entries of the ledger.
    instances : int, optional
        Instances of each random check; every check has a default of its own.
    seed : int, default 0
        The same seed gives the same findings, whatever the number of jobs.
    n_jobs : int, default 1
        Processes; -1 for all cores.
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    list of Report
        In the order of the claims. After an interrupt from the keyboard the reports hold what was found
        until then and say that they are not complete.

    Raises
    ------
    ValueError
        If `instances`, `seed` or `n_jobs` is no integer in its range: at least 1, at least 0, and -1 or at least 1.

    Examples
    --------
    >>> from lifelong.claims import LEDGER
    >>> report, = reports([LEDGER["lem-one-vec"]], instances=100)
    >>> report.agrees, report.claim.verdict
    (True, 'proved')
    """
    if instances is not None:
        integer("instances", instances, least=1)
    integer("seed", seed, least=0)
    if n_jobs != -1 or isinstance(n_jobs, bool):
        integer("n_jobs", n_jobs, least=1)
    chosen = tuple(claims)
    jobs = _jobs(chosen, instances)
    done: dict[Job, tuple[Finding, float]] = {}
    results: Iterable[tuple[Job, Finding, float]] = _results(jobs, chosen, seed, n_jobs)
    try:
        for job, finding, seconds in _with_bar(results, len(jobs), progress):
            done[job] = finding, seconds
    except KeyboardInterrupt:
        pass
    return _gather(chosen, jobs, done)


def _with_bar(results: Iterable[Any], total: int, progress: bool) -> Iterable[Any]:
    if not progress:
        return results
    from tqdm import tqdm

    bar: Iterable[Any] = tqdm(results, total=total, desc="checks", unit="check")
    return bar
