"""Write anew what Pyodide may load, `runtime/pyodide-lock.json`, and the table of `README.md`, from the files here.

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
RUNTIME, README = LIVE / "runtime", LIVE / "README.md"
LOCK = RUNTIME / "pyodide-lock.json"
#: What `compile.py` compiles: SHA-256 and name of each file with sources.
ORIGINALS = LIVE / "originals.txt"
#: The interpreter in `runtime`: what the same field of Pyodide's own list says.
INTERPRETER = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}
#: What a wheel asks for and no cell uses: names of time zones, colours of a Windows terminal.
NOT_NEEDED = {"tzdata", "colorama"}
#: Of each file: where it is from, its licence, and who is expected to publish what replaces it. Of the interpreter by
#: its names, of wheels by the package's; others are PyPI's own. The text of a wheel's licence is inside.
INTERPRETERS = ("Pyodide 314.0.7, npm", "MPL-2.0", "Pyodide")
STANDARD = ("Pyodide 314.0.7, npm", "PSF-2.0", "Pyodide")
EDITOR = ("`editor/`, from npm", "MIT", "CodeMirror")
BUILT = {
    "numpy": ("built from source, `recipe/`", "BSD-3-Clause", "NumPy on PyPI, or Pyodide's own distribution"),
    "matplotlib": (
        "built from source, `recipe/`",
        "PSF-based, FTL, Qhull",
        "Matplotlib on PyPI, or Pyodide's own distribution",
    ),
    "kiwisolver": ("built from source, `recipe/`", "BSD-3-Clause", "kiwisolver on PyPI, or Pyodide's own distribution"),
    "pillow": ("built from source, `recipe/`", "MIT-CMU", "Pillow on PyPI, or Pyodide's own distribution"),
    "contourpy": ("PyPI", "BSD-3-Clause", "is there"),
}
HEAD = "| file | from | licence | who replaces it | SHA-256 |\n| :-- | :-- | :-- | :-- | :-- |\n"


def hash_of(path: Path) -> str:
    """SHA-256 of a file."""
    return sha256(path.read_bytes()).hexdigest()


def originals() -> dict[str, str]:
    """Of each file with sources its SHA-256."""
    lines = ORIGINALS.read_text(encoding="utf-8").splitlines()
    return {name: told for told, name in map(str.split, lines)}


def canonical(name: str) -> str:
    """The name of a package as PyPI compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def described(wheel: Path) -> dict[str, Any]:
    """The entry of one wheel, from its own metadata."""
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
    """The list for a folder; what a wheel needs must be there."""
    packages = {entry["name"]: entry for entry in map(described, sorted(folder.glob("*.whl")))}
    for entry in packages.values():
        entry["depends"] = [name for name in entry["depends"] if name not in NOT_NEEDED]
        if missing := set(entry["depends"]) - set(packages):
            raise ValueError(f"{entry['file_name']} needs {', '.join(sorted(missing))}")
    return {"info": INTERPRETER, "packages": dict(sorted(packages.items()))}


def origin(path: Path) -> tuple[str, str, str]:
    """Where a file is from, its licence, who replaces it."""
    if path.suffix == ".whl":
        found = BUILT.get(canonical(path.name.split("-")[0]), ("PyPI", "in the wheel", "is there"))
    else:
        found = {"python_stdlib.zip": STANDARD, "editor.mjs": EDITOR}.get(path.name, INTERPRETERS)
    return (f"{found[0]}, then `compile.py`", *found[1:]) if path.name in originals() else found


def table() -> str:
    """The table of `README.md`."""
    files = [*RUNTIME.glob("*.*"), *(LIVE / "wheels").glob("*.whl"), LIVE / "page" / "editor.mjs"]
    lines = [
        f"| `{path.relative_to(LIVE).as_posix()}` | {' | '.join(origin(path))} | `{hash_of(path)}` |"
        for path in sorted(files)
        if path != LOCK
    ]
    return HEAD + "\n".join(lines) + "\n"


if __name__ == "__main__":
    LOCK.write_text(json.dumps(lock(RUNTIME), indent=1) + "\n", encoding="utf-8")
    before, _, rest = README.read_text(encoding="utf-8").partition(HEAD)
    after = rest[rest.index("\n\n") :] if "\n\n" in rest else "\n"
    README.write_text(before + table().rstrip("\n") + after, encoding="utf-8")
    print(f"{LOCK.name}: {len(lock(RUNTIME)['packages'])} packages; {README.name}: its table")
