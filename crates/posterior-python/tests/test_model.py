"""Programs in Stan's language: exact posteriors, gradients, errors with their places."""

import json
import pickle

import numpy as np
import pytest
import scipy.stats as st

from posterior_rs import Model, sampling

NORMAL = """
data {
  int<lower=1> N;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> sigma;
}
transformed parameters {
  vector[2] both = [mu, sigma]';
}
model {
  mu ~ normal(0, 10);
  sigma ~ exponential(1);
  y ~ normal(mu, sigma);
}
generated quantities {
  real new = normal_rng(mu, sigma);
}
"""
Y = np.array([1.2, 0.3, 2.7, 1.9, 0.8])


@pytest.fixture(scope="module")
def posterior():
    return Model(NORMAL).condition({"N": 5, "y": Y})


def log_density(x, jacobian=True):
    mu, sigma = x[0], np.exp(x[1])
    value = st.norm(0, 10).logpdf(mu) + st.expon().logpdf(sigma) + st.norm(mu, sigma).logpdf(Y).sum()
    return value + (x[1] if jacobian else 0.0)


def test_densities_are_those_of_scipy_but_for_a_constant(posterior):
    points = np.array([[0.0, 0.0], [1.3, -0.4], [-2.0, 1.1]])
    for jacobian in (True, False):
        ours = [posterior.log_density(x, jacobian=jacobian) for x in points]
        theirs = [log_density(x, jacobian) for x in points]
        np.testing.assert_allclose(np.diff(ours), np.diff(theirs), rtol=1e-11)
    for x in points:
        step = 1e-6 * np.eye(2)
        numeric = [(log_density(x + own) - log_density(x - own)) / 2e-6 for own in step]
        np.testing.assert_allclose(posterior.gradient(x), numeric, rtol=1e-6, atol=1e-7)


def test_names_and_coordinates(posterior):
    assert posterior.parameter_names == ["mu", "sigma"] and posterior.dim == 2
    assert posterior.names == ["mu", "sigma", "both[1]", "both[2]", "new"]
    assert posterior.constrain([0.5, np.log(2.0)]) == pytest.approx({"mu": 0.5, "sigma": 2.0})
    np.testing.assert_allclose(posterior.unconstrain({"mu": 0.5, "sigma": 2.0}), [0.5, np.log(2.0)])
    assert "mu, sigma" in repr(posterior) and "'program' of N, y" in repr(Model(NORMAL))


def test_draws_have_the_moments_of_a_grid(posterior):
    mu, ln_sigma = np.meshgrid(np.linspace(-8, 10, 400), np.linspace(-2.5, 3.5, 400), indexing="ij")
    sigma = np.exp(ln_sigma)
    prior = st.norm(0, 10).logpdf(mu) + st.expon().logpdf(sigma) + ln_sigma
    weights = (prior + sum(st.norm(mu, sigma).logpdf(y) for y in Y)).ravel()
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    draws = posterior.sample(random_state=3, draws=2000, target_accept=0.95)
    assert draws.names == posterior.names and draws.warnings == []
    for name, values in (("mu", mu.ravel()), ("sigma", np.exp(ln_sigma.ravel()))):
        mean = (weights * values).sum()
        assert abs(draws[name].mean() - mean) < 5 * sampling.mcse(draws[name])
        sd = np.sqrt((weights * (values - mean) ** 2).sum())
        assert abs(draws[name].std() - sd) < 5 * sampling.mcse(draws[name], "sd")
    np.testing.assert_array_equal(draws["both"][:, :, 0], draws["mu"])
    new_mean = (weights * mu.ravel()).sum()
    assert abs(draws["new"].mean() - new_mean) < 5 * sampling.mcse(draws["new"])
    # The same again, whatever the cores; and in one call.
    again = Model(NORMAL).sample({"N": 5, "y": Y.tolist()}, random_state=3, draws=2000, target_accept=0.95)
    np.testing.assert_array_equal(again.values, draws.values)
    assert draws.to_arviz().posterior["both"].shape == (4, 2000, 2)


def test_the_mode_is_that_of_the_formula(posterior):
    found = posterior.optimize()
    assert found["mu"] == pytest.approx(found["both[1]"]) and set(found) == {"mu", "sigma", "both[1]", "both[2]"}
    x = posterior.unconstrain(found)
    numeric = [(log_density(x + own, False) - log_density(x - own, False)) / 2e-6 for own in 1e-6 * np.eye(2)]
    np.testing.assert_allclose(numeric, 0, atol=1e-4)


def test_data_of_every_kind(tmp_path):
    program = "data { int K; array[2, K] int n; matrix[2, 2] A; real r; int flag; } parameters { real x; } model { x ~ normal(r + n[2, 1] + A[1, 2] + flag, 1); }"
    own = Model(program)
    assert own.data_names == ["K", "n", "A", "r", "flag"]
    data = {"K": np.int64(2), "n": np.array([[1, 2], [30, 4]]), "A": [[0.0, 100.0], [0.0, 0.0]], "r": np.float64(0.5), "flag": True, "other": 1}
    posterior = own.condition(data)
    assert posterior.gradient([0.0])[0] == pytest.approx(131.5)
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"K": 2, "n": [[1, 2], [30, 4]], "A": [[0, 100], [0, 0]], "r": 0.5, "flag": 1}))
    assert own.condition(path).gradient([0.0])[0] == pytest.approx(131.5)
    (tmp_path / "m.stan").write_text(program)
    assert Model.read(tmp_path / "m.stan").data_names == own.data_names
    assert Model("parameters { real x; } model { x ~ normal(0, 1); }").sample(draws=5, warm_up=5).names == ["x"]


def test_pickles_are_the_same_after(posterior):
    again = pickle.loads(pickle.dumps(posterior))
    assert again.log_density([0.1, 0.2]) == posterior.log_density([0.1, 0.2])
    assert pickle.loads(pickle.dumps(Model(NORMAL))).data_names == ["N", "y"]


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, r"program:16:7[\s\S]*did you mean `normal`", lambda: Model(NORMAL.replace("y ~ normal", "y ~ nromal"))),
        (ValueError, r"error: .*\n +--> program:\d+:\d+", lambda: Model("parameters { real x }")),
        (ValueError, "the data have no variable|N", lambda: Model(NORMAL).condition({"y": Y})),
        (ValueError, "line 3, column .*N|lower", lambda: Model(NORMAL).condition({"N": 0, "y": []})),
        (ValueError, "line 4", lambda: Model(NORMAL).condition({"N": 3, "y": Y})),
        (TypeError, "data: y: expected numbers", lambda: Model(NORMAL).condition({"N": 1, "y": ["a"]})),
        (TypeError, "data: expected numbers and arrays by name, found int", lambda: Model(NORMAL).condition(3)),
        (FileNotFoundError, "nothing.stan", lambda: Model.read("nothing.stan")),
        (FileNotFoundError, "nothing.json", lambda: Model(NORMAL).condition("nothing.json")),
        (ValueError, r"x: expected the shape \(2,\)", lambda: Model(NORMAL).condition({"N": 5, "y": Y}).gradient([1.0])),
        (ValueError, "sigma are missing", lambda: Model(NORMAL).condition({"N": 5, "y": Y}).unconstrain({"mu": 1})),
        (ValueError, "sampler: expected", lambda: Model(NORMAL).sample({"N": 5, "y": Y}, sampler="x")),
        (TypeError, "unexpected keyword", lambda: Model(NORMAL).sample({"N": 5, "y": Y}, drwas=3)),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()
