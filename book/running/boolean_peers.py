"""Algorithm 3 beside other factorisations of boolean matrices; `boolean_peers --json FILE` makes the record.

Every method sees the same planted instance, in a process of its own with a time limit; one run makes the whole
table. The peers are told the number k of metafeatures, ours are not (`concepts` is not either). PyBMF, which brings
many packages along, is no requirement of the book: without `pip install PyBMF==0.0.1` the table has fewer lines.
Seconds are CPU seconds, so that a busy machine does little harm, and the mean over as many calls as fill half a second;
memory is how far the process grew.
"""

import argparse
import contextlib
import io
import json
import multiprocessing
import platform
import signal
import time
import warnings
from collections.abc import Callable
from datetime import date
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from lifelong_book.beyond.noise.peers import METHODS, SETTINGS, PeerInstance, planted_instance, recovered, wrong_cells
from lifelong_book.beyond.noise.tolerance import fits

Factors = tuple[Any, Any]


def attribute_concepts(instance: PeerInstance) -> Factors:
    """What Algorithm 3 computes, out of `concepts`: attribute concepts of the variables minimal in some target."""
    from concepts import Context

    m, n = instance.given.shape
    variables = [f"v{j}" for j in range(n)]
    used = [v for v, column in zip(variables, instance.given.T, strict=True) if column.any()]
    context = Context([f"t{i}" for i in range(m)], variables, [tuple(row) for row in instance.given.tolist()])
    extents = {v: context.extension([v]) for v in used}
    sets = {v: frozenset(extent) for v, extent in extents.items()}
    blocked = {v: frozenset().union(*(s for s in sets.values() if s < sets[v])) for v in used}
    found = {context.intension(extents[v]) for v in used if sets[v] - blocked[v]}
    pieces = np.array([[v in intent for v in variables] for intent in found])
    return fits(instance.given, pieces), pieces


def pybmf(name: str) -> Callable[[PeerInstance], Factors]:
    """A model of PyBMF 0.0.1, with three slips of that version mended in its favour."""

    def run(instance: PeerInstance) -> Factors:
        from PyBMF import models

        k, noisy = len(instance.metafeatures), instance.flips > 0
        options: dict[str, dict[str, Any]] = {
            "Asso": {"k": k, "tau": 0.8 if noisy else 0.99},
            "GreConD": {"k": 3 * k},  # exact if it can be: it needs more factors than k
            "MEBF": {"k": k, "t": 0.5 if noisy else 0.9},
            "Panda": {"k": k},
        }
        quiet = dict.fromkeys(("show_logs", "save_model", "show_result", "verbose", "display"), False)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            model = getattr(models, name)(**options[name], tol=-1)
            stop = model._early_stop
            model._early_stop = lambda msg, verbose=False, k=None: stop(msg, verbose, k)
            model.show_matrix = lambda *args, **kwargs: None
            model.fit(instance.given.astype(int), task="reconstruction", seed=0, **quiet)
        return model.U.toarray() > 0, model.V.toarray().T > 0

    return run


def all_methods() -> dict[str, Callable[[PeerInstance], Factors]]:
    """Those that are installed."""
    found = {**METHODS, "concepts": attribute_concepts}
    if find_spec("PyBMF"):
        with contextlib.redirect_stdout(io.StringIO()):
            import PyBMF.models  # noqa: F401  once, before the processes fork
        found |= {f"PyBMF {name}": pybmf(name) for name in ("Asso", "GreConD", "MEBF", "Panda")}
    return found


def measure(method: Callable[[PeerInstance], Factors], instance: PeerInstance) -> dict[str, Any]:
    """Time, memory and score of one method."""
    warnings.simplefilter("ignore")
    import resource  # Unix alone has it

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, calls, spent = time.process_time(), 0, 0.0
    while spent < 0.5:  # the clock may tick in hundredths
        codes, pieces = method(instance)
        calls, spent = calls + 1, time.process_time() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {
        "pieces": len(pieces),
        "recovered": recovered(pieces, instance.metafeatures),
        "wrong": wrong_cells(codes, pieces, instance.targets),
        "seconds": round(spent / calls, 6),
        "megabytes": round(grown / 1024, 1),
    }


def _child(cap: int, method: Callable[[PeerInstance], Factors], instance: PeerInstance, pipe: Any) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (cap, cap + 1))
    try:
        pipe.send(measure(method, instance))
    except Exception as error:  # a peer that fails is a line of the table, not the end of it
        pipe.send({"failed": f"{type(error).__name__}: {error}"[:120]})


def within(cap: int, method: Callable[[PeerInstance], Factors], instance: PeerInstance) -> dict[str, Any]:
    """`measure` in a process of its own, which the system ends after `cap` seconds of CPU time."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(cap, method, instance, there))
    process.start()
    there.close()
    try:
        found: dict[str, Any] = here.recv()
    except EOFError:
        process.join()
        ended = process.exitcode == -signal.SIGXCPU
        found = {"failed": f"over {cap} s" if ended else f"ended with {process.exitcode}"}
    process.join()
    return found


def main() -> None:
    """Run everything, and write the record."""
    from tqdm import tqdm

    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", type=Path, required=True, help="write the record to this file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cap", type=int, default=30, help="CPU seconds for one method on one instance")
    arguments = parser.parse_args()
    methods, rows = all_methods(), []
    for setting in tqdm(SETTINGS, unit="setting"):
        instance = planted_instance(setting, rng=arguments.seed)
        for name, method in methods.items():
            rows.append({"setting": setting, "method": name, **within(arguments.cap, method, instance)})
    modules = {"numpy": "numpy", "scikit-learn": "sklearn", "concepts": "concepts", "PyBMF": "PyBMF"}
    packages = [package for package, module in modules.items() if find_spec(module)]
    record = {
        "command": f"python -m lifelong_book.running.boolean_peers --json {arguments.json}",
        "seed": arguments.seed,
        "cap": arguments.cap,
        "date": date.today().isoformat(),
        "versions": {"python": platform.python_version(), **{p: metadata.version(p) for p in packages}},
        "rows": rows,
    }
    arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
