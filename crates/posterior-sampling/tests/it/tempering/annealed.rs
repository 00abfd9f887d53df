//! Annealed importance sampling.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::Cell;
use std::convert::Infallible;

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, Target};
use posterior_math::streaming::MeanVariance;
use posterior_sampling::importance::NormalizedTarget;
use posterior_sampling::metropolis::RandomWalk;
use posterior_sampling::tempering::{AnnealedImportance, TemperatureSchedule};
use posterior_sampling::{Error, State, Transition};
use rand::{Rng, TryRng};

use super::{Nothing, conjugate};

/// Numbers that are written down.
struct Script {
    numbers: Vec<u64>,
    read: usize,
}

impl TryRng for Script {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.next_u64() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.read += 1;
        Ok(self.numbers[self.read - 1])
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        dst.fill(0);
        Ok(())
    }
}

const PRIOR: [f64; 3] = [0.2, 0.5, 0.3];

/// A distribution on 0, 1, 2 whose draws are scripted; notes the probability of the draw.
struct Three<'a>(&'a Cell<f64>);

impl Target for Three<'_> {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(PRIOR[x[0] as usize].ln())
    }
}

impl NormalizedTarget for Three<'_> {
    fn draw<R: Rng + ?Sized>(&self, rng: &mut R, x: &mut [f64]) {
        let state = rng.next_u64() as usize;
        self.0.set(self.0.get() * PRIOR[state]);
        x[0] = state as f64;
    }
}

/// Metropolis on 0, 1, 2 with scripted moves; notes the probability of the move.
struct Scripted<'a> {
    probability: &'a Cell<f64>,
    acceptance: fn(f64) -> f64,
}

struct At([f64; 1]);

impl State for At {
    fn position(&self) -> &[f64] {
        &self.0
    }

    fn ln_density(&self) -> f64 {
        f64::NAN
    }
}

impl<T: Target> Transition<T> for Scripted<'_> {
    type State = At;
    type Info = Nothing;

    fn init(&self, _: &T, position: &[f64]) -> Result<At, Error> {
        Ok(At([position[0]]))
    }

    fn step<R: Rng + ?Sized>(&self, target: &T, state: &mut At, rng: &mut R) -> Result<Nothing, Error> {
        let ln_here = target.ln_density(&state.0)?;
        let to = |k: usize| {
            let ln_ratio = target.ln_density(&[k as f64])? - ln_here;
            Ok::<f64, Error>(if k as f64 == state.0[0] {
                0.0
            } else {
                0.5 * (self.acceptance)(ln_ratio.exp())
            })
        };
        let row = [to(0)?, to(1)?, to(2)?];
        let next = rng.next_u64() as usize;
        let stay = 1.0 - row.iter().sum::<f64>();
        let probability = if next as f64 == state.0[0] { stay } else { row[next] };
        self.probability.set(self.probability.get() * probability);
        state.0[0] = next as f64;
        Ok(Nothing)
    }
}

/// The expectation of the weight over all paths of a model of three states, one by one.
fn expected_weight(likelihood: [f64; 3], betas: &[f64], moves: usize, acceptance: fn(f64) -> f64) -> f64 {
    let target = FromFn::new(1, move |x: &[f64]| likelihood[x[0] as usize].ln());
    let annealed = AnnealedImportance {
        moves,
        ..AnnealedImportance::new(TemperatureSchedule::new(betas.to_vec()).unwrap())
    };
    let digits = 1 + moves * (betas.len() - 2);
    let mut sum = 0.0;
    for number in 0..3_u64.pow(digits as u32) {
        let numbers: Vec<u64> = (0..digits as u32).map(|digit| number / 3_u64.pow(digit) % 3).collect();
        let probability = Cell::new(1.0);
        let prior = Three(&probability);
        let mut script = Script { numbers, read: 0 };
        let kernel = |_: f64| Ok(Scripted { probability: &probability, acceptance });
        let path = annealed.path(&prior, &target, kernel, &mut script).unwrap();
        // Paths that end early at a likelihood of zero come several times, with weight zero.
        assert!(script.read == digits || path.ln_weight == f64::NEG_INFINITY);
        sum += probability.get() * path.ln_weight.exp();
    }
    sum
}

