"""The table of contents, as `_toc.yml` and the notebooks tell it: numbers and titles of the pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Chapter", "contents", "covered_in", "exercise_titles", "exercises"]


@dataclass(frozen=True)
class Chapter:
    """A page of the book.

    Parameters
    ----------
    number : str
        "3.2", or "3.4.1" for a page below a chapter; empty for the pages that carry none.
    title : str
        Its first heading.

    Examples
    --------
    >>> str(Chapter("3.2", "Perturbing a subspace"))
    '3.2 Perturbing a subspace'
    """

    number: str
    title: str

    def __str__(self) -> str:
        return f"{self.number} {self.title}".strip()


def contents(folder: Path | None = None) -> dict[str, Chapter]:
    r"""The pages of the book in their order.

    Parameters
    ----------
    folder : Path, optional
        Where `_toc.yml` stands; looked for here and above, so that it is found from any notebook.

    Returns
    -------
    dict of str to Chapter
        By the page's path below `book`, without suffix, as in `Claim.page`.

    Raises
    ------
    ValueError
        If no `_toc.yml` is here or above, or a page that it names is missing.

    Notes
    -----
    The ledger's page, for every claim from `lem-angle` on.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> (folder / "book").mkdir()
    >>> _ = (folder / "book" / "a.md").write_text("# Angles")
    >>> _ = (folder / "_toc.yml").write_text("numbered: 3\nchapters:\n  - file: book/a\n")
    >>> contents(folder)
    {'a': Chapter(number='1', title='Angles')}
    """
    root = _root(folder)
    pages: dict[str, Chapter] = {}
    numbered, counters, indents = False, [0], [0]
    for line in (root / "_toc.yml").read_text(encoding="utf-8").splitlines():
        if "caption:" in line:
            numbered = False
        numbered |= "numbered:" in line
        if not (entry := re.match(r"( *)- file: *book/(\S+)", line)):
            continue
        indent = len(entry[1])
        while indents[-1] > indent:
            indents.pop()
            counters.pop()
        if indents[-1] < indent:
            indents.append(indent)
            counters.append(0)
        counters[-1] += 1
        number = ".".join(str(c) for c in counters[1:]) if numbered else ""
        pages[entry[2]] = Chapter(number, _title(root / "book", entry[2]))
    return pages


def _root(folder: Path | None) -> Path:
    """The folder of `_toc.yml`: the given one, or the nearest one upwards."""
    here = Path.cwd()
    root = folder or next((f for f in (here, *here.parents) if (f / "_toc.yml").is_file()), here)
    if not (root / "_toc.yml").is_file():
        raise ValueError(f"folder: expected a folder with _toc.yml, got {root}")
    return root


def _markdown(book: Path, page: str) -> str:
    """The text of a page, without code."""
    path = next((p for s in (".ipynb", ".md", ".rst") if (p := book / f"{page}{s}").is_file()), None)
    if path is None:
        raise ValueError(f"_toc.yml: expected a file of the name book/{page}, got none")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        return "\n\n".join("".join(c["source"]) for c in json.loads(text)["cells"] if c["cell_type"] == "markdown")
    return text


def _title(book: Path, page: str) -> str:
    """The first heading of a page."""
    text = _markdown(book, page)
    found = re.search(r"^# +(.+?) *$", text, re.M) or re.search(r"^(\S.*)\n=+$", text, re.M)
    return found[1] if found else page


def exercises(folder: Path | None = None) -> dict[str, tuple[str, ...]]:
    r"""Which claims each exercise is about: those that it or its solution links to.

    Parameters
    ----------
    folder : Path, optional
        As for `contents`.

    Returns
    -------
    dict of str to tuple of str
        By the label of the exercise, the targets of the links in it.

    Raises
    ------
    ValueError
        As `contents`.

    Notes
    -----
    The concordance, for every claim from `lem-angle` on.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> (folder / "book").mkdir()
    >>> text = "# A\n```{exercise} E\n:label: ex-e\nSee {ref}`x <lem-x>`.\n```\n"
    >>> _ = (folder / "book" / "a.md").write_text(text)
    >>> _ = (folder / "_toc.yml").write_text("chapters:\n  - file: book/a\n")
    >>> exercises(folder)
    {'ex-e': ('lem-x',)}
    """
    root = _root(folder)
    found: dict[str, tuple[str, ...]] = {}
    for page in contents(folder):
        text = _markdown(root / "book", page)
        opening = r"^(`{3,}|:{3,})\{exercise\}[^\n]*\n:label: (\S+)\n(.*?)^\1$"
        for _, label, body in re.findall(opening, text, re.M | re.S):
            solution = re.search(rf"^(`{{3,}}|:{{3,}})\{{solution\}} {label}\n(.*?)^\1$", text, re.M | re.S)
            words = body + (solution[2] if solution else "")
            links = re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([a-z0-9-]+?)(?:-box)?>?`", words)
            found[label] = tuple(dict.fromkeys(links))
    return found


def exercise_titles(folder: Path | None = None) -> dict[str, dict[str, str]]:
    r"""The exercises of each page, in their order.

    Parameters
    ----------
    folder : Path, optional
        As for `contents`.

    Returns
    -------
    dict of str to dict of str to str
        By page, the titles of its exercises by their labels; a page without any is left out.

    Raises
    ------
    ValueError
        As `contents`.

    Notes
    -----
    The concordance; exercises are about claims from `lem-angle` on.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> (folder / "book").mkdir()
    >>> _ = (folder / "book" / "a.md").write_text("# A\n```{exercise} Half a step\n:label: ex-e\nWhy?\n```\n")
    >>> _ = (folder / "_toc.yml").write_text("chapters:\n  - file: book/a\n")
    >>> exercise_titles(folder)
    {'a': {'ex-e': 'Half a step'}}
    """
    root = _root(folder)
    opening = r"^(?:`{3,}|:{3,})\{exercise\} *([^\n]*)\n:label: (\S+)$"
    found = {page: re.findall(opening, _markdown(root / "book", page), re.M) for page in contents(folder)}
    return {page: {label: title for title, label in each} for page, each in found.items() if each}


def covered_in(functions: Iterable[str], folder: Path | None = None) -> dict[str, str]:
    """The file of tests in which each function is called.

    Parameters
    ----------
    functions : iterable of str
        Names below `lifelong`, as in `Claim.functions`.
    folder : Path, optional
        As for `contents`.

    Returns
    -------
    dict of str to str
        Paths below `tests`: the file that mirrors the function's module if it names the function, else the one beside
        it that names it most often. A function that no file names is left out.

    Raises
    ------
    ValueError
        As `contents`.

    Notes
    -----
    The concordance, for every claim from `lem-angle` on.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "_toc.yml").write_text("")
    >>> (folder / "tests" / "halfspaces").mkdir(parents=True)
    >>> _ = (folder / "tests" / "halfspaces" / "test_bounds.py").write_text("one_vec(0.1, 0.2)")
    >>> covered_in(["halfspaces.bounds.one_vec", "halfspaces.bounds.two_vec"], folder)
    {'halfspaces.bounds.one_vec': 'halfspaces/test_bounds.py'}
    """
    tests = _root(folder) / "tests"
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(tests.rglob("test_*.py"))}
    found: dict[str, str] = {}
    for function in functions:
        parts = function.split(".")
        mirror = tests.joinpath(*parts[:-2], f"test_{parts[-2]}.py") if len(parts) > 1 else None
        names = {path: len(re.findall(rf"\b{parts[-1]}\b", text)) for path, text in texts.items()}
        near = {path: count for path, count in names.items() if len(parts) == 1 or path.parent.name == parts[0]}
        best = max(near or names, key=names.__getitem__, default=None)
        chosen = mirror if mirror is not None and names.get(mirror) else best
        if chosen is not None and names[chosen]:
            found[function] = chosen.relative_to(tests).as_posix()
    return found
