//! Data and kernels that break careless code: separable classes, one class only, conflicts, duplicates,
//! amplitudes up to 10¹².

use posterior_gp::Kernel;
use posterior_gp::classification::{
    ObservationModel, PropagationOptions, SoftmaxObservations, expectation_propagation, softmax,
};
use posterior_gp::likelihood::{Likelihood, LogConcave, LogisticLikelihood, PoissonLikelihood, Probit};
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;

use super::{close, converged, line, propagated, rbf};

fn labels(pattern: &str) -> Vec<f64> {
    pattern.chars().map(|c| if c == '+' { 1.0 } else { -1.0 }).collect()
}

/// Both approximations, at all amplitudes, with finite answers; the mean probabilities at the observed
/// places.
fn both<L: LogConcave<Output = f64>>(places: &[f64], pattern: &str, likelihood: &L) {
    for variance in [1e-12, 1e-3, 1.0, 1e3, 1e6, 1e9, 1e12] {
        let kernel = rbf(variance, 1.0);
        let observations = ObservationModel::new(line(places), &labels(pattern), likelihood.clone()).unwrap();
        let laplace = converged(&observations, &kernel);
        let ep = propagated(&observations, &kernel);
        for (name, ln_evidence, latent, gradient) in [
            ("laplace", laplace.ln_evidence(), laplace.latent(&line(places)).unwrap(), laplace.gradient()),
            ("ep", ep.ln_evidence(), ep.latent(&line(places)).unwrap(), ep.gradient()),
        ] {
            let context = format!("{name}, {likelihood:?}, {pattern}, variance {variance:e}");
            assert!(ln_evidence.is_finite() && ln_evidence < 0.0, "{context}: {ln_evidence}");
            assert!(gradient.kernel.iter().all(|slope| slope.is_finite()), "{context}: {gradient:?}");
            assert!(
                latent.variance.iter().all(|v| (0.0..=variance * (1.0 + 1e-12)).contains(v)),
                "{context}"
            );
            let p = latent.mean_response(likelihood);
            assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "{context}: {p}");
        }
    }
}

#[test]
fn separable_classes() {
    both(&[-3.0, -2.0, 2.0, 3.0], "--++", &LogisticLikelihood);
    both(&[-3.0, -2.0, 2.0, 3.0], "--++", &Probit);
}

#[test]
fn one_class_only() {
    both(&[-1.0, 0.0, 0.5, 3.0], "++++", &LogisticLikelihood);
    both(&[-1.0, 0.0, 0.5, 3.0], "----", &Probit);
}

#[test]
fn one_observation() {
    both(&[0.3], "+", &LogisticLikelihood);
    both(&[0.3], "-", &Probit);
}

#[test]
fn duplicates_that_agree_and_that_do_not() {
    both(&[0.0, 0.0, 0.0, 1.0], "+++-", &LogisticLikelihood);
    both(&[0.0, 0.0, 0.0, 1.0], "+-+-", &LogisticLikelihood);
    both(&[0.0, 0.0, 0.0, 1.0], "+-+-", &Probit);
}

/// With as many labels of each kind at one place, a prior without any opinion leaves nothing but the data.
#[test]
fn a_conflict_under_a_wide_prior_is_a_half() {
    let observations = ObservationModel::new(line(&[0.0; 4]), &labels("+-+-"), LogisticLikelihood).unwrap();
    let posterior = converged(&observations, &rbf(1e12, 1.0));
    let latent = posterior.latent(&line(&[0.0])).unwrap();
    close(latent.mean[0], 0.0, 1e-3);
    // W = 4 / 4: a variance of 1, of which the difference of two numbers of 10¹² keeps three digits.
    close(latent.variance[0], 1.0, 1e-2);
}

/// A place seen a hundred times is no harder than a place seen once.
#[test]
fn a_hundred_copies_are_one_binomial() {
    let copies =
        ObservationModel::new(line(&[0.2; 100]), &labels(&"++++-".repeat(20)), LogisticLikelihood).unwrap();
    let trials = posterior_gp::likelihood::Trials::new(80, 100).unwrap();
    let binomial = posterior_gp::likelihood::BinomialLikelihood;
    let one = ObservationModel::new(line(&[0.2]), &[trials], binomial).unwrap();
    let kernel = rbf(2.0, 1.0);
    let (copies, one) = (converged(&copies, &kernel), converged(&one, &kernel));
    close(copies.mode()[0], one.mode()[0], 1e-12);
    let ways = posterior_math::special::ln_binomial(100, 80);
    close(copies.ln_evidence() + ways, one.ln_evidence(), 1e-12);
}

