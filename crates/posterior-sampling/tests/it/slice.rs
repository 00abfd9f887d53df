//! Slice samplers.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, Target};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_sampling::metropolis::StepShape;
use posterior_sampling::slice::{
    AdaptiveHyperrectangle, AdaptiveSlice, Elliptical, Expansion, Hyperrectangle, Slice,
};
use posterior_sampling::{Error, Run, Start, State, Transition, Untuned};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};

#[cfg(feature = "serde")]
use crate::invariance::resumes_to_the_bit;
use crate::invariance::{Skewed, estimate, p_value_of};

fn slice(widths: [f64; 2], expansion: Expansion) -> Slice {
    Slice::new(&widths).unwrap().with_expansion(expansion).unwrap()
}

/// The skewed distribution without the prior N(m, S) that an elliptical slice adds.
struct OverPrior {
    mean: [f64; 2],
    precision: DMatrix<f64>,
}

impl Target for OverPrior {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let centred = DVector::from_iterator(2, x.iter().zip(self.mean).map(|(x, m)| x - m));
        Ok(Skewed.ln_density(x)? + 0.5 * centred.dot(&(&self.precision * &centred)))
    }
}

#[test]
fn every_sampler_leaves_a_skewed_distribution_alone() {
    let stepping = |limit| Expansion::SteppingOut { limit };
    let doubling = |limit| Expansion::Doubling { limit };
    let p_values = [
        p_value_of(&Skewed, &slice([1.0, 3.0], stepping(None)), 1, 1),
        p_value_of(&Skewed, &slice([0.3, 20.0], stepping(None)), 1, 2),
        p_value_of(&Skewed, &slice([1.0, 0.7], stepping(Some(1))), 3, 3),
        p_value_of(&Skewed, &slice([0.5, 0.7], stepping(Some(4))), 2, 4),
        p_value_of(&Skewed, &slice([0.3, 1.0], doubling(None)), 1, 5),
        p_value_of(&Skewed, &slice([0.4, 0.2], doubling(Some(3))), 2, 6),
        p_value_of(&Skewed, &slice([0.02, 0.02], doubling(None)), 1, 7),
        p_value_of(&Skewed, &Hyperrectangle::new(&[4.0, 6.0]).unwrap(), 2, 8),
        p_value_of(&Skewed, &Hyperrectangle::new(&[1.0, 1.5]).unwrap(), 3, 9),
    ];
    assert!(p_values.iter().all(|&p| p > LEVEL), "{p_values:?}");
}

#[test]
fn elliptical_slices_leave_prior_times_likelihood_alone() {
    let covariance = DMatrix::from_row_slice(2, 2, &[30.0, 9.0, 9.0, 50.0]);
    let mean = [0.4, -0.6];
    let likelihood = OverPrior { mean, precision: covariance.clone().try_inverse().unwrap() };
    let sampler = |mean: &[f64], factor: f64| {
        Elliptical::new(mean, StepShape::dense(&(&covariance * factor)).unwrap()).unwrap()
    };
    assert!(p_value_of(&likelihood, &sampler(&mean, 1.0), 1, 10) > LEVEL);
    assert!(p_value_of(&likelihood, &sampler(&mean, 1.0), 4, 11) > LEVEL);
    // A prior hardly wider than the distribution: most arcs are long.
    let close = &covariance * 0.08;
    let likelihood_of_close = OverPrior { mean, precision: close.clone().try_inverse().unwrap() };
    let kernel = Elliptical::new(&mean, StepShape::dense(&close).unwrap()).unwrap();
    assert!(p_value_of(&likelihood_of_close, &kernel, 4, 12) > LEVEL);
    // Of another prior, the distribution is another one.
    assert!(p_value_of(&likelihood, &sampler(&mean, 0.5), 4, 11) < LEVEL);
    assert!(p_value_of(&likelihood, &sampler(&[2.4, -0.6], 1.0), 4, 11) < LEVEL);
}

