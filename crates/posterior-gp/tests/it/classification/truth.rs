//! Approximations against draws of the exact posterior, by elliptical slice sampling.

use posterior_dist::target::FromFn;
use posterior_gp::classification::{
    LatentMoments, ModeOptions, ObservationModel, SoftmaxObservations, softmax,
};
use posterior_gp::likelihood::{LogConcave, LogisticLikelihood, PoissonLikelihood};
use posterior_gp::{GaussianProcess, Kernel};
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::{ln_softmax_in_place, softmax_in_place};
use posterior_sampling::metropolis::StepShape;
use posterior_sampling::slice::Elliptical;
use posterior_sampling::{Run, Start, Untuned};
use rand::RngExt as _;
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;

use super::{converged, line, propagated, rbf};

/// Draws of the function at the observed places: a column of draws for each place.
fn draws<L: LogConcave + 'static>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
    draws: usize,
) -> Vec<Vec<f64>> {
    let outputs = observations.outputs().to_vec();
    let likelihood = observations.likelihood().clone();
    let n = outputs.len();
    let target = FromFn::new(n, move |f: &[f64]| {
        outputs.iter().zip(f).map(|(&output, &f)| likelihood.ln_density(output, f)).sum::<f64>()
    });
    let shape = StepShape::dense(&prior.kernel().gram(observations.inputs())).unwrap();
    let sampler = Untuned(Elliptical::new(&vec![0.0; n], shape).unwrap());
    let run = Run { warm_up: 500, draws, seed: 4, ..Run::default() };
    let sampled = run.sample(&target, &sampler, &Start::default()).unwrap();
    (0..n).map(|i| sampled.draws.parameter(i).concat()).collect()
}

/// The posterior mean and standard deviation of the function at each observed place, by draws.
fn drawn<L: LogConcave + 'static>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
) -> Vec<(f64, f64)> {
    let moments = |draws: Vec<f64>| {
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        let variance = draws.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / draws.len() as f64;
        (mean, variance.sqrt())
    };
    draws(observations, prior, 50_000).into_iter().map(moments).collect()
}

/// 200 000 draws with autocorrelation times below 20: standard errors of at most 0.01 standard deviations,
/// and the tolerance of expectation propagation is four of them and its own error of about 0.01.
#[test]
fn means_and_deviations() {
    fn check<L: LogConcave + 'static>(
        observations: &ObservationModel<L>,
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
        &ObservationModel::new(x.clone(), &[-1.0, -1.0, 1.0, -1.0, 1.0, 1.0], LogisticLikelihood).unwrap(),
        &kernel,
        0.25,
    );
    let counts = [2, 0, 1, 7, 5, 0].map(Into::into);
    check(&ObservationModel::new(x, &counts, PoissonLikelihood).unwrap(), &kernel, 0.5);
}

/// What is expected over all places, and how far each approximation is from it, as ratios: propagation, then
/// Laplace's method.
fn expected<L: LogConcave + 'static>(
    observations: &ObservationModel<L>,
    prior: &GaussianProcess,
) -> [f64; 2] {
    let likelihood = observations.likelihood();
    let exact: f64 = draws(observations, prior, 20_000)
        .iter()
        .map(|place| place.iter().map(|&f| likelihood.response(f)).sum::<f64>() / place.len() as f64)
        .sum();
    let at = observations.inputs();
    let sum = |latent: LatentMoments| latent.mean_response(likelihood).sum() / exact;
    [
        sum(propagated(observations, prior).latent(at).unwrap()),
        sum(converged(observations, prior).latent(at).unwrap()),
    ]
}

/// What is rare is neither too frequent nor too rare under expectation propagation: averages over the exact
/// posterior within 2 %, where the standard error of the draws is some 0.5 %. The Gaussian at the mode
/// expects 1.3 and 1.5 times as much. (At a prior variance of 1 it is 1.000 and 0.997 by propagation, 1.08
/// and 1.16 at the mode; at 9 it is 1.013 and 1.049, 1.54 and 2.04.)
#[test]
fn what_is_rare_is_not_made_frequent() {
    let places: Vec<f64> = (0..80).map(|i| 0.1 * f64::from(i)).collect();
    let prior = GaussianProcess::new(4.0 * Kernel::matern32(1.0).unwrap());
    let rare = [7, 31, 33, 52];
    let labels: Vec<f64> = (0..80).map(|i| if rare.contains(&i) { 1.0 } else { -1.0 }).collect();
    let counts: Vec<_> = (0..80).map(|i| u64::from(rare.contains(&i)).into()).collect();
    let of_classes =
        expected(&ObservationModel::new(line(&places), &labels, LogisticLikelihood).unwrap(), &prior);
    let of_counts =
        expected(&ObservationModel::new(line(&places), &counts, PoissonLikelihood).unwrap(), &prior);
    for [ep, laplace] in [of_classes, of_counts] {
        assert!((ep - 1.0).abs() < 0.02, "{ep}");
        assert!(laplace > 1.2, "{laplace}");
    }
}

