"""The notebooks as they are stored: run in order, outputs kept, described, and shaped like a chapter.

nbval proves that the outputs are right; it passes a cell that was never run, so that is looked at here.
"""

import ast
import base64
import copy
import io
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image, PngImagePlugin

from lifelong.book.style import DIGEST

BOOK = Path(__file__).parent.parent / "book"
NOTEBOOKS = sorted(BOOK.glob("*.ipynb"))
NOT_CHAPTERS = {"index", "ledger", "printed_and_true"}
RUFF = tomllib.loads((BOOK.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]
#: Notebooks whose code is still to be cut down; the linter does not read them either.
TO_CUT = {Path(name).stem for name in RUFF["extend-exclude"] if name.endswith(".ipynb")}
LINES, COLUMNS = 12, 79
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
        if len(lines) > LINES:
            found.append(f"{len(lines)} lines, more than {LINES}, in: {cell.source[:60]!r}")
        found += [f"{len(line)} columns, more than {COLUMNS}: {line!r}" for line in lines if len(line) > COLUMNS]
    return found


def reaching(notebook):
    """Imports from the inside of the ledger: what a chapter calls has a documented home."""
    found = []
    for node in (node for cell in code_cells(notebook) for node in ast.walk(ast.parse(cell.source))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        inside = [f"{node.module}.{name}" for name in names] if isinstance(node, ast.ImportFrom) else names
        found += [f"import of {name}" for name in inside if re.match(r"lifelong\.ledger\.(claims|tables)\b", name)]
    return found


CUT = (lengthy, reaching)
CHECKS = (unrun, stripped, complaints, machine_paths, undescribed, unsigned, volatile)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    checks = (*CHECKS, *(() if path.stem in TO_CUT else CUT), *(() if path.stem in NOT_CHAPTERS else (misshapen,)))
    faults = [fault for check in checks for fault in check(notebook)]
    assert not faults, "\n" + "\n".join(faults)


# --- Each check must fail on a copy that is broken in just its way


def picture(size=60, digest="0123456789ab"):
    """A white square as it stands in a notebook."""
    words = PngImagePlugin.PngInfo()
    words.add_text(DIGEST, digest)
    Image.new("L", (size, size), 255).save(file := io.BytesIO(), "png", pnginfo=words)
    return base64.b64encode(file.getvalue()).decode()


@pytest.fixture
def sound():
    v4 = nbformat.v4
    data = {"image/png": picture(), "text/plain": "<Figure: axes 1, digest 0123456789ab>"}
    figure = v4.new_code_cell("draw()", execution_count=2, metadata={"mystnb": {"image": {"alt": "A line."}}})
    figure.outputs = [v4.new_output("display_data", data)]
    printed = v4.new_code_cell("print(1)", execution_count=1, outputs=[v4.new_output("stream", text="1\n")])
    opening = v4.new_markdown_cell("# Title\n\nFollows Section 3.1 of the paper.")
    return v4.new_notebook(cells=[opening, printed, figure, v4.new_markdown_cell("## What to remember\n\nThis.")])


def test_checks_pass_a_sound_notebook(sound):
    assert [fault for check in (*CHECKS, *CUT, misshapen) for fault in check(sound)] == []


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


def widen(notebook):
    code_cells(notebook)[0].source = f"print('{'-' * COLUMNS}')"


def reach(notebook):
    code_cells(notebook)[0].source = "from lifelong.ledger import claims"


def reach_further(notebook):
    code_cells(notebook)[0].source = "import lifelong.ledger.tables.table as table"


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
        (stamp, volatile),
        (shrink, unsigned),
        (keep_old_picture, unsigned),
        (forget, misshapen),
        (unmoor, misshapen),
        (lengthen, lengthy),
        (widen, lengthy),
        (reach, reaching),
        (reach_further, reaching),
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
from lifelong.book.style import use_book_style
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
