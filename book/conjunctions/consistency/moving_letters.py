"""A letter put together from the pieces that lie in it, one piece after the other."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array
from lifelong.conjunctions.algorithm3 import represent
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark
from lifelong_book.press.moving.picture import Picture, choice, moving, stream


def pieces_in_turn(letter: ArrayLike, pieces: ArrayLike) -> NDArray[np.int64]:
    """The order of pieces in Algorithm 3's moving letters: each time one that inks most of what is still missing."""
    T, P = bool_array("letter", letter, axes=1), bool_array("pieces", pieces, axes=2)
    inside = represent(T, P)
    if inside is None:
        raise ValueError("letter: expected a union of pieces")
    missing, found = T.copy(), list[int]()
    while missing.any():
        gain = (P & missing).sum(axis=1) * inside
        found.append(int(gain.argmax()))
        missing &= ~P[found[-1]]
    return np.array(found, dtype=np.int64)


def letters_picture(
    letters: Mapping[str, ArrayLike],
    shape: tuple[int, int],
    sets: Mapping[str, ArrayLike],
    *,
    start: tuple[int, int, int] = (0, 0, 0),
) -> Picture:
    """A moving picture for Algorithm 3: letters put together from sets of pieces, piece by piece."""
    images = {name: bool_array("letters", image, axes=1) for name, image in letters.items()}
    given = {name: bool_array("sets", pieces, axes=2) for name, pieces in sets.items()}
    turns = {(a, b): pieces_in_turn(image, P) for a, image in images.items() for b, P in given.items()}
    most = max(map(len, turns.values()))
    tall, wide = shape
    big = np.floor(min(250 / tall, 130 / wide))
    small = np.floor(10 * min(104 / tall, 50 / wide)) / 10
    corner = np.array([440 - wide * big - 20, 26])
    tray = [np.array([4 + 64 * (i % 4), 26 + 132 * (i // 4)]) for i in range(8)]
    rows, columns = tall * small + 8, wide * small + 8

    def ink(key: str, piece: BoolArray, at: Any, size: float, kind: str) -> Mark:
        mark = marks.bitmap(key, piece.reshape(shape), at, size, kind)[-1]
        return mark._replace(key=key)  # the same piece in the tray and in the letter: it flies

    def frame(a: int, b: int, count: int) -> tuple[list[Mark], str]:
        letter, source = list(images)[a], list(given)[b]
        T, P, turn = images[letter], given[source], turns[letter, source]
        done = min(count, len(turn))
        place = np.array([(0, 0), (wide * big, 0), (wide * big, tall * big), (0, tall * big)]) + corner
        drawn = [
            marks.text("tray", (4, 12), f"pieces: {source}"),
            marks.text("name", (corner[0], 12), f"the letter {letter}"),
            marks.path("frame", place, "quiet", closed=True),
            ink(f"ghost{a}", T, corner, float(big), "grid"),
        ]
        for i, p in enumerate(turn):
            x, y = tray[i]
            slot = [(x, y), (x + columns, y), (x + columns, y + rows), (x, y + rows)]
            drawn.append(marks.path(f"slot{i}", slot, "quiet" if i != done - 1 else "measured thick", closed=True))
            drawn.append(marks.text(f"number{i}", (x + columns / 2, y + rows + 13), str(i + 1), "ink thin",
                                    anchor="middle"))  # fmt: skip
            drawn.append(ink(f"left{b}-{p}", P[p], tray[i] + 4, float(small), "grid"))
        # the newest one last, on top
        order = [*range(done, len(turn)), *range(done)]
        for i in order:
            p, x = int(turn[i]), tray[i] + 4
            look = "metafeature" if i >= done else "measured" if i == done - 1 else "ink"
            at, size = (x, float(small)) if i >= done else (corner, float(big))
            drawn.append(ink(f"{b}-{p}", P[p], at, size, look))
        return drawn, _words(letter, source, T, P, turn[:done], len(turn))

    return moving(
        "letters",
        [choice("letter", images), choice("pieces", given), stream("step", range(most + 1), pace=1200)],
        frame,
        start=start,
        size=(440, 290),
        alt="On the left the pieces of a letter in numbered frames, on the right the letter, pale. One after the other "
        "the pieces move into the letter and darken it until it is whole.",
    )


def _words(
    letter: str, source: str, T: BoolArray, P: BoolArray, turn: Sequence[int] | NDArray[np.int64], needed: int
) -> str:
    inside = int((~P | T).all(axis=1).sum())
    covered = P[turn].any(axis=0) if len(turn) else np.zeros_like(T)
    pixels = f"{int(covered.sum())} of {int(T.sum())} pixels are inked"
    if len(turn) == needed:
        return f"The letter {letter} is whole with {needed} of the {inside} pieces of {source} inside it: {pixels}."
    if not len(turn):
        return f"{inside} pieces of {source} lie inside the letter {letter}, and {needed} of them make it whole."
    new = covered & ~P[turn[:-1]].any(axis=0) if len(turn) > 1 else covered
    return f"Piece {len(turn)} of {needed} inks {int(new.sum())} more: {pixels}."
