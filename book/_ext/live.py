"""Cells that run in the page: what the page's own interpreter needs, beside the pages.

Where `book/live/runtime` is, a page made from a notebook gets a small script, which puts buttons below its cells, and
a file with all its code cells in order: those that the page hides run before those that it shows. Where the folder is
not, the book is built without.
"""

import json
import re
import shutil
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LIVE = Path(__file__).resolve().parent.parent / "live"
ROOT = LIVE.parent.parent
sys.path.insert(0, str(LIVE / "page"))

import runner  # noqa: E402

#: What every page loads, and what it loads before the first cell that draws; packages by their names in Pyodide.
PACKAGES = ["numpy", "mpmath", "tqdm"]
DRAWING = ["matplotlib", "fonttools"]
#: Files of the interpreter itself, and those of the page's side.
INTERPRETER = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"]
PAGE = ["live.js", "live.css", "page.mjs", "outputs.mjs", "worker.mjs", "exercises.mjs", "runner.py", "fontlist.json",
        "editor.mjs"]  # fmt: skip
#: What an exercise with a box for an answer has in its HTML (`boxes.py`).
BOX = 'class="exercise-answer"'
HEADING = re.compile(r"^#{1,6} ", re.MULTILINE)


def there(live: Path = LIVE) -> bool:
    """Whether the interpreter for cells that run in the page is there."""
    return (live / "runtime" / "pyodide.asm.wasm").is_file()


# --- Cells


def kind(cell: dict[str, Any]) -> str:
    """What the build adds for live cells: a page shows one "open", "folded", by its "output", or not ("hidden")."""
    tags = set(cell["metadata"].get("tags", ()))
    if "remove-cell" in tags or {"remove-input", "remove-output"} <= tags:
        return "hidden"
    if "remove-input" in tags:
        return "output"
    return "folded" if tags & {"hide-input", "hide-cell"} else "open"


