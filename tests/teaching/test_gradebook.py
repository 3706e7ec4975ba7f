"""Assignments, and what comes back: whatever a submission does, it is graded, and so are the others."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lifelong_book.press.command_line as command
from lifelong_book.press.grading import Submission
from lifelong_book.press.teaching import exercises, stub
from lifelong_book.press.teaching.assignments import assignment, write_assignment
from lifelong_book.press.teaching.book_text import exercise_texts
from lifelong_book.press.teaching.examiner import Remote
from lifelong_book.press.teaching.gradebook import VERDICTS, Grade, _asked, grade, not_graded, write_grades
from lifelong_book.press.teaching.submissions import Handed, read_submission
from lifelong_book.press.teaching.wire import read, written
from tests.teaching.answers import ALSO_RIGHT, RIGHT, WRONG
from tests.teaching.book import printed

EXERCISES = {e.label: e for e in exercises()}
CHECKED = [label for label, e in EXERCISES.items() if e.checked]
SHEET = ["ex-beyond-noise", "ex-swap", "ex-angles-laplace"]

posix = pytest.mark.skipif(os.name != "posix", reason="submissions are isolated where processes have groups")


# --- values on their way between processes -------------------------------------------------------------


class Looped(Remote):
    """A submission in this process, whose arguments and values go through the pipe's texts."""

    def __init__(self, label, answer):
        Submission.__init__(self, answer, EXERCISES[label].stub)

    def _run(self, arguments):
        return read(written(self.answer(*read(written(arguments)))))


@pytest.mark.parametrize("label", CHECKED)
def test_what_goes_through_the_pipe_is_judged_as_what_does_not(label):
    for answer in [RIGHT[label], *ALSO_RIGHT.get(label, [])]:
        EXERCISES[label].checker(Looped(label, answer if callable(answer) else read(written(answer))))
    for answer in WRONG[label]:
        with pytest.raises(Exception):  # noqa: B017 - a function may raise by itself here
            EXERCISES[label].checker(Looped(label, answer if callable(answer) else read(written(answer))))


def test_a_generator_goes_on_where_it_stood():
    here = np.random.default_rng(3)
    here.random(5)
    there = read(written(here))
    assert there.random() == here.random()


def test_what_cannot_be_sent_keeps_the_name_of_its_type():
    class Evil(dict):
        def items(self):
            raise SystemExit

    for thing in (object(), lambda: 1, np.array(["a"]), ...):
        assert type(read(written(thing))).__name__ == type(thing).__name__
    endless: list = []
    endless.append(endless)
    assert isinstance(read(written(endless)), list)
    assert type(read('{"nowhere": [1, 2]}')).__name__ == "nowhere"
    assert type(read('{"ndarray": ["|O8", [1], "AAAA"]}')).__name__ == "ndarray"  # no pickles


# --- an assignment -------------------------------------------------------------------------------------


def test_texts_are_those_of_the_book():
    texts = exercise_texts()
    assert set(texts) == set(printed())
    for label, text in texts.items():
        assert text.title and text.statement and text.solution
        assert not re.search(r"\{[a-z:]+\}`|`{3,}\{|^:label:|None", text.statement, re.MULTILINE), label


def test_an_assignment_has_texts_stubs_and_checks_and_no_solution(tmp_path):
    notebook = assignment(SHEET, title="Sheet 1")
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.from_dict(notebook))
    code = ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]
    words = "\n".join("".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "markdown")
    assert stub("ex-beyond-noise") in code and 'check("ex-beyond-noise", largest_noise)' in code
    assert not any("ex-swap" in text for text in code)
    for label in SHEET:
        text = exercise_texts()[label]
        assert text.statement in words and text.solution[:40] not in words
        assert any(cell["id"] == f"{label}-words" for cell in notebook["cells"])  # a check reads no reasons
    write_assignment(notebook, tmp_path / "hw.ipynb")
    with pytest.raises(FileExistsError):
        write_assignment(notebook, tmp_path / "hw.ipynb")
    handed = read_submission(tmp_path / "hw.ipynb")
    assert (handed.student, handed.exercises, handed.fault) == ("hw", tuple(SHEET), "")
    assert [p.exercise for p in handed.pieces if p.exercise] == ["ex-beyond-noise", "ex-angles-laplace"]


