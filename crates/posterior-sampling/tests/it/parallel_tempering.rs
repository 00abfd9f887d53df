//! Parallel tempering.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, FromFn, FromGradFn, GradTarget, Target};
use posterior_dist::{Gamma, Univariate};
use posterior_math::special::normal_cdf;
use posterior_sampling::metropolis::{AdaptiveLangevin, AdaptiveWalk, RandomWalk};
use posterior_sampling::tempering::{
    Exchange, Flat, Ladder, Pairs, ParallelTempering, Spacing, TemperatureLevels, Tempered,
};
use posterior_sampling::{Adapt, Error, Run, Start, State, Transition, Untuned};
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand::RngExt;
use rand_distr::Distribution;

#[cfg(feature = "serde")]
use crate::invariance::resumes_to_the_bit;
use crate::invariance::{estimate, mean_of};

/// ln of a gamma variable of shape 2: its power β is ln of one of shape 2β and rate β.
#[derive(Debug, Clone, Copy)]
struct LnGamma;

impl Target for LnGamma {
    fn dim(&self) -> usize {
        1
    }

    fn ln_density(&self, y: &[f64]) -> Result<f64, EvalError> {
        Ok(2.0 * y[0] - y[0].exp())
    }
}

impl GradTarget for LnGamma {
    fn ln_density_grad(&self, y: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        gradient[0] = 2.0 - y[0].exp();
        self.ln_density(y)
    }
}

fn gamma(beta: f64) -> Gamma {
    Gamma::shape_rate(2.0 * beta, beta).unwrap()
}

const BETAS: [f64; 4] = [1.0, 0.55, 0.3, 0.12];

fn tempered() -> Tempered<Flat, LnGamma> {
    Tempered::new(Flat::new(1), LnGamma, 1.0).unwrap()
}

fn ladder(pairs: Pairs, scale: f64) -> Ladder<RandomWalk> {
    let exchange = Exchange { pairs, spacing: Spacing::Given, ..Exchange::default() };
    let sampler = ParallelTempering::new(Untuned(RandomWalk::new(scale).unwrap()), &BETAS).unwrap();
    let sampler = sampler.with_exchange(exchange).unwrap();
    sampler.begin(&tempered(), &[0.0], 0, &mut stream(0, &[])).unwrap().tuned
}

/// The least p-value over levels, after three steps from exact draws of the distributions at `betas`.
fn p_value(pairs: Pairs, scale: f64, betas: [f64; 4], seed: u64) -> f64 {
    let (target, chain) = (tempered(), ladder(pairs, scale));
    let mut rng = stream(seed, &[]);
    let mut levels = vec![Vec::new(); 4];
    for _ in 0..20_000 {
        let start: Vec<Vec<f64>> =
            betas.iter().map(|&beta| vec![gamma(beta).sample(&mut rng).ln()]).collect();
        let mut state = chain.place(&target, &start).unwrap();
        for _ in 0..3 {
            let _ = chain.step(&target, &mut state, &mut rng).unwrap();
        }
        for (draws, level) in levels.iter_mut().zip(state.levels()) {
            draws.push(level.position()[0]);
        }
    }
    let one =
        |(draws, beta): (&Vec<f64>, f64)| kolmogorov_smirnov_p_value(draws, |y| gamma(beta).cdf(y.exp()));
    levels.iter().zip(BETAS).map(one).fold(1.0, f64::min)
}

#[test]
fn every_level_keeps_its_distribution() {
    // With steps so small that exchanges do all the work, and with ordinary ones.
    for (pairs, scale, seed) in
        [(Pairs::Alternating, 1e-6, 1), (Pairs::Random, 1e-6, 2), (Pairs::Alternating, 1.5, 3)]
    {
        let p = p_value(pairs, scale, BETAS, seed);
        assert!(p > LEVEL, "{pairs:?} {scale}: {p}");
    }
    // A level that starts from another distribution is found out.
    assert!(p_value(Pairs::Alternating, 1e-6, [1.0, 0.8, 0.3, 0.12], 1) < LEVEL);
}

#[test]
fn exchanges_are_as_frequent_as_two_independent_draws_say() {
    let (target, chain) = (tempered(), ladder(Pairs::Alternating, 1.5));
    let mut rng = stream(5, &[]);
    let mut state = chain.place(&target, &vec![vec![0.5]; 4]).unwrap();
    let mut rates = vec![Vec::new(); 3];
    for _ in 0..200_000 {
        let info = chain.step(&target, &mut state, &mut rng).unwrap();
        for (rates, rate) in rates.iter_mut().zip(&info.exchange_rates) {
            rates.extend(Some(*rate).filter(|rate| !rate.is_nan()));
        }
    }
    for (k, rates) in rates.iter().enumerate() {
        let (found, error) = estimate(std::slice::from_ref(rates), |x| x);
        // E min(1, p₀(y) p₁(x) / (p₀(x) p₁(y))) of independent draws, with all four densities in full.
        let ln_pdf = |beta: f64, y: f64| beta * (2.0 * y - y.exp());
        let expected: Vec<f64> = (0..200_000)
            .map(|_| {
                let (x, y): (f64, f64) =
                    (gamma(BETAS[k]).sample(&mut rng), gamma(BETAS[k + 1]).sample(&mut rng));
                let (x, y) = (x.ln(), y.ln());
                let crossed = ln_pdf(BETAS[k], y) + ln_pdf(BETAS[k + 1], x);
                (crossed - ln_pdf(BETAS[k], x) - ln_pdf(BETAS[k + 1], y)).exp().min(1.0)
            })
            .collect();
        let (expected, other) = estimate(&[expected], |x| x);
        assert_eq!(rates.len(), 100_000);
        assert!((found - expected).abs() < 4.0 * error.hypot(other), "{k}: {found} {expected} {error}");
    }
    assert!(state.round_trips() > 1000);
}

