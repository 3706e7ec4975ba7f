"""A folder of submissions graded into a table, whatever the submissions do."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields
from io import StringIO
from pathlib import Path
from typing import Any

from lifelong_book.press.teaching.book_text import SOURCES
from lifelong_book.press.teaching.catalogue import EXERCISES, find
from lifelong_book.press.teaching.examiner import PATIENCE
from lifelong_book.press.teaching.submissions import Handed, read_submission

__all__ = ["VERDICTS", "Grade", "grade", "not_graded", "write_grades"]

#: What the words of the table mean.
VERDICTS: dict[str, str] = {
    "right": "the check accepts the answer",
    "not yet": "the check refuses it; the message says why",
    "missing": "the function is not there",
    "stopped": "it took too long",
    "crashed": "its process ended",
    "unreadable": "the file could not be read",
    "by hand": "a proof, which nobody but the teacher can grade",
}
#: How the files end that are graded.
_GRADED = (".ipynb", ".py")
#: Seconds that a checker itself may take for one exercise; it has only to end at all.
CHECKER = 120


@dataclass(frozen=True)
class Grade:
    """A line of the table.

    Parameters
    ----------
    student : str
        As the submission gives it.
    file : str
        Below the folder of the submissions.
    exercise : str
        Its label.
    verdict : str
        One of `VERDICTS`.
    message : str
        What the check says.
    seconds : float
        That the check took.

    Notes
    -----
    An answer about `lem-subspace` is graded as one about `thm-polynomials` is.

    Examples
    --------
    >>> Grade("Emmy", "emmy.ipynb", "ex-threshold", "right", "", 0.1).verdict
    'right'
    """

    student: str
    file: str
    exercise: str
    verdict: str
    message: str
    seconds: float


def grade(
    folder: Path | str,
    *,
    exercises: Sequence[str] | None = None,
    seconds: float = 20,
    memory: int = 2_000_000_000,
    jobs: int = 1,
    progress: bool = False,
) -> list[Grade]:
    """Grade all notebooks and Python files of a folder and those below it.

    Parameters
    ----------
    folder : path
        Of the submissions.
    exercises : sequence of str, optional
        Labels. Unless given, those that at least half of the notebooks of the folder, made by `assignment`, ask for.
    seconds : float, default 20
        Of the processor, for one statement or for all calls of one exercise together.
    memory : int, default 2_000_000_000
        Bytes that a submission may use, where the system can limit that.
    jobs : int, default 1
        How many submissions are graded at the same time.
    progress : bool, default False
        Whether a bar counts the submissions that are done.

    Returns
    -------
    list of Grade
        One for each submission and exercise, in this order.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, or no submission in it.
    ValueError
        If an exercise has no record, or none is named anywhere.

    Notes
    -----
    Each submission runs in a process of its own, in a temporary folder, and checkers in another one; `book/teaching`
    says what this protects against and what not. An answer about `lem-subspace` is graded as one about
    `thm-polynomials` is.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "emmy.py").write_text("def largest_noise(epsilon): return epsilon / 4")
    ...     (found,) = grade(folder, exercises=["ex-beyond-noise"])
    >>> found.student, found.verdict, found.message
    ('emmy', 'not yet', 'largest_noise(epsilon=0.2): the test does not stand on the edge at this rate')
    """
    from tqdm import tqdm

    folder = Path(folder)
    files = _files(folder)
    handed = [read_submission(path) for path in files]
    named = {find(label).label for label in exercises or ()} or _asked(handed)
    if not named:
        raise ValueError("exercises: no submission says which ones were asked; name them")
    labels = [label for label in EXERCISES if label in named]
    limits = {"seconds": seconds, "memory": memory, "closed": [str(path) for path in _closed(folder)]}
    with ThreadPoolExecutor(jobs) as pool:
        done = pool.map(lambda one: _grade(one, labels, limits), handed)
        found = tqdm(done, total=len(files), desc="submissions", unit="submission", disable=not progress)
        return [
            Grade(one.student, path.relative_to(folder).as_posix(), **line)
            for path, one, lines in zip(files, handed, found, strict=True)
            for line in lines
        ]


def not_graded(folder: Path | str) -> list[Path]:
    """Name the files that `grade` passes over: what somebody handed in as a web page, say, or as an archive.

    Parameters
    ----------
    folder : path
        Of the submissions.

    Returns
    -------
    list of Path
        As they are called below the folder.

    Notes
    -----
    An answer about `lem-subspace` is missed as one about `thm-polynomials` is.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "emmy.py").touch()
    ...     Path(folder, "amalie.html").touch()
    ...     print(*not_graded(folder))
    amalie.html
    """
    return [path.relative_to(folder) for path in _seen(Path(folder)) if path.suffix not in _GRADED]


def _seen(folder: Path) -> list[Path]:
    """All files of a folder but those that a system keeps there for itself."""
    found = ((path, path.relative_to(folder).parts) for path in folder.rglob("*") if path.is_file())
    return sorted(p for p, parts in found if not any(x.startswith(".") or x == "__pycache__" for x in parts))


def _asked(handed: Sequence[Handed]) -> set[str]:
    """The exercises of the sheet: what one notebook says, whose owner can edit it, is nothing to the others."""
    sheets = [set(one.exercises) for one in handed if one.exercises]
    times = Counter(label for sheet in sheets for label in sheet)
    named = {label for label, count in times.items() if 2 * count >= len(sheets)}
    if few := sorted(set(times) - named):
        warnings.warn(f"less than half of the notebooks ask for {', '.join(few)}: not graded", stacklevel=3)
    return named


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise FileNotFoundError(f"no folder {folder}")
    found = [path for path in _seen(folder) if path.suffix in _GRADED]
    if not found:
        raise FileNotFoundError(f"no notebook and no Python file in {folder}")
    return found


def _closed(folder: Path) -> list[Path]:
    """Folders in which a submission has nothing to read: those of the others, and solutions where the book lies."""
    own = [SOURCES / name for name in ("book", "tests", "_build", ".git")] if (SOURCES / "book").is_dir() else []
    return [folder.resolve(), *own]


# --- One submission


def _grade(handed: Handed, labels: list[str], limits: dict[str, Any]) -> list[dict[str, Any]]:
    """Lines for all exercises; when a checker hangs, or its process ends, a new one takes the exercises after it."""
    done = {label: _line(label, "by hand") for label in labels if not EXERCISES[label].checked}
    rest = [label for label in labels if label not in done]
    if handed.fault:
        done |= {label: _line(label, "unreadable", handed.fault) for label in rest}
        rest = []
    pieces = [{"place": p.place, "code": p.code, "exercise": _known(p.exercise)} for p in handed.pieces]
    while rest:
        found, late = _examined({**limits, "pieces": pieces, "exercises": rest})
        done |= {line["exercise"]: line for line in found}
        rest = [label for label in rest if label not in done]
        if rest:
            word, why = ("stopped", "the check did not end") if late else ("crashed", "the check's process ended")
            done[rest[0]] = _line(rest[0], word, why)
            rest = rest[1:]
    return [done[label] for label in labels]


def _known(label: str) -> str:
    return label if label in EXERCISES and EXERCISES[label].checked else ""


def _line(label: str, verdict: str, message: str = "") -> dict[str, Any]:
    return {"exercise": label, "verdict": verdict, "message": message, "seconds": 0.0}


def _examined(job: dict[str, Any]) -> tuple[list[dict[str, Any]], bool]:
    """What the examiner says of a job, and whether it was stopped before it had said all."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "lifelong_book.press.teaching.examiner"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        text=True,
        env={**os.environ, "PYTHONPATH": _path()},
    )
    wall, late, said = PATIENCE * job["seconds"], False, ""
    try:
        said, _ = process.communicate(json.dumps(job), timeout=wall + len(job["exercises"]) * (wall + CHECKER))
    except subprocess.TimeoutExpired:
        late = True
        _kill(process.pid)
        said, _ = process.communicate()
    finally:
        if process.returncode != 0:  # the process of the submission may have been left behind
            _kill(process.pid)
            _kill(*[line["process"] for line in _lines(said) if "process" in line][-1:])
    return [line for line in _lines(said) if line.get("exercise") in job["exercises"]], late


