"""The book on paper: one PDF of all built pages, made by Chromium.

    python book/paper.py [--output FILE] [PAGE ...]

Build the book first. The numbers are those of the pages, every link inside the book works inside the PDF, and the
outline has the headings. Solutions stand at the end, each with a link from its exercise; proofs and tables that the
pages fold are open; code that the pages fold, what only works in a browser, and the reference of the package are left
out. A picture that moves stands in the frame that tells its story. With names of pages, such as `book/introduction`,
only these.

With `pip install pypdf` the contents have the numbers of the pages; it reads them from a first printing.
With `pip install pikepdf` the file is smaller, and says the same.
"""

import argparse
import os
import re
import shutil
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

from bs4 import BeautifulSoup, Tag
from playwright.sync_api import Page, sync_playwright

from lifelong_book.press.contents import contents as toc

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_build" / "html"
STYLES = ("styles/theme.css", "styles/pydata-sphinx-theme.css", "pygments.css", "styles/sphinx-book-theme.css",
          "proof.css", "exercise.css", "sphinx-design.min.css", "book.css")  # fmt: skip
#: What has no sense on paper: links on headings, folded code, what a script alone fills.
LEFT_OUT = ("a.headerlink", "script", "details.hide.above-input", "details.hide.above-code", "details.evidence pre",
            ".moving .controls", ".tag_hide-cell", "noscript > p", "button:not(.board button)",
            "details.hide > summary")  # fmt: skip
SECONDS = 1200
#: The reference of the package is for the screen: it would be more than a third of the paper.
NOT_PRINTED = "api"


def contents() -> list[tuple[str, str]]:
    """Pages that are printed on paper, in order, each with the caption of its part if it opens one."""
    found = {"index": ""} | {page: chapter.part for page, chapter in toc(ROOT).items()}
    return [(f"book/{page}", part) for page, part in found.items() if not page.startswith(NOT_PRINTED)]


def _renamed(article: Tag, page: str, places: dict[str, int]) -> None:
    """Give the anchors of a page names of its own, and let links inside the book lead to them."""
    own, folder = places[page], Path(f"{page}.html").parent
    for tag in article.find_all(True):
        for key in ("id", "for", "aria-labelledby", "aria-describedby", "aria-controls"):
            if isinstance(tag.get(key), str):
                tag[key] = " ".join(f"p{own}-{word}" for word in tag[key].split())
        for key, value in list(tag.attrs.items()):
            if isinstance(value, str) and "url(#" in value:
                tag[key] = value.replace("url(#", f"url(#p{own}-")
        for key in ("src", "data"):
            address = tag.get(key)
            if isinstance(address, str) and not re.match(r"[a-z]+:", address):
                tag[key] = os.path.normpath(Path("../html") / folder / unquote(address))
        for key in ("href", "xlink:href"):
            if isinstance(tag.get(key), str):
                tag[key] = leads_to(tag[key], page, places)
                if tag[key] == "#front":  # words that lead nowhere on paper are no link
                    del tag[key]
    for style in article.find_all("style"):
        if style.string:  # what a page does on a narrow screen has no place on paper, which a browser takes for one
            words = re.sub(r"@media \(max-width:[^)]*\)", "@media (max-width: 0)", style.string)
            style.string = re.sub(r"#(moving-[\w-]+)", rf"#p{own}-\1", words)


def leads_to(address: str, page: str, places: dict[str, int]) -> str:
    """Where a link leads on paper, inside the combined page; outside of the book it stays as it is."""
    if re.match(r"[a-z]+:", address):
        return address
    path, _, anchor = address.partition("#")
    target = os.path.normpath(Path(f"{page}.html").parent / unquote(path)) if path else f"{page}.html"
    place = places.get(target.removesuffix(".html"))
    return f"#p{place}-{anchor}" if place is not None and anchor else f"#p{place}" if place is not None else "#front"


