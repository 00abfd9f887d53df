//! Gibbs sampling.

use posterior_dist::stream::stream;
use posterior_dist::target::{EvalError, Target};
use posterior_dist::{Beta, Binomial, InverseGamma, Normal, NormalInverseGamma, StudentT, Univariate};
use posterior_math::linalg::DMatrix;
use posterior_sampling::composite::Cycle;
use posterior_sampling::gibbs::{BlockConditionals, Conditionals, Gibbs};
use posterior_sampling::metropolis::{OnBlock, RandomWalk};
use posterior_sampling::{Error, Run, Start, State, Transition, Untuned};
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use rand::{Rng, RngExt};
use rand_distr::Distribution;

#[cfg(feature = "serde")]
use crate::invariance::resumes_to_the_bit;
use crate::invariance::{Skewed, estimate, mean_of};

const RHO: f64 = 0.8;

/// Two standard normal coordinates with correlation ρ, of which each is drawn given the other.
#[derive(Debug)]
struct Correlated;

impl Target for Correlated {
    fn dim(&self) -> usize {
        2
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(-0.5 * (x[0] * x[0] - 2.0 * RHO * x[0] * x[1] + x[1] * x[1]) / (1.0 - RHO * RHO))
    }
}

impl Conditionals for Correlated {
    fn blocks(&self) -> usize {
        2
    }

    fn draw_block<R: Rng + ?Sized>(&self, block: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let distribution =
            Normal::mean_sd(RHO * x[1 - block], (1.0 - RHO * RHO).sqrt()).map_err(EvalError::fatal)?;
        x[block] = distribution.sample(rng);
        Ok(())
    }
}

/// The correlation of draws with those `lag` later.
fn autocorrelation(chain: &[f64], lag: usize) -> f64 {
    let mean = mean_of(chain);
    let product =
        |lag: usize| chain.iter().zip(&chain[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    product(lag) / product(0)
}

#[test]
fn a_sweep_keeps_the_square_of_the_correlation() {
    let run = Run { chains: 1, warm_up: 10, draws: 200_000, seed: 1, ..Run::default() };
    let chain = |gibbs| {
        run.sample(&Correlated, &Untuned(gibbs), &Start::default()).unwrap().draws.parameter(0).concat()
    };
    // The standard error of an autocorrelation is below 1/√n · √((1 + ρ⁴)/(1 - ρ⁴)) < 0.004 here.
    let systematic = chain(Gibbs::systematic());
    assert!((autocorrelation(&systematic, 1) - RHO.powi(2)).abs() < 0.016);
    assert!((autocorrelation(&systematic, 2) - RHO.powi(4)).abs() < 0.016);
    // There and back draws the first coordinate twice: from the second one, which was drawn from the first
    // draw of the first one.
    let symmetric = chain(Gibbs::symmetric());
    assert!((autocorrelation(&symmetric, 1) - RHO.powi(4)).abs() < 0.016);
    // At random: the operator ½(P₀ + P₁) on linear functions has x₀ ↦ ½(ρ x₁ + x₀); the autocorrelation is
    // ½(ρ² + 1).
    let random = chain(Gibbs::random(&[0.5, 0.5]).unwrap());
    assert!((autocorrelation(&random, 1) - 0.5 * (1.0 + RHO * RHO)).abs() < 0.02);
    for draws in [&systematic, &symmetric] {
        let square = draws.iter().map(|x| x * x).sum::<f64>() / draws.len() as f64;
        assert!((square - 1.0).abs() < 0.025, "{square}");
        // Of every 40th draw hardly anything is left of the one before.
        let thinned: Vec<f64> = draws.iter().step_by(40).copied().collect();
        let normal = Normal::mean_sd(0.0, 1.0).unwrap();
        assert!(kolmogorov_smirnov_p_value(&thinned, |x| normal.cdf(x)) > LEVEL);
    }
}

#[test]
fn an_unknown_mean_and_variance_have_their_exact_posterior() {
    let data = [1.3, 0.2, 2.9, 1.1, 0.7, 3.4, 2.2];
    let n = data.len() as f64;
    let mean = mean_of(&data);
    let scatter: f64 = data.iter().map(|x| (x - mean).powi(2)).sum();
    // Prior: σ² ~ InverseGamma(2, 3), μ | σ² ~ N(1, σ²/0.5). The posterior in the book's symbols.
    let (kappa, shape) = (0.5 + n, 2.0 + 0.5 * n);
    let centre = (0.5 + n * mean) / kappa;
    let rate = 3.0 + 0.5 * scatter + 0.5 * 0.5 * n / kappa * (mean - 1.0).powi(2);
    let target = BlockConditionals::of_dim(2)
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            let distribution = Normal::mean_variance(centre, x[1] / kappa).map_err(EvalError::fatal)?;
            x[0] = distribution.sample(rng);
            Ok(())
        })
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            let squares: f64 = data.iter().map(|y| (y - x[0]).powi(2)).sum();
            let rate = 3.0 + 0.5 * (squares + 0.5 * (x[0] - 1.0).powi(2));
            let distribution = InverseGamma::new(2.0 + 0.5 * (n + 1.0), rate).map_err(EvalError::fatal)?;
            x[1] = distribution.sample(rng);
            Ok(())
        });
    let run = Run { warm_up: 50, draws: 10_000, thin: 4, seed: 9, ..Run::default() };
    let sampled = run.sample(&target, &Untuned(Gibbs::systematic()), &Start::At(vec![0.0, 1.0])).unwrap();
    let variance = InverseGamma::new(shape, rate).unwrap();
    let p = kolmogorov_smirnov_p_value(&sampled.draws.parameter(1).concat(), |x| variance.cdf(x));
    assert!(p > LEVEL, "{p}");
    let scale = (rate / (shape * kappa)).sqrt();
    let location = StudentT::new(2.0 * shape, 0.0, 1.0).unwrap();
    let p = kolmogorov_smirnov_p_value(&sampled.draws.parameter(0).concat(), |x| {
        location.cdf((x - centre) / scale)
    });
    assert!(p > LEVEL, "{p}");
    // And the conjugate pair agrees with the formulas above.
    let distribution = NormalInverseGamma::new(centre, kappa, shape, rate).unwrap();
    let drawn: Vec<f64> =
        distribution.sample_iter(stream(4, &[])).take(20_000).map(|(mean, _)| mean).collect();
    assert!(kolmogorov_smirnov_p_value(&drawn, |x| location.cdf((x - centre) / scale)) > LEVEL);
    assert!(sampled.draws.statistic("lp").unwrap().concat().iter().all(|lp| lp.is_nan()));
}

