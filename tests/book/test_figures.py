"""The recurring figures say what their data say, label their axes, and the one that moves moves."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
import sitecheck

from lifelong.book.explorer import perturbation_data, perturbation_explorer
from lifelong.book.figures import certificate_map, compounding, image_grid, perturbation_planes
from lifelong.book.ledger_pages import ledger_evidence, ledger_table
from lifelong.book.style import figure_digest
from lifelong.halfspaces import bounds
from lifelong.halfspaces.scalar import certify_scalar_inequality
from lifelong.ledger import LEDGER
from lifelong.ledger.claim import Claim, reports
from lifelong.ledger.claims import perturbation

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: compounding(0.3, 5),
        lambda: certificate_map(certify_scalar_inequality()),
        lambda: perturbation_planes(perturbation.figure_vectors()),
    ],
    ids=["compounding", "certificate", "planes"],
)
def test_every_axis_is_labelled(draw):
    for axis in draw().axes:
        assert axis.get_xlabel() and axis.get_ylabel()


def test_image_grid_shows_every_image():
    images = np.random.default_rng(0).random((5, 6)) < 0.5
    figure = image_grid(images, (2, 3), columns=3, titles=list("abcde"))
    shown = [np.asarray(axis.images[0].get_array(), dtype=bool).ravel() for axis in figure.axes]
    assert np.array_equal(shown, images)
    assert [axis.get_title() for axis in figure.axes] == list("abcde")


@pytest.mark.parametrize(("images", "shape"), [(np.ones((2, 5), bool), (2, 3)), (np.ones((2, 6)), (2, 3))])
def test_image_grid_refuses(images, shape):
    with pytest.raises(ValueError, match=r"^images: expected"):
        image_grid(images, shape)


def test_perturbation_data_are_measurements_and_bounds():
    data = perturbation_data([0.2, 0.5, np.pi / 2], [1, 2, 3, 6])
    for i, gamma in enumerate(data["gamma"]):
        for j, k in enumerate(data["k"]):
            error = data["error"][i][j]
            assert error == pytest.approx(gamma**2 / (10 * k))
            assert data["printed"][i][j] == bounds.subspace_printed(k, error, gamma)
            assert data["measured"][i][j] == pytest.approx(data["sharp"][i][j], rel=1e-7)


@pytest.mark.parametrize(("separation", "size", "name"), [(2, 0, "separation"), (0, 3, "size"), (-1, 0, "separation")])
def test_the_explorer_refuses_positions(separation, size, name):
    data = perturbation_data([0.2, 0.4], [1, 2, 3])
    with pytest.raises(ValueError, match=rf"^{name}: expected"):
        perturbation_explorer(data, separation=separation, size=size)


def test_the_explorer_is_complete_without_scripts_and_loads_nothing():
    html = perturbation_explorer(perturbation_data([0.2, 0.4], [1, 2, 3]), size=2).data
    assert "__" not in re.sub(r"<script>.*?</script>", "", html, flags=re.S)
    assert not re.search(r"https?://(?!www\.w3\.org)|src=|@import", html)
    assert "The printed bound is broken." in html and "aria-label" in html


@pytest.mark.chromium
def test_the_explorer_moves(tmp_path: Path):
    browser = sitecheck.chromium()
    if browser is None and os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(sitecheck.GET_CHROMIUM)
    if browser is None:
        pytest.skip(sitecheck.GET_CHROMIUM)
    data = perturbation_data([0.2, 0.4], [1, 2, 3])
    move = """<script>
    const find = name => document.querySelector(name), said = () => find('output').textContent;
    const set = (name, value) => { find(name).value = value; find(name).dispatchEvent(new Event('input')); };
    const texts = [said()];
    set('.size', 0); texts.push(said());
    set('.gamma', 1); set('.size', 2); texts.push(said());
    document.body.dataset.texts = JSON.stringify(texts);
    </script>"""
    page = tmp_path / "explorer.html"
    explorer = perturbation_explorer(data, size=2).data
    page.write_text(f'<!doctype html><meta charset="utf-8"><body>{explorer}{move}</body>', encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    command = [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.search(r'data-texts="(.*?)"', dom)
    assert found is not None
    start, one, other = json.loads(found[1].replace("&quot;", '"'))
    assert "broken" in start and "holds" in one
    assert f"{data['measured'][1][2]:.3g}" in other and start != other


def test_ledger_tables_show_every_claim_and_check():
    claims = [LEDGER["lem-subspace"], LEDGER["thm-subspace-sharp"], Claim("lem-new", "added", "", "new", "Not yet.")]
    found = [r.as_dict() for r in reports(claims, instances=60)]
    table, evidence = ledger_table(found), ledger_evidence(found)
    assert "✗ refuted" in table and "unchecked" in table and "thm-subspace-sharp" in table
    assert all(e["check"] in evidence for claim in found for e in (*claim["evidence"], *claim["twins"]))


def line(y, **look):
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots()
    axis.plot(np.linspace(0, 1, len(y)), y, **look)
    axis.set(ylim=(0, 2), title="a line")
    return figure


CURVE = np.linspace(0.2, 1.5, 1000)


@pytest.mark.parametrize(
    "other",
    [
        lambda: line(CURVE + 0.02),
        lambda: line(CURVE, color="red"),
        lambda: line(CURVE, marker="o"),
        lambda: line(CURVE, linestyle=":"),
        lambda: line(CURVE[:-1]),
    ],
    ids=["moved", "colour", "mark", "dashes", "a point less"],
)
def test_the_digest_sees_what_changed(other):
    assert figure_digest(other()) != figure_digest(line(CURVE))


def test_the_digest_does_not_see_rounding():
    assert figure_digest(line(CURVE * (1 + 1e-12))) == figure_digest(line(CURVE))
    errors = [np.random.default_rng(seed).random(50) for seed in (0, 1)]
    noisy = [figure_digest(line(y, gid="rounding")) for y in errors]
    assert noisy[0] == noisy[1] != figure_digest(line(errors[0]))


def test_the_digest_sees_words_and_images():
    import matplotlib.pyplot as plt

    named, plain, boards = line(CURVE), line(CURVE), []
    named.axes[0].set_title("another line")
    assert figure_digest(named) != figure_digest(plain)
    for cells in ([[0, 1], [1, 0]], [[0, 1], [1, 1]]):
        figure, axis = plt.subplots()
        axis.imshow(cells)
        boards.append(figure_digest(figure))
    assert boards[0] != boards[1]