#[test]
fn doubling_finds_the_other_peak_and_its_way_back() {
    // Two narrow peaks: intervals that were doubled from one of them hold the other more often than the other
    // way round.
    let peaks = |x: f64| {
        let peak = |at: f64, scale: f64| -0.5 * ((x - at) / scale).powi(2) - scale.ln();
        let (a, b) = (peak(0.0, 0.1), 0.5_f64.ln() + peak(3.0, 0.6));
        a.max(b) + (-(a - b).abs()).exp().ln_1p()
    };
    let cdf = |x: f64| {
        let normal = |z: f64| posterior_math::special::normal_cdf(z);
        (normal(x / 0.1) + 0.5 * normal((x - 3.0) / 0.6)) / 1.5
    };
    let target = FromFn::new(1, move |x: &[f64]| peaks(x[0]));
    let kernel = |limit| Slice::new(&[0.3]).unwrap().with_expansion(Expansion::Doubling { limit }).unwrap();
    let p_value = |limit, seed| {
        let mut rng = stream(seed, &[]);
        let chain = kernel(limit);
        let mut state = chain.init(&target, &[0.0]).unwrap();
        let draws: Vec<f64> = (0..40_000)
            .map(|i| {
                let z: f64 = rand::RngExt::random::<f64>(&mut rng);
                let z = posterior_math::special::normal_quantile(z.clamp(1e-12, 1.0 - 1e-12));
                let start = if i % 3 == 0 { 3.0 + 0.6 * z } else { 0.1 * z };
                chain.relocate(&target, &mut state, &[start], f64::NAN).unwrap();
                for _ in 0..3 {
                    let _ = chain.step(&target, &mut state, &mut rng).unwrap();
                }
                state.position()[0]
            })
            .collect();
        kolmogorov_smirnov_p_value(&draws, cdf)
    };
    for (limit, seed) in [(None, 1), (Some(2), 2), (Some(5), 3)] {
        let p = p_value(limit, seed);
        assert!(p > LEVEL, "{limit:?}: {p}");
    }
}

#[test]
fn widths_are_found() {
    // Standard deviations 0.01 and 1,000.
    let target =
        FromFn::new(2, |x: &[f64]| -0.5 * ((x[0] / 0.01).powi(2) + ((x[1] - 5000.0) / 1000.0).powi(2)));
    let run = Run { warm_up: 1000, draws: 3000, seed: 7, ..Run::default() };
    let start = Start::At(vec![0.0, 5000.0]);
    let sampled = run.sample(&target, &AdaptiveSlice::default(), &start).unwrap();
    for chain in &sampled.chains {
        let widths = chain.tuned.widths();
        let (first, second) = (widths[0] / 0.01, widths[1] / 1000.0);
        // The scale of a coordinate does not matter.
        assert!((2.5..7.0).contains(&first) && (0.7..1.4).contains(&(second / first)), "{:?}", chain.tuned);
    }
    // A sweep of two coordinates is cheap then.
    let evaluations = sampled.draws.statistic("evaluations").unwrap().concat();
    assert!(evaluations.iter().sum::<f64>() / (evaluations.len() as f64) < 12.0);
    for (i, mean, sd) in [(0, 0.0, 0.01), (1, 5000.0, 1000.0)] {
        let chains = sampled.draws.parameter(i);
        let (found, error) = estimate(&chains, |x| x);
        assert!((found - mean).abs() < 4.0 * error, "{found} {error}");
        let (square, error) = estimate(&chains, |x| (x - mean).powi(2));
        assert!((square - sd * sd).abs() < 4.0 * error, "{square} {error}");
    }
    let doubled = AdaptiveSlice {
        expansion: Expansion::Doubling { limit: None },
        width: 1e-3,
        ..AdaptiveSlice::default()
    };
    let sampled = run.sample(&target, &doubled, &start).unwrap();
    assert!(sampled.chains.iter().all(|chain| (0.5..8.0).contains(&(chain.tuned.widths()[1] / 1000.0))));
    let sampled = run.sample(&target, &AdaptiveHyperrectangle, &start).unwrap();
    for chain in &sampled.chains {
        for (width, sd) in chain.tuned.widths().iter().zip([0.01, 1000.0]) {
            assert!((3.0..5.0).contains(&(width / sd)), "{:?}", chain.tuned);
        }
    }
}

