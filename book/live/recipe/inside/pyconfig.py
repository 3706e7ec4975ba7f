"""Write CPython's pyconfig.h for Pyodide, from the settings that Pyodide's standard library holds.

Usage: pyconfig.py python_stdlib.zip HEADER OUTPUT, where HEADER is the pyconfig.h
of the same Python for another machine: it says which settings there are, and the
values of _GNU_SOURCE and its like, which Python does not record.
"""

import re
import sys
import zipfile
from pathlib import Path

SETTINGS = "_sysconfigdata__emscripten_wasm32-emscripten.py"


def settings(library):
    """Return Pyodide's build-time variables."""
    namespace = {}
    exec(zipfile.ZipFile(library).read(SETTINGS), namespace)
    return namespace["build_time_vars"]


def line(name, given, values):
    """Return the line of pyconfig.h for one setting, which the other header gives as `given`.

    `#define Py_GIL_DISABLED 0` would switch it on, for the headers ask whether
    it is defined; so a zero undefines, except where it is a size.
    """
    value = given if name.startswith("_") and "_SOURCE" in name else values.get(name)
    size = name.startswith(("SIZEOF", "ALIGNOF"))
    if value is None or value == "" or (value == 0 and not size):
        return f"/* #undef {name} */"
    return f"#define {name} {value}"


def main(library, header, output):
    """Write `output` with every setting that `header` names."""
    values = settings(library)
    given = {}
    named = re.findall(r"^ *(# *define|/\* # *undef) (\w+) ?(.*)", Path(header).read_text(), re.M)
    for kind, name, value in named:
        if given.get(name) is None:
            given[name] = value if "define" in kind else None
    given.pop("Py_PYCONFIG_H", None)
    lines = [line(name, value, values) for name, value in given.items()]
    Path(output).write_text("\n".join(["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H", *lines, "#endif", ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
