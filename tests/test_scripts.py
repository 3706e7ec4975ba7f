"""Three scripts such as a user writes: own classifiers from samples, own images, an own black box."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import lifelong

SCRIPTS = Path(__file__).parent / "scripts"


def run(name: str) -> list[str]:
    """What a script prints, in a process of its own."""
    done = subprocess.run([sys.executable, SCRIPTS / f"{name}.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.splitlines()


def test_they_are_short_and_need_public_names_only():
    found = {path.stem: path.read_text() for path in SCRIPTS.glob("*.py")}
    assert set(found) == {"own_classifiers", "own_images", "own_black_box"}
    for text in found.values():
        assert len(text.splitlines()) <= 15
        imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
        for node in imports:
            names = {alias.name for alias in node.names}
            assert node.module != "lifelong" or names <= set(lifelong.__all__)


def test_classifiers_of_own_samples():
    """Four thresholds of one measurement share a plane with the constant; the diagnosis does not lie in it."""
    lines = [line.split() for line in run("own_classifiers")]
    assert [how for how, *_ in lines] == ["scratch", "scratch", "reused", "reused", "scratch"]
    for how, labels, left, error in lines:
        assert int(labels) + int(left) == 400 and float(error) < 0.1
        assert (int(labels) < 100) == (how == "reused")


def test_own_images():
    """Ten digits are made of seven pieces, each of whole segments: as many as there are segments."""
    pieces, whole, stream = run("own_images")
    segments = [{1}, {5, 8}, {11, 14}, {16}, {9, 12}, {3, 6}, {10}]
    assert len(ast.literal_eval(pieces)) == len(segments)
    for piece in map(set, ast.literal_eval(pieces)):
        assert piece == set().union(*(segment for segment in segments if segment <= piece))
    assert whole == "True" and stream.split()[1] == "reused"


def test_an_own_black_box():
    formula, counts, reach, stream = run("own_black_box")
    assert formula == "40 + 15 x1 + 9 x2 x3 - 5 x1 x2 x3" and reach == "all 32 points"
    assert counts.startswith("Counts(labels=0, membership=") and counts.endswith("equivalence=5)")
    assert stream.startswith("['scratch', 'scratch', 'reused'] [0 1 2 3]")
