"""The comparison of costs: all sides compute the same, and the record has what the page shows. Nothing is timed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lifelong_book.press.ledger import LEDGER, reports

ROOT = Path(__file__).parents[1]
RECORD = json.loads((ROOT / "book/records/cost.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def cost():
    from lifelong_book.running import cost

    return cost


def test_angles_are_those_of_the_peer(cost):
    calls = cost.angles(pairs=5, n=12, k=3)
    np.testing.assert_allclose(calls["ours"](), calls["scipy.linalg.subspace_angles, in a loop"](), rtol=1e-9)
    cosines = calls["limit"]()
    np.testing.assert_allclose(np.cos(calls["ours"]()), cosines[:, -1], rtol=1e-9)


@pytest.mark.parametrize("sizes", [{"m": 40, "n": 30, "k": 12}, {"m": 12, "n": 15}], ids=["planted", "dense"])
def test_metafeatures_are_those_of_the_peers(cost, sizes):
    calls = (cost.planted if "k" in sizes else cost.dense)(**sizes)
    ours = calls["ours"]()
    np.testing.assert_array_equal(ours, calls["the printed loop"]())
    if "concepts" in calls:
        assert {bytes(row) for row in ours} == {bytes(row) for row in calls["concepts"]()[1]}
    assert (np.diag(calls["limit"]()) >= 0).all()


def test_a_chain_is_trimmed_to_its_steps(cost):
    assert cost.trimming(k=4, n=9)["ours"]().sum(axis=1).tolist() == [6, 1, 1, 1]


def test_the_stream_ends_with_the_span_of_the_limit(cost):
    calls = cost.streams(m=30, n=12, k=3)
    run = calls["ours"]()
    assert run.scratch == 3
    projected = calls["limit"]()
    np.testing.assert_allclose([step.hypothesis for step in run.steps], projected / norms(projected), atol=0.02)


def norms(rows):
    return np.linalg.norm(rows, axis=1, keepdims=True)


def test_learners_agree_on_many_labels(cost):
    calls = cost.learners(labels=400, n=3)
    found = [calls[name]() for name in calls if name != "limit"]
    found = [w / np.linalg.norm(w) for w in found]
    np.testing.assert_allclose(np.abs(found @ found[0]), 1.0, atol=1e-3)


def test_ratios_are_what_they_say(cost):
    assert cost.quartiles([2.0, 4.0, 6.0], [2.0, 2.0, 2.0]) == [1.5, 2.0, 2.5]
    assert set(cost.measured({"ours": lambda: None, "limit": lambda: None}, rounds=3)) == {"ours", "limit"}


def test_the_record_is_complete(cost):
    assert RECORD["command"].endswith("book/records/cost.json")
    assert set(RECORD["limits"]) == {subject.name for subject in cost.SUBJECTS}
    expected = [(s.name, varied, sizes) for s in cost.SUBJECTS for varied, sizes in s.cases()]
    assert [(row["subject"], row["varied"], row["sizes"]) for row in RECORD["rows"]] == expected
    assert all(low <= middle <= high for low, middle, high in (row["to the limit"] for row in RECORD["rows"]))
    assert {"processor", "cores", "threads", "linear algebra", "versions"} <= set(RECORD["machine"])
    assert set(RECORD["dates"]) == set(RECORD["limits"])


def test_the_tables_of_the_page_show_every_loss(cost):
    row = {"subject": "s", "varied": "n", "sizes": {"n": 5}, "peers": {"p": [0.4, 0.5, 0.6], "q": [2.0, 2.0, 2.0]}}
    lines = cost.beside_peers([row, row | {"sizes": {"n": 7}, "peers": {"p": [3.0, 3.0, 3.0]}}])
    assert lines == [
        ("s", "p", "0.5 to 3", "1 of 2 sizes; n = 5: 2.0 times as fast"),
        ("s", "q", "2 to 2", "0 of 1 sizes"),
    ]
    assert [line[:2] for line in cost.beside_limits(RECORD["rows"])] == [(s.name, s.limit) for s in cost.SUBJECTS]


MILLIONS = json.loads((ROOT / "book/records/million.json").read_text(encoding="utf-8"))


def test_a_million_instances_break_nothing():
    assert MILLIONS["complete"] and MILLIONS["agrees"] and "--instances 1000000" in MILLIONS["command"]
    large = [check for claim in MILLIONS["claims"] for check in claim["evidence"] if check["instances"] > 999_990]
    assert len(large) == 2
    assert all(check["violations"] == 0 and check["worst"] <= 1 + 1e-9 for check in large)


@pytest.mark.parametrize("claim", MILLIONS["claims"], ids=lambda claim: claim["label"])
def test_a_slice_of_the_million(claim):
    """The first chunks, and what has a fixed number of instances, are found again: a part is never worse than all."""
    (report,) = reports([LEDGER[claim["label"]]], instances=20_000, seed=MILLIONS["seed"])
    assert report.agrees
    for found, stored in zip(report.evidence, claim["evidence"] + claim["twins"], strict=True):
        assert (found.check, found.expected) == (stored["check"], stored["expected"])
        if found.finding.instances == stored["instances"]:
            assert found.finding.worst == pytest.approx(stored["worst"], rel=1e-6)
        assert found.finding.worst <= stored["worst"] * (1 + 1e-9)
