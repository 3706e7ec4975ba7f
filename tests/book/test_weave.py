"""Woven cells show the package's own code as it is now, in the width of a page, and no page takes their names away."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import nbformat
import pytest

from lifelong_book.press.contents import roles
from lifelong_book.press.lab import as_shown, linked
from lifelong_book.press.rooms import notebooks
from lifelong_book.press.weave import COLUMNS, bare, source, weave

BOOK = Path(__file__).parents[2] / "book"
PAGES = notebooks(BOOK)


def bound(code: str) -> set[str]:
    """Names that a cell binds at its top level."""
    names: set[str] = set()
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        else:
            names |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return names


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(BOOK).with_suffix("").as_posix())
def test_woven_cells_are_the_code_of_the_package_fit_the_page_and_keep_their_names(path):
    assert weave(path, write=False) == [], f"python -m lifelong_book.press.weave {path.relative_to(BOOK.parent)}"
    woven: set[str] = set()
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            assert not woven & bound(cell.source)
        if "weave" in cell.metadata:
            woven |= bound(cell.source)
            assert max(map(len, cell.source.splitlines())) <= COLUMNS


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
    head = "@property\ndef f(\n    self, a=3, *rows, β=None, **rest\n):\n    # 2a: a comment with θ\n"
    assert bare(code) == head + '    z = 5\n    return lambda u=4: a if a == z else "-> θ"'
    assert bare('def f():\n    """Only this."""') == 'def f():\n    """Only this."""'
    record = "@dataclass(frozen=True)\nclass A(B):\n    x: int\n    y: int = 3\n\n    def f(self):\n        y = 3"
    assert bare(record.replace("        y =", "        y: int =")) == record


def test_the_code_of_a_name():
    assert source("lifelong_book.press.weave.COLUMNS").startswith("COLUMNS = 72")
    assert source("lifelong_book.press.two_sided.TwoSided.twins").startswith(
        "def twins(self, sides=None):\n    tight = ["
    )
    assert source("lifelong.angle") == source("lifelong.halfspaces.angles.angle")  # where it is written
    assert source("lifelong.SharedSubspace.learn").startswith("def learn(self, task):\n    ")  # a method
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


def test_below_a_figure_stands_its_caption_and_code_that_pages_hide_is_folded():
    figure = nbformat.v4.new_code_cell(
        "draw()", metadata={"mystnb": {"figure": {"caption": "A line.\n"}}, "tags": ["remove-input"]}
    )
    stale = nbformat.v4.new_markdown_cell(
        "**Figure.** A plane.", metadata={"captions": "gone", "tags": ["remove-cell"]}
    )
    answer = nbformat.v4.new_code_cell("1423", metadata={"tags": ["hide-cell"]})
    drawn, below, answer = as_shown([figure, stale, answer], "page")
    assert below.source == "**Figure.** A line." and below.metadata["tags"] == ["remove-cell"]
    assert drawn.metadata["jupyter"] == {"source_hidden": True} and answer.metadata["jupyter"]["outputs_hidden"]
    assert as_shown([drawn, below, answer], "page") == [drawn, below, answer]


def test_below_a_box_stands_what_is_claimed_of_it_and_jupyterlab_gives_it_no_number():
    box = "```{prf:algorithm} Two levels\n:label: algo-two-box\n\nTry.\n```"
    told, below = as_shown([nbformat.v4.new_markdown_cell(box)], "page")
    assert told.source == box.replace("box\n", "box\n:enumerated: false\n", 1)
    assert below.source.startswith("**Proved.** With exact oracles") and "*Limits:*" in below.source
    assert as_shown([told, below], "page") == [told, below]


def test_a_link_to_another_page_names_its_notebook_and_a_citation_the_paper_and_both_come_back():
    text = "{ref}`the\nlemma <lem-angle>`, {ref}`here <sec-online>`, {cite:t}`BBV15`, {cite:p}`EneEtAl08,BBV15`"
    shown = linked(text, "conjunctions/online/index")
    assert shown.startswith("[the\nlemma](../../halfspaces/angles/index.ipynb#lem-angle), {ref}`here <sec-online>`, ")
    assert '[Balcan et al. (2015)](https://proceedings.mlr.press/v40/Balcan15.html "cite:t BBV15")' in shown
    assert roles(shown) == text and linked(shown, "conjunctions/online/index") == shown


def test_below_a_theorem_stands_its_verdict_and_below_exercises_their_hints():
    theorem = nbformat.v4.new_markdown_cell("```{prf:theorem} Two\n:label: thm-two-levels-box\n\nIt is so.\n```")
    asked = nbformat.v4.new_markdown_cell("```{exercise} Half\n:label: ex-half\nDo it.\n```")
    assert as_shown([theorem], "page")[1].source.startswith("**Refuted.** *Scope:* ")
    assert as_shown([asked], "page")[1:] == []  # no exercise of the book
