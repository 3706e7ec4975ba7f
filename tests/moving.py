"""A moving picture in Chromium: moved by keyboard and pointer, it says and draws what Python computed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sitecheck
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

expect.set_options(timeout=sitecheck.TIMEOUT)

ROOT = Path(__file__).parent.parent
D3 = ROOT / "book" / "_static" / "d3" / "d3.min.js"
#: Words, and every mark with its attributes, as they stand on the page.
SEEN = """root => ({words: root.querySelector('output').textContent,
  marks: [...root.querySelectorAll('.marks > *')].map(e => [e.dataset.k, e.tagName, e.textContent,
    Object.fromEntries([...e.attributes].filter(a => !['data-k', 'opacity'].includes(a.name))
      .map(a => [a.name, a.value]))])})"""


def write(folder: Path, *pictures: Any, library: bool = True) -> str:
    """A page with pictures and, if asked for, D3; its address."""
    head = f'<script defer src="{D3.as_uri()}"></script>' * library
    body = "".join(f'<div class="cell_output">{picture._repr_html_()}</div>' for picture in pictures)
    page = folder / "page.html"
    page.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>x</title>{head}<body><main><h1>x</h1>{body}',
        encoding="utf-8",
    )
    return page.as_uri()


def play(of: Browser, folder: Path, picture: Any) -> None:
    """Move each control by keyboard and by pointer; the page must say, and in the end draw, what Python says."""
    address = write(folder, picture)
    context = of.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    context.set_default_timeout(sitecheck.TIMEOUT)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda asked: faults.append(asked.url) if not asked.url.startswith("file:") else None)
    page.goto(address)
    at = list(picture.start)
    _agrees(page, picture, at)
    for number, control in enumerate(picture.controls):
        _move(page, picture, at, number, control)
    page.wait_for_function("![...document.querySelectorAll('.marks > *')].some(e => e.__transition)")  # all is still
    _agrees(page, picture, at, drawn=True)
    page.emulate_media(media="print")
    _agrees(page, picture, picture.start, drawn=True)
    assert not page.locator(".controls").is_visible()
    page.emulate_media(media="screen")
    _agrees(page, picture, at, drawn=True)
    context.close()
    assert not faults
    _stands_still(of, address, picture)
    _is_calm(of, address, picture)


def _agrees(page: Tab, picture: Any, at: Any, *, drawn: bool = False) -> None:
    frame = picture.frames[tuple(at)]
    expect(page.locator(".moving output")).to_have_text(frame.words)
    seen = page.evaluate(f"({SEEN})(document.querySelector('.moving'))")
    assert seen["words"] == frame.words
    if drawn:
        assert seen["marks"] == [[m.key, m.tag, m.text, m.attributes] for m in frame.marks]


def _move(page: Tab, picture: Any, at: list[int], number: int, control: Any) -> None:
    """To both ends and back, by each of its widgets."""
    where, last = page.locator(".control").nth(number), len(control.labels) - 1

    def now(value: int) -> None:
        at[number] = value
        _agrees(page, picture, at)

    if control.kind == "choice":
        for value in (last, 0):
            where.locator("label").nth(value).click()
            now(value)
        where.locator("input").first.press("ArrowDown")
        now(1)
        return
    ranged = where.locator("[type=range]")
    for key, value in (("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1)):
        ranged.press(key)
        now(value)
        assert ranged.get_attribute("aria-valuetext") == control.labels[value]
    box = ranged.bounding_box()
    assert box and box["height"] >= 24
    ranged.click(position={"x": 2, "y": box["height"] / 2})
    now(0)
    if control.kind == "stream":
        following, back, play = (where.get_by_role("button", name=name) for name in ("Next", "Back", "Play"))
        following.click()
        now(1)
        back.press("Space")
        now(0)
        back.press("Space")
        now(0)
        play.press("Space")
        expect(page.locator(".moving output")).not_to_have_text(picture.frames[tuple(at)].words)  # at once
        where.get_by_role("button", name="Pause").press("Space")
        now(int(ranged.input_value()))


def _stands_still(of: Browser, address: str, picture: Any) -> None:
    """Without scripts: the start with its words, and no controls that do nothing."""
    context = of.new_context(java_script_enabled=False, offline=True)
    context.set_default_timeout(sitecheck.TIMEOUT)
    page = context.new_page()
    page.goto(address)
    assert page.locator("output").inner_text() == picture.frames[picture.start].words
    width = (page.locator(".moving noscript img").bounding_box() or {})["width"]
    assert width > 200 and not page.locator(".controls").is_visible()
    told = page.locator(".moving noscript p").inner_text()
    where = (f"{c.name} = {c.labels[at]}" for c, at in zip(picture.controls, picture.start, strict=True))
    assert told.startswith("With scripts on") and all(words in told for words in where)
    context.close()


def _is_calm(of: Browser, address: str, picture: Any) -> None:
    """Whoever asked for less motion sees the next frame at once; a phone shows all of it; axe has nothing to say."""
    with sitecheck.tab(of, sitecheck.PHONE) as page:
        page.goto(address)
        page.evaluate(sitecheck.READY)
        first = page.locator(".control").first
        if picture.controls[0].kind == "choice":
            first.locator("label").last.click()
        else:
            first.locator("[type=range]").press("End")
        at = (len(picture.controls[0].labels) - 1, *picture.start[1:])
        _agrees(page, picture, at, drawn=True)
        assert page.evaluate(sitecheck.FAULTS) == []
        found = sitecheck.violations(page, "phone", sitecheck.all_rules())
        page.evaluate("document.documentElement.dataset.theme = 'dark'; document.body.style.background = '#121212'")
        found += sitecheck.contrast(page, "dark")
        assert found == []