#[test]
fn counts_from_zero_to_a_million() {
    let counts = [0, 0, 1_000_000, 3].map(Into::into);
    let observations =
        ObservationModel::new(line(&[-1.0, 0.0, 0.1, 5.0]), &counts, PoissonLikelihood).unwrap();
    for variance in [1e-3, 1.0, 1e3, 1e6] {
        let posterior = converged(&observations, &rbf(variance, 0.5));
        assert!(posterior.ln_evidence().is_finite());
        let mode = posterior.mode();
        assert!(mode.iter().all(|f| f.is_finite()));
        let [slope, ..] = PoissonLikelihood.derivatives(counts[2], mode[2]);
        assert!((slope - posterior.weights()[2]).abs() <= 1e-6 * slope.abs().max(1.0));
    }
}

/// By moments: what the command line takes by default.
#[test]
fn counts_from_zero_to_a_million_by_propagation() {
    for count in [1000, 1_000_000] {
        let counts = [0, 0, count, 3].map(Into::into);
        let observations =
            ObservationModel::new(line(&[-1.0, 0.0, 0.1, 5.0]), &counts, PoissonLikelihood).unwrap();
        for variance in [1e-3, 1.0, 1e3] {
            let options = PropagationOptions { tolerance: 1e-7, ..PropagationOptions::default() };
            let fitted =
                expectation_propagation(&observations, &rbf(variance, 0.5), &options, &mut Silent).unwrap();
            assert!(fitted.report.converged(), "{count} {variance}: {:?}", fitted.report);
            let posterior = fitted.model;
            assert!(posterior.ln_evidence().is_finite() && posterior.skipped() == 0);
            assert!(posterior.gradient().kernel.iter().all(|slope| slope.is_finite()));
            let rates = posterior.latent(observations.inputs()).unwrap().mean_response(&PoissonLikelihood);
            assert!(rates.iter().all(|rate| rate.is_finite()), "{rates}");
            if variance >= 1e3 {
                close(rates[2], count as f64, 2e-2);
            }
        }
    }
}

#[test]
fn length_scales_without_end() {
    for length in [1e-12, 1e12] {
        let kernel = rbf(2.0, length);
        let observations =
            ObservationModel::new(line(&[-1.0, 0.0, 0.5]), &labels("+-+"), LogisticLikelihood).unwrap();
        let (laplace, ep) = (converged(&observations, &kernel), propagated(&observations, &kernel));
        assert!(laplace.ln_evidence().is_finite() && ep.ln_evidence().is_finite());
        if length < 1.0 {
            // Places that know nothing of each other.
            close(ep.ln_evidence(), 3.0 * 0.5_f64.ln(), 1e-11);
        }
    }
}

#[test]
fn softmax_of_huge_amplitudes_and_absent_classes() {
    let observations = SoftmaxObservations::new(line(&[-2.0, -1.0, -1.0, 1.0]), &[0, 0, 1, 2], 4).unwrap();
    for variance in [1e-6, 1.0, 1e6, 1e10] {
        let kernel = variance * Kernel::rbf(1.0).unwrap();
        let fitted = softmax(
            &observations,
            &[kernel],
            &posterior_gp::classification::ModeOptions::default(),
            &mut Silent,
        )
        .unwrap();
        assert!(fitted.report.converged(), "{variance:e}: {:?}", fitted.report);
        assert!(fitted.model.ln_evidence().is_finite());
        let latent = fitted.model.latent(&line(&[-1.5, 30.0])).unwrap();
        let p = latent.plug_in_response();
        for row in p.row_iter() {
            close(row.sum(), 1.0, 1e-12);
        }
        close(p[(1, 0)], 0.25, 1e-12);
    }
    let none = SoftmaxObservations::new(DMatrix::zeros(0, 1), &[], 3).unwrap();
    let fitted = softmax(
        &none,
        &[Kernel::rbf(1.0).unwrap()],
        &posterior_gp::classification::ModeOptions::default(),
        &mut Silent,
    )
    .unwrap();
    assert_eq!(fitted.model.ln_evidence(), 0.0);
}
