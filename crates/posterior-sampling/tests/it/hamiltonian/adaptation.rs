//! Tuning: what it is tuned for is met, options are checked, draws depend on the seed alone.

use posterior_dist::stream::stream;
use posterior_dist::target::FromGradFn;
use posterior_math::linalg::DMatrix;
use posterior_sampling::hamiltonian::{DualAveraging, Hmc, Metric, MetricChoice, Nuts, PathLength};
use posterior_sampling::{Adapt, Error, Run, Start, State, Transition};

use super::{Normal, autoregression, standard};

#[test]
fn dual_averaging_finds_the_step_size_of_an_acceptance_rate() {
    // A rate that falls with the step size: e^-ε is 0.8 at ε = -ln 0.8.
    let mut averaging = DualAveraging::new(1.0, 0.8).unwrap();
    for _ in 0..5000 {
        averaging.learn((-averaging.step_size()).exp());
    }
    assert!((averaging.averaged() / -0.8_f64.ln() - 1.0).abs() < 0.01, "{}", averaging.averaged());
    // The first step by hand: weight 1/11, ln ε = ln 10 - 20/11 (0.8 - rate).
    let mut averaging = DualAveraging::new(1.0, 0.8).unwrap();
    averaging.learn(0.3);
    assert!((averaging.step_size().ln() - (10.0_f64.ln() - 10.0 / 11.0)).abs() < 1e-14);
    assert!((averaging.averaged() - averaging.step_size()).abs() < 1e-14);
    averaging.learn(f64::NAN);
    assert!(averaging.step_size().is_finite());
    assert!(DualAveraging::new(0.0, 0.8).is_err() && DualAveraging::new(1.0, 1.0).is_err());
}

#[test]
fn the_acceptance_rate_is_as_asked() {
    for (target_accept, least, most) in [(0.6, 0.52, 0.8), (0.8, 0.74, 0.92), (0.95, 0.92, 0.99)] {
        let run = Run { seed: 1, draws: 500, ..Run::default() };
        let sampler = Nuts { target_accept, ..Nuts::default() };
        let sampled = run.sample(&autoregression(20, 0.5), &sampler, &Start::default()).unwrap();
        let rates = sampled.draws.statistic("acceptance_rate").unwrap().concat();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        assert!((least..most).contains(&mean), "{target_accept}: {mean}");
    }
}

#[test]
fn metrics_find_the_covariance_of_a_normal_distribution() {
    let covariance = DMatrix::from_row_slice(3, 3, &[9.0, 2.0, 0.0, 2.0, 1.0, 0.01, 0.0, 0.01, 0.01]);
    let target = Normal::new(&covariance);
    let learned = |metric| {
        let sampled = Run { seed: 4, ..Run::default() }
            .sample(&target, &Nuts { metric, ..Nuts::default() }, &Start::default())
            .unwrap();
        sampled.chains.iter().map(|chain| chain.tuned.metric().covariance(3)).collect::<Vec<_>>()
    };
    // From draws and gradients a normal distribution is known exactly, but for the prior of 1e-5.
    for found in learned(MetricChoice::Dense) {
        assert!((found - &covariance).amax() < 1e-4);
    }
    for found in learned(MetricChoice::DiagonalDraws) {
        let off = (0..3).map(|i| (found[(i, i)] / covariance[(i, i)]).ln().abs()).fold(0.0, f64::max);
        assert!(off < 0.35, "{found}");
        assert_eq!(found[(0, 1)], 0.0);
    }
    for found in learned(MetricChoice::Diagonal) {
        // The least Fisher divergence: √(Σᵢᵢ / (Σ⁻¹)ᵢᵢ).
        for i in 0..3 {
            let best = (covariance[(i, i)] / target.precision[(i, i)]).sqrt();
            assert!((found[(i, i)] / best).ln().abs() < 0.35, "{} {best}", found[(i, i)]);
        }
    }
}

#[test]
fn a_low_rank_metric_has_the_directions_that_matter() {
    // 40 coordinates of variance 1, but 400 along (1, ..., 1).
    let n = 40;
    let covariance = DMatrix::identity(n, n) + DMatrix::from_element(n, n, 399.0 / n as f64);
    let sampler = Nuts { metric: MetricChoice::LOW_RANK, ..Nuts::default() };
    let sampled = (Run { seed: 4, ..Run::default() })
        .sample(&Normal::new(&covariance), &sampler, &Start::default())
        .unwrap();
    for chain in &sampled.chains {
        let found = chain.tuned.metric().covariance(n);
        assert!((found - &covariance).amax() < 1e-2);
    }
}

#[test]
fn a_low_rank_metric_without_directions_is_diagonal() {
    // The gradients of a normal distribution say exactly that no direction differs.
    let sampler = Nuts { metric: MetricChoice::LOW_RANK, ..Nuts::default() };
    let sampled =
        Run { seed: 4, ..Run::default() }.sample(&standard(5), &sampler, &Start::default()).unwrap();
    for chain in &sampled.chains {
        let found = chain.tuned.metric().covariance(5);
        let diagonal: Vec<f64> = found.diagonal().iter().copied().collect();
        assert_eq!(*chain.tuned.metric(), Metric::diagonal(&diagonal).unwrap());
    }
}

