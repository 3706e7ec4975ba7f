"""The ledger as a page: one line a claim, which opens to its statement and evidence."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from lifelong_book.press.badges import MACHINE, SIGNS
from lifelong_book.press.contents import Chapter, Printed, places
from lifelong_book.press.ledger import KINDS, LEDGER
from lifelong_book.press.ledger.dependencies import RESTS_ON

#: Sign of each verdict.
MARKS = {**SIGNS, "refuted": KINDS["refuted"][0]}
_SHORT = {"holds on all instances tried": "holds on all tried"}


def dashboard(
    claims: Iterable[Mapping[str, Any]], pages: Mapping[str, Chapter], exercises: Mapping[str, Printed]
) -> str:
    """The ledger as HTML: a table of one line a claim, with filters and a search where scripts run."""
    listed = list(claims)
    links = {c["label"]: f"{_page(c)}.html#{c['label']}" for c in listed}
    numbers = {c["label"]: pages.get(_page(c), Chapter("", "")) for c in listed}
    template = Path(__file__).with_name("dashboard.html").read_text(encoding="utf-8")
    parts = {
        "ROWS": "\n".join(_claim(c, links, numbers[c["label"]], exercises) for c in listed),
        "VERDICTS": _options({_standing(c): _standing(c) for c in listed}),
        "CHAPTERS": _options({_chapter(n): str(n) for n in sorted(numbers.values(), key=_order) if _chapter(n)}),
        "COUNT": str(len(listed)),
    }
    for name, text in parts.items():
        template = template.replace(f"__{name}__", text)
    return template


def _page(claim: Mapping[str, Any]) -> str:
    return places().get(claim["label"], "ledger")


def _chapter(chapter: Chapter) -> str:
    """The chapter to which a page belongs: "3.4" of "3.4.1"."""
    return ".".join(chapter.number.split(".")[:2])


def _order(chapter: Chapter) -> list[int]:
    # pages below a chapter come before it, so that the chapter's own title is the one that stays
    return [*(int(x) for x in _chapter(chapter).split(".") if x), -len(chapter.number)]


def _options(names: Mapping[str, str]) -> str:
    return "".join(f'<option value="{escape(value)}">{escape(name)}</option>' for value, name in names.items())


def _standing(claim: Mapping[str, Any]) -> str:
    return _SHORT.get(claim["verdict"], str(claim["verdict"]))


def _badges(claim: Mapping[str, Any]) -> str:
    """The verdict, and the kinds of what was found in print beside it."""
    kinds = dict.fromkeys(d["kind"] for d in claim["discrepancies"] if d["kind"] != "refuted")
    verdict = claim["verdict"]
    part = " in part" if any(d.get("stands") for d in claim["discrepancies"]) else ""
    shown = [(MARKS[verdict], _standing(claim) + part, f"verdict-{verdict.split()[0]}")]
    shown += [(KINDS[kind][0], kind, f"found-{kind}") for kind in kinds]
    shown += [("⊢", "machine", "found-machine")] if claim["label"] in MACHINE else []
    return " ".join(f'<span class="badge-claim {css}">{mark} {words}</span>' for mark, words, css in shown)


def _bite(claim: Mapping[str, Any]) -> str:
    """The least bite; of a refuted claim, by how much an instance exceeds what is printed."""
    if claim["verdict"] == "refuted":
        return f"{float(claim['worst']):.3g}×" if claim["worst"] else "–"
    return f"{min(map(float, claim['bites'].values())):.2f}" if claim["bites"] else "–"


def _claim(
    claim: Mapping[str, Any], links: Mapping[str, str], chapter: Chapter, exercises: Mapping[str, Printed]
) -> str:
    """Two rows: the line, and what it opens to."""
    label, title = claim["label"], readable(plain(claim["title"]))
    kind = "book" if claim["item"] in ("corrected", "added") else "paper"
    if kind == "paper":
        title = f"<strong>{escape(claim['item'])}</strong>, {title}"
    kinds = " ".join(dict.fromkeys(d["kind"] for d in claim["discrepancies"]))
    data = {
        "verdict": _standing(claim),
        "chapter": _chapter(chapter),
        "source": kind,
        "found": kinds,
        "text": f"{claim['item']} {label} {claim['title']} {plain(claim['title'])} {claim['statement']}".lower(),
    }
    attributes = " ".join(f'data-{name}="{escape(value)}"' for name, value in data.items())
    return (
        f'<tbody id="claim-{label}" {attributes}>'
        f'<tr class="line"><td>{_badges(claim)}</td>'
        f'<th scope="row"><a class="opens" href="#claim-{label}">{title}</a></th>'
        f"<td>{escape(chapter.number)}</td><td>{claim['instances']:,}</td><td>{_bite(claim)}</td></tr>"
        f'<tr class="more"><td colspan="5"><details><summary>Statement and evidence</summary>'
        f"{_opened(claim, links, chapter, exercises)}</details></td></tr></tbody>"
    )


def _opened(
    claim: Mapping[str, Any], links: Mapping[str, str], chapter: Chapter, exercises: Mapping[str, Printed]
) -> str:
    label = claim["label"]
    about = {name: e for name, e in exercises.items() if label in e.links}
    number = f'<span class="statement-number" data-claim="{label}"></span>'  # filled in by the build
    page = f'<a href="{links[label]}">{number}{escape(str(chapter)) or "its page"}</a>'
    found = ", ".join(
        f'<a href="{(d["page"] or _page(claim))}.html#{d["label"]}">{KINDS[d["kind"]][0]} {d["kind"]}</a>'
        f" ({formulas(d['where'])})"
        for d in claim["discrepancies"]
    )
    machine, refuting = MACHINE.get(label, ""), _refuting(claim)
    before = {  # the table of checks
        "Stated and proved" if claim["verdict"] == "proved" else "Stated": page,
        "Refuted by": refuting and f"<code>{escape(refuting)}</code>",
        "Found in print": found,
        "What holds instead" if claim["verdict"] == "refuted" else "Sharper": _titles(claim["replaced_by"], links),
        "Limits": formulas(claim["scope"]),
        "Checked by machine": machine and f'<a href="formal/index.html#formal-{label}"><code>{machine}</code></a>',
    }
    after = {
        "Run it": f"<code>lifelong verify {label}</code> ({claim['seconds']:.1f} s)",
        "Rests on": _claims(RESTS_ON.get(label, ()), links),
        "Needed for": _claims((other for other, below in RESTS_ON.items() if label in below), links),
        "Exercises": ", ".join(f'<a href="{e.page}.html#{name}">{escape(e.name)}</a>' for name, e in about.items()),
        "Computed by": ", ".join(
            f'<a href="{reference(f)}"><code>{escape(f)}</code></a>'
            if f.startswith("lifelong.")
            else f"<code>{escape(f)}</code>"  # in a room of the book, not in the reference
            for f in claim["functions"]
        ),
        "To cite or link": f'<code>{label}</code>, <a href="#claim-{label}">ledger.html#claim-{label}</a>',
    }
    first, last = (
        "".join(f"<dt>{name}</dt><dd>{words}</dd>" for name, words in facts.items() if words)
        for facts in (before, after)
    )
    return f"<p>{formulas(claim['statement'])}</p><dl>{first}</dl>{_evidence(claim)}{_loose(claim)}<dl>{last}</dl>"


def _refuting(claim: Mapping[str, Any]) -> str:
    """The instance on which a refutation rests."""
    entries = claim["evidence"] if claim["verdict"] == "refuted" else ()
    return next((str(e["witness"]) for e in entries if e["witness"] and e["violations"]), "")


_NAMES = "alpha beta gamma delta eps eta theta lambda mu pi rho sigma tau phi psi"
_GREEK = dict(zip(_NAMES.split(), "αβγδεηθλμπρστφψ", strict=True))


def readable(text: str) -> str:
    """The name of a check, written in ASCII, as HTML on the ledger's page: Greek letters, indices and powers."""
    shown = escape(text, quote=False).replace("&lt;=", "≤").replace("&gt;=", "≥").replace("!=", "≠")
    shown = re.sub(rf"(?<![A-Za-z])({'|'.join(_GREEK)})(?![A-Za-z])", lambda found: _GREEK[found[1]], shown)
    shown = re.sub(r"(?<![A-Za-z])sqrt\(", "√(", shown)
    shown = re.sub(r"(?<![A-Za-z])log2(?!\w)", "log_2", shown)
    shown = re.sub(r"(?<![A-Za-z])R\^", "ℝ^", shown)
    shown = unicodedata.normalize("NFC", re.sub(r"(?<![A-Za-z])([A-Za-zα-ω])~", "\\1\u0303", shown))
    shown = re.sub(r"(?<![^\W\d_])([^\W\d_]\u0303?|log)_(\w+|\([^()]*\))", _lowered, shown)
    return re.sub(r"\^(-?\w+|\([^()]*\)|[+*])", lambda found: f"<sup>{found[1].strip('()')}</sup>", shown)


