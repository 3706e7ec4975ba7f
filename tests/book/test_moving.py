"""Moving pictures: what is refused, what stands without scripts, and that what moves says what Python says."""

from __future__ import annotations

import re
from hashlib import sha256
from html import unescape
from urllib.parse import unquote

import moving as harness
import numpy as np
import pytest
import sitecheck

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong.polynomials.oracles import ExponentiatedGradient, Gradient
from lifelong.polynomials.polynomial import Polynomial, cube, monomial_values, polynomial
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.conjunctions.consistency.moving_letters import letters_picture
from lifelong_book.conjunctions.online.moving_online import stream_data, stream_picture
from lifelong_book.halfspaces.perturbation.claims import figure_vectors, whole_numbers
from lifelong_book.halfspaces.perturbation.moving_chain import chain_data, chain_picture
from lifelong_book.halfspaces.perturbation.moving_explorer import perturbation_data, perturbation_explorer
from lifelong_book.halfspaces.perturbation.moving_planes import figure_error, planes_data, planes_picture
from lifelong_book.halfspaces.subspace.moving_slab import slab_data, slab_picture
from lifelong_book.introduction.moving_tasks import tasks_data, tasks_picture
from lifelong_book.polynomials.schapire_sellie.moving_sinking import sinking_data, sinking_picture
from lifelong_book.polynomials.shared_monomials.moving_experts import experts_data, experts_picture
from lifelong_book.press.moving import choice, marks, moving, slider, stream
from lifelong_book.press.moving.picture import MOST_BYTES
from lifelong_book.press.notebook import family


def frame(i, j, k):
    drawn = [
        marks.circle("a", (20 + 40 * i, 60), 8 + j, "target solid"),
        marks.path("b", [(0, 0), (30 * i, 10.25 * j), (60, 90)], "printed"),
        *marks.bitmap("letter", np.eye(3, dtype=bool)[:, :: -1 if k else 1], (150, 10), 20, "learned"),
        marks.text("t", (10, 110), f"{i} & {j}"),
    ]
    return drawn[: 3 if k else None], f"i is {i}, j is {-j}, k < {k + 0.5}: <= & “so”."


def picture(**changes):
    law, task = choice("law", ["one", "other"]), stream("task", ["1", "2", "3"], pace=1200)
    given = {"name": "three", "controls": [slider("separation γ", [0.1, 0.2, 0.3]), law, task], "frame": frame}
    return moving(**(given | {"start": (1, 0, 2), "size": (300, 130), "alt": "A dot, a line, a letter."} | changes))


def one(drawn, words="Words."):
    """A picture of two frames."""
    return lambda: picture(controls=[slider("x", [0, 1])], start=(0,), frame=lambda i: (drawn[i], words))


