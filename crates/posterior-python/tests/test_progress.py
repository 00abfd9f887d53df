"""Bars of what takes long, and what is said where there is no tqdm."""

import io
import sys

import numpy as np
import pytest
import tqdm
import tqdm.auto

from posterior_rs import Model, optimize, sampling, topics
from posterior_rs.estimators import LatentDirichletAllocation

COUNTS = np.random.default_rng(0).integers(0, 3, (40, 30))
MODEL = Model("parameters { real x; } model { x ~ normal(0, 1); }")

WORK = {
    "lda": (lambda: topics.lda(COUNTS, 3, max_iter=20, progress=True), 20),
    "hdp": (lambda: topics.hdp(COUNTS, max_iter=20, progress=True), 20),
    "dynamic": (lambda: topics.dynamic(COUNTS, np.arange(40) // 20, 2, max_iter=20, progress=True), 20),
    "structural": (lambda: topics.structural(COUNTS, 3, max_iter=20, progress=True), None),
    "estimator": (lambda: LatentDirichletAllocation(3, max_iter=20, progress=True).fit(COUNTS), 20),
    "function": (lambda: sampling.sample(lambda x: (-0.5 * x @ x, -x), dim=1, draws=50, warm_up=30, thin=2, progress=True), 130),
    "program": (lambda: MODEL.sample(draws=50, warm_up=30, progress=True), 80),
    "optimiser": (lambda: optimize.minimize(lambda x: x * x, {"x": (-1.0, 1.0)}, 8, progress=True), 8),
}


@pytest.fixture
def bars(monkeypatch):
    made = []

    class Kept(tqdm.tqdm):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, file=io.StringIO(), **options)
            made.append(self)

    monkeypatch.setattr(tqdm.auto, "tqdm", Kept)
    return made


@pytest.mark.parametrize("name", WORK)
def test_a_bar_comes_to_its_end(name, bars):
    work, steps = WORK[name]
    work()
    [bar] = bars
    assert bar.disable or bar.n == steps or (steps is None and 0 < bar.n <= bar.total)
    assert bar.total == (steps or 20)


def test_there_is_no_bar_without_progress(bars):
    topics.lda(COUNTS, 3, max_iter=2)
    assert bars == []


def test_the_numbers_are_the_same(bars):
    own = topics.lda(COUNTS, 3, max_iter=20, progress=True)
    np.testing.assert_array_equal(own.topic_word, topics.lda(COUNTS, 3, max_iter=20).topic_word)


def test_without_tqdm_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        topics.lda(COUNTS, 3, max_iter=2, progress=True)


def test_an_exception_of_a_bar_ends_the_fit(monkeypatch):
    class Broken(tqdm.tqdm):
        def update(self, n=1):
            raise OSError("no terminal")

    monkeypatch.setattr(tqdm.auto, "tqdm", Broken)
    with pytest.raises(OSError, match="no terminal"):
        topics.lda(COUNTS, 3, max_iter=200_000, progress=True)
