//! Both approximations against draws of the exact posterior, by elliptical slice sampling.

use posterior_dist::target::FromFn;
use posterior_gp::GaussianProcess;
use posterior_gp::classification::Observations;
use posterior_gp::likelihood::{LogConcave, Logistic, Poisson};
use posterior_sampling::metropolis::Shape;
use posterior_sampling::slice::Elliptical;
use posterior_sampling::{Fixed, Run, Start};

use super::{converged, line, propagated, rbf};

/// The posterior mean and standard deviation of the function at each observed place, by draws.
fn drawn<L: LogConcave + 'static>(
    observations: &Observations<L>,
    prior: &GaussianProcess,
) -> Vec<(f64, f64)> {
    let outputs = observations.outputs().to_vec();
    let likelihood = observations.likelihood().clone();
    let n = outputs.len();
    let target = FromFn::new(n, move |f: &[f64]| {
        outputs.iter().zip(f).map(|(&output, &f)| likelihood.ln_density(output, f)).sum::<f64>()
    });
    let prior = Shape::dense(&prior.kernel().gram(observations.inputs())).unwrap();
    let sampler = Fixed(Elliptical::new(&vec![0.0; n], prior).unwrap());
    let run = Run::default().with_warm_up(500).with_draws(50_000).with_seed(4);
    let sampled = run.sample(&target, &sampler, &Start::default()).unwrap();
    (0..n)
        .map(|i| {
            let draws = sampled.draws.parameter(i).concat();
            let mean = draws.iter().sum::<f64>() / draws.len() as f64;
            let variance = draws.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / draws.len() as f64;
            (mean, variance.sqrt())
        })
        .collect()
}

/// 200 000 draws with autocorrelation times below 20: standard errors of at most 0.01 standard deviations, and the tolerance of
/// expectation propagation is four of them and its own error of about 0.01.
#[test]
fn means_and_deviations() {
    fn check<L: LogConcave + 'static>(
        observations: &Observations<L>,
        prior: &GaussianProcess,
        laplace_error: f64,
    ) {
        let ep = propagated(observations, prior);
        let laplace = converged(observations, prior);
        let latent = laplace.latent(observations.inputs()).unwrap();
        for (i, (mean, sd)) in drawn(observations, prior).into_iter().enumerate() {
            let error = (ep.mean()[i] - mean).abs() / sd;
            assert!(error < 0.05, "mean {i}: {} is not {mean}", ep.mean()[i]);
            let ratio = ep.variance()[i].sqrt() / sd;
            assert!((ratio - 1.0).abs() < 0.04, "deviation {i}: {ratio}");
            let error = (latent.mean[i] - mean).abs() / sd;
            assert!(error < laplace_error, "mode {i}: {} is not {mean}", latent.mean[i]);
        }
    }
    let x = line(&[-1.5, -0.9, -0.2, 0.3, 0.8, 1.6]);
    let kernel = rbf(4.0, 0.8);
    check(
        &Observations::new(x.clone(), &[-1.0, -1.0, 1.0, -1.0, 1.0, 1.0], Logistic).unwrap(),
        &kernel,
        0.25,
    );
    let counts = [2, 0, 1, 7, 5, 0].map(Into::into);
    check(&Observations::new(x, &counts, Poisson).unwrap(), &kernel, 0.5);
}