#[test]
fn a_coordinate_that_does_not_matter_keeps_its_scale() {
    // The gradient of x₁ is 0 beside a flat prior on a huge box: its variance has no estimate from gradients.
    let target = FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let wall = (x[1].abs() - 50.0).max(0.0);
        gradient.copy_from_slice(&[-x[0], -wall * x[1].signum()]);
        -0.5 * (x[0] * x[0] + wall * wall)
    });
    let sampled =
        Run { seed: 4, ..Run::default() }.sample(&target, &Nuts::default(), &Start::default()).unwrap();
    assert!(sampled.draws.parameter(1).concat().iter().all(|x| x.abs() < 60.0));
}

#[test]
fn without_warm_up_the_first_step_size_is_kept() {
    let run = Run { warm_up: 0, draws: 20, ..Run::default() };
    for metric in [MetricChoice::Unit, MetricChoice::Diagonal, MetricChoice::Dense, MetricChoice::LOW_RANK] {
        let sampled =
            run.sample(&standard(3), &Nuts { metric, ..Nuts::default() }, &Start::default()).unwrap();
        let steps = sampled.draws.statistic("step_size").unwrap();
        assert!(steps.iter().all(|chain| chain.iter().all(|step| *step == chain[0] && *step > 0.0)));
    }
    // Each length of warm-up ends with a transition that works.
    for warm_up in 1..25 {
        let run = Run { warm_up, ..run.clone() };
        let sampled = run.sample(&standard(3), &Nuts::default(), &Start::default()).unwrap();
        assert!(sampled.draws.statistic("step_size").unwrap().concat().iter().all(|step| *step > 1e-3));
    }
}

#[test]
fn options_that_can_not_be_are_refused() {
    let target = standard(2);
    let refused =
        |sampler: Nuts| Run::default().sample(&target, &sampler, &Start::default()).unwrap_err().to_string();
    assert_eq!(
        refused(Nuts { target_accept: 1.0, ..Nuts::default() }),
        "Nuts: target_accept = 1 must be strictly between 0 and 1"
    );
    assert_eq!(refused(Nuts { max_depth: 0, ..Nuts::default() }), "Nuts: max_depth = 0 must be from 1 to 60");
    assert!(refused(Nuts { max_energy_error: f64::NAN, ..Nuts::default() }).contains("NaN"));
    let cutoff = MetricChoice::LowRank { cutoff: 0.5 };
    assert!(refused(Nuts { metric: cutoff, ..Nuts::default() }).contains("cutoff = 0.5"));
    let wrong = MetricChoice::Given(Metric::diagonal(&[1.0]).unwrap());
    let error = Run::default().sample(&target, &Nuts { metric: wrong, ..Nuts::default() }, &Start::default());
    assert!(matches!(
        error,
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
    let error = Run::default().sample(
        &target,
        &Hmc { path: PathLength::Steps(0), ..Hmc::default() },
        &Start::default(),
    );
    assert_eq!(error.unwrap_err().to_string(), "Path: steps = 0 must be positive");
}

#[test]
fn a_target_without_coordinates_is_sampled_all_the_same() {
    let target = FromGradFn::new(0, |_: &[f64], _: &mut [f64]| 0.0);
    let mut rng = stream(1, &[]);
    let mut chain = Nuts::default().begin(&target, &[], 30, &mut rng).unwrap();
    for _ in 0..40 {
        let travelled = chain.tuned.step(&target, &mut chain.state, &mut rng).unwrap();
        Nuts::default().learn(&target, chain.learner(), &travelled, &mut rng).unwrap();
    }
    assert_eq!(chain.state.position(), [0.0; 0]);
}

/// Counts of 30 along a cubic curve; where its coefficients start, some are expected to be e¹⁵⁰.
#[test]
fn a_start_out_of_all_proportion_is_left() {
    let times: Vec<f64> = (0..30).map(|i| f64::from(i) / 9.0 - 1.6).collect();
    let target = FromGradFn::new(4, |x, gradient| {
        gradient.fill(0.0);
        let mut ln = 0.0;
        for t in &times {
            let powers = [1.0, *t, t * t, t * t * t];
            let eta: f64 = x.iter().zip(powers).map(|(x, power)| x * power).sum();
            ln += 30.0 * eta - eta.exp();
            gradient.iter_mut().zip(powers).for_each(|(slope, power)| *slope += (30.0 - eta.exp()) * power);
        }
        ln
    });
    let starts = [[20.0; 4], [-20.0, 20.0, 20.0, 20.0], [20.0, -20.0, 20.0, -20.0], [3.0, 0.0, 0.0, 0.0]];
    let start = Start::Each(starts.iter().map(|start| start.to_vec()).collect());
    let sampled = Run { seed: 3, ..Run::default() }.sample(&target, &Nuts::default(), &start).unwrap();
    for (k, truth) in [30.0_f64.ln(), 0.0, 0.0, 0.0].into_iter().enumerate() {
        for chain in sampled.draws.parameter(k) {
            let mean = chain.iter().sum::<f64>() / chain.len() as f64;
            assert!((mean - truth).abs() < 0.05, "coefficient {k}: {mean}");
        }
    }
}
