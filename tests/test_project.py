"""What the project says of itself in several files: extras, lowest versions, pinned versions, its own version."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import lifelong
from lifelong_book.press.ledger.runner import EXTRAS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BOOK = tomllib.loads((ROOT / "book" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
#: What each distribution can be asked for beyond itself.
EXTRA = {
    f"{it['name']}[{name}]": lines for it in (PROJECT, BOOK) for name, lines in it["optional-dependencies"].items()
}
TESTS = EXTRA.pop("lifelong[tests]")
LINES = {*PROJECT["dependencies"], *BOOK["dependencies"], *(line for lines in EXTRA.values() for line in lines)}
NEEDED = [Requirement(line) for line in LINES - {"lifelong"}]


def pinned(name: str) -> dict[str, Version]:
    """The exact versions in a file of requirements."""
    lines = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {package.lower(): Version(version) for package, version in lines}


def test_the_lowest_versions_are_those_of_the_package():
    lowest = pinned("constraints-lowest.txt")
    assert sorted(lowest) == sorted(needed.name for needed in NEEDED)
    for needed in NEEDED:
        (floor,) = needed.specifier
        assert (floor.operator, Version(floor.version)) == (">=", lowest[needed.name]), needed


def test_everything_is_pinned_once():
    direct, brought = pinned("requirements.txt"), pinned("constraints.txt")
    assert not set(direct) & set(brought)
    wanted = [*NEEDED, *map(Requirement, TESTS)]
    assert [w.name for w in wanted if not w.specifier.contains({**brought, **direct}.get(w.name, "0"))] == []


def test_the_extra_of_every_module_brings_it():
    names = {"sklearn": "scikit-learn", "fontTools": "fonttools"}
    brings = {Requirement(line).name: extra for extra, lines in EXTRA.items() for line in lines}
    assert {names.get(module, module): extra for module, extra in EXTRAS.items()} == brings


def test_the_command_is_the_one_of_the_module():
    assert BOOK["scripts"] == {"lifelong": "lifelong_book.press.command_line:main"}


@pytest.mark.parametrize("file", ["CITATION.cff", "pyproject.toml", "book/pyproject.toml"])
def test_one_version(file):
    assert re.search(r'^version[:=\s]+"?([\d.]+)', (ROOT / file).read_text(), re.MULTILINE)[1] == lifelong.__version__


# --- what is by others


def test_mathjax_is_what_its_notice_says():
    folder = ROOT / "book" / "_static" / "mathjax"
    found = sha256((folder / "tex-svg-full.js").read_bytes()).hexdigest()
    assert found in (folder / "NOTICE.txt").read_text(encoding="utf-8").split()


def test_the_licence_names_what_the_page_runs_with_its_versions():
    said = " ".join((ROOT / "LICENSE").read_text(encoding="utf-8").split())
    live = (ROOT / "book" / "live" / "README.md").read_text(encoding="utf-8")
    (version, python), *_ = re.findall(r"Pyodide\]\(\S+\) (\S+) \(CPython (\S+) for", live)
    assert f"Pyodide {version}," in said and f"CPython {python} " in said and "CodeMirror 6" in said
    wheels = [*(ROOT / "book" / "live").glob("*/*.whl")]
    for wheel in wheels:
        with ZipFile(wheel) as packed:
            assert any(re.search(r"\.dist-info/.*LICEN[CS]E", name) for name in packed.namelist()), wheel.name
    assert wheels
