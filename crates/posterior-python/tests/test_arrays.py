"""Arrays of every layout and numbers of every size in estimators, and Python's threads beside them."""

import threading

import numpy as np
import pytest

from posterior_rs import estimators as es
from posterior_rs.networks import Network
from posterior_rs.optimize import Optimizer
from posterior_rs.series import StructuralModel

ALL = [name for name in es.__all__ if isinstance(getattr(es, name), type)]
QUICK = {"KMeans": {"n_init": 2}, "LatentDirichletAllocation": {"max_iter": 5}, "NMF": {"max_iter": 20}}
COUNTS = np.random.default_rng(0).integers(0, 4, (60, 5)).astype(float)
Y = np.arange(60) % 2


def fitted(name, X):
    return getattr(es, name)(**QUICK.get(name, {})).fit(X, Y[: len(X)])


def answer(name, X):
    own = fitted(name, X)
    return own.predict(X) if hasattr(own, "predict") else own.transform(X)


@pytest.mark.parametrize("name", ALL)
def test_every_layout_gives_the_same(name):
    expected = answer(name, COUNTS)
    read_only = COUNTS.copy()
    read_only.flags.writeable = False
    wide = np.zeros((120, 10))
    wide[::2, ::2] = COUNTS
    unaligned = np.zeros(COUNTS.nbytes + 1, dtype=np.uint8)[1:].view(float).reshape(COUNTS.shape)
    unaligned[:] = COUNTS
    for X in (np.asfortranarray(COUNTS), read_only, wide[::2, ::2], COUNTS.astype(int), COUNTS.astype(">f8"), unaligned):
        before = X.copy()
        # Products of NumPy round by layout.
        np.testing.assert_allclose(answer(name, X), expected, rtol=1e-14)
        np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "X",
    [
        np.full((60, 5), 1e300),
        COUNTS * 1e-300,
        np.full((60, 5), 2.0),
        np.zeros((60, 5)),
        COUNTS[:1],
        COUNTS[:, :1],
        np.hstack([COUNTS, COUNTS]),
        COUNTS[:2].repeat(30, axis=0),
    ],
    ids=["huge", "tiny", "constant", "zero", "one row", "one column", "twice", "two rows"],
)
@pytest.mark.filterwarnings("ignore")
def test_numbers_of_every_size_fit_or_are_refused(name, X):
    try:
        found = answer(name, X)
    except ValueError as error:
        assert str(error)
    else:
        assert len(found) == len(X)


def test_the_lock_is_released_while_a_fit_runs():
    counted, done = 0, threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    counts = np.random.default_rng(0).integers(0, 3, (200, 100))
    thread.start()
    es.LatentDirichletAllocation(5, max_iter=50).fit(counts)
    done.set()
    thread.join()
    # A fit that held the lock would let the thread run for its switches alone.
    assert counted > 10_000


@pytest.mark.parametrize("name", ["KMeans", "GaussianMixture", "LatentDirichletAllocation", "NaiveBayes", "LogisticRegression"])
def test_threads_of_python_agree(name):
    found = [None] * 4

    def work(at):
        found[at] = answer(name, COUNTS)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for own in threads:
        own.start()
    for own in threads:
        own.join()
    for own in found:
        np.testing.assert_array_equal(own, answer(name, COUNTS))


def test_other_entries_refuse_what_is_no_number():
    for wrong in ([1.0, np.inf, 2.0], [["a"]], np.zeros((3, 3))):
        with pytest.raises((ValueError, TypeError)):
            StructuralModel("local-level").fit(wrong)
    optimizer = Optimizer({"x": (0.0, 1.0)})
    for wrong in (np.nan, np.inf):
        with pytest.raises(ValueError):
            optimizer.tell({"x": 0.5}, wrong)
        with pytest.raises(ValueError):
            optimizer.tell({"x": wrong}, 1.0)
    with pytest.raises(ValueError):
        Network({"a": ["x", "y"]}, {"a": ([], [np.nan, 1.0])})
