"""The board of chapter 4.1 says what the package computes, with and without its script."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
import sitecheck

from lifelong import metafeatures
from lifelong.book.board import closure_board
from lifelong.book.notebook import family, names

LETTERS, TITLES = family("14789 12347 123 789"), ["L", "Γ", "roof", "floor"]


@pytest.mark.parametrize(("cells", "titles", "chosen"), [(8, "ab", 0), (9, "a", 0), (9, "ab", 9)])
def test_the_board_refuses(cells, titles, chosen):
    with pytest.raises(ValueError, match="expected"):
        closure_board(np.ones((2, cells), bool), titles, chosen=chosen)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (3, "cl(4) = 147. Cell 4 is minimal in L and Γ, so"),
        (0, "cl(1) = 1. Cell 1 is minimal in no target"),
        (4, "No target contains cell 5."),
        (7, "Cell 8 is minimal in L and floor"),
    ],
)
def test_the_board_is_complete_without_scripts_and_loads_nothing(chosen, said):
    html = closure_board(LETTERS, TITLES, chosen=chosen).data
    still = re.sub(r"<script>.*?</script>", "", html, flags=re.S)
    assert "__" not in still and said in still
    assert not re.search(r"https?://|src=|@import", html)
    assert re.findall(r"</div>(\d+)</div>", still) == names(metafeatures(LETTERS)).split()


@pytest.mark.chromium
def test_the_board_moves(tmp_path: Path):
    browser = sitecheck.chromium()
    if browser is None and os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(sitecheck.GET_CHROMIUM)
    if browser is None:
        pytest.skip(sitecheck.GET_CHROMIUM)
    move = """<script>
    const all = name => [...document.querySelectorAll(name)], texts = [];
    const say = () => texts.push(all('output')[0].textContent + all('.pieces .one').map(p => p.textContent).join(' '));
    say(); all('.big button')[0].click(); say(); all('.targets .one')[2].querySelectorAll('button')[0].click(); say();
    document.body.dataset.texts = JSON.stringify(texts);
    </script>"""
    page = tmp_path / "board.html"
    board = closure_board(LETTERS, TITLES, chosen=3).data
    page.write_text(f'<!doctype html><meta charset="utf-8"><body>{board}{move}</body>', encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    command = [browser, *flags, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.search(r'data-texts="(.*?)"', dom)
    assert found is not None
    changed = family("14789 12347 23 789")
    for said, (rows, z) in zip(
        json.loads(found[1].replace("&quot;", '"')), [(LETTERS, 3), (LETTERS, 0), (changed, 0)], strict=True
    ):
        still = closure_board(rows, TITLES, chosen=z).data
        assert said == re.findall(r"<output[^>]*>(.*?)</output>", still)[0] + names(metafeatures(rows))
