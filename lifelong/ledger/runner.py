"""One scheduler for all long runs: in this process or in several, and an interrupt keeps what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

__all__ = ["EXTRAS", "missing_extra", "run"]

Key = TypeVar("Key")
Result = TypeVar("Result")

#: What to install for a module that is not always there: `pip install lifelong[learners]` brings sklearn.
EXTRAS = {
    "sklearn": "learners",
    "cvxpy": "learners",
    "highspy": "learners",
    "matplotlib": "figures",
    "fontTools": "figures",
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


def run(
    calls: Mapping[Key, Callable[[], Result]], *, n_jobs: int = 1, progress: bool = False, unit: str = "job"
) -> dict[Key, Result]:
    """Make calls that do not depend on each other, in any order.

    Parameters
    ----------
    calls : mapping to callable
        Takes no arguments; must pickle if `n_jobs` is not 1.
    n_jobs : int, default 1
        Processes; -1 for all cores.
    progress : bool, default False
        Show a progress bar on standard error.
    unit : str, default "job"
        What the bar counts.

    Returns
    -------
    dict
        The results under the keys of their calls, in the order in which they came. After an interrupt from the
        keyboard those that came before it, and no more: whoever asked compares with `calls`.

    Raises
    ------
    ValueError
        If `n_jobs` is neither -1 nor an integer of at least 1.

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

    done: dict[Key, Result] = {}
    try:
        # a bar that is left by an interrupt is closed all the same
        with tqdm(total=len(calls), desc=f"{unit}s", unit=unit, disable=not progress) as bar:
            for key, result in _results(calls, n_jobs):
                done[key] = result
                bar.update()
    except KeyboardInterrupt:
        pass
    return done


def _results(calls: Mapping[Key, Callable[[], Result]], n_jobs: int) -> Iterable[tuple[Key, Result]]:
    keyed = [partial(_keyed, key, call) for key, call in calls.items()]
    if n_jobs == 1:
        return (call() for call in keyed)
    from joblib import Parallel, delayed

    results: Iterable[tuple[Key, Result]] = Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(call)() for call in keyed
    )
    return results


def _keyed(key: Key, call: Callable[[], Result]) -> tuple[Key, Result]:
    return key, call()
