"""The notebooks as they are stored: run in order, outputs kept, described, and shaped like a chapter.

nbval proves that the outputs are right; it passes a cell that was never run, so that is looked at here.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from lifelong_book.press.contents import markdown
from lifelong_book.press.rooms import notebooks

BOOK = Path(__file__).parent.parent / "book"
NOTEBOOKS = notebooks(BOOK)
LINES, COLUMNS, WOVEN = 18, 79, 25
#: Pages in the form box, code, check: the code is on the page, and the words leave room for it.
LIKE_THAT = """
    beyond/exactly_k beyond/features beyond/labels beyond/learners beyond/letters beyond/noise
    beyond/rank beyond/sharpness beyond/tails beyond/two_levels beyond/worst
    conjunctions/applications/index
    conjunctions/autoencoders/index conjunctions/autoencoders/rounding conjunctions/autoencoders/winnow
    conjunctions/consistency/index conjunctions/consistency/overlap
    conjunctions/online/index conjunctions/online/potential conjunctions/online/queries
    discussion halfspaces/angles/index halfspaces/assumptions/index halfspaces/levels/index
    halfspaces/levels/printed halfspaces/levels/proof halfspaces/perturbation/index halfspaces/repair/index
    halfspaces/repair/samples halfspaces/subspace/efficient halfspaces/subspace/index halfspaces/subspace/theorem_one
    introduction polynomials/one_layer/index polynomials/schapire_sellie/index polynomials/shared_monomials/gradient
    polynomials/shared_monomials/index preliminaries
""".split()  # noqa: SIM905
BOX_CODE_CHECK = {BOOK / f"{name}.ipynb" for name in LIKE_THAT}
WORDS, OPEN = 2000, 45  # words at most; lines of code in view for a thousand of them at least
#: Formulas, programs, roles and links with their targets, lines of directives, and labels.
NO_WORDS = re.compile(
    r"```python.*?```|\$\$.*?\$\$|\$[^$]*\$|\{[\w:]+\}|<[\w-]+>|\]\([\w./]+\)|^:+\w*:?[^\n]*$|^\([^\n]*\)=$",
    re.DOTALL | re.MULTILINE,
)
FOLDED = 30  # lines of a cell that the page does not show, or shows on request
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
FOLDERS = "home|root|Users|tmp|work|usr|opt|mnt|var|private"
MACHINE_PATH = re.compile(rf"""(?<![\w.:/-])/(?:{FOLDERS})/[^\s"'<>]*|[A-Z]:\\Users""")


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def unrun(notebook):
    """Cells that were not run, or not from the top down in a fresh kernel."""
    counts = [cell.execution_count for cell in code_cells(notebook)]
    expected = list(range(1, len(counts) + 1))
    return [] if counts == expected else [f"execution counts are {counts}, expected {expected}"]


def complaints(notebook):
    """Output on stderr, or an error that no tag announces."""
    return [
        f"{kind} in: {cell.source[:60]!r}"
        for cell in code_cells(notebook)
        for output in cell.outputs
        if (kind := output.get("name") or output.output_type) == "stderr"
        or (kind == "error" and "raises-exception" not in cell.metadata.get("tags", []))
    ]


def machine_paths(notebook):
    """Paths of the machine on which the notebook ran."""
    texts = [json.dumps(c.get("outputs", []), ensure_ascii=False) + c.source for c in notebook.cells]
    return [f"path of a machine: {path}" for text in texts for path in MACHINE_PATH.findall(text)]


def undescribed(notebook):
    """Figures without alt text."""
    return [
        f"no mystnb.image.alt on: {cell.source[:60]!r}"
        for cell in code_cells(notebook)
        if any(mime.startswith("image/") for output in cell.outputs for mime in output.get("data", {}))
        and not cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip()
    ]


def volatile(notebook):
    """What `book/execute.py` would have dropped."""
    found = [f"time stamps on: {cell.source[:60]!r}" for cell in notebook.cells if "execution" in cell.metadata]
    ids = [cell.get("id") for cell in notebook.cells]
    return found + ([] if len(set(ids)) == len(ids) and all(ids) else ["cell ids are missing or given twice"])


def lengthy(notebook):
    """Cells that are longer than a lesson, and lines that a page would have to break."""
    found = []
    for cell in code_cells(notebook):
        lines = cell.source.splitlines()
        woven, imports = "weave" in cell.metadata, re.match(r"(?:from|import) ", cell.source)
        folded = imports or HIDDEN & set(cell.metadata.get("tags", []))
        most = WOVEN if woven else FOLDED if folded else LINES
        for lesson in cell.source.split("\n\n\n") if woven else [cell.source]:  # of several definitions each is one
            if (length := len(lesson.splitlines())) > most:
                found.append(f"{length} lines, more than {most}, in: {lesson[:60]!r}")
        found += [f"{len(line)} columns, more than {COLUMNS}: {line!r}" for line in lines if len(line) > COLUMNS]
    return found


def proportions(notebook):
    """Words, and lines of code in view, folded and not shown at all; blank lines and comments are none."""
    lines = {"open": 0, "folded": 0, "removed": 0}
    for cell in code_cells(notebook):
        tags = set(cell.metadata.get("tags", []))
        kind = "removed" if tags & {"remove-cell", "remove-input"} else "folded" if tags & HIDDEN else "open"
        lines[kind] += sum(bool(line.strip()) and not line.strip().startswith("#") for line in cell.source.splitlines())
    text = markdown([cell for cell in notebook.cells if "captions" not in cell.metadata])
    return {"words": len(re.findall(r"[^\W\d_][\w'’-]*", NO_WORDS.sub("", text))), **lines}


