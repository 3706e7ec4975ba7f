"""The repairs of Theorem 1: the claims see a spoiled threshold, and the tables hold together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lifelong.halfspaces.algorithm1 import LargeDirections
from lifelong_book.halfspaces.repair import tables as repair
from lifelong_book.halfspaces.subspace import tables as halfspaces
from lifelong_book.halfspaces.subspace.experiments import printed_accuracy
from lifelong_book.halfspaces.subspace.sample_experiments import labels_alone, unlucky_run
from lifelong_book.press.ledger import LEDGER, reports


@pytest.mark.parametrize("factor", [16.0, 1 / 16])
def test_another_threshold_is_seen(factor, monkeypatch):
    """A threshold 16 times too large searches too late, one 16 times too small too much."""
    made = LargeDirections.__init__

    def spoiled(self, *args, **kwargs):
        made(self, *args, **kwargs)
        self.eigenvalue *= factor

    monkeypatch.setattr(LargeDirections, "__init__", spoiled)
    (report,) = reports([LEDGER["thm-halfspaces-spectral"]])
    assert not report.agrees


# --- the tables -----------------------------------------------------------------------------------


def test_every_choice_is_an_accuracy():
    for choice in repair._CHOICES:
        assert 0 < repair._accuracy_of(choice, 4, 0.1) < 0.1
    assert repair._accuracy_of("printed", 4, 0.1) == printed_accuracy(4, 0.1)
    with pytest.raises(ValueError, match="choice: expected"):
        repair._accuracy_of("eps", 4, 0.1)
    with pytest.raises(ValueError, match="order: expected"):
        unlucky_run(0.001, "sorted", rng=np.random.default_rng(0))


def test_the_baseline_follows_the_seed_of_the_table():
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(1, 2)))
    assert halfspaces._seed(rng) == 7
    found = [labels_alone("gaussian", 10, 0.1, largest=False, tasks=5, seed=seed) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert labels_alone("gaussian", 10, 0.1, largest=False, tasks=5) == found[0]


def test_the_ranges_of_the_labels_hold_their_mean():
    path = Path(__file__).parents[2] / "book" / "records" / "labels.json"
    rows = json.loads(path.read_text())["rows"]
    assert rows[0]["streams"] >= 6
    for row in rows:
        assert row["labels_least"] <= row["labels"] <= row["labels_most"]
        assert row["ratio_least"] <= row["ratio"] <= row["ratio_most"]


@pytest.mark.parametrize("name", ["accuracy", "unlucky_order"])
def test_no_bound_is_passed_in_the_record(name):
    path = Path(__file__).parents[2] / "book" / "records" / f"{name}.json"
    for row in json.loads(path.read_text())["rows"]:
        for found, bound in (("worst", "bound"), ("random_max", "bound"), ("sampled_needed", "bound")):
            if row.get(bound) is not None and row[found] is not None:
                assert row[found] <= row[bound]
        assert row.get("order") != "chain" or row["reached"] <= 1