/// Several classes at new places: (probability by the approximation, by draws of the exact posterior), for
/// each class, place and data set.
fn of_several_classes(variance: f64, classes: usize, sets: u64) -> Vec<(f64, f64)> {
    let (rows, all) = (30, 40);
    let mut pairs = Vec::new();
    for set in 0..sets {
        let mut rng = Pcg64::new(u128::from(set) + 11, 3);
        let places: Vec<f64> = (0..all).map(|_| rng.random_range(0.0..8.0)).collect();
        let kernel = variance * Kernel::matern32(1.0).unwrap();
        let gram = kernel.gram(&line(&places));
        let root = Cholesky::new(&gram).unwrap();
        let functions =
            root.factor() * DMatrix::from_fn(all, classes, |_, _| rng.sample::<f64, _>(StandardNormal));
        let labels: Vec<usize> = (0..rows)
            .map(|i| {
                let mut p: Vec<f64> = functions.row(i).iter().copied().collect();
                softmax_in_place(&mut p);
                let u: f64 = rng.random_range(0.0..1.0);
                p.iter()
                    .scan(0.0, |sum, p| {
                        *sum += p;
                        Some(*sum)
                    })
                    .position(|sum| u < sum)
                    .unwrap_or(classes - 1)
            })
            .collect();
        let observations = SoftmaxObservations::new(line(&places[..rows]), &labels, classes).unwrap();
        let model = softmax(&observations, &[kernel], &ModeOptions::default(), &mut Silent).unwrap().model;
        let found = model.latent(&line(&places[rows..])).unwrap().mean_response(20_000, &mut rng).unwrap();
        // All functions at all places, class after class; the labels are of the first ones.
        let covariance = DMatrix::<f64>::identity(classes, classes).kronecker(&gram);
        let target = FromFn::new(all * classes, move |f: &[f64]| {
            let of_row = |(i, &label): (usize, &usize)| {
                let mut p: Vec<f64> = (0..classes).map(|k| f[k * all + i]).collect();
                ln_softmax_in_place(&mut p);
                p[label]
            };
            labels.iter().enumerate().map(of_row).sum::<f64>()
        });
        let sampler = Untuned(
            Elliptical::new(&vec![0.0; all * classes], StepShape::dense(&covariance).unwrap()).unwrap(),
        );
        let run = Run { chains: 1, warm_up: 1000, draws: 6000, seed: set, ..Run::default() };
        let sampled = run.sample(&target, &sampler, &Start::default()).unwrap();
        for place in rows..all {
            let columns: Vec<Vec<f64>> =
                (0..classes).map(|k| sampled.draws.parameter(k * all + place).concat()).collect();
            let mut exact = vec![0.0; classes];
            for draw in 0..columns[0].len() {
                let mut p: Vec<f64> = columns.iter().map(|column| column[draw]).collect();
                softmax_in_place(&mut p);
                for (sum, p) in exact.iter_mut().zip(p) {
                    *sum += p / columns[0].len() as f64;
                }
            }
            pairs.extend((0..classes).map(|k| (found[(place - rows, k)], exact[k])));
        }
    }
    pairs
}

/// The Gaussian at the mode is too even, the more the larger the functions are: 3 classes at 120 new places
/// after 30 rows, against draws of the exact posterior (standard errors of about 0.01 each). Where the prior
/// variance of a function is 1, the averages of each group of probabilities are right to 0.02; at 4, 0.14,
/// 0.51 and 0.70 should be 0.11, 0.54 and 0.76; at 16, 0.06, 0.60 and 0.85.
#[test]
fn probabilities_of_several_classes_are_too_even() {
    let groups = |variance: f64| {
        let pairs = of_several_classes(variance, 3, 12);
        [0.0..0.2, 0.2..0.4, 0.4..0.6, 0.6..1.0].map(|range| {
            let own: Vec<_> = pairs.iter().filter(|(p, _)| range.contains(p)).collect();
            own.iter().map(|(found, exact)| exact - found).sum::<f64>() / own.len() as f64
        })
    };
    let small = groups(1.0);
    assert!(small.iter().all(|off| off.abs() < 0.025), "{small:?}");
    let large = groups(16.0);
    assert!(large[0] < -0.05 && large[3] > 0.1, "{large:?}");
}
