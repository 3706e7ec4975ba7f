"""Sheets of exercises: what students see, what a teacher sees, and that otter-grader grades them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
import yaml

import lifelong_book.press.command_line as command
from lifelong_book.press.teaching import exercises, stub
from lifelong_book.press.teaching.assignments import alone, sheet
from lifelong_book.press.teaching.book_text import exercise_texts
from tests.teaching.answers import RIGHT, WRONG
from tests.teaching.book import ROOT, printed

EXERCISES = {e.label: e for e in exercises()}
SHEET = ["ex-beyond-noise", "ex-swap", "ex-angles-laplace"]


@pytest.fixture(scope="module")
def everything():
    return sheet(list(EXERCISES), site="https://example.org/book/")


def sources(cells, kind):
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def blocks(notebook, kind):
    """The cells of each block of a kind, such as a question."""
    found, inside = [], False
    for cell in notebook["cells"]:
        first = "".join(cell["source"]).partition("\n")[0]
        if cell["cell_type"] == "raw" and first in (f"# BEGIN {kind}", f"# END {kind}"):
            assert inside == first.startswith("# END")
            inside = not inside
            found += [[]] if inside else []
        if inside:
            found[-1].append(cell)
    assert not inside
    return found


def test_texts_are_those_of_the_book():
    texts = exercise_texts()
    assert list(texts) == list(printed())
    for label, text in texts.items():
        assert text.page == EXERCISES[label].page and text.title and text.text and text.solution
        assert not re.search(r"\{[a-z:]+\}`|`{3,}\{|^:label:|None", f"{text.text}\n{text.solution}", re.MULTILINE), (
            label
        )


def test_a_notebook_of_all_exercises_is_one_and_its_questions_have_names_of_their_own(everything):
    nbformat.validate(nbformat.from_dict(everything))
    first, *raw = sources(everything["cells"], "raw")
    assert yaml.safe_load(first)["requirements"] == "requirements.txt"
    names = [yaml.safe_load(text)["name"] for text in raw if text.startswith("# BEGIN QUESTION")]
    checked = [label for label, e in EXERCISES.items() if e.checked]
    assert sorted(names) == sorted([*checked, *(f"{label}-words" for label in EXERCISES)])
    assert len(blocks(everything, "TESTS")) == len(checked)
    text = "\n".join(sources(everything["cells"], "markdown"))
    links = re.findall(r"\(https://example\.org/book/book/(\S+)\.html#(ex-[\w-]+)\)", text)
    assert links == [(e.page, label) for label, e in EXERCISES.items()]


def test_solutions_stand_where_otter_takes_them_out(everything):
    solutions = blocks(everything, "SOLUTION")
    told = [id(cell) for block in solutions for cell in block]
    others = "\n".join("".join(cell["source"]) for cell in everything["cells"] if id(cell) not in told)
    texts = exercise_texts()
    for block, label in zip(solutions, EXERCISES, strict=True):
        text, (solution,) = texts[label], sources(block, "markdown")
        assert solution.startswith(text.solution) and "**To look for.** " in solution
        assert text.text in others and text.solution not in others, label
    assert set(json.loads((ROOT / "book/teaching/rubrics.json").read_text(encoding="utf-8"))) <= set(EXERCISES)


@pytest.mark.parametrize("label", ["ex-beyond-noise", "ex-online-shuffle", "ex-threshold"])
def test_a_test_prints_what_it_expects_for_a_right_answer_only(label):
    (block,) = blocks(sheet([label], hidden=True), "TESTS")
    (cell,) = (cell for cell in block if cell["cell_type"] == "code")
    assert cell["source"][0] == "# HIDDEN\n"
    *imports, call = "".join(cell["source"]).strip().splitlines()
    name = re.search(r"def (\w+)", stub(label))[1]
    for answer in (RIGHT[label], *WRONG[label]):
        names = {name: answer, "check": None}
        exec("\n".join(imports), names)
        shown = [{"output_type": "stream", "name": "stdout", "text": [repr(eval(call, names))]}]
        assert (shown == cell["outputs"]) == (answer is RIGHT[label])
    (block,) = blocks(sheet([label]), "TESTS")
    assert not block[1]["source"][0].startswith("#")


def test_an_exercise_alone_runs_and_says_what_is_not_completed(monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    notebook = nbformat.reads(json.dumps(alone("ex-beyond-noise")), as_version=4)
    assert not any(cell.cell_type == "raw" or cell.id.endswith("-solution") for cell in notebook.cells)
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (said,) = (output for cell in notebook.cells for output in cell.get("outputs", ()))
    assert "is it completed?" in said["data"]["text/plain"]


@pytest.mark.parametrize(
    ("labels", "words"), [(["ex-swap", "ex-swap"], "each once"), (["ex-never"], "label: expected")]
)
def test_what_is_no_sheet_is_refused(labels, words, tmp_path, capsys):
    assert command.main(["assignment", *labels, "--out", str(tmp_path / "sheet.ipynb")]) == 2
    assert words in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_file_that_is_there_is_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    given = ["assignment", *SHEET, "--title", "Sheet 1", "--out", "sheet.ipynb"]
    assert command.main(given) == 0 and command.main(["exercise", "ex-swap", "--notebook"]) == 0
    made, single = (json.loads(Path(name).read_text("utf-8")) for name in capsys.readouterr().out.split())
    assert made == sheet(SHEET, title="Sheet 1") and single == alone("ex-swap")
    Path("sheet.ipynb").write_text("answers")
    assert command.main(given) == 2 and "sheet.ipynb: File exists" in capsys.readouterr().err
    assert Path("sheet.ipynb").read_text() == "answers"


#: Where the book is found as a package when it is not installed.
MYPY = [path for path in sys.path if Path(path, "lifelong_book").exists()]


@pytest.mark.skipif(shutil.which("otter") is None, reason="no otter-grader: pip install otter-grader")
@pytest.mark.parametrize("hidden", [False, True])
def test_otter_makes_a_sheet_and_grades_it(hidden, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *map(str, MYPY)]))
    run = {"cwd": tmp_path, "check": True, "capture_output": True}
    (tmp_path / "requirements.txt").write_text("numpy\n")
    (tmp_path / "sheet.ipynb").write_text(json.dumps(sheet(SHEET, hidden=hidden)), encoding="utf-8")
    subprocess.run(["otter", "assign", "sheet.ipynb", "made"], **run)
    handed = nbformat.read(tmp_path / "made" / "student" / "sheet.ipynb", 4)
    text = "".join(sources(handed.cells, "markdown"))
    assert not any(exercise_texts()[label].solution in text for label in SHEET)
    (grader,) = (tmp_path / "made" / "autograder").glob("*.zip")
    with ZipFile(grader) as archive:
        assert sum(name.startswith("tests/") for name in archive.namelist()) == 2
    for cell in handed.cells:
        if cell.cell_type == "code" and "def largest_noise" in cell.source:
            cell.source = "def largest_noise(epsilon):\n    return epsilon / 4 / (1 - epsilon)"
        if cell.cell_type == "code" and "def mean_absolute" in cell.source:
            cell.source = "def mean_absolute(N):\n    return N\ndef check(*given):\n    return 'Right.'"
    nbformat.write(handed, tmp_path / "handed.ipynb")
    (tmp_path / "graded").mkdir()
    subprocess.run(["otter", "run", "-a", str(grader), "-o", "graded", "handed.ipynb"], **run)
    found = json.loads((tmp_path / "graded" / "results.json").read_text(encoding="utf-8"))["tests"]
    scores = {re.match(r"ex-[\w-]+", t["name"])[0]: t.get("score") for t in found if "ex-" in t["name"]}
    assert (scores["ex-beyond-noise"], scores["ex-angles-laplace"]) == (1, 0)
