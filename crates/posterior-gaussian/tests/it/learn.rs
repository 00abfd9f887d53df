//! Priors that are updated by name.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::panic_in_result_fn,
    reason = "a test fails by panicking"
)]

use posterior_dist::text::{Call, Value};
use posterior_dist::{Moments, Normal};
use posterior_gaussian::Gaussian;
use posterior_gaussian::text::{CONJUGATE_PAIRS, LearnError, learn};

fn learned(prior: &str, likelihood: Option<&str>, points: &str) -> Result<(String, String, f64), LearnError> {
    let likelihood: Option<Call> = likelihood.map(|text| text.parse().unwrap());
    let points: Value = format!("[{points}]").parse().unwrap();
    let posterior_dist::text::Form::List(points) = points.form else { panic!("a list") };
    let learned = learn(&prior.parse().unwrap(), likelihood.as_ref(), &points)?;
    let text = |call: Call| call.by_place().to_string();
    Ok((text(learned.posterior), text(learned.predictive), learned.ln_evidence))
}

#[test]
fn priors_are_updated_by_name() {
    let coin = learned("beta(1, 1)", None, "1,1,1,1,1,1,0,0,0,0").unwrap();
    assert_eq!(coin.0, "beta(7, 5)");
    assert!((coin.2 + 7.745002803515839).abs() < 1e-13);
    let rate = learned("gamma(2, 1)", None, "3, 4, 2").unwrap();
    assert_eq!(rate.0, "gamma(11, 4)");
    assert!((rate.2 + 5.807785879379227).abs() < 1e-13);
    let mean = learned("normal(0, 2)", Some("normal(sd = 1)"), "3").unwrap();
    let mean: Normal = mean.0.parse().unwrap();
    assert!(
        (mean.mean().unwrap() - 2.4).abs() < 1e-15 && (mean.variance().unwrap() - 0.8).abs() < 1e-15,
        "{mean}"
    );
    let words = learned("dirichlet([1, 2, 3])", None, "0, 2, 0").unwrap();
    assert_eq!((words.0.as_str(), words.1.starts_with("categorical([")), ("dirichlet([3, 2, 4])", true));
    let place =
        learned("multivariate_normal([0], [[4]])", Some("multivariate_normal([[1]])"), "[3]").unwrap();
    let place: Gaussian = place.0.parse().unwrap();
    assert!((place.mean()[0] - 2.4).abs() < 1e-15);
    let both = learned("normal_inverse_gamma(0, 1, 2, 1)", None, "1.2, 0.7, 2.1, 1.6").unwrap();
    assert!((both.2 + 6.044624134893626).abs() < 1e-13 && both.1.starts_with("student_t(8, "), "{both:?}");
    let spread = learned("inverse_gamma(2, 1)", Some("normal(mean = 1)"), "1.2, 0.7, 2.1, 1.6").unwrap();
    assert!(spread.0.starts_with("inverse_gamma(4, 1.85"), "{spread:?}");
    for (likelihood, posterior) in [
        ("binomial(trials = 4)", "beta(4, 6)"),
        ("geometric", "beta(3, 4)"),
        ("negative_binomial(2)", "beta(5, 4)"),
    ] {
        assert_eq!(learned("beta(1, 1)", Some(likelihood), "1, 2").unwrap().0, posterior, "{likelihood}");
    }
}

#[test]
fn what_cannot_be_learned_is_reported() {
    let output = |prior, likelihood, points| learned(prior, likelihood, points).unwrap_err().to_string();
    assert_eq!(output("cauchy(0, 1)", None, "1"), "prior: column 1: cauchy is no conjugate prior");
    assert_eq!(
        output("normal(0, 1)", None, "1"),
        "prior: column 1: normal needs its likelihood, one of: normal(sd)"
    );
    assert_eq!(output("beta(1, 1)", None, "0, 2"), "data: column 5: 2 is no point of bernoulli");
    assert_eq!(
        output("gamma(1, 1)", Some("poison"), "1"),
        "likelihood: column 1: gamma is no prior of \"poison\", but of: poisson, exponential, gamma(shape), normal(mean); did you mean \"poisson\"?"
    );
    assert!(output("gamma(1, 1)", Some("exponential"), "1, -1").starts_with("data: column 5: "));
    assert!(output("gamma(1, -1)", None, "1").starts_with("prior: column 10: "));
    assert_eq!(CONJUGATE_PAIRS.iter().filter(|pair| pair.prior == "beta").count(), 4);
}