def wordy(notebook):
    """A page of box, code, check shows its code, and more of it than it keeps to itself."""
    p = proportions(notebook)
    found = [f"{p['words']} words, more than {WORDS}"] if p["words"] > WORDS else []
    if p["open"] * 1000 < OPEN * p["words"]:
        found.append(f"{p['open']} open lines for {p['words']} words, fewer than {OPEN} for a thousand")
    if p["removed"] > p["open"]:
        found.append(f"{p['removed']} lines removed, {p['open']} open")
    imports = [i for i, cell in enumerate(code_cells(notebook)) if re.search(r"^(from|import) ", cell.source, re.M)]
    return found if imports == [0] else [*found, f"imports in the code cells {imports}, and not in the first alone"]


NUMBERED = "Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Remark|Figure|Exercise"
NUMBER = re.compile(rf"\bChapters? \d[\d.]*|\b(?:{NUMBERED})s? \d+\.\d+")


def typed_numbers(notebook):
    """Numbers of chapters, theorems and figures of this book, typed by hand; those of the paper have no second part."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return [f"a typed number: {found}" for found in NUMBER.findall(text)]


CHECKS = (unrun, complaints, machine_paths, undescribed, volatile, lengthy, typed_numbers)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.relative_to(BOOK).as_posix())
def test_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    checks = (*CHECKS, wordy) if path in BOX_CODE_CHECK else CHECKS
    faults = [fault for check in checks for fault in check(notebook)]
    assert not faults, "\n" + "\n".join(faults)


def cell(source, count=1, *outputs, tags=()):
    return nbformat.v4.new_code_cell(
        source, execution_count=count, outputs=list(outputs), metadata={"tags": list(tags)}
    )


def output(kind, **parts):
    return nbformat.v4.new_output(kind, **parts)


@pytest.mark.parametrize(
    ("check", "cells"),
    [
        (unrun, [cell("x = 1", None)]),
        (unrun, [cell("x = 1", 2), cell("x = 2", 1)]),
        (complaints, [cell("f()", 1, output("stream", name="stderr", text="Warning"))]),
        (complaints, [cell("f()", 1, output("error", ename="E", evalue="x", traceback=[]))]),
        (machine_paths, [cell("f()", 1, output("stream", text="saved /home/someone/x.svg"))]),
        (undescribed, [cell("draw()", 1, output("display_data", data={"image/png": ""}))]),
        (lengthy, [cell("f()\n" * (LINES + 1))]),
        (lengthy, [cell("f()\n" * (FOLDED + 1), tags=["hide-input"])]),
        (lengthy, [cell(f"print('{'-' * COLUMNS}')")]),
        (wordy, [nbformat.v4.new_markdown_cell("word " * 100), cell("import os\n" * 4)]),
        (wordy, [nbformat.v4.new_markdown_cell("word " * (WORDS + 1)), cell("import os\n" * WORDS)]),
        (wordy, [cell("import os"), cell("f()\nf()", tags=["remove-input"])]),
        (wordy, [cell("import os"), cell("import re")]),
        (typed_numbers, [nbformat.v4.new_markdown_cell("See Chapter 3.")]),
        (typed_numbers, [nbformat.v4.new_markdown_cell("By Theorem 3.2 so it is.")]),
    ],
)
def test_check_sees(check, cells):
    assert len(check(nbformat.v4.new_notebook(cells=cells))) == 1


# --- nbval must fail on an output that is wrong in just one place

PROGRAM = """
import matplotlib.pyplot as plt
from lifelong_book.press.style import use_book_style
use_book_style()
_ = plt.plot([0.0, 0.5, 1.0])
"""
PRINTS = "print(f'{0.15622:.4f} {0.0003332:.7f} {0.04:.2f} {1234.5678:.4f} {2 / 3:.16f}')"
SPOILINGS = {  # what is stored, and what is stored instead
    "a picture of other data": ("digest ", "digest f"),
    "another processor": ("0.6666666666666666", "0.6666666666666671"),  # the last digits belong to it
    "the fourth digit": ("0.1562", "0.1569"),
    "digits after zeros": ("0.0003332", "0.0009999"),
    "the only digit": ("0.04", "0.09"),
    "digits of a large number": ("1234.5678", "1234.9678"),
}


def test_nbval_sees_what_is_wrong_and_passes_what_is_sound(tmp_path):
    programs = [PROGRAM, *[PROGRAM if "picture" in name else PRINTS for name in SPOILINGS]]  # the first stays sound
    cells = [nbformat.v4.new_code_cell(source) for source in programs]
    notebook = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3").execute()
    for cell, (old, new) in zip(notebook.cells[1:], SPOILINGS.values(), strict=True):
        true = nbformat.writes(notebook)
        for output in cell.outputs:
            part, key = (output, "text") if "text" in output else (output.data, "text/plain")
            part[key] = part[key].replace(old, new)
        assert nbformat.writes(notebook) != true
    (tmp_path / "notebook.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    config = Path(__file__).parent / "nbval.cfg"
    nbval = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", str(config)]
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "-p", "no:cacheprovider", *nbval, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    failed = {int(place) for place in re.findall(r"FAILED .*?::Cell (\d+)", run.stdout)}
    assert failed == {1, 3, 4, 5, 6}, run.stdout
