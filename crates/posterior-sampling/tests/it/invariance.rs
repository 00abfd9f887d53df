//! Does a kernel leave a distribution alone? Exact draws, a few steps each, and still the distribution; and
//! other promises that all kernels make.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, GradTarget, Target};
#[cfg(feature = "serde")]
use posterior_sampling::Adapt;
use posterior_sampling::{State, Transition};
use posterior_testkit::significance::{chi_square_p_value, kolmogorov_smirnov_p_value};
use rand::{Rng, RngExt};

/// x₀ of Gumbel's distribution and x₁ - x₀/2 of the logistic distribution: skewed, dependent, and drawn by
/// inversion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skewed;

impl Target for Skewed {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let u = x[1] - 0.5 * x[0];
        Ok(-x[0] - (-x[0]).exp() - u.abs() - 2.0 * (-u.abs()).exp().ln_1p())
    }
}

impl GradTarget for Skewed {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let slope = -(0.5 * (x[1] - 0.5 * x[0])).tanh();
        gradient.copy_from_slice(&[(-x[0]).exp_m1() - 0.5 * slope, slope]);
        self.ln_density(x)
    }
}

impl Skewed {
    pub(crate) fn draw<R: Rng + ?Sized>(rng: &mut R) -> Vec<f64> {
        let mut open = || 1.0 - rng.random::<f64>();
        let (first, second) = (open(), open().min(1.0 - 1e-16));
        let x = -(-first.min(1.0 - 1e-16).ln()).ln();
        vec![x, 0.5 * x + (second / (1.0 - second)).ln()]
    }

    /// The two uniform numbers that a draw is made of.
    fn uniforms(x: &[f64]) -> [f64; 2] {
        [(-(-x[0]).exp()).exp(), 1.0 / (1.0 + (0.5 * x[0] - x[1]).exp())]
    }

    /// The least p-value of three tests that the points are draws: both uniform numbers, and their cells of a
    /// 6 × 6 grid.
    pub(crate) fn p_value(points: &[Vec<f64>]) -> f64 {
        let uniforms: Vec<[f64; 2]> = points.iter().map(|x| Self::uniforms(x)).collect();
        let mut cells = [0_u64; 36];
        for [a, b] in &uniforms {
            let cell = |u: f64| ((u * 6.0) as usize).min(5);
            cells[6 * cell(*a) + cell(*b)] += 1;
        }
        let margin = |i: usize| {
            let one: Vec<f64> = uniforms.iter().map(|u| u[i]).collect();
            kolmogorov_smirnov_p_value(&one, |u| u.clamp(0.0, 1.0))
        };
        let joint = chi_square_p_value(&cells, &[points.len() as f64 / 36.0; 36]);
        margin(0).min(margin(1)).min(joint)
    }
}

/// The least p-value after `steps` steps of `kernel` on `target` from each of 30,000 exact draws of
/// [`Skewed`].
pub(crate) fn p_value_of<T: Target, K: Transition<T>>(
    target: &T,
    kernel: &K,
    steps: usize,
    seed: u64,
) -> f64 {
    let mut rng = stream(seed, &[]);
    let mut state = kernel.init(target, &[0.5, 0.5]).unwrap();
    let points: Vec<Vec<f64>> = (0..30_000)
        .map(|_| {
            kernel.relocate(target, &mut state, &Skewed::draw(&mut rng), f64::NAN).unwrap();
            (0..steps).for_each(|_| drop(kernel.step(target, &mut state, &mut rng).unwrap()));
            state.position().to_vec()
        })
        .collect();
    Skewed::p_value(&points)
}

pub(crate) fn mean_of(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// The mean over chains of f, and its standard error from means of 20 batches of each chain.
pub(crate) fn estimate(chains: &[Vec<f64>], f: impl Fn(f64) -> f64) -> (f64, f64) {
    let batches: Vec<f64> = chains
        .iter()
        .flat_map(|chain| chain.chunks(chain.len() / 20))
        .map(|batch| batch.iter().map(|&x| f(x)).sum::<f64>() / batch.len() as f64)
        .collect();
    let mean = mean_of(&batches);
    let spread = batches.iter().map(|b| (b - mean).powi(2)).sum::<f64>();
    let n = batches.len() as f64;
    (mean, (spread / (n * (n - 1.0))).sqrt())
}

#[test]
fn exact_draws_pass_and_others_do_not() {
    let mut rng = stream(1, &[]);
    let mut draws: Vec<Vec<f64>> = (0..30_000).map(|_| Skewed::draw(&mut rng)).collect();
    assert!(Skewed::p_value(&draws) > 1e-3);
    for x in &mut draws {
        x[1] += 0.1;
    }
    assert!(Skewed::p_value(&draws) < 1e-6);
}

/// A chain that is written down in the middle of its warm-up, and again behind it, goes on to the same bits.
#[cfg(feature = "serde")]
pub(crate) fn resumes_to_the_bit<T, A>(target: &T, sampler: &A, start: &posterior_sampling::Start)
where
    T: Target + Sync,
    A: Adapt<T> + Sync,
    A::Tuned:
        Transition<T> + serde::Serialize + serde::de::DeserializeOwned + Send + PartialEq + std::fmt::Debug,
    A::Progress: serde::Serialize + serde::de::DeserializeOwned + Send,
    <A::Tuned as Transition<T>>::State: serde::Serialize + serde::de::DeserializeOwned + Send,
    <A::Tuned as Transition<T>>::Info: posterior_sampling::Info,
{
    let run = posterior_sampling::Run {
        chains: 2,
        warm_up: 40,
        draws: 30,
        seed: 11,
        ..posterior_sampling::Run::default()
    };
    let whole = run.sample(target, sampler, start).unwrap();
    let mut chains = run.start(target, sampler, start).unwrap();
    for steps in [17, 33] {
        chains.advance(target, sampler, steps).unwrap();
        let written = serde_json::to_string(&chains).unwrap();
        chains = serde_json::from_str(&written).unwrap();
    }
    chains.advance(target, sampler, usize::MAX).unwrap();
    let resumed = chains.finish().unwrap();
    assert_eq!(resumed.chains, whole.chains);
    for (again, first) in (0..2).map(|i| (resumed.draws.parameter(i), whole.draws.parameter(i))) {
        assert_eq!(again, first);
    }
}
