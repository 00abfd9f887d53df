//! Priors of a mean with a variance or a precision: their tables, and what data do to them.

use posterior_dist::{Conjugate, Density, Normal, NormalGamma, NormalInverseGamma, Parametric, Stats};
use posterior_math::streaming::MeanVariance;
use posterior_testkit::accuracy::{Worst, assert_all_close, assert_close};
use posterior_testkit::reference::{distribution_cases, list, number, numbers};

#[test]
fn normal_gamma_and_normal_inverse_gamma_by_their_tables() {
    let mut worst = Worst::of("normal_gamma, ln_pdf");
    for case in distribution_cases("normal_gamma") {
        let distribution = NormalGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        for point in list(&case["points"]) {
            let x = (number(&point["x"]), number(&point["tau"]));
            let terms = distribution.kappa() * x.1 * (x.0 - distribution.location()).powi(2)
                + distribution.rate() * x.1
                + 1.0;
            worst.see_conditioned(distribution.ln_pdf(&x), number(&point["logpdf"]), terms, &x);
        }
    }
    worst.assert_at_most(1e-15);
    let mut worst = Worst::of("normal_inverse_gamma, ln_pdf");
    for case in distribution_cases("normal_inverse_gamma") {
        let distribution = NormalInverseGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        for point in list(&case["points"]) {
            let x = (number(&point["x"]), number(&point["sigma_sq"]));
            let terms = distribution.kappa() / x.1 * (x.0 - distribution.location()).powi(2)
                + distribution.scale() / x.1
                + 1.0;
            worst.see_conditioned(distribution.ln_pdf(&x), number(&point["logpdf"]), terms, &x);
        }
    }
    worst.assert_at_most(1e-15);
}

#[test]
fn updates_of_mean_and_variance_by_their_table() {
    let mut worst = Worst::of("normal_inverse_gamma, updates");
    for case in distribution_cases("normal_inverse_gamma") {
        let prior = NormalInverseGamma::from_parameters(&numbers(&case["params"])).expect("valid");
        let update = &case["conjugate_update"];
        let data: MeanVariance = numbers(&update["data"]).into_iter().collect();
        let posterior = prior.updated(&data).expect("finite");
        for (index, (a, e)) in posterior.parameters().iter().zip(numbers(&update["posterior"])).enumerate() {
            worst.see_conditioned(*a, e, if index == 0 { 1.0 } else { 0.0 }, &("posterior", index));
        }
        worst.see_conditioned(prior.ln_evidence(&data), number(&update["log_evidence"]), 1.0, &"evidence");
        let expected = &update["predictive_student_t"];
        for (a, name) in posterior.predictive_parameters().into_iter().zip(["nu", "loc", "scale"]) {
            worst.see_conditioned(a, number(&expected[name]), 1.0, &name);
        }
    }
    worst.assert_at_most(1e-15);

    // The example of the textbook.
    let data: MeanVariance = [1.2, 0.7, 2.1, 1.6].into_iter().collect();
    let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).expect("valid");
    let posterior = prior.updated(&data).expect("finite");
    assert_all_close(&posterior.parameters(), &[1.12, 5.0, 4.0, 2.314], 1e-15);
    assert_close(prior.ln_evidence(&data), -6.044624134893626, 1e-15);
    let [nu, location, scale] = posterior.predictive_parameters();
    assert_all_close(&[nu, location, scale * scale], &[8.0, 1.12, 0.6942], 1e-15);
}

#[test]
fn the_evidence_of_mean_and_variance_is_its_integral() {
    // Brute force: the prior times the likelihood on a grid of (μ, ln σ²), where the trapezoidal rule
    // converges geometrically.
    let points = [1.2, 0.7, 2.1, 1.6];
    let prior = NormalInverseGamma::new(0.0, 1.0, 2.0, 1.0).expect("valid");
    let ln_joint = |mean: f64, ln_variance: f64| {
        let variance = f64::exp(ln_variance);
        let squares: f64 = points.iter().map(|x| (x - mean).powi(2)).sum();
        let ln_likelihood = -2.0 * (2.0 * std::f64::consts::PI * variance).ln() - 0.5 * squares / variance;
        prior.ln_pdf(&(mean, variance)) + ln_likelihood + ln_variance
    };
    let (height, width) = (0.1, 0.05);
    let mut sum = 0.0;
    for i in -80..=160 {
        let ln_variance = height * f64::from(i);
        for j in -2000..=2000 {
            // Wider where the variance is: the grid of the mean in units of its deviation.
            let mean = 1.12 + width * f64::from(j) * (0.5 * ln_variance).exp();
            sum += (ln_joint(mean, ln_variance) + 0.5 * ln_variance).exp();
        }
    }
    let data = Stats::<Normal>::of((), &points).expect("finite");
    let evidence = Normal::ln_evidence(&prior, &data).expect("finite");
    assert_close((sum * height * width).ln(), evidence, 1e-10);
    assert_close(evidence, -6.044624134893626, 1e-15);
    // The density of the next point is the ratio of two evidences.
    let posterior = Normal::posterior(&prior, &data).expect("finite");
    let more = Stats::<Normal>::of((), &[1.2, 0.7, 2.1, 1.6, 3.0]).expect("finite");
    let next = Normal::ln_evidence(&prior, &more).expect("finite") - evidence;
    assert_close(Normal::predictive(&posterior, &()).expect("finite").ln_pdf(&3.0), next, 1e-14);
    // One point, whose squares about itself are zero, and none.
    let one = Stats::<Normal>::of((), &[3.0]).expect("finite");
    let predictive = Normal::predictive(&prior, &()).expect("finite").ln_pdf(&3.0);
    assert_close(Normal::ln_evidence(&prior, &one).expect("finite"), predictive, 1e-14);
    assert_eq!(Normal::posterior(&prior, &Stats::new(())).expect("finite"), prior);
}
