//! The Pólya-Gamma distribution, and Gibbs sampling by it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::f64::consts::PI;

use posterior_dist::stream::stream;
use posterior_dist::{Density, Moments, Normal};
use posterior_math::linalg::DMatrix;
use posterior_math::special::ln_gamma;
use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData, GlmFitOptions};
use posterior_regression::polya_gamma::{LogisticGibbs, PolyaGamma};
use posterior_sampling::calibration::{Calibration, SimulationModel};
use posterior_sampling::gibbs::Gibbs;
use posterior_sampling::{Run, Start, Untuned};
use rand::{Rng, RngExt};
use rand_distr::Distribution;

/// Integrates by the trapezoidal rule in ln x, which is exact to rounding for such densities: from the mean
/// on both sides until nothing is left.
fn integrate(distribution: &PolyaGamma, f: impl Fn(f64) -> f64) -> f64 {
    let mean = distribution.mean().unwrap();
    let step = if distribution.shape() < 50 { 0.02 } else { 0.005 };
    let side = |sign: f64, first: u32| -> f64 {
        (first..100_000)
            .map(|i| mean * (sign * f64::from(i) * step).exp())
            .map(|x| (x, distribution.ln_pdf(&x) + x.ln()))
            .take_while(|(_, ln)| *ln > -50.0)
            .map(|(x, ln)| ln.exp() * f(x) * step)
            .sum()
    };
    side(-1.0, 1) + side(1.0, 0)
}

const DISTRIBUTIONS: [(u32, f64); 10] = [
    (1, 0.0),
    (1, 0.3),
    (1, 2.0),
    (1, 15.0),
    (2, 1.0),
    (5, 0.0),
    (5, 4.0),
    (20, 2.5),
    (100, 0.1),
    (1000, 3.0),
];

#[test]
fn the_density_has_its_moments_and_its_transform() {
    for (shape, tilt) in DISTRIBUTIONS {
        let distribution = PolyaGamma::new(shape, tilt).unwrap();
        let (mean, variance) = (distribution.mean().unwrap(), distribution.variance().unwrap());
        let close = |a: f64, b: f64, what: &str| {
            assert!((a / b - 1.0).abs() < 1e-10, "{shape} {tilt} {what}: {a} {b}");
        };
        close(integrate(&distribution, |_| 1.0), 1.0, "mass");
        close(integrate(&distribution, |x| x), mean, "mean");
        close(integrate(&distribution, |x| (x - mean).powi(2)), variance, "variance");
        for t in [0.1, 1.0, 10.0] {
            close(
                integrate(&distribution, |x| (-t * x / mean).exp()),
                distribution.ln_laplace_transform(t / mean).exp(),
                "transform",
            );
        }
    }
}

/// The alternating series, for points that are not far above the mean.
fn series(shape: u32, tilt: f64, x: f64) -> f64 {
    let b = f64::from(shape);
    let mut sum = 0.0;
    for n in 0..400 {
        let n = f64::from(n);
        let order = 2.0 * n + b;
        let ln = ln_gamma(n + b) - ln_gamma(n + 1.0) + order.ln() - order * order / (8.0 * x);
        sum += if n % 2.0 == 0.0 { ln.exp() } else { -ln.exp() };
    }
    let constant = (b - 1.0) * 2_f64.ln() - ln_gamma(b) - 0.5 * (2.0 * PI * x.powi(3)).ln();
    sum.ln() + constant + b * (0.5 * tilt).cosh().ln() - 0.5 * tilt * tilt * x
}

#[test]
fn the_density_is_its_alternating_series() {
    for (shape, tilt) in [(1, 0.0), (1, 3.0), (2, 0.5), (4, 2.0), (10, 1.0)] {
        let distribution = PolyaGamma::new(shape, tilt).unwrap();
        for proportion in [0.02, 0.1, 0.3, 0.6] {
            let x = proportion * f64::from(shape) / 4.0;
            let (ours, theirs) = (distribution.ln_pdf(&x), series(shape, tilt, x));
            assert!(
                (ours - theirs).abs() < 1e-10 * theirs.abs().max(1.0),
                "{shape} {tilt} {x}: {ours} {theirs}"
            );
        }
    }
    // Far up PG(1, 0) is exponential: 4 a₀(4x) of Jacobi's distribution, the other terms are nothing.
    let x = 300.0;
    let expected = (2.0 * PI).ln() - 0.5 * PI * PI * x;
    assert!((PolyaGamma::new(1, 0.0).unwrap().ln_pdf(&x) / expected - 1.0).abs() < 1e-14);
}

