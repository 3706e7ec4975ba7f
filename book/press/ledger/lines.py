"""A file of finished lines: what a long run has found is safe as soon as it is found, and a second call goes on."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from lifelong_book.press.ledger.provenance import maker

__all__ = ["Lines", "LinesError"]

#: The key of a line: which part of a run it is, as JSON holds it.
Key = tuple[str | int, ...]


class LinesError(ValueError):
    """A file that cannot take the lines of this run, and why.

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> raise LinesError("lines.jsonl: is a directory")
    Traceback (most recent call last):
    lifelong_book.press.ledger.lines.LinesError: lines.jsonl: is a directory
    """


class Lines:
    """Finished parts of one run, in a file that outlives the process.

    The first line says what run it is, every other one has the key and the result of a part. A line is on the disk
    before the next part is taken up. What a kill leaves of a half-written last line is dropped when the file is
    opened again, and only that: a file that belongs to another run, or to no run at all, is refused as it is.

    Parameters
    ----------
    path : str or Path
        The file; made if it is not there.
    run : mapping
        What all lines of the run have in common, such as its seed. Versions and sources are added.

    Attributes
    ----------
    done : dict of tuple to Any
        The results that the file holds, by their keys.

    Raises
    ------
    LinesError
        If the file holds lines of another run or something else, is in use by another process, or cannot be
        opened.

    Notes
    -----
    A context manager: at its end the file is closed, and free for others. For the evidence of all claims,
    `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "squares.jsonl"
    >>> with Lines(path, {"what": "squares"}) as lines:
    ...     lines.add((3,), 9)
    9
    >>> with Lines(path, {"what": "squares"}) as lines:
    ...     lines.done
    {(3,): 9}
    """

    def __init__(self, path: str | Path, run: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.done: dict[Key, Any] = {}
        self._first = {"run": dict(run), "made_by": maker()}
        try:
            self._file: BinaryIO = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
            try:
                self._lock()
                self._read()
            except BaseException:
                self._file.close()
                raise
        except OSError as error:
            raise LinesError(f"{self.path}: {(error.strerror or str(error)).lower()}") from error

    def __enter__(self) -> Lines:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, key: Any, result: Any) -> Any:
        """Write a line, and return when it is on the disk.

        Parameters
        ----------
        key : tuple of str or int
            Which part of the run this is.
        result : object
            Plain data: what JSON holds, and floats that are not finite.

        Returns
        -------
        object
            The result as the file holds it, so that a run that was stopped and one that was not have the same.

        Raises
        ------
        OSError
            If the disk is full, for one.
        """
        self._write({"key": list(key), "result": result})
        self.done[tuple(key)] = _decoded(_encoded(result))
        return self.done[tuple(key)]

    def _write(self, line: Any) -> None:
        rest = memoryview(_encoded(line))
        try:
            while rest:  # a disk that is nearly full takes a part of what it is given
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from error

    def _lock(self) -> None:
        """One process at a time; the lock of a process that is killed goes with it."""
        try:
            import fcntl
        except ImportError:  # Windows, and the Python of a page
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LinesError(f"{self.path}: another run is writing to it; wait for it, or name another file") from error

    def _read(self) -> None:
        held = self._file.read()
        whole = held[: held.rfind(b"\n") + 1]
        first, *others = whole.splitlines() or [b""]
        if not first:
            self._begin(held)
            return
        self._check_first(first)
        for number, line in enumerate(others, 2):
            try:
                read = _decoded(line)
                key, result = tuple(read["key"]), read["result"]
            except (ValueError, KeyError, TypeError) as error:
                raise LinesError(f"{self.path}: line {number} is no line of a run: {line[:60]!r}") from error
            if key in self.done:
                raise LinesError(f"{self.path}: line {number} repeats {list(key)}")
            self.done[key] = result
        self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def _begin(self, held: bytes) -> None:
        """A new file; what a kill left of its first line is written again, anything else is somebody's."""
        if not _encoded(self._first).startswith(held):
            raise LinesError(f"{self.path}: holds something other than the lines of a run; name another file")
        self._file.truncate(0)
        self._file.seek(0)
        self._write(self._first)
        with suppress(OSError):  # the name of a new file is on the disk when its folder is; not every system can
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _check_first(self, first: bytes) -> None:
        try:
            found = {**(read := _decoded(first))["run"], **read["made_by"]}
        except (ValueError, KeyError, TypeError) as error:
            raise LinesError(
                f"{self.path}: holds something other than the lines of a run; name another file"
            ) from error
        wanted = _decoded(_encoded({**self._first["run"], **self._first["made_by"]}))
        differ = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
        if differ:
            told = ", ".join(f"{name} {_shown(found.get(name))}, not {_shown(wanted.get(name))}" for name in differ)
            raise LinesError(f"{self.path}: its lines are of another run: {told}; name another file")


def _shown(value: Any) -> str:
    return "unset" if value is None else str(value)


def _encoded(line: Any) -> bytes:
    return json.dumps(_named(line), allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _decoded(line: bytes) -> Any:
    return json.loads(line, object_hook=lambda read: float(read["float"]) if read.keys() == {"float"} else read)


def _named(value: Any) -> Any:
    """JSON has no infinity and no NaN: they travel by name."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(float(value))}
    if isinstance(value, Mapping):
        return {name: _named(each) for name, each in value.items()}
    return [_named(each) for each in value] if isinstance(value, list | tuple) else value
