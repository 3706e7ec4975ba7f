"""Polynomials from elsewhere, and planted ones."""

from __future__ import annotations

from math import comb

import numpy as np

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong_book.polynomials.instances import cellular_automaton, planted_polynomials, security_council, tic_tac_toe
from lifelong_book.polynomials.shared_monomials.experiments import exact_run


def test_automata_follow_their_rules():
    for rule in (0, 1, 30, 110, 255):
        assert sum(v << i for i, v in enumerate(cellular_automaton(rule)(cube(3)).tolist())) == rule
    run = exact_run([cellular_automaton(rule) for rule in range(256)])
    assert run.scratch == 1 and len(run.representation.metafeatures) == 3


def test_the_board_by_inclusion_and_exclusion():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    none = Polynomial.constant(1, 9)
    for line in lines:
        none = none * (1 - Polynomial(np.isin(np.arange(9), line)[None], [1]))
    assert tic_tac_toe() == 1 - none and len(metafeatures(tic_tac_toe().terms)) == 9


def test_the_council_by_its_formula():
    f = security_council()
    assert len(f.terms) == sum(comb(10, j) for j in range(4, 11)) and f.terms[:, :5].all()
    sizes = f.terms[:, 5:].sum(axis=1)
    assert f.coefficients.tolist() == [(-1) ** int(j - 4) * comb(int(j) - 1, 3) for j in sizes]


def test_planted_polynomials_are_products_of_their_metafeatures():
    (M, tasks), (_, again) = (
        planted_polynomials(10, k=4, m=12, terms=5, coefficient=3, rng=0, counterexample="random") for _ in range(2)
    )
    assert [t.target for t in tasks] == [t.target for t in again]
    assert np.array_equal(tasks[0].examples(5)[0], again[0].examples(5)[0])
    many = [len(t.target.terms) for t in planted_polynomials(20, k=10, m=200, terms=3, rng=1)[1]]
    assert all(50 <= many.count(size) <= 85 for size in (1, 2, 3))  # but for equal ones, a third each
    assert ((M.sum(axis=0) == 1) & M).any(axis=1).all()
    for task in tasks:
        assert len(task.target.terms) <= 5 and task.counterexample == "random"
        assert all(represent(row, M) is not None for row in task.target.terms)
