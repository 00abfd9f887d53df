//! Metropolis-Hastings.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, FromGradFn, GradTarget, Target};
use posterior_gaussian::Gaussian;
use posterior_math::linalg::{DMatrix, DVector, eigenvalues};
use posterior_sampling::metropolis::{
    AdaptiveLangevin, AdaptiveWalk, FiniteMetropolis, IndependenceSampler, Langevin, LearnedShape, OnBlock,
    Proposal, RandomWalk, StepShape,
};
use posterior_sampling::{Error, Run, Start, State, Transition, Untuned};
use posterior_testkit::significance::{LEVEL, chi_square_p_value};
use rand::{Rng, RngExt};

#[cfg(feature = "serde")]
use crate::invariance::resumes_to_the_bit;
use crate::invariance::{Skewed, estimate, mean_of, p_value_of};

/// x₀ times a factor between 1/2 and 2 of its distance from -3, and its ratio: right, or forgotten.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    ratio: f64,
}

impl Proposal for Stretch {
    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        let step = rng.random_range(-0.7..0.7_f64);
        to.copy_from_slice(from);
        to[0] = (from[0] + 3.0) * step.exp() - 3.0;
        self.ratio * step
    }
}

fn covariance() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 2, &[1.6, 0.8, 0.8, 3.7])
}

#[test]
fn every_kernel_leaves_a_skewed_distribution_alone() {
    let dense = StepShape::dense(&covariance()).unwrap();
    let diagonal = StepShape::diagonal(&[1.3, 1.9]).unwrap();
    let gaussian = Gaussian::new(&[0.5, 0.3], &(covariance() * 1.5)).unwrap();
    let walk = RandomWalk::new(1.4).unwrap();
    let p_values = [
        p_value_of(&Skewed, &walk, 3, 1),
        p_value_of(&Skewed, &walk.clone().with_shape(diagonal.clone()), 3, 2),
        p_value_of(&Skewed, &RandomWalk::optimal(dense.clone(), 2), 3, 3),
        p_value_of(&Skewed, &Langevin::new(1.2).unwrap(), 3, 4),
        p_value_of(&Skewed, &Langevin::new(1.2).unwrap().with_shape(diagonal), 3, 5),
        p_value_of(&Skewed, &Langevin::new(1.2).unwrap().with_shape(dense), 3, 6),
        p_value_of(&Skewed, &IndependenceSampler(gaussian), 3, 7),
        p_value_of(&Skewed, &Stretch { ratio: 1.0 }, 3, 8),
        p_value_of(&Skewed, &OnBlock::new(&[1], RandomWalk::new(2.0).unwrap()).unwrap(), 3, 9),
    ];
    assert!(p_values.iter().all(|&p| p > LEVEL), "{p_values:?}");
    // A forgotten ratio, a wrong one, and a gradient that is not that of the density where the chain thinks
    // that it is.
    for ratio in [0.0, -1.0, 2.0] {
        assert!(p_value_of(&Skewed, &Stretch { ratio }, 3, 8) < LEVEL, "{ratio}");
    }
}

/// The noise of a Langevin step without its acceptance: what MALA corrects.
struct Unadjusted;

impl Proposal for Unadjusted {
    fn propose<R: Rng + ?Sized>(&self, from: &[f64], to: &mut [f64], rng: &mut R) -> f64 {
        RandomWalk::new(1.2).unwrap().propose(from, to, rng);
        let mut gradient = [0.0; 2];
        Skewed.ln_density_grad(from, &mut gradient).unwrap();
        to.iter_mut().zip(gradient).for_each(|(to, slope)| *to += 0.72 * slope);
        0.0
    }
}

#[test]
fn langevin_without_its_ratio_is_found_out() {
    assert!(p_value_of(&Skewed, &Unadjusted, 3, 4) < LEVEL);
}

