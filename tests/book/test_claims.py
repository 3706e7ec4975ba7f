"""The runner of two-sided claims sees what is wrong with one, and says on which instance."""

from __future__ import annotations

import inspect
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.evidence import reports
from lifelong_book.press.rooms import modules
from lifelong_book.press.two_sided import (
    Adverse,
    Boxes,
    Broken,
    Exact,
    Exhaustive,
    Random,
    Sides,
    Tight,
    TwoSided,
    climb,
    two_sided,
)

#: All of the book, a module of claims after the other.
TWO_SIDED = dict.fromkeys(x for m in modules("claims") for x in vars(m).values() if isinstance(x, TwoSided))


def numbers(count, rng, low=0.0):
    """Numbers up to 1."""
    return {"x": rng.uniform(low, 1, count)}


def one():
    """One."""
    return {"x": 1.0}


def small(x):
    """X is at most 1."""
    return x <= 1


def truths(n):
    """All rows of truths."""
    for row in product((False, True), repeat=n):
        yield {"x": np.array(row)}


def squares(*families, sides=lambda x: (x**2, x), **more):
    return two_sided("ineq-square", *families, **more)(sides)


def findings(claim, **more):
    (report,) = reports([claim.claim("", "", "", "proved")], **more)
    return report


def test_a_claim_is_called_and_gives_the_ledger_its_evidence():
    claim = squares(Random(numbers, 500, ((0.0,), (0.5,))), Tight(one, equal=True), given=small)
    assert claim(0.5) == (0.25, 0.5)
    report = findings(claim)
    assert report.agrees and report.bite == 1
    assert [(e.check, e.twin, e.finding.instances) for e in report.evidence] == [
        ("Numbers up to 1", False, 500),
        ("One", False, 1),
        ("right side times 0.98", True, 1),
        ("right side times 1.02", True, 1),
    ]
    own = claim.check()
    assert own.agrees and [line.finding for line in own.lines] == [e.finding for e in report.evidence]
    assert findings(claim, instances=33).evidence[0].finding.instances == 33


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_constant_too_small_or_too_large_is_seen_where_equality_is_claimed(factor):
    spoiled = squares(Tight(one, equal=True)).check(lambda x: (x**2, factor * x))
    assert not spoiled.agrees and "NOT AS EXPECTED" in repr(spoiled)
    loosened = squares(Tight(one)).check(lambda x: (x**2, 1.03 * x))
    assert not loosened.agrees  # 0.98 times the right side passes


def test_the_instance_that_breaks_it_is_told_and_a_nan_breaks_it():
    claim = squares(Random(numbers, 30_000), Tight(one))
    found = claim.check(lambda x: (x**2, np.where(x > 0.9999, 0.9 * x, x)))
    (line,) = [line for line in found.lines if not line.agrees and line.check.name == "Numbers up to 1"]
    assert line.instance["x"] > 0.9999 and line.finding.instances == 30_000 and line.finding.violations > 0
    assert "by x = 0.9" in repr(found) and "<details" in found._repr_html_() and " open>" in found._repr_html_()
    elsewhere = squares(
        Random(numbers, 9, sides=lambda x: (2 * x, x)), Tight(lambda: {}, name="one"), sides=lambda: (1, 1)
    ).check()
    assert not elsewhere.agrees and 0 < elsewhere.lines[0].instance["x"] < 1
    assert not claim.check(lambda x: (x * np.nan, x)).agrees and not claim.check(lambda x: (x, x * np.nan)).agrees


def test_a_count_may_be_nought_on_both_sides():
    def sides(x):
        return np.count_nonzero(x[:-1]), np.count_nonzero(x)

    report = findings(squares(Tight(truths, 1, ((3,),)), sides=sides))
    assert report.agrees and report.instances == 8 and report.worst == 1
    equal = squares(Tight(truths, 1, ((3,),), equal=True), sides=sides)
    assert findings(equal).evidence[0].finding.violations == 4
    assert findings(squares(Tight(truths, 1, ((3,),)), sides=lambda x: sides(x)[::-1])).evidence[0].finding.violations


def test_a_predicate_is_a_number_of_failures_that_is_at_most_nought():
    def wrong(x):
        return int(x.all()), 0

    whole = Exhaustive(truths, 1, ((2,), (3,)))
    broken = Broken(truths, 1, ((2,),), "without its step", sides=wrong, drops="its step")
    claim = squares(whole, broken, sides=lambda x: (0, 0))
    report = findings(claim)
    assert report.agrees and report.bite is None and report.instances == 12
    assert report.evidence[1].finding.violations == 1
    found = claim.check(wrong)
    assert not found.agrees and found.lines[0].instance == {"x": [True, True]} and found.lines[0].finding.worst is None


