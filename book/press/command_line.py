"""The command ``lifelong``, or `python -m lifelong_book`: claims, evidence, tables, exercises, the built book."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import traceback
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lifelong
from lifelong_book.press.exercise import DIFFICULTIES, Exercise
from lifelong_book.press.ledger import KINDS, LEDGER, Evidence, Report, find, reports
from lifelong_book.press.ledger.runner import missing_extra
from lifelong_book.press.rooms import modules
from lifelong_book.press.table import Experiment, Table, run_cases
from lifelong_book.press.teaching import exercises, stub
from lifelong_book.press.teaching.assignments import alone, sheet
from lifelong_book.press.teaching.catalogue import find as find_exercise

if TYPE_CHECKING:
    from rich.console import Console

#: The tables that take too long for a notebook, by name; each is a record of the book, with the command that made it.
EXPERIMENTS: dict[str, Experiment] = {e.name: e for module in modules("tables") for e in module.EXPERIMENTS}

_STATUS = """\
exit status:
  0    everything that was asked for ran, and no evidence contradicts a recorded verdict; a server was stopped
  1    some evidence contradicts a recorded verdict
  2    an unknown option, claim, table, line or exercise; no built book to show, or no such port; no sources of the
       book, or a file that is there already
  3    nothing contradicts, but something was skipped that needs an extra which is not installed
  4    nothing contradicts, but something crashed: a check or a line of a table raised an error, or its worker was
       killed; it is named
  130  interrupted; what was found until then is printed
