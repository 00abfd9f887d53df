//! One name for each parameter: in the constructor's refusal, in the text and in `PARAMETERS`; and the names
//! of other programs are read as the parameter that they mean there.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::text::{AnyUnivariate, Call, TextError, UNIVARIATE, Written, from_call};
use posterior_dist::{
    AsymmetricLaplace, Bernoulli, Beta, BetaBinomial, BetaNegativeBinomial, BetaPrime, Binomial, Categorical,
    Cauchy, ChiSquared, Dirichlet, DirichletMultinomial, DiscreteUniform, Exponential, FisherF, Frechet,
    Gamma, GeneralizedExtremeValue, GeneralizedGamma, GeneralizedPareto, Geometric, Gumbel, HalfCauchy,
    HalfNormal, HalfStudentT, Hypergeometric, InverseGamma, InverseGaussian, Kumaraswamy, Laplace,
    LogLogistic, LogNormal, Logistic, LogitNormal, Lomax, Multinomial, NegativeBinomial, Normal, NormalGamma,
    NormalInverseGamma, Pareto, Poisson, PoissonBinomial, Rayleigh, Skellam, SkewNormal, StudentT,
    Triangular, Uniform, VonMises, Weibull, Zeta, Zipf,
};
use posterior_testkit::consistency::{parameter_names_agree, written_names_agree};

#[test]
fn a_refusal_names_the_parameter_as_the_text_does() {
    let numbers = [
        parameter_names_agree::<Bernoulli>(&[0.3]),
        parameter_names_agree::<Beta>(&[2.0, 3.0]),
        parameter_names_agree::<BetaBinomial>(&[5.0, 2.0, 3.0]),
        parameter_names_agree::<BetaNegativeBinomial>(&[5.0, 2.0, 3.0]),
        parameter_names_agree::<BetaPrime>(&[2.0, 3.0, 4.0]),
        parameter_names_agree::<Binomial>(&[5.0, 0.3]),
        parameter_names_agree::<Cauchy>(&[1.0, 2.0]),
        parameter_names_agree::<ChiSquared>(&[2.0]),
        parameter_names_agree::<DiscreteUniform>(&[1.0, 6.0]),
        parameter_names_agree::<Exponential>(&[2.0]),
        parameter_names_agree::<FisherF>(&[2.0, 3.0]),
        parameter_names_agree::<Frechet>(&[2.0, 3.0]),
        parameter_names_agree::<Gamma>(&[2.0, 3.0]),
        parameter_names_agree::<Geometric>(&[0.3]),
        parameter_names_agree::<Gumbel>(&[1.0, 2.0]),
        parameter_names_agree::<HalfCauchy>(&[2.0]),
        parameter_names_agree::<HalfNormal>(&[2.0]),
        parameter_names_agree::<Hypergeometric>(&[9.0, 4.0, 3.0]),
        parameter_names_agree::<InverseGamma>(&[2.0, 3.0]),
        parameter_names_agree::<InverseGaussian>(&[2.0, 3.0]),
        parameter_names_agree::<Laplace>(&[1.0, 2.0]),
        parameter_names_agree::<LogLogistic>(&[2.0, 3.0]),
        parameter_names_agree::<Logistic>(&[1.0, 2.0]),
        parameter_names_agree::<LogNormal>(&[1.0, 2.0]),
        parameter_names_agree::<Lomax>(&[2.0, 3.0]),
        parameter_names_agree::<NegativeBinomial>(&[2.0, 0.3]),
        parameter_names_agree::<Normal>(&[1.0, 2.0]),
        parameter_names_agree::<Pareto>(&[2.0, 3.0]),
        parameter_names_agree::<Poisson>(&[2.0]),
        parameter_names_agree::<Rayleigh>(&[2.0]),
        parameter_names_agree::<StudentT>(&[5.0, 1.0, 2.0]),
        parameter_names_agree::<Triangular>(&[0.0, 1.0, 3.0]),
        parameter_names_agree::<Uniform>(&[0.0, 1.0]),
        parameter_names_agree::<VonMises>(&[0.5, 2.0]),
        parameter_names_agree::<Weibull>(&[2.0, 3.0]),
        parameter_names_agree::<AsymmetricLaplace>(&[0.0, 1.0, 0.3]),
        parameter_names_agree::<GeneralizedExtremeValue>(&[0.0, 1.0, 0.3]),
        parameter_names_agree::<GeneralizedGamma>(&[2.0, 3.0, 1.0]),
        parameter_names_agree::<GeneralizedPareto>(&[0.0, 1.0, 0.3]),
        parameter_names_agree::<HalfStudentT>(&[2.0, 3.0]),
        parameter_names_agree::<Kumaraswamy>(&[2.0, 3.0]),
        parameter_names_agree::<LogitNormal>(&[2.0, 3.0]),
        parameter_names_agree::<Skellam>(&[2.0, 3.0]),
        parameter_names_agree::<SkewNormal>(&[2.0, 3.0, 1.0]),
        parameter_names_agree::<Zeta>(&[2.0]),
        parameter_names_agree::<Zipf>(&[2.0, 3.0]),
        written_names_agree(&"poisson_binomial([0.4, 0.6])".parse::<PoissonBinomial>().unwrap()),
        parameter_names_agree::<NormalGamma>(&[0.0, 1.0, 2.0, 3.0]),
        parameter_names_agree::<NormalInverseGamma>(&[0.0, 1.0, 2.0, 3.0]),
        written_names_agree(&"categorical([0.4, 0.6])".parse::<Categorical>().unwrap()),
    ];
    for entry in UNIVARIATE.iter().filter(|entry| !["mixture", "truncated"].contains(&entry.name)) {
        assert!(numbers.contains(&entry.name), "{} is missing from the list above", entry.name);
    }
    written::<Multinomial>("multinomial(3, [0.4, 0.6])");
    written::<Dirichlet>("dirichlet([1, 2])");
    written::<DirichletMultinomial>("dirichlet_multinomial(3, [1, 2])");
}

