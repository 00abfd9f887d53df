//! Real posteriors: approximated, weighted, and reached by particles that start from the approximation.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_math::iteration::Silent;
use posterior_sampling::estimate::Estimate;
use posterior_sampling::hamiltonian::{FixedPath, Metric, PathLength};
use posterior_sampling::tempering::{Ratio, SequentialMonteCarlo, TemperingStage};
use posterior_sampling::variational::{Advi, GaussianApproximation, GaussianFamily};
use posterior_testkit::posteriors::{NAMES, Posterior};

/// From far too narrow, around a draw of the reference; converged.
fn approximate(posterior: &Posterior, family: GaussianFamily) -> GaussianApproximation {
    let advi = Advi { family, initial_sd: 0.1, ..Advi::default() };
    let start = posterior.model.unconstrain(&posterior.reference.draws[0]);
    let fitted = advi.fit(&*posterior.model, &start, &mut stream(1, &[]), &mut Silent).unwrap();
    fitted.report.require_converged().unwrap();
    fitted.model
}

/// The largest error of a mean in standard errors, those of the reference included.
fn worst_mean(posterior: &Posterior, expectation: impl Fn(&dyn Fn(&[f64]) -> f64) -> Estimate) -> f64 {
    let reference = &posterior.reference;
    let z = (0..reference.names.len()).map(|k| {
        let parameter = |free: &[f64]| {
            let mut parameters = vec![0.0; reference.names.len()];
            posterior.model.constrain(free, &mut parameters);
            parameters[k]
        };
        let found = expectation(&parameter);
        (found.value - reference.means[k]).abs() / found.standard_error.hypot(reference.mean_errors[k])
    });
    z.fold(0.0, f64::max)
}

#[test]
fn weighted_approximations_have_the_means_of_the_posteriors() {
    for name in NAMES {
        let Some(posterior) = Posterior::load("variational inference", name) else { return };
        let q = approximate(&posterior, GaussianFamily::FullRank);
        let assessed = q.assess(&*posterior.model, 4000, &mut stream(2, &[])).unwrap();
        assert!(assessed.smoothed.is_reliable(), "{name}: {}", assessed.smoothed.shape);
        assert!(assessed.elbo.value < assessed.ln_evidence.ln_value, "{name}");
        let worst = worst_mean(&posterior, |f| assessed.draws.expectation(f).unwrap());
        assert!(worst < 5.0, "{name}: {worst}");
    }
}

/// An approximation whose weights are no good is a good place to start from: Hamiltonian moves along the path
/// from it to the posterior find the means, and the evidence that the weights of a better approximation say.
#[test]
fn particles_go_from_a_bad_approximation_to_the_posterior() {
    let Some(posterior) = Posterior::load("sequential Monte Carlo", "mesquite-logmesquite") else { return };
    let narrow = approximate(&posterior, GaussianFamily::MeanField);
    let assessed = narrow.assess(&*posterior.model, 4000, &mut stream(2, &[])).unwrap();
    assert!(!assessed.smoothed.is_reliable(), "{}", assessed.smoothed.shape);
    let likelihood = Ratio::new(&*posterior.model, &narrow).unwrap();
    let kernel = |stage: &TemperingStage| {
        let metric = Metric::dense(&stage.covariance).unwrap();
        Ok(FixedPath::new(0.6 * stage.scale, metric, PathLength::default())?)
    };
    let options = SequentialMonteCarlo {
        particles: 300,
        moves: 2,
        target_accept: 0.8,
        ..SequentialMonteCarlo::default()
    };
    let found = SequentialMonteCarlo { seed: 1, ..options }.run(&narrow, &likelihood, kernel).unwrap();
    let worst = worst_mean(&posterior, |f| found.expectation(f).unwrap());
    assert!(worst < 7.0, "{worst}"); // Errors from eight populations have Student's t distribution with seven degrees of freedom.
    let wide = approximate(&posterior, GaussianFamily::FullRank)
        .assess(&*posterior.model, 4000, &mut stream(3, &[]))
        .unwrap();
    let (one, other) = (found.ln_evidence(), wide.ln_evidence);
    let error = one.standard_error.hypot(other.standard_error);
    assert!(error < 0.1 && (one.ln_value - other.ln_value).abs() < 5.0 * error, "{one:?} {other:?}");
}