"""


def _at_least(least: int, also: tuple[int, ...] = ()) -> Callable[[str], int]:
    """Type of a command-line integer that is `least` or more, or one of `also`."""

    def parse(text: str) -> int:
        if text.lstrip("-").isdecimal() and (int(text) >= least or int(text) in also):
            return int(text)
        others = "".join(f" or {value}" for value in also)
        raise argparse.ArgumentTypeError(f"expected an integer >= {least}{others}, got {text!r}")

    return parse


def _parser() -> argparse.ArgumentParser:
    form: dict[str, Any] = {"epilog": _STATUS, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(prog="lifelong", description=str(__doc__).replace("`", ""), **form)
    parser.add_argument("--version", action="version", version=f"lifelong {lifelong.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    verify = commands.add_parser("verify", help="run the checks behind the verdicts", **form)
    verify.add_argument(
        "labels", nargs="*", metavar="LABEL", help='claims, such as lem-subspace or "Lemma 3"; all unless given'
    )
    verify.add_argument("--instances", type=_at_least(1), metavar="N", help="instances of each random check")
    verify.add_argument(
        "--bite", action="store_true", help="also turn the constants that bound no measured number; takes longer"
    )
    verify.add_argument("--into", type=Path, metavar="FILE", help="renew these claims in a record, such as the book's")
    commands.add_parser("discrepancies", help="list where what is printed and what is true part", **form)
    table = commands.add_parser("table", help="make one of the book's long tables", **form)
    table.add_argument("name", choices=sorted(EXPERIMENTS), help="which: %(choices)s")
    table.add_argument("--cases", type=_at_least(0), nargs="+", metavar="I", help="some of its lines, from 0")
    shown = commands.add_parser("serve", help="show the built book in a browser, its cells run in the page", **form)
    shown.add_argument(
        "folder", nargs="?", type=Path, default=Path("_build", "html"), metavar="DIR", help="default: %(default)s"
    )
    shown.add_argument("--port", type=_at_least(0), default=0, metavar="P", help="default: one that is free")
    shown.add_argument("--no-browser", action="store_true", help="only print the address")
    exercise = commands.add_parser("exercise", help="list the exercises of the book, or show one", **form)
    exercise.add_argument(
        "label", nargs="?", metavar="LABEL", help="an exercise, such as ex-threshold; all unless given"
    )
    exercise.add_argument("--page", metavar="PAGE", help="list those of pages that begin so, such as halfspaces/angles")
    exercise.add_argument("--hint", action="store_true", help="show what helps")
    exercise.add_argument("--stub", action="store_true", help="print the function to complete, and nothing else")
    exercise.add_argument("--notebook", action="store_true", help="make LABEL.ipynb: its text, its stub and its check")
    made = commands.add_parser("assignment", help="make a sheet of exercises for otter-grader", **form)
    made.add_argument("labels", nargs="+", metavar="LABEL", help="exercises, in the order in which they are asked")
    made.add_argument("--out", type=Path, required=True, metavar="FILE", help="the notebook to write")
    made.add_argument("--title", default="Exercises", help="default: %(default)s")
    made.add_argument("--site", default="", metavar="ADDRESS", help="of the built book, which the sheet links to")
    made.add_argument("--hidden", action="store_true", help="the checks run when the sheet is graded, and not before")
    for command in (verify, table):
        command.add_argument("--seed", type=_at_least(0), default=0, metavar="S", help="seed (default 0)")
        command.add_argument(
            "--jobs",
            type=_at_least(1, (-1,)),
            metavar="J",
            help="processes, -1 for all cores (default: 1; of all claims, all cores)",
        )
        command.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _provenance(command: str, seed: int) -> dict[str, object]:
    """What made a record: command, date, seed and versions."""
    return {
        "command": f"{command} --json",
        "date": datetime.now(UTC).date().isoformat(),
        "seed": seed,
        "versions": {
            "python": platform.python_version(),
            "lifelong": lifelong.__version__,
            **{package: version(package) for package in ("numpy", "scipy")},
        },
    }


def _evidence_record(found: Sequence[Report], *, seed: int, instances: int | None, bite: bool) -> dict[str, object]:
    labels = [] if len(found) == len(LEDGER) else [r.claim.label for r in found]
    parts = ["lifelong verify", *labels, f"--seed {seed}"]
    parts += [] if instances is None else [f"--instances {instances}"]
    parts += ["--bite"] if bite else []
    return {
        **_provenance(" ".join(parts), seed),
        "complete": all(r.complete for r in found),
        # a run that was interrupted, or left checks out, has no evidence to agree on
        "agrees": all(r.agrees and r.complete for r in found),
        "claims": [r.as_dict() for r in found],
    }


def _print_table(found: Sequence[Report]) -> None:
    from rich.table import Table

    table = Table("item", "label", "recorded verdict", title="Claims of the paper and their corrections")
    for heading in ("instances", "worst ratio", "bite", "twins violated", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("evidence")
    for r in found:
        table.add_row(*_cells(r))
    _wide(table)


def _wide(table: Any) -> Console:
    """Print a table; one that is piped is not cut to the width of a terminal."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(table, markup=False)  # lifelong[learners] is no markup
    return console


def _cells(r: Report) -> tuple[str, ...]:
    if not r.claim.checked:
        return (r.claim.item, r.claim.label, "unchecked", "", "", "", "", "", "not reached yet")
    twins = [e for e in r.evidence if e.twin]
    broken = sum(e.finding.violations > 0 for e in twins)
    return (
        r.claim.item,
        r.claim.label,
        r.claim.standing,
        f"{r.instances:,}",
        "" if r.worst is None else f"{r.worst:.10g}",
        "" if r.bite is None else f"{r.bite:.2f}",
        f"{broken} of {len(twins)}",
        f"{r.seconds:.1f}",
        _state(r),
    )


def _state(r: Report) -> str:
    if not r.evidence:
        return "interrupted: no evidence yet"
    if any(e.contradicts for e in r.evidence):
        return "CONTRADICTS the verdict"
    if any(e.finding.error for e in r.evidence):
        return "a check did not run"
    if not r.complete:
        return "interrupted"
    if r.needs:
        skipped = sum(bool(e.finding.needs) for e in r.evidence)
        return f"{skipped} of {len(r.evidence)} skipped: needs {', '.join(r.needs)}"
    return "as recorded"


class _UsageError(Exception):
    """What was asked for does not exist, or cannot be done."""


@contextmanager
def _asked() -> Iterator[None]:
    """Where what is wrong is what the user gave."""
    try:
        yield
    except (ValueError, FileNotFoundError) as error:
        raise _UsageError(str(error)) from error


