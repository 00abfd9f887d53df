//! Predicted probabilities and intervals against functions and labels that are drawn from the prior.

use posterior_dist::stream::stream;
use posterior_gp::classification::{LatentMoments, ObservationModel};
use posterior_gp::likelihood::{Likelihood, LogisticLikelihood};
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::linalg::DMatrix;
use rand::RngExt;

use super::{inducing, markov};

const SETS: u64 = 300;

/// 40 labels of a function drawn from the prior, and ten more that are not seen.
///
/// Of each set the sum over the unseen of outcome less probability, of its product with the probability, and
/// the proportion of the function in intervals of 90 %.
fn run(
    prior: &GaussianProcess,
    width: usize,
    fit: impl Fn(&ObservationModel<LogisticLikelihood>, &DMatrix<f64>) -> LatentMoments,
) {
    let results: Vec<[f64; 3]> = (0..SETS)
        .map(|set| {
            let mut rng = stream(23, &[set, width as u64]);
            let inputs = DMatrix::from_fn(50, width, |_, _| 4.0 * rng.random::<f64>());
            let truth = prior.sampler(&inputs).unwrap().sample(&mut rng);
            let labels: Vec<f64> = truth
                .iter()
                .map(|f| if rng.random::<f64>() < LogisticLikelihood.response(*f) { 1.0 } else { -1.0 })
                .collect();
            let seen = inputs.rows(0, 40).into_owned();
            let observations = ObservationModel::new(seen, &labels[..40], LogisticLikelihood).unwrap();
            let latent = fit(&observations, &inputs.rows(40, 10).into_owned());
            let probabilities = latent.mean_response(&LogisticLikelihood);
            let (mut sum, mut product, mut covered) = (0.0, 0.0, 0.0);
            for i in 0..10 {
                let excess = 0.5 * (labels[40 + i] + 1.0) - probabilities[i];
                sum += excess;
                product += excess * (probabilities[i] - 0.5);
                covered += f64::from(u8::from(
                    (truth[40 + i] - latent.mean[i]).abs() < 1.644_854 * latent.variance[i].sqrt(),
                ));
            }
            [sum, product, covered / 10.0]
        })
        .collect();
    // Standard errors over sets: within one, everything depends on one function.
    let statistic = |which: usize, expected: f64| {
        let mean = results.iter().map(|own| own[which]).sum::<f64>() / SETS as f64;
        let square: f64 = results.iter().map(|own| (own[which] - mean).powi(2)).sum();
        let error = (square / (SETS - 1) as f64 / SETS as f64).sqrt();
        println!("{which}: {mean} {expected} {error}");
        (mean - expected, error)
    };
    // One false alarm in about 120 tests of three standard errors, of three numbers.
    for (which, expected) in [(0, 0.0), (1, 0.0)] {
        let (difference, error) = statistic(which, expected);
        assert!(difference.abs() < 3.0 * error, "{which}: {difference} {error}");
    }
    // The variational posterior is narrower than the true one, by so little that it is not seen here.
    let (difference, error) = statistic(2, 0.9);
    assert!(difference.abs() < 0.02 && error < 0.01, "{difference} {error}");
}

#[test]
fn probabilities_are_frequencies_on_a_line() {
    let prior = GaussianProcess::new(3.0 * Kernel::matern52(1.0).unwrap());
    run(&prior, 1, |observations, there| markov(observations, &prior).latent(there).unwrap());
}

#[test]
fn probabilities_are_frequencies_in_the_plane() {
    let prior = GaussianProcess::new(3.0 * Kernel::rbf(1.5).unwrap());
    run(&prior, 2, |observations, there| {
        let places = posterior_gp::sparse::inducing_by_variance(prior.kernel(), observations.inputs(), 20);
        inducing(observations, &prior, &places).latent(there).unwrap()
    });
}