#[test]
fn detailed_balance_is_exact_on_a_finite_space() {
    let ln_weights = [0.3, -1.0, 0.0, f64::NEG_INFINITY, 1.7];
    let mut rng = stream(3, &[]);
    // Any proposals, some without a way back.
    let mut proposal = DMatrix::from_fn(5, 5, |_, _| rng.random::<f64>());
    (proposal[(0, 2)], proposal[(4, 1)]) = (0.0, 0.0);
    for mut row in proposal.row_iter_mut() {
        let sum = row.sum();
        row /= sum;
    }
    let chain = FiniteMetropolis::new(&ln_weights, &proposal).unwrap();
    let matrix = chain.transition_matrix();
    let total: f64 = ln_weights.iter().map(|w: &f64| w.exp()).sum();
    let distribution: Vec<f64> = ln_weights.iter().map(|w| w.exp() / total).collect();
    for i in 0..5 {
        assert!((matrix.row(i).sum() - 1.0).abs() < 1e-15);
        for j in 0..5 {
            let (forth, back) = (distribution[i] * matrix[(i, j)], distribution[j] * matrix[(j, i)]);
            assert!((forth - back).abs() < 1e-16, "{i} {j}: {forth} {back}");
        }
    }
    // By hand: from 0 to 1, and no way from 2 to 0 because there is none back.
    let a = (-1.3_f64).exp() * proposal[(1, 0)] / proposal[(0, 1)];
    assert!((matrix[(0, 1)] - proposal[(0, 1)] * a.min(1.0)).abs() < 1e-15);
    assert_eq!((matrix[(2, 0)], matrix[(0, 3)]), (0.0, 0.0));
    // And the steps that are taken are those of the matrix.
    for from in 0..5 {
        let mut counts = [0_u64; 5];
        (0..40_000).for_each(|_| counts[chain.step(from, &mut rng).unwrap()] += 1);
        let expected: Vec<f64> = matrix.row(from).iter().map(|p| 40_000.0 * p).collect();
        assert!(chi_square_p_value(&counts, &expected) > LEVEL, "{from}: {counts:?} {expected:?}");
    }
    // Without the proposals in the ratio, the balance is lost.
    let broken = proposal[(0, 1)] * (-1.3_f64).exp().min(1.0);
    assert!((distribution[0] * broken - distribution[1] * proposal[(1, 0)]).abs() > 1e-3);
}

#[test]
fn a_finite_chain_that_cannot_be_is_refused() {
    let flip = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 1.0, 0.0]);
    assert!(FiniteMetropolis::new(&[0.0], &flip).is_err());
    assert!(FiniteMetropolis::new(&[f64::NEG_INFINITY; 2], &flip).is_err());
    let nan = FiniteMetropolis::new(&[0.0, f64::NAN], &flip).unwrap_err();
    assert_eq!(nan.to_string(), "FiniteMetropolis: ln_weights[1] = NaN must be a number or -inf");
    let half = DMatrix::from_row_slice(2, 2, &[0.0, 1.0, 0.5, 0.0]);
    assert!(
        FiniteMetropolis::new(&[0.0, 0.0], &half).unwrap_err().to_string().contains("[1] = 0.5 must be 1")
    );
    let chain = FiniteMetropolis::new(&[0.0, 0.0], &flip).unwrap();
    assert!(chain.step(2, &mut stream(1, &[])).is_err());
}

/// A normal distribution in `dim` dimensions with variances 1, 4, 9, ... and correlation `rho` between
/// neighbours.
fn correlated(dim: usize, rho: f64) -> (impl GradTarget + Sync, DMatrix<f64>) {
    let covariance =
        DMatrix::from_fn(dim, dim, |i, j| (i + 1) as f64 * (j + 1) as f64 * rho.powf(i.abs_diff(j) as f64));
    let precision = covariance.clone().try_inverse().unwrap();
    let target = FromGradFn::new(dim, move |x: &[f64], gradient: &mut [f64]| {
        let x = DVector::from_column_slice(x);
        let slope = &precision * &x;
        gradient.copy_from_slice((-&slope).as_slice());
        -0.5 * x.dot(&slope)
    });
    (target, covariance)
}

#[test]
fn adaptive_walks_find_scale_and_shape() {
    let (target, covariance) = correlated(5, 0.9);
    let run = Run { warm_up: 10_000, draws: 40_000, seed: 3, ..Run::default() };
    let sampled = run.sample(&target, &AdaptiveWalk::default(), &Start::default()).unwrap();
    for chain in &sampled.chains {
        // The fitted shape whitens the distribution: all eigenvalues of Σ⁻¹ S are near each other.
        let learned = chain.tuned.shape().covariance(5);
        let whitened = covariance.clone().cholesky().unwrap().inverse() * learned;
        let found = eigenvalues(&whitened).unwrap();
        assert!(found.iter().all(|value| (0.6..1.6).contains(&value.re)), "{found:?}");
        assert!(
            (0.8..1.5).contains(&(chain.tuned.scale() / (2.38 / 5.0_f64.sqrt()))),
            "{}",
            chain.tuned.scale()
        );
    }
    let rate = mean_of(&sampled.draws.statistic("acceptance_rate").unwrap().concat());
    assert!((rate - 0.275).abs() < 0.03, "{rate}");
    for i in 0..5 {
        let chains = sampled.draws.parameter(i);
        let (mean, error) = estimate(&chains, |x| x);
        assert!(mean.abs() < 4.0 * error, "{i}: {mean} {error}");
        let (square, error) = estimate(&chains, |x| x * x);
        assert!((square - covariance[(i, i)]).abs() < 4.0 * error, "{i}: {square} {error}");
    }
}

