"""Compile what a page imports, so that the first press need not.

    python book/live/compile.py FOLDER

FOLDER holds the files that `originals.txt` names, with sources alone: Python's standard library as Pyodide publishes
it, and wheels. `runtime` gets of each a copy that the interpreter itself compiled, in Chromium, without docstrings, as
`python -OO` does: of a wheel every module, of the standard library those that the first cells import, the others as
they are. What a page cannot use or does not need (`ABSENT`) is left out. Run `lock.py` afterwards.
"""

import base64
import json
import re
import sys
from pathlib import Path

LIVE = Path(__file__).resolve().parent
sys.path.insert(0, str(LIVE))

from check import browser, served  # noqa: E402
from lock import ORIGINALS, hash_of, originals  # noqa: E402

STANDARD = "python_stdlib.zip"
#: Sockets, terminals, Windows, other ways to draw; what nobody imports in a page, or a machine reads that is none.
ABSENT = re.compile(
    r"_pyrepl/(?!__init__|trace|types|utils)|asyncio/(proactor_events|windows_)|ftplib|http/server|imaplib|mailbox"
    r"|poplib|smtplib|socketserver|wsgiref/|xmlrpc/|logging/[ch]|http/cookiejar|multiprocessing/(forkserver|managers|pool|popen|shared)"
    r"|fontTools/(?!__init__|agl|config|encodings/|misc/|pens/|ttLib/(?!tables/(ot|[A-CE-Z]))|unicode\.)|mpmath/tests/"
    r"|numpy/core/"
    r"|matplotlib/(_type1font|sphinxext/|testing/|backends/(_backend_(gtk|pdf|tk)|backend_(?!agg|mixed|svg)|qt_|web))"
    r"|matplotlib/mpl-data/(images/|stylelib/[_s])|mpl_toolkits/axisartist/|packaging/(?!__init__|_structures|version)"
    r"|PIL/((?!Bmp|Gif|Jpeg|Mpo|Png|Ppm|Tiff)\w+ImagePlugin|Image(Cms|Grab|Qt|Show|Tk|Win)|P\w+Pars|PSDraw)"
    r"|pyparsing/(ai|diagram|tools)/|tqdm/(contrib/|dask|keras|rich|tk)|\S+\.data/|\S+\.pyi$"
)

# In the page: start, and run what is given; the interpreter stays for the next archive.
PAGE = """async ([base, packages, program, given]) => {
  const runtime = `${base}_static/live/runtime/`;
  const { loadPyodide } = await import(`${runtime}pyodide.mjs`);
  const python = globalThis.python ??= await loadPyodide({ indexURL: runtime });
  await python.loadPackage(packages);
  python.globals.set("given", python.toPy(given));
  return python.runPython(program);
}"""
IMPORTED = """
import dataclasses, fractions, functools, inspect, itertools, json, math, statistics, sys, traceback, typing
import matplotlib.animation, matplotlib.backends.backend_svg, matplotlib.pyplot, mpl_toolkits.mplot3d, mpmath, tqdm

json.dumps(sorted(sys.modules))
"""
COMPILE = """
import base64, importlib.util, io, re, site, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def module(file):
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

def compiled(file, content):
    place = file if given["imported"] else f"{site.getsitepackages()[0]}/{file}"  # by it a warning is told apart
    code = compile(content, place, "exec", dont_inherit=True, optimize=2)
    return _code_to_hash_pyc(code, importlib.util.source_hash(content), False)

open("pack.py", "w").write(given["pack"])
sys.path.insert(0, ".")
import pack

files, info = {}, ""
with zipfile.ZipFile(io.BytesIO(base64.b64decode(given["archive"]))) as sources:
    for file in sorted(sources.namelist()):
        if file.endswith("/RECORD"):
            info = file.removesuffix("RECORD")
        elif file.endswith(".py") and (not given["imported"] or module(file) in given["imported"]):
            files[file + "c"] = compiled(file, sources.read(file))
        else:
            files[file] = sources.read(file)
files = {file: content for file, content in files.items() if not re.match(given["absent"], file)}
files[f"{info}COMPILED.txt"] = given["note"].encode()
if info:
    files[f"{info}RECORD"] = pack.record(files, f"{info}RECORD").encode()
pack.write("made.zip", files)
base64.b64encode(open("made.zip", "rb").read()).decode()
"""
NOTE = """{name}, SHA-256 {sha256}, was made into this by book/live/compile.py of the book:
modules are compiled, without docstrings; what its pattern ABSENT matches is left out.
"""


def main(folder: Path) -> None:
    """Compile, for the interpreter in the page, every file of the list."""
    pack = (LIVE / "recipe" / "inside" / "pack.py").read_text(encoding="utf-8")
    with served() as base, browser() as of:
        first, tab = of.new_page(), of.new_page()  # in the second nothing is imported: so the bytes are the same
        for page in (first, tab):
            page.set_default_timeout(0)
            page.goto(f"{base}book/reading.html")
        drawing = ["matplotlib", "fonttools", "mpmath", "tqdm"]
        imported = json.loads(first.evaluate(PAGE, [base, drawing, IMPORTED, None]))
        for name, told in originals().items():
            if told != hash_of(folder / name):
                raise SystemExit(f"{name}: not the file that {ORIGINALS.name} means")
            given = {
                "archive": base64.b64encode((folder / name).read_bytes()).decode(),
                "imported": imported if name == STANDARD else [],
                "absent": ABSENT.pattern,
                "note": NOTE.format(name=name, sha256=told),
                "pack": pack,
            }
            made = base64.b64decode(tab.evaluate(PAGE, [base, [], COMPILE, given]))
            (LIVE / "runtime" / name).write_bytes(made)
            print(f"{name}: {(folder / name).stat().st_size:,} bytes, compiled {len(made):,}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
