"""Exercises of Section 5: polynomials that share monomials."""

from functools import cache
from itertools import combinations, islice, product
from math import comb, expm1, log

import numpy as np

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.polynomials import bounds
from lifelong.polynomials.polynomial import Polynomial, cube, monomial_values, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.schapire_sellie.experiments import AnyMember, longest_run
from lifelong_book.polynomials.shared_monomials.experiments import exact_run
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, family, near, number, parts, rows, whole


def _all_terms(answer: Submission) -> None:
    values = {x: answer.number(*x) for x in product((0, 1), repeat=2)}
    answer.where = answer.name
    coefficients = {
        "1": values[0, 0],
        "x1": values[1, 0] - values[0, 0],
        "x2": values[0, 1] - values[0, 0],
        "x1 x2": values[1, 1] - values[1, 0] - values[0, 1] + values[0, 0],
    }
    for term, a in coefficients.items():
        if abs(abs(a) - 1) > 1e-9:
            answer.refuse(f"the coefficient of {term} is neither 1 nor -1")
    if all(abs(values[x] - (1 - x[0]) * (1 - x[1])) < 1e-9 for x in values):
        answer.refuse("this is a product of literals; the exercise asks for another function")


def _few_products(answer: Submission) -> None:
    for k in (1, 2, 4, 8):
        pieces = answer.family(k, shape=(k, None))
        if len(np.unique(pieces[pieces.any(axis=1)], axis=0)) < k:
            answer.refuse("expected different metafeatures, none of them empty")
        unions = {pieces[list(some)].any(axis=0).tobytes() for j in range(k) for some in combinations(range(k), j + 1)}
        if len(unions) > k:
            answer.refuse("there are more products than that at least")


@cache
def _long_games() -> frozenset[tuple[int, ...]]:
    """Coefficients of 1, x1, x2 and x1 x2 of the polynomials whose longest run is longer than d + 2."""
    found = set()
    for a in product((-1, 0, 1), repeat=4):
        g = Polynomial(cube(2)[[0, 2, 1, 3]], a)
        if len(g.terms) and (longest_run(g) or 0) > int((2 - g.terms.sum(axis=1)).sum()) + 2:
            found.add(a)
    return frozenset(found)


def _games(answer: Submission) -> None:
    given = answer.rows(shape=(None, 4))
    seen = set()
    for place, row in enumerate(given.tolist()):
        a = tuple(int(x) for x in row)
        if not set(row) <= {-1, 0, 1} or not any(a):
            answer.refuse(f"polynomial {place} (counted from 0) is zero, or has other coefficients than -1, 0 and 1")
        if a not in _long_games():
            answer.refuse(f"polynomial {place} (counted from 0) has no longer run than d + 2")
        if a in seen:
            answer.refuse("one of the polynomials comes twice")
        seen.add(a)
    if len(seen) < len(_long_games()):
        answer.refuse("some polynomial is missing")


def _meets(terms: BoolArray, coefficients: np.ndarray, points: BoolArray) -> np.ndarray:
    """The matrix of the values on the meets of points."""
    meets = (points[:, None] & points[None]).reshape(-1, terms.shape[1])
    return np.asarray(monomial_values(terms, meets) @ coefficients).reshape(len(points), len(points))


def _nonsingular(answer: Submission) -> None:
    rng = np.random.default_rng(2)
    for n, t in ((1, 1), (2, 3), (4, 5), (5, 8), (3, 8)):
        for _ in range(4):
            terms = cube(n)[rng.permutation(2**n)[:t]]
            coefficients = rng.choice([-3, -2, -1, 1, 2, 3], t)
            points = answer.family(terms, coefficients, shape=(t, n))
            F = _meets(terms, coefficients, points)
            if np.linalg.matrix_rank(F.astype(float)) < t:
                answer.refuse("the matrix of values on the meets of these points is singular")


def _read(text: object, answer: Submission, *, n: int) -> Polynomial:
    """A polynomial that was given as text."""
    if not isinstance(text, str) or len(text) > 400:
        answer.refuse("expected a polynomial as text, such as 'x1x2 - 3x4'")
    try:
        return polynomial(text, n=n)
    except ValueError:
        answer.refuse(f"one of the texts is no polynomial in the variables x1 to x{n}")