#[test]
fn elliptical_slices_find_a_normal_posterior_in_many_dimensions() {
    // Prior N(1, S) with S = 0.9^|i-j|, an observation of each coordinate with variance 0.5.
    let dim = 20;
    let prior = DMatrix::from_fn(dim, dim, |i, j| 0.9_f64.powf(i.abs_diff(j) as f64));
    let data: Vec<f64> = (0..dim).map(|i| (i as f64 * 0.7).sin()).collect();
    let seen = data.clone();
    let likelihood =
        FromFn::new(dim, move |x: &[f64]| -x.iter().zip(&seen).map(|(x, y)| (x - y).powi(2)).sum::<f64>());
    let gain = &prior * (&prior + DMatrix::identity(dim, dim) * 0.5).try_inverse().unwrap();
    let residual = DVector::from_iterator(dim, data.iter().map(|y| y - 1.0));
    let mean = &gain * residual + DVector::from_element(dim, 1.0);
    let covariance = &prior - &gain * &prior;
    let sampler = Untuned(Elliptical::new(&vec![1.0; dim], StepShape::dense(&prior).unwrap()).unwrap());
    let run = Run { warm_up: 500, draws: 20_000, seed: 2, ..Run::default() };
    let sampled = run.sample(&likelihood, &sampler, &Start::default()).unwrap();
    for i in 0..dim {
        let chains = sampled.draws.parameter(i);
        let (found, error) = estimate(&chains, |x| x);
        assert!((found - mean[i]).abs() < 4.5 * error, "{i}: {found} {} {error}", mean[i]);
        let (square, error) = estimate(&chains, |x| (x - mean[i]).powi(2));
        assert!((square - covariance[(i, i)]).abs() < 4.5 * error, "{i}: {square} {error}");
    }
    // It never stays: no two draws are the same.
    assert!(sampled.draws.parameter(0)[0].windows(2).all(|pair| pair[0] != pair[1]));
}

#[test]
fn a_slice_without_an_end_is_named() {
    let improper = FromFn::new(2, |x: &[f64]| -0.5 * x[0] * x[0]);
    for (expansion, what) in [
        (Expansion::SteppingOut { limit: None }, "does not end within [-"),
        (Expansion::Doubling { limit: None }, "is the density improper along it?"),
    ] {
        let kernel = slice([1.0, 1.0], expansion);
        let mut state = kernel.init(&improper, &[0.25, 0.5]).unwrap();
        let ended = kernel.step(&improper, &mut state, &mut stream(1, &[])).unwrap_err();
        assert!(matches!(ended, Error::EndlessSlice { coordinate: 1, low, .. } if low < -9e5), "{ended}");
        let message = ended.to_string();
        assert!(message.starts_with("the slice along coordinate 1") && message.contains(what), "{message}");
        assert_eq!(state.position(), [0.25, 0.5]);
    }
    // With a limit, it is a walk that goes on.
    let kernel = slice([1.0, 1.0], Expansion::SteppingOut { limit: Some(3) });
    let mut state = kernel.init(&improper, &[0.25, 0.5]).unwrap();
    assert!(kernel.step(&improper, &mut state, &mut stream(1, &[])).is_ok());
}

#[test]
fn points_without_a_value_are_outside_and_counted() {
    struct Edge;
    impl Target for Edge {
        fn dim(&self) -> usize {
            1
        }
        fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
            Ok(if x[0] < 0.0 { f64::NAN } else { -x[0] })
        }
    }
    let run = Run { draws: 8000, seed: 3, ..Run::default() };
    let exponential = |draws: &posterior_sampling::Draws| {
        assert!(draws.statistic("no_value").unwrap().concat().iter().sum::<f64>() > 1000.0);
        let (mean, error) = estimate(&draws.parameter(0), |x| x);
        assert!((mean - 1.0).abs() < 4.0 * error, "{mean} {error}");
        assert!(draws.parameter(0).concat().iter().all(|&x| x >= 0.0));
    };
    let start = Start::At(vec![1.0]);
    exponential(&run.sample(&Edge, &Untuned(Slice::new(&[1.0]).unwrap()), &start).unwrap().draws);
    exponential(&run.sample(&Edge, &Untuned(Hyperrectangle::new(&[3.0]).unwrap()), &start).unwrap().draws);
}

