"""The comparison with other factorisations: its record holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lifelong_book.beyond.noise.peers import METHODS, SETTINGS, planted_instance, recovered, wrong_cells

RECORD = json.loads((Path(__file__).parents[2] / "book/records/boolean_peers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("setting", [name for name in SETTINGS if name not in ("large", "noisy zipf")])
def test_the_record_of_the_peers_holds(setting):
    instance = planted_instance(setting, rng=RECORD["seed"])
    for row in RECORD["rows"]:
        if row["setting"] == setting and row["method"] in METHODS:
            codes, pieces = METHODS[row["method"]](instance)
            found = len(pieces), recovered(pieces, instance.metafeatures), wrong_cells(codes, pieces, instance.targets)
            assert found == (row["pieces"], row["recovered"], row["wrong"])
