"""The two packages as a whole: light to import, imports one way, every public name documented with its label."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import lifelong
from lifelong_book.press.ledger import LEDGER

ROOT = Path(__file__).parent.parent
HEAVY = {"matplotlib", "cvxpy", "sklearn", "fontTools", "sympy", "joblib", "tqdm", "rich", "IPython", "scipy"}
NO_ROOM = {"_ext", "_static", "live", "slides"}  # folders of book/ that are no part of the package
TABLE = tomllib.loads((ROOT / "book" / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = TABLE["tool"]["setuptools"]["packages"]


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("lifelong_book", *parts[1:]) if parts[0] == "book" else parts).removesuffix(".__init__")


MODULES = {dotted(path): path for path in (ROOT / "lifelong").rglob("*.py")}
ROOMS = {
    dotted(path): path
    for path in (ROOT / "book").rglob("*.py")
    if path.parent != ROOT / "book" and path.relative_to(ROOT / "book").parts[0] not in NO_ROOM
}
ALL = MODULES | ROOMS


def imports(name: str, *, deferred: bool = True) -> set[str]:
    """Modules of ours that a module imports, those within its functions too if `deferred`."""
    tree = ast.parse(ALL[name].read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree) if deferred else tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & set(ALL) or {node.module}
    return found & set(ALL)


def test_every_module_imports_without_the_heavy_packages():
    """A browser has no SciPy and no learners: who needs them asks for them when called."""
    names = [name for name in ALL if name != "lifelong_book.__main__"]
    code = f"""
import sys
from importlib import import_module

sys.modules.update(dict.fromkeys({HEAVY!r}))  # None: an import raises ModuleNotFoundError
for name in {names!r}:
    import_module(name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", MODULES)
def test_the_library_does_not_know_the_book_nor_its_parts_each_other(name):
    found = imports(name)
    assert not any(other.startswith("lifelong_book") for other in found)
    part, others = name.split(".")[1:2], {other.split(".")[1] for other in found if "." in other}
    if part == ["halfspaces"]:
        assert not others & {"conjunctions", "polynomials"}
    if part == ["conjunctions"]:
        assert not others & {"halfspaces", "polynomials"}
    if len(name.split(".")) == 2:
        assert not others & {"halfspaces", "conjunctions", "polynomials"}


def test_no_import_cycles():
    edges = {name: imports(name, deferred=False) - {"lifelong"} for name in ALL}
    while edges:
        leaves = {name for name, others in edges.items() if not others & set(edges)}
        assert leaves, f"cycle among {sorted(edges)}"
        edges = {name: others for name, others in edges.items() if name not in leaves}


def test_every_room_is_a_package():
    """A room that is not named is found by an editable installation, and missing in the page and in a wheel."""
    needed = {".".join(name.split(".")[:i]) for name in ROOMS for i in range(1, len(name.split(".")))} | {
        "lifelong_book"
    }
    assert sorted(PACKAGES) == PACKAGES
    assert set(PACKAGES) == needed


def test_the_init_holds_names_and_nothing_else():
    tree = ast.parse((ROOT / "lifelong" / "__init__.py").read_text(encoding="utf-8"))
    assert all(isinstance(node, ast.Expr | ast.ImportFrom | ast.Assign) for node in tree.body)
    assert set(lifelong.__all__) <= set(vars(lifelong))
    assert sorted(lifelong.__all__) == lifelong.__all__


# --- documentation of the names that `lifelong` exports

LABEL = re.compile("|".join([r"\bSections? \d", *(rf"\b{re.escape(label)}\b" for label in LEDGER)]))
EXPORTED = {name: getattr(lifelong, name) for name in lifelong.__all__ if callable(getattr(lifelong, name))}


def parameters(thing: object) -> list[str]:
    return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]


def section(thing: object, title: str) -> bool:
    return re.search(rf"^{title}\n-{{{len(title)}}}$", inspect.getdoc(thing) or "", re.MULTILINE) is not None


@pytest.mark.parametrize("name", EXPORTED)
def test_exported_names_are_documented(name):
    thing = EXPORTED[name]
    doc = inspect.getdoc(thing) or ""
    protocol = getattr(thing, "_is_protocol", False)
    assert LABEL.search(doc), "names a label of the ledger or a section"
    if not protocol:
        assert section(thing, "Examples"), "has an example"
        assert ">>> " in doc
        listed = re.findall(r"^(\w[\w, *]*?)(?: : .*)?$", doc.partition("Parameters\n")[2], re.MULTILINE)
        said = {x.strip(" *") for line in listed for x in line.split(",")}
        if not (inspect.isclass(thing) and issubclass(thing, tuple)):
            assert set(parameters(thing)) <= said
    for said, default in re.findall(r"^(\w+) : .*default ([\d.]+|\".+\"|True)$", doc, re.MULTILINE):
        assert inspect.signature(thing).parameters[said].default == ast.literal_eval(default), said
    if inspect.isfunction(thing):
        assert section(thing, "Returns") or section(thing, "Yields")
