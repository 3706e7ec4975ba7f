"""Pictures of conjunctions: what they say is what the package computes, by another way."""

from __future__ import annotations

import re
from urllib.parse import unquote

import numpy as np
import pytest
import sitecheck

from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong_book.conjunctions.consistency.glyphs import polytonic_greek
from lifelong_book.conjunctions.consistency.moving_letters import letters_picture, pieces_in_turn
from lifelong_book.conjunctions.online.claims import play
from lifelong_book.conjunctions.online.moving_online import stream_data, stream_picture
from lifelong_book.press.board import closure_board
from lifelong_book.press.moving import marks
from lifelong_book.press.notebook import family, names

BOARDS = "1234 134 14 24 124 3 234"


def arrows(kept, n):
    """Pairs of variables of which the second is in every kept target with the first, the slow way."""
    pairs = ((x, y) for x in range(n) for y in range(n) if x != y)
    return {(x, y) for x, y in pairs if all(y in T or x not in T for T in kept)}


@pytest.mark.parametrize(("text", "shape"), [(BOARDS, (2, 2)), ("123456 24 135 1 246 35", (2, 3))])
def test_the_stream_says_what_the_package_computes(text, shape):
    targets = family(text)
    n, data = targets.shape[1], stream_data(targets)
    scratch = online_metafeatures(targets).scratch.tolist()
    assert [step["how"] for step in data] == play(targets).how
    frames, kept, paid = iter(stream_picture(data, shape).frames.values()), [], 0
    for r, (T, step) in enumerate(zip(targets, data, strict=True)):
        have, before = metafeatures(targets[[s for s in scratch if s < r]]), arrows(kept, n)
        drawn, words = next(frames)
        inside = [m for m in have if not (m & ~T).any()]
        assert (np.array(step["offered"]) == np.any(inside, axis=0)).all() if inside else not step["offered"].any()
        assert f"Target {r + 1} is {names([T])}. " in words and ("free" in words) == (r not in scratch)
        assert {m.key for m in drawn if ">" in m.key} == {f"{x}>{y}" for x, y in before}
        if r not in scratch:
            continue
        point = step["counterexample"]  # negative: the offer is true of it, and the target is not
        assert not (step["offered"] & ~point).any() and (T & ~point).any()
        paid, kept = paid + 1, [*kept, set(np.flatnonzero(T).tolist())]
        drawn, words = next(frames)
        left, now = arrows(kept, n), metafeatures(targets[scratch[:paid]])
        fades = {m.key for m in drawn if ">" in m.key and m.attributes["class"].startswith("fails")}
        assert fades == {f"{x}>{y}" for x, y in before - left}
        assert f"payment {paid}" in words and f": {len(left)} of {n * (n - 1)} are left" in words
        assert f"Metafeatures: {len(now)}, before it {len(have)}" in words
        gone = set(names(have).split()) - set(names(now).split())
        assert ("vanished" in words) == bool(gone) and all(word in words for word in gone)
    assert next(frames, None) is None and paid == len(scratch)


def test_the_letters_are_put_together_from_pieces():
    greek = polytonic_greek()
    chosen = {c: greek.images[greek.characters.index(c)] for c in "όὅᾧ"}
    sets = {"the font": greek.components, "Algorithm 3": metafeatures(greek.images)}
    for (a, b, count), frame in letters_picture(chosen, greek.shape, sets).frames.items():
        T, (source, P) = list(chosen.values())[a], list(sets.items())[b]
        turn = pieces_in_turn(T, P)
        assert not (P[turn] & ~T).any() and (P[turn].any(axis=0) == T).all()
        have = P[turn[:count]].any(axis=0) if count else np.zeros_like(T)
        looks = {m.key: m.attributes["class"].split()[0] for m in frame.marks if re.fullmatch(r"\d-\d+", m.key)}
        assert {key for key in looks if looks[key] != "metafeature"} == {f"{b}-{p}" for p in turn[:count]}
        assert (f"{have.sum()} of {T.sum()} pixels are inked" in frame.words) == (count > 0)
        assert ("whole with" in frame.words) == (have == T).all()
        assert count or f"{(~P | T).all(axis=1).sum()} pieces of {source}" in frame.words


def test_cells_side_by_side_are_one_rectangle():
    ink = np.array([[True, True, False, True], [False, False, False, False], [True, True, True, True]])
    drawn = marks.bitmap("a", ink, (0, 0), 10, "ink")[1].attributes["d"]
    assert drawn == "M0 0h20v10h-20zM30 0h10v10h-10zM0 20h40v10h-40z"


# --- the board of chapter 4.1

LETTERS, TITLES = family("14789 12347 123 789"), ["L", "Γ", "roof", "floor"]


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
    still = re.sub(r"<script.*?</script>", "", html, flags=re.S)
    assert "__" not in still and said in still and f"Here it stands at cell {chosen + 1}." in still
    assert not re.search(r'https?://(?!www\.w3\.org)|src="(?!data:)|@import', html)
    image = unquote(re.findall(r'<img [^>]*src="data:image/svg\+xml,([^"]*)"', still)[0])
    pieces = names(metafeatures(LETTERS)).split()
    assert re.findall(r">(\d{2,})</text>", image) == re.findall(r"</div>(\d+)</div>", html) == pieces


SAID = """() => document.querySelector('output').textContent
  + [...document.querySelectorAll('.pieces .one')].map(p => p.textContent).join(' ')"""


@pytest.mark.chromium
def test_the_board_moves(browser, tmp_path):
    board = closure_board(LETTERS, TITLES, chosen=3).data
    (tmp_path / "board.html").write_text(f'<!doctype html><meta charset="utf-8"><body>{board}', encoding="utf-8")
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


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: pieces_in_turn([True, True], [[True, False]]), "letter: expected a union of pieces"),
        (lambda: closure_board(np.ones((2, 9), bool), "ab", chosen=9), "expected"),
    ],
)
def test_refusals(make, said):
    with pytest.raises(ValueError, match=said):
        make()
