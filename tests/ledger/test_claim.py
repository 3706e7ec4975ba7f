"""The ledger is complete, its verdicts are earned, and every broken version is violated."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from kernels import BY_NIGHT

from lifelong_book.press.claim import KINDS, ROUNDING, Check, Claim, Finding
from lifelong_book.press.ledger import LEDGER, find
from lifelong_book.press.ledger.evidence import Evidence, Report, reports
from lifelong_book.press.rooms import notebooks

BOOK = Path(__file__).parents[2] / "book"
RECORD = json.loads((BOOK / "records/ledger.json").read_text(encoding="utf-8"))
RECORDED = {claim["label"]: claim["evidence"] + claim["twins"] for claim in RECORD["claims"]}

#: Every numbered item of paper.tex, by its label there, and those that its source gives none.
PAPER = {
    "l:angle": "Lemma 1", "lem:one-vec": "Lemma 2", "lem:subspace": "Lemma 3", "lem:conjunctionconsistency": "Lemma 4",
    "thm:linmetalogconc": "Theorem 1", "thm:linmetalogconc2levels": "Theorem 2", "thm-online-anchor": "Theorem 3",
    "thm-product-anchor": "Theorem 4", "thm:sparseauto": "Theorem 5", "cor:EQ": "Corollary 1",
    "cor:sparseauto": "Corollary 2", "def:anchorset": "Definition 1", "algo-one": "Algorithm 1",
    "algo-two": "Algorithm 2", "algo-consistency-anchor": "Algorithm 3", "algo-monomial-anchor-online": "Algorithm 4",
    "algo-monomial-anchor": "Algorithm 5", "algo-polynomials": "Algorithm 6", "figure": "Figure 1",
}  # fmt: skip
WITHOUT_LABEL = {"Theorem 6", "Note 1", "scalar inequality", "dimension remark"}
VERDICTS = {"proved", "holds on all instances tried", "exhaustive", "refuted"}

REDUCED = 60


def told_by_pages(paths) -> dict[tuple[str, str], tuple[int, int, float | None, bool]]:
    """Violations, instances and largest ratio of every family as a cell prints them, and whether of all instances.

    The notebook's test runs that cell and compares.
    """
    line = re.compile(
        r"^ +(?:broken version: )?(.+)\n +([\d,]+) of ([\d,]+) violated(?:, .*? ([^\s,]+))?(, as foreseen)?$", re.M
    )
    # one number, with another or without
    pin = re.compile(r"^( +)(?:caught: )?left/right up to ([^\s,]+)(, not \S+ as foreseen)?$", re.M)
    told = {}
    for path in paths:
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            whole = not re.search(r", (?:instances=)?\d+\)", "".join(cell["source"]))
            for output in cell.get("outputs", []):
                text = "".join(output.get("data", {}).get("text/plain", ""))
                text = pin.sub(lambda m: f"{m[1]}{int(bool(m[3]))} of 1 violated, up to {m[2]}", text)
                for name, *counts, worst, foreseen in line.findall(text):
                    found, label = (int(n.replace(",", "")) for n in counts), text.partition(":")[0]
                    told[label, name] = (*found, float(worst) if worst else None, whole)
                    if foreseen:
                        told[label, f"{name}: the largest left/right is {worst}"] = (0, 1, float(worst), whole)
    return told


TOLD = told_by_pages(notebooks(BOOK))
BY_DAY = told_by_pages(path for path in notebooks(BOOK) if path.relative_to(BOOK.parent).as_posix() not in BY_NIGHT)
#: Claims of which a page that runs by day tells every family.
BY_PAGES = {label for label, c in LEDGER.items() if all((label, check.name) in BY_DAY for check in c.checks + c.twins)}
EVIDENCE = [pytest.param(s, marks=pytest.mark.nightly) if s in BY_PAGES else s for s in LEDGER]


@cache
def report(label: str) -> Report:
    (found,) = reports([LEDGER[label]], instances=REDUCED)
    return found


def claimed(*checks, verdict="proved", **more) -> Claim:
    return Claim("x", "", "", "", verdict, checks=checks, **more)


def check(run, kind="exact", name="x", **more) -> Check:
    return Check(name, kind, (lambda count, rng: run) if isinstance(run, Finding) else run, **more)


# --- the ledger


def test_every_item_of_the_paper_is_in_the_ledger_and_all_others_are_corrected_or_added():
    for label, item in PAPER.items():
        assert [claim.item for claim in LEDGER.values() if claim.paper == label] == [item]
        assert find(label) is find(item) is find(item.lower()) is find(item.upper())
    for item in WITHOUT_LABEL:
        assert [claim.paper for claim in LEDGER.values() if claim.item == item] == [""] and find(item).item == item
    others = [c for c in LEDGER.values() if c.paper not in PAPER and c.item not in WITHOUT_LABEL]
    replaced = {label for claim in LEDGER.values() for label in claim.replaced_by}
    for c in others:
        assert c.paper == "" and c.item == ("corrected" if c.label in replaced else "added"), c.label


def test_every_claim_is_in_the_ledger():
    paths = [p.relative_to(BOOK).with_suffix("") for p in BOOK.rglob("*claims.py") if p.parent.name != "press"]
    sections = [import_module(".".join(("lifelong_book", *path.parts))) for path in paths]
    labels = [c.label for section in sections for c in vars(section).values() if isinstance(c, Claim)]
    assert sorted(labels) == sorted(LEDGER)
    assert all(re.fullmatch(r"(lem|thm|cor|def|algo|fig|prop|rem|note|ineq)-[a-z0-9-]+", label) for label in labels)


@pytest.mark.parametrize("label", LEDGER)
def test_verdict_evidence_and_discrepancies_belong_together(label):
    claim = LEDGER[label]
    refuted = claim.verdict == "refuted"
    assert find(label) is claim and claim.verdict in VERDICTS and claim.checks and claim.twins
    assert claim.title and claim.statement.endswith(".") and all(map(callable, claim.functions))
    assert set(claim.replaced_by) <= set(LEDGER) - {label} and bool(claim.replaced_by) >= refuted
    assert any(check.violated for check in claim.checks) == refuted
    assert not refuted or all(LEDGER[other].verdict != "refuted" for other in claim.replaced_by)
    if claim.verdict == "exhaustive":
        assert claim.scope and any(check.kind == "exhaustive" for check in claim.checks)
    names = [check.name for check in claim.checks + claim.twins]
    assert len(set(names)) == len(names)  # random numbers depend on the name
    for twin in claim.twins:  # at most 2 % of a constant, or a hypothesis dropped; else it says why
        assert twin.violated and (twin.spoils is not None) + bool(twin.drops) + bool(twin.why) == 1
        assert twin.spoils is None or 0 < twin.spoils <= 0.02
    assert ("refuted" in [d.kind for d in claim.discrepancies]) == refuted
    assert claim.standing.startswith("✗ refuted" if refuted else claim.verdict)
    for d in claim.discrepancies:
        assert d.kind in KINDS and d.label.startswith("found-") and set(d.repaired_by) <= set(LEDGER)
        assert all(vars(d)[name].strip() for name in ("where", "printed", "fails", "example", "repair", "cost"))


@pytest.mark.parametrize("bad", ["Lemma 9", "corrected", "added", "lem", "", " ", None, 3], ids=repr)
def test_find_refuses(bad):
    with pytest.raises(ValueError, match=r"^name: expected one of lem-angle, .*, got .*"):
        find(bad)


# --- the evidence

#: Where an instance is a stream of sixty tasks, or is tried in several ways.
INSTANCES_FOR_ONE = {
    ("lem-angle", "uniform laws on random polygons, exact rates"): 2,  # the largest rate and the least
    ("lem-angle", "Gaussian law and ball in R^5, counted"): 40 / REDUCED,  # always forty
    ("thm-schapire-sellie", "random polynomials, n <= 8, three policies"): 3,
    ("prop-two-levels-small", "random tasks, tau = 1 and 2"): 1 / 60,
    ("thm-two-levels", "random tasks, tau = 2 to 4: how often"): 1 / 60,
    ("thm-two-levels-repaired", "random tasks, tau = 2 to 4"): 1 / 60,
}


@pytest.mark.parametrize("label", EVIDENCE)
def test_evidence_agrees_with_the_verdict_and_every_broken_twin_is_violated(label):
    claim, found = LEDGER[label], report(label)
    assert found.agrees and found.complete and found.instances > 0, [e for e in found.evidence if not e.agrees]
    own = [e for e in found.evidence if not e.twin]
    assert [e.check for e in found.evidence] == [c.name for c in claim.checks + claim.twins]
    assert len(own) == len(claim.checks)
    assert found.instances == sum(e.finding.instances for e, c in zip(own, claim.checks, strict=True) if c.pin is None)
    assert all(e.expected == "violated" and e.finding.violations > 0 for e in found.evidence if e.twin)
    for check, e, old in zip(claim.checks + claim.twins, found.evidence, RECORDED[label], strict=True):
        if check.scales:
            times = INSTANCES_FOR_ONE.get((label, check.name), 1) * REDUCED
            assert 0.6 * times <= e.finding.instances <= 1.4 * times, check.name
        else:
            assert same(old, e.finding.violations, e.finding.instances, e.finding.worst), check.name
            now, before = ({name: float(r) for name, r in d["ratios"].items()} for d in (e.as_dict(), old))  # inf too
            assert now == pytest.approx(before, rel=1e-6), check.name


def same(old, violations, instances, worst):
    """Whether a check found what the record has."""
    measured = old["worst"] in (None, "nan") or float(old["worst"]) == pytest.approx(worst, rel=1e-6)
    return (old["violations"], old["instances"]) == (violations, instances) and measured


@pytest.mark.parametrize("label", LEDGER)
def test_the_record_has_what_pages_tell_and_families_of_today_s_size(label):
    for check, old in zip(LEDGER[label].checks + LEDGER[label].twins, RECORDED[label], strict=True):
        *told, whole = TOLD.get((label, check.name), (None, False))
        if told != [None] and (whole or not check.scales):
            assert same(old, *told), check.name
        if check.scales and label != "lem-angle":  # shares its instances among laws and dimensions
            assert old["instances"] == INSTANCES_FOR_ONE.get((label, check.name), 1) * check.instances, check.name


def test_lemma_3_is_refuted_exactly_and_called_true_it_is_contradicted():
    exact = next(e.finding for e in report("lem-subspace").evidence if e.kind == "exact")
    assert (exact.instances, exact.violations) == (1, 1) and exact.worst > 1 and "(4,1,0,-4d)" in exact.witness
    claim = LEDGER["lem-subspace"]
    believed = replace(claim, verdict="proved", checks=tuple(replace(c, violated=False) for c in claim.checks))
    assert not reports([believed], instances=100)[0].agrees


# --- gathering

FIGURE, SINE = LEDGER["fig-perturbation"], LEDGER["lem-one-vec-sine"]


def test_findings_depend_on_the_seed_only():
    def findings(found):
        return [(e.check, e.twin, e.finding) for e in found.evidence]

    one, two = (reports([SINE, FIGURE], instances=10_500, seed=5, n_jobs=jobs) for jobs in (1, 2))
    assert len(SINE.checks[0].counts(10_500)) == 2  # chunks
    assert [r.claim.label for r in two] == [SINE.label, FIGURE.label]
    assert [findings(r) for r in one] == [findings(r) for r in two]
    first, again, other = (findings(*reports([SINE], instances=50, seed=s)) for s in (1, 1, 2))
    assert first == again != other
    assert findings(reports([FIGURE, SINE], instances=50, seed=1)[1]) == first  # nor on the company


def test_chunks_have_their_sizes_and_use_different_numbers():
    seen = []
    draws = check(
        lambda count, rng: seen.append(rng.random()) or Finding(count, 0), instances=30, scales=True, chunk=10
    )
    assert reports([claimed(draws)])[0].instances == 30 and len(set(seen)) == 3
    for total, sizes in ((1, [1]), (9, [9]), (10, [10]), (11, [10, 1]), (35, [10, 10, 10, 5])):
        assert draws.counts(total) == replace(draws, instances=total).counts(None) == sizes
        assert replace(draws, scales=False, instances=77).counts(total) == [77]


FAILS = check(Finding(1, 1))
NOTHING = check(Finding(0, 0))
NOT_A_NUMBER = check(Finding.of_ratios([0.5, np.nan]))
RAISES = check(lambda count, rng: Finding(1 // 0, 0))
HARMLESS = check(Finding(1, 0), violated=True)


@pytest.mark.parametrize("bad", [FAILS, NOTHING, NOT_A_NUMBER, RAISES, HARMLESS, replace(RAISES, violated=True)])
def test_a_wrong_claim_is_contradicted(bad):
    wrong = replace(FIGURE, twins=(bad,)) if bad.violated else replace(FIGURE, checks=(*FIGURE.checks, bad))
    (found,) = reports([wrong])
    assert not found.agrees and [e.check for e in found.evidence if not e.agrees] == ["x"]
    json.dumps(found.as_dict(), allow_nan=False)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_that_raises_is_failed_evidence_and_the_rest_survives(jobs):
    broken = replace(FIGURE, checks=(RAISES, *FIGURE.checks))
    first, second = reports([broken, FIGURE], n_jobs=jobs)
    assert not first.agrees and second.agrees and first.complete
    assert [e.agrees for e in first.evidence] == [False, True, True]
    assert first.evidence[0].finding.error == "ZeroDivisionError: integer division or modulo by zero"


def test_an_interrupt_keeps_what_was_found():
    calls = []

    def run(count, rng):
        calls.append(count)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return Finding(count, 0)

    scaling = check(run, "random", instances=40, scales=True, chunk=10)
    first = claimed(replace(scaling, instances=10))
    second = replace(claimed(scaling, replace(scaling, name="never reached")), label="second")
    found = reports([first, second, replace(first, label="third")])
    assert calls == [10, 10, 10]
    assert [(r.complete, r.instances, len(r.evidence)) for r in found] == [(True, 10, 1), (False, 10, 1), (False, 0, 0)]


@pytest.mark.parametrize(
    ("name", "bads"),
    [
        ("instances", [0, -1, 2.5, True, "300", np.nan]),
        ("seed", [-1, 2.5, True, "0", None]),
        ("n_jobs", [0, -2, 1.5, True, "2", None]),
    ],
)
def test_numbers_that_are_refused(name, bads):
    for bad in bads:
        with pytest.raises(ValueError, match=rf"^{name}: expected .*, got "):
            reports([FIGURE], **{name: bad})


# --- bite: how far a constant can be lowered before the evidence notices


def test_the_bite_of_a_claim_is_that_of_its_loosest_inequality():
    tight = check(Finding.of_ratios({"a": [1.0], "b": [0.2]}))
    loose = check(Finding.of_ratios({"a": [0.3], "b": [0.4]}), name="loose")
    (found,) = reports([claimed(tight, loose, twins=(check(Finding.of_ratios({"b": [0.9]}), name="twin"),))])
    assert found.bites == {"a": 1.0, "b": 0.4} and found.bite == 0.4
    assert reports([claimed(tight, verdict="refuted")])[0].bite is None


def test_a_knob_is_turned_until_the_evidence_goes_red():
    def run(count, rng, factor=1.0):
        return Finding.of_ratios([0.37 / factor])

    turned = check(run, knobs={"accuracy": run})
    (plain,), (bitten,) = (reports([claimed(turned)], bite=b) for b in (False, True))
    assert plain.bites == {"": 0.37} and 0.37 <= bitten.bites["accuracy"] <= 0.38
    assert json.dumps(bitten.as_dict())
    never = replace(turned, knobs={"accuracy": lambda count, rng, factor: Finding(1, 1)})
    assert never.turn("accuracy", seed=0, label="x") == np.inf


# --- findings and reports


def test_findings_of_ratios_and_outcomes():
    assert Finding.of_ratios([1, 1 + 0.9 * ROUNDING, 0]).violations == 0
    assert Finding.of_ratios([[1 + 1.1 * ROUNDING], [2.0]]) == Finding(2, 2, 2.0, at=1)
    assert Finding.of_ratios([0.5, np.nan]).violations == Finding.of_ratios([np.inf]).violations == 1
    assert Finding.of_ratios([]) == Finding.of_outcomes([]) == Finding(0, 0)
    assert Finding.of_outcomes((n % 2 == 0 for n in range(5)), "odd ones") == Finding(5, 2, witness="odd ones", at=1)


def test_each_inequality_has_a_ratio_of_its_own():
    found = Finding.of_ratios({"labels": [0.5, 1.0], "features": [0.25, 1.25, 2.0]})
    assert (found.instances, found.violations, found.worst) == (3, 2, 2.0)
    assert found.inequalities == {"labels": 1.0, "features": 2.0}
    assert (found + Finding.of_ratios({"labels": [3.0]})).ratios == {"labels": 3.0, "features": 2.0}
    assert Finding.of_ratios([0.5]).inequalities == {"": 0.5} and Finding(3, 0).inequalities == {}


def test_findings_add():
    a, b = Finding(2, 1, 0.5, "first"), Finding(3, 2, 0.75, "second")
    assert a + b == Finding(5, 3, 0.75, "first")
    assert a + Finding(1, 0) == Finding(3, 1, 0.5, "first")
    assert Finding(1, 0) + b == Finding(4, 2, 0.75, "second")
    assert Finding(1, 0) + Finding(1, 0) == Finding(2, 0)
    nan = Finding.of_ratios([np.nan])
    assert np.isnan((a + nan).worst) and np.isnan((nan + a).worst)


def test_evidence_agrees_when_it_is_as_expected():
    for expected, agreeing in (("holds", [0]), ("violated", [1]), ("reported", [0, 1])):
        found = [Evidence("x", "exact", False, expected, Finding(1, v), 0.0) for v in (0, 1)]
        assert [v for v in (0, 1) if found[v].agrees] == agreeing
        assert not Evidence("x", "exact", False, expected, Finding(0, 0), 0.0).agrees


@pytest.mark.parametrize("lost", [{"needs": "lifelong[learners]"}, {"error": "ZeroDivisionError: x"}], ids=str)
def test_what_did_not_run_says_nothing_but_a_violation_stays_one(lost):
    silent = Evidence("x", "exact", False, "holds", Finding(0, 0, **lost), 0.0)
    assert not (silent.ran or silent.agrees or silent.contradicts)
    twin = replace(silent, twin=True, expected="violated")
    assert not (twin.agrees or twin.contradicts)
    half = replace(silent, finding=Finding(10, 1) + silent.finding)
    assert half.contradicts and not half.agrees and not half.ran
    assert Report(FIGURE, [silent, half]).needs == sorted(set(lost.values()) & {"lifelong[learners]"})


def test_twins_do_not_count_as_evidence():
    found = report("lem-one-vec")
    assert found.worst == max(e.finding.worst for e in found.evidence if not e.twin)
    assert found.worst < 1 + ROUNDING < max(e.finding.worst for e in found.evidence if e.twin)
    assert found.seconds == pytest.approx(sum(e.seconds for e in found.evidence))
    (empty,) = reports([claimed(verdict="unchecked")])
    assert (empty.evidence, empty.agrees, empty.worst, empty.instances) == ([], True, None, 0)


def test_a_check_may_yield_what_each_instance_shows():
    assert Finding.of(Finding(3, 1)) == Finding(3, 1) and Finding.of([]).instances == 0
    assert Finding.of(np.bool_(x > 0) for x in range(3)) == Finding.of_outcomes([False, True, True])
    assert Finding.of([0.5, np.array([2.0, 0.25])]) == Finding.of_ratios([0.5, 2.0, 0.25])
    named = Finding.of([{"a": 0.5, "b": np.array([0.2, 1.5])}, {"a": np.nan}])
    assert (named.instances, named.violations, list(named.ratios)) == (2, 1, ["a", "b"]) and np.isnan(named.worst)


def test_a_report_is_plain_data():
    claim, data = LEDGER["lem-subspace"], report("lem-subspace").as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert (len(data["evidence"]), len(data["twins"])) == (len(claim.checks), len(claim.twins))
    (found,) = reports([claimed(check(Finding(np.int64(3), np.int64(0), np.float64(0.5))))])
    assert json.loads(json.dumps(found.as_dict()))["instances"] == 3
