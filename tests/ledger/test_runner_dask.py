"""Many machines, here two processes of a dask cluster: nothing depends on who computes, or on who is killed."""

from __future__ import annotations

import os
import signal
from functools import partial

import joblib
import pytest

from lifelong_book.press.ledger import LEDGER, reports
from lifelong_book.press.ledger.lines import Lines
from lifelong_book.press.ledger.runner import run
from lifelong_book.press.ledger.sweep import sweep
from lifelong_book.press.tables import Experiment, run_cases

distributed = pytest.importorskip("distributed", reason="needs lifelong[dask]")
dask = pytest.importorskip("dask")


@pytest.fixture(scope="module")
def client():
    how = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),  # what a killed worker had is repeated once
        distributed.LocalCluster(silence_logs=50, **how) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(autouse=True)
def on_the_cluster(client):
    with joblib.parallel_config(backend="dask", client=client):
        yield


class KillsAWorker(Lines):
    """A file that has one of the two workers killed as soon as it has a line."""

    pid: int

    def add(self, key, result):
        if not self.done:
            os.kill(self.pid, signal.SIGKILL)
        return super().add(key, result)


@pytest.mark.skipif(os.name == "nt", reason="has no SIGKILL")
def test_a_worker_that_is_killed_half_way_changes_nothing(client, tmp_path):
    claim, size = LEDGER["lem-subspace"], {"instances": 12_000, "block": 500}
    serial = sweep(claim, **size).as_dict()
    before = client.run(os.getpid)
    with KillsAWorker(tmp_path / "lines", {}) as lines:
        lines.pid = min(before.values())
        spread = sweep(claim, **size, n_jobs=-1, lines=lines).as_dict()
        assert len(lines.done) == spread["blocks"] == 24
    assert spread | {"seconds": 0} == serial | {"seconds": 0}
    assert client.run(os.getpid) != before


def draws(case, rng):
    return {"draw": float(rng.random())}


def test_evidence_and_tables_are_those_of_one_process():
    claims = [LEDGER[label] for label in ("fig-perturbation", "lem-subspace")]
    here, there = (reports(claims, instances=300, n_jobs=n_jobs) for n_jobs in (1, -1))
    assert [[e.finding for e in r.evidence] for r in here] == [[e.finding for e in r.evidence] for r in there]
    assert all(r.agrees for r in there)
    toy = Experiment("toy", "draws", tuple({"x": x} for x in range(4)), draws)
    assert run_cases(toy, n_jobs=-1).rows == run_cases(toy).rows


def kill_myself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="has no SIGKILL")
def test_what_kills_every_worker_is_named_and_the_run_goes_on():
    done = run({"fatal": kill_myself, **{i: partial(pow, i, 2) for i in range(5)}}, n_jobs=-1)
    assert "killed again when it was repeated (on tcp://" in done.pop("fatal").error
    assert done == {i: i * i for i in range(5)}