#[test]
fn the_expected_weight_is_the_evidence() {
    let metropolis = |ratio: f64| ratio.min(1.0);
    let betas = [0.0, 0.1, 0.35, 0.7, 1.0];
    for (likelihood, evidence) in [([2.0, 1.2, 0.7], 0.4 + 0.6 + 0.21), ([2.0, 0.0, 0.7], 0.4 + 0.21)] {
        for moves in [0, 1, 2] {
            let expected = expected_weight(likelihood, &betas, moves, metropolis);
            assert!((expected - evidence).abs() < 1e-14, "{moves}: {expected}, not {evidence}");
        }
        let barker = expected_weight(likelihood, &betas, 1, |ratio| ratio / (1.0 + ratio));
        assert!((barker - evidence).abs() < 1e-14, "{barker}");
        // A kernel that leaves another distribution alone is found out.
        let wrong = expected_weight(likelihood, &betas, 1, |ratio| if ratio > 0.0 { 0.7 } else { 0.0 });
        assert!((wrong - evidence).abs() > 1e-3, "{wrong}");
    }
}

#[test]
fn the_evidence_of_a_conjugate_model_is_found() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let annealed = AnnealedImportance {
        paths: 1500,
        moves: 2,
        seed: 4,
        ..AnnealedImportance::new(TemperatureSchedule::power(60, 4.0).unwrap())
    };
    let kernel = |beta: f64| Ok(RandomWalk::new(0.8 / (0.15 + beta).sqrt()).unwrap());
    let sample = annealed.run(&prior, &likelihood, kernel).unwrap();
    let evidence = sample.weights().ln_mean().unwrap();
    assert!(evidence.standard_error < 0.05, "{evidence:?}");
    assert!((evidence.ln_value - model.ln_evidence).abs() < 4.0 * evidence.standard_error, "{evidence:?}");
    for i in 0..3 {
        let mean = sample.expectation(|x| x[i]).unwrap();
        assert!((mean.value - model.posterior.mean()[i]).abs() < 4.0 * mean.standard_error, "{i} {mean:?}");
    }
    // Two steps from the prior: importance sampling from the prior, and far worse.
    let short = AnnealedImportance {
        paths: 1500,
        ..AnnealedImportance::new(TemperatureSchedule::power(1, 1.0).unwrap())
    };
    let short = short.run(&prior, &likelihood, kernel).unwrap();
    assert!(short.weights().ess() < 0.3 * sample.weights().ess());
}

#[test]
fn the_mean_of_many_small_runs_has_no_bias() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let annealed = AnnealedImportance {
        paths: 20_000,
        seed: 9,
        ..AnnealedImportance::new(TemperatureSchedule::power(6, 3.0).unwrap())
    };
    let sample = annealed.run(&prior, &likelihood, |_| Ok(RandomWalk::new(0.7).unwrap())).unwrap();
    let ratios: MeanVariance =
        sample.weights().ln().iter().map(|ln| (ln - model.ln_evidence).exp()).collect();
    let error = (ratios.sample_variance() / 20_000.0).sqrt();
    assert!((ratios.mean() - 1.0).abs() < 4.5 * error && error < 0.05, "{} ± {error}", ratios.mean());
}

#[test]
fn paths_depend_on_the_seed_alone() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let kernel = |_: f64| Ok(RandomWalk::new(0.5).unwrap());
    let annealed = AnnealedImportance {
        paths: 40,
        seed: 3,
        ..AnnealedImportance::new(TemperatureSchedule::power(5, 1.0).unwrap())
    };
    let sample = annealed.run(&prior, &likelihood, kernel).unwrap();
    let third = annealed.path(&prior, &likelihood, kernel, &mut stream(3, &[2])).unwrap();
    assert_eq!(sample.points().nth(2).unwrap(), third.position);
    assert_eq!(sample.weights().ln()[2], third.ln_weight);
    #[cfg(feature = "rayon")]
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| annealed.run(&prior, &likelihood, kernel)).unwrap(), sample);
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let model = conjugate();
    let (prior, likelihood) = (model.prior(), model.likelihood());
    let kernel = |_: f64| Ok(RandomWalk::new(0.5).unwrap());
    let annealed = AnnealedImportance::new(TemperatureSchedule::power(5, 1.0).unwrap());
    let none =
        AnnealedImportance { paths: 0, ..annealed.clone() }.run(&prior, &likelihood, kernel).unwrap_err();
    assert_eq!(none.to_string(), "AnnealedImportance: paths = 0 must be positive");
    let plane = FromFn::new(2, |_: &[f64]| 0.0);
    assert!(matches!(annealed.run(&prior, &plane, kernel), Err(Error::Dimension { .. })));
    let nowhere = FromFn::new(3, |_: &[f64]| f64::NEG_INFINITY);
    assert!(matches!(annealed.run(&prior, &nowhere, kernel), Err(Error::NoWeight { draws: 1000 })));
    let undefined = FromFn::new(3, |x: &[f64]| if x[0] > 0.0 { f64::NAN } else { 0.0 });
    let sample = annealed.run(&prior, &undefined, kernel).unwrap();
    assert!((400..600).contains(&sample.rejected()));
}