def body(soup: BeautifulSoup, page: str, places: dict[str, int]) -> tuple[Tag, list[Tag]]:
    """A page as it is printed on paper, and its solutions."""
    article = soup.select_one("article.bd-article")
    assert article is not None, page
    for pattern in LEFT_OUT:
        for tag in article.select(pattern):
            tag.decompose()
    for still in article.select("noscript"):  # on paper nothing moves
        still.unwrap()
    for fold in article.select("details.hide"):
        fold.name = "div"  # without its summary a browser would write "Details"
        fold["class"] = ["hide"]
    for fold in article.select("details"):
        if "evidence" not in fold.get("class", []):
            fold["open"] = ""
    for words in article.find_all(string=re.compile(r"\(click to open\)")):
        words.replace_with(re.sub(r"\s*\(click to open\)", "", words))
    _renamed(article, page, places)
    solutions = [tag.extract() for tag in article.select("div.solution")]
    for tag in solutions:
        tag["class"] = [name for name in tag["class"] if name != "dropdown"]
    for tag in article.select("div.exercise"):
        answer = next((s for s in solutions if _name_of(s).endswith(_name_of(tag))), None)
        if answer is not None:
            link = soup.new_tag("p", attrs={"class": "to-solution"})
            link.append(soup.new_tag("a", href=f"#{answer['id']}"))
            link.a.string = "Solution at the end of the book"
            (tag.select_one(".exercise-box") or tag).append(link)
    return article, solutions


def _name_of(box: Tag) -> str:
    """What stands above an exercise, or above its solution: the latter ends with the former."""
    return " ".join(box.select_one(".admonition-title").get_text().split())  # type: ignore[union-attr]


def _title_of(article: Tag) -> str:
    """The title of a page, with its number."""
    heading = article.find("h1")
    return " ".join(heading.get_text().split()) if heading else ""


def listed(anchor: str, title: str, kind: str) -> str:
    """A line of the contents on paper, with a place for the number of the page."""
    return f'<li class="{kind}"><a href="#{anchor}">{title}</a><span data-of="{anchor}"></span></li>'


def combined(pages: list[tuple[str, str]]) -> str:
    """One HTML page of the whole book, which is printed as a PDF."""
    places = {name: i for i, (name, _) in enumerate(pages)}
    chapters, lines, answers = [], [], []
    settings = ""
    for page, caption in pages:
        soup = BeautifulSoup((SITE / f"{page}.html").read_text(encoding="utf-8"), "html.parser")
        script = soup.find("script", string=re.compile(r"window\.MathJax"))
        settings = settings or (str(script) if script else "")
        article, solutions = body(soup, page, places)
        place, title = places[page], _title_of(article)
        depth = 1 + len(re.findall(r"\.", re.match(r"[\d.]*", title)[0]))  # type: ignore[index]
        if caption:
            lines.append(f'<li class="part">{caption}</li>')
        lines.append(listed(f"p{place}", title, f"level-{min(depth, 3)}"))
        chapters.append(f'<div class="page" id="p{place}">{article.decode()}</div>')
        if solutions:
            answers.append(f"<h2>{title}</h2>" + "".join(tag.decode() for tag in solutions))
    if answers:
        lines.append(listed("answers", "Solutions", "part"))
        inner = "".join(answers)
        chapters.append(
            f'<div class="page" id="answers"><article class="bd-article"><h1>Solutions</h1>{inner}</article></div>'
        )
    return TEMPLATE.format(
        styles="".join(f'<link rel="stylesheet" href="../html/_static/{name}">' for name in STYLES),
        own=Path(__file__).with_suffix(".css").read_text(encoding="utf-8"),
        settings=settings,
        title=TITLE,
        contents="".join(lines),
        chapters="".join(chapters),
    )


def chromium() -> str:
    """Where the browser is that prints the book."""
    names = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "chrome")
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        raise SystemExit("no Chromium found: `apt-get install chromium`, or set CHROMIUM=/path/to/chromium")
    return found


def _pages_of(file: Path) -> dict[str, int]:
    """The page on which each linked anchor stands, counted from 1."""
    from pypdf import PdfReader  # only this needs it

    reader = PdfReader(file)
    return {name.lstrip("/"): reader.get_destination_page_number(place) + 1  # type: ignore[operator]
            for name, place in reader.named_destinations.items()}  # fmt: skip


def printed(tab: Page, file: Path, *, draft: bool = False) -> None:
    """Print what a tab shows to a PDF; a draft, which is quicker, without outline and structure."""
    tab.pdf(
        path=file, format="A4", print_background=True, outline=not draft, tagged=not draft, display_header_footer=True,
        margin={"top": "18mm", "bottom": "20mm", "left": "20mm", "right": "20mm"}, header_template="<span></span>",
        footer_template=FOOTER,
    )  # fmt: skip


