"""Moving pictures of conjunctions: what they say is what the package computes, by another way."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lifelong.conjunctions.algorithm3 import metafeatures, metafeatures_as_printed
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.conjunctions.consistency import experiments as studies
from lifelong_book.conjunctions.consistency.glyphs import polytonic_greek
from lifelong_book.conjunctions.consistency.moving_letters import letters_picture, pieces_in_turn
from lifelong_book.conjunctions.online.moving_counts import (
    Conjunctions,
    consistency_proof,
    consistency_sides,
    example_conjunctions,
    online_proof,
    online_sides,
    rounds,
)
from lifelong_book.conjunctions.online.moving_online import stream_data, stream_picture
from lifelong_book.press.moving import marks
from lifelong_book.press.notebook import family, names

BOARDS = "1234 134 14 24 124 3 234"


def arrows(kept, n):
    """Pairs of variables of which the second is in every kept target with the first, the slow way."""
    return {
        (x, y) for x in range(n) for y in range(n) if x != y and all(y in T or x not in T for T in kept)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shape"), [(BOARDS, (2, 2)), ("123456 24 135 1 246 35", (2, 3)), ("1234 1234 2", (2, 2))]
)
def test_the_stream_says_what_the_package_computes(text, shape):
    targets = family(text)
    n, data = targets.shape[1], stream_data(targets)
    run, scratch = studies.play(targets), online_metafeatures(targets).scratch.tolist()
    made = stream_picture(data, shape)
    assert [step["how"] for step in data] == run.how
    frames, kept, paid = iter(made.frames.values()), [], 0
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
        left = arrows(kept, n)
        fades = {m.key for m in drawn if ">" in m.key and m.attributes["class"].startswith("fails")}
        assert fades == {f"{x}>{y}" for x, y in before - left}
        assert f"payment {paid}" in words and f": {len(left)} of {n * (n - 1)} are left" in words
        now = metafeatures(targets[scratch[:paid]])
        assert f"Metafeatures: {len(now)}, before it {len(have)}" in words
        gone = set(names(have).split()) - set(names(now).split())
        assert ("vanished" in words) == bool(gone) and all(word in words for word in gone)
    assert next(frames, None) is None and paid == len(scratch)


def test_the_counts_of_the_proofs_are_those_of_the_package():
    examples = example_conjunctions(rng=0)
    rng = np.random.default_rng(1)
    for _ in range(10):
        some = planted_conjunctions(9, k=4, m=25, overlap=0.5, rng=rng)
        examples[f"random {_}"] = Conjunctions(some[1], some[0])
    for name, (T, M) in examples.items():
        pieces, paid = metafeatures(T), online_metafeatures(T).scratch
        lemma, theorem = consistency_sides(examples[name]), online_sides(examples[name])
        n, k = T.shape[1], len(M)
        assert [r.piece.tolist() for r in rounds(T)] == metafeatures_as_printed(T).tolist()
        assert lemma[0][0] == lemma[7][0] == len(pieces) and lemma[4][1] == pieces.sum() and lemma[8][1] == k
        assert theorem[0][0] == theorem[6][0] == len(paid) and theorem[6][1] == theorem[2][1] + k == n * n + k
        left = arrows([set(np.flatnonzero(row).tolist()) for row in T[paid]], n)
        assert theorem[1][1] == theorem[2][0] == n * n - n - len(left)
        sizes = [len(metafeatures(T[paid[:r]])) for r in range(len(paid) + 1)]
        assert theorem[3][1] == theorem[4][0] == (np.diff(sizes) > 0).sum() and (np.diff(sizes) >= 0).all()
        assert theorem[4][1] == theorem[5][0] == len(metafeatures(T[paid]))
        # what is printed: a target that leaves every old round as it is makes more metafeatures, each other one
        # ends an arrow; only what needs anchors fails without them
        assert (lemma[4][0] < lemma[4][1]) <= (name not in ("three strokes", "seven boards"))  # something was added
        assert all(a <= b for a, b in theorem[:5]) and all(a <= b for a, b in lemma) == (name != "no anchors")
        assert (theorem[5][0] <= k) == (name != "no anchors")
    assert "not printed" in online_proof(examples).frames[0, 4].words
    assert consistency_proof(examples).frames[4, 3].words.endswith("no anchors: fails: 8 > 6, by 2.")


def letters(count=3):
    greek = polytonic_greek()
    chosen = {c: greek.images[greek.characters.index(c)] for c in "όὅᾧ"[:count]}
    sets = {"the font": greek.components, "Algorithm 3": metafeatures(greek.images)}
    return letters_picture(chosen, greek.shape, sets), chosen, sets


def test_the_letters_are_put_together_from_pieces():
    made, chosen, sets = letters()
    for (a, b, count), frame in made.frames.items():
        T, (source, P) = list(chosen.values())[a], list(sets.items())[b]
        turn = pieces_in_turn(T, P)
        assert not (P[turn] & ~T).any() and (P[turn].any(axis=0) == T).all()
        have = P[turn[:count]].any(axis=0) if count else np.zeros_like(T)
        looks = {m.key: m.attributes["class"].split()[0] for m in frame.marks}
        placed = {m.key for m in frame.marks if re.fullmatch(r"\d-\d+", m.key) and looks[m.key] != "metafeature"}
        assert placed == {f"{b}-{p}" for p in turn[:count]}
        assert (f"{have.sum()} of {T.sum()} pixels are inked" in frame.words) == (count > 0)
        assert ("whole with" in frame.words) == (have == T).all()
        assert count or f"{(~P | T).all(axis=1).sum()} pieces of {source}" in frame.words


def test_cells_side_by_side_are_one_rectangle():
    ink = np.array([[True, True, False, True], [False, False, False, False], [True, True, True, True]])
    assert marks.bitmap("a", ink, (0, 0), 10, "ink")[1].attributes["d"] == (
        "M0 0h20v10h-20zM30 0h10v10h-10zM0 20h40v10h-40z"
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: stream_data(np.zeros((0, 3), dtype=bool)), "targets: expected"),
        (lambda: stream_picture(stream_data(family("1 12")), (1, 2)), "data, shape: expected"),
        (lambda: stream_picture(stream_data(family(BOARDS)), (2, 3)), "data, shape: expected"),
        (lambda: stream_picture(stream_data(family(BOARDS + " 1 2 4")), (2, 2)), "data, shape: expected"),
        (lambda: consistency_sides(Conjunctions(family("12 3"), family("12 23"))), "targets: expected unions"),
        (lambda: consistency_sides(Conjunctions(family("12"), family("123"))), "metafeatures"),
        (lambda: consistency_sides(Conjunctions(family("12"), np.array([[1, 1], [0, 0]], bool))), "metafeatures: exp"),
        (lambda: pieces_in_turn([True, True], [[True, False]]), "letter: expected a union of pieces"),
        (
            lambda: letters_picture({"a": np.ones(9, bool), "b": np.ones(9, bool)}, (3, 3), {"x": np.eye(9) > 0}),
            "letters: expected at most 8",
        ),
    ],
)
def test_what_moves_conjunctions_refuses(make, said):
    with pytest.raises(ValueError, match=said):
        make()
