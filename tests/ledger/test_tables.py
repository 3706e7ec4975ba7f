"""The long tables: seeded by case, kept on an interrupt, and as their records say."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lifelong_book.press.command_line as command
from lifelong_book.beyond.two_levels.tables import _direct
from lifelong_book.press.command_line import EXPERIMENTS
from lifelong_book.press.table import Experiment, run_cases

RECORDS = Path(__file__).parents[2] / "book" / "records"


def draws(case, rng):
    return {"draw": float(rng.random())}


TOY = Experiment("toy", "draws", tuple({"x": x} for x in range(4)), draws)


def test_a_case_gives_the_same_line_whichever_others_run():
    whole = run_cases(TOY).rows
    assert [row["x"] for row in whole] == [0, 1, 2, 3] and len({row["draw"] for row in whole}) == 4
    assert run_cases(TOY, [2]).rows == [whole[2]]
    assert run_cases(TOY, n_jobs=2).rows == whole != run_cases(TOY, seed=1).rows


def test_an_interrupt_keeps_what_is_there():
    def stops(case, rng):
        if case["x"] == 2:
            raise KeyboardInterrupt
        return {}

    table = run_cases(Experiment("stops", "stops", TOY.cases, stops))
    assert not table.complete and [row["x"] for row in table.rows] == [0, 1]


@pytest.mark.parametrize(("cases", "words"), [([4], "below 4"), ([-1], "cases"), (["a"], "cases")])
def test_cases_that_do_not_exist(cases, words):
    with pytest.raises(ValueError, match=words):
        run_cases(TOY, cases)


def test_on_the_command_line(capsys, monkeypatch):
    monkeypatch.setitem(command.EXPERIMENTS, "toy", TOY)
    assert command.main(["table", "toy", "--cases", "1", "3", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["command"] == "lifelong table toy --cases 1 3 --seed 0 --json"
    assert [row["x"] for row in record["rows"]] == [1, 3]
    assert command.main(["table", "toy"]) == 0 and "draws" in capsys.readouterr().out
    assert command.main(["table", "toy", "--cases", "9"]) == 2


def same(measured, recorded):
    """Equal, floats to the rounding of another machine."""
    if isinstance(recorded, float) and measured is not None:
        return np.isclose(measured, recorded, rtol=1e-6, atol=1e-12)
    return measured == recorded


#: The cases of each record that are run again, the quick ones.
AGAIN = {
    "accuracy": [3, 33], "exactly_k": [3], "unlucky_order": [0, 10], "levels": [8, 11], "labels": [7],
    "learners": [0, 35], "multitask": [0], "digits": [4, 11], "direct": [10], "laws": [0, 11], "noise": [0, 12],
    "noise_pieces": [0, 22], "tuned": [15],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(EXPERIMENTS))
def test_a_record_is_of_the_whole_experiment_and_a_slice_of_it_is_found_again(name):
    record, cases = json.loads((RECORDS / f"{name}.json").read_text()), EXPERIMENTS[name].cases
    assert record["complete"]
    parameters = [{key: row[key] for key in case} for row, case in zip(record["rows"], cases, strict=True)]
    assert parameters == json.loads(json.dumps([dict(case) for case in cases]))
    for index in AGAIN[name]:
        row = json.loads(json.dumps(EXPERIMENTS[name].row(index, record["seed"])))
        wrong = {key: (row[key], value) for key, value in record["rows"][index].items() if not same(row[key], value)}
        assert not {key for key in wrong if not key.endswith("seconds")}  # the clock is the machine's own


def test_the_table_of_the_direct_learner_at_a_small_size():
    size = {"n": 40, "k": 8, "r": 3, "m": 80, "epsilon": 0.1, "second": 0.0255}
    for method in ("one level", "two levels", "direct, random", "direct, one direction", "direct, adversarial"):
        line = _direct({"method": method, **size}, np.random.default_rng(1))
        assert line["worst_error"] <= 0.1 * (1 + 1e-9)
        assert (line["worst"] is None) != (line["dense"] == 0) == method.startswith("direct")
        assert line["worst"] is None or line["labels"] <= line["worst"]
        assert line["labels"] == pytest.approx(sum(line[tier] for tier in ("sparse", "dense", "scratch")), abs=0.2)
    assert line["features"] == 9  # adversarial: three a plane, as the worst case has it
