//! What is promised of learned features.

use posterior_dist::target::{Differentiated, Formula, GradTarget, Target};
use posterior_inference::laplace::laplace_by_gradient;
use posterior_math::autodiff::Real;
use posterior_math::iteration::Silent;
use posterior_math::linalg::DMatrix;
use posterior_math::optimize::LbfgsOptions;
use posterior_regression::Error;
use posterior_regression::learned_features::{HiddenUnits, LearnOptions, LearnedFeatures, UnitActivation};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Run, Start};

const KINDS: [UnitActivation; 5] = [
    UnitActivation::Tanh,
    UnitActivation::Sigmoid,
    UnitActivation::Rectifier,
    UnitActivation::Bell,
    UnitActivation::Sine,
];

/// ln N(y; 0, v Φ Φᵀ + σ² I) and the priors, by a Cholesky factor of the n × n covariance for any number
/// type: the tape differentiates it.
struct Oracle {
    activation: UnitActivation,
    inputs: DMatrix<f64>,
    response: Vec<f64>,
    units: usize,
}

impl Formula for Oracle {
    fn dim(&self) -> usize {
        self.units * (self.inputs.ncols() + 1) + 2
    }

    fn ln_density<R: Real>(&self, x: &[R]) -> R {
        let stride = self.inputs.ncols() + 1;
        let (theta, scales) = x.split_at(self.units * stride);
        let n = self.response.len();
        let unit = |i: usize, h: usize| {
            let mut t = theta[h * stride];
            for k in 1..stride {
                t += theta[h * stride + k] * self.inputs[(i, k - 1)];
            }
            match self.activation {
                UnitActivation::Tanh => t.tanh(),
                UnitActivation::Sigmoid => t.logistic(),
                UnitActivation::Rectifier => (t + t.abs()) * 0.5,
                UnitActivation::Bell => (t * t * -0.5).exp(),
                _ => t.sin(),
            }
        };
        let features: Vec<Vec<R>> = (0..n).map(|i| (0..self.units).map(|h| unit(i, h)).collect()).collect();
        let (v, noise) = (scales[0].exp(), scales[1].exp());
        let mut factor = vec![vec![R::constant(0.0); n]; n];
        let mut white: Vec<R> = Vec::new();
        let mut total = R::constant(-0.5 * n as f64 * std::f64::consts::TAU.ln());
        for i in 0..n {
            for j in 0..=i {
                let mut sum = R::constant(1.0);
                for (a, b) in features[i].iter().zip(&features[j]) {
                    sum += *a * *b;
                }
                sum = sum * v;
                if i == j {
                    sum += noise;
                }
                for (a, b) in factor[i][..j].iter().zip(&factor[j]) {
                    sum = sum - *a * *b;
                }
                factor[i][j] = if i == j { sum.sqrt() } else { sum / factor[j][j] };
            }
            let mut rest = R::constant(self.response[i]);
            for (a, w) in factor[i].iter().zip(&white) {
                rest = rest - *a * *w;
            }
            let w = rest / factor[i][i];
            total = total - factor[i][i].ln() - w * w * 0.5;
            white.push(w);
        }
        for &theta in theta {
            total = total - theta * theta * 0.5;
        }
        for (&scale, start) in scales.iter().zip([2.0_f64.ln(), 0.3_f64.ln()]) {
            let deviation = (scale - R::constant(start)) * (1.0 / 1.5);
            total = total - deviation * deviation * 0.5;
        }
        total
    }
}

fn inputs(rows: usize, dimension: usize) -> (DMatrix<f64>, Vec<f64>) {
    let inputs = DMatrix::from_fn(rows, dimension, |i, k| ((i * 5 + k * 3) as f64 * 0.77).sin() * 2.0);
    let response = (0..rows).map(|i| (inputs[(i, 0)] * 1.5).tanh() + 0.1 * (i as f64 * 3.3).cos()).collect();
    (inputs, response)
}

