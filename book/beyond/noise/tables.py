"""The table of "Pieces under noise": what is recovered from flipped targets, beside other methods, losses included."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong_book.beyond.noise.peers import asso, flipped_instance, recovered, thresholded_nmf
from lifelong_book.beyond.noise.pieces import estimate_flip_rate, noisy_metafeatures
from lifelong_book.beyond.noise.tolerance import robust_metafeatures
from lifelong_book.press.table import Case, Experiment

#: Instances a line.
SEEDS = 5

#: What Asso and the tolerant Algorithm 3 may choose from, Asso as confidence and the other as share forgiven.
TOLERANCES = (0.1, 0.2, 0.3, 0.4)

Method = Callable[[], BoolArray]


def _methods(case: Case, k: int, given: BoolArray, run: int) -> Iterator[tuple[str, Method]]:
    """Who takes part: told the rates, told one rate for both, told nothing; NMF and Asso told k; a share forgiven."""
    ones, zeros = case["ones"], case["zeros"]
    rate = (ones + zeros) / 2
    support = max(1, round(3 * rate * len(given)))
    yield "told", lambda: noisy_metafeatures(given, (ones, zeros)).pieces
    if ones != zeros:
        yield "one rate", lambda: noisy_metafeatures(given, rate).pieces
    if run < case["estimated"]:  # slow: many rates
        yield "estimated", lambda: noisy_metafeatures(given, estimate_flip_rate(given)).pieces
    yield "NMF", lambda: thresholded_nmf(given, k=k)[1]
    for share in TOLERANCES:
        yield f"Asso {share}", partial(asso, given, k=k, tau=1 - share)
        yield f"tolerant {share}", partial(robust_metafeatures, given, tolerance=share, support=support)


def _measured(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    seen: dict[str, list[tuple[int, bool, int, float]]] = {}
    for run, child in enumerate(rng.spawn(SEEDS)):
        M, _, given = flipped_instance(case, child)
        for name, method in _methods(case, len(M), given, run):
            start = time.process_time()
            pieces = method()
            seconds = time.process_time() - start
            hits = recovered(pieces, M)
            seen.setdefault(name, []).append((hits, hits == len(M) == len(pieces), len(pieces), seconds))
    row: dict[str, Any] = {"k": len(M), "estimates": len(seen.get("estimated", []))}
    for name in ("Asso", "tolerant"):  # the share that recovers most on this line, known to nobody beforehand
        best = max(TOLERANCES, key=lambda share: sum(run[0] for run in seen[f"{name} {share}"]))
        row[f"{name} share"], seen[name] = best, seen[f"{name} {best}"]
    for name in ("told", "one rate", "estimated", "NMF", "Asso", "tolerant"):
        hits, exact, pieces, seconds = np.array(seen.get(name, [(np.nan,) * 4]), dtype=np.float64).T
        row[f"{name} recovered"] = None if np.isnan(hits[0]) else round(float(hits.mean()), 2)
        row[f"{name} exact"] = None if np.isnan(hits[0]) else round(float(exact.mean()), 2)
        row[f"{name} pieces"] = None if np.isnan(hits[0]) else round(float(pieces.mean()), 1)
        row[f"{name} seconds"] = None if np.isnan(hits[0]) else round(float(np.median(seconds)), 4)
    return row


def _case(setting: str, ones: float, zeros: float | None = None, *, estimated: int = 1, **changed: Any) -> Case:
    return {
        "setting": setting,
        "ones": ones,
        "zeros": ones if zeros is None else zeros,
        "estimated": estimated,
        **changed,
    }


RATES = (0.005, 0.02, 0.05, 0.1)
UNEQUAL = ((0.01, 0.1), (0.0, 0.05), (0.05, 0.0))

NOISE_PIECES = Experiment(
    "noise_pieces",
    "metafeatures recovered from flipped targets, 5 instances a line",
    (
        *(_case("easy", rate) for rate in RATES),
        *(_case("wide", rate, estimated=0) for rate in RATES),
        *(_case("zipf", rate, estimated=1) for rate in RATES),
        *(_case("large", rate, estimated=0) for rate in RATES),
        # unequal rates; few targets; dense unions
        *(_case("easy", *rates) for rates in UNEQUAL),
        *(_case("zipf", *rates, estimated=1) for rates in UNEQUAL),
        _case("easy", 0.02, m=50),
        _case("easy", 0.05, m=100),
        _case("zipf", 0.02, estimated=1, m=500),
        _case("large", 0.1, estimated=0, m=1000),
        _case("easy", 0.02, per_target=5.0),
        _case("easy", 0.02, per_target=5.0, overlap=0.3),
        _case("wide", 0.02, estimated=0, per_target=8.0),
    ),
    _measured,
)

EXPERIMENTS = (NOISE_PIECES,)