def _long_run(arguments: argparse.Namespace) -> dict[str, Any]:
    """What every long run is given."""
    return {"seed": arguments.seed, "n_jobs": arguments.jobs or 1, "progress": sys.stderr.isatty()}


def _verify(arguments: argparse.Namespace) -> int:
    with _asked():
        chosen = [find(label) for label in arguments.labels] or list(LEDGER.values())
    arguments.jobs = arguments.jobs or (1 if arguments.labels else -1)
    found = reports(chosen, instances=arguments.instances, bite=arguments.bite, **_long_run(arguments))
    made = _evidence_record(found, seed=arguments.seed, instances=arguments.instances, bite=arguments.bite)
    if arguments.into and made["complete"]:
        arguments.into.write_text(json.dumps(_renewed(arguments.into, found), indent=1) + "\n", encoding="utf-8")
    if arguments.json:
        print(json.dumps(made, indent=1))
    else:
        _print_table(found)
    evidence = [(r.claim.label, e) for r in found for e in r.evidence]
    for label, e in evidence:
        _say(label, e)
    return _status([e for _, e in evidence], interrupted=not all(r.complete for r in found))


def _renewed(record: Path, found: Sequence[Report]) -> dict[str, object]:
    """A record with the claims just found in place of what it has of them, in the ledger's order."""
    stored = json.loads(record.read_text(encoding="utf-8"))
    claims = {c["label"]: c for c in (*stored["claims"], *(r.as_dict() for r in found))}
    return {**stored, "claims": [claims[label] for label in LEDGER if label in claims]}


def _say(label: str, e: Evidence) -> None:
    """Name evidence that does not agree, and say why."""
    if e.finding.needs and not e.contradicts:
        print(f"{label}: {e.check}: {e.seen}", file=sys.stderr)
    elif not e.agrees:
        print(f"{label}: {e.check}: expected {e.expected}, found {e.finding.error or e.finding}", file=sys.stderr)


def _status(evidence: Sequence[Evidence], *, interrupted: bool) -> int:
    if interrupted:
        return 130
    if any(e.contradicts for e in evidence):
        return 1
    if any(e.finding.error for e in evidence):
        return 4
    return 3 if any(e.finding.needs for e in evidence) else 0


def _discrepancies(arguments: argparse.Namespace) -> int:
    from rich.table import Table as Shown

    shown = Shown("", "item", "label", "where", "what is true", title="What is printed, what is true", show_lines=True)
    entries = [(c, d) for kind in KINDS for c in LEDGER.values() for d in c.discrepancies if d.kind == kind]
    for claim, d in entries:
        shown.add_row(f"{d.sign} {d.kind}", claim.item, claim.label, d.where, d.repair)
    console = _wide(shown)
    for kind, (sign, meaning) in KINDS.items():
        console.print(f"{sum(d.kind == kind for _, d in entries):3} {sign} {kind}: {meaning}", highlight=False)
    return 0


def _table_record(table: Table, *, seed: int, cases: Sequence[int] | None) -> dict[str, object]:
    parts = [f"lifelong table {table.experiment.name}"]
    parts += [] if cases is None else ["--cases", *map(str, cases)]
    return {
        **_provenance(" ".join([*parts, f"--seed {seed}"]), seed),
        "name": table.experiment.name,
        "title": table.experiment.title,
        "complete": table.complete,
        "rows": table.rows,
    }


def _print_rows(table: Table) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table as Shown

    if not table.rows:
        return
    headings = list(dict.fromkeys(key for row in table.rows for key in row))
    shown = Shown(*headings, title=table.experiment.title, box=SIMPLE, padding=(0, 1, 0, 0))
    for row in table.rows:
        shown.add_row(*(_short(row.get(key)) for key in headings))
    # no column is cut: a terminal that is too narrow breaks the lines
    console = Console()
    console.width = max(console.width, console.measure(shown, options=console.options.update(width=1000)).maximum)
    console.print(shown)


