"""`book/execute.py`: the same bytes when nothing changed, the file untouched when a cell fails."""

import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

TOOL = Path(__file__).parent.parent / "book" / "execute.py"


def run(path):
    return subprocess.run([sys.executable, TOOL, path, "--jobs", "1"], capture_output=True, text=True, check=False)


@pytest.fixture
def notebook(tmp_path):
    def write(*sources):
        path = tmp_path / "n.ipynb"
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
        for cell in notebook.cells:
            cell["id"] = "same"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return write


def test_runs_and_then_changes_nothing(notebook):
    path = notebook(
        "print(open('n.ipynb').readable())", "print({'b', 'a', 'c'})\nimport sys\nsys.stdout.flush()\nprint(1)"
    )
    assert run(path).returncode == 0
    first = path.read_bytes()
    stored = nbformat.read(path, as_version=4)
    assert stored.cells[0].outputs[0].text == "True\n"
    assert [cell.id for cell in stored.cells] == ["same", "cell-001"]
    assert stored.metadata.language_info == {"name": "python"}
    again = run(path)
    assert again.returncode == 0
    assert "unchanged" in again.stdout + again.stderr
    assert path.read_bytes() == first


@pytest.mark.parametrize("cells", [("x = 1", "x / 0"), ("import os, signal", "os.kill(os.getpid(), signal.SIGKILL)")])
def test_a_cell_that_fails_or_kills_its_kernel_is_named_and_nothing_written(notebook, cells):
    if "SIGKILL" in cells[1] and sys.platform == "win32":
        pytest.skip("has no SIGKILL")
    path = notebook(*cells)
    before = path.read_bytes()
    result = run(path)
    assert result.returncode == 1 and path.read_bytes() == before
    assert "n.ipynb: cell 1 (id cell-001) failed" in result.stderr
    assert ("ZeroDivisionError" in result.stderr) == (cells[0] == "x = 1")