#[test]
fn a_discrete_and_a_continuous_block_give_the_beta_binomial() {
    // k | p ~ Binomial(10, p), p | k ~ Beta(2 + k, 3 + 10 - k): k is beta-binomial.
    let target = BlockConditionals::of_dim(2)
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            let distribution = Binomial::new(10, x[1]).map_err(EvalError::fatal)?;
            let k: u64 = distribution.sample(rng);
            x[0] = k as f64;
            Ok(())
        })
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            let distribution = Beta::new(2.0 + x[0], 13.0 - x[0]).map_err(EvalError::fatal)?;
            x[1] = distribution.sample(rng);
            Ok(())
        });
    let exact = posterior_dist::BetaBinomial::new(10, 2.0, 3.0).unwrap();
    for gibbs in [Gibbs::systematic(), Gibbs::symmetric(), Gibbs::random(&[0.3, 0.7]).unwrap()] {
        let run = Run { chains: 1, warm_up: 100, draws: 10_000, thin: 60, seed: 6, ..Run::default() };
        let sampled = run.sample(&target, &Untuned(gibbs), &Start::At(vec![3.0, 0.5])).unwrap();
        let mut counts = [0_u64; 11];
        sampled.draws.parameter(0).concat().iter().for_each(|&k| counts[k as usize] += 1);
        let expected: Vec<f64> =
            (0..=10).map(|k| 10_000.0 * posterior_dist::Density::ln_pdf(&exact, &k).exp()).collect();
        assert!(chi_square_p_value(&counts, &expected) > LEVEL, "{counts:?} {expected:?}");
    }
}