/// Peaks at (-8, 0) with weight 0.3 and at (8, 0) with weight 0.7, of standard deviation 1.
fn peaks() -> impl GradTarget + Sync {
    FromGradFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let peak = |weight: f64, at: f64| weight.ln() - 0.5 * ((x[0] - at).powi(2) + x[1] * x[1]);
        let (left, right) = (peak(0.3, -8.0), peak(0.7, 8.0));
        let most = left.max(right);
        let total = most + ((left - most).exp() + (right - most).exp()).ln();
        let proportion = (right - total).exp();
        gradient.copy_from_slice(&[(1.0 - proportion) * (-8.0 - x[0]) + proportion * (8.0 - x[0]), -x[1]]);
        total
    })
}

#[test]
fn two_peaks_get_their_weights_where_a_walk_stays_on_one() {
    let peaks = peaks();
    let prior = FromFn::new(2, |x: &[f64]| -0.5 * (x[0] * x[0] + x[1] * x[1]) / 100.0);
    let run = Run { warm_up: 2000, draws: 20_000, seed: 4, ..Run::default() };
    let start = Start::At(vec![-8.0, 0.0]);
    let right = |x: f64| f64::from(u8::from(x > 0.0));
    let alone = run.sample(&peaks, &AdaptiveWalk::default(), &start).unwrap();
    assert!(alone.draws.parameter(0).concat().iter().all(|&x| x < 0.0));
    let power = Tempered::new(Flat::new(2), &peaks, 1.0).unwrap();
    let sampler = ParallelTempering::geometric(AdaptiveWalk::default(), 6, 0.02).unwrap();
    let sampled = run.sample(&power, &sampler, &start).unwrap();
    let (proportion, error) = estimate(&sampled.draws.parameter(0), right);
    assert!((proportion - 0.7).abs() < 4.0 * error && error < 0.02, "{proportion} {error}");
    let cdf = |x: f64| 0.3 * normal_cdf(x + 8.0) + 0.7 * normal_cdf(x - 8.0);
    for at in [-9.0, -7.0, 6.5, 8.0, 9.5] {
        let below = |x: f64| f64::from(u8::from(x <= at));
        let (found, error) = estimate(&sampled.draws.parameter(0), below);
        assert!((found - cdf(at)).abs() < 4.0 * error, "{at}: {found} {error}");
    }
    let trips = sampled.draws.statistic("round_trips").unwrap();
    assert!(trips.iter().all(|chain| chain[chain.len() - 1] > 100.0 && chain[0] <= chain[1]));
    for chain in &sampled.chains {
        // All neighbours exchange at about the same rate after the warm-up.
        let rates = chain.tuned.exchange_rates();
        let (low, high) = rates.iter().fold((1.0_f64, 0.0_f64), |(l, h), &r| (l.min(r), h.max(r)));
        assert!(high - low < 0.15, "{rates:?} {:?}", chain.tuned.betas());
        // Each level has a scale of its own.
        let scales: Vec<f64> = chain.tuned.kernels().iter().map(RandomWalk::scale).collect();
        assert!(chain.tuned.betas()[0] == 1.0 && scales.iter().all(|s| s.is_finite()), "{scales:?}");
    }
    // From a prior at β = 0, where the likelihood is not asked; the posterior has a closed form: 1/(1 +
    // 1/100) of each peak.
    let posterior = Tempered::new(&prior, &peaks, 1.0).unwrap();
    let sampler = ParallelTempering::new(AdaptiveWalk::default(), &[1.0, 0.5, 0.2, 0.05, 0.01, 0.0]).unwrap();
    let sampled = run.sample(&posterior, &sampler, &start).unwrap();
    let (proportion, error) = estimate(&sampled.draws.parameter(0), right);
    assert!((proportion - 0.7).abs() < 4.0 * error, "{proportion} {error}");
    let (mean, error) = estimate(&sampled.draws.parameter(0), f64::abs);
    assert!((mean - 8.0 / 1.01).abs() < 4.0 * error, "{mean} {error}");
}