def _path() -> str:
    """Where `lifelong` is found by another interpreter."""
    return os.pathsep.join([str(SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])


def _lines(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines() if line.endswith("}")]


def _kill(*groups: int) -> None:
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


# --- The table


def write_grades(grades: Sequence[Grade], path: Path | str) -> None:
    """Write grades as a table of comma-separated values.

    Parameters
    ----------
    grades : sequence of Grade
    path : path
        Of the file.

    Notes
    -----
    The file is written whole, or not at all: until then one that is there stays as it is. A text that a spreadsheet
    would take for a formula gets an apostrophe in front. An answer about `lem-subspace` is
    written as one about `thm-polynomials` is.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "grades.csv")
    ...     write_grades([Grade("=1+1", "a.py", "ex-threshold", "right", "", 0.5)], file)
    ...     print(file.read_text())
    student,file,exercise,verdict,message,seconds
    '=1+1,a.py,ex-threshold,right,,0.5
    <BLANKLINE>
    """
    names = [one.name for one in fields(Grade)]
    made = StringIO()
    table = csv.writer(made, lineterminator="\n")
    table.writerow(names)
    for line in grades:
        values = [getattr(line, name) for name in names]
        table.writerow([_harmless(v) if isinstance(v, str) else round(v, 2) for v in values])
    path = Path(path)
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(made.getvalue(), encoding="utf-8", newline="")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _harmless(text: str) -> str:
    """A text that any file and any spreadsheet takes; half a character, which no file can hold, is spelled out."""
    flat = " ".join(text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode().split())
    return f"'{flat}" if flat.startswith(("=", "+", "-", "@")) else flat
