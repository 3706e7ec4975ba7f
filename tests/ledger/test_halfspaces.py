"""What the claims of Sections 3.2 to 3.4 are made of, and that they see what is wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lifelong import angle, laws, subspace_angle
from lifelong.halfspaces import instances
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections
from lifelong_book.beyond.features import tables as repair
from lifelong_book.beyond.labels import tables as halfspaces
from lifelong_book.beyond.labels.experiments import labels_alone
from lifelong_book.halfspaces.perturbation import claims as room
from lifelong_book.halfspaces.subspace.claims import _falls, _printed_angles, _Turning
from lifelong_book.halfspaces.subspace.experiments import CHAINS, chain_run, exact_run, printed_accuracy
from lifelong_book.halfspaces.subspace.instances import random_targets
from lifelong_book.press.ledger import LEDGER, reports
from lifelong_book.press.two_sided import Random

RECORDS = Path(__file__).parents[2] / "book" / "records"


# --- perturbation


@pytest.mark.parametrize("label", ["lem-one-vec", "thm-subspace-sharp"])
def test_families_near_equality_come_near_and_hold(label):
    check = next(check for check in LEDGER[label].checks if check.name.startswith("Near "))
    found = check.find(seed=1, label=label, count=20_000)
    assert (found.instances, found.violations) == (20_000, 0) and 1 - 1e-6 < found.worst <= 1 + 1e-9


def test_instances_near_tilted_planes_differ_in_every_direction():
    for n, k in room.SHAPES[1:]:
        x = room.near_right_angles(12, np.random.default_rng(0), n, k)
        rows = np.concatenate([x["U"], x["b"][:, None], x["learned"][:, None]], axis=1)
        assert (np.linalg.matrix_rank(rows) == min(rows.shape[1:])).all()


@pytest.mark.parametrize("k", [1, 2, 5])
def test_many_chains_and_targets_at_a_time_are_those_of_one(k):
    gamma, error = np.array([0.3, 0.7, np.pi / 2]), np.array([0.01, 0.2, 1.2])
    rows = room.chain(k, gamma)
    x = room.worst_targets(rows, error)
    for i in range(3):
        assert np.allclose(rows[i], instances.chain(k, gamma[i : i + 1])[0], atol=1e-14)
        assert angle(x["true"][i], x["learned"][i]).max() == pytest.approx(error[i])


def test_the_pinned_factor_is_that_of_the_hand_counterexample():
    left, right = room.by_hand()
    true, learned = room.whole_numbers().values()
    assert left < subspace_angle(true, learned) and right > room.lemma_3(true, learned)[1]
    assert left / right > 1.467


def test_the_claims_measure_what_a_hypothesis_is_about():
    rng, x = np.random.default_rng(0), room.chains(4, 3)
    x["true"] = room.turned(x["true"], np.full((4, 3), 0.3), rng)
    with pytest.raises(ValueError, match="misses a hypothesis: The error is at most"):
        room.lemma_3.compare(Random(lambda: x, name="too far"), None, 1.0, 4, rng)


# --- subspace


def test_determinant_steps_see_an_opening_without_need():
    """A feature that repeats another lowers nothing."""
    targets = random_targets(3, 60, 10, rng=np.random.default_rng(0))
    run = exact_run(targets, 0.1, 0.02, direction="random", rng=0)
    assert _falls(run, targets, 3, 0.1, 0.02).max() <= 1 + 1e-9
    features = np.vstack([run.representation.features, run.representation.features[0]])
    features[-1, -1] += 1e-9
    run.representation.features = features
    assert _falls(run, targets, 3, 0.1, 0.02).max() > 1


def test_printed_angles_meet_the_printed_conditions():
    epsilon = 0.1  # gamma = eps, our constants
    for k in (1, 2, 5):
        error, allowed = _printed_angles(k, epsilon)
        assert error <= epsilon**2 / (10 * k) and epsilon + 2 * k * error / epsilon <= allowed * (1 + 1e-12)
        assert np.pi * printed_accuracy(k, epsilon) == pytest.approx(error) and allowed <= np.pi * epsilon


@pytest.mark.parametrize("law", list(laws.ISOTROPIC_LAWS.values()), ids=lambda law: law.name)
def test_turning_in_the_plane_against_counts(law):
    turning, start = _Turning(law(2)), 0.4
    end = turning.turned(start, 0.1)
    assert turning.error(start, end) == pytest.approx(0.1, abs=1e-9)
    assert turning.error(0.0, np.pi) == pytest.approx(1, abs=1e-4)
    assert turning.low * (end - start) - 1e-9 <= 0.1 <= turning.high * (end - start) + 1e-9
    X = law(2).sample(100_000, rng=0)
    signs = [X @ [-np.sin(x), np.cos(x)] >= 0 for x in (start, end)]
    assert np.mean(signs[0] != signs[1]) == pytest.approx(0.1, abs=5 * np.sqrt(0.09 / 100_000))


@pytest.mark.parametrize("seed", range(2))
def test_bounds_lowered_by_two_per_cent_are_refuted(seed):
    for label in ("thm-halfspaces-volume", "thm-halfspaces-determinant", "thm-halfspaces-exact"):
        spoiled = [check for check in LEDGER[label].twins if check.spoils]
        assert spoiled and all(check.find(seed=seed, label=label).violations for check in spoiled)


def test_theorem_one_called_true_is_contradicted():
    (found,) = reports([LEDGER["thm-halfspaces"]], instances=5)
    chains = next(e.finding for e in found.evidence if "our constants" in e.check)
    assert chains.violations == chains.instances == len(CHAINS)
    best = chain_run(10, 0.1).representation.oracle.best[-1]
    assert f"best error for target 11 is {best:.4f}" in chains.witness


# --- repair


@pytest.mark.parametrize("factor", [16.0, 1 / 16])
def test_another_threshold_is_seen(factor, monkeypatch):
    """A threshold 16 times too large searches too late, one 16 times too small too much."""
    made = LargeDirections.__init__

    def spoiled(self, *args, **kwargs):
        made(self, *args, **kwargs)
        self.eigenvalue *= factor

    monkeypatch.setattr(LargeDirections, "__init__", spoiled)
    claim = LEDGER["thm-halfspaces-spectral"]
    alone = (reports([replace(claim, checks=(check,), twins=())])[0] for check in claim.checks)
    assert not all(report.agrees for report in alone)  # the first that sees it is enough


def test_every_choice_is_an_accuracy():
    assert all(0 < repair._accuracy_of(choice, 4, 0.1) < 0.1 for choice in repair._CHOICES)
    assert repair._accuracy_of("printed", 4, 0.1) == printed_accuracy(4, 0.1)
    with pytest.raises(ValueError, match="choice: expected"):
        repair._accuracy_of("eps", 4, 0.1)


def test_the_baseline_follows_the_seed_of_the_table():
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(1, 2)))
    assert halfspaces._seed(rng) == 7
    seeds = ({"seed": 0}, {}, {"seed": 1})
    found = [labels_alone("gaussian", 10, 0.1, largest=False, tasks=5, **seed) for seed in seeds]
    assert found[0] == found[1] != found[2]


def test_the_records_hold_their_means_and_pass_no_bound():
    rows = {name: json.loads((RECORDS / f"{name}.json").read_text())["rows"] for name in ("accuracy", "unlucky_order")}
    for row in [*rows["accuracy"], *rows["unlucky_order"]]:
        for found, bound in (("worst", "bound"), ("random_max", "bound"), ("sampled_needed", "bound")):
            assert row.get(bound) is None or row[found] is None or row[found] <= row[bound]
        assert row.get("order") != "chain" or row["reached"] <= 1
    labels = json.loads((RECORDS / "labels.json").read_text())["rows"]
    assert labels[0]["streams"] >= 6
    for row in labels:
        assert all(row[f"{name}_least"] <= row[name] <= row[f"{name}_most"] for name in ("labels", "ratio"))
