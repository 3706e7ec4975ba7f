"""The book for students, without solutions, and for those who teach, with open solutions and notes on grading.

Both are built from one prepared copy of the sources; nothing is hidden by the pages themselves. Of a student edition
every file is searched for every sentence of every solution.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lifelong_book.press.exercise import DIFFICULTIES, Exercise
from lifelong_book.press.teaching.book_text import (
    SOLUTION,
    TAG,
    book_folder,
    exercise_texts,
    notebooks,
    without_solutions,
)
from lifelong_book.press.teaching.catalogue import EXERCISES

__all__ = ["EDITIONS", "leaks", "make_edition", "prepare", "sentences"]

EDITIONS = {
    "student": "no solution, and no page for those who teach",
    "instructor": "solutions open, and a note on grading below each",
}
#: What is copied of the sources.
_SOURCES = ("_config.yml", "_toc.yml", "book", "lifelong", "README.md", "LICENSE", "pyproject.toml", "CITATION.cff")
_LEFT = shutil.ignore_patterns("__pycache__", ".*", "recipe", "editor", "*.egg-info")
_TEACHING = "book/teaching"
#: What pages run and nobody here has written.
_FOREIGN = "live/runtime/*"
#: Links from other pages to those for teachers, which become plain words.
_LINK = re.compile(r"\[([^\]]+)\]\([^)\s]*teaching/[\w./#-]*\)|\{doc\}`([^`<]+?)\s*<[^`>]*teaching/[\w./-]*>`")
_TARGET = re.compile(r"^\(([\w-]+)\)=$", re.MULTILINE)
_REFERENCE = re.compile(r"\{\w+\}`(?:(?P<words>[^`<]+?)\s*<)?(?P<label>[\w-]+)>?`")
_CODE = re.compile(r"^(?:`{3})(?:python)?\n(.*?)^`{3}$", re.DOTALL | re.MULTILINE)
_HIDDEN = {"remove-cell", "hide-cell", "remove-input", "hide-input"}


# --- Preparing the sources


def prepare(edition: str, target: Path | str, *, book: Path | str | None = None) -> Path:
    """Copy the sources of the book, changed for an edition.

    Parameters
    ----------
    edition : {"student", "instructor"}
    target : path
        A folder that is empty, or not there yet.
    book : path, optional
        The folder of the book's sources; `book_folder` says where it is looked for.

    Returns
    -------
    Path
        The folder of the copy.

    Raises
    ------
    ValueError
        If there is no such edition, or the folder holds something.
    FileNotFoundError
        If the sources of the book are not there.

    Notes
    -----
    Solutions on `lem-subspace` are treated as those on `thm-polynomials` are.

    Examples
    --------
    >>> prepare("pocket", "folder")
    Traceback (most recent call last):
    ...
    ValueError: edition: expected one of student, instructor, got 'pocket'
    """
    if edition not in EDITIONS:
        raise ValueError(f"edition: expected one of {', '.join(EDITIONS)}, got {edition!r}")
    root, target = book_folder(book=book), Path(target)
    if target.exists() and any(target.iterdir()):
        raise ValueError(f"target: expected an empty folder, got {target}")
    for name in _SOURCES:
        source = root / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=_LEFT)
        elif source.is_file():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name)
    labels, notes = _labels(root), _rubrics(root)
    if edition == "student":
        _remove_teaching(target, labels)
    for path, notebook in list(notebooks(target)):
        changed = _for_students(notebook, labels) if edition == "student" else _for_instructors(notebook, notes)
        path.write_text(json.dumps(changed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def _labels(root: Path) -> frozenset[str]:
    """The labels on pages for teachers, to which other pages may refer."""
    pages = (root / _TEACHING).rglob("*.md")
    return frozenset(name for page in pages for name in _TARGET.findall(page.read_text(encoding="utf-8")))


def _for_students(notebook: dict[str, Any], labels: frozenset[str]) -> dict[str, Any]:
    cut = without_solutions(notebook)
    return {**cut, "cells": [_with_source(cell, _unlinked("".join(cell["source"]), labels)) for cell in cut["cells"]]}


def _with_source(cell: dict[str, Any], source: str) -> dict[str, Any]:
    same = cell["cell_type"] != "markdown" or source == "".join(cell["source"])
    return cell if same else {**cell, "source": source.splitlines(keepends=True)}


def _unlinked(text: str, labels: frozenset[str] = frozenset()) -> str:
    """A text whose links to pages for teachers are words."""

    def words(found: re.Match[str]) -> str:
        if found["label"] not in labels:
            return found[0]
        return found["words"] or "the pages for teachers"

    return _REFERENCE.sub(words, _LINK.sub(lambda found: found[1] or found[2], text))


def _remove_teaching(target: Path, labels: frozenset[str]) -> None:
    """Take the pages for teachers away, from the contents too, and links to them."""
    shutil.rmtree(target / _TEACHING, ignore_errors=True)
    contents = target / "_toc.yml"
    contents.write_text(_without_part(contents.read_text(encoding="utf-8")), encoding="utf-8")
    for path in (target / "book").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        if _unlinked(text, labels) != text:
            path.write_text(_unlinked(text, labels), encoding="utf-8")


def _without_part(contents: str) -> str:
    """A table of contents without the parts and pages that lie in the folder for teachers."""
    parts = re.split(r"(?m)^(?=  - caption:)", contents)
    kept = []
    for part in parts:
        lines = [line for line in part.splitlines(keepends=True) if f"file: {_TEACHING}/" not in line]
        if "file:" in "".join(lines) or "caption:" not in part:
            kept.append("".join(lines))
    return "".join(kept)


def _rubrics(root: Path) -> dict[str, str]:
    """What to look for in an answer, by label; written by people, in the folder for teachers."""
    path = root / _TEACHING / "rubrics.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def rubric(exercise: Exercise, look_for: str = "") -> str:
    """The note below a solution: what an exercise is for, what it takes, and what to look for in an answer.

    Parameters
    ----------
    exercise : Exercise
    look_for : str, default ""
        A sentence or two on what makes an answer complete.

    Returns
    -------
    str
        A box in MyST.

    Notes
    -----
    Exercises on `lem-subspace` are noted as those on `thm-polynomials` are.

    Examples
    --------
    >>> from lifelong_book.press.teaching.catalogue import find
    >>> print(rubric(find("ex-beyond-noise"), "The edge, and why.").splitlines()[7])
    **Look for.** The edge, and why.
    """
    checked = f"`check` tries the function; `lifelong grade` does it for all. Label: `{exercise.label}`."
    lines = [
        f"**Goal.** {exercise.goal}",
        f"**It takes** about {exercise.minutes} minutes; difficulty {exercise.difficulty}: "
        f"{DIFFICULTIES[exercise.difficulty]}.",
        *([f"**Look for.** {look_for}"] if look_for else []),
        f"**Hint.** {exercise.hint}",
        f"**Grading.** {checked if exercise.checked else f'By hand. Label: `{exercise.label}`.'}",
    ]
    return "```{admonition} For the instructor\n:class: instructor\n\n" + "\n\n".join(lines) + "\n```\n"


def _for_instructors(notebook: dict[str, Any], notes: dict[str, str]) -> dict[str, Any]:
    def opened(found: re.Match[str]) -> str:
        text = re.sub(r"^:class: dropdown\n", "", found[0], flags=re.MULTILINE).rstrip("\n")
        exercise = EXERCISES.get(found[2])
        note = rubric(exercise, notes.get(exercise.label, "")) if exercise else ""
        return f"{text}\n\n{note}\n"

    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cells.append(_with_source(cell, SOLUTION.sub(opened, "".join(cell["source"]))))
        else:
            tags = cell["metadata"].get("tags", [])
            shown = [tag for tag in tags if tag not in _HIDDEN] if TAG in tags else tags
            cells.append({**cell, "metadata": {**cell["metadata"], **({"tags": shown} if tags else {})}})
    return {**notebook, "cells": cells}


# --- Building


def make_edition(edition: str, out: Path | str, *, book: Path | str | None = None) -> dict[str, Any]:
    """Build an edition: pages in `html`, notebooks in `notebooks`, and in `package` what these import.

    Parameters
    ----------
    edition : {"student", "instructor"}
    out : path
        A folder that is empty, or not there yet.
    book : path, optional
        The folder of the book's sources; `book_folder` says where it is looked for.

    Returns
    -------
    dict
        "files" that the edition has, the "sentences" of solutions that were searched in them, and "leaks", what was
        found of these: nothing, for a student edition that may be given away.

    Raises
    ------
    ValueError
        If there is no such edition, or the folder holds something.
    FileNotFoundError
        If the sources of the book are not there.
    RuntimeError
        If Jupyter Book reports a fault.

    Notes
    -----
    It needs what the book's `requirements.txt` names, and takes as long as a build of the book. Solutions on
    `lem-subspace` are treated as those on `thm-polynomials` are.

    Examples
    --------
    >>> make_edition("student", "out", book="no such folder")
    Traceback (most recent call last):
    ...
    FileNotFoundError: no sources of the book in no such folder
    """
    out, root = Path(out), book_folder(book=book)
    if out.exists() and any(out.iterdir()):
        raise ValueError(f"out: expected an empty folder, got {out}")
    with TemporaryDirectory() as place:
        copy = prepare(edition, Path(place, "book"), book=root)
        _build(copy)
        shutil.copytree(copy / "_build" / "html", out / "html", dirs_exist_ok=True)
        _put_notebooks(copy, out / "notebooks")
        _put_package(copy, out / "package")
    files = [path for path in out.rglob("*") if path.is_file()]
    if edition != "student":
        return {"files": len(files), "sentences": 0, "leaks": []}
    needles = sentences(book=root)
    return {"files": len(files), "sentences": len(needles), "leaks": leaks(out, needles)}


def _build(copy: Path) -> None:
    """Run Jupyter Book on the copy, with the package of the copy."""
    command = [sys.executable, "-c", "from jupyter_book.cli.main import main; main()"]
    run = subprocess.run(
        [*command, "build", "-W", "-n", "--keep-going", str(copy)],
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"Jupyter Book reports:\n{run.stdout[-2000:]}\n{run.stderr[-4000:]}")


def _put_notebooks(copy: Path, target: Path) -> None:
    """The notebooks as they can be run, with the tables that they read."""
    for path, _ in notebooks(copy):
        place = target / path.relative_to(copy / "book")
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
    if (copy / "book" / "records").is_dir():
        shutil.copytree(copy / "book" / "records", target / "records")


def _put_package(copy: Path, target: Path) -> None:
    """What pip installs, for those who have nothing but the edition."""
    shutil.copytree(copy / "lifelong", target / "lifelong", ignore=_LEFT)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy2(copy / name, target / name)


# --- Searching


def sentences(*, book: Path | str | None = None) -> dict[str, str]:
    """What a student edition must not have: all sentences of all solutions, and what their cells are.

    Parameters
    ----------
    book : path, optional
        As of `book_folder`.

    Returns
    -------
    dict of str to str
        Normalised texts, and the label or the page that each belongs to; the names of cells between quotation marks
        are as they stand in a notebook. What the book says outside of solutions too is none of them, nor is a line of
        code that stands in the package as well.

    Raises
    ------
    FileNotFoundError
        If the sources of the book are not there.

    Notes
    -----
    Solutions on `lem-subspace` are treated as those on `thm-polynomials` are.

    Examples
    --------
    >>> sentences(book="no such folder")
    Traceback (most recent call last):
    ...
    FileNotFoundError: no sources of the book in no such folder
    """
    root = book_folder(book=book)
    words: dict[str, str] = {}
    code: dict[str, str] = {}
    said = []
    for path, notebook in notebooks(root):
        for cell in notebook["cells"]:
            source = "".join(cell["source"])
            if TAG in cell["metadata"].get("tags", ()):
                code |= dict.fromkeys([*_lines(source), f'"{cell["id"]}"'], path.stem)
            for _, label, body in SOLUTION.findall(source) if cell["cell_type"] == "markdown" else ():
                words |= dict.fromkeys(_needles(_CODE.sub("", body)), label)
                code |= dict.fromkeys(_lines("\n".join(_CODE.findall(body))), label)
        said += ["".join(cell["source"]) for cell in without_solutions(notebook)["cells"]]
    for label, text in exercise_texts(book=root).items():  # the same with the numbers that are quoted
        words |= dict.fromkeys(_needles(_CODE.sub("", text.solution)), label)
    said += [f"{e.goal} {e.hint} {e.stub}" for e in EXERCISES.values()]
    book_says = " ".join(map(_normal, said))
    package = " ".join(_normal(path.read_text(encoding="utf-8")) for path in (root / "lifelong").rglob("*.py"))
    found = {needle: label for needle, label in words.items() if needle not in book_says}
    return found | {line: label for line, label in code.items() if line not in book_says and line not in package}


def _needles(text: str) -> Iterator[str]:
    """The sentences of a text that are long enough to be told from others."""
    text = re.sub(r"^:[\w-]+:.*$|^`{3,}.*$", "", text, flags=re.MULTILINE)
    for sentence in re.split(r"(?<=[.?!:;])\s+|\n\n+", text):
        needle = _normal(sentence)
        if len(needle.split()) >= 5 or len(needle) >= 40:
            yield needle


def _lines(code: str) -> Iterator[str]:
    """The lines of code, without comments, that are long enough to be told from others."""
    for line in (_normal(line) for line in code.splitlines() if not line.lstrip().startswith("#")):
        if len(line.split()) >= 5 and len(line) >= 25:
            yield line


def _normal(text: str) -> str:
    """Letters and numbers only, in lower case: the same whether a text is Markdown, HTML or a string of JSON."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def leaks(folder: Path | str, needles: Iterable[str]) -> list[tuple[str, str]]:
    """Search all files of a folder, and the archives among them; Python itself, which pages run, is left out.

    Parameters
    ----------
    folder : path
    needles : iterable of str
        As of `sentences`.

    Returns
    -------
    list of (str, str)
        Files, and what was found in them.

    Notes
    -----
    Solutions on `lem-subspace` are searched as those on `thm-polynomials` are.

    Examples
    --------
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "page.html").write_text("<p>So it <em>is</em> the third one.</p>")
    ...     leaks(folder, ["so it is the third one", "nothing of this kind"])
    [('page.html', 'so it is the third one')]
    """
    folder, wanted = Path(folder), list(needles)
    opening = {needle: _openings(needle.split()[:3]) for needle in wanted}
    found = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.match(_FOREIGN)):
        for name, content in _contents(path):
            for text in _texts(name, content):
                place = path.relative_to(folder).as_posix() + (f":{name}" if path.suffix == ".zip" else "")
                there = _openings(text.split())
                found += [(place, needle) for needle in wanted if there >= opening[needle] and needle in text]
    return list(dict.fromkeys(found))


