"""Regressions by formulas on frames: numbers of others, frames in and out, errors."""

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LinearRegression

from posterior_rs import Regression, regress

# Eight schools times five pupils.
RNG = np.random.default_rng(0)
SCHOOLS = np.repeat(list("abcdefgh"), 5)
HOURS = RNG.uniform(0, 4, 40)
SCORE = 50 + 3 * HOURS + np.repeat(RNG.normal(0, 4, 8), 5) + RNG.normal(0, 2, 40)
FRAME = pd.DataFrame({"score": SCORE, "hours": HOURS, "school": SCHOOLS})


def value(table, name, column="mean"):
    return table.set_index("name")[column][name]


def test_flat_coefficients_of_normal_numbers_are_least_squares():
    fit = regress("score ~ hours", FRAME)
    least = LinearRegression().fit(FRAME[["hours"]], SCORE)
    assert value(fit.coefficients, "hours") == pytest.approx(least.coef_[0], rel=1e-8)
    assert value(fit.coefficients, "(Intercept)") == pytest.approx(least.intercept_, rel=1e-8)
    np.testing.assert_allclose(fit.fitted["mean"], least.predict(FRAME[["hours"]]), rtol=1e-8)


def test_restricted_likelihood_of_balanced_groups_is_that_of_the_analysis_of_variance():
    fit = regress("score ~ 1 + (1 | school)", FRAME, engine="reml")
    rows = SCORE.reshape(8, 5)
    within = rows.var(axis=1, ddof=1).mean()
    between = rows.mean(axis=1).var(ddof=1) - within / 5
    assert between > 0
    assert value(fit.components, "sd") == pytest.approx(np.sqrt(within), rel=1e-4)
    assert value(fit.components, "sd(school)") == pytest.approx(np.sqrt(between), rel=1e-4)
    # Groups shrink towards the mean by the known factor.
    factor = between / (between + within / 5)
    expected = factor * (rows.mean(axis=1) - rows.mean())
    np.testing.assert_allclose(fit.effects["mean"], expected, rtol=1e-4, atol=1e-6)
    assert fit.criteria is None


def test_posterior_of_groups():
    fit = regress("score ~ hours + (1 | school)", FRAME)
    assert 2.0 < value(fit.coefficients, "hours") < 4.0
    assert fit.effects["name"].tolist() == list("abcdefgh")
    assert set(fit.effects["effect"]) == {"school"}
    assert set(fit.criteria) == {"elpd_loo", "waic", "dic"}
    assert np.all(fit.fitted["low"] < fit.fitted["mean"]) and np.all(fit.fitted["mean"] < fit.fitted["high"])
    held = (fit.fitted["outcome_low"] < SCORE) & (SCORE < fit.fitted["outcome_high"])
    assert held.mean() > 0.85
    narrow = regress("score ~ hours + (1 | school)", FRAME, level=0.6).coefficients
    wide = fit.coefficients
    assert np.all(narrow["high"] - narrow["low"] < wide["high"] - wide["low"])


def test_new_rows_and_new_groups_are_predicted():
    fit = regress("score ~ hours + (1 | school)", FRAME)
    new = pd.DataFrame({"hours": [2.0, 2.0], "school": ["a", "new"]})
    found = fit.predict(new)
    seen, unseen = found["sd"]
    assert unseen > seen
    slope, intercept = value(fit.coefficients, "hours"), value(fit.coefficients, "(Intercept)")
    assert found["mean"][1] == pytest.approx(intercept + 2 * slope, abs=0.2)
    at_a = intercept + 2 * slope + fit.effects["mean"][0]
    assert found["mean"][0] == pytest.approx(at_a, abs=0.2)


def test_counts_and_classes():
    counts = FRAME.assign(n=np.random.default_rng(1).poisson(np.exp(0.3 * HOURS)))
    fit = regress("n ~ hours + (1 | school)", counts, family="poisson")
    assert value(fit.coefficients, "hours") == pytest.approx(0.3, abs=0.15)
    passed = FRAME.assign(passed=SCORE > np.median(SCORE))
    fit = regress("passed ~ hours", passed, family="bernoulli")
    assert fit.fitted["mean"].between(0, 1).all()
    assert value(fit.coefficients, "hours", "low") > 0


def test_frames_come_back_as_they_were_given():
    fit = regress("score ~ hours + (1 | school)", pl.DataFrame(FRAME.to_dict("list")))
    assert isinstance(fit.coefficients, pl.DataFrame) and isinstance(fit.predict({"hours": [1.0], "school": ["a"]}), pl.DataFrame)
    same = regress("score ~ hours + (1 | school)", FRAME)
    assert isinstance(same.coefficients, pd.DataFrame)
    np.testing.assert_array_equal(fit.coefficients["mean"].to_numpy(), same.coefficients["mean"].to_numpy())
    again = regress("score ~ hours + (1 | school)", FRAME.to_dict("list"))
    pd.testing.assert_frame_equal(again.effects, same.effects)
    categories = FRAME.assign(school=FRAME["school"].astype("category"))
    pd.testing.assert_frame_equal(regress("score ~ hours + (1 | school)", categories).effects, same.effects)


def test_pickles_are_the_same_after():
    fit = regress("score ~ hours", FRAME)
    for again in (pickle.loads(pickle.dumps(fit)), copy.deepcopy(fit)):
        pd.testing.assert_frame_equal(again.coefficients, fit.coefficients)
        pd.testing.assert_frame_equal(again.predict({"hours": [1.0]}), fit.predict({"hours": [1.0]}))


def test_a_notebook_shows_the_tables():
    fit = regress("score ~ hours + (1 | school)", FRAME)
    assert isinstance(fit, Regression) and "score ~ hours + (1 | school)" in repr(fit)
    page = fit._repr_html_()
    assert "(Intercept)" in page and "sd(school)" in page and "<table" in page


@pytest.mark.parametrize(
    ("error", "text", "make"),
    [
        (ValueError, "hour.*did you mean|no column", lambda: regress("score ~ hour", FRAME)),
        (ValueError, "formula", lambda: regress("score ~ (1 | school", FRAME)),
        (ValueError, "expected an outcome", lambda: regress("~ hours", FRAME)),
        (ValueError, "family: expected one of gaussian, bernoulli", lambda: regress("score ~ hours", FRAME, family="x")),
        (ValueError, "engine: expected laplace, reml or ml", lambda: regress("score ~ hours", FRAME, engine="x")),
        (ValueError, "level: expected", lambda: regress("score ~ hours", FRAME, level=2)),
        (ValueError, "response", lambda: regress("score ~ hours", FRAME, family="bernoulli")),
        (TypeError, "a frame of pandas or polars", lambda: regress("score ~ hours", [1, 2])),
        (TypeError, "numbers or labels, found None in row 0", lambda: regress("y ~ x", {"y": [1.0], "x": [None]})),
        (ValueError, "rows|lengths|values", lambda: regress("y ~ x", {"y": [1.0, 2.0], "x": [1.0]})),
    ],
)
def test_errors_say_what_is_wrong(error, text, make):
    with pytest.raises(error, match=text):
        make()
