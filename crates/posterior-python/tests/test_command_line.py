"""The program that comes with the package, and that it gives the same numbers."""

import json
import os
import subprocess
import sysconfig
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from posterior_rs import Model, dist, networks, regress
from posterior_rs.sequences import GaussianHMM
from posterior_rs.series import StructuralModel

PROGRAM = Path(sysconfig.get_path("scripts")) / ("posterior.exe" if os.name == "nt" else "posterior")


def answer(*arguments):
    command = [str(PROGRAM), *arguments, "--format", "json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


def test_the_program_is_installed():
    own = metadata.version("posterior_rs")
    shown = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    assert shown == f"posterior {own}\n"


@pytest.mark.parametrize(
    "text",
    ["gamma(2, 3)", "poisson(4)", "mixture([0.5, 0.5], [normal(0, 1), normal(5, 1)])", "dirichlet([1, 2, 3])"],
)
def test_draws(text):
    sample = answer("dist", "show", text, "--sample", "20", "--seed", "7")["sample"]
    np.testing.assert_array_equal(dist.read(text).rvs(20, random_state=7), sample)


def test_a_regression_with_groups(tmp_path):
    rng = np.random.default_rng(0)
    groups, hours = np.repeat(list("abcdef"), 5), rng.uniform(0, 4, 30)
    counts = rng.poisson(np.exp(0.3 * hours + np.repeat(rng.normal(0, 0.5, 6), 5)))
    frame = pd.DataFrame({"n": counts, "hours": hours, "group": groups})
    frame.to_csv(tmp_path / "table.csv", index=False)
    formula = "n ~ hours + (1 | group)"
    arguments = ("--formula", formula, "--family", "poisson")
    theirs = answer("regress", "fit", str(tmp_path / "table.csv"), *arguments)
    ours = regress(formula, frame, family="poisson")
    for own, table in ((theirs["coefficients"], ours.coefficients), (theirs["hierarchical"]["components"], ours.components)):
        for key, column in (("mean", "mean"), ("sd", "sd"), ("q025", "low"), ("q975", "high")):
            np.testing.assert_allclose(table[column], [row[key] for row in own], rtol=1e-9, err_msg=key)
    intervals = [row["mean_interval"] for row in theirs["predictions"]]
    np.testing.assert_allclose(ours.fitted[["low", "high"]], intervals, rtol=1e-9)
    assert ours.criteria["elpd_loo"] == pytest.approx(theirs["hierarchical"]["criteria"]["elpd_loo"], rel=1e-9)


def test_draws_of_a_program(tmp_path):
    program = """
    data { int<lower=1> N; vector[N] y; }
    parameters { real mu; real<lower=0> sigma; }
    model { mu ~ normal(0, 10); sigma ~ exponential(1); y ~ normal(mu, sigma); }
    generated quantities { real new = normal_rng(mu, sigma); }
    """
    data = {"N": 3, "y": [1.0, 2.5, 0.5]}
    (tmp_path / "m.stan").write_text(program)
    (tmp_path / "m.json").write_text(json.dumps(data))
    files = (str(tmp_path / "m.stan"), "--data", str(tmp_path / "m.json"))
    theirs = answer("model", "sample", *files, "--seed", "5", "--num-samples", "200", "--num-warmup", "200")
    draws = Model(program).sample(data, random_state=5, draws=200, warm_up=200)
    table = draws.summary()
    assert [own["name"] for own in theirs["parameters"]] == draws.names == ["mu", "sigma", "new"]
    for own in theirs["parameters"]:
        for key, column in (("mean", "mean"), ("sd", "sd"), ("rhat", "rhat"), ("ess_bulk", "ess_bulk"), ("mcse", "mcse")):
            # The program's diagnostics take Fourier transforms by other instructions.
            assert table[column][own["name"]] == pytest.approx(own[key], rel=1e-12), (own["name"], key)


def test_draws_of_a_network(tmp_path):
    network = networks.Network(
        {"rain": ["no", "yes"], "grass": ["dry", "wet"]},
        {"rain": ([], [0.8, 0.2]), "grass": (["rain"], [[0.9, 0.1], [0.05, 0.95]])},
    )
    network.write(tmp_path / "wet.bif")
    theirs = answer("net", "sample", str(tmp_path / "wet.bif"), "--records", "50", "--seed", "3")
    assert network.sample(50, random_state=3).to_numpy().tolist() == theirs["records"]
    theirs = answer("net", "query", str(tmp_path / "wet.bif"), "--target", "rain", "--evidence", "grass=wet")
    assert network.query("rain", {"grass": "wet"})["rain"] == theirs["marginals"]["rain"]


def test_a_hidden_markov_model(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0.0, 3.0, -2.0, 3.0], 40) + rng.normal(size=160)
    pd.DataFrame({"y": y}).to_csv(tmp_path / "y.csv", index=False)
    theirs = answer("hmm", "fit", str(tmp_path / "y.csv"), "--y", "y", "--emission", "gaussian", "--states", "3", "--seed", "2", "--covariance", "full")
    own = GaussianHMM(3, "full", random_state=2).fit(y[:, np.newaxis])
    assert own.score(y[:, np.newaxis]) == pytest.approx(theirs["ln_likelihood"], rel=1e-9)


def test_a_structural_series(tmp_path):
    y = np.cumsum(np.random.default_rng(1).normal(size=80))
    pd.DataFrame({"t": np.arange(80), "y": y}).to_csv(tmp_path / "y.csv", index=False)
    theirs = answer("series", "smooth", str(tmp_path / "y.csv"), "--time", "t", "--y", "y", "--model", "local-level", "--parameters", "known", "--forecast", "3")
    own = StructuralModel("local-level").fit(y)
    assert own.log_likelihood_ == pytest.approx(theirs["ln_likelihood"], rel=1e-6)
    means = [row["mean"] for row in theirs["forecast"]]
    np.testing.assert_allclose(own.forecast(3)["mean"], means, rtol=1e-3)
