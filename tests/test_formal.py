"""The scripts for the proof checker: short, without a hole, as recorded; by night, refused when they are spoiled."""

from __future__ import annotations

import json
import re
import shutil
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from lifelong_book.press.badges import MACHINE
from lifelong_book.press.ledger import LEDGER

FORMAL = Path(__file__).parent.parent / "book" / "formal"
sys.path.insert(0, str(FORMAL))

import coq  # noqa: E402

RECORD = json.loads((FORMAL / "checked.json").read_text(encoding="utf-8"))
TEXTS = {script: (FORMAL / f"{script}.v").read_text(encoding="utf-8") for script in coq.SCRIPTS}
REALS = {
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
with_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Coq is not installed")


def test_every_script_is_in_the_record_and_the_record_is_of_these_scripts():
    assert {path.stem for path in FORMAL.glob("*.v")} == set(coq.SCRIPTS) == set(RECORD)
    for script, text in TEXTS.items():
        assert RECORD[script]["sha256"] == sha256(text.encode()).hexdigest(), script
        assert list(RECORD[script]["theorems"]) == coq.PRINTED.findall(text)


@pytest.mark.parametrize("script", coq.SCRIPTS)
def test_a_script_is_short_and_has_no_hole(script):
    without = re.sub(r"\(\*.*?\*\)", "", TEXTS[script], flags=re.DOTALL)
    assert not re.search(r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|Abort)\b", without)
    assert len(TEXTS[script].splitlines()) <= 150
    assert max(map(len, TEXTS[script].splitlines())) <= 88


def test_the_theorems_rest_on_what_the_page_says():
    rests = {script: set().union(*said["theorems"].values()) for script, said in RECORD.items()}
    none: set[str] = set()
    assert rests == {
        "Angles": none, "Lemma3": REALS, "Scalar": REALS, "Vectors": none, "Plane": none, "Lemma2": REALS,
        "Chain": REALS, "Theorem1": REALS, "Constants": REALS,
        "Algorithm3": none, "Lemma4": none, "Canonical": none,
        "Monotone": none, "Online": none, "Staircase": none, "Sharp": none, "Count": none, "Spoiled": REALS,
    }  # fmt: skip


def test_every_statement_with_the_mark_has_its_theorem():
    proved = {theorem for said in RECORD.values() for theorem in said["theorems"]}
    assert set(MACHINE) <= set(LEDGER) and set(MACHINE.values()) <= proved


def test_the_page_has_a_place_for_every_mark_and_names_every_theorem_and_every_script_can_be_read():
    page, scripts = ((FORMAL / name).read_text(encoding="utf-8") for name in ("index.md", "scripts.md"))
    assert {f"(formal-{label})=" for label in MACHINE} == set(re.findall(r"^\(formal-.*\)=$", page, re.MULTILINE))
    for script, said in RECORD.items():
        assert scripts.count(f"{{literalinclude}} {script}.v\n") == scripts.count(f"formal/{script}.v>") == 1
        assert all(theorem in page for theorem in said["theorems"] if script != "Spoiled")


#: Script, kind of what is spoiled, what stands in it, and what is put in its place.
SPOILED = (
    ("Lemma3", "constant", "3 / 2 * (", "2 * ("),
    ("Scalar", "constant", "a * b <= PI / 2 * asin (sin a * sin b).", "a * b <= 3 / 2 * asin (sin a * sin b)."),
    ("Lemma2", "constant", "(PI / 2 * (angle n b t / beta))", "(3 / 2 * (angle n b t / beta))"),
    ("Lemma2", "hypothesis", "apart n t k a beta", "apart n t 0 a beta"),
    ("Chain", "hypothesis", "(3 <= k < n)%nat", "(2 <= k < n)%nat"),
    ("Theorem1", "constant", "features 318 (1 / 100000)", "features 318 (1 / 1000000)"),
    ("Constants", "hypothesis", "(3 <= k < n)%nat", "(2 <= k < n)%nat"),
    ("Lemma4", "strict sign", "size P <= k", "size P < k"),
    ("Online", "strict sign", "<= #|V| * #|V|.+1", "< #|V| * #|V|.+1"),
    ("Staircase", "constant", "= n * n.+1", "= n * n.+2"),
    ("Count", "strict sign", "size L <= minn", "size L < minn"),
)


@with_coq
@pytest.mark.nightly  # a script that has changed is not the one in the record, and that is red by day
def test_coq_accepts_every_script_and_refuses_a_spoiled_one(tmp_path):
    assert coq.record(tmp_path) == RECORD
    for script, _, true, false in SPOILED:
        assert TEXTS[script].count(true) >= 1
        (tmp_path / f"{script}.v").write_text(TEXTS[script].replace(true, false))
        with pytest.raises(ValueError, match=rf"^{script}\.v: "):  # else it was accepted
            coq.compiled(tmp_path, script)


def test_of_each_kind_of_spoiled_statement_one_is_proved_false():
    for kind in {kind for _, kind, *_ in SPOILED}:
        assert f"(* A {kind}: " in TEXTS["Spoiled"]
