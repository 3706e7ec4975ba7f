"""The process in which the code of one submission runs: it is asked for values, and decides nothing.

It reads a line of JSON for each question from its input and answers with one line. Before the code of the submission
runs, its limits are set, its standard streams lead nowhere, and a hook of the interpreter refuses the usual ways to
write outside the working directory, to start processes and to open connections. It is no prison: the page on grading
names ways around it.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import process_time
from traceback import format_exception_only
from typing import Any, NoReturn, TextIO

from lifelong_book.press import teaching
from lifelong_book.press.exercise import Result
from lifelong_book.press.grading import Submission, _at_most, _OutOfTime
from lifelong_book.press.teaching.catalogue import find
from lifelong_book.press.teaching.wire import read, written

#: Bytes that a file may have that a submission writes.
LARGEST_FILE = 10_000_000
_REFUSED = [
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.kill",
    "os.killpg",
    "pty.spawn",
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.sendmsg",
    "socket.getaddrinfo",
    "socket.gethostbyname",
]
_CHANGES = [
    "os.chmod",
    "os.chown",
    "os.link",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.symlink",
    "os.truncate",
    "os.utime",
    "shutil.move",
    "shutil.rmtree",
    "shutil.copyfile",
]
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


# --- Limits


def limit(memory: int, seconds: float) -> None:
    """Take memory, time and the network away, as far as the system can; numbers are bytes and seconds."""
    with suppress(AttributeError, OSError):  # Python 3.11 cannot
        os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)  # type: ignore[attr-defined]
    try:
        import resource
    except ImportError:  # not on every system
        return
    limits = {"AS": memory, "CPU": int(seconds), "FSIZE": LARGEST_FILE, "CORE": 0}
    for name, most in limits.items():
        with suppress(AttributeError, OSError, ValueError):
            kind = getattr(resource, f"RLIMIT_{name}")
            resource.setrlimit(kind, (most, most))


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Stop what is inside; if it catches that and goes on, the system ends the process a second or two later."""
    try:
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (min(most, int(process_time() + seconds) + 2), most))
    except (ImportError, OSError, ValueError):
        pass
    with _at_most(seconds):
        yield


def guard(folder: Path, closed: list[Path], noted: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """The hook that refuses what a submission has no need of: to write outside a folder, to read in closed ones.

    What it tried with files is noted, for whoever grades; a process may be what a library tries on its own.
    """

    def within(path: Any, folders: list[Path]) -> bool:
        real = Path(os.path.realpath(os.fsdecode(path)))
        return any(real.is_relative_to(one) for one in folders)

    def refuse(why: str) -> NoReturn:
        noted[:] = noted or [why]
        raise PermissionError(why)

    def hook(event: str, values: tuple[Any, ...]) -> None:
        if event in _REFUSED:
            raise PermissionError(f"{event} is not allowed in a submission")
        if event == "open":
            path, mode, flags = values[:3]
            if isinstance(path, int) or path == os.devnull:
                return
            writes = bool(set(mode or "") & set("wax+")) or bool((flags or 0) & _WRITING)
            if writes and not within(path, [folder]):
                refuse("a submission may write in its working directory only")
            if within(path, closed) and not within(path, [folder]):
                refuse("a submission may not read what others handed in, or the sources of the book")
        if event in _CHANGES and not all(within(v, [folder]) for v in values[:2] if isinstance(v, str | bytes | Path)):
            refuse("a submission may change its working directory only")

    return hook


# --- The code of a submission


class Names:
    """The names of a submission after all its pieces ran, one statement after the other, and what it has to answer."""

    def __init__(self, pieces: list[dict[str, str]], seconds: float) -> None:
        self.main = types.ModuleType("__main__")
        sys.modules["__main__"] = self.main
        self.told: dict[str, object] = {}  # by a call of `check`
        self.made: dict[str, object] = {}  # in the cell of the exercise's stub
        self.faults: list[str] = []
        teaching.check = self._keep
        for piece in pieces:
            self._run(piece, seconds)

    def _keep(self, label: str, answer: object) -> Result:
        """In the place of `check`: note the answer, which is checked elsewhere."""
        exercise = find(label)
        self.told[exercise.label] = answer
        return Result(exercise.label, True, "")

    def _run(self, piece: dict[str, str], seconds: float) -> None:
        try:
            statements = ast.parse(piece["code"]).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self.faults.append(f"{piece['place']} cannot be read: {_said(error)}")
            return
        for statement in statements:
            try:
                with at_most(seconds):
                    code = compile(ast.Module([statement], []), f"<{piece['place']}>", "exec")
                    exec(code, self.main.__dict__)
            except _OutOfTime:
                self.faults.append(f"{piece['place']}, line {statement.lineno} was stopped after {seconds:g} seconds")
            except BaseException as error:
                self.faults.append(f"{piece['place']}, line {statement.lineno} raised {_said(error)}")
        if piece["exercise"]:
            name = _wanted(piece["exercise"])
            if name in self.main.__dict__:
                self.made[piece["exercise"]] = self.main.__dict__[name]

    def answer(self, label: str) -> tuple[bool, object]:
        """Whether there is an answer, and the answer: what `check` was told, or the function of the stub's name."""
        for names, key in ((self.told, label), (self.made, label), (self.main.__dict__, _wanted(label))):
            if key in names:
                return True, names[key]
        return False, None


def _wanted(label: str) -> str:
    return Submission(None, find(label).stub).name


def _said(error: BaseException) -> str:
    try:
        return format_exception_only(error)[-1].strip()[:300]
    except BaseException:  # an exception of the submission's own, which cannot even be printed
        return type(error).__name__


# --- Questions and answers


def ask(names: Names, asked: dict[str, Any]) -> dict[str, Any]:
    """Answer one question."""
    there, answer = names.answer(asked["exercise"])
    if "arguments" not in asked:
        return {"there": there, "callable": callable(answer), "value": None if callable(answer) else written(answer)}
    begin = process_time()
    try:
        with at_most(asked["seconds"]):
            value = written(answer(*read(asked["arguments"])))  # type: ignore[operator]
    except _OutOfTime:
        return {"stopped": True}
    except BaseException as error:
        return {"raised": _said(error)}
    return {"value": value, "used": process_time() - begin}


def _streams() -> tuple[TextIO, TextIO]:
    """The two pipes, by other numbers: what the submission prints leads nowhere."""
    questions, answers = os.fdopen(os.dup(0), "r"), os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return questions, answers


def main() -> None:
    """Run the submission, then answer until no question comes."""
    questions, answers = _streams()
    job = json.loads(questions.readline())
    folder = Path(os.path.realpath(os.getcwd()))
    limit(job["memory"], 60 + job["seconds"] * 60)
    noted: list[str] = []
    sys.addaudithook(guard(folder, [Path(path) for path in job["closed"]], noted))
    names = Names(job["pieces"], job["seconds"])
    answers.write(json.dumps({"faults": names.faults[:20], "noted": noted}) + "\n")
    answers.flush()
    for line in questions:
        answers.write(json.dumps({**ask(names, json.loads(line)), "noted": noted}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