def _wrong_member(answer: Submission) -> None:
    f = _read(answer(), answer, n=8)
    if not 1 <= len(f.terms) <= 8:
        answer.refuse("expected at most eight terms, and at least one")
    learner = AnyMember(PolynomialTask(f, counterexample="largest"))
    for _ in islice(learner.events(), bounds.schapire_sellie_sharp(f.terms)[0]):
        pass
    if learner.hypothesis == f:
        answer.refuse("the changed algorithm is finished in time on this polynomial")


def _frugal(answer: Submission) -> None:
    given = answer()
    if not isinstance(given, tuple | list) or len(given) > 30:
        answer.refuse("expected a list of at most 30 texts")
    stream = [_read(text, answer, n=12) for text in given]
    if not stream:
        answer.refuse("there is such a stream")
    if not exact_run(stream, keep="needed").scratch > exact_run(stream).scratch:
        answer.refuse("keeping fewer terms costs no more problems from scratch on this stream")


def _stuck(answer: Submission) -> None:
    given, numbers, first, second = answer.parts(count=4)
    terms = family(given, answer.where, shape=(2, None))
    n = terms.shape[1]
    a = np.array([whole(x, answer.where) for x in parts(numbers, answer.where, count=2)])
    s, y = family(first, answer.where, shape=(n,)), family(second, answer.where, shape=(n,))
    if (terms[0] == terms[1]).all() or (a % 6 == 0).any():
        answer.refuse("expected two different monomials with coefficients that are not 0 modulo 6")

    def f(x: BoolArray) -> int:
        return int((monomial_values(terms, x[None]) @ a)[0]) % 6

    member = f(s)
    if not member:
        answer.refuse("the first point is no counterexample to h = 0")

    def h(x: BoolArray) -> int:
        return member if (x >= s).all() else 0

    if f(y) == h(y):
        answer.refuse("the second point is no counterexample to the hypothesis after the first")
    if not (s >= y).all() and f(y & s) != h(y & s):
        y = y & s  # the greedy step
    if any(member * w % 6 == f(y & s) for w in range(6)):
        answer.refuse("the equation of step 3 has a solution modulo 6")


def _few_zeros(answer: Submission) -> None:
    for r in (0, 1, 2, 4):
        first, second = answer.parts(r, count=2)
        terms = family(first, answer.where)
        coefficients = rows(second, answer.where, shape=(len(terms),))
        if terms.shape[1] > 12:
            answer.refuse("expected at most 12 variables")
        if len(np.unique(terms, axis=0)) != 2**r or len(terms) != 2**r:
            answer.refuse("expected 2^r different terms")
        if not coefficients.all() or (coefficients != np.round(coefficients)).any():
            answer.refuse("expected nonzero integers as coefficients")
        points = cube(terms.shape[1])
        zeros = (~points).sum(axis=1)[np.abs(monomial_values(terms, points) @ coefficients) > 1e-9]
        if len(zeros) and zeros.min() < r:
            answer.refuse("the polynomial is nonzero at a point with fewer than r zeros")


def _certificate_cost(x: float, k: int, ratio: float) -> float:
    return (2 * x * log(2 ** (k + 1)) + 4 * log(ratio)) / -expm1(-x)


def _certificate(answer: Submission) -> None:
    for k, ratio in ((8, 600.0), (4, 600.0), (8, 1e6), (12, 20.0)):
        x, gain = (number(part, answer.where) for part in answer.parts(k, ratio, count=2))
        grid = np.linspace(0.02, 8, 4000)
        cost = np.array([_certificate_cost(float(g), k, ratio) for g in grid])
        if not x > 0:
            answer.refuse("expected a positive lambda")
        if _certificate_cost(x, k, ratio) > (1 + 1e-4) * cost.min():
            answer.refuse("another lambda gives a better bound")
        if abs(gain - 100 * (1 - cost.min() / _certificate_cost(1, k, ratio))) > 0.1:
            answer.refuse("another percentage is gained over lambda = 1")


