"""Sweeps: one random check on as many instances as one cares to wait for, in blocks, on one machine or on many."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from lifelong._checks import integer
from lifelong_book.press.claim import Check, Claim, Finding
from lifelong_book.press.ledger.evidence import Evidence, together
from lifelong_book.press.ledger.lines import Lines
from lifelong_book.press.ledger.runner import Failed, run

__all__ = ["Sweep", "sweep", "swept_check"]


@dataclass(frozen=True)
class Sweep:
    """What a sweep found.

    Parameters
    ----------
    claim : Claim
        Whose check it is.
    check : Check
        What was tried.
    seed, instances, block : int
        Seed, wanted instances, and how many of them a block has.
    finding : Finding
        What all blocks found together; its number of instances is that of those that were tried.
    worst : tuple of int or None
        The worst instance: its block, the instances of that block, and its position there. The first of several.
    witness : dict
        That instance itself, where the check can tell.
    blocks : int
        How many blocks are done.
    failed : dict of int to Failed
        Blocks that gave nothing, and why.
    interrupted : bool
        Whether the run was stopped from the keyboard; the blocks that were ready are kept.
    seconds : float
        Processor time, summed over blocks.

    Notes
    -----
    For claims with a random check, such as `lem-one-vec` and `lem-subspace`.

    Examples
    --------
    >>> from lifelong_book.press.ledger import LEDGER
    >>> found = sweep(LEDGER["lem-one-vec"], instances=250, block=100)
    >>> found.finding.instances, found.blocks, found.worst[0] in range(3)
    (250, 3, True)
    """

    claim: Claim
    check: Check
    seed: int
    instances: int
    block: int
    finding: Finding
    worst: tuple[int, int, int] | None = None
    witness: Mapping[str, Any] = field(default_factory=dict)
    blocks: int = 0
    failed: Mapping[int, Failed] = field(default_factory=dict)
    interrupted: bool = False
    seconds: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether every block is done."""
        return not self.interrupted and not self.failed

    @property
    def evidence(self) -> Evidence:
        """The finding beside what the ledger expects of the check."""
        return Evidence.of(self.check, self.finding, self.seconds)

    def as_dict(self) -> dict[str, Any]:
        """The sweep as plain data for JSON, to stand in a record.

        Returns
        -------
        dict
        """
        block, count, at = (None, None, None) if self.worst is None else self.worst
        return {
            "label": self.claim.label,
            "check": self.check.name,
            "wanted": self.instances,
            "block": self.block,
            "blocks": self.blocks,
            "complete": self.complete,
            **self.evidence.as_dict(),
            "worst at": {"block": block, "of": count, "position": at},
            "witness": dict(self.witness),
            "failed": {str(index): failed.why for index, failed in self.failed.items()},
        }


def swept_check(claim: Claim, name: str = "") -> Check:
    """The check of a claim that a sweep runs.

    Parameters
    ----------
    claim : Claim
        An entry of the ledger.
    name : str, default ""
        A part of the check's name; the first check whose number of instances can be chosen unless given.

    Returns
    -------
    Check

    Raises
    ------
    ValueError
        If the claim has no such check.

    Notes
    -----
    For claims with a random check, such as `lem-one-vec` and `lem-subspace`.

    Examples
    --------
    >>> from lifelong_book.press.ledger import LEDGER
    >>> swept_check(LEDGER["lem-subspace"], "Gaussian").name
    'Gaussian vectors, k = 1 to 6: how often'
    """
    scaling = [check for check in claim.checks if check.scales]
    for check in scaling:
        if name.lower() in check.name.lower():
            return check
    told = "; ".join(check.name for check in scaling) or "none, its instances are fixed"
    raise ValueError(f"check: expected a part of one of those of {claim.label} ({told}), got {name!r}")


def sweep(
    claim: Claim,
    check: str = "",
    *,
    instances: int,
    block: int | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
    lines: Lines | None = None,
) -> Sweep:
    """Run a random check of a claim on many instances, block by block.

    Parameters
    ----------
    claim : Claim
        An entry of the ledger.
    check : str, default ""
        Which check, see `swept_check`.
    instances : int
        How many instances.
    block : int, optional
        How many of them share a seed, and are one call; those of the check unless given, with which a sweep finds
        what `reports` finds.
    seed : int, default 0
        The instances of a block depend on it, on the claim, the check and the number of the block, and on nothing
        else: not on processes or machines, nor on which blocks were done before.
    n_jobs : int, default 1
        Processes; -1 for all cores, or for all workers of the cluster that `joblib.parallel_config` names.
    progress : bool, default False
        Show a progress bar on standard error.
    lines : Lines, optional
        A file that keeps each block as soon as it is done; with the same file and more instances a sweep goes on.

    Returns
    -------
    Sweep
        After an interrupt from the keyboard it holds the blocks done until then and is not complete.

    Raises
    ------
    ValueError
        If the claim has no such check, or a number is out of range.

    Notes
    -----
    For claims with a random check, such as `lem-one-vec` and `lem-subspace`.

    Examples
    --------
    >>> from lifelong_book.press.ledger import LEDGER
    >>> sweep(LEDGER["ineq-scalar"], instances=1000).finding.violations
    0
    """
    chosen = swept_check(claim, check)
    instances, seed = integer("instances", instances, least=1), integer("seed", seed, least=0)
    size = chosen.chunk if block is None else integer("block", block, least=1)
    sizes = {index: min(size, instances - start) for index, start in enumerate(range(0, instances, size))}
    calls = {(i, count): partial(_block, chosen, claim.label, seed, i, count) for i, count in sizes.items()}
    came = run(calls, n_jobs=n_jobs, progress=progress, unit="block", lines=lines)
    done = {key: came[key] for key in calls if key in came}  # in the order of the blocks, however they came
    found = {key: part for key, part in done.items() if not isinstance(part, Failed)}
    findings = {key: Finding(**part["finding"]) for key, part in found.items()}
    worst = _worst(findings)
    return Sweep(
        claim,
        chosen,
        seed,
        instances,
        size,
        together(list(done.values())),
        worst,
        {} if worst is None else chosen.witness(worst[2], seed=seed, label=claim.label, chunk=worst[0], count=worst[1]),
        len(found),
        {key[0]: part for key, part in done.items() if isinstance(part, Failed)},
        len(done) < len(calls),
        sum(part["seconds"] for part in found.values()),
    )


def _block(check: Check, label: str, seed: int, index: int, count: int) -> dict[str, Any]:
    start = time.process_time()  # what a plan is made from: a machine that is busy with other work is no slower
    finding = check.find(seed=seed, label=label, chunk=index, count=count)
    return {"finding": finding.as_dict(), "seconds": time.process_time() - start}


def _worst(findings: Mapping[tuple[int, int], Finding]) -> tuple[int, int, int] | None:
    """Block, its instances and position of the largest ratio, or of the first failure where nothing is measured."""
    told = [(key, f.worst, f.at) for key, f in findings.items() if f.at is not None]
    if not told:
        return None
    # the first of the largest; numpy puts a NaN above all
    (index, count), _, at = told[int(np.argmax([np.inf if worst is None else worst for _, worst, _ in told]))]
    return index, count, int(at or 0)