/// Value and gradient of every kind of unit, with priors and scales, against the tape on the dense
/// covariance.
#[test]
fn gradients_are_those_of_the_tape() {
    for activation in KINDS {
        for (rows, dimension, units) in [(9, 1, 2), (7, 2, 3), (3, 1, 5), (1, 1, 1)] {
            let (inputs, response) = inputs(rows, dimension);
            let features = HiddenUnits::new(units, activation).unwrap();
            let model = LearnedFeatures::new(features, &inputs, &response, 2.0, 0.3).unwrap();
            let model = model.with_parameter_prior(1.0).unwrap().with_learned_scales(1.5).unwrap();
            let oracle = Differentiated(Oracle {
                activation,
                inputs: inputs.clone(),
                response: response.clone(),
                units,
            });
            let mut x: Vec<f64> = (0..oracle.dim()).map(|k| ((k * k) as f64 * 0.9 + 0.4).sin()).collect();
            let last = x.len() - 1;
            x[last] = -1.0;
            let (mut found, mut expected) = (vec![0.0; x.len()], vec![0.0; x.len()]);
            assert_eq!(model.dim(), x.len());
            let value = model.ln_density_grad(&x, &mut found).unwrap();
            let other = oracle.ln_density_grad(&x, &mut expected).unwrap();
            assert!((value - other).abs() < 1e-11 * other.abs().max(1.0), "{value} and {other}");
            assert!((model.ln_density(&x).unwrap() - value).abs() < 1e-13 * value.abs());
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{activation:?}: {a} and {b}");
            }
        }
    }
}

/// The fitted model is a regression with these features: the same evidence; and its gradient is zero.
#[test]
fn what_is_learned_is_a_maximum() {
    let (inputs, response) = inputs(30, 1);
    let units = HiddenUnits::new(3, UnitActivation::Tanh).unwrap();
    let model = LearnedFeatures::new(units, &inputs, &response, 1.0, 0.05).unwrap();
    let model = model.with_parameter_prior(1.0).unwrap().with_learned_scales(2.0).unwrap();
    let options = LearnOptions { starts: 4, seed: 3, ..LearnOptions::default() };
    let found = model.fit(&options, &mut Silent).unwrap();
    let best = &found.best.model;
    assert!(found.best.report.converged());
    let evidence = best.posterior.ln_evidence().unwrap();
    assert!((best.ln_evidence - evidence).abs() < 1e-9 * evidence.abs());
    let mut x = best.theta.clone();
    x.extend([best.weight_variance.ln(), best.posterior.noise_variance().ln()]);
    let mut gradient = vec![0.0; x.len()];
    let value = model.ln_density_grad(&x, &mut gradient).unwrap();
    assert!(gradient.iter().all(|slope| slope.abs() < 1e-4), "{gradient:?}");
    assert!((value - found.best.report.trace.last().unwrap()).abs() < 1e-9);
    // The same starts, the same bits; more starts are not worse.
    assert_eq!(model.fit(&options, &mut Silent).unwrap().best.model, *best);
    let more = model.fit(&LearnOptions { starts: 6, ..options }, &mut Silent).unwrap();
    assert!(more.best.report.trace.last().unwrap() >= found.best.report.trace.last().unwrap());
    // A step that 30 fixed straight lines could not draw: the error is that of the noise.
    let distribution = best.predict(&inputs).unwrap();
    let error = distribution.mean.iter().zip(&response).map(|(f, y)| (f - y).powi(2)).sum::<f64>() / 30.0;
    assert!(error.sqrt() < 0.1, "{}", error.sqrt());
    assert!(best.predict(&DMatrix::zeros(1, 2)).is_err());
}

/// Maximum likelihood of type II (flat prior) has a higher evidence than the most probable θ under a prior.
#[test]
fn a_prior_costs_evidence() {
    let (inputs, response) = inputs(25, 1);
    let units = HiddenUnits::new(2, UnitActivation::Bell).unwrap();
    let flat = LearnedFeatures::new(units, &inputs, &response, 1.0, 0.05).unwrap();
    let model = flat.clone().with_parameter_prior(1.0).unwrap();
    let options = LearnOptions::default();
    let probable = model.fit(&options, &mut Silent).unwrap().best.model;
    let likely = flat.fit_from(&probable.theta, &options, &mut Silent).unwrap().model;
    assert!(likely.ln_evidence >= probable.ln_evidence);
    let square = |theta: &[f64]| theta.iter().map(|t| t * t).sum::<f64>();
    assert!(square(&probable.theta) <= square(&likely.theta) + 1e-9);
}

