#!/usr/bin/env python3
"""Compare rebuilt wheels byte for byte with those that were built before.

Usage: compare.py REBUILT BEFORE, two folders. Where the bytes of two wheels differ, the first files in them
that differ are named. Ends with status 1 where anything differs or is missing.
"""

import hashlib
import sys
import zipfile
from pathlib import Path

SHOWN = 5


def wheels(folder):
    """Return the wheels of the ABI anywhere below a folder, by name."""
    return {path.name: path for path in Path(folder).rglob("*-pyemscripten_*.whl")}


def members(path):
    """Return the files in a wheel, by name."""
    with zipfile.ZipFile(path) as wheel:
        return {name: wheel.read(name) for name in wheel.namelist()}


def verdict(rebuilt, before):
    """Return what to say of one wheel, and whether the two are the same."""
    if rebuilt is None or before is None:
        return f"only {'before' if rebuilt is None else 'rebuilt'}", False
    data = rebuilt.read_bytes()
    if data == before.read_bytes():
        return f"the same {len(data)} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}", True
    ours, theirs = members(rebuilt), members(before)
    differing = [name for name in sorted(ours | theirs) if ours.get(name) != theirs.get(name)]
    if not differing:
        return "differs in how it is packed, not in what", False
    more = f" and {len(differing) - SHOWN} more" if len(differing) > SHOWN else ""
    return f"differs in {', '.join(differing[:SHOWN])}{more}", False


def main(rebuilt, before):
    """Print a line for each wheel and return the exit status."""
    ours, theirs = wheels(rebuilt), wheels(before)
    names = sorted(ours | theirs)
    verdicts = [verdict(ours.get(name), theirs.get(name)) for name in names]
    for name, (words, _) in zip(names, verdicts, strict=True):
        print(f"{name}: {words}")
    return 0 if names and all(same for _, same in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
