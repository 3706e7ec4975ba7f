"""Compile what a page imports from Python's standard library, so that the first press need not.

    python book/live/compile.py /some/folder/python_stdlib.zip

The argument is the archive as Pyodide publishes it, with sources alone. `runtime/python_stdlib.zip` becomes a copy
in which the modules that the first cells import are compiled by the interpreter itself, in Chromium, without
docstrings, as `python -OO` does; what needs a socket, a terminal or Windows is left out, for a page has none; all
else stays as it is. Run `lock.py` afterwards.
"""

import base64
import sys
from pathlib import Path

LIVE = Path(__file__).resolve().parent
sys.path.insert(0, str(LIVE))

from check import browser, served  # noqa: E402

# In the page: start, import what a first cell does, and compile every module of the archive that came with it.
COMPILE = """async ([base, archive, inside]) => {
  const runtime = `${base}_static/live/runtime/`;
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: runtime });
  await python.loadPackage(["numpy", "tqdm"]);
  python.FS.writeFile("/sources.zip", Uint8Array.from(atob(archive), c => c.charCodeAt(0)));
  python.runPython(inside);
  const made = python.FS.readFile("/compiled.zip");
  let text = "";
  for (let i = 0; i < made.length; i += 32768) text += String.fromCharCode(...made.subarray(i, i + 32768));
  return btoa(text);
}"""
INSIDE = """
import importlib.util, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

import dataclasses, fractions, functools, inspect, itertools, json, math, statistics, traceback, typing
import numpy, tqdm

ABSENT = ("_pyrepl/", "asyncio/proactor_events", "asyncio/windows_", "ftplib", "http/server", "imaplib", "mailbox",
          "poplib", "smtplib", "socketserver", "wsgiref/", "xmlrpc/")

def name_of(file):
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

with zipfile.ZipFile("/sources.zip") as sources, zipfile.ZipFile("/compiled.zip", "w") as made:
    for file in sorted(sources.namelist()):
        if file.startswith(ABSENT):
            continue
        content = sources.read(file)
        if file.endswith(".py") and name_of(file) in sys.modules:
            code = compile(content, file, "exec", dont_inherit=True, optimize=2)
            content = _code_to_hash_pyc(code, importlib.util.source_hash(content), False)
            file += "c"
        entry = zipfile.ZipInfo(file)
        made.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
"""


def compiled(archive: bytes) -> bytes:
    """The archive with what is imported compiled."""
    given = base64.b64encode(archive).decode()
    with served() as base, browser() as of:
        tab = of.new_page()
        tab.set_default_timeout(0)
        tab.goto(f"{base}book/reading.html")
        return base64.b64decode(tab.evaluate(COMPILE, [base, given, INSIDE]))


if __name__ == "__main__":
    before = Path(sys.argv[1]).read_bytes()
    after = compiled(before)
    (LIVE / "runtime" / "python_stdlib.zip").write_bytes(after)
    print(f"{len(before):,} bytes before, {len(after):,} after")