#[test]
fn adaptive_langevin_finds_its_step() {
    let run = Run { warm_up: 4000, draws: 10_000, seed: 4, ..Run::default() };
    // A diagonal shape mixes slowly where coordinates go together, and its rate is then that of few effective
    // steps.
    for (rho, learned) in [(0.9, LearnedShape::Covariance), (0.5, LearnedShape::Diagonal)] {
        let (target, covariance) = correlated(5, rho);
        let sampler = AdaptiveLangevin { learned, ..AdaptiveLangevin::default() };
        let sampled = run.sample(&target, &sampler, &Start::default()).unwrap();
        let rate = mean_of(&sampled.draws.statistic("acceptance_rate").unwrap().concat());
        assert!((rate - 0.574).abs() < 0.05, "{rate}");
        for i in 0..5 {
            let chains = sampled.draws.parameter(i);
            let (mean, error) = estimate(&chains, |x| x);
            assert!(mean.abs() < 4.0 * error, "{i}: {mean} {error}");
            let (square, error) = estimate(&chains, |x| x * x);
            assert!((square - covariance[(i, i)]).abs() < 4.0 * error, "{i}: {square} {error}");
        }
    }
}

#[test]
fn the_scale_alone_is_tuned_in_one_dimension() {
    let target = FromFn::new(1, |x: &[f64]| -0.5 * (x[0] / 100.0).powi(2));
    let run = Run { warm_up: 2000, draws: 4000, seed: 5, ..Run::default() };
    let sampled = run
        .sample(
            &target,
            &AdaptiveWalk { learned: LearnedShape::Scale, ..AdaptiveWalk::default() },
            &Start::default(),
        )
        .unwrap();
    let rate = mean_of(&sampled.draws.statistic("acceptance_rate").unwrap().concat());
    assert!((rate - 0.44).abs() < 0.03, "{rate}");
    // The best scale of a normal distribution is 2.4 standard deviations.
    assert!(sampled.chains.iter().all(|chain| (180.0..320.0).contains(&chain.tuned.scale())));
}

#[test]
fn the_scale_is_frozen_after_the_warm_up_and_none_is_learned_without() {
    let (target, _) = correlated(2, 0.5);
    let run = Run { chains: 1, warm_up: 0, draws: 10, ..Run::default() };
    let sampled = run.sample(&target, &AdaptiveWalk::default(), &Start::default()).unwrap();
    assert_eq!(sampled.chains[0].tuned.scale(), 2.38 / 2.0_f64.sqrt());
    assert_eq!(sampled.chains[0].tuned.shape().covariance(2), DMatrix::identity(2, 2));
    let tuned = |draws| {
        let run = Run { chains: 1, warm_up: 50, draws, ..Run::default() };
        run.sample(&target, &AdaptiveWalk::default(), &Start::default()).unwrap().chains[0].tuned.clone()
    };
    assert_eq!(tuned(1), tuned(100));
}

#[test]
fn points_without_a_value_are_refused_and_counted() {
    // ln p has no value, or is +∞, right of 1: what is left is the normal distribution truncated there.
    struct Edge(f64);
    impl Target for Edge {
        fn dim(&self) -> usize {
            1
        }
        fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
            Ok(if x[0] > 1.0 { self.0 } else { -0.5 * x[0] * x[0] })
        }
    }
    let run = Run { draws: 5000, seed: 2, ..Run::default() };
    let walk = Untuned(RandomWalk::new(1.5).unwrap());
    let draws = |edge: f64| run.sample(&Edge(edge), &walk, &Start::At(vec![0.0])).unwrap().draws;
    let zero = draws(f64::NEG_INFINITY);
    assert_eq!(zero.statistic("no_value").unwrap().concat().iter().sum::<f64>(), 0.0);
    for edge in [f64::NAN, f64::INFINITY] {
        let refused = draws(edge);
        assert_eq!(refused.parameter(0), zero.parameter(0));
        let marked = refused.statistic("no_value").unwrap().concat().iter().sum::<f64>();
        // P(x + 1.5 z > 1) for a truncated normal x is about 0.15.
        assert!((2000.0..6000.0).contains(&marked), "{marked}");
    }
}

#[test]
fn a_gradient_without_a_value_is_refused_too() {
    let target = FromGradFn::new(1, |x: &[f64], gradient: &mut [f64]| {
        gradient[0] = if x[0] > 1.0 { f64::NAN } else { -x[0] };
        -0.5 * x[0] * x[0]
    });
    let run = Run { draws: 2000, seed: 2, ..Run::default() };
    let sampled = run.sample(&target, &Untuned(Langevin::new(1.0).unwrap()), &Start::At(vec![0.0])).unwrap();
    assert!(sampled.draws.parameter(0).concat().iter().all(|&x| x <= 1.0));
    assert!(sampled.draws.statistic("no_value").unwrap().concat().iter().sum::<f64>() > 100.0);
    let start =
        run.sample(&target, &Untuned(Langevin::new(1.0).unwrap()), &Start::At(vec![2.0])).unwrap_err();
    assert_eq!(start.to_string(), "no chain can start at (2.0000): coordinate 0 of the gradient is NaN");
}