def _noise(answer: Submission) -> None:
    for sigma, excess, bound, N in ((0.3, 1.0, 2.0, 16), (0.1, 0.05, 1.0, 4), (0.5, 0.6, 3.0, 64), (0.5, 0.4, 3.0, 64)):
        s = answer.maybe(sigma, excess, bound, N)
        if s is None:
            if excess > 2 * sigma**2:
                answer.refuse("returned None (or is not completed), but the losses do exceed the budget")
            continue
        if excess <= 2 * sigma**2:
            answer.refuse("the losses of the best weights never exceed the budget: None is expected")
        after = number(s, answer.where)
        if not after > 0 or not near((sigma**2 + excess) * after, 3 * (sigma**2 * after + bound**2 * log(2 * N)), 1e-6):
            answer.refuse("after so many examples the losses and the budget are not the same")


def _tells_all(answer: Submission) -> None:
    for k in (1, 2, 3, 4, 6, 7, 10, 20):
        terms = answer.family(k, shape=(None, k))
        if len(np.unique(terms, axis=0)) < len(terms):
            answer.refuse("a term stands there twice")
        found = metafeatures(terms[terms.any(axis=1)])
        if len(found) < k or (found.sum(axis=1) != 1).any():
            answer.refuse("the pieces are not what the algorithm returns")
        if comb(len(terms) - 1, (len(terms) - 1) // 2) >= k and len(terms) > 1:
            answer.refuse("fewer terms are enough")


def _more_terms(answer: Submission) -> None:
    for k in (1, 3, 4, 5, 6, 8, 11):
        possible = [n for n in range(k, 2**k + 2) if 2**k > n * n + k]
        said = answer.maybe(k)
        if said is None:
            if possible:
                answer.refuse("returned None (or is not completed), but there are such n")
        elif not possible:
            answer.refuse("no stream does that for any n: None is expected")
        elif whole(said, answer.where) != max(possible):
            answer.refuse("not the largest n for which some stream does it")


_ONE_LAYER = (
    Exercise(
        label="ex-one-layer-literals",
        asks=Asks("prove", difficulty=2, minutes=20),
        goal="Count the terms of a product with zeros, and see that every choice of coefficients is a function.",
        hint="Multiply out. For the last part choose the coefficients first, and read the values off.",
        answer="f(x1, x2)",
        returns="the value at (x1, x2) of a function with all four terms, coefficients 1 or -1, no product of "
        "literals.",
        checker=_all_terms,
    ),
    Exercise(
        label="ex-one-layer-naive",
        asks=Asks("break", difficulty=2, minutes=30),
        goal="See why a single test rejects what a repeated attempt would learn.",
        hint="How often is a monomial of five variables true? What weight does it get when it never was?",
    ),
    Exercise(
        label="ex-one-layer-fewer",
        asks=Asks("prove", difficulty=1, minutes=15),
        goal="Count products of metafeatures with anchors and without.",
        hint="What does an anchor tell about a union? Without anchors, let every union be one of its members.",
        answer="metafeatures(k)",
        returns="k different nonempty metafeatures as 0/1 rows with as few different nonempty products as possible.",
        checker=_few_products,
    ),
    Exercise(
        label="ex-ss-zeros",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Prove by induction that a sparse polynomial is nonzero near the top, and attain the bound.",
        hint="Split off one variable. What if nothing is left where that variable is true?",
        answer="polynomial(r)",
        returns="(terms, coefficients) with exactly 2^r terms, nonzero only at points with at least r zeros.",
        given="`terms`: a 0/1 row for each monomial, over at most 12 variables (r is at most 4 here); integer "
        "coefficients.",
        checker=_few_zeros,
    ),
)

_SCHAPIRE_SELLIE = (
    Exercise(
        label="ex-ss-rank",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Compute the rank of a matrix from a factorisation, and choose points that keep it.",
        hint="Factor as in the lemma. For which rows is the first factor triangular?",
        answer="points(terms, coefficients)",
        returns="as many points as there are terms, as 0/1 rows, whose matrix of values on the meets is nonsingular.",
        given="`terms`: a 0/1 row for each monomial; `coefficients`: nonzero integers.",
        checker=_nonsingular,
    ),
    Exercise(
        label="ex-ss-wrong",
        asks=Asks("break", difficulty=2, minutes=40),
        goal="Find which part of a proof makes an algorithm end.",
        hint="Which quantity rises in every event of the algorithm, and does it still?",
        answer="target()",
        returns='a polynomial as text, such as "x1x2 - 3x4", in x1 to x8 and with at most eight terms.',
        given="With the largest counterexamples the changed algorithm must not be finished after as many events as "
        "the theorem\n"
        "allows the unchanged one; `studies.AnyMember` is the changed learner.",
        checker=_wrong_member,
    ),
    Exercise(
        label="ex-ss-ring",
        asks=Asks("break", difficulty=3, minutes=40),
        goal="Find where a proof divides, by an example in which one cannot.",
        hint="Make the value at the first counterexample a number that is not zero and has no inverse.",
        answer="example()",
        returns="(terms, coefficients, first, second): two monomials as 0/1 rows, two integers modulo 6, two points.",
        given="The points are the first two counterexamples, after which step 3 has no solution.",
        checker=_stuck,
    ),
    Exercise(
        label="ex-learners-elsewhere",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Look for pieces in two polynomials that nobody planted.",
        hint="A term is a set of variables. Has what several terms share a variable of its own? Then see the norm.",
    ),
    Exercise(
        label="ex-ss-games",
        asks=Asks("compute", difficulty=2, minutes=40),
        goal="Compare a bound with the longest game, by searching all games.",
        hint="`longest_run` of the page plays all games. In the proof, which append does not raise the sum of n - |s|?",
        answer="longer()",
        returns="the polynomials that are not zero and have a longest run of more than d + 2, one row for each.",
        given="A row has the coefficients of 1, x1, x2 and x1 x2, each -1, 0 or 1.",
        checker=_games,
    ),
)

_SHARED = (
    Exercise(
        label="ex-shared-remark",
        asks=Asks("prove", difficulty=1, minutes=20),
        goal="Decide when one count is larger than another for some stream.",
        hint="How many products are there at most, and which pieces give that many over few variables?",
        answer="largest(k)",
        returns="the largest n >= k for which some stream makes |TS| > n^2 + k; None if there is none.",
        checker=_more_terms,
    ),
    Exercise(
        label="ex-shared-frugal",
        asks=Asks("compute", difficulty=2, minutes=35),
        goal="Compare two versions of an algorithm: what one of them forgets, and when that costs.",
        hint="Can a term that was a product of metafeatures stop being one? See “What was free may cost later”.",
        answer="stream()",
        returns='at most 30 polynomials as texts, such as "x1x2 - 3x4", in x1 to x12; an empty list if there are none.',
        given="More of them must be learned from scratch when only the needed terms are kept than when all are.",
        checker=_frugal,
    ),
    Exercise(
        label="ex-shared-constant",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Find how few terms of a polynomial reveal all the pieces that it is made of.",
        hint="Describe a piece by the terms that contain it. When is the closure of a variable its own piece?",
        answer="terms(k)",
        returns="the terms of the first polynomial as 0/1 rows, as few as possible; the pieces are x_1 to x_k.",
        checker=_tells_all,
    ),
    Exercise(
        label="ex-shared-certificate",
        asks=Asks("compute", difficulty=2, minutes=30),
        goal="Improve a bound with a free parameter, and judge whether the gain is worth it.",
        hint="Redo the chord of the exponential with the parameter, put the budget in, and minimise on a grid.",
        answer="best(k, ratio)",
        returns="(lambda, gain): the best lambda for k pieces and m / delta = ratio, and the percentage it saves over "
        "1.",
        checker=_certificate,
    ),
    Exercise(
        label="ex-shared-noise",
        asks=Asks("break", difficulty=2, minutes=25),
        goal="Compute what noise hides from a test that is allowed for it.",
        hint="What do perfect weights lose on an example, and the best of wrong ones? Compare how the budget grows.",
        answer="rejected(sigma, excess, bound, N)",
        returns="after how many examples the best weights exceed the second budget, on average; None if never.",
        given="`excess` is the mean squared error of the best weights before the noise is added.",
        checker=_noise,
    ),
)

EXERCISES = (*_ONE_LAYER, *_SCHAPIRE_SELLIE, *_SHARED)
