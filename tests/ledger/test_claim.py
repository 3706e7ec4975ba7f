"""The ledger is complete, its verdicts are earned, and every broken version is violated."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pytest

from lifelong_book.press.claim import KINDS, ROUNDING, Check, Claim, Finding
from lifelong_book.press.ledger import LEDGER, find
from lifelong_book.press.ledger.evidence import Evidence, Report, reports

BOOK = Path(__file__).parents[2] / "book"

#: Every numbered item of paper.tex, by its label there.
PAPER = {
    "l:angle": "Lemma 1",
    "lem:one-vec": "Lemma 2",
    "lem:subspace": "Lemma 3",
    "lem:conjunctionconsistency": "Lemma 4",
    "thm:linmetalogconc": "Theorem 1",
    "thm:linmetalogconc2levels": "Theorem 2",
    "thm-online-anchor": "Theorem 3",
    "thm-product-anchor": "Theorem 4",
    "thm:sparseauto": "Theorem 5",
    "cor:EQ": "Corollary 1",
    "cor:sparseauto": "Corollary 2",
    "def:anchorset": "Definition 1",
    "algo-one": "Algorithm 1",
    "algo-two": "Algorithm 2",
    "algo-consistency-anchor": "Algorithm 3",
    "algo-monomial-anchor-online": "Algorithm 4",
    "algo-monomial-anchor": "Algorithm 5",
    "algo-polynomials": "Algorithm 6",
    "figure": "Figure 1",
}
#: Items that the paper's source gives no label.
WITHOUT_LABEL = {"Theorem 6", "Note 1", "scalar inequality", "dimension remark"}
VERDICTS = {"proved", "holds on all instances tried", "exhaustive", "refuted", "unchecked"}

CHECKED = [label for label, claim in LEDGER.items() if claim.checked]
REDUCED = 60
#: Claims whose evidence a notebook runs, with more instances; it raises where that does not agree with the verdict.
BY_PAGES = set(re.findall(r'^ *"evidence\(\\"([\w-]+)\\"', "\n".join(map(Path.read_text, BOOK.rglob("*.ipynb"))), re.M))
EVIDENCE = [pytest.param(s, marks=pytest.mark.nightly) if s in BY_PAGES else s for s in CHECKED]


@cache
def report(label: str) -> Report:
    (found,) = reports([LEDGER[label]], instances=REDUCED)
    return found


def findings(found: Report) -> list[tuple[str, bool, Finding]]:
    return [(e.check, e.twin, e.finding) for e in found.evidence]


# --- the ledger -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "item"), PAPER.items())
def test_every_label_of_the_paper_is_in_the_ledger(label, item):
    entries = [claim for claim in LEDGER.values() if claim.paper == label]
    assert [claim.item for claim in entries] == [item]


@pytest.mark.parametrize("item", sorted(WITHOUT_LABEL))
def test_every_item_without_a_label_is_in_the_ledger(item):
    entries = [claim for claim in LEDGER.values() if claim.item == item]
    assert [claim.paper for claim in entries] == [""]


def test_all_other_entries_are_corrected_or_added():
    others = [c for c in LEDGER.values() if c.paper not in PAPER and c.item not in WITHOUT_LABEL]
    assert {(c.item, c.paper) for c in others} == {("corrected", ""), ("added", "")}
    replaced = {label for claim in LEDGER.values() for label in claim.replaced_by}
    for claim in others:
        assert (claim.label in replaced) == (claim.item == "corrected"), claim.label


def test_labels_are_unique_and_fit_for_links():
    paths = [p.relative_to(BOOK).with_suffix("") for p in BOOK.rglob("*claims.py") if p.parent.name != "press"]
    sections = [import_module(".".join(("lifelong_book", *path.parts))) for path in paths]
    labels = [c.label for section in sections for c in section.CLAIMS]
    assert len(set(labels)) == len(labels) == len(LEDGER)
    assert all(re.fullmatch(r"(lem|thm|cor|def|algo|fig|prop|rem|note|ineq)-[a-z0-9-]+", label) for label in labels)


@pytest.mark.parametrize("label", LEDGER)
def test_verdict_and_evidence_belong_together(label):
    claim = LEDGER[label]
    assert claim.verdict in VERDICTS
    assert claim.checked == bool(claim.checks) == bool(claim.twins)
    assert set(claim.replaced_by) <= set(LEDGER) - {label}
    assert claim.title
    assert claim.statement.endswith(".")
    if claim.verdict == "refuted":
        assert claim.replaced_by
        assert any(check.violated for check in claim.checks)
        assert all(LEDGER[other].verdict != "refuted" for other in claim.replaced_by)
    else:
        assert not any(check.violated for check in claim.checks)
    if claim.verdict == "exhaustive":
        assert claim.scope
        assert any(check.kind == "exhaustive" for check in claim.checks)
    assert all(twin.violated for twin in claim.twins)
    names = [check.name for check in claim.checks + claim.twins]
    assert len(set(names)) == len(names)  # random numbers depend on the name


TWINS = [(label, twin) for label, claim in LEDGER.items() for twin in claim.twins]


@pytest.mark.parametrize(("label", "twin"), TWINS, ids=lambda x: getattr(x, "name", x))
def test_a_twin_spoils_one_thing_by_little(label, twin):
    """At most 2 % of a constant, or a hypothesis dropped; else it says why."""
    assert (twin.spoils is not None) + bool(twin.drops) + bool(twin.why) == 1
    assert twin.spoils is None or 0 < twin.spoils <= 0.02


@pytest.mark.parametrize("label", LEDGER)
def test_discrepancies_belong_to_their_verdict(label):
    claim = LEDGER[label]
    kinds = [d.kind for d in claim.discrepancies]
    assert ("refuted" in kinds) == (claim.verdict == "refuted")
    assert claim.standing.startswith("✗ refuted" if claim.verdict == "refuted" else claim.verdict)
    for d in claim.discrepancies:
        assert d.kind in KINDS
        assert d.label.startswith("found-")
        assert all(vars(d)[name].strip() for name in ("where", "printed", "fails", "example", "repair", "cost"))
        assert set(d.repaired_by) <= set(LEDGER)


@pytest.mark.parametrize("label", LEDGER)
def test_functions_named_exist(label):
    for path in LEDGER[label].functions:
        assert callable(resolve_name(path))


def test_find():
    for label, claim in LEDGER.items():
        assert find(label) is claim
    for label, item in PAPER.items():
        assert find(label).item == item
        assert find(item) is find(item.lower()) is find(item.upper())
    for item in WITHOUT_LABEL:
        assert find(item).item == item


@pytest.mark.parametrize("bad", ["Lemma 9", "corrected", "added", "lem", "", " ", None, 3], ids=repr)
def test_find_refuses(bad):
    with pytest.raises(ValueError, match=r"^name: expected one of lem-angle, .*, got .*"):
        find(bad)


# --- the evidence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("label", EVIDENCE)
def test_evidence_agrees_with_the_verdict(label):
    found = report(label)
    assert found.agrees, [e for e in found.evidence if not e.agrees]
    assert found.complete
    assert found.instances > 0
    assert len([e for e in found.evidence if not e.twin]) == len(found.claim.checks)


@pytest.mark.parametrize("label", EVIDENCE)
def test_every_broken_twin_is_violated(label):
    twins = [e for e in report(label).evidence if e.twin]
    assert len(twins) == len(LEDGER[label].twins) >= 1
    for twin in twins:
        assert twin.expected == "violated"
        assert twin.finding.violations > 0, twin


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
def test_random_checks_try_about_as_many_instances_as_asked(label):
    scaling = {check.name for check in LEDGER[label].checks if check.scales}
    for e in report(label).evidence:
        if not e.twin and e.check in scaling:
            times = INSTANCES_FOR_ONE.get((label, e.check), 1)
            assert 0.6 * REDUCED * times <= e.finding.instances <= 1.4 * REDUCED * times


@pytest.mark.parametrize(
    "label", ["lem-one-vec", "lem-one-vec-sine", "thm-subspace-sharp", "prop-subspace-exact", "prop-subspace-singular"]
)
def test_tight_instances_reach_the_bound_to_ten_digits(label):
    tight = [e.finding for e in report(label).evidence if not e.twin and e.kind == "tight"]
    assert tight
    assert all(abs(f.worst - 1) < 1e-10 for f in tight)


def test_lemma_3_is_refuted_exactly():
    exact = next(e for e in report("lem-subspace").evidence if e.kind == "exact")
    assert (exact.finding.instances, exact.finding.violations) == (1, 1)
    assert exact.finding.worst > 1
    assert "(4,1,0,-4d)" in exact.finding.witness


def test_every_claim_is_checked():
    assert set(CHECKED) == set(LEDGER)


def test_an_unchecked_claim_reports_nothing_and_contradicts_nothing():
    (found,) = reports([Claim("lem-new", "added", "", "new", "Not looked at yet.")])
    assert found.evidence == []
    assert found.agrees
    assert found.worst is None
    assert found.instances == 0


# --- gathering --------------------------------------------------------------------------------------

SMALL = [LEDGER["lem-one-vec-sine"], LEDGER["fig-perturbation"]]


def test_findings_do_not_depend_on_the_number_of_jobs():
    one, two = (reports(SMALL, instances=10_500, seed=5, n_jobs=jobs) for jobs in (1, 2))
    assert len(SMALL[0].checks[0].counts(10_500)) == 2  # chunks
    assert [r.claim.label for r in two] == [c.label for c in SMALL]
    assert [findings(r) for r in one] == [findings(r) for r in two]


def test_findings_depend_on_the_seed_only():
    first, again, other = ([findings(r) for r in reports(SMALL[:1], instances=50, seed=s)] for s in (1, 1, 2))
    assert first == again != other
    together = reports([LEDGER["fig-perturbation"], SMALL[0]], instances=50, seed=1)  # nor on the company
    assert findings(together[1]) == first[0]


def test_chunks_use_different_numbers():
    seen = []
    check = Check(
        "draws", "random", lambda count, rng: seen.append(rng.random()) or Finding(count, 0), 30, scales=True, chunk=10
    )
    (found,) = reports([Claim("x", "", "", "", "", "proved", checks=(check,))])
    assert len(set(seen)) == 3
    assert found.instances == 30


@pytest.mark.parametrize(("total", "sizes"), [(1, [1]), (9, [9]), (10, [10]), (11, [10, 1]), (35, [10, 10, 10, 5])])
def test_chunk_sizes(total, sizes):
    run = lambda count, rng: Finding(count, 0)  # noqa: E731
    assert Check("x", "random", run, 7, scales=True, chunk=10).counts(total) == sizes
    assert Check("x", "random", run, total, scales=True, chunk=10).counts(None) == sizes
    assert Check("x", "exact", run, 77, chunk=10).counts(total) == [77]


FAILS = Check("always fails", "exact", lambda count, rng: Finding(1, 1))
NOTHING = Check("tries nothing", "exact", lambda count, rng: Finding(0, 0))
NOT_A_NUMBER = Check("not a number", "exact", lambda count, rng: Finding.of_ratios([0.5, np.nan]))
RAISES = Check("raises", "exact", lambda count, rng: Finding(1 // 0, 0))
HARMLESS = Check("twin that holds", "exact", lambda count, rng: Finding(1, 0), violated=True)


@pytest.mark.parametrize("check", [FAILS, NOTHING, NOT_A_NUMBER, RAISES, HARMLESS], ids=lambda c: c.name)
def test_a_wrong_claim_is_contradicted(check):
    claim = LEDGER["fig-perturbation"]
    wrong = replace(claim, twins=(check,)) if check.violated else replace(claim, checks=(*claim.checks, check))
    (found,) = reports([wrong])
    assert not found.agrees
    assert [e.check for e in found.evidence if not e.agrees] == [check.name]


def test_a_wrong_claim_is_contradicted_by_two_jobs_as_well():
    wrong = replace(LEDGER["fig-perturbation"], checks=(FAILS,))
    (found,) = reports([wrong], n_jobs=2)
    assert not found.agrees


def test_lemma_3_called_true_is_contradicted():
    claim = LEDGER["lem-subspace"]
    believed = replace(claim, verdict="proved", checks=tuple(replace(c, violated=False) for c in claim.checks))
    (found,) = reports([believed], instances=100)
    assert not found.agrees


def interrupting(calls: list, at: int):
    def run(count, rng):
        calls.append(count)
        if len(calls) == at:
            raise KeyboardInterrupt
        return Finding(count, 0)

    return run


def test_an_interrupt_keeps_what_was_found():
    run = interrupting(calls := [], at=3)
    scaling = Check("chunks", "random", run, 40, scales=True, chunk=10)
    first = Claim("first", "", "", "", "", "proved", checks=(replace(scaling, name="one chunk", instances=10),))
    second = Claim("second", "", "", "", "", "proved", checks=(scaling, replace(scaling, name="never reached")))
    found = reports([first, second, replace(first, label="third")])
    assert calls == [10, 10, 10]
    assert [r.complete for r in found] == [True, False, False]
    assert [r.instances for r in found] == [10, 10, 0]
    assert [len(r.evidence) for r in found] == [1, 1, 0]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_check_that_raises_is_failed_evidence_and_the_rest_survives(jobs):
    broken = replace(LEDGER["fig-perturbation"], checks=(RAISES, *LEDGER["fig-perturbation"].checks))
    first, second = reports([broken, LEDGER["fig-perturbation"]], n_jobs=jobs)
    assert not first.agrees and second.agrees and first.complete
    assert [e.agrees for e in first.evidence] == [False, True, True]
    assert first.evidence[0].finding.error == "ZeroDivisionError: integer division or modulo by zero"


def test_a_twin_that_raises_does_not_count_as_violated():
    (found,) = reports([replace(LEDGER["fig-perturbation"], twins=(replace(RAISES, violated=True),))])
    assert not found.agrees


# --- bite: how far a constant can be lowered before the evidence notices ------------------------------


def test_each_inequality_has_a_ratio_of_its_own():
    found = Finding.of_ratios({"labels": [0.5, 1.0], "features": [0.25, 1.25, 2.0]})
    assert (found.instances, found.violations, found.worst) == (3, 2, 2.0)
    assert found.inequalities == {"labels": 1.0, "features": 2.0}
    assert (found + Finding.of_ratios({"labels": [3.0]})).ratios == {"labels": 3.0, "features": 2.0}
    assert Finding.of_ratios([0.5]).inequalities == {"": 0.5}
    assert Finding(3, 0).inequalities == {}


def test_the_bite_of_a_claim_is_that_of_its_loosest_inequality():
    tight = Check("tight", "tight", lambda count, rng: Finding.of_ratios({"a": [1.0], "b": [0.2]}))
    loose = Check("loose", "random", lambda count, rng: Finding.of_ratios({"a": [0.3], "b": [0.4]}))
    (found,) = reports([Claim("x", "", "", "", "", "proved", checks=(tight, loose), twins=(loose,))])
    assert found.bites == {"a": 1.0, "b": 0.4}
    assert found.bite == 0.4


def test_a_knob_is_turned_until_the_evidence_goes_red():
    def run(count, rng, factor=1.0):
        return Finding.of_ratios([0.37 / factor])

    check = Check("x", "exact", run, knobs={"accuracy": run})
    (plain,), (bitten,) = (reports([Claim("x", "", "", "", "", "proved", checks=(check,))], bite=b) for b in (0, 1))
    assert plain.bites == {"": 0.37}
    assert 0.37 <= bitten.bites["accuracy"] <= 0.38
    assert json.dumps(bitten.as_dict())
    never = replace(check, knobs={"accuracy": lambda count, rng, factor: Finding(1, 1)})
    assert never.turn("accuracy", seed=0, label="x") == np.inf


def test_progress_bar_on_standard_error(capsys):
    reports([LEDGER["fig-perturbation"]], progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "2/2" in printed.err


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "300", np.nan], ids=repr)
def test_instances_must_be_a_positive_integer(bad):
    with pytest.raises(ValueError, match=r"^instances: expected an integer >= 1, got .+"):
        reports([LEDGER["lem-one-vec"]], instances=bad)


@pytest.mark.parametrize("bad", [-1, 2.5, True, "0", None], ids=repr)
def test_seed_must_be_a_natural_number(bad):
    with pytest.raises(ValueError, match=r"^seed: expected an integer >= 0, got .+"):
        reports([LEDGER["fig-perturbation"]], seed=bad)


@pytest.mark.parametrize("bad", [0, 1.5, True, "2", None], ids=repr)
def test_jobs_must_be_a_number_of_processes(bad):
    with pytest.raises(ValueError, match=r"^n_jobs: expected .*, got .+"):
        reports([LEDGER["fig-perturbation"]], n_jobs=bad)


# --- findings and reports ---------------------------------------------------------------------------


def test_ratios_within_rounding_of_one_hold():
    assert Finding.of_ratios([1, 1 + 0.9 * ROUNDING, 0]).violations == 0
    assert Finding.of_ratios([[1 + 1.1 * ROUNDING], [2.0]]).violations == 2
    assert Finding.of_ratios([0.5, np.nan]).violations == 1
    assert Finding.of_ratios([np.inf]).violations == 1
    assert Finding.of_ratios([]) == Finding(0, 0)


def test_outcomes_are_counted():
    assert Finding.of_outcomes((n % 2 == 0 for n in range(5)), "odd ones") == Finding(5, 2, witness="odd ones", at=1)
    assert Finding.of_outcomes(np.array([True, False])) == Finding(2, 1, at=1)
    assert Finding.of_outcomes([]) == Finding(0, 0)


def test_runs_keep_the_names_of_their_inequalities():
    found = Finding.of_runs(iter([{"a": 0.5, "b": 2.0}, {"b": 0.25, "a": 1.0}]), "two runs")
    assert found == Finding(2, 1, 2.0, "two runs", {"a": 1.0, "b": 2.0}, at=0)
    assert Finding.of_runs([]) == Finding(0, 0)


@pytest.mark.parametrize("other", [{"a": 1.0, "b": 1.0}, {"b": 1.0}, {}], ids=str)
def test_no_ratio_of_a_run_is_lost(other):
    with pytest.raises(ValueError, match=r"^runs: expected the ratios \['a'\] of each, got "):
        Finding.of_runs([{"a": 0.5}, other])


def test_findings_add():
    a, b = Finding(2, 1, 0.5, "first"), Finding(3, 0, 0.75, "second")
    assert a + b == Finding(5, 1, 0.75, "first")
    assert a + Finding(1, 0) == Finding(3, 1, 0.5, "first")
    assert Finding(1, 0) + b == Finding(4, 0, 0.75, "second")
    assert Finding(1, 0) + Finding(1, 0) == Finding(2, 0)


def test_a_sum_of_findings_keeps_a_worst_that_is_not_a_number():
    a, b = Finding.of_ratios([0.5]), Finding.of_ratios([np.nan])
    assert np.isnan((a + b).worst)
    assert np.isnan((b + a).worst)


@pytest.mark.parametrize(
    ("expected", "violations", "agrees"),
    [
        ("holds", 0, True),
        ("holds", 1, False),
        ("violated", 0, False),
        ("violated", 1, True),
        ("reported", 0, True),
        ("reported", 1, True),
    ],
)
def test_evidence_agrees_when_it_is_as_expected(expected, violations, agrees):
    assert Evidence("x", "exact", False, expected, Finding(1, violations), 0.0).agrees is agrees
    assert not Evidence("x", "exact", False, expected, Finding(0, 0), 0.0).agrees


@pytest.mark.parametrize("lost", [{"needs": "lifelong[learners]"}, {"error": "ZeroDivisionError: x"}], ids=str)
def test_what_did_not_run_says_nothing_but_a_violation_stays_one(lost):
    silent = Evidence("x", "exact", False, "holds", Finding(0, 0, **lost), 0.0)
    assert not (silent.ran or silent.agrees or silent.contradicts)
    twin = Evidence("x", "exact", True, "violated", Finding(0, 0, **lost), 0.0)
    assert not (twin.agrees or twin.contradicts)
    half = replace(silent, finding=Finding(10, 1) + silent.finding)
    assert half.contradicts and not half.agrees and not half.ran
    assert Report(LEDGER["rem-dimension"], [silent, half]).needs == sorted(set(lost.values()) & {"lifelong[learners]"})


def test_twins_do_not_count_as_evidence():
    found = report("lem-one-vec")
    assert found.instances == sum(e.finding.instances for e in found.evidence if not e.twin)
    assert found.worst == max(e.finding.worst for e in found.evidence if not e.twin)
    assert found.worst < 1 + ROUNDING < max(e.finding.worst for e in found.evidence if e.twin)
    assert found.seconds == pytest.approx(sum(e.seconds for e in found.evidence))


@pytest.mark.parametrize("label", ["lem-subspace", "thm-halfspaces"])
def test_a_report_is_plain_data(label):
    data = report(label).as_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["page"] == f"book/{LEDGER[label].page}.html#{label}"
    assert len(data["evidence"]) == len(LEDGER[label].checks)
    assert len(data["twins"]) == len(LEDGER[label].twins)


def test_counts_of_numpy_are_still_plain_data():
    check = Check("counted with numpy", "exact", lambda count, rng: Finding(np.int64(3), np.int64(0), np.float64(0.5)))
    (found,) = reports([Claim("x", "", "", "", "", "proved", checks=(check,))])
    assert json.loads(json.dumps(found.as_dict()))["instances"] == 3


def test_a_ratio_that_is_no_number_is_still_plain_data():
    (found,) = reports([replace(LEDGER["fig-perturbation"], checks=(NOT_A_NUMBER,))])
    json.dumps(found.as_dict(), allow_nan=False)