def by_hand(left, factor=1.5):
    exact = Exact(lambda: Sides(left, Fraction(1)), name="by hand", expect="break", factor=factor)
    return findings(squares(exact, sides=lambda: None)).evidence


def test_a_refuted_claim_breaks_by_its_factor():
    found = by_hand(Fraction(3, 2))
    assert [e.agrees for e in found] == [True] * 4
    assert [e.check for e in found[:2]] == ["by hand", "by hand: the largest left/right is 1.5"]
    assert [e.agrees for e in by_hand(Fraction(3, 2), 1.500003)] == [True, False, True, True]
    assert not all(e.agrees for e in by_hand(Fraction(10**30 + 1, 10**30)))  # below rounding, and no factor of 1.5


def test_a_spoiled_bound_must_be_noticed_in_each_inequality():
    def sides(x):
        return {"first": (x, x), "second": (x / 2, x)}

    report = findings(squares(Tight(one), sides=sides))
    assert report.bites == {"first": 1, "second": 0.5} and not report.agrees
    assert findings(squares(Tight(one, of=("first",)), sides=sides)).agrees
    assert findings(squares(Tight(one), sides=sides, loose={"second": "it is"})).agrees


def test_an_instance_misses_a_hypothesis_only_where_it_is_dropped():
    missed = squares(Random(numbers, 5), Tight(one), given=lambda x: x < 1)
    assert "misses a hypothesis" in findings(missed).evidence[1].finding.error
    larger = Broken(lambda: {"x": 2.0}, name="two", drops=small)
    claim = squares(Random(numbers, 5), larger, given=small, loose="it is")
    assert findings(claim).agrees
    assert claim.twins()[0].drops == "X is at most 1" and claim.claim("", "", "", "proved").loose == {"": "it is"}


def test_what_nothing_would_notice_is_no_claim():
    with pytest.raises(ValueError, match=r"^ineq-square: expected a tight family, a factor or a broken version"):
        squares(Random(numbers, 5), Adverse(one), Boxes(one, name="boxes"))
    with pytest.raises(ValueError, match="One twice"):
        squares(Tight(one), Exact(one))


def test_climbing_finds_larger_ratios():
    start = numbers(20, np.random.default_rng(0))
    found = climb(lambda x: (np.sin(x), np.ones_like(x)), start, np.random.default_rng(1), steps=400)
    assert (np.sin(found["x"]) >= np.sin(start["x"])).all() and np.allclose(np.sin(found["x"]), 1, atol=1e-3)


# --- all claims of the book in this form


def asked(family):
    """Whether a family claims equality, or pins a factor, and asks the function of the two sides for it."""
    if not (family.equal or family.factor) or family.sides or family.broken:
        return False
    return "Sides" not in str(inspect.signature(family.draw).return_annotation)  # else it has them already


def times(both, factor):
    """A function of the two sides that gives these, one after the other, the right ones times a factor."""
    each = iter(both)

    def sides(**_):
        now = next(each)
        if not isinstance(now, dict):
            return now[0], factor * now[1]
        return {name: (left, factor * right) for name, (left, right) in now.items()}

    return sides


@pytest.mark.parametrize("claim", TWO_SIDED, ids=lambda claim: claim.label)
def test_every_one_is_in_the_ledger_and_a_spoiled_bound_is_seen_too_small_or_too_large(claim):
    entry = LEDGER["thm-product-anchor" if claim.label == "lem-product-any-rule" else claim.label]
    held = [check.name for check in (*entry.checks, *entry.twins)]
    held += [name.partition(": ")[2] for name in held]  # where a claim has several, by a longer name
    assert {check.name for check in (*claim.checks(), *claim.twins())} <= set(held)
    for f in filter(asked, claim.families):
        compare, drawn = claim.pinned if f.factor else claim.compare, f.instances(f.count, np.random.default_rng(0))
        for some in [list(drawn)] if f.factor else ([x] for x in drawn):  # of equalities one that sees it is enough
            both, family = [claim.sides(**x) for x in some], replace(f, draw=lambda some=some: some, over=((),))
            spoiled = (times(both, factor) for factor in (0.999, 1.001))
            if all(compare(family, sides, 1.0, 1, np.random.default_rng(0)).violations for sides in spoiled):
                break
        else:
            pytest.fail(f.title)