def _short(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table(arguments: argparse.Namespace) -> int:
    experiment = EXPERIMENTS[arguments.name]
    with _asked():
        table = run_cases(experiment, arguments.cases, **_long_run(arguments))
    if arguments.json:
        print(json.dumps(_table_record(table, seed=arguments.seed, cases=arguments.cases), indent=1))
    else:
        _print_rows(table)
    for index, failed in table.failed.items():
        print(f"{arguments.name}: line {index}: {failed.why}", file=sys.stderr)
        print(end="" if failed.needs else failed.trace, file=sys.stderr)
    if table.interrupted:
        return 130
    if any(not failed.needs for failed in table.failed.values()):
        return 4
    return 3 if table.failed else 0


def _serve(arguments: argparse.Namespace) -> int:
    from lifelong_book.press.serve import address, server

    try:
        opened = server(arguments.folder, arguments.port)
    except FileNotFoundError as error:
        raise _UsageError(f"{error}: build it with the first command of the README, or name its folder") from error
    except (OSError, OverflowError) as error:
        raise _UsageError(f"port {arguments.port}: {error}; leave out --port for one that is free") from error
    print(f"{address(opened)} shows the book until you press Control and C", flush=True)
    if not arguments.no_browser:
        webbrowser.open(address(opened))
    with opened:
        try:
            opened.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def _print_exercises(found: Sequence[Exercise]) -> None:
    from rich.box import SIMPLE
    from rich.table import Table as Shown

    shown = Shown("label", "page", "kind", "difficulty", "minutes", "checked", "goal", title="Exercises", box=SIMPLE)
    for e in found:
        checked = "yes" if e.checked else ""
        shown.add_row(e.label, e.page, *map(str, e.asks), checked, e.goal)
    console = _wide(shown)
    for level, meaning in DIFFICULTIES.items():
        console.print(f"difficulty {level}: {meaning}", highlight=False)


def _print_exercise(e: Exercise, *, hinted: bool) -> None:
    print(f"{e.label}, on the page {e.page}: {e.facts}")
    print(f"goal: {e.goal}")
    if hinted:
        print(f"hint: {e.hint}")
    how = f'lifelong_book.press.teaching.check("{e.label}", answer)' if e.checked else "the solution in the book"
    print(f"check: {how}")


def _exercise(arguments: argparse.Namespace) -> int:
    with _asked():
        if arguments.label is None:
            if arguments.hint or arguments.stub or arguments.notebook:
                raise ValueError("--hint, --stub and --notebook: expected a LABEL, got none")
            found = exercises(page=arguments.page)
            if not found:
                raise ValueError(f"--page: expected the beginning of a page with exercises, got {arguments.page!r}")
            _print_exercises(found)
        elif arguments.notebook:
            label = find_exercise(arguments.label).label
            _write(alone(label), Path(f"{label}.ipynb"))
        elif arguments.stub:
            print(stub(arguments.label))
        else:
            _print_exercise(find_exercise(arguments.label), hinted=arguments.hint)
    return 0


def _assignment(arguments: argparse.Namespace) -> int:
    with _asked():
        made = sheet(arguments.labels, title=arguments.title, site=arguments.site, hidden=arguments.hidden)
        _write(made, arguments.out)
    return 0


def _write(notebook: dict[str, Any], out: Path) -> None:
    """A notebook into a file that is not there yet: it may hold somebody's answers."""
    try:
        with out.open("x", encoding="utf-8") as file:
            json.dump(notebook, file, indent=1, ensure_ascii=False)
    except OSError as error:
        raise _UsageError(f"{out}: {error.strerror}") from error
    print(out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command `lifelong`."""
    parsed = _parser().parse_args(arguments)
    try:
        status = _COMMANDS[parsed.command](parsed)
        sys.stdout.flush()  # a disk that is full says so here, and not when nobody listens any more
    except _UsageError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if needs := missing_extra(error):
            print(f"{parsed.command}: skipped, needs {needs}", file=sys.stderr)
            return 3
        traceback.print_exception(error)
        return 4
    return status


_COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "verify": _verify,
    "table": _table,
    "discrepancies": _discrepancies,
    "exercise": _exercise,
    "serve": _serve,
    "assignment": _assignment,
}
