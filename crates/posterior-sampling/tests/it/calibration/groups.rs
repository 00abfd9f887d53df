//! A hierarchical model, like the eight schools: groups with means of their own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::target::{Differentiated, Formula};
use posterior_dist::{Density, HalfNormal, Normal};
use posterior_math::autodiff::Real;
use posterior_sampling::calibration::{
    Calibration, CalibrationReport, JointDistribution, JointDistributionReport, SimulationModel,
    nearly_independent,
};
use posterior_sampling::hamiltonian::{Metric, NoUTurn, Nuts};
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::{Draws, Error, Run, Start, State, Transition, Untuned};
use rand::{Rng, RngExt};
use rand_distr::{Distribution, StandardNormal};
use rand_pcg::Pcg64;

const NOISE: [f64; 4] = [0.5, 1.0, 1.5, 1.0];
const MEAN_SD: f64 = 2.0;
const TAU_SD: f64 = 1.5;
const DRAWS: usize = 63;

/// mean ~ N(0, 2), tau ~ N⁺(1.5), effects ~ N(mean, tau), and one observation with known noise of each.
struct Groups;

fn names() -> Vec<String> {
    ["mean", "tau"].into_iter().map(str::to_owned).chain((0..4).map(|j| format!("effect[{j}]"))).collect()
}

impl SimulationModel for Groups {
    type Data = [f64; 4];

    fn names(&self) -> Vec<String> {
        names()
    }

    fn prior<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<f64>, Error> {
        let mean = Normal::mean_sd(0.0, MEAN_SD)?.sample(rng);
        let tau = HalfNormal::new(TAU_SD)?.sample(rng);
        let effects = Normal::mean_sd(mean, tau)?;
        Ok([mean, tau].into_iter().chain((0..4).map(|_| effects.sample(rng))).collect())
    }

    fn simulate<R: Rng + ?Sized>(&self, parameters: &[f64], rng: &mut R) -> Result<[f64; 4], Error> {
        let mut data = [0.0; 4];
        for (j, y) in data.iter_mut().enumerate() {
            let noise: f64 = StandardNormal.sample(rng);
            *y = parameters[2 + j] + NOISE[j] * noise;
        }
        Ok(data)
    }

    fn quantity_names(&self) -> Vec<String> {
        vec!["ln likelihood".to_owned()]
    }

    fn quantities(&self, parameters: &[f64], data: &[f64; 4]) -> Vec<f64> {
        let term = |j: usize| {
            Normal::mean_sd(parameters[2 + j], NOISE[j])
                .map_or(f64::NAN, |distribution| distribution.ln_pdf(&data[j]))
        };
        vec![(0..4).map(term).sum()]
    }
}

/// The posterior in (mean / 2, ln tau, (effect - mean) / tau), up to a constant; `of_map` counts the
/// derivative of tau by ln tau: once is right.
struct Free {
    data: [f64; 4],
    of_map: f64,
}

impl Formula for Free {
    fn dim(&self) -> usize {
        6
    }

    fn ln_density<R: Real>(&self, x: &[R]) -> R {
        let (mean, tau) = (x[0] * MEAN_SD, x[1].exp());
        let prior = (x[0].powi(2) + (tau / TAU_SD).powi(2)) * -0.5 + x[1] * self.of_map;
        let group = |j: usize| {
            let residual = (mean + tau * x[2 + j] - self.data[j]) / NOISE[j];
            (x[2 + j].powi(2) + residual.powi(2)) * -0.5
        };
        prior + (0..4).map(group).sum::<R>()
    }
}

/// From the free coordinates to the parameters.
fn parameters(x: &[f64], row: &mut [f64]) {
    (row[0], row[1]) = (MEAN_SD * x[0], x[1].exp());
    for j in 0..4 {
        row[2 + j] = row[0] + row[1] * x[2 + j];
    }
}

fn by_random_walk(simulations: usize, of_map: f64) -> CalibrationReport {
    let sampler = |data: &[f64; 4], rng: &mut Pcg64| -> Result<Draws, Error> {
        let target = Differentiated(Free { data: *data, of_map });
        let run = Run { chains: 1, warm_up: 2000, draws: DRAWS, thin: 150, ..Run::default() };
        let walk = Untuned(RandomWalk::new(0.6)?);
        let sampled = Run { seed: rng.random(), ..run }.sample(&target, &walk, &Start::At(vec![0.0; 6]))?;
        sampled.draws.map(names(), parameters)
    };
    let calibration = Calibration { simulations, draws: DRAWS, seed: 8, ..Calibration::default() };
    calibration.run(&Groups, sampler).unwrap()
}

#[test]
fn a_random_walk_passes() {
    let report = by_random_walk(400, 1.0);
    println!("{report}");
    assert!(report.passes(1e-6), "{report}");
}

#[test]
fn a_map_without_its_derivative_fails() {
    let report = by_random_walk(400, 0.0);
    println!("{report}");
    assert!(report.named("tau").unwrap().p_value() < 1e-9, "{report}");
    assert!(!report.passes(1e-6), "{report}");
}

#[test]
#[ignore = "slow"]
fn the_no_u_turn_sampler_passes() {
    let sampler = |data: &[f64; 4], rng: &mut Pcg64| -> Result<Draws, Error> {
        let target = Differentiated(Free { data: *data, of_map: 1.0 });
        let run = Run { chains: 1, warm_up: 300, seed: rng.random(), ..Run::default() };
        let sample = |draws: usize| {
            let run = Run { draws, ..run.clone() };
            run.sample(&target, &Nuts::default(), &Start::default())?.draws.map(names(), parameters)
        };
        // Some data leave tau near zero, where draws depend on each other for long.
        match nearly_independent(&sample(600)?, DRAWS) {
            Err(Error::TooDependent { .. }) => nearly_independent(&sample(10_000)?, DRAWS),
            draws => draws,
        }
    };
    let calibration = Calibration { simulations: 250, draws: DRAWS, seed: 14, ..Calibration::default() };
    let report = calibration.run(&Groups, sampler).unwrap();
    println!("{report}");
    assert!(report.passes(1e-6), "{report}");
}

/// One trajectory for each data set, from where the last one ended.
fn trajectories(of_map: f64) -> JointDistributionReport {
    let kernel = |at: &mut Vec<f64>, data: &[f64; 4], rng: &mut Pcg64| {
        let target = Differentiated(Free { data: *data, of_map });
        let nuts = NoUTurn::new(0.4, Metric::unit())?;
        let mut free = vec![at[0] / MEAN_SD, at[1].ln()];
        free.extend(at[2..].iter().map(|effect| (effect - at[0]) / at[1]));
        let mut state = nuts.init(&target, &free)?;
        nuts.step(&target, &mut state, rng)?;
        parameters(state.position(), at);
        Ok(())
    };
    let joint =
        JointDistribution { draws: 50_000, runs: 100, steps: 300, seed: 15, ..JointDistribution::default() };
    joint.run(&Groups, kernel).unwrap()
}

#[test]
fn trajectories_keep_the_joint_distribution() {
    let report = trajectories(1.0);
    println!("{report}");
    assert!(report.passes(1e-6), "{report}");
}

#[test]
fn trajectories_without_the_derivative_of_the_map_lose_it() {
    let report = trajectories(0.0);
    println!("{report}");
    assert!(report.p_value() < 1e-12, "{report}");
}
