"""Sweeps: blocks with seeds of their own, the worst of them with its witness, the same however they are run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lifelong_book.press.claims import CLAIMS
from lifelong_book.press.ledger import LEDGER, Check, Finding, reports
from lifelong_book.press.ledger.lines import Lines
from lifelong_book.press.ledger.sweep import sweep, swept_check

RECORDS = Path(__file__).parents[2] / "book" / "records"
SWEPT = [(label, check.name) for label in sorted(CLAIMS) for check in LEDGER[label].checks if check.instance]


def told(found) -> dict:
    return {key: value for key, value in found.as_dict().items() if key != "seconds"}


def ratio(label: str, witness: dict) -> float:
    """Measured over bound of one instance, by the sides that the book shows."""
    arrays = {"learned" if name == "estimate" else name: np.array(value) for name, value in witness.items()}
    if "U" in arrays:
        arrays["U"] = arrays["U"].reshape(-1, len(arrays["b"]))
    sides = CLAIMS[label](**{name: value[None] for name, value in arrays.items()})
    pairs = sides.values() if isinstance(sides, dict) else [sides]
    return max(float((left / right)[0]) for left, right in pairs)


@pytest.mark.parametrize(("label", "check"), SWEPT)
def test_the_witness_is_the_worst_instance(label, check):
    found = sweep(LEDGER[label], check, instances=700, block=300)
    assert found.finding.instances in (700, 696)  # whole shares of six shapes
    assert ratio(label, found.witness) == pytest.approx(found.finding.worst, rel=1e-6)
    json.dumps(found.as_dict(), allow_nan=False)


@pytest.mark.parametrize(("label", "check"), SWEPT)
def test_a_sweep_in_the_blocks_of_the_check_finds_what_verify_finds(label, check):
    claim = LEDGER[label]
    claim = replace(claim, checks=(swept_check(claim, check),), twins=())
    (report,) = reports([claim], instances=7000, seed=3)
    found = sweep(claim, instances=7000, seed=3)
    assert replace(found.finding, at=None) == replace(report.evidence[0].finding, at=None)


def test_the_blocks_are_the_same_however_they_are_run(tmp_path):
    claim = LEDGER["lem-subspace"]
    whole = told(sweep(claim, instances=3300, block=600))
    assert told(sweep(claim, instances=3300, block=600, n_jobs=2)) == whole
    for instances in (1000, 2400, 3300):  # the last block of the first two is a short one
        with Lines(tmp_path / "lines", {"block": 600}) as lines:
            grown = sweep(claim, instances=instances, block=600, lines=lines)
    assert told(grown) == whole
    assert told(sweep(claim, instances=3300, block=600, seed=1)) != whole


@pytest.mark.parametrize(
    ("ratios", "worst"),
    [
        ([[0.5, 0.7], [0.9, 0.2]], (1, 2, 0)),
        ([[0.9, 0.7], [0.9, 0.2]], (0, 2, 0)),
        ([[2.0, 0.7], [0.9, np.nan]], (1, 2, 1)),
        ([[0.5, 0.7], [0.1]], (0, 2, 1)),
    ],
)
def test_the_worst_is_the_first_of_the_largest_and_no_number_is_worse_than_any(ratios, worst):
    given = iter(ratios)
    check = Check("toy", "random", lambda count, rng: Finding.of_ratios(next(given)), scales=True)
    claim = replace(LEDGER["ineq-scalar"], checks=(check,))
    assert sweep(claim, instances=sum(map(len, ratios)), block=2).worst == worst


def test_what_is_not_measured_has_its_first_failure():
    outcomes = iter([[True, True], [True, False], [False, False]])
    check = Check("toy", "random", lambda count, rng: Finding.of_outcomes(next(outcomes)), scales=True)
    found = sweep(replace(LEDGER["ineq-scalar"], checks=(check,)), instances=6, block=2)
    assert (found.worst, found.finding.violations, found.evidence.contradicts) == ((1, 2, 1), 3, True)


def test_a_block_that_raises_is_named_and_the_others_count():
    def run(count, rng):
        if count == 1:
            raise RuntimeError("one is not enough")
        return Finding(count, 0)

    found = sweep(
        replace(LEDGER["ineq-scalar"], checks=(Check("toy", "random", run, scales=True),)), instances=5, block=2
    )
    assert list(found.failed) == [2] and found.finding.instances == 4
    assert not found.complete and not found.interrupted
    assert not found.evidence.agrees and not found.evidence.contradicts


@pytest.mark.parametrize(
    ("label", "check"), [("fig-perturbation", ""), ("lem-subspace", "chains"), ("lem-one-vec", "x y")]
)
def test_what_cannot_be_swept(label, check):
    with pytest.raises(ValueError, match=rf"check: expected a part of one of those of {label}"):
        sweep(LEDGER[label], check, instances=10)


@pytest.mark.parametrize("bad", [{"instances": 0}, {"instances": 1.5}, {"block": 0}, {"seed": -1}], ids=str)
def test_bad_numbers(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        sweep(LEDGER["ineq-scalar"], **{"instances": 10, **bad})


def test_the_record_is_what_its_worst_block_gives():
    record = json.loads((RECORDS / "sweep.json").read_text())
    assert record["complete"] and record["instances"] == record["blocks"] * record["block"]
    check, at = swept_check(LEDGER[record["label"]], record["check"]), record["worst at"]
    again = check.find(seed=record["seed"], label=record["label"], chunk=at["block"], count=at["of"])
    # an angle of 1e-7 has nine digits on another machine, no more
    assert again.worst == pytest.approx(record["worst"], rel=1e-8)
    assert ratio(record["label"], record["witness"]) == pytest.approx(record["worst"], rel=1e-8)
