"""Cells that repeat what stands elsewhere: python -m lifelong_book.press.weave [--check] [NOTEBOOK ...].

A code cell whose metadata has {"weave": "lifelong.module.name"}, or a list of such names, holds the source of these
functions, classes, methods (module.Class.method) or constants without docstrings, annotations, and decorators that only
the package needs; comments stay. And JupyterLab knows nothing of captions, of what the ledger says below a box, nor of
code that the page does not show: so below each a cell, removed from the page, repeats its caption or sentence, and such
code is folded. Nor would it number the boxes as the book does, so there they have no numbers (`:enumerated: false`).
Without notebooks it renews those of the whole book; with --check nothing is written.
"""

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from textwrap import dedent
from typing import Any

import nbformat

from lifelong_book.press.lab import as_shown
from lifelong_book.press.rooms import notebooks

COLUMNS = 72  # what a page shows without scrolling
PAGES = Path(__file__).parents[1]
#: Decorators without which the code would not run as it does.
KEPT = {"dataclass", "property", "setter", "cached_property", "classmethod", "staticmethod", "abstractmethod", "cache"}

Cut = tuple[int, int, str]  # from, to, and what takes the place


def bare(code: str) -> str:
    """A definition as a woven cell shows it."""
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    cuts: list[Cut] = []

    def at(node: ast.expr | ast.stmt | ast.arg, end: bool = False) -> int:
        line, column = (node.end_lineno, node.end_col_offset) if end else (node.lineno, node.col_offset)
        return starts[(line or 1) - 1] + (column or 0)

    def whole(first: int, last: int) -> None:  # lines, and blank ones after them
        text = code.encode()
        end = starts[last]
        cuts.append((starts[first - 1], end + len(re.match(rb"(?:[ \t]*\n)*", text[end:])[0]), ""))  # type: ignore[index]

    records = {n for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ClassDef) for n in _fields(node)}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if not KEPT & set(re.findall(r"\w+", ast.unparse(decorator).partition("(")[0])):
                    whole(decorator.lineno, decorator.end_lineno or 0)
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                whole(node.body[0].lineno, node.body[0].end_lineno or 0)
        if isinstance(node, ast.FunctionDef) and node.returns:
            arrow = code.encode().rindex(b"->", 0, at(node.returns))
            cuts.append((len(code.encode()[:arrow].rstrip()), at(node.returns, end=True), ""))
        if isinstance(node, ast.arguments):
            ends = {at(a.annotation, end=True) for a in _arguments(node) if a.annotation}
            for value in (v for v in (*node.defaults, *node.kw_defaults) if v):
                if (named := max((e for e in ends if e <= at(value)), default=0)) and code.encode()[
                    named : at(value)
                ].strip() == b"=":
                    cuts.append((named, at(value), "="))
            for argument in (a for a in _arguments(node) if a.annotation):
                name = at(argument) + len(argument.arg.encode())
                cuts.append((name, at(argument.annotation, end=True), ""))  # type: ignore[arg-type]
        if isinstance(node, ast.AnnAssign) and (node.lineno, node.col_offset) not in records:
            if node.value is None:
                whole(node.lineno, node.end_lineno or 0)
            else:
                cuts.append((at(node.target, end=True), at(node.annotation, end=True), ""))
    text = code.encode()
    for start, end, new in sorted(cuts, reverse=True):
        text = text[:start] + new.encode() + text[end:]
    return re.sub(r"[ ]*# (?:type: ignore|noqa|fmt:).*", "", text.decode()).strip()


def _arguments(node: ast.arguments) -> list[ast.arg]:
    stars = [a for a in (node.vararg, node.kwarg) if a]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *stars]


def _fields(node: ast.ClassDef) -> set[tuple[int, int]]:
    """Where the fields of a record stand, which are nothing without their annotations."""
    marks = " ".join(ast.unparse(x) for x in (*node.decorator_list, *node.bases))
    record = re.search(r"\b(dataclass|NamedTuple|TypedDict|Protocol)\b", marks)
    return {(n.lineno, n.col_offset) for n in node.body if isinstance(n, ast.AnnAssign)} if record else set()


def source(name: str) -> str:
    """The code that a woven cell shows of one function, class, method or constant of `lifelong` or `lifelong_book`."""
    if name.partition(".")[0] not in ("lifelong", "lifelong_book"):
        raise ValueError(f"weave: expected a name in lifelong or lifelong_book, got {name!r}")
    thing = inspect.unwrap(resolve_name(name))
    path, _, last = name.rpartition(".")
    if callable(thing):  # it may be named where it is imported, not where it is written
        path, last = thing.__module__, thing.__qualname__
    code = inspect.getsource(import_module(path))
    lines, (*outer, last) = code.splitlines(keepends=True), last.split(".")
    nodes = ast.parse(code).body
    for name_of in outer:
        nodes = next(node.body for node in nodes if isinstance(node, ast.ClassDef) and node.name == name_of)
    for node in nodes:
        names = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = {t.id for t in targets if isinstance(t, ast.Name)}
        if last in names:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            return bare(dedent("".join(lines[first - 1 : node.end_lineno])))
    raise ValueError(f"weave: expected a definition at the top of {path}, got {name!r}")


def weave(path: Path, *, write: bool = True) -> list[str]:
    """Renew the woven cells and the captions of a notebook; the names in those that were not the package's code."""
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    stale: list[str] = []
    for cell in notebook.cells:
        names = cell.metadata.get("weave", [])
        names = [names] if isinstance(names, str) else names
        if names and cell.source != (new := "\n\n\n".join(map(source, names))):
            cell.source, stale = new, [*stale, ", ".join(names)]
    page = path.resolve().with_suffix("").as_posix().removeprefix(f"{PAGES}/")
    if (cells := as_shown(notebook.cells, page)) != notebook.cells:
        notebook.cells, stale = cells, [*stale, "what JupyterLab shows"]
    if stale and write:
        text: str = nbformat.writes(notebook)  # type: ignore[no-untyped-call]
        path.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
    return stale


if __name__ == "__main__":
    check, given = "--check" in sys.argv, [Path(a) for a in sys.argv[1:] if a != "--check"]
    found = [f"{p}: {n}" for p in given or notebooks(PAGES) for n in weave(p, write=not check)]
    print("\n".join(found) or "every woven cell is the package's code, and JupyterLab shows what the page does")
    sys.exit(bool(check and found))
