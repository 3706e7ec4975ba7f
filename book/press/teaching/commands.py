"""The commands of a teacher: `lifelong assignment`, `lifelong grade` and `lifelong edition`."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lifelong_book.press.teaching.catalogue import find


def add(commands: Any, form: dict[str, Any], at_least: Callable[[int], Callable[[str], int]]) -> None:
    """Their options; `at_least` makes the type of an integer."""
    made = commands.add_parser("assignment", help="make a notebook of exercises to hand out", **form)
    made.add_argument("labels", nargs="+", metavar="LABEL", help="exercises, in the order in which they are asked")
    made.add_argument("--out", type=Path, required=True, metavar="FILE", help="the notebook to write")
    made.add_argument("--title", default="Exercises", help="default: %(default)s")
    made.add_argument("--overwrite", action="store_true", help="replace FILE if it is there")
    about = (
        "Runs the code that was handed in. What it is refused stops mistakes and the usual tricks, not somebody who"
        " wants to get out: unless you trust your students, grade in a container or a virtual machine."
    )
    graded = commands.add_parser("grade", help="grade a folder of submissions into a table", description=about, **form)
    graded.add_argument("folder", type=Path, metavar="FOLDER", help="with notebooks and Python files")
    graded.add_argument("--out", type=Path, required=True, metavar="FILE", help="the table to write, as CSV")
    graded.add_argument("--overwrite", action="store_true", help="replace FILE if it is there")
    graded.add_argument("--exercises", nargs="+", metavar="LABEL", help="default: those that the notebooks ask for")
    graded.add_argument(
        "--seconds",
        type=at_least(1),
        default=20,
        metavar="S",
        help="seconds of the processor for one exercise (default 20)",
    )
    graded.add_argument("--memory", type=at_least(1), default=2000, metavar="MB", help="default: %(default)s")
    graded.add_argument("--jobs", type=at_least(1), default=1, metavar="J", help="submissions at a time (default 1)")
    edition = commands.add_parser("edition", help="build the book for students, or for instructors", **form)
    edition.add_argument("edition", choices=["student", "instructor"], help="without solutions, or with notes on them")
    edition.add_argument("--out", type=Path, required=True, metavar="DIR", help="an empty folder, or a new one")
    for command in (commands.choices["exercise"], made, edition):
        command.add_argument("--book", type=Path, metavar="DIR", help="the book's folder (default: this one)")


def _refused(error: Exception) -> int:
    more = "; --book DIR names its folder" if "sources of the book" in str(error) else ""
    print(f"{error}{more}", file=sys.stderr)
    return 2


def _free(out: Path, *, overwrite: bool | None, ending: str = "") -> None:
    """Refuse a FILE that cannot be written, before any work is done for it; None if there is no `--overwrite`."""
    if not out.name.endswith(ending):
        raise ValueError(f"--out: expected a name that ends with {ending}, got {out}")
    if not out.parent.is_dir():
        raise FileNotFoundError(f"--out: no folder {out.parent}")
    if out.exists() and not out.is_file():
        raise ValueError(f"--out: {out} is no file")
    if out.exists() and not overwrite:
        more = "" if overwrite is None else ", or replace it with --overwrite"
        raise FileExistsError(f"{out} is there already, perhaps with answers or marks: move it{more}")


def one_notebook(label: str, book: Path | None) -> int:
    """`lifelong exercise LABEL --notebook`."""
    try:
        label = find(label).label
    except ValueError as error:
        return _refused(error)
    return _write([label], Path(f"{label}.ipynb"), title="Exercise", book=book, overwrite=None)


def assignment(arguments: argparse.Namespace) -> int:
    """`lifelong assignment LABEL ... --out FILE`."""
    given = {"title": arguments.title, "book": arguments.book, "overwrite": arguments.overwrite}
    return _write(arguments.labels, arguments.out, **given)


def _write(labels: list[str], out: Path, *, title: str, book: Path | None, overwrite: bool | None) -> int:
    from lifelong_book.press.teaching.assignments import assignment, write_assignment

    try:
        _free(out, overwrite=overwrite, ending=".ipynb")
        write_assignment(assignment(labels, title=title, book=book), out, overwrite=bool(overwrite))
    except (OSError, ValueError) as error:
        return _refused(error)
    print(out)
    return 0


def grade(arguments: argparse.Namespace) -> int:
    """`lifelong grade FOLDER --out FILE`."""
    from lifelong_book.press.teaching.gradebook import grade, not_graded, write_grades

    try:
        _free(arguments.out, overwrite=arguments.overwrite)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            found = grade(
                arguments.folder,
                exercises=arguments.exercises,
                seconds=arguments.seconds,
                memory=arguments.memory * 1_000_000,
                jobs=arguments.jobs,
                progress=sys.stderr.isatty(),
            )
        write_grades(found, arguments.out)
    except (OSError, ValueError) as error:
        return _refused(error)
    for label in dict.fromkeys(line.exercise for line in found):
        words = [line.verdict for line in found if line.exercise == label]
        print(f"{label}: {', '.join(f'{words.count(word)} {word}' for word in dict.fromkeys(words))}")
    for warning in told:
        print(f"{warning.message}; --exercises names them", file=sys.stderr)
    if left := not_graded(arguments.folder):
        print(f"neither a notebook nor Python, and not graded: {', '.join(map(str, left))}", file=sys.stderr)
    print(arguments.out)
    return 0


def edition(arguments: argparse.Namespace) -> int:
    """`lifelong edition student --out DIR`; the status is 1 if it cannot be built, or tells a solution."""
    from lifelong_book.press.teaching import editions

    print(f"building the {arguments.edition} edition, which takes some minutes", file=sys.stderr)
    try:
        made = editions.make_edition(arguments.edition, arguments.out, book=arguments.book)
    except (OSError, ValueError) as error:
        return _refused(error)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 1
    for place, words in made["leaks"]:
        print(f"{place}: a solution says: {words}", file=sys.stderr)
    print(f"{arguments.out}: {made['files']} files")
    if arguments.edition == "student":
        print(f"searched for {made['sentences']} sentences and lines of solutions: {len(made['leaks'])} found")
    return int(bool(made["leaks"]))


COMMANDS: dict[str, Callable[[argparse.Namespace], int]] = {
    "assignment": assignment,
    "grade": grade,
    "edition": edition,
}
