"""Every family beside SciPy's: densities, both tails, quantiles and moments."""

import numpy as np
import pytest
import scipy.stats as st

from posterior_rs import dist

# Ours, and SciPy's with the same parameters.
PAIRS = {
    "asymmetric_laplace": (
        dist.asymmetric_laplace(location=1, scale=2, proportion=0.3),
        st.laplace_asymmetric(np.sqrt(0.3 / 0.7), 1, 1 / np.sqrt(0.21)),
    ),
    "bernoulli": (dist.bernoulli(0.3), st.bernoulli(0.3)),
    "beta": (dist.beta(2.5, 0.7), st.beta(2.5, 0.7)),
    "beta_binomial": (dist.beta_binomial(12, 2, 3.5), st.betabinom(12, 2, 3.5)),
    "beta_prime": (dist.beta_prime(2.5, 5.5, 1), st.betaprime(2.5, 5.5)),
    "binomial": (dist.binomial(20, 0.3), st.binom(20, 0.3)),
    "categorical": (dist.categorical([0.2, 0.5, 0.3]), st.rv_discrete(values=([0, 1, 2], [0.2, 0.5, 0.3]))),
    "cauchy": (dist.cauchy(1, 2), st.cauchy(1, 2)),
    "chi_squared": (dist.chi_squared(3.5), st.chi2(3.5)),
    "discrete_uniform": (dist.discrete_uniform(2, 9), st.randint(2, 10)),
    "exponential": (dist.exponential(0.5), st.expon(scale=2)),
    "fisher_f": (dist.fisher_f(5, 12), st.f(5, 12)),
    "frechet": (dist.frechet(4.5, 2), st.invweibull(4.5, scale=2)),
    "gamma": (dist.gamma(2.5, 3), st.gamma(2.5, scale=1 / 3)),
    "generalized_extreme_value": (dist.generalized_extreme_value(1, 2, 0.1), st.genextreme(-0.1, 1, 2)),
    "generalized_gamma": (dist.generalized_gamma(shape=2.5, power=1.5, scale=2), st.gengamma(2.5, 1.5, scale=2)),
    "generalized_pareto": (
        dist.generalized_pareto(location=1, scale=2, shape=0.1),
        st.genpareto(0.1, 1, 2),
    ),
    "geometric": (dist.geometric(0.3), st.geom(0.3, loc=-1)),
    "gumbel": (dist.gumbel(1, 2), st.gumbel_r(1, 2)),
    "half_cauchy": (dist.half_cauchy(2), st.halfcauchy(scale=2)),
    "half_normal": (dist.half_normal(2), st.halfnorm(scale=2)),
    "half_student_t": (dist.half_student_t(degrees_of_freedom=5.5, scale=2), None),
    "hypergeometric": (dist.hypergeometric(population=30, marked=12, drawn=9), st.hypergeom(30, 12, 9)),
    "inverse_gamma": (dist.inverse_gamma(4.5, 3), st.invgamma(4.5, scale=3)),
    "inverse_gaussian": (dist.inverse_gaussian(2, 3), st.invgauss(2 / 3, scale=3)),
    "kumaraswamy": (dist.kumaraswamy(2, 3), None),
    "laplace": (dist.laplace(1, 2), st.laplace(1, 2)),
    "log_logistic": (dist.log_logistic(scale=2, shape=6.5), st.fisk(6.5, scale=2)),
    "logistic": (dist.logistic(1, 2), st.logistic(1, 2)),
    "logit_normal": (dist.logit_normal(0.5, 1.5), None),
    "lognormal": (dist.lognormal(0.5, 0.75), st.lognorm(0.75, scale=np.exp(0.5))),
    "lomax": (dist.lomax(shape=5.5, scale=2), st.lomax(5.5, scale=2)),
    "mixture": (dist.mixture([0.25, 0.75], [dist.normal(0, 1), dist.normal(3, 0.5)]), None),
    "negative_binomial": (dist.negative_binomial(successes=4.5, probability=0.3), st.nbinom(4.5, 0.3)),
    "normal": (dist.normal(1, 2), st.norm(1, 2)),
    "pareto": (dist.pareto(scale=2, shape=5.5), st.pareto(5.5, scale=2)),
    "poisson": (dist.poisson(3.5), st.poisson(3.5)),
    "poisson_binomial": (dist.poisson_binomial([0.2, 0.5, 0.9]), st.poisson_binom([0.2, 0.5, 0.9])),
    "rayleigh": (dist.rayleigh(2), st.rayleigh(scale=2)),
    "skellam": (dist.skellam(3, 2), st.skellam(3, 2)),
    "skew_normal": (dist.skew_normal(location=1, scale=2, shape=3), st.skewnorm(3, 1, 2)),
    "student_t": (dist.student_t(degrees_of_freedom=5.5, location=1, scale=2), st.t(5.5, 1, 2)),
    "triangular": (dist.triangular(low=1, mode=2, high=4), st.triang(1 / 3, 1, 3)),
    "truncated": (dist.truncated(dist.normal(0, 1), -1, 2), st.truncnorm(-1, 2)),
    "uniform": (dist.uniform(-1, 3), st.uniform(-1, 4)),
    "von_mises": (dist.von_mises(0.5, 2), st.vonmises(2, 0.5)),
    "weibull": (dist.weibull(scale=2, shape=1.5), st.weibull_min(1.5, scale=2)),
    "zeta": (dist.zeta(5.5), st.zipf(5.5)),
    "zipf": (dist.zipf(exponent=1.5, elements=12), st.zipfian(1.5, 12)),
}

