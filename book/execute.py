"""Re-run notebooks in place and store their outputs.

    python book/execute.py [NOTEBOOK ...] [--jobs 2]

Without names, every notebook of this folder. Nothing that changes from one run to the next is kept (time stamps,
versions, random cell ids), so a notebook whose outputs did not change stays the same, byte for byte. A notebook
with a failing cell is left as it was.
"""

import argparse
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import v4
from tqdm import tqdm

from lifelong_book.press.rooms import notebooks

BOOK = Path(__file__).resolve().parent
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # else the kernel may warn on stderr
    "JUPYTER_PREFER_ENV_PATH": "1",  # the kernel of this environment, not one of the home folder
}


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop from a notebook what changes from run to run; give every cell a valid id that stays."""
    if notebook.get("nbformat") != 4:
        raise RuntimeError(f"expected a notebook of format 4, got {notebook.get('nbformat')}")
    notebook.nbformat_minor = 5
    notebook.metadata["kernelspec"] = dict(KERNEL)
    notebook.metadata["language_info"] = {"name": "python"}
    used: set[str] = set()
    for position, cell in enumerate(notebook.cells):
        cell.metadata.pop("execution", None)
        name = cell.get("id", "")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) or name in used:
            name = f"cell-{position:03d}"
            while name in used:
                name += "x"
        used.add(name)
        cell["id"] = name
    return notebook


def execute(path: Path) -> bool:
    """Run one notebook in its own folder; write it only if something changed, and say whether it did."""
    os.environ.update(ENVIRONMENT)
    before = path.read_text(encoding="utf-8")
    notebook = tidy(v4.reads(before))  # nbformat.reads would mend ids by chance
    started: list[int] = []  # told by the client as it asks: a kernel that dies at once answers nothing for its cell
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        coalesce_streams=True,  # how the kernel chops its prints into messages is chance
        on_cell_execute=lambda cell, cell_index: started.append(cell_index),
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise RuntimeError(f"{path}: {failing_cell(notebook, started)}\n{plain(str(error))}") from None
    after = nbformat.writes(tidy(notebook)).rstrip("\n") + "\n"
    if after != before:
        path.write_text(after, encoding="utf-8")
    return after != before


def failing_cell(notebook: nbformat.NotebookNode, started: list[int]) -> str:
    """Name the cell that stopped the run of a notebook: the last one that was started."""
    number = (started or [0])[-1]
    return f"cell {number} (id {notebook.cells[number]['id']}) failed; the file is left as it was"


def plain(text: str) -> str:
    """What stopped a notebook, without a terminal's colour codes."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def main(arguments: list[str] | None = None) -> int:
    """Run the named notebooks; 0 if all ran, 1 if a cell failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    options = parser.parse_args(arguments)
    paths = [path.resolve() for path in options.notebooks] or notebooks(BOOK)
    if missing := [path for path in paths if not path.is_file()]:
        parser.error(f"no such notebook: {missing[0]}")
    failures = []
    with ProcessPoolExecutor(options.jobs) as pool:
        runs = {pool.submit(execute, path): path for path in paths}
        progress = tqdm(as_completed(runs), total=len(runs), unit="notebook")
        for run in progress:
            try:
                progress.write(f"{'changed  ' if run.result() else 'unchanged'} {os.path.relpath(runs[run], BOOK)}")
            except Exception as error:  # report it and go on with the others
                failures.append(str(error) if isinstance(error, RuntimeError) else f"{runs[run]}: {error!r}")
    for failure in failures:
        print(failure, file=sys.stderr)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