DOT, WORD = marks.circle("a", (0, 0), 1, "ink"), marks.text("a", (0, 0), "x")
ATTEMPT = {"bound": 6.0, "epsilon": 0.5, "delta": 0.05 / 6}
RING = polynomial("x1x2x3 + x3x4x5 + x5x6x7 + x7x8x1").terms
ACCEPTED, REJECTED = (polynomial(text, n=8) for text in ("x5x6x7 - 2 x1x2x3", "3 x2 - 3 x4x6"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: picture(name="A b"), "name: expected small"),
        (lambda: picture(controls=[], start=()), "controls: expected one to three, got 0"),
        (lambda: picture(controls=[slider("x", range(1001))], start=(0,)), "at most 1,000 frames, got 1,001"),
        (lambda: picture(start=(0, 0)), "start: expected 3 positions"),
        (lambda: picture(start=(3, 0, 0)), "start: expected"),
        (lambda: picture(size=(600, 100)), "alt, size: expected"),
        (lambda: picture(alt=" "), "alt, size: expected"),
        (one([[DOT, DOT]] * 2), "expected one mark of one kind of the key 'a'"),
        (one([[DOT], [WORD]]), r"of the key 'a', in frame \(1,\)"),
        (one([[], []], ""), "words: expected a plain sentence"),
        (one([[], []], "<b>no</b>"), "words: expected a plain sentence"),
        (one([[], []], r"\gamma"), "words: expected a plain sentence"),
        (one([[], []], "x" * MOST_BYTES), "frame: expected at most"),
        (lambda: slider("x", [1]), "values: expected two or more labels"),
        (lambda: stream("x", [1, 2], pace=10), "pace: expected"),
        (lambda: marks.circle("a", (0, 0), 1, "filled"), "kind: expected one of"),
        (lambda: marks.circle("a", (np.nan, 0), 1, "ink"), "at: expected"),
        (lambda: marks.text("a", (0, 0), "x", anchor="left"), "anchor: expected"),
        (lambda: marks.bitmap("a", [[0.5]], (0, 0), 1, "ink"), "cells: expected"),
        (lambda: planes_data([0.1], [0.6]), "errors: expected"),
        (lambda: sinking_data(polynomial("x1x4")), r"f\.n: expected"),
    ],
)
def test_refusals(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_the_picture_is_complete_without_scripts_and_loads_nothing():
    made = picture()
    still = re.sub(r"<script.*?</script>", "", made.html, flags=re.S)
    assert unescape(re.findall(r"<output[^>]*>(.*?)</output>", still)[0]) == made.frames[1, 0, 2].words
    image = re.findall(r'<img width="[0-9]+" alt="A dot, a line, a letter." src="data:image/svg\+xml,([^"]*)"', still)[
        0
    ]
    assert made.still(1, 0, 2).partition('<g class="marks">')[2] in unquote(image)
    assert not re.search(r"https?://(?!www\.w3\.org)|src=\"(?!data:)|@import|url\(", made.html)


def test_numbers_are_the_same_on_every_machine():
    for value in (12.25, np.nextafter(12.25, 0), np.nextafter(12.25, 20)):
        rounded = marks.circle("a", (value, -1e-17), 1, "ink").attributes
        assert (rounded["cx"], rounded["cy"], rounded["r"]) == ("12.3", "0", "1")


def test_the_library_is_what_its_readme_says():
    parts = re.split(r"(?=^// https://d3js\.org/)", harness.D3.read_text(encoding="utf-8"), flags=re.M)[1:]
    listed = re.findall(r"^\| (d3-\w+) \| ([\d.]+) \| `(\w+)` \|", (harness.D3.parent / "README.md").read_text(), re.M)
    found = [(*re.findall(r"(d3-\w+)/ v([\d.]+)", p)[0], sha256(p[:-1].encode()).hexdigest()) for p in parts]
    assert found == listed and len(listed) == 7


# --- what the pictures say is what the package computes

SHARP = (0.03, 0.02, 0.01)  # accuracies: the third vector fits, sticks out, is forbidden


def test_the_chain_says_what_the_package_computes():
    data = chain_data([2, 4], 4)
    true, learned = (rows[0] for rows in whole_numbers().values())
    step = data[1][2]  # the hand counterexample with other errors
    true[:, -1] *= 500 * step["delta"]
    assert step["angle"] == pytest.approx(subspace_angle(true, learned), rel=1e-12)
    assert np.tan(step["error"]) == pytest.approx(step["delta"])
    for (i, n), drawn in chain_picture(data, separation=1).frames.items():
        step = data[i][n]
        assert f"angle {step['angle']:.3g}, the printed bound allows {step['printed']:.3g}" in drawn.words
        assert ("broken" in drawn.words) == (step["angle"] > step["printed"])
        assert step["angle"] == pytest.approx(np.arctan(np.linalg.norm(step["slopes"]) * step["delta"]))
        assert not n or f"{step['lean']} = {step['slopes'][-1]:.0f} times" in drawn.words


def test_the_planes_have_the_angles_of_the_caption_and_of_lemma_2():
    errors, v = [0.01, 0.05, figure_error()], figure_vectors()
    data = planes_data([0.1, 0.2], errors)
    for name, vector in (("true", v["w1"]), ("learned", v["w1~"])):  # part (a), in full
        assert data[0][2][name] == pytest.approx(vector, abs=1e-9)
    for (i, n), shown in planes_picture(data, error=2).frames.items():
        step = data[i][n]
        error, separation = (np.arccos(step["learned"] @ to) for to in (step["true"], np.eye(3)[0]))
        assert (error, separation) == pytest.approx((errors[n], (0.1, 0.2)[i]))
        tilt = np.arctan2(step["learned"][2], step["learned"][1])  # both planes hold the first axis
        assert step["true"][2] == 0 and step["angle"] == pytest.approx(tilt)
        assert np.sin(tilt) == pytest.approx(min(1, np.sin(error) / np.sin(separation)))
        assert step["angle"] <= step["bound"] == pytest.approx(np.pi / 2 * error / separation)
        says = f"allows {step['bound']:#.3g}." if step["bound"] <= np.pi / 2 else "says nothing, for its bound is"
        assert f"the angle {tilt:#.3g}, and Lemma 2 {says}" in shown.words
        assert ("orthogonal" in shown.words) == ((i, n) == (0, 2))
    ((equal,),) = planes_data([0.15], [0.15])  # the last error at which the planes are not yet orthogonal, or the first
    assert (equal["error"], equal["angle"]) == pytest.approx((0.15, np.pi / 2), abs=1e-6)


def value(h, point):
    return h(np.array([[v in point for v in (1, 2, 3)]]))[0]


@pytest.mark.parametrize("policy", ["smallest", "largest", "random"])
def test_the_points_that_sink_are_those_of_the_learner(policy):
    rng, kinds = np.random.default_rng(3), set()
    for seed in range(40):
        f = Polynomial(cube(3), rng.integers(-2, 3, 8) * (rng.random(8) < 0.5))
        if not len(f.terms):
            continue
        steps = sinking_data(f, policy, seed=seed)
        learned, counts = learn_polynomial(PolynomialTask(f, rng=seed, counterexample=policy))
        assert steps[-1].guess == learned == f and steps[-1].counts == (counts.equivalence, counts.membership)
        for (i,), shown in sinking_picture(steps).frames.items():
            step = steps[i]
            kinds.add(step.kind)
            assert len(step.members) <= len(f.terms) and len(step.values) == step.counts[1]
            assert all(value(f, p) == value(step.guess, p) for p in step.members)
            assert all(v == value(f, p) for p, v in step.values.items())
            assert all(a > b for a, b in zip(step.path, step.path[1:], strict=False))
            if any(mark.key == "error" for mark in shown.marks):
                assert all(value(f, p) != value(step.guess, p) for p in step.path)
            if step.kind == "replaced":
                assert step.other > step.point in step.members and step.other not in step.members
            if step.kind in ("lower", "known", "right"):
                assert (step.kind == "right") <= (value(f, step.point) == value(step.guess, step.point))
                assert f"f = {value(f, step.point)}".replace("-", "−") in shown.words
                assert (step.point in steps[i - 1].values) == (step.kind == "known")
    assert kinds >= {"shown", "appended", "equal"} and ({"lower", "replaced"} <= kinds) == (policy != "smallest")


def two_attempts():
    return [experts_data(f, RING, **ATTEMPT) for f in (ACCEPTED, REJECTED)]


def test_the_experts_are_those_of_the_attempt():
    attempts, points = two_attempts(), cube(8)
    made = experts_picture(attempts)
    for i, attempt in enumerate(attempts):
        task, last = PolynomialTask(attempt.target, rng=0), attempt.moments[-1]
        one_by_one = Gradient()
        one_by_one.batch = 1
        found = one_by_one.within(task, attempt.features, **ATTEMPT)
        assert (found is not None) == attempt.accepted == (attempt.truth is not None) == (i == 0)
        assert task.counts.labels == last.seen
        if found is not None:
            wrong = found(points).astype(float) - attempt.target(points).astype(float)
            assert last.error == pytest.approx(np.mean(wrong**2)) and last.error <= 0.5
            assert (monomial_values(attempt.features, points) @ attempt.truth == attempt.target(points)).all()
        X, y = PolynomialTask(attempt.target, rng=0).examples(last.seen)  # all at once, by the learner itself
        rows = monomial_values(attempt.features, X)
        assert attempt.budget == pytest.approx(72 * np.log(32))
        for n, moment in enumerate(attempt.moments):
            learner, shown = ExponentiatedGradient(16, bound=6), made.frames[i, n]
            losses = learner.update(rows[: moment.seen], y[: moment.seen]).sum()
            assert moment.weights == pytest.approx(learner.current) and moment.losses == pytest.approx(losses)
            certified = (losses + 144 * np.log(120)) / ((1 - np.exp(-1)) * moment.seen) if n else np.inf
            ended = n == len(attempt.moments) - 1
            assert (losses > 0.999 * attempt.budget or certified < 0.5005) == ended
            if n and not ended:
                assert f"losses add up to {losses:.1f}, of a budget of 250" in shown.words
                assert f"at most {certified:.{2 if certified < 100 else 0}f}, and 0.5" in shown.words


def test_the_stream_says_what_a_run_gives():
    n, m, epsilon = 40, 14, 0.1
    data = tasks_data(n, m, epsilon, seed=1)
    made = tasks_picture(data)
    W, tasks = planted_halfspaces(Gaussian(n), k=3, m=m, rng=1)
    run = learn_stream(tasks, SharedSubspace(n, epsilon))
    assert data["how"] == run.how and data["labels"] == [step.labels for step in run.steps]
    features = run.representation.features
    spent = count = 0
    for i, (task, step) in enumerate(zip(tasks, run.steps, strict=True)):
        spent += step.labels
        words = made.frames[i,].words
        kind = "reused" if step.how == "reused" else "learned from scratch"
        assert words.startswith(f"Task {i + 1} is {kind}") and f"So far {spent:,} labels" in words
        assert f"alone, {data['alone'] * (i + 1):,}" in words
        assert ("ahead" in words) == (spent < data["alone"] * (i + 1))
        assert not count or f"{angle_to_subspace(task.target, features[:count]) / np.pi:.3f}" in words
        assert step.how != "reused" or f"{angle(task.target, step.hypothesis) / np.pi:.3f}" in words
        assert W.T @ data["target"][i] == pytest.approx(task.target)
        count += step.how == "scratch"
        assert count == data["spans"][i] + (step.how == "scratch")
    for labels, enough in ((data["alone"], True), (data["alone"] - 100, False)):
        _, fresh = planted_halfspaces(Gaussian(n), k=3, m=m, rng=1)
        errors = [task.error(logistic_halfspace(*task.examples(labels))) for task in fresh]
        assert (max(errors) < epsilon) == enough


# --- in Chromium

LETTERS = {"a": [True] * 6, "b": [True] * 3 + [False] * 3}
PICTURES = {
    "chain": lambda: chain_picture(chain_data([2, 4], 3)),
    "explorer": lambda: perturbation_explorer(perturbation_data([0.2, 0.4, 0.8], [1, 2, 3]), size=2),
    "sinking": lambda: sinking_picture(sinking_data(polynomial("3 x1 + 2 x2x3"), "largest"), start=6),
    "experts": lambda: experts_picture(two_attempts(), moment=8),
    "three": picture,
    "planes": lambda: planes_picture(planes_data([0.1, 0.2], [0.01, 0.05, figure_error()])),
    "slab": lambda: slab_picture(slab_data(0.15, SHARP, 4)),
    "tasks": lambda: tasks_picture(tasks_data(20, 6, 0.2)),
    "stream": lambda: stream_picture(stream_data(family("1234 134 14 24 124 3")), (2, 2), start=7),
    "letters": lambda: letters_picture(LETTERS, (2, 3), {"a": np.eye(6) > 0, "b": np.eye(2).repeat(3, axis=1) > 0}),
}


#: Every kind of control and of drawing; the others by night.
FIRST = {"three", "planes", "stream", "letters"}


@pytest.mark.chromium
@pytest.mark.parametrize(
    "name", [name if name in FIRST else pytest.param(name, marks=pytest.mark.nightly) for name in PICTURES]
)
def test_it_moves(name, browser, tmp_path):
    harness.play(browser, tmp_path, PICTURES[name]())


@pytest.mark.chromium
def test_without_the_library_it_changes_at_once_and_two_pictures_share_a_page(browser, tmp_path):
    address = harness.write(tmp_path, picture(), picture(name="again"), library=False)
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        page.goto(address)
        page.locator("#moving-again-0").press("End")
        seen = [page.locator(f"#moving-{name}").evaluate(harness.SEEN)["words"] for name in ("three", "again")]
    assert seen == [picture().frames[1, 0, 2].words, picture().frames[2, 0, 2].words]


@pytest.mark.chromium
def test_marks_glide_and_a_stream_plays_to_its_end(browser, tmp_path):
    context = browser.new_context(offline=True)
    context.set_default_timeout(sitecheck.TIMEOUT)
    page = context.new_page()
    page.clock.install(time=0)
    page.goto(harness.write(tmp_path, picture(start=(0, 0, 0))))
    page.clock.pause_at(10_000)
    dot, said, play = page.locator("[data-k=a]"), page.locator("output"), page.get_by_role("button", name="Play")
    page.locator("#moving-three-0").press("End")
    page.clock.run_for(100)
    assert 20 < float(dot.get_attribute("cx")) < 100 and dot.get_attribute("opacity") == "1"
    play.click()
    assert said.get_attribute("aria-live") == "off"
    page.clock.run_for(1500)
    assert said.get_attribute("aria-live") == "polite" and play.count() == 1
    assert said.inner_text() == picture().frames[2, 0, 2].words
    play.click()  # once more from the first
    assert said.inner_text() == picture().frames[2, 0, 0].words
    context.close()


@pytest.mark.chromium
def test_the_first_play_begins_at_the_first_frame(browser, tmp_path):
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        page.clock.install(time=0)
        page.goto(harness.write(tmp_path, picture(start=(1, 0, 1))))
        page.clock.pause_at(10_000)
        said, play = page.locator("output"), page.get_by_role("button", name="Play")
        play.click()
        assert said.inner_text() == picture().frames[1, 0, 0].words
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Next").click()
        play.click()  # the reader has moved it: it goes on from there
        assert said.inner_text() == picture().frames[1, 0, 2].words