def cells_of(notebook: dict[str, Any], listed: dict[str, Any], known: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The code cells of a notebook in order, as the page's script needs them.

    Parameters
    ----------
    notebook : dict
        As its file holds it.
    listed : dict
        The page's entry in `cells.json`: "drawing", the id of the first cell that draws, and "cells", the verdict on
        each; "runs", or the packages that are missing.
    known : iterable of str
        Packages that the runtime has beyond the usual ones.
    """
    found: list[dict[str, Any]] = []
    section, draws, packages = 0, False, set(known)
    for place, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            section += bool(HEADING.search("".join(cell["source"])))
            continue
        draws = draws or listed.get("drawing") == cell["id"]
        verdict = listed.get("cells", {}).get(cell["id"], "runs")
        missing = [] if verdict == "runs" else [name for name in verdict["needs"] if name not in packages]
        found.append(
            {
                "place": place,
                "id": cell["id"],
                "kind": kind(cell),
                "section": section,
                "source": "".join(cell["source"]),
                "tags": cell["metadata"].get("tags", []),
                "alt": cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", ""),
                "draws": draws,
                "needs": [] if verdict == "runs" else verdict["needs"],
                "missing": missing,
                "stored": runner.stored(cell["outputs"]),
            }
        )
    return found


def last_of_lesson(cells: list[dict[str, Any]], first: int) -> int:
    """What the build adds for live cells: up to which cell a press runs, until code stands open."""
    last = first
    while last + 1 < len(cells):
        following = cells[last + 1]
        if following["kind"] == "open" or following["section"] != cells[first]["section"]:
            break
        last += 1
    return last


# --- Pages


def _list() -> dict[str, Any]:
    """Which cells run, by page."""
    path = LIVE / "cells.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _known() -> set[str]:
    """The packages of the runtime."""
    return set(json.loads((LIVE / "runtime" / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"])


def mark(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """For cells that run in the page: a class that says which cell of the notebook each container is."""
    if app.builder.format == "html" and there() and (ROOT / f"{page}.ipynb").is_file():
        for node in doctree.findall(nodes.container):
            if node.get("nb_element") == "cell_code":
                node["classes"].append(f"live-{node['cell_index']}")


def add(app: Sphinx, page: str, _template: str, context: dict[str, Any], doctree: Any) -> None:
    """The script on a page that has cells to run or boxes for answers, and the file that it reads."""
    notebook = ROOT / f"{page}.ipynb"
    if doctree is None or not notebook.is_file() or not there():
        return
    cells = cells_of(json.loads(notebook.read_text(encoding="utf-8")), _list().get(page, {}), _known())
    shown = [cell for cell in cells if cell["kind"] in ("open", "folded")]
    if not shown and BOX not in context.get("body", ""):
        return
    for number, cell in enumerate(cells):
        cell["last"] = last_of_lesson(cells, number)
    held = {"page": page, "notebook": f"{page}.ipynb", "cells": cells}
    path = Path(app.outdir, "_static", "live", "pages", f"{page}.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(held, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    said = {"page": page, "cells": {cell["place"]: cell["missing"] for cell in shown}}
    app.add_css_file("live/live.css")
    app.add_js_file(None, body=json.dumps(said, separators=(",", ":")), type="application/json", id="live-cells")
    app.add_js_file("live/live.js", loading_method="defer")


# --- What lies beside the pages


def files_of_package() -> Iterator[tuple[str, Path]]:
    """The package as the page's interpreter imports it."""
    for path in sorted((ROOT / "lifelong").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(ROOT).as_posix(), path
    book = tomllib.loads((ROOT / "book" / "pyproject.toml").read_text(encoding="utf-8"))
    for package in book["tool"]["setuptools"]["packages"]:
        folder = package.replace(".", "/")
        for path in sorted((ROOT / folder.replace("lifelong_book", "book", 1)).iterdir()):
            if path.suffix in {".py", ".html", ".css", ".js"}:
                yield f"{folder}/{path.name}", path


def _files_of_records() -> Iterator[tuple[str, Path]]:
    """The long tables as the page's interpreter reads them."""
    for path in sorted((ROOT / "book" / "records").glob("*.json")):
        yield f"records/{path.name}", path


def pack(files: Iterable[tuple[str, Path]], target: Path) -> None:
    """An archive for the page's interpreter that is the same, byte for byte, whenever the files are."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, path.read_bytes())


def with_what_they_need(names: Iterable[str], packages: dict[str, Any]) -> set[str]:
    """What the build adds for live cells: packages that they need, and all that these need, as the runtime has them."""
    found: set[str] = set()
    queue = [name for name in names if name in packages]
    while queue:
        name = queue.pop()
        if name not in found:
            found.add(name)
            queue += [other for other in packages[name]["depends"] if other in packages]
    return found


def listing(target: Path) -> dict[str, Any]:
    """What the page's script loads, and how many bytes that is, from the files that were put in place."""
    packages = json.loads((target / "runtime" / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    first, later = with_what_they_need(PACKAGES, packages), with_what_they_need(DRAWING, packages)
    wheels = [
        {"name": path.name.split("-")[0].lower(), "file": path.name, "sha256": sha256(path.read_bytes()).hexdigest()}
        for path in sorted((target / "wheels").glob("*.whl"))
    ]

    def size(*names: str) -> int:
        return sum((target / name).stat().st_size for name in names if (target / name).is_file())

    def of(chosen: set[str]) -> list[str]:
        return [f"runtime/{packages[name]['file_name']}" for name in chosen]

    lone = [f"wheels/{wheel['file']}" for wheel in wheels if wheel["name"] not in packages]
    start = size(*(f"runtime/{name}" for name in INTERPRETER[2:]), *of(first), *lone, "lifelong.zip", "records.zip")
    sizes = {"start": start, "drawing": size(*of(later - first), "fontlist.json")}
    return {"packages": PACKAGES, "drawing": DRAWING, "wheels": wheels, "sizes": sizes}


def put(app: Sphinx) -> None:
    """Put beside the pages what their interpreter needs: runtime, wheels and scripts, package and records packed."""
    if app.builder.format != "html" or not there():
        return
    target = Path(app.outdir, "_static", "live")
    _copy([LIVE / "runtime" / name for name in _files_of_runtime()], target / "runtime")
    _copy(sorted((LIVE / "wheels").glob("*.whl")), target / "wheels")
    _copy([LIVE / "page" / name for name in PAGE], target)
    pack(files_of_package(), target / "lifelong.zip")
    pack(_files_of_records(), target / "records.zip")
    (target / "live.json").write_text(json.dumps(listing(target), indent=1) + "\n", encoding="utf-8")


def _files_of_runtime() -> list[str]:
    """The interpreter, and of its packages those that some cell uses: a full distribution has hundreds."""
    packages = json.loads((LIVE / "runtime" / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    cells = [cell for page in _list().values() for cell in page["cells"].values() if cell != "runs"]
    used = with_what_they_need([*PACKAGES, *DRAWING, *(name for cell in cells for name in cell["needs"])], packages)
    return [*INTERPRETER, *sorted(packages[name]["file_name"] for name in used)]


def _copy(files: list[Path], folder: Path) -> None:
    """Files into a folder, those that are there already left alone, older wheels in it removed."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.whl"):
        if stale.name not in {path.name for path in files}:
            stale.unlink()
    for path in files:
        there, here = folder / path.name, path.stat()
        old = there.stat() if there.is_file() else None
        if old is None or (old.st_size, int(old.st_mtime)) != (here.st_size, int(here.st_mtime)):
            shutil.copy2(path, there)


def setup(app: Sphinx) -> dict[str, Any]:
    """For cells that run in the page: files are put in place first, for a page names a script by what is in it."""
    app.connect("builder-inited", put)
    app.connect("doctree-resolved", mark)
    app.connect("html-page-context", add)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
