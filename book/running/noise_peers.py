"""PyBMF on the flipped targets of "Pieces under noise": `python -m lifelong_book.running.noise_peers`.

The instances are those of `lifelong table noise_pieces`, line by line and seed by seed, so the two records
stand side by side. PyBMF is told the number k of metafeatures. A method that takes longer than the limit of CPU time on
one instance of a line is not tried on the others of that line, nor on the lines that follow with the same setting and
the same number of targets. Lines that FILE has already, from the same seed, limit and versions, are kept.
"""

import argparse
import json
import platform
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np

from lifelong_book.beyond.noise.peers import flipped_instance
from lifelong_book.beyond.noise.tables import NOISE_PIECES, SEEDS
from lifelong_book.running.boolean_peers import all_methods, within

_LINE = ("setting", "ones", "zeros", "m", "per_target", "overlap")


def _drawn(case: Any, rng: np.random.Generator) -> dict[str, Any]:
    return {"instances": [flipped_instance(case, child) for child in rng.spawn(SEEDS)]}


def lines(seed: int) -> Iterator[dict[str, Any]]:
    """The lines of the table, those of the large setting last, each with its instances, drawn as the table draws."""
    table = replace(NOISE_PIECES, run=_drawn)
    order = sorted(range(len(table.cases)), key=lambda i: table.cases[i]["setting"] == "large")
    return (table.row(i, seed) for i in order)


def _versions() -> dict[str, str]:
    packages = ("numpy", "scikit-learn", "PyBMF")
    return {"python": platform.python_version()} | {p: metadata.version(p) for p in packages}


def _kept(arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows of a run that was interrupted."""
    if not (arguments.json and arguments.json.exists()):
        return []
    record = json.loads(arguments.json.read_text(encoding="utf-8"))
    ours = {"seed": arguments.seed, "cap": arguments.cap, "versions": _versions()}
    if any(record[name] != value for name, value in ours.items()):
        raise SystemExit(f"{arguments.json} is of another seed, limit or version; give another file")
    return list(record["rows"])


def _write(arguments: argparse.Namespace, lines: str, rows: list[dict[str, Any]]) -> None:
    record = {
        "command": f"python -m lifelong_book.running.noise_peers --json {arguments.json}",
        "date": date.today().isoformat(),
        "seed": arguments.seed,
        "cap": arguments.cap,
        "versions": _versions(),
        "lines": lines,
        "rows": rows,
    }
    new = arguments.json.with_suffix(".new")
    new.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    new.replace(arguments.json)


def main() -> None:
    """Run everything and write the record, line by line, if asked to."""
    from tqdm import tqdm

    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the record to this file")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cap", type=int, default=30, help="CPU seconds for one method on one instance")
    arguments = parser.parse_args()
    methods = {name: method for name, method in all_methods().items() if name.startswith("PyBMF")}
    rows = _kept(arguments)
    done = [{name: row.get(name) for name in _LINE} for row in rows]
    late = {(row["setting"], row.get("m"), row["method"]) for row in rows if "failed" in row}
    for case in tqdm(lines(arguments.seed), total=len(NOISE_PIECES.cases), unit="line"):
        if {name: case.get(name) for name in _LINE} in done:
            continue
        line = {name: case[name] for name in _LINE if name in case}
        for name, method in methods.items():
            seen: list[dict[str, Any]] = []
            this = (case["setting"], case.get("m"), name)
            for instance in case["instances"]:
                if this in late:
                    break
                found = within(arguments.cap, method, instance)
                if "failed" in found:
                    late.add(this)
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
            _write(arguments, f"{len(rows) // len(methods)} of {len(NOISE_PIECES.cases)}", rows)


if __name__ == "__main__":
    main()