#[test]
fn edges_of_the_distribution() {
    assert!(PolyaGamma::new(0, 1.0).is_err());
    assert!(PolyaGamma::new(1, f64::NAN).is_err());
    let distribution = PolyaGamma::new(3, -2.0).unwrap();
    assert_eq!(distribution, PolyaGamma::new(3, 2.0).unwrap());
    for x in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(distribution.ln_pdf(&x), f64::NEG_INFINITY);
    }
    assert!(distribution.ln_pdf(&f64::NAN).is_nan());
    // No tilt, and very much of it: 1/(2c) for each unit of shape.
    let flat = PolyaGamma::new(2, 0.0).unwrap();
    assert_eq!((flat.mean(), flat.variance()), (Some(0.5), Some(1.0 / 12.0)));
    let mut rng = stream(4, &[]);
    for tilt in [1e3, 1e8, 1e100, 1e206, 1e300, f64::MAX] {
        let distribution = PolyaGamma::new(1, tilt).unwrap();
        assert!((distribution.mean().unwrap() * tilt - 0.5).abs() < 1e-12);
        let draw = distribution.sample(&mut rng);
        assert!((draw * tilt - 0.5).abs() < 0.2, "{tilt}: {draw}");
    }
}

/// Next to zero the first term of the series, b 2^(b-1) (2π x³)^(-1/2) e^(-b²/(8x)), far out 2 πᵇ
/// (2x)^(b-1)/Γ(b) e^(-π²x/2), and no step where they take over.
#[test]
fn the_density_at_its_ends() {
    let ln_2 = std::f64::consts::LN_2;
    for (shape, x, expected) in [
        (1, 1e-160, -0.125e160),
        (1, 1e-300, -0.125e300),
        (2, 1e-200, -0.5e200),
        (1, 1e-3, 1.5 * 1e3_f64.ln() - 0.5 * std::f64::consts::TAU.ln() - 125.0),
        (1, 1e300, -0.5 * PI.powi(2) * 1e300),
        (3, 1e20, -0.5 * PI.powi(2) * 1e20),
        (4, 1e-3, 5.0 * ln_2 + 1.5 * 1e3_f64.ln() - 0.5 * std::f64::consts::TAU.ln() - 2000.0),
    ] {
        let found = PolyaGamma::new(shape, 0.0).unwrap().ln_pdf(&x);
        assert!((found - expected).abs() <= 1e-13 * expected.abs(), "{shape} {x}: {found} {expected}");
    }
    for (shape, tilt) in [(1, 0.0), (3, 2.0), (40, 0.5), (2000, 0.0)] {
        let distribution = PolyaGamma::new(shape, tilt).unwrap();
        for edge in [1e-3 * (f64::from(shape) + 1.0), 1e8 * f64::from(shape)] {
            let (below, above) =
                (distribution.ln_pdf(&(edge * (1.0 - 1e-14))), distribution.ln_pdf(&(edge * (1.0 + 1e-14))));
            assert!((below - above).abs() < 1e-12 * below.abs(), "{shape} {tilt}: {below} {above}");
        }
    }
}

#[test]
fn draws_follow_the_density() {
    // Kolmogorov's statistic of 20,000 draws of six distributions against sums of the density; a right
    // sampler exceeds 2.6 with a probability of 3e-6.
    for (k, (shape, tilt)) in
        [(1, 0.0), (1, 1.0), (1, 3.2), (1, 10.0), (3, 0.7), (12, 2.0)].into_iter().enumerate()
    {
        let distribution = PolyaGamma::new(shape, tilt).unwrap();
        let n = 20_000;
        let mut rng = stream(11, &[k as u64]);
        let mut draws: Vec<f64> = distribution.sample_iter(&mut rng).take(n).collect();
        draws.sort_by(f64::total_cmp);
        let mean = distribution.mean().unwrap();
        let (mut cdf, mut below, mut worst) = (0.0, 0, 0.0_f64);
        let step = 0.002;
        for i in -2000..=1500 {
            // Up to the middle between grid points.
            let x = mean * (f64::from(i) * step).exp();
            cdf += (distribution.ln_pdf(&x) + x.ln()).exp() * step;
            let edge = mean * ((f64::from(i) + 0.5) * step).exp();
            while below < n && draws[below] <= edge {
                below += 1;
            }
            worst = worst.max((cdf - below as f64 / n as f64).abs());
        }
        let statistic = worst * (n as f64).sqrt();
        assert!(statistic < 2.6, "{shape} {tilt}: {statistic}");
    }
}

