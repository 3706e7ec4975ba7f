"""All streams of a small world: what Algorithm 4 can be made to learn from scratch, whatever the order."""

from collections.abc import Sequence
from functools import cache, reduce
from operator import or_

from numpy.typing import ArrayLike

from lifelong._checks import bool_array
from lifelong_book.conjunctions.consistency.experiments import canonical
from lifelong_book.conjunctions.consistency.instances import masks


def all_streams(TS: Sequence[int], n: int) -> set[int]:
    """The sets of targets, as bit masks, that some order makes Algorithm 4 learn from scratch one after the other."""
    seen, layer = {0}, {0}
    while layer:
        more = set()
        for kept in layer:
            known = [T for i, T in enumerate(TS) if kept >> i & 1]
            M = canonical(known, n)
            for i, T in enumerate(TS):
                if reduce(or_, (m for m in M if m & ~T == 0), 0) != T:
                    more.add(kept | 1 << i)  # learned from scratch
        layer = more - seen
        seen |= layer
    return seen


@cache
def _sorted_streams(targets: tuple[int, ...], n: int) -> tuple[int, ...]:
    return tuple(sorted(all_streams(targets, n)))


def scratch_families(targets: ArrayLike) -> tuple[int, ...]:
    """All sets of the given targets that some order makes Algorithm 4 learn from scratch, one after the other."""
    TS = bool_array("targets", targets, axes=2)
    return _sorted_streams(tuple(masks(TS)), TS.shape[1])