@pytest.mark.parametrize("labels", [[], ["ex-swap", "ex-swap"], ["ex-never"]])
def test_what_is_no_assignment_is_refused(labels):
    with pytest.raises(ValueError, match=r"labels?: expected"):
        assignment(labels)


def test_an_assignment_runs_and_says_what_is_not_completed(tmp_path, monkeypatch):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.setenv("PYTHONPATH", str(Path(command.__file__).parents[1]))
    notebook = nbformat.reads(json.dumps(assignment(["ex-beyond-noise"])), as_version=4)
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    (said,) = notebook.cells[-2].outputs if notebook.cells[-1].cell_type == "markdown" else notebook.cells[-1].outputs
    assert "is it completed?" in said["data"]["text/plain"]


# --- submissions ---------------------------------------------------------------------------------------

RIGHT_NOISE = "def largest_noise(epsilon):\n    return epsilon / 4 / (1 - epsilon)\n"
RIGHT_SUM = "from math import comb\ndef mean_absolute(N):\n    return 2 * N * comb(2 * N, N) / 4**N\n"
HANGING = """
def largest_noise(epsilon):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
#: What is handed in, and the verdicts that it must get: on the noise, and on the sum.
SUBMISSIONS = {
    "good": (RIGHT_NOISE + RIGHT_SUM, "right", "right"),
    "told": (
        "import lifelong_book.press.teaching\n" + RIGHT_NOISE.replace("largest_noise", "mine") + RIGHT_SUM
        + 'lifelong_book.press.teaching.check("ex-beyond-noise", mine)\n',
        "right",
        "right",
    ),
    "wrong": (RIGHT_NOISE.replace("4", "5") + RIGHT_SUM, "not yet", "right"),
    "empty": ("", "missing", "missing"),
    "no_python": ("def largest_noise(:\n" + RIGHT_SUM, "missing", "missing"),
    "stub": (stub("ex-beyond-noise") + "\n" + RIGHT_SUM, "not yet", "right"),
    "leaving": ("import sys\nsys.exit(0)\n" + RIGHT_NOISE + "raise KeyboardInterrupt\n" + RIGHT_SUM, "right", "right"),
    "hanging": (HANGING + RIGHT_SUM, "stopped", "right"),
    "waiting": ("import time\ntime.sleep(1000)\n" + RIGHT_NOISE + RIGHT_SUM, "right", "right"),
    "asleep": (
        "import signal, time\ndef largest_noise(epsilon):\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))\n    time.sleep(1000)\n" + RIGHT_SUM,
        "stopped",
        "right",
    ),
    "busy": ("while True: pass\n" + RIGHT_NOISE + RIGHT_SUM, "right", "right"),
    "ending": ("import os\ndef largest_noise(epsilon):\n    os._exit(0)\n" + RIGHT_SUM, "crashed", "right"),
    "ended": ("import os\nos._exit(0)\n" + RIGHT_NOISE, "crashed", "crashed"),
    "crashing": ("def largest_noise(epsilon):\n    return largest_noise(epsilon)\n" + RIGHT_SUM, "not yet", "right"),
    "greedy": (
        "import numpy as np\ndef largest_noise(epsilon):\n    return float(np.ones(10**10).sum())\n" + RIGHT_SUM,
        "not yet",
        "right",
    ),
    "writing": ("open('{out}', 'w').write('x')\nopen('mine.txt', 'w').write('x')\n" + RIGHT_SUM, "missing", "right"),
    "removing": ("import os\ndef largest_noise(epsilon):\n    os.remove('{here}')\n" + RIGHT_SUM, "not yet", "right"),
    "calling": (
        "import socket\ndef largest_noise(epsilon):\n    socket.create_connection(('127.0.0.1', 9))\n" + RIGHT_SUM,
        "not yet",
        "right",
    ),
    "starting": (
        "import os\ndef largest_noise(epsilon):\n    return os.system('true')\n" + RIGHT_SUM,
        "not yet",
        "right",
    ),
    "copying": ("exec(open('{here}').read())\n" + RIGHT_SUM, "missing", "right"),
    "looking": (
        "from tests.teaching.answers import RIGHT\nlargest_noise = RIGHT['ex-beyond-noise']\n",
        "missing",
        "missing",
    ),
    "redefining": (
        "def check(*arguments):\n    print('Right.')\n    return True\n"
        "import lifelong_book.press.teaching as t, lifelong_book.press.grading as g\n"
        "t.check = t.Result.__bool__ = lambda *_: True\ng.near = lambda *_: True\ng.Wrong = None\n"
        "def largest_noise(epsilon):\n    print('Right.')\n    return 1\n"
        "print('Right.')\nprint({'exercise': 'ex-beyond-noise', 'verdict': 'right', 'message': '', 'seconds': 0})\n"
        + RIGHT_SUM,
        "not yet",
        "right",
    ),
    "patching": (
        "import numpy, math\nnumpy.isfinite = numpy.allclose = lambda *_, **__: True\nmath.comb = lambda *_: 1\n"
        "def largest_noise(epsilon):\n    return float('nan')\ndef mean_absolute(N):\n    return 1.0\n",
        "not yet",
        "not yet",
    ),
    "lying": (
        "class Liar(float):\n    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = lambda *_: True\n    __hash__ = None\n"
        "    __sub__ = __rsub__ = __abs__ = lambda self, *_: Liar(0)\n"
        "def largest_noise(epsilon):\n    return Liar(0.3)\n" + RIGHT_SUM,
        "not yet",
        "right",
    ),
    "shouting": (
        "import os\nfor number in range(3, 30):\n    try:\n        os.write(number, b'{{\"value\": \"1\"}}\\n')\n"
        "    except OSError:\n        pass\n" + RIGHT_NOISE,
        "crashed",
        "crashed",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("submissions")
    for name, (code, *_) in SUBMISSIONS.items():
        text = code.replace("{out}", str(made.parent / "outside.txt")).replace("{here}", str(made / "good.py"))
        (made / f"{name}.py").write_text(text.replace("{{", "{").replace("}}", "}"), encoding="utf-8")
    notebook = assignment(SHEET)
    by_id = {cell["id"]: cell for cell in notebook["cells"]}
    by_id["student"]["source"] = ['student = "=Ada"']
    by_id["ex-beyond-noise-stub"]["source"] = ["%matplotlib inline\n", *RIGHT_NOISE.splitlines(keepends=True)]
    by_id["ex-angles-laplace-stub"]["source"] = ["1 / 0"]
    (made / "ada").mkdir()
    write_assignment(notebook, made / "ada" / "hw.ipynb")
    (made / "torn.ipynb").write_text('{"cells": [', encoding="utf-8")
    (made / "odd.ipynb").write_text('{"cells": [{"cell_type": "code"}, 3], "metadata": []}', encoding="utf-8")
    (made / "notes.txt").write_text("not a submission", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def grades(folder):
    return grade(folder, seconds=1, memory=1_500_000_000, jobs=2)


@posix
def test_every_submission_gets_its_lines(grades, folder):
    files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*.*") if p.suffix in (".py", ".ipynb"))
    assert sorted({g.file for g in grades}) == files
    assert len(grades) == len(SHEET) * len(files)
    assert {g.verdict for g in grades} <= set(VERDICTS)


@posix
@pytest.mark.parametrize("name", SUBMISSIONS)
def test_nothing_fools_or_stops_the_grader(grades, name):
    _, noise, total = SUBMISSIONS[name]
    found = {g.exercise: g for g in grades if g.file == f"{name}.py"}
    assert found["ex-swap"].verdict == "by hand"
    assert (found["ex-beyond-noise"].verdict, found["ex-angles-laplace"].verdict) == (noise, total), found


@posix
def test_messages_say_what_happened(grades):
    said = {g.file: g.message for g in grades if g.exercise == "ex-beyond-noise"}
    assert said["wrong.py"] == "largest_noise(epsilon=0.2): the test does not stand on the edge at this rate"
    assert "largest_noise is not defined; the file cannot be read: SyntaxError" in said["no_python.py"]
    assert "did not answer" in said["asleep.py"] and "ended with status 0" in said["ending.py"]
    assert "RecursionError" in said["crashing.py"] and "MemoryError" in said["greedy.py"]
    assert "may write in its working directory only" in said["writing.py"]
    assert "not allowed" in said["calling.py"] and "not allowed" in said["starting.py"]
    assert "may change its working directory only" in said["removing.py"]
    assert "JSONDecodeError" in said["torn.ipynb"] and "cannot be read" in said["odd.ipynb"]


@posix
def test_an_answer_is_marked_that_is_right_beside_what_was_refused(grades):
    said = {g.file: g.message for g in grades if g.exercise == "ex-angles-laplace" and g.verdict == "right"}
    tried = "it tried what is refused: a submission may"
    assert said["writing.py"] == f"{tried} write in its working directory only"
    assert said["copying.py"].startswith(f"{tried} not read")
    assert said["removing.py"] == ""  # what it tries comes later, when another answer is asked
    assert said["good.py"] == ""


@posix
def test_one_submission_cannot_hurt_the_table_of_the_others(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("handed").mkdir()
    Path("handed", "good.py").write_text(RIGHT_NOISE, encoding="utf-8")
    Path("handed", "bob.py").write_text('student = "Bob\\ud800"\n' + RIGHT_NOISE, encoding="utf-8")
    Path("handed", "raising.py").write_text(
        'def largest_noise(epsilon):\n    raise ValueError("\\ud800 \\0")\n', encoding="utf-8"
    )
    Path(os.fsdecode(b"handed/bad\xff.py")).write_text(RIGHT_NOISE, encoding="utf-8")
    assert command.main(["grade", "handed", "--out", "grades.csv", "--exercises", "ex-beyond-noise"]) == 0
    with Path("grades.csv").open(encoding="utf-8", newline="") as file:
        found = {line["student"]: line for line in csv.DictReader(file)}
    assert set(found) == {"good", r"Bob\ud800", "raising", r"bad\udcff"}
    assert sorted(line["verdict"] for line in found.values()) == ["not yet", "right", "right", "right"]
    assert "ValueError" in found["raising"]["message"]


def test_a_table_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    file = tmp_path / "grades.csv"
    file.write_text("my marks", encoding="utf-8")

    def full(self, text, **how):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space"):
        write_grades([Grade("a", "a.py", "ex-threshold", "right", "", 0.5)], file)
    assert [path.name for path in tmp_path.iterdir()] == ["grades.csv"] and file.read_text() == "my marks"


def test_labels_that_one_notebook_adds_or_leaves_out_change_nothing_for_the_others():
    sheet = ("ex-swap", "ex-threshold")
    class_ = [Handed(name, (), exercises=sheet) for name in "abc"]
    with pytest.warns(UserWarning, match="ask for ex-break, ex-chain: not graded"):
        assert _asked([*class_, Handed("d", (), exercises=("ex-break", "ex-chain"))]) == set(sheet)
    assert _asked([*class_, Handed("d", (), exercises=("ex-swap",)), Handed("e", ())]) == set(sheet)


@pytest.mark.parametrize("answer", [range(10**8), range(10**30), range(0, -(10**9), -3)])
def test_a_range_that_stands_for_more_than_is_ever_asked_is_not_unrolled(answer):
    assert type(read(written(answer))).__name__ == "range" and not isinstance(read(written(answer)), range)
    assert read(written(range(5))) == range(5)


def test_what_is_no_submission_is_named(folder):
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "good.pyc").touch()
    assert not_graded(folder) == [Path("notes.txt")]


@posix
def test_nothing_was_written_outside(grades, folder):
    assert not (folder.parent / "outside.txt").exists() and (folder / "good.py").exists()


@posix
def test_a_notebook_is_graded_cell_by_cell_with_its_student(grades, folder, tmp_path):
    found = {g.exercise: g for g in grades if g.file == "ada/hw.ipynb"}
    assert {g.student for g in found.values()} == {"=Ada"}
    assert [found[label].verdict for label in SHEET] == ["right", "by hand", "missing"]
    assert "ZeroDivisionError" in found["ex-angles-laplace"].message
    write_grades(grades, tmp_path / "grades.csv")
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert list(lines[0]) == ["student", "file", "exercise", "verdict", "message", "seconds"]
    assert len(lines) == len(grades) and lines[0]["student"] == "'=Ada"


@posix
def test_a_checker_that_hangs_or_dies_stops_nobody(tmp_path, monkeypatch):
    from lifelong_book.press.teaching import gradebook

    (tmp_path / "a.py").write_text(RIGHT_NOISE + RIGHT_SUM, encoding="utf-8")
    answers = iter([([], True), ([gradebook._line("ex-beyond-noise", "right")], False)])
    monkeypatch.setattr(gradebook, "_examined", lambda job: next(answers))
    found = grade(tmp_path, exercises=["ex-beyond-noise", "ex-angles-laplace"])
    assert sorted((g.verdict, g.message) for g in found) == [("right", ""), ("stopped", "the check did not end")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["grade", "nowhere", "--out", "g.csv"], "no folder nowhere"),
        (["grade", ".", "--out", "g.csv"], "no notebook and no Python file"),
        (["grade", "some", "--out", "g.csv"], "no submission says which ones"),
        (["grade", "some", "--out", "g.csv", "--exercises", "ex-never"], "label: expected one of"),
        (["assignment", "ex-never", "--out", "a.ipynb"], "label: expected one of"),
        (["assignment", "ex-thresold", "--out", "a.ipynb"], "label: expected one of ex-threshold"),
        (["assignment", "xyzzy", "--out", "a.ipynb"], "expected one that `lifelong exercise` lists, got 'xyzzy'"),
        (["assignment", "ex-swap", "--out", "sheet"], "--out: expected a name that ends with .ipynb, got sheet"),
        (["assignment", "ex-swap", "--out", "no/sheet.ipynb"], "--out: no folder no"),
        (["grade", "some", "--out", "no/g.csv"], "--out: no folder no"),
        (["grade", "some", "--out", "some/a.py"], "replace it with --overwrite"),
        (["assignment", "ex-swap", "--out", "a.ipynb", "--book", "nowhere"], "--book DIR names its folder"),
        (["exercise", "--notebook"], "expected a LABEL, got none"),
    ],
)
def test_what_is_not_there_is_said(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    if "some" in arguments:
        Path("some").mkdir()
        Path("some", "a.py").write_text("x = 1", encoding="utf-8")
    assert command.main(arguments) == 2
    assert words in capsys.readouterr().err


@posix
def test_the_commands_of_a_teacher(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command.main(["assignment", "ex-beyond-noise", "ex-swap", "--out", "hw.ipynb"]) == 0
    assert command.main(["exercise", "ex-beyond-noise", "--notebook"]) == 0
    assert command.main(["exercise", "ex-beyond-noise", "--notebook"]) == 2  # it may hold an answer
    assert "is there already" in capsys.readouterr().err
    assert json.loads(Path("ex-beyond-noise.ipynb").read_text(encoding="utf-8"))["metadata"]["lifelong"]
    Path("handed").mkdir()
    Path("hw.ipynb").rename("handed/emmy.ipynb")
    Path("handed", "amalie.html").touch()
    assert command.main(["grade", "handed", "--out", "grades.csv"]) == 0
    printed_lines, warned = capsys.readouterr()
    assert warned == "neither a notebook nor Python, and not graded: amalie.html\n"
    assert "ex-beyond-noise: 1 not yet" in printed_lines and "ex-swap: 1 by hand" in printed_lines
    assert "emmy,emmy.ipynb,ex-beyond-noise,not yet," in Path("grades.csv").read_text(encoding="utf-8")


def test_this_interpreter_has_no_hook_of_a_submission():
    code = "import sys, lifelong_book.press.teaching.gradebook; "
    code += "print('lifelong_book.press.teaching.examinee' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