def plain(title: str) -> str:
    """A title of the ledger as the pages tell it: Greek letters and powers."""
    for written, told in _SIGNS.items():
        title = re.sub(written, told, title)
    return title


def _tried(name: str) -> str:
    """What a check tries: "addition" for the "opening" of the code, on whose name its random numbers hang."""
    for written, told in _WORDS.items():
        name = re.sub(rf"\b{written}\b", told, name)
    return readable(name)


_WORDS = {"opens": "adds", "opened": "added", "opening": "addition", "openings": "additions"}
_SIGNS = {r"\beps\b": "ε", r"\btau\b": "τ", r"\^2\b": "²", r"\^k\b": "ᵏ"}


def _lowered(found: re.Match[str]) -> str:
    return f"{found[1]}<sub>{found[2].strip('()')}</sub>"


def formulas(text: str) -> str:
    """A text of the ledger as HTML: formulas between dollar signs, code between backticks, labels as links."""
    shown = re.sub(r"`(.+?)`", r"<code>\1</code>", escape(text, quote=False))
    shown = re.sub(r"\b[a-z]+-[a-z-]+[a-z]\b", _labelled, shown)
    return re.sub(r"\$(.+?)\$", r'<span class="math notranslate nohighlight">\\(\1\\)</span>', shown)


