"""Write anew what Pyodide may load, `runtime/pyodide-lock.json`, from the wheels beside it.

    python book/live/lock.py

Pyodide itself compares every wheel with the SHA-256 of its list before it unpacks it.
"""

import json
import re
import zipfile
from email.parser import Parser
from hashlib import sha256
from pathlib import Path
from typing import Any

LIVE = Path(__file__).resolve().parent
RUNTIME = LIVE / "runtime"
LOCK = RUNTIME / "pyodide-lock.json"
#: What `compile.py` compiles: SHA-256 and name of each file with sources.
ORIGINALS = LIVE / "originals.txt"
#: The interpreter in `runtime`: what the same field of Pyodide's own list says.
INTERPRETER = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
#: What a wheel asks for and no cell uses: names of time zones, colours of a Windows terminal.
NOT_NEEDED = {"tzdata", "colorama"}


def hash_of(path: Path) -> str:
    """SHA-256 of a file, for the lock of what Pyodide may load."""
    return sha256(path.read_bytes()).hexdigest()


def originals() -> dict[str, str]:
    """Of each file with sources that Pyodide's are made from, its SHA-256."""
    lines = ORIGINALS.read_text(encoding="utf-8").splitlines()
    return {name: told for told, name in map(str.split, lines)}


def canonical(name: str) -> str:
    """The name of a package in Pyodide's lock, as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def described(wheel: Path) -> dict[str, Any]:
    """The entry of one wheel in Pyodide's lock, from its own metadata."""
    with zipfile.ZipFile(wheel) as opened:
        files = opened.namelist()
        (named,) = [name for name in files if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        metadata = Parser().parsestr(opened.read(named).decode("utf-8"))
    needed = [entry for entry in metadata.get_all("Requires-Dist", []) if "extra ==" not in entry]
    depends = {canonical(re.split(r"[^\w.-]", entry, maxsplit=1)[0]) for entry in needed}
    tops = {re.split(r"/|\.pyc?$", name)[0] for name in files if name.endswith((".py", ".pyc", ".so"))}
    return {
        "name": canonical(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hash_of(wheel),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": sorted(depends),
        "unvendored_tests": False,
        "tool": {},
    }


def lock(folder: Path) -> dict[str, Any]:
    """The lock of what Pyodide may load from a folder; what a wheel needs must be there."""
    packages = {entry["name"]: entry for entry in map(described, sorted(folder.glob("*.whl")))}
    for entry in packages.values():
        entry["depends"] = [name for name in entry["depends"] if name not in NOT_NEEDED]
        if missing := set(entry["depends"]) - set(packages):
            raise ValueError(f"{entry['file_name']} needs {', '.join(sorted(missing))}")
    return {"info": INTERPRETER, "packages": dict(sorted(packages.items()))}


if __name__ == "__main__":
    LOCK.write_text(json.dumps(lock(RUNTIME), indent=1) + "\n", encoding="utf-8")
    print(f"{LOCK.name}: {len(lock(RUNTIME)['packages'])} packages")
