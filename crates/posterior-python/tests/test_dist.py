"""What the distributions promise besides their numbers: arrays, priors, errors, pickles, locks, seeds."""

import math
import pickle
import threading
import time
import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest

from posterior_rs import dist


def test_numbers_give_numbers_and_arrays_their_shape():
    normal = dist.normal(0, 1)
    assert type(normal.pdf(0.5)) is float
    assert type(normal.pdf(0)) is float
    assert normal.pdf(np.zeros((2, 3))).shape == (2, 3)
    assert normal.pdf(np.float64(0.0)) == normal.pdf(0) == normal.pdf(np.array(0))
    assert normal.cdf([]).shape == (0,)
    np.testing.assert_array_equal(normal.cdf([[0, 1]]), normal.cdf(np.array([[0.0, 1.0]])))


def test_any_layout_of_an_array_is_read():
    normal, x = dist.normal(0, 1), np.arange(24.0).reshape(4, 6) / 10
    expected = normal.cdf(x)
    read_only = x.copy()
    read_only.flags.writeable = False
    unaligned = np.frombuffer(b"\0" + x.tobytes(), dtype=np.float64, offset=1).reshape(x.shape)
    assert not unaligned.flags.aligned
    for same in (np.asfortranarray(x), x.astype(">f8"), read_only, unaligned, x.tolist(), pd.DataFrame(x)):
        np.testing.assert_array_equal(normal.cdf(same), expected)
    np.testing.assert_array_equal(normal.cdf(x[::2, ::-3]), expected[::2, ::-3])
    np.testing.assert_array_equal(normal.cdf(x.T), expected.T)
    np.testing.assert_array_equal(normal.cdf(np.broadcast_to(x[0], (5, 6))), np.tile(expected[0], (5, 1)))
    np.testing.assert_array_equal(normal.cdf(pd.Series(x[0], index=list("abcdef"))), expected[0])
    np.testing.assert_array_equal(normal.cdf(pl.Series(x[0])), expected[0])
    np.testing.assert_allclose(normal.cdf(x.astype(np.float32)), expected, rtol=1e-6)


def test_no_copy_of_a_contiguous_array_is_made():
    x, normal = np.zeros(10**6), dist.normal(0, 1)
    normal.cdf(x)
    tracemalloc.start()
    answer = normal.cdf(x)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert answer.nbytes == 8 * 10**6
    # NumPy's allocations are traced: a copy would be 8 MB.
    assert peak < 10**5


def test_parameters_and_points_are_broadcast():
    several = dist.normal([[0], [1]], sd=[1.0, 2, 3])
    assert several.shape == (2, 3) and len(several) == 2
    assert several[1, 2] == dist.normal(1, 3)
    assert several[0].shape == (3,)
    x = np.array([0.5, 1.5, 2.5])
    expected = [[dist.normal(m, s).cdf(at) for s, at in zip((1, 2, 3), x)] for m in (0, 1)]
    np.testing.assert_array_equal(several.cdf(x), expected)
    assert several.cdf(np.zeros((4, 1, 1))).shape == (4, 2, 3)
    np.testing.assert_array_equal(several.mean(), [[0, 0, 0], [1, 1, 1]])
    assert several.rvs(random_state=1).shape == (2, 3)
    assert several.rvs((5, 2, 3), random_state=1).shape == (5, 2, 3)
    assert several.interval(0.9)[0].shape == (2, 3)
    np.testing.assert_array_equal(several.gradient(0.5), [[-0.5, -0.125, -0.5 / 9], [0.5, 0.125, 0.5 / 9]])
    with pytest.raises(ValueError, match="ends with"):
        several.rvs(3)
    with pytest.raises(ValueError, match="broadcast"):
        several.cdf([1, 2])
    # A list is one parameter where the family has it so.
    assert dist.categorical([0.5, 0.5]).shape == ()


def test_edges_of_points():
    normal = dist.normal(0, 1)
    assert math.isnan(normal.cdf(math.nan)) and normal.cdf(math.inf) == 1 and normal.pdf(-math.inf) == 0
    assert math.isnan(normal.ppf(1.5)) and normal.ppf(0) == -math.inf
    assert dist.poisson(3).pmf(0.5) == 0
    assert dist.normal(np.zeros((0, 3)), 1).cdf(np.zeros((0, 3))).shape == (0, 3)
    assert dist.normal(np.zeros(0), 1).rvs().shape == (0,)
    assert normal.rvs((3, 0)).shape == (3, 0)


