"""Command line: `python -m lifelong verify` gathers the evidence for the claims and prints the verdicts."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from lifelong.claims import LEDGER, find, reports
from lifelong.claims.ledger import Report

__all__ = ["main"]


def _at_least(least: int, also: tuple[int, ...] = ()) -> Callable[[str], int]:
    """Type of a command-line integer that is `least` or more, or one of `also`."""

    def parse(text: str) -> int:
        if text.lstrip("-").isdecimal() and (int(text) >= least or int(text) in also):
            return int(text)
        others = "".join(f" or {value}" for value in also)
        raise argparse.ArgumentTypeError(f"expected an integer >= {least}{others}, got {text!r}")

    return parse


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lifelong", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="run the checks behind the verdicts")
    verify.add_argument(
        "labels", nargs="*", metavar="LABEL", help='claims, such as lem-subspace or "Lemma 3"; all unless given'
    )
    verify.add_argument("--instances", type=_at_least(1), metavar="N", help="instances of each random check")
    verify.add_argument(
        "--seed", type=_at_least(0), default=0, metavar="S", help="seed of the random checks (default 0)"
    )
    verify.add_argument(
        "--jobs", type=_at_least(1, (-1,)), default=1, metavar="J", help="processes, -1 for all cores (default 1)"
    )
    verify.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def record(found: Sequence[Report], *, seed: int, instances: int | None) -> dict[str, object]:
    """The evidence with what made it: command, date, seed and versions."""
    labels = [] if len(found) == len(LEDGER) else [r.claim.label for r in found]
    parts = ["python -m lifelong verify", *labels, f"--seed {seed}"]
    parts += [] if instances is None else [f"--instances {instances}"]
    return {
        "command": " ".join([*parts, "--json"]),
        "date": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "versions": {
            "python": platform.python_version(),
            **{p: version(p) for p in ("lifelong", "numpy", "scipy")},
        },
        "complete": all(r.complete for r in found),
        "agrees": all(r.agrees for r in found),
        "claims": [r.as_dict() for r in found],
    }


def _print_table(found: Sequence[Report]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Claims of the paper and their corrections", show_lines=False)
    for heading, justify in (
        ("item", "left"),
        ("label", "left"),
        ("verdict", "left"),
        ("instances", "right"),
        ("worst ratio", "right"),
        ("twins violated", "right"),
        ("seconds", "right"),
        ("evidence", "left"),
    ):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for r in found:
        table.add_row(*_cells(r))
    # a table that is piped is not cut to the width of a terminal
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def _cells(r: Report) -> tuple[str, ...]:
    if not r.claim.checked:
        return (r.claim.item, r.claim.label, "unchecked", "", "", "", "", "not reached yet")
    twins = [e for e in r.evidence if e.twin]
    broken = sum(e.finding.violations > 0 for e in twins)
    state = "as recorded" if r.agrees else "CONTRADICTS the verdict"
    if not r.evidence:
        state = "no evidence yet"
    return (
        r.claim.item,
        r.claim.label,
        r.claim.verdict,
        f"{r.instances:,}",
        "" if r.worst is None else f"{r.worst:.10g}",
        f"{broken} of {len(twins)}",
        f"{r.seconds:.1f}",
        state if r.complete else f"{state}; interrupted",
    )


def _verify(arguments: argparse.Namespace) -> int:
    try:
        chosen = [find(label) for label in arguments.labels] or list(LEDGER.values())
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    found = reports(
        chosen,
        instances=arguments.instances,
        seed=arguments.seed,
        n_jobs=arguments.jobs,
        progress=sys.stderr.isatty(),
    )
    if arguments.json:
        print(json.dumps(record(found, seed=arguments.seed, instances=arguments.instances), indent=1))
    else:
        _print_table(found)
    for r in found:
        for e in r.evidence:
            if not e.agrees:
                print(f"{r.claim.label}: {e.check}: expected {e.expected}, found {e.finding}", file=sys.stderr)
    if not all(r.complete for r in found):
        return 130
    return 0 if all(r.agrees for r in found) else 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        Without the program name; those of the process unless given.

    Returns
    -------
    int
        0 when all evidence agrees with the recorded verdicts, 1 when some contradicts them, 2 for an unknown
        label, 130 after an interrupt.

    Examples
    --------
    >>> main(["verify", "rem-dimension", "--json"])  # doctest: +ELLIPSIS
    {
     "command": "python -m lifelong verify rem-dimension --seed 0 --json",
    ...
    0
    """
    return _verify(_parser().parse_args(arguments))


if __name__ == "__main__":
    sys.exit(main())
