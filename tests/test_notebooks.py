"""The notebooks as they are stored: run in order, outputs kept, described, and shaped like a chapter.

nbval proves that the outputs are right; it passes a cell that was never run, so that is looked at here.
"""

import base64
import copy
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image, PngImagePlugin

from lifelong_book.press.style import DIGEST

BOOK = Path(__file__).parent.parent / "book"
NOTEBOOKS = sorted(BOOK.rglob("[!.]*.ipynb"))
#: The front page, the pages of evidence, and what opens a part: no chapters.
NOT_CHAPTERS = {
    BOOK / f"{name}.ipynb" for name in ("index", "start", "reading", "ledger", "concordance", "printed_and_true")
} | set(BOOK.glob("*/index.ipynb"))
#: Below a chapter that has a folder of its own, or in a part that follows no section of the paper.
DETAILS = {path for path in BOOK.glob("*/*/*.ipynb") if path.stem != "index"} | {
    path for folder in ("beyond", "running") for path in BOOK.glob(f"{folder}/*.ipynb")
}
LINES, COLUMNS, WOVEN = 18, 79, 25
#: Pages in the form box, code, check: the code is on the page, and the words leave room for it.
BOX_CODE_CHECK = {
    BOOK / f"{name}.ipynb"
    for name in (
        "conjunctions/applications/index",
        "conjunctions/autoencoders/index",
        "conjunctions/consistency/index",
        "conjunctions/online/index",
        "discussion",
        "halfspaces/angles/index",
        "halfspaces/assumptions/index",
        "halfspaces/levels/index",
        "halfspaces/levels/printed",
        "halfspaces/levels/proof",
        "halfspaces/peers/index",
        "halfspaces/perturbation/index",
        "halfspaces/repair/index",
        "halfspaces/repair/samples",
        "halfspaces/subspace/efficient",
        "halfspaces/subspace/index",
        "introduction",
        "polynomials/one_layer/index",
        "polynomials/schapire_sellie/index",
        "polynomials/shared_monomials/index",
        "preliminaries",
    )
}
WORDS, OPEN = 2000, 45  # words at most; lines of code in view for a thousand of them at least
#: Formulas, programs, roles with their targets, lines of directives, and labels.
NO_WORDS = re.compile(
    r"```python.*?```|\$\$.*?\$\$|\$[^$]*\$|\{[\w:]+\}|<[\w-]+>|^:+\w*:?[^\n]*$|^\([^\n]*\)=$", re.DOTALL | re.MULTILINE
)
FOLDED = 30  # lines of a cell that the page does not show, or shows on request
MOVING = '<div class="moving"'
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


def stripped(notebook):
    """Cells that display or print something, and kept no output."""
    cells = code_cells(notebook)
    found = [f"no output of: {cell.source[:60]!r}" for cell in cells if speaks(cell) and not cell.outputs]
    return found or ([] if not cells or any(cell.outputs for cell in cells) else ["no cell has an output"])


def speaks(cell):
    """Whether a cell is sure to show something: it prints at top level, or ends in a bare name."""
    lines = [line for line in cell.source.splitlines() if line.strip() and not line.startswith("#")]
    if not lines or {"remove-output", "remove-cell"} & set(cell.metadata.get("tags", [])):
        return False
    prints = any(line.startswith(("print(", "display(")) for line in lines)
    return prints or bool(re.fullmatch(r"(?!pass$)[A-Za-z_][\w.]*(\[[^\]=]*\])?", lines[-1]))


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


def uncaptioned(notebook):
    """Pictures, still or moving, without a name to refer to, or whose caption does not begin with a sentence.

    The list of all pictures shows the first sentence of a caption: it says the idea, so it has more than three words.
    """
    found = []
    for cell in code_cells(notebook):
        kinds = {mime for output in cell.outputs for mime in output.get("data", {}) if mime.startswith("image/")}
        if not kinds and not any(MOVING in output.get("data", {}).get("text/html", "") for output in cell.outputs):
            continue
        figure = cell.metadata.get("mystnb", {}).get("figure", {})
        first = re.match(r"(.+?)[.?!](?=\s|$)", figure.get("caption", ""), re.S)
        if not figure.get("name", "").startswith("fig-") or first is None or len(first[1].split()) < 4:
            found.append(f"no name and caption with an idea on: {cell.source[:60]!r}")
    return found