fn written<D: Written>(text: &str) -> &'static str {
    written_names_agree(&from_call::<D>(&text.parse::<Call>().unwrap()).unwrap())
}

fn read(text: &str) -> Result<AnyUnivariate, TextError> {
    text.parse()
}

/// The left side is how SciPy, Stan, R or a textbook states the distribution, with the names of their
/// documentation; the right side is what is printed.
#[test]
fn names_of_other_programs_are_read_and_one_form_is_printed() {
    for (theirs, ours) in [
        ("normal(loc = 1, scale = 2)", "normal(1, 2)"),
        ("normal(mu = 1, sigma = 2)", "normal(1, 2)"),
        ("normal(sd = 2, mean = 1)", "normal(1, 2)"),
        ("student_t(df = 5, loc = 1, scale = 2)", "student_t(5, 1, 2)"),
        ("student_t(nu = 5, mu = 1, sigma = 2)", "student_t(5, 1, 2)"),
        ("cauchy(x0 = 1, gamma = 2)", "cauchy(1, 2)"),
        ("gumbel(mu = 1, beta = 2)", "gumbel(1, 2)"),
        ("laplace(mu = 1, b = 2)", "laplace(1, 2)"),
        ("logistic(mu = 1, s = 2)", "logistic(1, 2)"),
        ("lognormal(meanlog = 1, sdlog = 2)", "lognormal(1, 2)"),
        ("half_normal(sigma = 2)", "half_normal(2)"),
        ("gamma(alpha = 2, beta = 3)", "gamma(2, 3)"),
        ("inverse_gamma(alpha = 2, beta = 3)", "inverse_gamma(2, 3)"),
        ("weibull(c = 2, scale = 3)", "weibull(2, 3)"),
        ("weibull(k = 2, lambda = 3)", "weibull(2, 3)"),
        ("log_logistic(alpha = 3, beta = 2)", "log_logistic(2, 3)"),
        ("pareto(y_min = 1, alpha = 5)", "pareto(5, 1)"),
        ("beta(a = 2, b = 3)", "beta(2, 3)"),
        ("beta(shape1 = 2, shape2 = 3)", "beta(2, 3)"),
        ("binomial(size = 10, prob = 0.3)", "binomial(10, 0.3)"),
        ("binomial(n = 10, p = 0.3)", "binomial(10, 0.3)"),
        ("bernoulli(theta = 0.3)", "bernoulli(0.3)"),
        ("bernoulli(success = 0.3)", "bernoulli(0.3)"),
        ("poisson(mu = 3)", "poisson(3)"),
        ("von_mises(mu = 0.5, kappa = 2)", "von_mises(0.5, 2)"),
        ("uniform(min = 0, max = 2)", "uniform(0, 2)"),
        ("skew_normal(xi = 1, omega = 2, alpha = 3)", "skew_normal(1, 2, 3)"),
        ("generalized_pareto(loc = 1, scale = 2, c = 0.3)", "generalized_pareto(1, 2, 0.3)"),
        ("generalized_gamma(a = 1, c = 2, scale = 3)", "generalized_gamma(1, 2, 3)"),
        ("asymmetric_laplace(mu = 1, sigma = 2, tau = 0.3)", "asymmetric_laplace(1, 2, 0.3)"),
        ("kumaraswamy(a = 2, b = 3)", "kumaraswamy(2, 3)"),
        ("half_student_t(nu = 2, sigma = 3)", "half_student_t(2, 3)"),
        ("skellam(mu1 = 2, mu2 = 3)", "skellam(2, 3)"),
        ("zipf(a = 2, n = 3)", "zipf(2, 3)"),
        ("hypergeometric(M = 20, K = 7, k = 5)", "hypergeometric(20, 7, 5)"),
    ] {
        assert_eq!(read(theirs).unwrap().to_string(), ours, "{theirs}");
    }
}

#[test]
fn a_name_that_may_mean_two_parameters_or_another_one_is_refused() {
    for (text, message) in [
        (
            "hypergeometric(M = 20, n = 7, N = 5)",
            "column 24: \"n\" of hypergeometric may be marked or drawn: expected \
             hypergeometric(population, marked, drawn)",
        ),
        (
            "exponential(scale = 2)",
            "column 13: exponential has no parameter \"scale\" (rate = 1 / scale): expected exponential(rate)",
        ),
        (
            "normal(mu = 0, tau = 2)",
            "column 16: normal has no parameter \"tau\" (sd = 1 / sqrt(precision)): expected normal(mean, sd)",
        ),
        ("gamma(shape = 2, alpha = 2)", "column 18: shape is given twice"),
        (
            "half_normal(mu = 2)",
            "column 13: half_normal has no parameter \"mu\": expected half_normal(scale)",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
    }
}
