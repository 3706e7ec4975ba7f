"""A student edition has no solution anywhere, an instructor edition has them open."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile

import pytest
import yaml

import lifelong_book.press.command_line as command
from lifelong_book.press.teaching import editions, exercises
from lifelong_book.press.teaching.book_text import SOLUTION, TAG, notebooks, without_solutions
from lifelong_book.press.teaching.editions import leaks, prepare, sentences
from tests.teaching.book import ROOT, printed

EXERCISES = {e.label: e for e in exercises()}
NOTEBOOKS = {path.relative_to(ROOT).as_posix(): notebook for path, notebook in notebooks(ROOT)}
#: What solutions and the rest of the book both say.
SAID_ANYWAY = {
    "every target is learned exactly",
    "for enough tasks only the attempts count",
    "with rng np random default rng 0",
}


def source(cell):
    return "".join(cell["source"])


def glued(text):
    return set(re.findall(r"\{glue(?::\w+)?\}`([^`:]+)", text)) | set(re.findall(r"\{glue(?::\w+)?\} (\S+)", text))


# --- the tag -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_every_code_cell_below_the_exercises_belongs_to_a_solution(page):
    """Give it the tag `solution`; a cell that students should keep stands above the exercises."""
    below = False
    for cell in NOTEBOOKS[page]["cells"]:
        below = below or (cell["cell_type"] == "markdown" and "{exercise}" in source(cell))
        tagged = TAG in cell["metadata"].get("tags", ())
        assert not (cell["cell_type"] == "code" and below and not tagged), f"{cell['id']} has no tag {TAG}"
        assert not (tagged and not below), f"{cell['id']} stands above the exercises and has the tag {TAG}"


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_no_other_cell_computes_what_only_solutions_quote(page):
    cells = NOTEBOOKS[page]["cells"]
    text = "\n".join(source(c) for c in cells if c["cell_type"] == "markdown")
    solutions = "\n".join(body for _, _, body in SOLUTION.findall(text))
    only = glued(solutions) - glued(SOLUTION.sub("", text))
    for cell in cells:
        if cell["cell_type"] == "code" and TAG not in cell["metadata"].get("tags", ()):
            names = {o.get("metadata", {}).get("scrapbook", {}).get("name") for o in cell["outputs"]}
            assert not only & names, cell["id"]


# --- the prepared sources ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    return prepare("student", tmp_path_factory.mktemp("student") / "book")


@pytest.fixture(scope="module")
def instructor(tmp_path_factory):
    return prepare("instructor", tmp_path_factory.mktemp("instructor") / "book")


@pytest.fixture(scope="module")
def needles():
    return sentences(book=ROOT)


def test_every_solution_is_searched_for(needles):
    assert {label for label in needles.values() if label in EXERCISES} == set(EXERCISES)
    for label, book in printed().items():
        for said in editions._needles(re.sub(r"^```.*", "", book.solution, flags=re.DOTALL | re.MULTILINE)):
            assert said in needles or said in SAID_ANYWAY or said.startswith("begin aligned"), (label, said)
    for notebook in NOTEBOOKS.values():
        for cell in notebook["cells"]:
            if TAG in cell["metadata"].get("tags", ()):
                assert f'"{cell["id"]}"' in needles


def test_no_source_of_the_student_edition_tells_a_solution(student, needles):
    # the list of live cells has their names; it is read by the build and put into no edition
    assert [found for found in leaks(student, needles) if found[0] != "book/live/cells.json"] == []


def test_the_search_finds_what_it_should(needles, tmp_path):
    """A solution that was left in a page, in a notebook, in an archive."""
    label, book = next(iter(printed().items()))
    some = [needle for needle, of in needles.items() if of == label]
    (tmp_path / "page.html").write_text(f"<p>{book.solution.replace('$', '')}</p>", encoding="utf-8")
    cell = {"cell_type": "markdown", "source": book.solution.splitlines(keepends=True)}
    (tmp_path / "page.ipynb").write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "some.zip", "w") as archive:
        archive.writestr("page.md", book.solution)
    found = leaks(tmp_path, some)
    assert {place for place, _ in found} == {"page.html", "page.ipynb", "some.zip:page.md"}


@pytest.mark.parametrize("page", NOTEBOOKS)
def test_nothing_but_the_solutions_is_missing(page, student):
    cut = json.loads((student / page).read_text(encoding="utf-8")) if (student / page).exists() else None
    if cut is None:
        assert page.startswith("book/teaching/")
        return
    kept = [cell for cell in NOTEBOOKS[page]["cells"] if TAG not in cell["metadata"].get("tags", ())]
    assert [cell["id"] for cell in cut["cells"]] == [cell["id"] for cell in kept]
    for before, now in zip(kept, cut["cells"], strict=True):
        if before["cell_type"] == "code":
            assert before == now
        else:
            assert source(now) == editions._unlinked(SOLUTION.sub("", source(before)), editions._labels(ROOT))
            assert source(now).count("{exercise}") == source(before).count("{exercise}")


def test_the_student_edition_has_no_page_for_teachers(student):
    contents = yaml.safe_load((student / "_toc.yml").read_text(encoding="utf-8"))
    assert not (student / "book" / "teaching").exists()
    assert "book/teaching" not in json.dumps(contents)
    assert [part["caption"] for part in contents["parts"]] == [
        part["caption"]
        for part in yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
        if "book/teaching/" not in part["chapters"][0]["file"]
    ]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("See [the plan](../teaching/plans.md) first.", "See the plan first."),
        ("See {doc}`the plan </book/teaching/plans>` first.", "See the plan first."),
        ("See {ref}`the plan <sec-plan>` and {numref}`sec-plan`.", "See the plan and the pages for teachers."),
        ("See {ref}`this <sec-other>` and {glue:text}`sec`.", "See {ref}`this <sec-other>` and {glue:text}`sec`."),
        ("See [teaching](https://example.org/teaching-notes).", "See [teaching](https://example.org/teaching-notes)."),
    ],
)
def test_links_to_pages_for_teachers_become_words(text, plain):
    assert editions._unlinked(text, frozenset({"sec-plan"})) == plain


def test_the_package_of_an_edition_is_what_a_sheet_imports(student, needles, tmp_path):
    package = tmp_path / "package"
    editions._put_package(student, package)
    assert sorted(path.name for path in package.iterdir()) == ["LICENSE", "README.md", "lifelong", "pyproject.toml"]
    code = "import lifelong; from lifelong_book.press.teaching import check, hint; "
    code += "print(lifelong.__file__, check('ex-break', 1))"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.startswith(str(package)) and "Not yet: " in run.stdout
    assert leaks(package, needles) == []


def test_a_part_of_the_contents_goes_with_its_pages():
    contents = "parts:\n  - caption: A\n    chapters:\n      - file: book/a\n"
    teaching = "  - caption: To teach\n    chapters:\n      - file: book/teaching/index\n"
    after = "  - caption: B\n    chapters:\n      - file: book/b\n"
    assert editions._without_part(contents + teaching + after) == contents + after


def test_the_instructor_edition_opens_every_solution_and_notes_what_it_takes(instructor):
    seen = set()
    for _, notebook in notebooks(instructor):
        text = "\n\n".join(source(c) for c in notebook["cells"] if c["cell_type"] == "markdown")
        for _, label, body in SOLUTION.findall(text):
            exercise = EXERCISES[label]
            assert ":class: dropdown" not in body
            note = text[text.index(body) + len(body) :].split("{admonition} For the instructor")[1].split("```")[0]
            assert exercise.goal in note and f"about {exercise.minutes} minutes" in note
            seen.add(label)
        for cell in notebook["cells"]:
            tags = set(cell["metadata"].get("tags", ()))
            assert not (TAG in tags and tags & {"remove-cell", "hide-cell", "remove-input", "hide-input"})
    assert seen == set(EXERCISES)


def test_rubrics_are_for_exercises_and_in_sentences():
    notes = editions._rubrics(ROOT)
    assert list(notes) == list(EXERCISES)
    for label, note in notes.items():
        assert re.fullmatch(r"[A-Z$`*].*[.?]", note), label
        assert "`{" not in note


def test_the_package_knows_no_rubrics(student):
    assert not list(student.rglob("rubrics.json"))
    assert "rubrics.json" not in " ".join(p.name for p in (ROOT / "lifelong").rglob("*"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["edition", "student", "--out", "out", "--book", "nowhere"], "no sources of the book in nowhere"),
        (["edition", "student", "--out", "full"], "expected an empty folder"),
    ],
)
def test_what_is_not_there_is_said(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.txt").write_text("x", encoding="utf-8")
    assert command.main(arguments) == 2
    assert words in capsys.readouterr().err


def test_a_solution_that_is_told_is_an_error(monkeypatch, capsys):
    made = {"files": 3, "sentences": 2, "leaks": [("html/a.html", "so it is")]}
    monkeypatch.setattr(editions, "make_edition", lambda *_, **__: made)
    assert command.main(["edition", "student", "--out", "out"]) == 1
    printed_lines = capsys.readouterr()
    assert "html/a.html: a solution says: so it is" in printed_lines.err and "1 found" in printed_lines.out


# --- built pages ---------------------------------------------------------------------------------------


@pytest.mark.skipif(not os.environ.get("EDITION"), reason="builds a whole book: EDITION=student asks for it")
def test_the_whole_student_edition_tells_no_solution(tmp_path):
    made = editions.make_edition("student", tmp_path / "out", book=ROOT)
    assert made["leaks"] == [] and made["sentences"] > 1000 and made["files"] > 300
    git = subprocess.run(["git", "status", "--short"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "_build" not in git.stdout


def test_a_cut_notebook_is_another_one():
    page = NOTEBOOKS["book/introduction.ipynb"]
    before = json.dumps(page)
    without_solutions(page)
    assert json.dumps(page) == before
