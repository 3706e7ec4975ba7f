"""Calls that do not depend on each other, made one after the other or in several processes."""

import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

Key = TypeVar("Key")
Result = TypeVar("Result")

#: What to install for a module that is not always there.
EXTRAS = {
    "sklearn": "lifelong[learners]",
    "cvxpy": "lifelong[learners]",
    "highspy": "lifelong[learners]",
    "matplotlib": "lifelong-book[figures]",
    "fontTools": "lifelong-book[figures]",
}


def missing_extra(error: BaseException | None) -> str:
    """The extra that a check misses: that of the module in an error, or in one it was raised from; empty if none."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
            return EXTRAS[error.name]
        error = error.__cause__
    return ""


@dataclass(frozen=True)
class Failed:
    """In the ledger's runner, in place of a result of a check or a case: what kept the call from giving one."""

    error: str
    needs: str = ""
    trace: str = field(default="", compare=False)

    @property
    def why(self) -> str:
        """Why there is no result, in words."""
        return f"skipped, needs {self.needs}" if self.needs else f"did not run: {self.error}"


def run(
    calls: Mapping[Key, Callable[[], Result]], *, n_jobs: int = 1, progress: bool = False, unit: str = "job"
) -> dict[Key, Result | Failed]:
    """The ledger's runner: make calls that do not depend on each other, of checks or cases, in any order."""
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or (n_jobs != -1 and n_jobs < 1):
        raise ValueError(f"n_jobs: expected -1 or an integer >= 1, got {n_jobs!r}")
    from tqdm import tqdm

    done: dict[Key, Result | Failed] = {}
    try:
        # a bar that is left by an interrupt is closed all the same
        with tqdm(total=len(calls), desc=f"{unit}s", unit=unit, disable=not progress) as bar:
            for key, result in map(keyed, calls, calls.values()) if n_jobs == 1 else _elsewhere(calls, n_jobs):
                done[key] = result
                bar.update()
    except KeyboardInterrupt:
        pass
    return done


def keyed(key: Key, call: Callable[[], Result]) -> tuple[Key, Result | Failed]:
    """The result of a call, of a check or a case, or what kept it from giving one, with its key."""
    try:
        return key, call()
    except Exception as error:  # one broken call is named; the others still run
        where = "".join(traceback.format_exception(error))
        return key, Failed(f"{type(error).__name__}: {error}", missing_extra(error), where)


def _elsewhere(calls: Mapping[Key, Callable[[], Result]], n_jobs: int) -> Iterator[tuple[Key, Result | Failed]]:
    """Results from other processes, as they come; imports what a browser, which has one process, has not."""
    from concurrent.futures.process import BrokenProcessPool

    from joblib import Parallel, delayed

    left = dict(calls)
    try:
        made = (delayed(keyed)(key, call) for key, call in calls.items())
        for key, result in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(made):
            del left[key]
            yield key, result
    except BrokenProcessPool as error:
        for key in left:
            yield key, Failed(f"lost: a worker process was killed, by this call or beside it: {error}")