def _labelled(found: re.Match[str]) -> str:
    return f'<a href="#claim-{found[0]}"><code>{found[0]}</code></a>' if found[0] in LEDGER else found[0]


def _claims(labels: Iterable[str], links: Mapping[str, str]) -> str:
    shown = {name: f"<code>{name}</code>" for name in labels}
    return ", ".join(f'<a href="#claim-{name}">{it}</a>' if name in links else it for name, it in shown.items())


def _titles(labels: Iterable[str], links: Mapping[str, str]) -> str:
    """Claims by what they say."""
    shown = {name: readable(plain(LEDGER[name].title)) for name in labels}
    return "; ".join(f'<a href="#claim-{name}">{it}</a>' if name in links else it for name, it in shown.items())


def reference(name: str) -> str:
    """Address of a documented name, from the ledger's page."""
    module = max((m for m in _documented() if f"{name}.".startswith(f"{m}.")), key=len)
    return f"{_documented()[module]}.html#{name}"


@cache
def _documented() -> dict[str, str]:
    """The page of the reference on which a module is told."""
    book = Path(__file__).parents[1]
    pages = [book / "api.rst", *sorted((book / "api").glob("*.rst"))]
    told = {page: re.findall(r"automodule:: (\S+)", page.read_text(encoding="utf-8")) for page in pages}
    return {m: page.relative_to(book).with_suffix("").as_posix() for page, found in told.items() for m in found}


def _worst(entry: Mapping[str, Any]) -> str:
    if entry["ratios"]:
        return "<br>".join(f"{_tried(name)}: {_number(ratio)}" for name, ratio in entry["ratios"].items())
    return _number(entry["worst"])


def _number(ratio: float | str | None) -> str:
    return "–" if ratio is None else f"{float(ratio):.4g}"


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of HTML cells that scrolls in a box of its own where the page is narrow."""
    head = "".join(f'<th scope="col">{h}</th>' for h in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _evidence(claim: Mapping[str, Any]) -> str:
    """Every check and every broken version, with the worst instance where a check describes it."""
    rows = [
        (
            (f"broken version: {_tried(e['check'])} ({_tried(e['spoiling'])})" if broken else _tried(e["check"]))
            + f", <em>{escape(e['kind'])}</em>",
            f"{e['instances']:,}",
            ("–" if ": the largest left/right is " in e["check"] else f"{e['violations']:,}")
            + (" (may fail)" if e["expected"] == "reported" else ""),
            _worst(e),
        )
        for broken in (False, True)
        for e in claim["twins" if broken else "evidence"]
    ]
    table = _table(("Check, and its <em>kind</em>", "Instances", "Violated", "Worst ratio"), rows)
    seen = {e["witness"]: e["check"] for e in (*claim["twins"], *claim["evidence"]) if e["witness"]}
    worst = "".join(
        f"<dt>{_tried(e['check'])}</dt><dd><code>{escape(e['witness'])}</code></dd>"
        for e in (*claim["evidence"], *claim["twins"])
        if e["witness"] and seen[e["witness"]] == e["check"] and e["witness"] != _refuting(claim)
    )
    return table + (f'<p>Worst instances, by check:</p><dl class="worst">{worst}</dl>' if worst else "")


def _loose(claim: Mapping[str, Any]) -> str:
    """Why the evidence bites less than nine tenths, inequality by inequality."""
    reasons = [
        f"<li>{_tried(name) or 'The bound'}: {float(claim['bites'][name]):.2f}, {formulas(why)}</li>"
        for name, why in claim["loose"].items()
        if name in claim["bites"]
    ]
    return f"<p>Where the evidence bites less:</p><ul>{''.join(reasons)}</ul>" if reasons else ""
