"""A numbered item of the paper: defined and asserted in open cells of its page, box and code of one mind."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

from lifelong_book.press.ledger import LEDGER

BOOK = Path(__file__).parents[2] / "book"
BOUNDS = (BOOK.parent / "lifelong/conjunctions/bounds.py").read_text()
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
#: What an open cell of the page defines for an item: an algorithm, or the two sides of a statement.
DEFINED = {
    "lem-angle": "lemma_1",
    "fig-perturbation": "figure",
    "lem-one-vec": "lemma_2",
    "lem-subspace": "lemma_3",
    "algo-one": "reuse",
    "thm-halfspaces": "theorem_1",
    "note-efficient": "efficient",
    "algo-two": "reuse",
    "thm-two-levels": "theorem_2",
    "algo-consistency-anchor": "algorithm_3",
    "lem-consistency": "lemma_4",
    "algo-monomial-anchor-online": "algorithm_4",
    "thm-online-anchor": "theorem_3",
    "cor-equivalence": "corollary_1",
    "algo-monomial-anchor": "Algorithm5",
    "thm-product-anchor": "theorem_4",
    "def-anchor-set": "definition_1",
    "thm-sparse-auto": "theorem_5",
    "cor-sparse-auto": "AnchorSets",
    "algo-polynomials": "Algorithm6",
    "thm-polynomials": "theorem_6",
}
#: Not beside its statement: the learner of the corollary stands in the chapter, its proof on a page below.
ELSEWHERE = {"cor-sparse-auto": "conjunctions/autoencoders/index"}


def twice(*said: str) -> list[tuple[str, str]]:
    """What an order of growth says, on the page and in the ledger, for no code has it."""
    return [(words, words) for words in said]


#: What the box of an item says, and the piece of code, on its page or in its room, or of the ledger that says the same.
SAME = {
    "lem-angle": [
        (r"$c = \dfrac1{24\pi}$", "c, c_high = 1 / (24 * np.pi), "),
        (r"$c' = \dfrac{2e^2}{e - 1}$", "2 * np.e**2 / (np.e - 1)\n"),
        (r"c\,\theta(u, v) \le d_D(u, v) \le c'\,\theta(u, v)", '(c * theta, d), "upper": (d, c_high * theta)'),
    ],
    "fig-perturbation": [
        ("0.1 away from it", "small, large = 0.01, 0.1"),
        (r"$\cos0.01\,e_1+\sin0.01\,e_2$", "near = np.cos(small) * a1 + np.sin(small) * e2"),
        (r"$\cos0.1\,e_1+\sin0.1\,e_3$", "tilted = np.cos(large) * a1 + np.sin(large) * e3"),
        ("lifted by 0.01", "lifted = np.cos(small) * flat + np.sin(small) * e3"),
    ],
    "lem-one-vec": [
        (r"\{a_1,\dots,a_{k-1},\tilde b\}", "V, V_learned = span(U, b), span(U, learned)"),
        (r"\theta(V,\tilde V)\;\le\;\frac{\pi}{2}\,", "subspace_angle(V, V_learned), np.pi / 2 * error / beta"),
        (r"\frac{\theta(\tilde b,b)}{\theta(\tilde b,U)}", "= angle(learned, b), angle_to_subspace(learned, U)"),
    ],
    "lem-subspace": [
        (r"$\varepsilon_{\mathrm{acc}}\le\gamma^2/(10k)$", "error <= gamma**2 / (10 * k)"),
        (r"$\theta(\tilde a_i,\tilde V_{i-1})\ge\gamma$", "angle_to_subspace(a[..., i, :], a[..., :i, :])"),
        (r"$\theta(a_i,\tilde a_i)\le\varepsilon_{\mathrm{acc}}$", "error = angle(true, learned).max(axis=-1)"),
        (r"V_k)\le 2k\,\varepsilon_{\mathrm{acc}}/\gamma$", "subspace_angle(true, learned), 2 * k * error / gamma"),
    ],
    "algo-one": [
        (r"feature $\tilde w_{\tilde k+1}$, $\tilde c_i=e_{\tilde k+1}$", "self.W = np.vstack([self.W, a])"),
        *twice(r"$\tilde A=\tilde C\tilde W$"),
        (r"with error at most $\varepsilon$ on task $i$", "within(task, self.span, self.epsilon)"),
        (r"learn task $i$ to error $\varepsilon_{\mathrm{acc}}$", "afresh(task, self.epsilon_acc)"),
    ],
    "thm-halfspaces": [
        (r"$\tilde k\le k$ features", 'sum(how == "scratch" for how in run.how), k\n'),
        (r"2k\,\varepsilon_{\mathrm{acc}}/\gamma+\gamma=c_2\varepsilon", "gamma + 2 * k * error / gamma"),
        *twice(r"\gamma=c_1\varepsilon$", r"\tilde O(nk/\varepsilon_{\mathrm{acc}}+km/\varepsilon)"),
        *twice(r"\tilde O(nk^2/\varepsilon^2+km/\varepsilon)"),
    ],
    "note-efficient": [
        (r"error at most $\varepsilon/L$", "k, epsilon / L, epsilon / (5 * L)"),
        (r"$L=\ln^2\frac1\varepsilon$", "L = np.log(epsilon) ** 2"),
        (r"$\varepsilon<\frac1e$", r"$\varepsilon<1/e$"),
        *twice(r"\tilde O(d/\varepsilon)"),
        (r"\tilde O\bigl((n+m)k/\varepsilon\bigr)", r"\tilde O((n+m)k/\varepsilon)"),
        (r"predictor has error at most $\varepsilon$", '"error of a predictor": (error, epsilon)'),
        (r"$\varepsilon_{\mathrm{acc}}=\varepsilon/(5L)$", "epsilon / L, epsilon / (5 * L)"),
        (r"$k\,(\frac12+\ln\frac L\varepsilon)$", "k * (1 / 2 + np.log(L / epsilon))"),
    ],
    "algo-two": [
        (r"$j\le\tilde r$, with error at most $\varepsilon$", "within(task, self.few, self.epsilon)"),
        (r"with error at most $\tilde\varepsilon_{\mathrm{acc}}$", "self.few.frame, self.epsilon_acc_second"),
        (r"learn task $i$ to error $\varepsilon_{\mathrm{acc}}$", "afresh(task, self.epsilon_acc_first)"),
        (r"$\tilde u_{\tilde r+1}=u$, $\tilde c_i=e_{\tilde r+1}$", "self.U.append(u)\n"),
        (r"$\tilde w_{\tilde k+1}$; $\tilde u_{\tilde r+1}=e_{\tilde k+1}$, $", "u = np.eye(len(self.W))[-1]"),
        *twice(r"$\tilde A=\tilde C\tilde U\tilde W$"),
        (r"at most $\tau$ of the vectors", r"at most $\tau$ nonzero entries"),
    ],
    "thm-two-levels": [
        *twice(r"one of $r$ spaces of dimension $\tau$"),
        (r"$\tilde k\le k$ features of the first level", '"first level": (first, k)'),
        (r"$\tilde r\le\tau r$ of the second", "most = tau * len(set(kinds))\n"),
        (r"$\tilde\varepsilon_{\mathrm{acc}}\le\kappa^2\varepsilon^2/\tau$", "second = square * epsilon**2 / tau\n"),
        (r"{\mathrm{acc}}\le\kappa^2\tilde\varepsilon_{\mathrm{acc}}^{\,2}/k$", "second, square * second**2 / k\n"),
    ],
    "algo-consistency-anchor": [
        (r"first such target $T$", "T = left[0]\n"),
        (r"$U=T\setminus h(T)$", "U = np.flatnonzero(T & ~h(T, M))"),
        (r"$h(T)=\bigcup\{\tilde m_j:\tilde m_j\subseteq T\}$", "M[(M <= T).all(axis=1)].any(axis=0)"),
        (r"no $z'\in U$ has $N(z')\subsetneq N(z)$", "not any(rarer(TS, y, z) for y in U)"),
        (r"Add $\mathrm{cl}(z)$", "np.vstack([M, cl(TS, z)])"),
    ],
    "lem-consistency": [
        (r"$q\le k$", '"q": (len(P), len(m))'),
        (r"$m_{t_i}\subseteq\tilde m_i$", "a = inside(m, P)"),
        (r"every target that contains $m_{t_i}$ contains $\tilde m_i$", "b = inside(inside(m, TS).T, inside(P, TS).T)"),
        (r"if $y_j\in\tilde m_i$ for some $j$, then $m_j\subseteq\tilde m_i$", "(~a & P[:, y]).sum()"),
    ],
    "algo-monomial-anchor-online": [
        (r"$T=\bigcup\{\tilde m_j:\tilde m_j\subseteq T\}$", "if represent(T, M) is None"),
        ("output of Algorithm 3 on $\\mathcal T$", "M = metafeatures(TS)"),
    ],
    "thm-online-anchor": [(r"at most $n^2+k$ targets", "len(algorithm_4(targets)[0]), n**2 + k\n")],
    "cor-equivalence": [
        (r"&m(k+1)+nQ\\", "len(targets) * (k + 1) + n * Q"),
        (r"\le m(k+1)+kn^2\\", r"where $Q\le kn$ is"),
        *twice("=O(mk+n^3)"),
    ],
    "algo-monomial-anchor": [
        (r"0 in a fraction below $\varepsilon/4n$", "self.share = epsilon / (4 * n)"),
        (r"$S=[n]\setminus I$", "variables = np.eye(task.n, dtype=np.bool_)[~self.I]"),
        (r"Draw $s_1$ unlabelled", "task.unlabelled(self.s1)"),
        (r"draw $s_2$ examples", "s2 = self.s2(len(self.M))"),
        (r"draw $s_3$ examples", "task.examples(self.s3, ones=self.I)"),
    ],
    "thm-product-anchor": [
        (r"s_1&=O\Bigl(\frac n\varepsilon\ln\frac n\delta\Bigr)", "n / epsilon * np.log(n / delta)"),
        (r"s_2&=\frac k\varepsilon\ln\frac m\delta", "k / epsilon * np.log(m / delta)"),
        (r"s_3&=\frac n\varepsilon\ln\frac{nk}\delta", "n / epsilon * np.log(n * k / delta)"),
        *twice(r"\tilde O\bigl((n^2+k)\frac n\varepsilon\ln\frac n\delta+\frac{km}\varepsilon\bigr)"),
    ],
    "def-anchor-set": [
        (r"$y_j\subseteq m_j$ of at most $c$ variables", "for s in range(c + 1) for y in combinations(v, s)"),
        (r"$R_r\subseteq M$ of at most $k$ *relevant*", "(R.sum(axis=1) <= k).all()"),
        (r"$T_r=\bigcup R_r$", "((R @ M) == TS).all()"),
        (r"whenever $y_j\subseteq T_r$, also $m_j\in R_r$", "any((TS[:, y].all(axis=1) <= users).all() for y in Y)"),
    ],
    "thm-sparse-auto": [
        *twice(r"$O(n^c)$"),
        (r"$1-\tfrac1n-", '"coverage": (missed, 1 / n)'),
        (r"-\tfrac1n-\tfrac2{n^2}$", "1 / n + 2 / n**2"),
        (r"at most $2\max(|M|,3)\,L$", '"kept": (len(kept), 2 * max(len(M), 3) * L)'),
        (r"$2\max(k,3)\,L$", '"kept a target": (most, 2 * max(k, 3) * L)'),
    ],
    "cor-sparse-auto": [
        (r"\alpha k\log_\alpha N+\alpha+1\bigr)+n\,Q", "alpha * k * log(features) / log(alpha) + alpha\n"),
        (r"$N=\sum_{s\le c}\binom ns$", "sum(comb(n, size) for size in range(c + 1))"),
        (r"Q=\sum_{m_j\in M}\bigl(n-|m_j|\bigr)", "Q = small_count(n, c), int((~M).sum())"),
        *twice(r"$O(mk\log n+n^2|M|)$"),
        (r"m\,\bigl(\alpha k", "m * (1 + int(winnow_mistakes(features, k=k, alpha=alpha))) + n * scratch"),
    ],
    "algo-polynomials": [
        (r"norm at most $B$, to mean squared error $\varepsilon$", "attempt(task, terms, bound=B, epsilon=eps, "),
        ("output of Algorithm 3 on $TS$", "metafeatures("),
    ],
    "thm-polynomials": [
        (r"at most $n^2+k$ problems", '"problems": (run.scratch, n**2 + k)'),
        (r"more than $k$ metafeatures", '"metafeatures": (len(found), k)'),
        *twice("$O(B^2k)$"),
    ],
}


def open_cells(page: str) -> list[str]:
    """The programs that a reader of a page sees without a click."""
    cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
    return [c.source for c in cells if c.cell_type == "code" and not HIDDEN & set(c.metadata.get("tags", []))]


def asserted(cells: list[str], name: str) -> tuple[bool, bool]:
    """Whether a name is defined in the cells, and whether an assert looks at it or at what is made with it."""
    defined, known = False, {name}
    for node in (node for cell in cells for node in ast.parse(cell).body):
        inside = list(ast.walk(node))
        defined |= any(getattr(n, "name", None) == name for n in inside)
        if not defined:
            continue
        mentioned = {n.id for n in inside if isinstance(n, ast.Name)}
        if mentioned & known:
            if any(isinstance(n, ast.Assert) and not isinstance(node, ast.FunctionDef) for n in inside):
                return defined, True
            known |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            known |= {node.name} if isinstance(node, ast.ClassDef | ast.FunctionDef) else set()
    return defined, False


def test_every_numbered_item_of_the_paper_is_listed():
    numbered = r"(Lemma|Theorem|Corollary|Definition|Algorithm|Figure|Note) \d"
    assert {label for label, claim in LEDGER.items() if re.fullmatch(numbered, claim.item)} == {*DEFINED} == {*SAME}


@pytest.mark.parametrize("label", DEFINED)
def test_an_item_is_defined_and_asserted_in_the_open(label):
    assert asserted(open_cells(ELSEWHERE.get(label, LEDGER[label].page)), DEFINED[label]) == (True, True)


def test_an_assert_on_something_else_does_not_count():
    cells = ["def sides(x):\n    assert x\n    return x, 1", "left, right = sides(0)", "assert {}"]
    for said, found in (("left <= right", True), ("sides(1)", True), ("other", False), ("1 < 2", False)):
        assert asserted([*cells[:2], cells[2].format(said)], "sides") == (True, found)


def box(label: str) -> str:
    """The statement of an item as it stands on its page; the figure has a paragraph."""
    cells = nbformat.read(BOOK / f"{LEDGER[label].page}.ipynb", as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    if label == "fig-perturbation":
        return text.partition(f"({label})=\n")[2].partition("\n\n")[0]
    return next(
        m[2] for m in re.finditer(r"(`{3,})\{prf:\w+\}.*\n(.*(?:\n.*)*?)\n\1", text) if f":label: {label}-box\n" in m[2]
    )


@pytest.mark.parametrize(
    ("label", "said", "computed"), [(label, *pair) for label, pairs in SAME.items() for pair in pairs]
)
def test_a_statement_and_its_code_say_the_same(label, said, computed):
    page, claim = ELSEWHERE.get(label, LEDGER[label].page), LEDGER[label]
    room = [path.read_text() for path in sorted((BOOK / page).parent.glob("*.py"))]
    code = "\n".join([*open_cells(page), BOUNDS, *room, claim.statement, claim.scope])
    assert said in box(label)
    assert computed in code