/// One unit, three coordinates: NUTS, and Laplace's method at the mode, on the same target. The evidence ∫
/// p(y | θ) p(θ) dθ by a grid is the judge of Laplace's.
#[test]
fn samplers_and_laplace_run_on_the_target() {
    let (inputs, response) = inputs(20, 1);
    let units = HiddenUnits::new(1, UnitActivation::Tanh).unwrap();
    let model = LearnedFeatures::new(units, &inputs, &response, 1.0, 0.3).unwrap();
    let model = model.with_parameter_prior(1.0).unwrap();
    // -θ is θ with the weight's sign changed: two modes, of which the grid has half.
    let mode = model.fit(&LearnOptions::default(), &mut Silent).unwrap().best.model.theta;
    let sign = mode[1].signum();
    let laplace = laplace_by_gradient(&model, &mode, &LbfgsOptions::default(), &mut Silent).unwrap();
    let step = 0.02;
    let (mut total, mut mean, mut largest) = (0.0, [0.0; 2], f64::NEG_INFINITY);
    let mut points = Vec::new();
    for i in -200..=200 {
        for j in 0..=300 {
            let theta = [f64::from(i) * step, sign * f64::from(j) * step];
            let value = model.ln_density(&theta).unwrap();
            largest = f64::max(largest, value);
            points.push((theta, value, if j == 0 { 0.5 } else { 1.0 }));
        }
    }
    for (theta, value, proportion) in points {
        let weight = proportion * (value - largest).exp();
        total += weight;
        mean[0] += weight * theta[0].abs();
        mean[1] += weight * theta[1].abs();
    }
    let ln_half = largest + (total * step * step).ln();
    assert!((laplace.ln_evidence - ln_half).abs() < 0.2, "{} and {ln_half}", laplace.ln_evidence);
    // 4000 draws of |θ|, of at least 400 effective ones: an sd of about 0.4 gives 4.5 standard errors of
    // 0.09.
    let start = Start::default();
    let sampled = Run { seed: 5, ..Run::default() }.sample(&model, &Nuts::default(), &start).unwrap();
    for (k, mean) in mean.iter().enumerate() {
        let draws = sampled.draws.parameter(k).concat();
        let found = draws.iter().map(|t| t.abs()).sum::<f64>() / draws.len() as f64;
        assert!((found - mean / total).abs() < 0.09, "{k}: {found} and {}", mean / total);
    }
}

#[test]
fn misuse_is_an_error() {
    let (inputs, response) = inputs(5, 1);
    let units = HiddenUnits::new(2, UnitActivation::Tanh).unwrap();
    assert!(HiddenUnits::new(0, UnitActivation::Tanh).is_err());
    let model = LearnedFeatures::new(units, &inputs, &response, 1.0, 1.0).unwrap();
    assert!(LearnedFeatures::new(units, &inputs, &response[1..], 1.0, 1.0).is_err());
    assert!(LearnedFeatures::new(units, &inputs, &response, 0.0, 1.0).is_err());
    assert!(LearnedFeatures::new(units, &inputs, &response, 1.0, f64::NAN).is_err());
    assert!(model.clone().with_parameter_prior(0.0).is_err());
    assert!(model.clone().with_learned_scales(f64::NAN).is_err());
    let options = LearnOptions::default();
    let wrong = model.fit_from(&[0.0], &options, &mut Silent);
    assert!(matches!(
        wrong,
        Err(Error::Dimension(posterior_math::DimensionError { expected: 4, found: 1, .. }))
    ));
    assert!(model.ln_density(&[f64::NAN, 0.0, 0.0, 0.0]).is_err());
    assert!(model.at(&[f64::NAN, 0.0, 0.0, 0.0]).is_err());
}