def make(pages: list[tuple[str, str]], output: Path) -> dict[str, int]:
    """Print these pages to a PDF; the pages on which they begin."""
    folder = SITE.parent / "paper"
    folder.mkdir(exist_ok=True)
    source = folder / "book.html"
    source.write_text(combined(pages), encoding="utf-8")
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--allow-file-access-from-files"]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=options)
        tab = browser.new_context(offline=True, viewport={"width": 642, "height": 960}).new_page()
        tab.set_default_timeout(SECONDS * 1000)
        tab.goto(source.as_uri(), wait_until="load")
        tab.evaluate("() => MathJax.startup.promise.then(() => true)")
        tab.emulate_media(media="print")
        tab.evaluate(FIT)
        found: dict[str, int] = {}
        if find_spec("pypdf"):  # the numbers of the first printing stand in the contents of the second
            printed(tab, output, draft=True)
            found = _pages_of(output)
            tab.evaluate(NUMBERS, found)
        printed(tab, output)
        browser.close()
    return found


def _packed(file: Path) -> None:
    """Compress a PDF once more, without loss."""
    import pikepdf  # only this needs it

    pikepdf.settings.set_flate_compression_level(9)
    with pikepdf.open(file, allow_overwriting_input=True) as pdf:
        pdf.save(file, recompress_flate=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def count(file: Path) -> int:
    """The number of pages of a PDF that Chromium made."""
    return len(re.findall(rb"/Type /Page\b", file.read_bytes()))


TITLE = """
<p class="of">An executable reading of Balcan, Blum and Vempala (COLT 2015)</p>
<h1>Efficient Representations for Lifelong Learning</h1>
<p>On paper, as it was built. What runs, moves and folds is in the book on the screen; the numbers are the same.</p>
<p>Text and figures: CC BY 4.0. Code: BSD 3-Clause.</p>
"""
FOOTER = (
    '<div style="width:100%;text-align:center;font:8pt sans-serif;color:#555"><span class="pageNumber"></span></div>'
)
#: What is too wide for the paper is made smaller, never cut.
NUMBERS = """pages => {
  for (const place of document.querySelectorAll('[data-of]')) place.textContent = pages[place.dataset.of] ?? ''
}"""
FIT = """() => {
  for (const it of document.querySelectorAll('mjx-container[display="true"], table, svg, pre')) {
    const room = it.parentElement.getBoundingClientRect().width
    const wide = it.scrollWidth || it.getBoundingClientRect().width
    if (room > 50 && wide > room + 1 && !it.closest('.fitted')) {
      it.style.zoom = Math.max(0.45, room / wide); it.classList.add('fitted')
    }
  }
}"""
TEMPLATE = """<!DOCTYPE html>
<html lang="en" data-theme="light" data-mode="light">
<head><meta charset="utf-8"><title>Efficient Representations for Lifelong Learning</title>
{styles}<style>{own}</style>{settings}
<script defer src="../html/_static/mathjax/tex-svg-full.js"></script></head>
<body><div class="title" id="front">{title}</div>
<nav class="listing"><h1>Contents</h1><ol>{contents}</ol></nav>
{chapters}</body></html>
"""


def main(arguments: list[str] | None = None) -> int:
    """Print the book to a PDF, and say how large it is."""
    parser = argparse.ArgumentParser(description="Print the built book to a PDF.")
    parser.add_argument("pages", nargs="*", help="pages such as book/introduction; without names, all")
    parser.add_argument("--output", type=Path, default=SITE.parent / "lifelong.pdf")
    chosen = parser.parse_args(arguments)
    if not (SITE / "book").is_dir():
        raise SystemExit("build the book first: jupyter-book build -W -n --keep-going .")
    pages, begin = contents(), time.perf_counter()
    if unknown := set(chosen.pages) - {name for name, _ in pages}:
        parser.error(f"no page of the book: {', '.join(sorted(unknown))}")
    make([(name, caption) for name, caption in pages if name in chosen.pages or not chosen.pages], chosen.output)
    length = count(chosen.output)
    if find_spec("pikepdf"):
        _packed(chosen.output)
    size = chosen.output.stat().st_size / 1e6
    print(f"{chosen.output}: {length} pages, {size:.1f} MB, {time.perf_counter() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