#[test]
fn a_target_that_ends_the_run_leaves_the_state() {
    struct Failing(AtomicUsize);
    impl Target for Failing {
        fn dim(&self) -> usize {
            1
        }
        fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
            let calls = self.0.fetch_add(1, Ordering::Relaxed);
            if calls > 0 { Err(EvalError::fatal("the file is gone")) } else { Ok(0.0) }
        }
    }
    let (target, walk) = (Failing(AtomicUsize::new(0)), RandomWalk::new(1.0).unwrap());
    let mut state = walk.init(&target, &[0.25]).unwrap();
    let ended = walk.step(&target, &mut state, &mut stream(1, &[])).unwrap_err();
    assert!(matches!(ended, Error::Target(_)), "{ended}");
    assert_eq!((state.position(), state.ln_density()), ([0.25].as_slice(), 0.0));
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(
        RandomWalk::new(0.0).is_err() && RandomWalk::new(f64::NAN).is_err() && Langevin::new(-1.0).is_err()
    );
    assert!(OnBlock::new(&[], RandomWalk::new(1.0).unwrap()).is_err());
    let twice = OnBlock::new(&[0, 2, 0], RandomWalk::new(1.0).unwrap()).unwrap_err();
    assert_eq!(twice.to_string(), "OnBlock: coordinates[2] = 0 must be listed once");
    let block = OnBlock::new(&[2], RandomWalk::new(1.0).unwrap()).unwrap();
    assert!(matches!(block.init(&Skewed, &[0.0, 0.0]), Err(Error::Dimension { .. })));
    let wide = RandomWalk::new(1.0).unwrap().with_shape(StepShape::diagonal(&[1.0; 3]).unwrap());
    assert!(matches!(
        wide.init(&Skewed, &[0.0, 0.0]),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 3, .. }))
    ));
    assert!(matches!(wide.init(&Skewed, &[0.0]), Err(Error::Dimension { .. })));
    let other = IndependenceSampler(Gaussian::new(&[0.0; 3], &DMatrix::identity(3, 3)).unwrap());
    assert!(other.init(&Skewed, &[0.0, 0.0]).unwrap_err().is_start());
    let run = Run::default();
    assert!(
        run.sample(&Skewed, &AdaptiveWalk { goal: Some(1.5), ..AdaptiveWalk::default() }, &Start::default())
            .is_err()
    );
    assert!(
        run.sample(
            &Skewed,
            &AdaptiveLangevin { goal: f64::NAN, ..AdaptiveLangevin::default() },
            &Start::default()
        )
        .is_err()
    );
}

#[test]
fn first_draws_are_pinned() {
    let run = Run { chains: 1, warm_up: 20, draws: 200, seed: 1, ..Run::default() };
    let last = |draws: &posterior_sampling::Draws| [draws.parameter(0)[0][199], draws.parameter(1)[0][199]];
    let walk = run.sample(&Skewed, &AdaptiveWalk::default(), &Start::default()).unwrap().draws;
    let langevin = run.sample(&Skewed, &AdaptiveLangevin::default(), &Start::default()).unwrap().draws;
    assert_eq!(
        format!("{:.9?} {:.9?}", last(&walk), last(&langevin)),
        "[-0.082663240, 1.460506253] [0.196841094, -2.229012301]"
    );
}

#[cfg(feature = "serde")]
#[test]
fn chains_resume_to_the_bit() {
    let start = Start::default();
    resumes_to_the_bit(&Skewed, &AdaptiveWalk::default(), &start);
    resumes_to_the_bit(
        &Skewed,
        &AdaptiveWalk { learned: LearnedShape::Diagonal, ..AdaptiveWalk::default() },
        &start,
    );
    resumes_to_the_bit(&Skewed, &AdaptiveLangevin::default(), &start);
    // Also where the last proposal had no value: JSON has no word for NaN.
    let edge = FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        gradient.copy_from_slice(&[if x[0] > 0.5 { f64::NAN } else { -x[0] }, -x[1]]);
        if x[1] > 0.5 { f64::NAN } else { -0.5 * (x[0] * x[0] + x[1] * x[1]) }
    });
    resumes_to_the_bit(&edge, &AdaptiveLangevin::default(), &Start::At(vec![0.0, 0.0]));
    resumes_to_the_bit(&Skewed, &Untuned(RandomWalk::new(1.0).unwrap()), &start);
    let block = OnBlock::new(&[1], RandomWalk::new(1.0).unwrap()).unwrap();
    resumes_to_the_bit(&Skewed, &Untuned(block), &start);
}
