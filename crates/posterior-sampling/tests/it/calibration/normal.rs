//! A normal distribution with unknown mean and variance: exact draws and Gibbs sampling.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::{Differentiated, Formula};
use posterior_dist::{Density, InverseGamma, Normal, NormalInverseGamma};
use posterior_math::autodiff::Real;
use posterior_math::streaming::MeanVariance;
use posterior_sampling::calibration::{
    Calibration, CalibrationReport, JointDistribution, JointDistributionReport, SimulationModel,
    nearly_independent,
};
use posterior_sampling::hamiltonian::Nuts;
use posterior_sampling::{Draws, Error, Run, Start};
use rand::{Rng, RngExt};
use rand_distr::Distribution;
use rand_pcg::Pcg64;

use super::draws_of;

const MEAN: f64 = 1.0;
const KAPPA: f64 = 2.0;
const ALPHA: f64 = 4.0;
const BETA: f64 = 3.0;
const COUNT: usize = 8;
const DRAWS: usize = 99;
const NAMES: [&str; 2] = ["mean", "variance"];

/// (mean, variance) of a normal-inverse-gamma distribution, and eight observations.
struct Measurements;

impl SimulationModel for Measurements {
    type Data = Vec<f64>;

    fn names(&self) -> Vec<String> {
        NAMES.map(str::to_owned).to_vec()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let (mean, variance) = NormalInverseGamma::new(MEAN, KAPPA, ALPHA, BETA)?.sample(rng);
        Ok(vec![mean, variance])
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<Vec<f64>, Error> {
        let distribution = Normal::mean_variance(parameters[0], parameters[1])?;
        Ok((0..COUNT).map(|_| distribution.sample(rng)).collect())
    }

    fn quantity_names(&self) -> Vec<String> {
        vec!["ln variance".to_owned(), "ln likelihood".to_owned()]
    }

    fn quantities(&self, parameters: &[f64], data: &Vec<f64>) -> Vec<f64> {
        let distribution = Normal::mean_variance(parameters[0], parameters[1]);
        let ln_likelihood =
            distribution.map_or(f64::NAN, |distribution| data.iter().map(|x| distribution.ln_pdf(x)).sum());
        vec![parameters[1].ln(), ln_likelihood]
    }
}

fn exact(data: &[f64], rng: &mut Pcg64, scale: f64) -> Result<Vec<Vec<f64>>, Error> {
    let mut moments = MeanVariance::new();
    for &x in data {
        moments.push(x);
    }
    let posterior = NormalInverseGamma::new(MEAN, KAPPA, ALPHA, BETA)?.updated(&moments)?;
    let draw = |_| {
        let (mean, variance) = posterior.sample(rng);
        vec![mean, variance * scale]
    };
    Ok((0..DRAWS).map(draw).collect())
}

/// A sweep of Gibbs: the mean given the variance, the variance given the mean. Right if `shape_of_mean` is
/// the 1/2 that the prior of the mean, whose variance is unknown too, adds to the shape.
fn sweep(at: &mut [f64], data: &[f64], shape_of_mean: f64, rng: &mut Pcg64) -> Result<(), Error> {
    let n = data.len() as f64;
    let precision = KAPPA + n;
    let centre = (KAPPA * MEAN + data.iter().sum::<f64>()) / precision;
    at[0] = Normal::mean_variance(centre, at[1] / precision)?.sample(rng);
    let squares: f64 = data.iter().map(|x| (x - at[0]).powi(2)).sum();
    let scale = BETA + 0.5 * (squares + KAPPA * (at[0] - MEAN).powi(2));
    at[1] = InverseGamma::new(ALPHA + 0.5 * n + shape_of_mean, scale)?.sample(rng);
    Ok(())
}

fn gibbs_verdicts(shape_of_mean: f64) -> (CalibrationReport, JointDistributionReport) {
    let sampler = |data: &Vec<f64>, rng: &mut Pcg64| {
        let mut at = vec![MEAN, 1.0];
        let mut rows = Vec::with_capacity(DRAWS);
        for step in 0..20 + 3 * DRAWS {
            sweep(&mut at, data, shape_of_mean, rng)?;
            if step >= 20 && step % 3 == 0 {
                rows.push(at.clone());
            }
        }
        draws_of(&NAMES, rows)
    };
    let calibration = Calibration { simulations: 1500, draws: DRAWS, seed: 5, ..Calibration::default() };
    let kernel = |at: &mut Vec<f64>, data: &Vec<f64>, rng: &mut Pcg64| sweep(at, data, shape_of_mean, rng);
    let joint = (JointDistribution { draws: 50_000, seed: 6, ..JointDistribution::default() })
        .run(&Measurements, kernel)
        .unwrap();
    (calibration.run(&Measurements, sampler).unwrap(), joint)
}

#[test]
fn exact_draws_pass_and_a_variance_that_is_off_fails() {
    let calibration = Calibration { draws: DRAWS, seed: 3, ..Calibration::default() };
    let run = |scale: f64| {
        let sampler = |data: &Vec<f64>, rng: &mut Pcg64| draws_of(&NAMES, exact(data, rng, scale)?);
        calibration.run(&Measurements, sampler).unwrap()
    };
    let right = run(1.0);
    assert!(right.passes(1e-3), "{right}");
    // n instead of n - 1.
    let wrong = run(7.0 / 8.0);
    assert!(wrong.named("variance").unwrap().p_value() < 1e-12, "{wrong}");
    assert!(wrong.named("mean").unwrap().p_value() > 1e-3, "the mean is right: {wrong}");
}

#[test]
fn gibbs_passes() {
    let (report, joint) = gibbs_verdicts(0.5);
    assert!(report.passes(1e-3), "{report}");
    assert!(joint.passes(1e-3), "{joint}");
}

#[test]
fn gibbs_that_forgets_what_the_mean_says_of_the_variance_fails() {
    let (report, joint) = gibbs_verdicts(0.0);
    println!("{report}{joint}");
    assert!(report.p_value() < 1e-6, "{report}");
    assert!(joint.p_value() < 1e-12, "{joint}");
}

/// The posterior in (mean, ln variance), up to a constant.
struct Free<'a>(&'a [f64]);

impl Formula for Free<'_> {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density<R: Real>(&self, x: &[R]) -> R {
        let precision = (-x[1]).exp();
        let square = |y: f64| (x[0] - y).powi(2);
        let squares: R = self.0.iter().map(|&y| square(y)).sum();
        // One for the map, 1/2 for the mean, 1/2 for each observation; α + 1 for the variance itself.
        let power = ALPHA + 0.5 + 0.5 * self.0.len() as f64;
        (square(MEAN) * KAPPA + squares) * precision * -0.5 - precision * BETA - x[1] * power
    }
}

#[test]
fn the_no_u_turn_sampler_passes() {
    let sampler = |data: &Vec<f64>, rng: &mut Pcg64| -> Result<Draws, Error> {
        let run = Run { chains: 1, warm_up: 200, draws: 600, seed: rng.random(), ..Run::default() };
        let sampled = run.sample(&Differentiated(Free(data)), &Nuts::default(), &Start::default())?;
        let parameters = |x: &[f64], row: &mut [f64]| row.copy_from_slice(&[x[0], x[1].exp()]);
        nearly_independent(&sampled.draws.map(NAMES, parameters)?, DRAWS)
    };
    let calibration = Calibration { simulations: 400, draws: DRAWS, seed: 12, ..Calibration::default() };
    let report = calibration.run(&Measurements, sampler).unwrap();
    println!("{report}");
    assert!(report.passes(1e-6), "{report}");
}