def unsigned(notebook):
    """Pictures whose file does not carry the digest that stands beside it: put there by hand, or left from before."""
    found = []
    for cell in code_cells(notebook):
        for data in (output.get("data", {}) for output in cell.outputs):
            kinds = [mime for mime in data if mime.startswith("image/")]
            if not kinds:
                continue
            said = re.findall(r"digest ([0-9a-f]{12})", data.get("text/plain", ""))
            if kinds != ["image/png"] or said != [carried(data["image/png"])]:
                found.append(f"picture without its digest {said}: {cell.source[:60]!r}")
    return found


def carried(png):
    """The digest inside a picture file, and the picture is a picture."""
    picture = Image.open(io.BytesIO(base64.b64decode(png)))
    return picture.text.get(DIGEST) if min(picture.size) > 50 else None


def volatile(notebook):
    """What `book/execute.py` would have dropped."""
    found = [f"time stamps on: {cell.source[:60]!r}" for cell in notebook.cells if "execution" in cell.metadata]
    ids = [cell.get("id") for cell in notebook.cells]
    return found + ([] if len(set(ids)) == len(ids) and all(ids) else ["cell ids are missing or given twice"])


def misshapen(notebook):
    """A chapter says at its head what it follows, and at its end what to remember."""
    text = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    heads = re.findall(r"^##? +(.*?)\s*$", "\n\n".join(text), re.M)
    opening = "\n\n".join(text[:3])
    found = []
    if not re.search(r"follow", opening, re.I) or not re.search(r"Section|Figure|Abstract", opening):
        found.append("the opening does not say which section of the paper it follows")
    if not any(head.startswith("What to remember") for head in heads[-3:]):
        found.append(f"no section 'What to remember' at the end, but {heads[-3:]}")
    return found


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
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
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


KNOB, FIRST_LINE = "change-this", "# change this"
NUMBERED = "Theorem|Lemma|Proposition|Corollary|Definition|Algorithm|Remark|Figure|Exercise"
NUMBER = re.compile(rf"\bChapters? \d[\d.]*|\b(?:{NUMBERED})s? \d+\.\d+")


def mismarked(notebook):
    """Cells with the tag of a knob that do not say so in their first line, in JupyterLab too."""
    return [
        f"tag {KNOB} without the first line '{FIRST_LINE}': {cell.source[:60]!r}"
        for cell in code_cells(notebook)
        if KNOB in cell.metadata.get("tags", []) and not cell.source.startswith(FIRST_LINE)
    ]


def knobless(notebook):
    """A chapter lets its reader change something."""
    knobs = [cell for cell in code_cells(notebook) if KNOB in cell.metadata.get("tags", [])]
    return [] if knobs else [f"no cell is tagged {KNOB}"]


