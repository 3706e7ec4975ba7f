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
from lifelong_book.press.teaching import stub
from lifelong_book.press.teaching.assignments import alone, sheet
from lifelong_book.press.teaching.book_text import exercise_texts
from tests.teaching.answers import RIGHT, WRONG
from tests.teaching.book import EXERCISES, ROOT, printed

PAGE = (ROOT / "book/teaching/grading.md").read_text(encoding="utf-8")
SHEET = ["ex-beyond-noise", "ex-swap", "ex-angles-laplace"]


@pytest.fixture(scope="module")
def everything():
    return sheet(list(EXERCISES), site="https://example.org/book/")


def sources(cells, kind):
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == kind]


def blocks(notebook, kind):
    """The cells of each block of a kind, such as a question."""
    lines = ["".join(c["source"]).partition("\n")[0] if c["cell_type"] == "raw" else "" for c in notebook["cells"]]
    begin, end = ([i for i, line in enumerate(lines) if line == f"# {word} {kind}"] for word in ("BEGIN", "END"))
    assert sorted(begin + end) == [i for pair in zip(begin, end, strict=True) for i in pair]
    return [notebook["cells"][i:j] for i, j in zip(begin, end, strict=True)]


def test_texts_are_those_of_the_book():
    texts = exercise_texts()
    assert list(texts) == list(printed())
    for label, text in texts.items():
        assert text.page == EXERCISES[label].page and text.title and text.text and text.solution
        left = re.search(r"\{[a-z:]+\}`|`{3,}\{|^:label:|None", f"{text.text}\n{text.solution}", re.MULTILINE)
        assert left is None, label


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


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
def test_the_loop_of_the_page_writes_one_row_for_each_that_is_handed_in(tmp_path, monkeypatch):
    (loop,) = re.findall(r"```bash\n(for .*?)```", PAGE, re.DOTALL)
    (tmp_path / "docker").write_text("#!/bin/sh\ncase $1 in create) echo 7;; start) grep -av wait || sleep 99;; esac")
    (tmp_path / "docker").chmod(0o755)  # its containers print what they are given
    (tmp_path / "handed").mkdir()
    given = {"a": "1,0", "b": "\0\n1,1,1\n1;1\n0,1\n1,1", "$(c)\n1,1": "1,2", "d": "x" * 10**6 + "\n1,1", "e": "wait"}
    for name, text in given.items():
        (tmp_path / f"handed/{name}.ipynb").write_text(text)
    os.mkfifo(tmp_path / "handed/pipe.ipynb")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    run = subprocess.run(["bash", "-c", loop.replace(" 300 ", " 1 ")], cwd=tmp_path, capture_output=True, check=True)
    rows = sorted(run.stdout.decode().replace(".ipynb", "").split("\n"))
    assert rows == sorted(["1,0,handed/a", "0,1,handed/b", r",,$'handed/$(c)\n1,1'", ",,handed/d", ",,handed/e", ""])


@pytest.mark.skipif(shutil.which("otter") is None, reason="no otter-grader: pip install otter-grader")
@pytest.mark.parametrize("hidden", [False, True])
def test_otter_makes_a_sheet_and_grades_it(hidden, tmp_path, monkeypatch):
    book = [path for path in sys.path if Path(path, "lifelong_book").exists()]  # when it is not installed
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *book]))
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
    right = "def largest_noise(epsilon):\n    return epsilon / 4 / (1 - epsilon)"
    answers = iter([right, "def mean_absolute(N):\n    return N\ndef check(*given):\n    return 'Right.'"])
    for cell in handed.cells:
        cell.source = next(answers) if cell.source.startswith("def ") else cell.source
    nbformat.write(handed, tmp_path / "handed.ipynb")
    subprocess.run(["otter", "run", "-a", str(grader), "handed.ipynb"], **run)
    (code,) = re.findall(r'python -c "(.*?)"\n', PAGE, re.DOTALL)
    told = subprocess.run([sys.executable, "-c", code.replace("\\\n", "")], **run).stdout
    assert told.split() == [b"0,1"]  # ex-angles-laplace, ex-beyond-noise