def test_what_has_no_room_is_a_memory_error():
    huge = (2**30, 2**20)
    for make in (
        lambda: dist.normal(0, 1).rvs(huge),
        lambda: dist.normal(0, 1).rvs((2**40, 2**40)),
        lambda: dist.dirichlet([1, 2]).rvs(huge),
        lambda: dist.normal(0, 1).cdf(np.broadcast_to(0.0, huge)),
        lambda: dist.normal(0, [1, 2]).cdf(np.broadcast_to(0.0, (2**50, 2))),
    ):
        with pytest.raises(MemoryError, match="no room for an array of the shape"):
            make()


def test_priors_learn():
    coin = dist.beta(1, 1)
    assert repr(coin.posterior([1, 1, 0])) == "beta(3, 2)"
    assert coin.log_evidence([1, 1, 0]) == pytest.approx(math.log(1 / 12), rel=1e-14)
    assert coin.predictive().pmf(1) == 0.5
    assert coin.posterior([3, 4], likelihood="binomial(trials = 5)") == dist.beta(8, 4)
    assert coin.posterior(pd.Series([True, False])) == dist.beta(2, 2)
    place = dist.normal_inverse_wishart([0, 0], 1, [[1, 0], [0, 1]], 4)
    rows = np.array([[0.1, 0.2], [1.0, -1.0]])
    learned = place.posterior(rows)
    assert learned.parameters["kappa"] == 3
    np.testing.assert_allclose(learned.parameters["location"], rows.sum(0) / 3, rtol=1e-15)
    # The evidence of two rows is that of one, and of the other given it.
    chain = place.predictive().logpdf(rows[0]) + place.posterior(rows[:1]).predictive().logpdf(rows[1])
    assert place.log_evidence(rows) == pytest.approx(chain, rel=1e-12)


def test_divergences_are_integrals():
    p, q = dist.gamma(2, 3), dist.gamma(3, 2)
    x = p.ppf((np.arange(10**5) + 0.5) / 10**5)
    assert p.kl(q) == pytest.approx(np.mean(p.logpdf(x) - q.logpdf(x)), rel=1e-4)
    assert dist.dirichlet([1, 2]).kl(dist.dirichlet([1, 2])) == 0
    with pytest.raises(AttributeError, match="student_t has no divergence"):
        dist.student_t(3, 0, 1).kl(dist.student_t(3, 0, 1))
    with pytest.raises(ValueError, match="expected gamma, found normal"):
        p.kl(dist.normal(0, 1))


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "Normal: sd = -1 must be positive", lambda: dist.normal(0, -1)),
        (ValueError, "sd = NaN", lambda: dist.normal(0, math.nan)),
        (ValueError, "sd = 0", lambda: dist.normal([0, 1], [1, 0])),
        (TypeError, "normal lacks sd", lambda: dist.normal(0)),
        (TypeError, "spread", lambda: dist.normal(0, spread=2)),
        (TypeError, "expected a number, a list or a distribution", lambda: dist.normal("0", 1)),
        (TypeError, "rate = 1 / scale", lambda: dist.gamma(2, scale=3)),
        (TypeError, 'did you mean "normal"', lambda: dist.distribution("nomral", 0, 1)),
        (ValueError, 'did you mean "normal"', lambda: dist.read("nomral(0, 1)")),
        (ValueError, "column 11: expected a number", lambda: dist.read("normal(0, ")),
        (AttributeError, "pmf and logpmf", lambda: dist.poisson(1).pdf(1)),
        (AttributeError, "pdf and logpdf", lambda: dist.normal(0, 1).pmf(1)),
        (TypeError, "real numbers", lambda: dist.normal(0, 1).pdf("a")),
        (TypeError, "real numbers", lambda: dist.normal(0, 1).pdf([1j])),
        (TypeError, "real number", lambda: dist.normal(0, 1).pdf([None, {}])),
        (ValueError, "whole numbers from 0", lambda: dist.normal(0, 1).rvs(-1)),
        (ValueError, r"0 to 2\^64 - 1", lambda: dist.normal(0, 1).rvs(random_state=-1)),
        (TypeError, "a generator of NumPy", lambda: dist.normal(0, 1).rvs(random_state="x")),
        (ValueError, "no point of bernoulli", lambda: dist.beta(1, 1).posterior([2])),
        (TypeError, "is no conjugate prior", lambda: dist.uniform(0, 1).posterior([2])),
        (TypeError, "needs its likelihood", lambda: dist.normal(0, 1).posterior([2])),
        (ValueError, "last axis", lambda: dist.dirichlet([1, 2]).pdf([1, 2, 3])),
        (TypeError, "array of distributions", lambda: dist.normal([0, 1], 1).posterior([1])),
        (TypeError, "no items", lambda: dist.normal(0, 1)[0]),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_every_family_is_a_function_with_a_documentation():
    for row in dist.families:
        make = getattr(dist, row.name)
        assert row.name in make.__doc__ and row.name in dist.__all__
        assert pickle.loads(pickle.dumps(make)) is make