#[test]
fn kernels_with_gradients_are_tempered_too() {
    let peaks = peaks();
    let power = Tempered::new(Flat::new(2), &peaks, 1.0).unwrap();
    let sampler = ParallelTempering::geometric(AdaptiveLangevin::default(), 6, 0.02).unwrap();
    let run = Run { warm_up: 1500, draws: 10_000, seed: 6, ..Run::default() };
    let sampled = run.sample(&power, &sampler, &Start::At(vec![-8.0, 0.0])).unwrap();
    let (proportion, error) = estimate(&sampled.draws.parameter(0), |x| f64::from(u8::from(x > 0.0)));
    assert!((proportion - 0.7).abs() < 4.0 * error && error < 0.03, "{proportion} {error}");
}

#[test]
fn draws_are_the_same_wherever_levels_run() {
    let exchange = |levels| Exchange { levels, steps: 3, pairs: Pairs::Random, ..Exchange::default() };
    let run = Run { chains: 2, warm_up: 100, draws: 200, seed: 2, ..Run::default() };
    let sampled = |levels| {
        let sampler = ParallelTempering::geometric(AdaptiveWalk::default(), 5, 0.1).unwrap();
        let sampler = sampler.with_exchange(exchange(levels)).unwrap();
        run.sample(&tempered(), &sampler, &Start::default()).unwrap().draws.parameter(0)
    };
    assert_eq!(sampled(TemperatureLevels::InTurn), sampled(TemperatureLevels::InParallel));
}

#[test]
fn a_likelihood_without_a_value_is_not_exchanged_into() {
    // No value right of 1: the prior's draws there stay at the last level.
    let prior = FromFn::new(1, |x: &[f64]| -0.5 * x[0] * x[0]);
    let likelihood = FromFn::new(1, |x: &[f64]| if x[0] > 1.0 { f64::NAN } else { 0.0 });
    let target = Tempered::new(&prior, &likelihood, 1.0).unwrap();
    let sampler = ParallelTempering::new(AdaptiveWalk::default(), &[1.0, 0.5, 0.0]).unwrap();
    let run = Run { draws: 20_000, seed: 8, ..Run::default() };
    let sampled = run.sample(&target, &sampler, &Start::At(vec![0.0])).unwrap();
    let draws = sampled.draws.parameter(0);
    assert!(draws.concat().iter().all(|&x| x <= 1.0));
    // The mean of the normal distribution below 1: -φ(1)/Φ(1).
    let (mean, error) = estimate(&draws, |x| x);
    let exact = -(-0.5_f64).exp() / (2.0 * std::f64::consts::PI).sqrt() / normal_cdf(1.0);
    assert!((mean - exact).abs() < 4.0 * error, "{mean} {exact} {error}");
    let rates = sampled.draws.statistic("swap_rate").unwrap().concat();
    assert!((mean_of(&rates) - 0.9).abs() < 0.1);
}

#[test]
fn what_cannot_be_is_refused() {
    let walk = || AdaptiveWalk::default();
    let refused = |betas: &[f64]| ParallelTempering::new(walk(), betas).unwrap_err().to_string();
    assert_eq!(refused(&[1.0]), "ParallelTempering: number of betas = 1 must be at least 2");
    assert_eq!(refused(&[0.9, 0.5]), "ParallelTempering: betas[0] = 0.9 must be 1 at first");
    assert!(refused(&[1.0, 0.5, 0.5]).contains("betas[2] = 0.5 must be non-negative and less"));
    assert!(
        refused(&[1.0, f64::NAN]).contains("betas[1] = NaN") && refused(&[1.0, -0.1]).contains("betas[1]")
    );
    assert!(ParallelTempering::geometric(walk(), 1, 0.1).is_err());
    assert!(ParallelTempering::geometric(walk(), 3, 0.0).is_err());
    let none = ParallelTempering::geometric(walk(), 3, 0.1).unwrap();
    assert!(none.with_exchange(Exchange { steps: 0, ..Exchange::default() }).is_err());
    let chain = ladder(Pairs::Alternating, 1.0);
    assert!(matches!(
        chain.place(&tempered(), &[vec![0.0]]),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 4, found: 1, .. }))
    ));
    let zero = FromFn::new(1, |_: &[f64]| f64::NEG_INFINITY);
    let target = Tempered::new(Flat::new(1), &zero, 1.0).unwrap();
    let sampler = ParallelTempering::geometric(walk(), 3, 0.1).unwrap();
    assert!(Run::default().sample(&target, &sampler, &Start::default()).unwrap_err().is_start());
    let mut rng = stream(1, &[]);
    let mut state = chain.init(&tempered(), &[0.25]).unwrap();
    let _ = chain.step(&tempered(), &mut state, &mut rng).unwrap();
    assert!(rng.random::<f64>() < 1.0 && state.levels().len() == 4);
}

#[cfg(feature = "serde")]
#[test]
fn chains_resume_to_the_bit() {
    let start = Start::At(vec![0.0, 0.0]);
    let two = FromFn::new(2, |x: &[f64]| -0.5 * (x[0] * x[0] + x[1] * x[1]));
    let target = Tempered::new(Flat::new(2), &two, 1.0).unwrap();
    resumes_to_the_bit(
        &target,
        &ParallelTempering::geometric(AdaptiveWalk::default(), 4, 0.1).unwrap(),
        &start,
    );
}