BOTH = sorted(name for name, pair in PAIRS.items() if pair[1] is not None)

# SciPy's own errors: its quantile of these is found by a search, to 1e-8 or so, or its tail is 1 - cdf.
COARSE = {"skew_normal": 1e-8, "von_mises": 1e-8, "inverse_gaussian": 1e-9}


def points(theirs):
    return theirs.ppf(np.array([1e-3, 0.05, 0.3, 0.5, 0.8, 0.99]))


def test_every_family_is_compared_or_listed():
    assert set(PAIRS) == {row.name for row in dist.families if row.kind == "Univariate"}


@pytest.mark.parametrize("name", BOTH)
def test_functions_of_points(name):
    ours, theirs = PAIRS[name]
    x = points(theirs)
    density = ("pmf", "logpmf") if ours.is_discrete else ("pdf", "logpdf")
    for method in (*density, "cdf", "logcdf", "sf", "logsf"):
        expected = getattr(theirs, method)(x)
        np.testing.assert_allclose(getattr(ours, method)(x), expected, rtol=1e-10, atol=1e-13, err_msg=method)


@pytest.mark.parametrize("name", BOTH)
def test_quantiles(name):
    ours, theirs = PAIRS[name]
    p = np.array([1e-3, 0.05, 0.3, 0.55, 0.8, 0.99])
    rtol = COARSE.get(name, 1e-10)
    np.testing.assert_allclose(ours.ppf(p), theirs.ppf(p), rtol=rtol, atol=1e-12)
    np.testing.assert_allclose(ours.isf(p), theirs.isf(p), rtol=rtol, atol=1e-12)
    np.testing.assert_allclose(ours.interval(0.9), theirs.interval(0.9), rtol=rtol, atol=1e-12)


@pytest.mark.parametrize("name", BOTH)
def test_moments(name):
    ours, theirs = PAIRS[name]
    expected = theirs.stats(moments="mvsk")
    found = (ours.mean(), ours.var(), ours.skewness(), ours.kurtosis())
    for a, b in zip(found, expected):
        # Not a number is what has no closed form here: those are listed in the documentation of the class.
        if not np.isnan(a):
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-9)
    if not np.isnan(ours.var()):
        assert ours.std() == pytest.approx(theirs.std(), rel=1e-9)
    if not np.isnan(ours.entropy()):
        np.testing.assert_allclose(ours.entropy(), theirs.entropy(), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", BOTH)
def test_draws_have_the_distribution(name):
    ours, theirs = PAIRS[name]
    draws = ours.rvs(4000, random_state=11)
    if ours.is_discrete:
        assert draws.dtype == np.int64
        values, counts = np.unique(draws, return_counts=True)
        expected = 4000 * theirs.pmf(values)
        kept = expected > 5
        statistic = ((counts[kept] - expected[kept]) ** 2 / expected[kept]).sum()
        # One of these tests in 10^4 fails by accident, of seeds that are not fixed.
        assert statistic < st.chi2(kept.sum()).isf(1e-4)
    else:
        assert st.kstest(draws, theirs.cdf).pvalue > 1e-4


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_gradients_are_differences_of_the_log_density(name):
    ours = PAIRS[name][0]
    x = ours.ppf(0.37)
    try:
        gradient = ours.gradient(x)
    except AttributeError as error:
        assert "no derivative" in str(error)
        return
    step = 1e-5 * max(1, abs(x))
    difference = (ours.logpdf(x + step) - ours.logpdf(x - step)) / (2 * step)
    assert gradient == pytest.approx(difference, rel=1e-6, abs=1e-8)


def test_vectors():
    covariance = np.array([[2.0, 0.5], [0.5, 1.0]])
    x = np.array([[0.1, 0.2], [1.0, -1.0], [3.0, 3.0]])
    ours, theirs = dist.multivariate_normal([0, 1], covariance), st.multivariate_normal([0, 1], covariance)
    np.testing.assert_allclose(ours.logpdf(x), theirs.logpdf(x), rtol=1e-12)
    np.testing.assert_allclose(ours.pdf(x), theirs.pdf(x), rtol=1e-12)
    assert ours.entropy() == pytest.approx(theirs.entropy(), rel=1e-12)
    np.testing.assert_array_equal(ours.cov(), covariance)
    t, scipys = dist.multivariate_t(5, [0, 1], covariance), st.multivariate_t([0, 1], covariance, df=5)
    np.testing.assert_allclose(t.logpdf(x), scipys.logpdf(x), rtol=1e-12)
    p = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    ours, theirs = dist.dirichlet([1, 2, 3]), st.dirichlet([1, 2, 3])
    np.testing.assert_allclose(ours.logpdf(p), [theirs.logpdf(row) for row in p], rtol=1e-12)
    np.testing.assert_allclose(ours.mean(), theirs.mean(), rtol=1e-14)
    np.testing.assert_allclose(ours.var(), theirs.var(), rtol=1e-13)
    direction = np.array([1.0, 2.0, 2.0]) / 3
    ours, theirs = dist.von_mises_fisher(direction, 4), st.vonmises_fisher(direction, 4)
    assert ours.logpdf([1, 0, 0]) == pytest.approx(theirs.logpdf([1, 0, 0]), rel=1e-12)
    assert ours.rvs((2, 5), random_state=1).shape == (2, 5, 3)
