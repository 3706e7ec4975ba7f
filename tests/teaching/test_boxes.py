"""Below every exercise of the built book: what it takes, its hint, and its stub in a box."""

from __future__ import annotations

import re
import sys
from collections import Counter
from html import escape

import pytest

from tests.teaching.book import EXERCISES, ROOT

pytest.importorskip("docutils", reason="the book's own requirements are not installed")
bs4 = pytest.importorskip("bs4")
sys.path.insert(0, str(ROOT / "book" / "_ext"))

import boxes  # noqa: E402

SITE = ROOT / "_build" / "html" / "book"


@pytest.mark.parametrize("label", EXERCISES)
def test_a_box_says_what_the_record_says(label):
    exercise = EXERCISES[label]
    box = bs4.BeautifulSoup(boxes.box(exercise, "Exercise 9.9.9"), "html.parser")
    facts = box.select_one(".exercise-facts").text.lower()
    assert facts == "{} · difficulty {} of 3 · about {} minutes".format(*exercise.asks)
    assert box.select_one(".exercise-hint p").text == exercise.hint.replace("`", "")
    found = box.select(".exercise-answer")
    answers = [(b["data-exercise"], b["data-name"], b.code.text, b.pre.text.strip()) for b in found]
    command = f"lifelong exercise {label} --notebook"
    assert answers == [(label, "Exercise 9.9.9", command, exercise.stub)] * exercise.checked


def test_words_of_a_record_are_no_html_and_the_pages_script_finds_the_boxes():
    import live

    assert boxes._words("a < b, by `f(x)` & g") == escape("a < b, by ") + "<code>f(x)</code> &amp; g"
    assert f'class="{boxes.SIGN}"' == live.BOX in boxes.box(EXERCISES["ex-threshold"], "")


@pytest.mark.skipif(not SITE.is_dir(), reason="no built book")
def test_every_exercise_of_the_built_book_has_its_box():
    found = Counter()
    for page in {e.page for e in EXERCISES.values()}:
        text = (SITE / f"{page}.html").read_text(encoding="utf-8")
        whole = bs4.SoupStrainer(class_=re.compile(r"^exercise admonition"))  # to read all of the page takes long
        html = bs4.BeautifulSoup(text, "html.parser", parse_only=whole)
        found.update(box["data-exercise"] for box in html.select(".exercise .exercise-answer"))
        assert len(html.select(".exercise .exercise-facts")) == sum(e.page == page for e in EXERCISES.values())
        assert all(box["data-name"].startswith("Exercise ") for box in html.select(".exercise-answer"))
    assert found == Counter(e.label for e in EXERCISES.values() if e.checked)
