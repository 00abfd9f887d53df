//! The fast mixture against the generic engine: EM of any family, whose Gaussian is one.

use posterior_dist::stream::stream;
use posterior_dist::{Density, Mixture, Moments, Normal, Product};
use posterior_gaussian::{Gaussian, NormalInverseWishart};
use posterior_inference::em::EmOptions;
use posterior_latent::gaussian_mixture::{
    CovarianceKind, Covariances, GaussianMixture, GaussianMixtureOptions, GaussianMixtureProblem,
    fraley_raftery_prior,
};
use posterior_latent::mixture::{MaximumLikelihood, MixtureProblem, MostProbable};
use posterior_latent::variational::Points;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::streaming::StreamingCovariance;
use posterior_testkit::accuracy::{assert_close, assert_within};
use rand::distr::Distribution;

use super::{KINDS, clouds, observations, start, steps};

fn points(values: &DMatrix<f64>) -> Vec<Vec<f64>> {
    values.row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn options(count: usize) -> EmOptions {
    EmOptions { tolerance: -1.0, max_iterations: count, ..EmOptions::default() }
}

#[test]
fn full_covariances_are_the_generic_gaussian() {
    let values = clouds(400, 3, 5);
    let weights: Vec<f64> = (0..400).map(|i| [1.0, 0.5, 3.0, 0.0][i % 4]).collect();
    let data = observations(&values).weighted(&weights).unwrap();
    let begin = start(CovarianceKind::Full, &values.rows(0, 3).into_owned(), 4.0);
    let rows = points(&values);
    let generic = Points::new(&rows).weighted(&weights).unwrap();
    let likely = MixtureProblem::<Gaussian, _, _>::new(&generic, 3, MaximumLikelihood).unwrap();
    let slow = likely.fit(begin.to_mixture().unwrap(), &options(15), &mut Silent).unwrap();
    let fast =
        GaussianMixtureProblem::new(&data, steps(15)).unwrap().fit(begin.clone(), &mut Silent).unwrap();
    for (a, b) in fast.report.trace.iter().zip(&slow.report.trace) {
        assert_close(*a, *b, 1e-12);
    }
    let hard_slow = likely.fit_hard(begin.to_mixture().unwrap(), &options(5), &mut Silent).unwrap();
    let hard =
        GaussianMixtureProblem::new(&data, steps(5)).unwrap().fit_hard(begin.clone(), &mut Silent).unwrap();
    assert_close(hard.report.trace[5], hard_slow.report.trace[5], 1e-12);

    // And with the prior: the objectives differ by its constant.
    let prior = fraley_raftery_prior(&data, 3).unwrap();
    let probable = MostProbable::new(prior.clone(), 2.0).unwrap();
    let probable = MixtureProblem::<Gaussian, _, _>::new(&generic, 3, probable).unwrap();
    let slow = probable.fit(begin.to_mixture().unwrap(), &options(15), &mut Silent).unwrap();
    let with_prior = GaussianMixtureOptions { prior: Some(prior), weight_concentration: 2.0, ..steps(15) };
    let fast = GaussianMixtureProblem::new(&data, with_prior).unwrap().fit(begin, &mut Silent).unwrap();
    assert!(fast.report.falls.is_empty());
    let shift = slow.report.trace[0] - fast.report.trace[0];
    for (a, b) in fast.report.trace.iter().zip(&slow.report.trace) {
        assert_within(a + shift, *b, 1e-9);
    }
    for k in 0..3 {
        let distribution = &slow.model.mixture.components()[k];
        assert!((fast.model.mixture.covariance(k) - distribution.covariance()).amax() < 1e-11);
    }
}

#[test]
fn diagonal_covariances_are_products_of_normal_distributions() {
    let values = clouds(300, 4, 6);
    let data = observations(&values);
    let begin = start(CovarianceKind::Diagonal, &values.rows(0, 3).into_owned(), 4.0);
    let rows = points(&values);
    let generic = Points::new(&rows);
    let problem =
        MixtureProblem::<Product<Normal>, _, _>::new(&generic, vec![(); 4], MaximumLikelihood).unwrap();
    let distribution = |k: usize| {
        Product::new((0..4).map(|j| Normal::mean_sd(begin.means()[(k, j)], 2.0).unwrap()).collect::<Vec<_>>())
    };
    let mixture = Mixture::from_weights(&[1.0; 3], (0..3).map(distribution).collect()).unwrap();
    let slow = problem.fit(mixture, &options(15), &mut Silent).unwrap();
    let fast = GaussianMixtureProblem::new(&data, steps(15)).unwrap().fit(begin, &mut Silent).unwrap();
    for (a, b) in fast.report.trace.iter().zip(&slow.report.trace) {
        assert_close(*a, *b, 1e-12);
    }
}

/// Tied and spherical M steps by their definition, from the responsibilities.
#[test]
fn shared_covariances_are_averages() {
    let values = clouds(150, 2, 7);
    let data = observations(&values);
    for kind in [CovarianceKind::Tied, CovarianceKind::Spherical] {
        let begin = start(kind, &values.rows(0, 3).into_owned(), 4.0);
        let r = begin.responsibilities(&data).unwrap();
        let fitted = GaussianMixtureProblem::new(&data, steps(1)).unwrap().fit(begin, &mut Silent).unwrap();
        let mut pooled = DMatrix::zeros(2, 2);
        for k in 0..3 {
            let mut seen = StreamingCovariance::new(2);
            for (i, row) in points(&values).iter().enumerate() {
                seen.push_weighted(row, r[(i, k)]);
            }
            pooled += seen.scatter();
            if kind == CovarianceKind::Spherical {
                let variance = seen.covariance().trace() / 2.0;
                assert_close(fitted.model.mixture.covariance(k)[(0, 0)], variance, 1e-12);
            }
        }
        if kind == CovarianceKind::Tied {
            assert!((fitted.model.mixture.covariance(1) - pooled / 150.0).amax() < 1e-12);
        }
    }
}

/// The most probable variances under the prior, against a search of the objective itself: no neighbour is
/// better.
#[test]
fn map_steps_of_every_kind_are_stationary() {
    let values = clouds(90, 2, 8);
    let data = observations(&values);
    let psi = DMatrix::from_row_slice(2, 2, &[1.0, 0.2, 0.2, 0.7]);
    let prior = NormalInverseWishart::new(&[4.0, 4.0], 2.0, &psi, 5.0).unwrap();
    for kind in KINDS {
        let options = GaussianMixtureOptions {
            prior: Some(prior.clone()),
            weight_concentration: 1.5,
            covariance: kind,
            ..steps(0)
        };
        let problem = GaussianMixtureProblem::new(&data, options.clone()).unwrap();
        let careful = GaussianMixtureOptions {
            em: EmOptions { tolerance: 1e-15, max_iterations: 5000, ..EmOptions::default() },
            ..options.clone()
        };
        let begin = start(kind, &values.rows(0, 2).into_owned(), 4.0);
        let fitted = GaussianMixtureProblem::new(&data, careful).unwrap().fit(begin, &mut Silent).unwrap();
        assert!(fitted.report.falls.is_empty());
        let best = &fitted.model.mixture;
        let objective = |mixture: GaussianMixture| problem.fit(mixture, &mut Silent).unwrap().report.trace[0];
        let top = objective(best.clone());
        let weights = best.weights().probabilities();
        let slope = |up: GaussianMixture, down: GaussianMixture, step: f64| {
            (objective(up) - objective(down)) / (2.0 * step)
        };
        let step = 1e-5;
        for entry in 0..best.means().len() {
            let moved = |by: f64| {
                let mut means = best.means().clone();
                means[entry] += by;
                GaussianMixture::new(weights, &means, best.covariances().clone()).unwrap()
            };
            assert!(slope(moved(step), moved(-step), step).abs() < 1e-4, "{kind:?} mean {top}");
        }
        let scaled = |by: f64| {
            let c = 1.0 + by;
            let covariances = match best.covariances() {
                Covariances::Full(all) => Covariances::Full(
                    all.iter().enumerate().map(|(k, s)| if k == 0 { s * c } else { s.clone() }).collect(),
                ),
                Covariances::Tied(one) => Covariances::Tied(one * c),
                Covariances::Diagonal(rows) => {
                    let mut rows = rows.clone();
                    rows[(0, 1)] *= c;
                    Covariances::Diagonal(rows)
                }
                Covariances::Spherical(all) => Covariances::Spherical(vec![all[0] * c, all[1]]),
            };
            GaussianMixture::new(weights, best.means(), covariances).unwrap()
        };
        assert!(slope(scaled(step), scaled(-step), step).abs() < 1e-4, "{kind:?} covariance");
        let tilted = |by: f64| {
            GaussianMixture::new(
                &[weights[0] + by, weights[1] - by],
                best.means(),
                best.covariances().clone(),
            )
            .unwrap()
        };
        assert!(slope(tilted(step), tilted(-step), step).abs() < 1e-4, "{kind:?} weights");
    }
}

#[test]
fn the_distribution_is_a_mixture_of_distributions() {
    let values = clouds(30, 3, 9);
    let mut begin = start(CovarianceKind::Full, &values.rows(0, 3).into_owned(), 2.0);
    let problem = observations(&values);
    begin = GaussianMixtureProblem::new(&problem, steps(3))
        .unwrap()
        .fit(begin, &mut Silent)
        .unwrap()
        .model
        .mixture;
    let mixture = begin.to_mixture().unwrap();
    for row in points(&values) {
        assert_close(begin.ln_pdf(&row), mixture.ln_pdf(&row), 1e-12);
        // p(x, y) = p(x) p(y | x).
        let (x, y) = ([row[1]], [row[0], row[2]]);
        let chain = begin.marginal(&[1]).unwrap().ln_pdf(&x) + begin.condition(&[1], &x).unwrap().ln_pdf(&y);
        assert_close(chain, begin.ln_pdf(&row), 1e-11);
    }
    assert_eq!(begin.ln_pdf(&[0.0]), f64::NEG_INFINITY);
    assert!(begin.ln_pdf(&[0.0, f64::NAN, 1.0]).is_nan());
    // 20,000 draws: the errors of means are 0.02, 5 of them are exceeded once in a million runs.
    let mut seen = StreamingCovariance::new(3);
    let mut rng = stream(3, &[]);
    for _ in 0..20_000 {
        seen.push(&begin.sample(&mut rng));
    }
    let mean = mixture.mean().unwrap();
    for (j, mean) in mean.iter().enumerate() {
        let error = (mixture.variance().unwrap()[(j, j)] / 20_000.0).sqrt();
        assert_within(seen.mean()[j], *mean, 5.0 * error);
        assert_close(seen.covariance()[(j, j)], mixture.variance().unwrap()[(j, j)], 0.06);
    }
    // A mixture is a density: on a line its integral is 1.
    let line = begin.marginal(&[0]).unwrap();
    let integral: f64 = (0..4000).map(|i| 0.01 * line.ln_pdf(&[-15.0 + 0.01 * f64::from(i)]).exp()).sum();
    assert_within(integral, 1.0, 1e-9);
}
