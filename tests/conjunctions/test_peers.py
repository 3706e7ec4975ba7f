"""The comparison with other factorisations: its record holds, and is complete."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lifelong_book.beyond.noise.peers import METHODS, SETTINGS, planted_instance, recovered, wrong_cells

RECORD = json.loads((Path(__file__).parents[2] / "book/records/boolean_peers.json").read_text(encoding="utf-8"))


QUICK = [
    row
    for row in RECORD["rows"]
    if row["method"] in METHODS
    and (row["setting"] not in ("large", "noisy zipf") or row["method"] in ("metafeatures", "robust_metafeatures"))
]


@pytest.mark.parametrize("row", QUICK, ids=lambda row: f"{row['setting']}-{row['method']}")
def test_the_record_of_the_peers_holds(row):
    instance = planted_instance(row["setting"], rng=RECORD["seed"])
    codes, pieces = METHODS[row["method"]](instance)
    assert len(pieces) == row["pieces"]
    assert recovered(pieces, instance.metafeatures) == row["recovered"]
    assert wrong_cells(codes, pieces, instance.targets) == row["wrong"]


def test_the_record_is_complete():
    assert {row["setting"] for row in RECORD["rows"]} == set(SETTINGS)
    assert len(RECORD["rows"]) == len(SETTINGS) * len({row["method"] for row in RECORD["rows"]})
    assert {"command", "seed", "cap", "date", "versions"} <= set(RECORD)
    assert {"PyBMF", "concepts", "scikit-learn", "numpy", "python"} <= set(RECORD["versions"])


def test_bad_settings_are_named():
    with pytest.raises(ValueError, match="name"):
        planted_instance("none")