#[test]
fn a_density_that_changes_its_mind_does_not_hang() {
    // High at the start, then zero: every interval shrinks to the point.
    struct Once(AtomicUsize);
    impl Target for Once {
        fn dim(&self) -> usize {
            1
        }
        fn ln_density(&self, _: &[f64]) -> Result<f64, EvalError> {
            let first = self.0.fetch_add(1, Ordering::Relaxed) == 0;
            Ok(if first { 0.0 } else { f64::NEG_INFINITY })
        }
    }
    fn stays<K: Transition<Once>>(kernel: &K) {
        let target = Once(AtomicUsize::new(0));
        let mut state = kernel.init(&target, &[0.7]).unwrap();
        drop(kernel.step(&target, &mut state, &mut stream(1, &[])).unwrap());
        assert_eq!(state.position(), [0.7]);
    }
    stays(&Slice::new(&[1.0]).unwrap());
    stays(&Slice::new(&[1.0]).unwrap().with_expansion(Expansion::Doubling { limit: None }).unwrap());
    stays(&Hyperrectangle::new(&[1.0]).unwrap());
    stays(&Elliptical::new(&[0.0], StepShape::identity()).unwrap());
}

#[test]
fn what_cannot_be_is_refused() {
    let width = Slice::new(&[1.0, 0.0]).unwrap_err();
    assert_eq!(width.to_string(), "Slice: widths[1] = 0 must be positive and finite");
    assert!(Hyperrectangle::new(&[f64::NAN]).is_err());
    let limit = Slice::new(&[1.0]).unwrap().with_expansion(Expansion::Doubling { limit: Some(0) });
    assert!(limit.is_err());
    assert!(matches!(Slice::new(&[1.0]).unwrap().init(&Skewed, &[0.0; 2]), Err(Error::Dimension { .. })));
    assert!(matches!(
        Hyperrectangle::new(&[1.0]).unwrap().init(&Skewed, &[0.0; 2]),
        Err(Error::Dimension { .. })
    ));
    assert!(
        Elliptical::new(&[0.0, f64::NAN], StepShape::identity()).unwrap_err().to_string().contains("mean[1]")
    );
    assert!(Elliptical::new(&[0.0, 1.0], StepShape::diagonal(&[1.0]).unwrap()).is_err());
    let run = Run::default();
    assert!(
        run.sample(&Skewed, &AdaptiveSlice { width: -1.0, ..AdaptiveSlice::default() }, &Start::default())
            .is_err()
    );
}

#[test]
fn first_draws_are_pinned() {
    let run = Run { chains: 1, warm_up: 20, draws: 100, seed: 1, ..Run::default() };
    let last = |draws: &posterior_sampling::Draws| [draws.parameter(0)[0][99], draws.parameter(1)[0][99]];
    let slice = run.sample(&Skewed, &AdaptiveSlice::default(), &Start::default()).unwrap().draws;
    let boxed = run.sample(&Skewed, &AdaptiveHyperrectangle, &Start::default()).unwrap().draws;
    assert_eq!(
        format!("{:.9?} {:.9?}", last(&slice), last(&boxed)),
        "[-1.025660849, -4.759278392] [-1.327187756, 1.140137963]"
    );
}

#[cfg(feature = "serde")]
#[test]
fn chains_resume_to_the_bit() {
    let start = Start::default();
    resumes_to_the_bit(&Skewed, &AdaptiveSlice::default(), &start);
    resumes_to_the_bit(&Skewed, &AdaptiveHyperrectangle, &start);
    let elliptical = Elliptical::new(&[0.0; 2], StepShape::diagonal(&[1.0, 2.0]).unwrap()).unwrap();
    resumes_to_the_bit(&Skewed, &Untuned(elliptical), &start);
}
