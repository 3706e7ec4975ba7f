"""Woven cells show the package's own code as it is now, in the width of a page, and no page takes their names away."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import nbformat
import pytest

from lifelong_book.press.weave import COLUMNS, bare, source, weave

BOOK = Path(__file__).parents[2] / "book"
PAGES = sorted(BOOK.rglob("[!.]*.ipynb"))
WOVEN = [path for path in PAGES if '"weave"' in path.read_text(encoding="utf-8")]
ids = {"ids": lambda path: path.relative_to(BOOK).with_suffix("").as_posix()}


def bound(code: str) -> set[str]:
    """Names that a cell binds at its top level."""
    names: set[str] = set()
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        else:
            inner = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
            names |= {n.id for n in inner if isinstance(n.ctx, ast.Store | ast.Del)}
    return names


def rebound(cells: list) -> list[str]:
    """Names of woven cells that a cell below binds again."""
    woven: set[str] = set()
    found = []
    for cell in cells:
        names = bound(cell.source)
        found += sorted(names & woven)
        woven |= names if "weave" in cell.metadata else set()
    return found


@pytest.mark.parametrize("path", WOVEN, **ids)
def test_woven_cells_are_the_code_of_the_package(path):
    assert weave(path, write=False) == [], f"python -m lifelong_book.press.weave {path.relative_to(BOOK.parent)}"


@pytest.mark.parametrize("path", WOVEN, **ids)
def test_woven_cells_fit_the_page_and_keep_their_names(path):
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    lines = [line for c in cells if "weave" in c.metadata for line in c.source.splitlines()]
    assert [line for line in lines if len(line) > COLUMNS] == []
    assert rebound(cells) == []


def test_what_a_cell_leaves_out():
    code = '''
@checked
@property
def f(
    self, a: "int" = 3, *rows: float, β: dict[str, int] | None = None, **rest: object
) -> tuple[int, ...]:
    """Doc: (a) -> b.

    More.
    """

    # 2a: a comment with θ
    z: int = 5  # noqa: X
    w: float
    return lambda u=4: a if a == z else "-> θ"
'''
    assert bare(code).splitlines() == [
        "@property",
        "def f(",
        "    self, a=3, *rows, β=None, **rest",
        "):",
        "    # 2a: a comment with θ",
        "    z = 5",
        '    return lambda u=4: a if a == z else "-> θ"',
    ]
    assert bare('def f():\n    """Only this."""') == 'def f():\n    """Only this."""'
    record = "@dataclass(frozen=True)\nclass A(B):\n    x: int\n    y: int = 3\n\n    def f(self):\n        y = 3"
    assert bare(record.replace("        y =", "        y: int =")) == record


def test_the_code_of_a_name():
    assert source("lifelong_book.press.weave.COLUMNS").startswith("COLUMNS = 72")
    assert source("lifelong_book.press.weave._arguments").startswith("def _arguments(node):\n    stars = ")
    assert source("lifelong_book.press.claims.TwoSided.twins").startswith("def twins(self, sides=None):\n    tight = [")
    assert source("lifelong.angle") == source("lifelong.halfspaces.angles.angle")  # where it is written
    with pytest.raises(ValueError, match=r"^weave: expected a name in lifelong or lifelong_book, got 'json\.loads'"):
        source("json.loads")
    with pytest.raises(ValueError, match=r"^weave: expected a definition at the top of "):
        source("lifelong_book.press.weave.nbformat")


def test_a_stale_cell_is_renewed_and_seen(tmp_path):
    name = "lifelong_book.press.weave.COLUMNS"
    cells = [nbformat.v4.new_code_cell("old", metadata={"weave": names}) for names in (name, [name, name])]
    path = tmp_path / "page.ipynb"
    path.write_text(nbformat.writes(nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_code_cell("kept")])))
    assert weave(path, write=False) == [name, f"{name}, {name}"] == weave(path)
    assert weave(path, write=False) == []
    assert [len("".join(c["source"]).split("\n\n\n")) for c in json.loads(path.read_text())["cells"]] == [1, 2, 1]


def test_a_name_bound_again_is_seen():
    box = nbformat.v4.new_code_cell("def f(x):\n    y = 1", metadata={"weave": "x"})
    below = [nbformat.v4.new_code_cell(code) for code in ("y = 2", "for f in ():\n    pass", "import a.b as f")]
    assert [rebound([box, cell]) for cell in below] == [[], ["f"], ["f"]]
    assert rebound(below) == []