def typed_numbers(notebook):
    """Numbers of chapters, theorems and figures of this book, typed by hand; those of the paper have no second part."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return [f"a typed number: {found}" for found in NUMBER.findall(text)]


def own_macros(notebook):
    """TeX that JupyterLab does not know: the pages would read well, and the notebooks would not."""
    text = "\n".join(cell.source + json.dumps(cell.metadata) for cell in notebook.cells if cell.cell_type == "markdown")
    text += "".join(json.dumps(cell.metadata.get("mystnb", {})) for cell in notebook.cells)
    return [
        f"no standard TeX: {found}" for found in re.findall(r"\\(?:R|E|eps|epsacc|spn|err|sign|rank)(?![A-Za-z])", text)
    ]


def shut_proofs(notebook):
    """A proof of class dropdown has nothing to press: what folds stands in a dropdown of its own."""
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    return re.findall(r"\{prf:proof\}\n(?::.*\n)*?:class: dropdown", text)


CHECKS = (
    unrun,
    stripped,
    complaints,
    machine_paths,
    undescribed,
    uncaptioned,
    unsigned,
    volatile,
    lengthy,
    mismarked,
    own_macros,
    shut_proofs,
)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.relative_to(BOOK).as_posix())
def test_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    checks = CHECKS if path in NOT_CHAPTERS | DETAILS else (*CHECKS, misshapen)
    checks += (wordy,) if path in BOX_CODE_CHECK else ()
    faults = [fault for check in checks for fault in check(notebook)]
    assert not faults, "\n" + "\n".join(faults)


def listed(check, paths):
    """The pages, by their address, in which a check finds something."""
    notebooks = {path.relative_to(BOOK).with_suffix("").as_posix(): nbformat.read(path, as_version=4) for path in paths}
    return {name: found for name, notebook in notebooks.items() if (found := check(notebook))}


@pytest.mark.parametrize(
    ("check", "paths"),
    [(knobless, [p for p in NOTEBOOKS if p not in NOT_CHAPTERS | DETAILS]), (typed_numbers, NOTEBOOKS)],
    ids=["knobless", "typed_numbers"],
)
def test_pages(check, paths):
    assert listed(check, paths) == {}


# --- Each check must fail on a copy that is broken in just its way


def picture(size=60, digest="0123456789ab"):
    """A white square as it stands in a notebook."""
    words = PngImagePlugin.PngInfo()
    words.add_text(DIGEST, digest)
    Image.new("L", (size, size), 255).save(file := io.BytesIO(), "png", pnginfo=words)
    return base64.b64encode(file.getvalue()).decode()


MYST = {"image": {"alt": "A line."}, "figure": {"name": "fig-line", "caption": "A line is never bent.\n"}}


@pytest.fixture
def sound():
    v4 = nbformat.v4
    data = {"image/png": picture(), "text/plain": "<Figure: axes 1, digest 0123456789ab>"}
    figure = v4.new_code_cell("draw()", execution_count=2, metadata={"mystnb": MYST})
    figure.outputs = [v4.new_output("display_data", data)]
    knob = {"tags": [KNOB]}
    printed = v4.new_code_cell(
        f"{FIRST_LINE}\nimport os\nprint(1)",
        execution_count=1,
        metadata=knob,
        outputs=[v4.new_output("stream", text="1\n")],
    )
    opening = v4.new_markdown_cell(
        "# Title\n\nFollows Section 3.1 of the paper, up to its Theorem 3. Chapter by chapter."
    )
    return v4.new_notebook(cells=[opening, printed, figure, v4.new_markdown_cell("## What to remember\n\nThis.")])


def test_checks_pass_a_sound_notebook(sound):
    assert [fault for check in (*CHECKS, misshapen, wordy, knobless, typed_numbers) for fault in check(sound)] == []


def strip_all(notebook):
    for cell in code_cells(notebook):
        cell.outputs, cell.execution_count = [], None


def strip_one(notebook):
    code_cells(notebook)[0].outputs = []


def swap(notebook):
    first, second = code_cells(notebook)
    first.execution_count, second.execution_count = 2, 1


def gap(notebook):
    code_cells(notebook)[1].execution_count = 7


def warn(notebook):
    code_cells(notebook)[0].outputs.append(nbformat.v4.new_output("stream", name="stderr", text="Warning"))


def crash(notebook):
    code_cells(notebook)[0].outputs.append(nbformat.v4.new_output("error", ename="E", evalue="x", traceback=[]))


def leak(notebook):
    code_cells(notebook)[0].outputs[0].text = "saved /home/someone/book/x.svg"


def blind(notebook):
    code_cells(notebook)[1].metadata = nbformat.from_dict({})


def unname(notebook):
    del code_cells(notebook)[1].metadata["mystnb"]["figure"]["name"]


def say_what_it_is(notebook):
    code_cells(notebook)[1].metadata["mystnb"]["figure"]["caption"] = "A line. It is never bent.\n"


def move(notebook):
    data = {"text/html": f"{MOVING}></div>", "text/plain": "<Moving picture>"}
    code_cells(notebook)[0].outputs = [nbformat.v4.new_output("execute_result", data, execution_count=1)]


def stamp(notebook):
    notebook.cells[1].metadata["execution"] = {"iopub.status.busy": "2026-01-01"}


def shrink(notebook):
    code_cells(notebook)[1].outputs[0].data["image/png"] = picture(1)


def keep_old_picture(notebook):
    code_cells(notebook)[1].outputs[0].data["image/png"] = picture(60, "ba9876543210")


def forget(notebook):
    notebook.cells.pop()


def unmoor(notebook):
    notebook.cells[0].source = "# Title"


def lengthen(notebook):
    code_cells(notebook)[0].source = "\n".join(f"print({line})" for line in range(LINES + 1))


def lengthen_folded(notebook):
    code_cells(notebook)[0].metadata["tags"] = ["hide-input"]
    code_cells(notebook)[0].source = "\n".join(f"print({line})" for line in range(FOLDED + 1))


def abbreviate(notebook):
    notebook.cells[0].source += " It is at most $\\eps$."


def shut(notebook):
    notebook.cells[0].source += "\n```{prf:proof}\n:label: p\n:class: dropdown\nSo it is.\n```\n"


def talk(notebook):
    notebook.cells[0].source += " word" * 100


def talk_too_much(notebook):
    notebook.cells[0].source += " word" * WORDS


def remove(notebook):
    code_cells(notebook)[1].metadata["tags"] = ["remove-input"]
    code_cells(notebook)[1].source = "draw()\n" * 3


def import_below(notebook):
    code_cells(notebook)[1].source = "import os"


def widen(notebook):
    code_cells(notebook)[0].source = f"print('{'-' * COLUMNS}')"


def unmark(notebook):
    code_cells(notebook)[0].metadata["tags"] = []


def mark_wrongly(notebook):
    code_cells(notebook)[1].metadata["tags"] = [KNOB]


def type_a_chapter(notebook):
    notebook.cells[0].source += " See Chapter 3."


def type_a_theorem(notebook):
    notebook.cells[0].source += " By {doc}`Theorem 3.2 </book/x>` so it is."


@pytest.mark.parametrize(
    ("spoil", "check"),
    [
        (strip_all, unrun),
        (strip_all, stripped),
        (strip_one, stripped),
        (swap, unrun),
        (gap, unrun),
        (warn, complaints),
        (crash, complaints),
        (leak, machine_paths),
        (blind, undescribed),
        (blind, uncaptioned),
        (unname, uncaptioned),
        (say_what_it_is, uncaptioned),
        (move, uncaptioned),
        (stamp, volatile),
        (shrink, unsigned),
        (keep_old_picture, unsigned),
        (forget, misshapen),
        (unmoor, misshapen),
        (lengthen, lengthy),
        (lengthen_folded, lengthy),
        (widen, lengthy),
        (talk, wordy),
        (talk_too_much, wordy),
        (remove, wordy),
        (import_below, wordy),
        (abbreviate, own_macros),
        (shut, shut_proofs),
        (unmark, knobless),
        (mark_wrongly, mismarked),
        (type_a_chapter, typed_numbers),
        (type_a_theorem, typed_numbers),
    ],
    ids=lambda function: function.__name__,
)
def test_check_sees(spoil, check, sound):
    broken = copy.deepcopy(sound)
    spoil(broken)
    assert check(broken)


# --- nbval must fail on an output that is wrong in just one place

PROGRAM = """
import matplotlib.pyplot as plt
from lifelong_book.press.style import use_book_style
use_book_style()
_ = plt.plot([0.0, 0.5, 1.0])
"""
PRINTS = "print(f'{0.15622:.4f} {0.0003332:.7f} {0.04:.2f} {1234.5678:.4f} {2 / 3:.16f}')"
SPOILINGS = {  # what is stored, and what is stored instead
    "the fourth digit": ("0.1562", "0.1569"),
    "digits after zeros": ("0.0003332", "0.0009999"),
    "the only digit": ("0.04", "0.09"),
    "digits of a large number": ("1234.5678", "1234.9678"),
    "a picture of other data": ("digest ", "digest f"),
}


def otherwise(notebook, old, new):
    """The notebook with another output stored."""
    changed = copy.deepcopy(notebook)
    outputs = [output for cell in changed.cells for output in cell.outputs]
    for part, key in [(o, "text") for o in outputs if "text" in o] + [(o.data, "text/plain") for o in outputs[:1]]:
        part[key] = part[key].replace(old, new)
    assert nbformat.writes(changed) != nbformat.writes(notebook)
    return changed


def save(notebook, path):
    path.write_text(nbformat.writes(notebook), encoding="utf-8")


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """Names of the stored notebooks that nbval refuses, as this project calls it."""
    folder = tmp_path_factory.mktemp("compared")
    cells = [nbformat.v4.new_code_cell(PROGRAM), nbformat.v4.new_code_cell(PRINTS)]
    true = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3").execute()
    save(true, folder / "sound.ipynb")
    # the last digits belong to the processor
    save(otherwise(true, "0.6666666666666666", "0.6666666666666671"), folder / "another processor.ipynb")
    for name, (old, new) in SPOILINGS.items():
        save(otherwise(true, old, new), folder / f"{name}.ipynb")
    later = copy.deepcopy(true)
    later.cells[0].source = PROGRAM.replace("0.5", "0.6")
    save(later, folder / "code moved on.ipynb")
    config = Path(__file__).parent / "nbval.cfg"
    nbval = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", str(config)]
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "-p", "no:cacheprovider", *nbval, str(folder)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return set(re.findall(r"FAILED .*?([\w ]+)\.ipynb::", run.stdout)), run.stdout


@pytest.mark.parametrize("name", [*SPOILINGS, "code moved on"])
def test_nbval_sees(name, compared):
    assert name in compared[0], compared[1]


def test_nbval_passes_what_is_sound(compared):
    assert compared[0] == {*SPOILINGS, "code moved on"}, compared[1]