EXAMPLES = [
    dist.gamma(1 / 3, math.pi),
    dist.normal([[0, 0.1], [1e-300, 2]], 1),
    dist.mixture([0.5, 0.5], [dist.normal(0, 1), dist.gamma(2, 3)]),
    dist.multivariate_normal([0, 1], [[2, 0.5], [0.5, 1]]),
    dist.normal_gamma(0, 1, 2, 3),
]


@pytest.mark.parametrize("one", EXAMPLES, ids=repr)
def test_pickles_are_the_same_after(one):
    again = pickle.loads(pickle.dumps(one))
    assert again == one and type(again) is type(one) and hash(again) == hash(one)
    assert again != dist.normal(5, 5)


def test_the_text_of_a_distribution_is_read():
    for one in EXAMPLES:
        if one.shape == ():
            assert dist.read(repr(one)) == one
    assert "shape [2, 2]: normal(0, 1), " in repr(EXAMPLES[1])


def test_seeds_repeat_and_generators_of_numpy_are_taken():
    gamma = dist.gamma(2, 3)
    np.testing.assert_array_equal(gamma.rvs(5, random_state=3), gamma.rvs(5, random_state=np.int64(3)))
    assert gamma.rvs(random_state=3) == gamma.rvs(5, random_state=3)[0]
    assert gamma.rvs() != gamma.rvs()
    for make in (np.random.default_rng, np.random.RandomState):
        assert gamma.rvs(random_state=make(1)) == gamma.rvs(random_state=make(1))
        rng = make(1)
        assert gamma.rvs(random_state=rng) != gamma.rvs(random_state=rng)


def test_draws_are_those_of_the_command_line():
    # `posterior dist show 'gamma(2, 3)' --sample 3 --seed 7 --json`, and of poisson(4).
    np.testing.assert_array_equal(dist.gamma(2, 3).rvs(3, random_state=7), GAMMA)
    np.testing.assert_array_equal(dist.poisson(4).rvs(6, random_state=7), POISSON)


GAMMA = [0.6017762845509921, 0.25632592154868966, 1.0828356074534342]
POISSON = [7, 0, 3, 4, 1, 1]


def test_the_lock_is_released():
    count, done = 0, threading.Event()

    def counts():
        nonlocal count
        while not done.is_set():
            count += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=counts)
    x = np.full(2 * 10**6, 0.3)
    distribution = dist.gamma(2.5, 1)
    thread.start()
    time.sleep(0.01)
    before, start = count, time.perf_counter()
    distribution.ppf(x)
    counted, took = count - before, time.perf_counter() - start
    done.set()
    thread.join()
    # Without the lock of the interpreter it would count once or not at all.
    assert took > 0.05 and counted > 10, (took, counted)


def test_threads_agree():
    x = np.linspace(0, 5, 10**5)
    distribution, answers = dist.gamma(2.5, 1), [None] * 4
    def work(at):
        answers[at] = distribution.cdf(x)
    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for answer in answers:
        np.testing.assert_array_equal(answer, answers[0])


def test_a_notebook_shows_the_density():
    for one in (dist.gamma(2, 3), dist.poisson(4), dist.bernoulli(0.3)):
        page = one._repr_html_()
        assert "<svg" in page and repr(one) in page
    assert dist.normal([0, 1], 1)._repr_html_() is None