#[test]
fn metropolis_within_gibbs_leaves_the_skewed_distribution_alone() {
    // x₁ given x₀ is logistic around x₀/2; x₀ given x₁ has no such distribution, and walks.
    let logistic = |x: &mut [f64], rng: &mut dyn Rng| {
        let u: f64 = rng.random_range(1e-300..1.0);
        x[1] = 0.5 * x[0] + (u / (1.0 - u)).ln();
        Ok(())
    };
    let target = BlockConditionals::new(Skewed).with(logistic);
    let walk = OnBlock::new(&[0], RandomWalk::new(2.0).unwrap()).unwrap();
    let kernel = Cycle::new(Gibbs::systematic(), walk);
    let p = crate::invariance::p_value_of(&target, &kernel, 3, 21);
    assert!(p > LEVEL, "{p}");
    let wrong = BlockConditionals::new(Skewed).with(move |x: &mut [f64], rng: &mut dyn Rng| {
        logistic(x, rng)?;
        x[1] += 0.2;
        Ok(())
    });
    assert!(crate::invariance::p_value_of(&wrong, &kernel, 3, 21) < LEVEL);
    let run = Run { draws: 5000, seed: 3, ..Run::default() };
    let sampled = run.sample(&target, &Untuned(kernel), &Start::default()).unwrap();
    // Euler's constant is the mean of Gumbel's distribution.
    let (mean, error) = estimate(&sampled.draws.parameter(0), |x| x);
    assert!((mean - 0.577_215_664_9).abs() < 4.0 * error, "{mean} {error}");
    assert!(sampled.draws.statistic("lp").unwrap().concat().iter().all(|lp| lp.is_finite()));
}

#[test]
fn the_operator_of_a_scan_is_that_of_a_finite_table() {
    // Two bits with a joint table: the sweep x₀ then x₁ from each state, by its conditional probabilities.
    let table = [[0.1, 0.25], [0.4, 0.25]];
    let bit = |weights: [f64; 2], rng: &mut dyn Rng| {
        f64::from(u8::from(rng.random::<f64>() * (weights[0] + weights[1]) >= weights[0]))
    };
    let target = BlockConditionals::of_dim(2)
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            let j = x[1] as usize;
            x[0] = bit([table[0][j], table[1][j]], rng);
            Ok(())
        })
        .with(|x: &mut [f64], rng: &mut dyn Rng| {
            x[1] = bit(table[x[0] as usize], rng);
            Ok(())
        });
    let row_sum = |i: usize| table[i][0] + table[i][1];
    let sweep = DMatrix::from_fn(4, 4, |from, to| {
        let (j, a, b) = (from % 2, to / 2, to % 2);
        table[a][j] / (table[0][j] + table[1][j]) * table[a][b] / row_sum(a)
    });
    let mut rng = stream(2, &[]);
    for from in 0..4 {
        let start = [(from / 2) as f64, (from % 2) as f64];
        let mut counts = [0_u64; 4];
        for _ in 0..20_000 {
            let mut state = Gibbs::systematic().init(&target, &start).unwrap();
            let _ = Gibbs::systematic().step(&target, &mut state, &mut rng).unwrap();
            counts[2 * state.position()[0] as usize + state.position()[1] as usize] += 1;
        }
        let expected: Vec<f64> = sweep.row(from).iter().map(|p| 20_000.0 * p).collect();
        assert!(chi_square_p_value(&counts, &expected) > LEVEL, "{counts:?} {expected:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(Gibbs::random(&[]).is_err() && Gibbs::random(&[0.5, 0.4]).is_err());
    assert_eq!(
        Gibbs::random(&[1.0, 0.0]).unwrap_err().to_string(),
        "Gibbs: probabilities[1] = 0 must be positive and at most 1"
    );
    let three = Gibbs::random(&[0.2, 0.3, 0.5]).unwrap().init(&Correlated, &[0.0, 0.0]);
    assert!(matches!(
        three,
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 3, .. }))
    ));
    assert!(Gibbs::systematic().init(&Correlated, &[0.0, f64::NAN]).unwrap_err().is_start());
    assert!(Gibbs::systematic().init(&BlockConditionals::of_dim(1), &[0.0]).is_err());
    let nan = BlockConditionals::of_dim(2).with(|x: &mut [f64], _: &mut dyn Rng| {
        x[1] = f64::NAN;
        Ok(())
    });
    let mut state = Gibbs::systematic().init(&nan, &[0.5, 0.5]).unwrap();
    let ended = Gibbs::systematic().step(&nan, &mut state, &mut stream(1, &[])).unwrap_err();
    assert!(ended.to_string().contains("the conditional distribution of coordinate 1 gave NaN"), "{ended}");
    assert_eq!(state.position(), [0.5, 0.5]);
}

#[cfg(feature = "serde")]
#[test]
fn chains_resume_to_the_bit() {
    for gibbs in [Gibbs::systematic(), Gibbs::random(&[0.5, 0.5]).unwrap()] {
        resumes_to_the_bit(&Correlated, &Untuned(gibbs), &Start::default());
    }
}