/// Twelve rows with three trials each, an offset, and coefficients from the prior.
struct Rows {
    design: DMatrix<f64>,
    offset: Vec<f64>,
    trials: Vec<f64>,
}

const SD: f64 = 1.2;

impl Rows {
    fn new() -> Self {
        let design = DMatrix::from_fn(12, 2, |i, j| if j == 0 { 1.0 } else { (i as f64 - 5.5) / 3.0 });
        let offset = (0..12).map(|i| 0.1 * f64::from(i % 4)).collect();
        let trials = (0..12).map(|i| f64::from(i % 3 + 1)).collect();
        Self { design, offset, trials }
    }

    fn model<'a>(&'a self, y: &'a [f64]) -> Glm<'a> {
        let data = GlmData::new(&self.design, y).unwrap();
        let data = data.with_offset(&self.offset).unwrap().with_weights(&self.trials).unwrap();
        let prior = CoefficientPrior::diagonal(vec![0.3, -0.2], &[SD, SD]).unwrap();
        Glm::new(Family::Logit, data).unwrap().with_prior(prior).unwrap()
    }
}

impl SimulationModel for Rows {
    type Data = Vec<f64>;

    fn names(&self) -> Vec<String> {
        vec!["x[0]".to_owned(), "x[1]".to_owned()]
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, posterior_sampling::Error> {
        Ok(vec![Normal::mean_sd(0.3, SD)?.sample(rng), Normal::mean_sd(-0.2, SD)?.sample(rng)])
    }

    fn simulate<R: Rng + ?Sized>(
        &self,
        parameters: &[f64],
        rng: &mut R,
    ) -> Result<Vec<f64>, posterior_sampling::Error> {
        let of_row = |i: usize| {
            let eta = self.offset[i] + parameters[0] + parameters[1] * self.design[(i, 1)];
            let p = 1.0 / (1.0 + (-eta).exp());
            let trials = self.trials[i] as u32;
            f64::from((0..trials).map(|_| u32::from(rng.random::<f64>() < p)).sum::<u32>())
                / f64::from(trials)
        };
        Ok((0..12).map(of_row).collect())
    }

    fn quantity_names(&self) -> Vec<String> {
        vec!["ln_likelihood".to_owned()]
    }

    fn quantities(&self, parameters: &[f64], data: &Vec<f64>) -> Vec<f64> {
        vec![self.model(data).ln_likelihood(parameters, 1.0).unwrap()]
    }
}

#[test]
fn gibbs_sampling_is_calibrated() {
    // A right sampler fails with a probability of 1e-6. Draws of every fifth sweep are nearly independent.
    let calibration = Calibration { simulations: 600, draws: 49, seed: 8, ..Calibration::default() };
    let report = calibration
        .run(&Rows::new(), |data, rng| {
            let rows = Rows::new();
            let model = rows.model(data);
            let sampler = LogisticGibbs::new(&model).unwrap();
            let run = Run { chains: 1, warm_up: 30, draws: 49, thin: 6, ..Run::default() };
            let run = Run { seed: rng.random(), ..run };
            let start = Start::At(vec![0.0, 0.0]);
            Ok(run.sample(&sampler, &Untuned(Gibbs::systematic()), &start)?.draws)
        })
        .unwrap();
    assert!(report.passes(1e-6), "{report}");
}

#[test]
fn what_is_not_logistic_or_not_counted_is_refused() {
    let rows = Rows::new();
    let y = vec![1.0; 12];
    let data = || GlmData::new(&rows.design, &y).unwrap();
    assert!(LogisticGibbs::new(&Glm::new(Family::Probit, data()).unwrap()).is_err());
    assert!(
        LogisticGibbs::new(&Glm::new(Family::Logit, data()).unwrap().with_dispersion(2.0).unwrap()).is_err()
    );
    let halves = vec![0.5; 12];
    let model = Glm::new(Family::Logit, data().with_weights(&halves).unwrap()).unwrap();
    assert!(LogisticGibbs::new(&model).is_err());
    // A fit of these rows does not exist, and the sampler does not say so: the fit does.
    assert!(Glm::new(Family::Logit, data()).unwrap().laplace(&GlmFitOptions::default()).is_err());
}
