"""The board of chapter 4.1 says what the package computes, with and without its script."""

from __future__ import annotations

import re

import numpy as np
import pytest
import sitecheck

from lifelong import metafeatures
from lifelong_book.press.board import closure_board
from lifelong_book.press.notebook import family, names

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
    assert "__" not in still and said in still and f"Here it stands at cell {chosen + 1}." in still
    assert not re.search(r"https?://|src=|@import", html)
    assert re.findall(r"</div>(\d+)</div>", still) == names(metafeatures(LETTERS)).split()


SAID = """() => document.querySelector('output').textContent
  + [...document.querySelectorAll('.pieces .one')].map(p => p.textContent).join(' ')"""


@pytest.mark.chromium
def test_the_board_moves(browser, tmp_path):
    (tmp_path / "board.html").write_text(
        f'<!doctype html><meta charset="utf-8"><body>{closure_board(LETTERS, TITLES, chosen=3).data}', encoding="utf-8"
    )
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        page.goto((tmp_path / "board.html").as_uri())
        texts = [page.evaluate(SAID)]
        for cells, number in ((".big", 0), (".targets .one", 2)):
            page.locator(cells).nth(number).locator("button").first.click()
            texts.append(page.evaluate(SAID))
    changed = family("14789 12347 23 789")
    for said, (rows, z) in zip(texts, [(LETTERS, 3), (LETTERS, 0), (changed, 0)], strict=True):
        still = closure_board(rows, TITLES, chosen=z).data
        assert said == re.findall(r"<output[^>]*>(.*?)</output>", still)[0] + names(metafeatures(rows))
