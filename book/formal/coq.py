"""Let Coq check the scripts of this folder, and compare what they rest on with the record beside them.

    python book/formal/coq.py [--write]

Needs coqc with ssreflect and Coquelicot; on Debian 12
`apt-get install --no-install-recommends coq libcoq-mathcomp-ssreflect libcoq-coquelicot`. With `--write` the record is
made anew. The status is 1 if a script is not accepted, or a theorem rests on something else than the record says.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
#: In the order in which they need each other.
SCRIPTS = (
    "Angles", "Lemma3", "Scalar", "Vectors", "Plane", "Lemma2", "Chain", "Theorem1", "Constants",
    "Algorithm3", "Lemma4", "Canonical", "Monotone", "Online", "Staircase", "Sharp", "Count", "Spoiled",
)  # fmt: skip
PRINTED = re.compile(r"^Print Assumptions (\w+)\.$", re.MULTILINE)


def compiled(folder: Path, script: str) -> list[list[str]]:
    """Compile one Coq script; the axioms of each theorem whose assumptions it prints, none of one without."""
    done = subprocess.run(
        ["coqc", "-w", "none", "-Q", ".", "", f"{script}.v"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(f"{script}.v: {done.stderr.strip() or done.stdout.strip()}")
    told = re.split(r"^(?=Axioms:|Closed under)", done.stdout, flags=re.MULTILINE)[1:]
    return [re.findall(r"^([\w.]+)(?= :|$)", one.removeprefix("Axioms:"), re.MULTILINE) for one in told if one]


def record(place: Path) -> dict[str, Any]:
    """What Coq says of the scripts, compiled in a place: their digests, and the axioms of each theorem."""
    made = {}
    for script in SCRIPTS:
        text = Path(shutil.copy(HERE / f"{script}.v", place)).read_text(encoding="utf-8")
        axioms = [rest if "Closed" not in rest else [] for rest in compiled(place, script)]
        theorems = dict(zip(PRINTED.findall(text), axioms, strict=True))
        made[script] = {"sha256": sha256(text.encode()).hexdigest(), "theorems": theorems}
    return made


def main(arguments: list[str]) -> int:
    """Compile the Coq scripts and compare with the record beside them: the command; returns its status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="make the record anew")
    write, path = parser.parse_args(arguments).write, HERE / "checked.json"
    with tempfile.TemporaryDirectory() as place:
        found = record(Path(place))
    if write:
        path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    agrees = found == json.loads(path.read_text(encoding="utf-8"))
    for script, said in found.items():
        for theorem, axioms in said["theorems"].items():
            print(f"{script}.v: {theorem}: {', '.join(axioms) or 'no axiom'}")
    print("as recorded" if agrees else "not as recorded in checked.json")
    return not agrees


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
