"""Structural series: figures of the literature, statsmodels, intervals, indexes."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import statsmodels.api as sm

from posterior_rs.series import StructuralModel

# The Nile at Aswan from 1871, in 10^8 m³ (Durbin and Koopman 2012).
NILE = pd.Series(
    [1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140]
    + [1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969]
    + [831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759]
    + [781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890]
    + [744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740],
    index=pd.period_range("1871", periods=100, freq="Y"),
    dtype=float,
)


def test_the_nile_has_the_variances_of_durbin_and_koopman():
    own = StructuralModel("local-level").fit(NILE)
    assert own.converged_ and list(own.parameters_.index) == ["level.variance", "noise.variance"]
    assert own.parameters_["value"]["noise.variance"] == pytest.approx(15099, rel=1e-3)
    assert own.parameters_["value"]["level.variance"] == pytest.approx(1469.1, rel=1e-3)
    # Their ln p has no term for the diffuse first value.
    assert own.log_likelihood_ == pytest.approx(-632.54, abs=0.02) or own.log_likelihood_ == pytest.approx(-633.46, abs=0.02)


@pytest.mark.parametrize(("text", "theirs"), [("local-level", "llevel"), ("local-linear-trend", "lltrend"), ("smooth-trend", "strend")])
def test_what_is_known_of_parameters_leads_to_the_numbers_of_statsmodels(text, theirs):
    rng = np.random.default_rng(1)
    y = pd.Series(np.cumsum(np.cumsum(0.1 * rng.normal(size=80)) + rng.normal(size=80)) + rng.normal(size=80))
    y[[10, 11, 40]] = np.nan
    own = StructuralModel(text).fit(y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = sm.tsa.UnobservedComponents(y, theirs, use_exact_diffuse=True)
        order = {"noise.variance": "sigma2.irregular", "level.variance": "sigma2.level", "trend.level_variance": "sigma2.level", "trend.slope_variance": "sigma2.trend"}
        values = {order[name]: value for name, value in own.parameters_["value"].items()}
        found = peer.smooth([values[name] for name in peer.param_names])
        best = peer.fit(disp=False, maxiter=500)
        forecast = found.get_forecast(5).summary_frame(alpha=0.1)
    assert own.log_likelihood_ >= best.llf - 1e-3
    np.testing.assert_allclose(own.smoothed().iloc[:, 0], found.level["smoothed"], rtol=1e-5, atol=1e-5)
    ours = own.forecast(5, level=0.9)
    np.testing.assert_allclose(ours["mean"], forecast["mean"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours["sd"], forecast["mean_se"], rtol=1e-5)
    np.testing.assert_allclose(ours["low"], forecast["mean_ci_lower"], rtol=1e-4, atol=1e-4)
    assert ours.index.tolist() == [80, 81, 82, 83, 84]


def test_seasons_are_taken_apart():
    t = np.arange(96)
    season = np.tile([3.0, -1.0, -2.0, 0.0], 24)
    y = pd.Series(10 + 0.1 * t + season + 0.1 * np.random.default_rng(2).normal(size=96), index=pd.date_range("2000-01-31", periods=96, freq="ME"))
    own = StructuralModel("local-linear-trend + seasonal:4").fit(y)
    parts = own.smoothed()
    assert parts.index.equals(y.index) and [name for name in parts if not name.endswith(" sd")]
    np.testing.assert_allclose(parts["seasonal"], season, atol=0.2)
    assert np.all(parts["seasonal sd"] > 0)
    ahead = own.forecast(4)
    assert ahead.index.equals(pd.date_range("2008-01-31", periods=4, freq="ME"))
    np.testing.assert_allclose(ahead["mean"], 10 + 0.1 * np.arange(96, 100) + season[:4], atol=0.5)


def test_what_is_known_beside_a_series_has_the_effects_of_statsmodels():
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"price": rng.normal(size=90), "holiday": (np.arange(90) % 11 == 0).astype(float)})
    y = np.cumsum(0.3 * rng.normal(size=90)) + 2 * X["price"] - 3 * X["holiday"] + rng.normal(size=90)
    own = StructuralModel("local-level").fit(y[:80], X[:80])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # The coefficients are states of a flat prior there, too.
        peer = sm.tsa.UnobservedComponents(y[:80], "llevel", exog=X[:80], mle_regression=False, use_exact_diffuse=True)
        order = {"noise.variance": "sigma2.irregular", "level.variance": "sigma2.level"}
        values = {order[name]: value for name, value in own.parameters_["value"].items()}
        found = peer.smooth([values[name] for name in peer.param_names])
        forecast = found.get_forecast(10, exog=X[80:]).summary_frame()
    assert list(own.parameters_.index) == ["level.variance", "noise.variance"]
    assert own.coefficients_.index.tolist() == ["price", "holiday"]
    np.testing.assert_allclose(own.coefficients_["mean"], found.smoothed_state[-2:, -1], rtol=1e-5)
    np.testing.assert_allclose(own.coefficients_["sd"] ** 2, np.diag(found.smoothed_state_cov[-2:, -2:, -1]), rtol=1e-4)
    ours = own.forecast(10, X=X[80:])
    np.testing.assert_allclose(ours["mean"], forecast["mean"], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(ours["sd"], forecast["mean_se"], rtol=1e-5)
    assert [name for name in own.smoothed() if not name.endswith(" sd")] == ["level", "regression"]
    again = pickle.loads(pickle.dumps(own))
    pd.testing.assert_frame_equal(again.forecast(10, X=X[80:]), ours)
    for steps, wrong in [(10, None), (9, X[80:]), (10, X[80:][["price"]]), (10, X[80:] * np.nan)]:
        with pytest.raises(ValueError, match="X: expected"):
            own.forecast(steps, X=wrong)


def test_intervals_hold_what_they_say():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        level = np.cumsum(rng.normal(size=101))
        y = level + 2 * rng.normal(size=101)
        ahead = StructuralModel("local-level").fit(y[:100]).forecast(1, level=0.9)
        held += ahead["low"].iloc[0] < y[100] < ahead["high"].iloc[0]
    # 360 of 400 are expected with a standard deviation of 6; parameters of 100 values cost about a percent.
    assert 336 < held < 380, held


def test_parameters_may_be_fixed():
    own = StructuralModel("local-level", fixed={"noise.variance": 100.0}).fit(NILE)
    assert own.parameters_["value"]["noise.variance"] == pytest.approx(100.0, rel=1e-12)
    assert own.log_likelihood_ < StructuralModel("local-level").fit(NILE).log_likelihood_


def test_indexes_go_on():
    y = NILE.to_numpy()
    assert StructuralModel("local-level").fit(NILE).forecast(2).index.astype(str).tolist() == ["1971", "1972"]
    assert StructuralModel("local-level").fit(y).forecast(2).index.tolist() == [100, 101]
    tens = pd.Series(y, index=pd.RangeIndex(0, 1000, 10, name="t"))
    assert StructuralModel("local-level").fit(tens).forecast(2).index.tolist() == [1000, 1010]
    odd = pd.Series(y, index=pd.to_datetime("2000-01-01") + pd.to_timedelta(np.arange(100) ** 2, unit="D"))
    with pytest.raises(ValueError, match="no regular step"):
        StructuralModel("local-level").fit(odd).forecast()


def test_pickles_are_the_same_after():
    own = StructuralModel("local-level").fit(NILE)
    for again in (pickle.loads(pickle.dumps(own)), copy.deepcopy(own)):
        pd.testing.assert_frame_equal(again.forecast(3), own.forecast(3))
    assert repr(own).startswith("StructuralModel('local-level(") and repr(StructuralModel()) == "StructuralModel('local-linear-trend')"


@pytest.mark.parametrize(
    ("text", "make"),
    [
        ("did you mean .local-level.\\?", lambda: StructuralModel("local-levle").fit(NILE)),
        ("noise.varianec|unknown|parameter", lambda: StructuralModel("local-level", fixed={"noise.varianec": 1.0}).fit(NILE)),
        ("one value a step", lambda: StructuralModel().fit(np.zeros((3, 2)))),
        ("finite values", lambda: StructuralModel().fit([1.0, np.inf])),
        ("level: expected", lambda: StructuralModel("local-level").fit(NILE).forecast(level=2)),
        ("steps: expected", lambda: StructuralModel("local-level").fit(NILE).forecast(0)),
        ("not fitted", lambda: StructuralModel().forecast()),
    ],
)
def test_errors_say_what_is_wrong(text, make):
    with pytest.raises(ValueError, match=text):
        make()
