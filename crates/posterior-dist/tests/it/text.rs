//! Distributions as texts: every distribution back from what it prints, and what is said of texts that are no
//! distributions.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use posterior_dist::text::{AnyUnivariate, Call, Form, TextError, UNIVARIATE, Value};
use posterior_dist::{
    Beta, Categorical, Density, Dirichlet, DirichletMultinomial, Gamma, Moments, Multinomial, Normal,
    Univariate,
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::distr::Distribution;
use rand_pcg::Pcg64;

/// A distribution of each kind, as it prints.
const DISTRIBUTIONS: &[&str] = &[
    "asymmetric_laplace(0, 1, 0.3)",
    "bernoulli(0.3)",
    "beta(2, 3.5)",
    "beta_binomial(10, 2, 3)",
    "beta_prime(2, 3, 1)",
    "binomial(10, 0.3)",
    "categorical([0.2, 0.3, 0.5])",
    "cauchy(0, 1)",
    "chi_squared(3)",
    "discrete_uniform(1, 6)",
    "exponential(2)",
    "fisher_f(4, 6)",
    "frechet(5, 2)",
    "gamma(2, 3)",
    "generalized_extreme_value(0, 1, 0.1)",
    "generalized_gamma(2, 1.5, 1)",
    "generalized_pareto(0, 1, 0.1)",
    "geometric(0.25)",
    "gumbel(0, 1)",
    "half_cauchy(2)",
    "half_normal(2)",
    "half_student_t(5, 2)",
    "hypergeometric(20, 7, 5)",
    "inverse_gamma(5, 2)",
    "inverse_gaussian(1, 2)",
    "kumaraswamy(2, 5)",
    "laplace(0, 1)",
    "log_logistic(5, 2)",
    "logistic(0, 1)",
    "logit_normal(0, 1.5)",
    "lognormal(0, 0.5)",
    "lomax(5, 2)",
    "mixture([0.3, 0.7], [normal(0, 1), normal(3, 1)])",
    "negative_binomial(2.5, 0.4)",
    "normal(-1.5, 2)",
    "pareto(1, 5)",
    "poisson(3.5)",
    "poisson_binomial([0.2, 0.7])",
    "rayleigh(2)",
    "skellam(3, 2)",
    "skew_normal(0, 1, 2)",
    "student_t(5, 0, 1)",
    "triangular(0, 1, 3)",
    "truncated(mixture([0.5, 0.5], [normal(0, 1), cauchy(3, 1)]), -1, 2)",
    "truncated(normal(0, 1), 0, inf)",
    "uniform(-1, 3)",
    "von_mises(0.5, 2)",
    "weibull(1.5, 2)",
    "zeta(2.5)",
    "zipf(1.1, 100)",
];

fn read(text: &str) -> AnyUnivariate {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_distribution_on_the_line_is_in_the_list_above_and_prints_what_it_reads() {
    for entry in UNIVARIATE {
        assert!(
            DISTRIBUTIONS.iter().any(|text| text.starts_with(&format!("{}(", entry.name))),
            "{}",
            entry.name
        );
    }
    for text in DISTRIBUTIONS {
        let distribution = read(text);
        assert_eq!(distribution.to_string(), *text);
        let named = distribution.call();
        assert_eq!(AnyUnivariate::try_from(&named).unwrap(), distribution, "{named}");
        assert_eq!(read(&named.to_string()), distribution, "{named}");
        let numbers = distribution.parameters().iter().all(|own| matches!(own.form, Form::Number(_)));
        let entry = UNIVARIATE.iter().find(|entry| entry.name == named.name).unwrap();
        assert_eq!(entry.numbers_only, numbers, "{named}");
    }
}

#[test]
fn a_distribution_behind_a_pointer_answers_as_the_distribution() {
    let (any, distribution) = (read("gamma(2, 3)"), Gamma::shape_rate(2.0, 3.0).unwrap());
    assert_eq!(Density::ln_pdf(&any, &0.7), distribution.ln_pdf(&0.7));
    assert_eq!(any.sf(30.0), distribution.sf(30.0));
    assert_eq!(any.quantile(0.1), distribution.quantile(0.1));
    assert_eq!(any.mean(), Some(2.0 / 3.0));
    assert_eq!(any.mode(), Some(1.0 / 3.0));
    assert_eq!(any.ends(), (0.0, f64::INFINITY));
    let mut one = Pcg64::seed_from_u64(1);
    let mut two = one.clone();
    let (first, second): (f64, f64) = (any.sample(&mut one), distribution.sample(&mut two));
    assert_eq!(first, second);
}

#[test]
fn counted_points_are_whole_numbers() {
    let distribution = read("poisson(3.5)");
    assert!(distribution.is_discrete());
    assert!((distribution.ln_pdf(&2.0) + 1.6876212435692093).abs() < 1e-14);
    for x in [2.5, -1.0, f64::INFINITY, 1e300] {
        assert_eq!(distribution.ln_pdf(&x), f64::NEG_INFINITY, "{x}");
    }
    assert!(distribution.ln_pdf(&f64::NAN).is_nan());
    assert_eq!(read("bernoulli(0.25)").ln_pdf(&1.0), 0.25_f64.ln());
    assert_eq!(read("categorical([0.5, 0.5])").skewness(), None);
}

/// All of a distribution's functions at points of every size: none panics, and distribution functions are
/// probabilities.
#[test]
fn every_distribution_is_total() {
    let points =
        [f64::NEG_INFINITY, -1e300, -1.5, 0.0, 5e-324, 0.5, 1.0, 2.0, 1e16, 1e300, f64::INFINITY, f64::NAN];
    let mut rng = Pcg64::seed_from_u64(7);
    for text in DISTRIBUTIONS {
        let distribution = read(text);
        let distribution = &*distribution;
        for x in points {
            for value in [
                distribution.cdf(x),
                distribution.sf(x),
                distribution.quantile(x),
                distribution.upper_quantile(x),
                distribution.ln_pdf(x),
            ] {
                assert!(value.is_nan() || value >= f64::NEG_INFINITY, "{text} at {x}");
            }
            assert_eq!(distribution.cdf(x).is_nan(), x.is_nan(), "{text} at {x}");
            assert!(x.is_nan() || (0.0..=1.0).contains(&distribution.cdf(x)), "{text} at {x}");
        }
        let draw = distribution.sample(&mut rng);
        assert!(distribution.ln_pdf(draw) > f64::NEG_INFINITY, "{text} drew {draw}");
        let no_closed_form = ["normal(0, 1)", "skew_normal", "logit_normal"];
        let without = no_closed_form.iter().any(|part| text.contains(part));
        assert!(without || distribution.entropy().is_some(), "{text}");
    }
}

fn same<L: std::fmt::Debug + std::fmt::Display + PartialEq + std::str::FromStr<Err = TextError>>(
    distribution: &L,
) {
    let text = distribution.to_string();
    assert_eq!(text.parse::<L>().as_ref(), Ok(distribution), "{text}");
}

#[test]
fn distributions_of_vectors_print_what_they_read() {
    assert_eq!(Dirichlet::new(&[1.0, 2.0, 3.0]).unwrap().to_string(), "dirichlet([1, 2, 3])");
    same(&Dirichlet::new(&[1e-300, 0.1, 1e9]).unwrap());
    same(&DirichletMultinomial::new(7, Dirichlet::new(&[0.1, 2.0]).unwrap()));
    for weights in [&[0.1, 0.2, 0.7][..], &[1.0, 2.0, 4.0], &[1e-5, 3.0, 0.3, 11.0]] {
        let categories = Categorical::from_weights(weights).unwrap();
        same(&categories);
        let text = Multinomial::new(9, categories).to_string();
        assert_eq!(text.parse::<Multinomial>().unwrap().to_string(), text);
    }
}

proptest! {
    /// Display, then parse, is the identity for all parameters that a distribution takes.
    #[test]
    fn printing_and_reading_is_the_identity(bits in any::<[u64; 2]>()) {
        let [a, b] = bits.map(f64::from_bits);
        if let Ok(distribution) = Normal::mean_sd(a, b) {
            same(&distribution);
        }
        if let Ok(distribution) = Gamma::shape_rate(a.abs(), b.abs()) {
            same(&distribution);
        }
        if let Ok(distribution) = Beta::new(a.abs(), b.abs()) {
            same(&distribution);
        }
    }

    /// No text makes the parser panic, and an error names a column of it.
    #[test]
    fn any_text_is_a_distribution_or_an_error(text in "[a-z(){}\\[\\],=. 0-9e+-]{0,40}|\\PC{0,12}") {
        if let Err(error) = text.parse::<AnyUnivariate>() {
            prop_assert!(error.column() >= 1 && error.column() <= text.chars().count() + 1, "{error}");
        }
        let _ = text.parse::<Value>();
    }
}

#[track_caller]
fn refused(text: &str, message: &str) {
    assert_eq!(text.parse::<AnyUnivariate>().unwrap_err().to_string(), message);
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    refused("", "column 1: expected the name of a distribution, found the end");
    refused("gamma(2, )x", "column 11: expected the end, found 'x'");
    refused("gamma(2 3)", "column 9: expected ',' or ')', found '3'");
    refused("gamma(2, 3", "column 11: expected ',' or ')', found the end");
    refused("gamma(2, !)", "column 10: expected a number, a list or a distribution, found '!'");
    refused("gamma(2, [3])", "column 10: expected a number, found a list");
    refused("gamma(2, three)", "column 10: expected a number, found a distribution");
    refused("gamma(2, 3x)", "column 10: expected a number, found \"3x\"");
    refused("gamma(2, 1.2.3)", "column 10: expected a number, found \"1.2.3\"");
    refused("gamma(2)", "column 1: gamma lacks rate: expected gamma(shape, rate)");
    refused("gamma(1, 2, 3)", "column 13: gamma has 3 arguments: expected gamma(shape, rate)");
    refused(
        "gamma(2, raet = 3)",
        "column 10: gamma has no parameter \"raet\": expected gamma(shape, rate); did you mean \"rate\"?",
    );
    refused("gamma(2, shape = 3)", "column 10: shape is given twice");
    refused("gamma(shape = 3, 2)", "column 18: an argument without a name follows one with a name");
    refused("gama(2, 3)", "column 1: there is no distribution \"gama\"; did you mean \"gamma\"?");
    refused("quux(2)", "column 1: there is no distribution \"quux\"");
    refused("gamma(2, -3)", "column 10: Gamma: rate = -3 must be positive and finite");
    refused("gamma(rate = 2, shape = -3)", "column 25: Gamma: shape = -3 must be positive and finite");
    refused(
        "truncated(poisson(2), 0, 3)",
        "column 11: expected a distribution with a density, found poisson",
    );
    refused("truncated(normal(0, -1), 0, 3)", "column 21: Normal: sd = -1 must be positive and finite");
    refused("categorical([0.5, true])", "column 19: expected a number, found a distribution");
    let deep = "[".repeat(100_000);
    refused(&format!("gamma({deep}"), "column 23: distributions and lists are nested more than 16 deep");
    let error = "gamma(2, 0)".parse::<AnyUnivariate>().unwrap_err();
    assert_eq!(error.param_error().map(posterior_math::ParamError::value), Some(0.0));
    let error = "dirichlet([1, 2, 0])".parse::<Dirichlet>().unwrap_err();
    assert_eq!(error.to_string(), "column 18: Dirichlet: concentration[2] = 0 must be positive and finite");
    let error = "beta(1, 2)".parse::<Gamma>().unwrap_err();
    assert_eq!(error.to_string(), "column 1: expected gamma, found \"beta\"");
}

#[test]
fn spaces_names_and_signs_are_free() {
    let distribution = read("gamma(2, 3)");
    for text in [" gamma ( 2 ,3 ) ", "gamma(rate=3,shape=2)", "gamma(2, rate = 3,)", "gamma(+2e0, 0.03e+2)"] {
        assert_eq!(read(text), distribution, "{text}");
    }
    assert_eq!("[inf, -infinity, nan]".parse::<Value>().unwrap().to_string(), "[inf, -inf, NaN]");
    let nested = "mixture([0.3, 0.7], [normal(0, 1), truncated(normal(3, 1), low = 0)])";
    assert_eq!(nested.parse::<Call>().unwrap().to_string(), nested);
}

#[test]
fn the_tables_are_read_by_name() {
    assert!(UNIVARIATE.is_sorted_by_key(|entry| entry.name), "the table is by name");
    assert_eq!(
        UNIVARIATE.iter().find(|distribution| distribution.name == "gamma").unwrap().signature(),
        "gamma(shape, rate)"
    );
}
