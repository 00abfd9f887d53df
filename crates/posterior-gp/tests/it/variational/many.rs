//! Mini-batches, and sizes that dense matrices do not reach.

use posterior_gp::likelihood::Likelihood;
use posterior_gp::sparse::inducing_by_variance;

use super::*;

/// Labels in a plane, by a known function.
fn plane(n: usize) -> (ObservationModel<LogisticLikelihood>, GaussianProcess, DMatrix<f64>) {
    let mut rng = stream(31, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 2, |_, _| 4.0 * rng.random::<f64>());
    let labels: Vec<f64> = (0..n)
        .map(|i| {
            let f = 2.0 * (2.0 * inputs[(i, 0)]).sin() + inputs[(i, 1)] - 2.0;
            if rng.random::<f64>() < LogisticLikelihood.response(f) { 1.0 } else { -1.0 }
        })
        .collect();
    let prior = GaussianProcess::new(4.0 * Kernel::rbf(1.0).unwrap());
    let some = inputs.rows(0, n.min(1000)).into_owned();
    let places = inducing_by_variance(prior.kernel(), &some, 25);
    (ObservationModel::new(inputs, &labels, LogisticLikelihood).unwrap(), prior, places)
}

#[test]
fn mini_batches_end_near_the_optimum() {
    let (observations, prior, places) = plane(3000);
    let whole = inducing(&observations, &prior, &places);
    let there = DMatrix::from_fn(20, 2, |i, j| 0.2 * i as f64 * (1.0 - 0.7 * j as f64));
    let expected = whole.latent(&there).unwrap();
    let run = |max_iterations: usize| {
        let batches = Some(MiniBatches { size: 100, ..MiniBatches::default() });
        let options = NaturalGradientOptions { max_iterations, batches, ..NaturalGradientOptions::default() };
        variational_inducing(&observations, &prior, &places, &options, &mut Silent).unwrap()
    };
    let fitted = run(1000);
    assert_eq!((fitted.report.stop, fitted.report.trace.len()), (Stop::MaxIterations, 1001));
    let gap = whole.ln_bound() - fitted.model.ln_bound();
    let shorter = whole.ln_bound() - run(50).model.ln_bound();
    println!("{gap} {shorter}");
    // Per observation a hundredth of a thousandth; and nearer with more steps.
    assert!((-1e-6..1.0).contains(&gap) && gap < 0.5 * shorter, "{gap} {shorter}");
    let latent = fitted.model.latent(&there).unwrap();
    let sds = expected.variance.map(f64::sqrt);
    assert!((&latent.mean - &expected.mean).component_div(&sds).amax() < 0.6);
    assert!(
        (latent.variance.map(f64::sqrt).component_div(&sds)).iter().all(|ratio| (0.8..1.25).contains(ratio))
    );
}

/// A sum of sines seen through labels, n of them on a line.
fn on_a_line(n: usize) -> VariationalMarkov<LogisticLikelihood> {
    let truth = |x: f64| 1.5 * x.sin() + (3.1 * x).cos();
    let mut rng = stream(37, &[n as u64]);
    let inputs = DMatrix::from_fn(n, 1, |_, _| 20.0 * rng.random::<f64>());
    let labels: Vec<f64> = inputs
        .iter()
        .map(|x| if rng.random::<f64>() < LogisticLikelihood.response(truth(*x)) { 1.0 } else { -1.0 })
        .collect();
    let prior = GaussianProcess::new(2.0 * Kernel::matern52(1.0).unwrap());
    let observations = ObservationModel::new(inputs, &labels, LogisticLikelihood).unwrap();
    let fitted = variational_markov(
        &observations,
        &prior,
        &MarkovOptions::default(),
        &NaturalGradientOptions::default(),
        &mut Silent,
    )
    .unwrap();
    assert!(fitted.report.converged(), "{:?}", fitted.report);
    println!("{} steps", fitted.report.trace.len() - 1);
    // The function itself, within its deviations.
    let there = DMatrix::from_fn(200, 1, |i, _| 0.05 + 0.1 * i as f64);
    let latent = fitted.model.latent(&there).unwrap();
    let far = (0..200)
        .filter(|&i| (latent.mean[i] - truth(there[i])).abs() > 3.5 * latent.variance[i].sqrt())
        .count();
    assert!(far <= 4, "{far} of 200 are outside of 3.5 deviations");
    fitted.model
}

#[test]
fn four_thousand_labels_on_a_line() {
    on_a_line(4000);
}

#[test]
#[ignore = "slow"]
fn a_hundred_thousand_labels_on_a_line() {
    on_a_line(100_000);
}
