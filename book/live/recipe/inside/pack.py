"""Pack what was compiled into wheels, the same bytes each time.

Usage: pack.py BUILD WHEELS, two folders. In BUILD there are `src`, the unpacked
sources, `tools`, the unpacked wheels that helped, and `install`, in which each
project has what its build installed below `site`.
"""

import base64
import csv
import hashlib
import io
import re
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

TAG = "cp314-cp314-pyemscripten_2026_0_wasm32"
SUFFIX = ".cpython-314-wasm32-emscripten.so"
NATIVE = re.compile(r"\.cpython-314-[\w-]+\.so$")
WHEEL = f"Wheel-Version: 1.0\nGenerator: book/live/recipe\nRoot-Is-Purelib: false\nTag: {TAG}\n"

# Nobody needs these in a page: tests, what compilers read, stubs for type checkers.
LEFT_OUT = [
    r"(^|/)tests/",
    r"(^|/)conftest\.py$",
    r"\.(a|c|cpp|h|lib|pc|pxd|pyi|pyx|pyx\.in|build)$",
    r"(^|/)__pycache__/",
]

# What else each project can do without; the README gives the reasons.
LEFT_OUT_OF = {
    "numpy": [
        r"^numpy/f2py/",
        r"^numpy/_core/include/",
        r"^numpy/_core/_\w*tests\.",
        r"^numpy/_core/_simd\.",
        r"^numpy/_pyinstaller/",
        r"^numpy/random/(_examples|lib)/",
    ],
    "matplotlib": [
        r"/sample_data/",
        r"/mpl-data/fonts/(afm|pdfcorefonts)/",
        r"/backends/web_backend/",
        r"/backends/qt_editor/",
        r"/backends/_tkagg\.",
        r"/backends/_macosx\.",
    ],
    "kiwisolver": [],
    "pillow": [],
}

# Licences of a wheel: of the project itself, and of what is compiled into it.
LICENSES = {
    "numpy": ["src/numpy-*/LICENSE.txt"],
    "matplotlib": [
        "src/matplotlib-*/LICENSE/*",
        "src/matplotlib-*/extern/agg24-svn/src/copying",
        "src/freetype-*/LICENSE.TXT",
        "src/raqm-*/COPYING",
        "src/sheenbidi-*/LICENSE",
        "src/qhull-*/COPYING.txt",
        "tools/pybind11-*.dist-info/licenses/LICENSE",
    ],
    "kiwisolver": ["src/kiwisolver-*/LICENSE", "tools/cppy-*.dist-info/LICENSE"],
    "pillow": ["src/pillow-*/LICENSE", "src/zlib-*/LICENSE"],
}


def installed(project, site):
    """Return the project's files as {name in the wheel: bytes}."""
    left_out = re.compile("|".join(LEFT_OUT + LEFT_OUT_OF[project]))
    files = {}
    for path in site.rglob("*"):
        name = path.relative_to(site).as_posix()
        if path.is_file() and not left_out.search(name):
            files[NATIVE.sub(SUFFIX, name)] = path.read_bytes()
    return files


def licenses(project, source, build):
    """Return the licence files as {name below licenses/: bytes}."""
    named = HeaderParser().parsestr((source / "PKG-INFO").read_text()).get_all("License-File", [])
    files = {name: (source / name).read_bytes() for name in named}
    for pattern in LICENSES[project]:
        found = sorted(build.glob(pattern))
        if not found:
            raise SystemExit(f"no licence at {pattern}")
        for path in found:
            _, folder, *rest = path.relative_to(build).parts
            name = "/".join(rest)
            files[name if folder == source.name else f"{folder}/{name}"] = path.read_bytes()
    return files


def record(files, name):
    """Return the text of RECORD: a hash and a size for each file but itself."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([path, f"sha256={digest}", len(data)])
    rows.writerow([name, "", ""])
    return text.getvalue()


def write(path, files):
    """Write a wheel whose bytes depend on nothing but the files' names and contents."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data, compresslevel=9)


def pack(project, build, wheels):
    """Write the wheel of one project."""
    (source,) = (build / "src").glob(f"{project}-*")
    info = f"{source.name}.dist-info"
    files = dict(sorted(installed(project, build / "install" / project / "site").items()))
    files[f"{info}/METADATA"] = (source / "PKG-INFO").read_bytes()
    files[f"{info}/WHEEL"] = WHEEL.encode()
    for name, data in sorted(licenses(project, source, build).items()):
        files[f"{info}/licenses/{name}"] = data
    name = f"{info}/RECORD"
    files[name] = record(files, name).encode()
    path = wheels / f"{source.name}-{TAG}.whl"
    write(path, files)
    print(path.name, len(files), "files", path.stat().st_size, "bytes")


def main(build, wheels):
    """Write all wheels."""
    Path(wheels).mkdir(parents=True, exist_ok=True)
    for project in LICENSES:
        pack(project, Path(build), Path(wheels))


if __name__ == "__main__":
    main(*sys.argv[1:])
