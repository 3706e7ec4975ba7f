"""PyBMF on the flipped targets of "Pieces under noise": `python benchmarks/noise_peers.py [--json FILE]`.

The instances are those of `python -m lifelong table noise_pieces`, line by line and seed by seed, so the two records
stand side by side. PyBMF is told the number k of metafeatures. A method that takes longer than the limit of CPU time on
one instance of a line is not tried on the others of that line, nor on the lines of that setting that follow.
"""

from __future__ import annotations

import argparse
import json
import platform
from dataclasses import replace
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
from boolean_peers import all_methods, within
from tqdm import tqdm

from lifelong.conjunctions.peers import PeerInstance
from lifelong.ledger.tables.noise import NOISE_PIECES, SEEDS, flipped_instance


def _drawn(case: Any, rng: np.random.Generator) -> dict[str, Any]:
    found = []
    for child in rng.spawn(SEEDS):
        M, given = flipped_instance(case, child)
        found.append(PeerInstance(metafeatures=M, targets=given, given=given, flips=(case["ones"] + case["zeros"]) / 2))
    return {"instances": found}


def lines(seed: int) -> list[dict[str, Any]]:
    """The lines of the table with one rate for ones and zeros, each with its instances, drawn as the table draws."""
    table = replace(NOISE_PIECES, run=_drawn)
    plain = {"setting", "ones", "zeros", "estimated"}
    chosen = [i for i, case in enumerate(table.cases) if set(case) == plain and case["ones"] == case["zeros"]]
    return [table.row(i, seed) for i in chosen]


def _write(arguments: argparse.Namespace, lines: str, rows: list[dict[str, Any]]) -> None:
    record = {
        "command": f"python benchmarks/noise_peers.py --json {arguments.json}",
        "date": date.today().isoformat(),
        "seed": arguments.seed,
        "cap": arguments.cap,
        "versions": {"python": platform.python_version()}
        | {p: metadata.version(p) for p in ("numpy", "scikit-learn", "PyBMF")},
        "lines": lines,
        "rows": rows,
    }
    new = arguments.json.with_suffix(".new")
    new.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    new.replace(arguments.json)


def main() -> None:
    """Run everything and write the record, line by line, if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the record to this file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cap", type=int, default=30, help="CPU seconds for one method on one instance")
    arguments = parser.parse_args()
    methods = {name: method for name, method in all_methods().items() if name.startswith("PyBMF")}
    rows: list[dict[str, Any]] = []
    late: set[tuple[str, str]] = set()
    cases = lines(arguments.seed)
    for number, case in enumerate(tqdm(cases, unit="line"), 1):
        line = {name: case[name] for name in ("setting", "ones", "zeros")}
        for name, method in methods.items():
            seen: list[dict[str, Any]] = []
            for instance in case["instances"]:
                if (case["setting"], name) in late:
                    break
                found = within(arguments.cap, method, instance)
                if "failed" in found:
                    late.add((case["setting"], name))
                    break
                seen.append(found)
            if len(seen) < SEEDS:
                rows.append({**line, "method": name, "failed": f"over {arguments.cap} s"})
            else:
                hits, k = [found["recovered"] for found in seen], len(case["instances"][0].metafeatures)
                rows.append(
                    {
                        **line,
                        "method": name,
                        "recovered": round(float(np.mean(hits)), 2),
                        "exact": round(float(np.mean([f["recovered"] == k == f["pieces"] for f in seen])), 2),
                        "pieces": round(float(np.mean([f["pieces"] for f in seen])), 1),
                        "seconds": round(float(np.median([f["seconds"] for f in seen])), 4),
                    }
                )
            tqdm.write(json.dumps(rows[-1]))
        if arguments.json:  # a run that is interrupted keeps its finished lines
            _write(arguments, f"{number} of {len(cases)}", rows)