def _openings(words: list[str]) -> set[tuple[str, ...]]:
    """All words of a text in threes: most sentences are ruled out by how they begin."""
    return set(zip(words, words[1:], words[2:], strict=False))


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    """A file, or what an archive holds."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield name, archive.read(name)
    elif path.suffix not in (".png", ".woff", ".woff2", ".ttf", ".whl", ".wasm"):
        yield path.name, path.read_bytes()


def _texts(name: str, content: bytes) -> Iterator[str]:
    """What is written in a file, in all ways in which a sentence may stand there."""
    text = content.decode("utf-8", errors="ignore")
    yield text
    if name.endswith((".json", ".ipynb")):
        with contextlib.suppress(ValueError):
            text = "\n".join(_strings(json.loads(text)))
    yield _normal(text)
    if name.endswith((".html", ".xml", ".svg")):
        yield _normal(unescape(re.sub(r"<[^>]*>", "", text)))
        yield _normal(unescape(re.sub(r"<[^>]*>", " ", text)))


def _strings(thing: Any) -> Iterator[str]:
    """All texts of a JSON file; the lines of a cell are one."""
    if isinstance(thing, str):
        if len(thing) < 2000 or " " in thing[:2000]:  # not an image
            yield thing
    elif isinstance(thing, dict):
        for part in thing.values():
            yield from _strings(part)
    elif isinstance(thing, list):
        if thing and all(isinstance(part, str) for part in thing):
            yield "".join(thing)
        else:
            for part in thing:
                yield from _strings(part)
