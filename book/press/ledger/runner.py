"""One scheduler for all long runs: here, in several processes or on many machines; what is found is kept."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from lifelong_book.press.ledger.lines import Lines
from lifelong_book.press.ledger.provenance import maker

__all__ = ["EXTRAS", "Failed", "cluster", "missing_extra", "run"]

Key = TypeVar("Key")
Result = TypeVar("Result")

#: What to install for a module that is not always there: `pip install '.[learners]'` brings sklearn.
EXTRAS = {
    "sklearn": "learners",
    "cvxpy": "learners",
    "highspy": "learners",
    "matplotlib": "figures",
    "fontTools": "figures",
    "distributed": "dask",
}


def missing_extra(error: BaseException | None) -> str:
    """The extra that would bring the module that an error misses.

    Parameters
    ----------
    error : Exception
        That error, or one raised from it.

    Returns
    -------
    str
        Such as "lifelong[learners]"; empty for every other error, so for one from within a package that is there.

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> missing_extra(ModuleNotFoundError("No module named 'sklearn'", name="sklearn"))
    'lifelong[learners]'
    >>> missing_extra(ValueError("two of two"))
    ''
    """
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
            return f"lifelong[{EXTRAS[error.name]}]"
        error = error.__cause__
    return ""


@dataclass(frozen=True)
class Failed:
    """In place of a result: what kept a call from giving one.

    Parameters
    ----------
    error : str
        The error that it raised, or that its worker process was killed, and killed again when it was repeated.
    needs : str
        What to install for the call to run at all, such as "lifelong[learners]"; then it was skipped.
    trace : str
        Where the error was raised.

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> Failed("ZeroDivisionError: division by zero").needs
    ''
    """

    error: str
    needs: str = ""
    trace: str = field(default="", compare=False)

    @property
    def why(self) -> str:
        """Why there is no result, in words."""
        return f"skipped, needs {self.needs}" if self.needs else f"did not run: {self.error}"


def run(
    calls: Mapping[Key, Callable[[], Result]],
    *,
    n_jobs: int = 1,
    progress: bool = False,
    unit: str = "job",
    lines: Lines | None = None,
) -> dict[Key, Result | Failed]:
    """Make calls that do not depend on each other, in any order.

    Parameters
    ----------
    calls : mapping to callable
        Takes no arguments; must pickle if `n_jobs` is not 1.
    n_jobs : int, default 1
        Processes; -1 for all cores. Where it is not 1, `joblib.parallel_config` may name another backend, such as
        dask for a cluster of many machines.
    progress : bool, default False
        Show a progress bar on standard error.
    unit : str, default "job"
        What the bar counts.
    lines : Lines, optional
        A file that keeps each result as soon as it is there; calls whose results it holds are not made again. Keys
        are then tuples of strings and integers, and results plain data.

    Returns
    -------
    dict
        The results under the keys of their calls, in the order in which they came; a `Failed` for a call that
        raised, or whose worker process was killed and killed again when the call was repeated. After an interrupt
        from the keyboard those that came before it, and no more: whoever asked compares with `calls`.

    Raises
    ------
    ValueError
        If `n_jobs` is neither -1 nor an integer of at least 1.
    OSError
        If `lines` cannot be written, for want of space on the disk for one.

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`, and for the long tables.

    Examples
    --------
    >>> run({"left": lambda: 1 + 1, "right": lambda: 2})
    {'left': 2, 'right': 2}
    """
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or (n_jobs != -1 and n_jobs < 1):
        raise ValueError(f"n_jobs: expected -1 or an integer >= 1, got {n_jobs!r}")
    from tqdm import tqdm

    done: dict[Key, Any] = {} if lines is None else {key: lines.done[key] for key in calls if key in lines.done}
    left = {key: call for key, call in calls.items() if key not in done}
    try:
        # a bar that is left by an interrupt is closed all the same
        with tqdm(total=len(calls), initial=len(done), desc=f"{unit}s", unit=unit, disable=not progress) as bar:
            for key, result in _here(left) if n_jobs == 1 else _elsewhere(left, n_jobs):
                done[key] = result if lines is None or isinstance(result, Failed) else lines.add(key, result)
                bar.update()
    except KeyboardInterrupt:
        pass
    return done


def _here(calls: Mapping[Key, Callable[[], Result]]) -> Iterator[tuple[Key, Result | Failed]]:
    for key, call in calls.items():
        yield key, _result(call)


def _result(call: Callable[[], Result]) -> Result | Failed:
    try:
        return call()
    except Exception as error:  # one broken call is named; the others still run
        where = "".join(traceback.format_exception(error))
        return Failed(f"{type(error).__name__}: {error}", missing_extra(error), where)


def _elsewhere(calls: Mapping[Key, Callable[[], Result]], n_jobs: int) -> Iterator[tuple[Key, Result | Failed]]:
    """Results from worker processes; when one is killed, what was under way is repeated, and the rest goes on."""
    from joblib.parallel import get_active_backend

    if client := getattr(get_active_backend()[0], "client", None):
        yield from _on_machines(calls, client)
        return
    left = dict(calls)
    while left:
        started: list[Key] = []
        try:
            yield from _pool(left, n_jobs, started)
        except _killed():
            under_way = {key: left.pop(key) for key in started if key in left}
            if left and not under_way:  # a pool that cannot even begin
                raise
            yield from _again(under_way, n_jobs)


def _again(calls: dict[Key, Callable[[], Result]], n_jobs: int) -> Iterator[tuple[Key, Result | Failed]]:
    """Calls that were under way when a worker was killed, in a fresh pool; by halves, so that the blame is right."""
    left = dict(calls)
    try:
        yield from _pool(left, n_jobs, [])
    except _killed() as error:
        keys = list(left)
        if len(calls) == len(keys) == 1:  # it was alone
            yield keys[0], _lost(", ".join(re.findall(r"[A-Z]+\(-?\d+\)", str(error))))
            return
        middle = (len(keys) + 1) // 2
        for half in filter(None, (keys[:middle], keys[middle:])):
            yield from _again({key: left[key] for key in half}, n_jobs)


def _pool(
    left: dict[Key, Callable[[], Result]], n_jobs: int, started: list[Key]
) -> Iterator[tuple[Key, Result | Failed]]:
    """Results as they come; what has come is no longer `left`, and what a process may have is `started`."""
    from joblib import Parallel, delayed

    def dispatched() -> Iterator[Any]:
        for key, call in list(left.items()):
            started.append(key)
            yield delayed(_keyed)(key, call, maker())

    # a process gets the next call when it is done with the last one, so that few are under way at a kill
    for key, result in Parallel(n_jobs=n_jobs, return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1)(
        dispatched()
    ):
        del left[key]
        yield key, result


def _keyed(key: Key, call: Callable[[], Result], made_by: dict[str, str]) -> tuple[Key, Result | Failed]:
    if maker() != made_by:  # numbers of other sources are not ours
        return key, Failed(f"the worker has {maker()}, the process that asked has {made_by}")
    return key, _result(call)


def _killed() -> type[BaseException]:
    """What a pool raises when a worker process is gone."""
    from concurrent.futures.process import BrokenProcessPool

    return BrokenProcessPool


def _on_machines(calls: Mapping[Key, Callable[[], Result]], client: Any) -> Iterator[tuple[Key, Result | Failed]]:
    """Results from a dask cluster, which repeats by itself what a killed worker had.

    Not by joblib: there an error that is not the call's own never comes back when results are taken as they come.
    """
    from distributed import KilledWorker, as_completed

    def submitted(key: Key, call: Callable[[], Result]) -> Any:
        future = client.submit(_keyed, key, call, maker(), pure=False)
        keys[future.key] = key
        return future

    keys: dict[str, Key] = {}
    blamed: list[Key] = []
    waiting = iter(calls.items())
    # every worker has its next call at hand, and the scheduler no more than that
    under_way = as_completed([submitted(*item) for item in islice(waiting, 2 * max(1, sum(client.ncores().values())))])
    for future in under_way:
        if item := next(waiting, None):
            under_way.add(submitted(*item))
        key = keys.pop(future.key)
        try:
            yield future.result()
        except KilledWorker:  # or a neighbour of the call that kills
            blamed.append(key)
    for key in blamed:
        try:
            yield submitted(key, calls[key]).result()
        except KilledWorker as error:
            yield key, _lost(f"on {error.last_worker.address}")


def _lost(how: str) -> Failed:
    return Failed(f"lost: its worker was killed, and killed again when it was repeated ({how})")


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Where the calls of `run` are made: by the workers of a dask cluster, or by processes of this machine.

    Parameters
    ----------
    address : str or None
        Of the scheduler, such as "tcp://host:8786"; None for this machine.

    Raises
    ------
    OSError
        If no scheduler answers there.
    ImportError
        If the extra `lifelong[dask]` is not installed.

    Yields
    ------
    None

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> with cluster(None):
    ...     run({"two": lambda: 1 + 1})
    {'two': 2}
    """
    if address is None:
        yield
        return
    from joblib import parallel_config

    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise ImportError("a cluster needs an extra: pip install '.[dask]' in the folder of the book") from error
    with Client(address) as client, parallel_config(backend="dask", client=client):
        yield
