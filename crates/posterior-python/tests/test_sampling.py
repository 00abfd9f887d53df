"""Draws of known distributions, diagnostics beside ArviZ's, errors, signals."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import types
import warnings

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import arviz

from posterior_rs import dist, sampling

COVARIANCE = np.array([[2.0, 0.6, 0.0], [0.6, 1.0, -0.3], [0.0, -0.3, 0.5]])
PRECISION = np.linalg.inv(COVARIANCE)
MEAN = np.array([1.0, -2.0, 0.5])


def normal(x):
    return -0.5 * (x - MEAN) @ PRECISION @ (x - MEAN), -PRECISION @ (x - MEAN)


def autoregressive(chains, draws, seed=0, *more):
    rng = np.random.default_rng(seed)
    steps = rng.normal(size=(chains, draws, *more))
    for t in range(1, draws):
        steps[:, t] += 0.7 * steps[:, t - 1]
    return steps


@pytest.mark.parametrize(
    ("sampler", "options"),
    [
        ("nuts", {}),
        ("nuts", {"metric": "dense", "target_accept": 0.9, "max_depth": 8}),
        ("nuts", {"metric": "low_rank"}),
        ("nuts", {"metric": "unit"}),
        ("hmc", {}),
        ("langevin", {}),
        ("walk", {"draws": 5000}),
        ("slice", {"draws": 3000}),
    ],
)
def test_samplers_have_the_moments_of_a_normal_distribution(sampler, options):
    function = normal if sampler in ("nuts", "hmc", "langevin") else lambda x: normal(x)[0]
    found = sampling.sample(function, dim=3, sampler=sampler, random_state=2, **options)
    assert found.values.shape == (4, options.get("draws", 1000), 3)
    assert np.all(sampling.rhat(found.values) < 1.02)
    # Six tests by eight samplers, each wrong once in a million at 5 standard errors.
    error = sampling.mcse(found.values)
    assert np.all(abs(found.values.mean(axis=(0, 1)) - MEAN) < 5 * error)
    spread = found.values.std(axis=(0, 1), ddof=1)
    assert np.all(abs(spread - np.sqrt(np.diag(COVARIANCE))) < 5 * sampling.mcse(found.values, "sd"))


def test_a_seed_repeats_and_starts_count():
    first = sampling.sample(normal, dim=3, draws=50, warm_up=50, random_state=7)
    again = sampling.sample(normal, dim=3, draws=50, warm_up=50, random_state=7)
    np.testing.assert_array_equal(first.values, again.values)
    other = sampling.sample(normal, dim=3, draws=50, warm_up=50, random_state=8)
    assert not np.array_equal(first.values, other.values)
    assert sampling.sample(normal, [9.0, 0, 0], draws=1, warm_up=0, chains=1, sampler="hmc").values.shape == (1, 1, 3)
    each = np.arange(6.0).reshape(2, 3)
    assert sampling.sample(normal, each, chains=2, draws=5, warm_up=5, thin=3).values.shape == (2, 5, 3)


def test_the_table_is_that_of_the_figures():
    found = sampling.sample(normal, dim=3, names=["a", "theta[1]", "theta[2]"], random_state=1)
    table = found.summary(0.9)
    assert table.index.tolist() == ["a", "theta[1]", "theta[2]"]
    np.testing.assert_allclose(table["mean"], found.values.mean(axis=(0, 1)), rtol=1e-12)
    np.testing.assert_allclose(table["sd"], found.values.std(axis=(0, 1), ddof=1), rtol=1e-12)
    low, high = np.quantile(found.values, [0.05, 0.95], axis=(0, 1))
    np.testing.assert_allclose(table["low"], low, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(table["high"], high, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(table["rhat"], sampling.rhat(found.values), rtol=1e-12)
    np.testing.assert_allclose(table["ess_bulk"], sampling.ess_bulk(found.values), rtol=1e-12)
    np.testing.assert_allclose(table["mcse"], sampling.mcse(found.values), rtol=1e-12)
    assert found.warnings == []
    np.testing.assert_array_equal(found["theta"], found.values[:, :, 1:])
    np.testing.assert_array_equal(found["theta[2]"], found.values[:, :, 2])
    assert list(found) == found.names and len(found) == 3
    assert repr(found) == "<Draws of a, theta[1], theta[2]: 4 chains of 1000>" and "<table" in found._repr_html_()
    stuck = sampling.Draws(np.arange(2)[:, np.newaxis] + 0.01 * autoregressive(2, 100))
    assert any("R̂ is above" in text for text in stuck.warnings)


def test_arviz_takes_the_draws():
    found = sampling.sample(normal, dim=3, names=["a", "theta[0]", "theta[1]"], draws=100, warm_up=200)
    data = found.to_arviz()
    np.testing.assert_array_equal(data.posterior["theta"].values, found["theta"])
    np.testing.assert_array_equal(data.posterior["a"].values, found["a"])
    assert data.sample_stats["diverging"].dtype == bool
    np.testing.assert_array_equal(data.sample_stats["energy"].values, found.statistics["energy"])
    np.testing.assert_allclose(data.sample_stats["lp"].values[1, 3], normal(found.values[1, 3])[0], rtol=1e-12)
    np.testing.assert_allclose(arviz.rhat(data)["theta"], sampling.rhat(found["theta"]), rtol=1e-6)


def test_later_versions_of_arviz_take_one_dictionary(monkeypatch):
    later = types.SimpleNamespace(__version__="1.2.0", from_dict=lambda groups: groups)
    monkeypatch.setitem(sys.modules, "arviz", later)
    assert set(sampling.sample(normal, dim=3, draws=10, warm_up=10).to_arviz()) == {"posterior", "sample_stats"}


@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_arviz(seed):
    draws = autoregressive(4, 501, seed, 2, 3)
    data = arviz.convert_to_dataset({"x": draws})
    for ours, theirs in (
        (sampling.rhat, arviz.rhat),
        (sampling.ess_bulk, lambda x: arviz.ess(x, method="bulk")),
        (sampling.ess_tail, lambda x: arviz.ess(x, method="tail")),
        (sampling.mcse, arviz.mcse),
    ):
        np.testing.assert_allclose(ours(draws), theirs(data)["x"], rtol=1e-6)
        assert ours(draws[:, :, 1, 2]) == pytest.approx(float(theirs(data)["x"][1, 2]), rel=1e-6)
    for p in (0.1, 0.9):
        theirs = arviz.mcse(data, method="quantile", prob=p)["x"]
        # They interpolate quantiles of the draws at other places.
        np.testing.assert_allclose(sampling.mcse(draws, "quantile", p), theirs, rtol=0.05)


def test_leave_one_out_is_that_of_arviz():
    rng = np.random.default_rng(3)
    y = rng.standard_t(4, size=40)
    mean = y.mean() + autoregressive(4, 400, 3)[:, :, np.newaxis] * 0.11 / np.sqrt(1 / (1 - 0.49))
    ll = dist.normal(0, 1).logpdf(y - mean)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = arviz.from_dict(posterior={"mean": mean[:, :, 0]}, log_likelihood={"y": ll})
        for r_eff in (1.0, 0.3):
            theirs = arviz.loo(data, pointwise=True, reff=r_eff)
            ours = sampling.psis_loo(ll, r_eff)
            assert ours.elpd == pytest.approx(float(theirs.elpd_loo), rel=1e-5)
            assert ours.se == pytest.approx(float(theirs.se), rel=2e-2)
            assert ours.p_loo == pytest.approx(float(theirs.p_loo), rel=1e-3)
            np.testing.assert_allclose(ours.pointwise, theirs.loo_i.values, rtol=1e-4)
            np.testing.assert_allclose(ours.pareto_k, theirs.pareto_k.values, atol=0.02)
    assert 0.1 < sampling.psis_loo(ll).p_loo < 10


def test_draws_that_are_all_the_same_have_no_figures():
    assert np.isnan(sampling.rhat(np.ones((4, 100))))
    table = sampling.Draws(np.ones((4, 100))).summary()
    assert np.isnan(table["rhat"].iloc[0]) and table["mean"].iloc[0] == 1


def test_pickles_are_the_same_after():
    found = sampling.sample(normal, dim=3, draws=20, warm_up=20)
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        np.testing.assert_array_equal(again.values, found.values)
        assert again.names == found.names and again.statistics.keys() == found.statistics.keys()


def test_no_density_beyond_a_border():
    found = sampling.sample(lambda x: (-x[0], np.array([-1.0])) if x[0] > 0 else (-np.inf, np.zeros(1)), [1.0], random_state=1, draws=4000)
    assert found.values.min() > 0
    assert abs(found.values.mean() - 1) < 5 * sampling.mcse(found.values)[0]


class Odd(Exception):
    pass


def odd(x):
    raise Odd("of my own")


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (Odd, "of my own", lambda: sampling.sample(odd, dim=2)),
        (TypeError, "a number and a gradient", lambda: sampling.sample(lambda x: 0.0, dim=2)),
        (TypeError, "expected a number, found", lambda: sampling.sample(normal, dim=3, sampler="walk")),
        (ValueError, r"a gradient of the shape \[2\], found \[3\]", lambda: sampling.sample(lambda x: (0.0, np.zeros(3)), dim=2)),
        (ValueError, "start", lambda: sampling.sample(lambda x: (-np.inf, np.zeros(2)), dim=2)),
        (ValueError, "start: expected the shape", lambda: sampling.sample(normal, np.zeros((2, 3)))),
        (ValueError, "start: expected 2 coordinates, found 3", lambda: sampling.sample(normal, np.zeros(3), dim=2)),
        (ValueError, "dim: expected", lambda: sampling.sample(normal)),
        (ValueError, "sampler: expected nuts, hmc", lambda: sampling.sample(normal, dim=3, sampler="x")),
        (ValueError, "metric: expected diagonal", lambda: sampling.sample(normal, dim=3, metric="x")),
        (ValueError, "max_depth: the sampler walk has none", lambda: sampling.sample(normal, dim=3, sampler="walk", max_depth=3)),
        (ValueError, "metric: the sampler slice has none", lambda: sampling.sample(normal, dim=3, sampler="slice", metric="unit")),
        (ValueError, "target_accept: the sampler slice has none", lambda: sampling.sample(normal, dim=3, sampler="slice", target_accept=0.5)),
        (ValueError, "target", lambda: sampling.sample(normal, dim=3, target_accept=2)),
        (ValueError, "chains", lambda: sampling.sample(normal, dim=3, chains=0)),
        (ValueError, "draws: expected a whole number from 1 on, found -1", lambda: sampling.sample(normal, dim=3, draws=-1)),
        (TypeError, "warm_up: expected a whole number, found 1.5", lambda: sampling.sample(normal, dim=3, warm_up=1.5)),
        (ValueError, "dim: expected a whole number from 1", lambda: sampling.sample(normal, dim=0)),
        (ValueError, "random_state", lambda: sampling.sample(normal, dim=3, random_state=-1)),
        (ValueError, "names: expected 3, found 1", lambda: sampling.sample(normal, dim=3, draws=2, names=["a"])),
        (ValueError, "'a' is there twice", lambda: sampling.Draws(np.zeros((1, 2, 2)), ["a", "a"])),
        (ValueError, "level", lambda: sampling.Draws(np.zeros((1, 9, 1))).summary(2)),
        (ValueError, "draws: expected chains and draws", lambda: sampling.rhat([1.0, 2.0])),
        (ValueError, "too few", lambda: sampling.rhat(np.zeros((4, 2)))),
        (ValueError, "draw 3 of chain 1 is NaN", lambda: sampling.ess_bulk([[0.0, 1, np.nan, 2, 3, 4, 5, 6]])),
        (ValueError, "of: expected mean, sd or quantile", lambda: sampling.mcse(np.zeros((4, 9)), "x")),
        (ValueError, "log_likelihood: expected chains", lambda: sampling.psis_loo(np.zeros((4, 9)))),
        (KeyError, "'b' is none of x", lambda: sampling.Draws(np.zeros((1, 2, 2)))["b"]),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()


def test_threads_of_python_go_on():
    ticks, ended = [], threading.Event()

    def tick():
        while not ended.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    sampling.sample(normal, dim=3, draws=2000)
    ended.set()
    thread.join()
    assert len(ticks) > 5


STOPPED = """
import numpy as np
from posterior_rs import Model, sampling
{setup}
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("stopped", flush=True)
print(sampling.sample(lambda x: (-0.5 * x @ x, -x), dim=2, draws=10, warm_up=10).values.shape, flush=True)
"""
CALLS = {
    "function": ("", "sampling.sample(lambda x: (-0.5 * x @ x, -x), dim=2, draws=10**7)"),
    "program": ("m = Model('parameters { vector[200] x; } model { x ~ normal(0, 1); }')", "m.sample(draws=10**6)"),
}


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_stops_chains_within_half_a_second(name):
    setup, call = CALLS[name]
    program = STOPPED.format(setup=setup, call=call)
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.5)
        sent = time.perf_counter()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "stopped\n"
        assert time.perf_counter() - sent < 0.5
        assert process.stdout.readline() == "(4, 10, 2)\n"
