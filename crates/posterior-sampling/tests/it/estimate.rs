//! Estimates: means, their errors, and what makes the errors smaller.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod sobol;

use std::f64::consts::{E, FRAC_PI_4, PI};

use posterior_dist::stream::stream;
use posterior_dist::{Binomial, Exponential, Gamma, Normal, Poisson, StudentT, Univariate};
use posterior_math::linalg::DMatrix;
use posterior_sampling::estimate::{
    Estimate, Inversion, antithetic, batch_means, batch_means_of_length, control_variates, ln_mean_exp,
    marginal_density, mean, mean_difference, mean_of_pairs, monte_carlo, predictive_check, predictive_draws,
    vector_mean,
};
use posterior_sampling::{Draws, Error};
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use rand::RngExt;
use rand::distr::{Distribution, StandardUniform};
use rand_distr::StandardNormal;

/// A normal number is farther out with probability 1e-6.
const SIGMAS: f64 = 4.9;

fn close(estimate: &Estimate, exact: f64) {
    let off = (estimate.value - exact).abs();
    assert!(off < SIGMAS * estimate.standard_error, "{estimate} is not {exact}");
}

#[test]
fn the_area_of_the_disc_and_the_error_of_a_probability() {
    let inside = |&(x, y): &(f64, f64)| if x * x + y * y <= 1.0 { 1.0 } else { 0.0 };
    let area = monte_carlo(&StandardUniform, inside, 200_000, &mut stream(3, &[])).unwrap();
    close(&area, FRAC_PI_4);
    assert!((area.standard_error - (FRAC_PI_4 * (1.0 - FRAC_PI_4) / 2e5).sqrt()).abs() < 2e-6);
    // P = 1/2 by 10⁴ draws: 0.005, whatever the draws.
    let half = |&u: &f64| if u < 0.5 { 1.0 } else { 0.0 };
    let half = monte_carlo(&StandardUniform, half, 10_000, &mut stream(3, &[1])).unwrap();
    close(&half, 0.5);
    assert!((half.standard_error - 0.005).abs() < 1e-5);
    assert_eq!(half.draws, 10_000);
}

#[test]
fn means_far_from_zero_keep_their_digits() {
    let estimate = mean((0..1000).map(|i| 1e9 + f64::from(i % 2))).unwrap();
    assert_eq!(estimate.value, 1e9 + 0.5);
    assert!((estimate.standard_error - 0.5 / 999_f64.sqrt()).abs() < 1e-13);
    assert_eq!(format!("{:.1}", Estimate { value: 1.25, standard_error: 0.51, draws: 3 }), "1.2 ± 0.5");
}

#[test]
fn means_refuse_what_is_not_a_number_and_name_its_place() {
    assert_eq!(mean([1.0, f64::NAN]).unwrap_err().to_string(), "mean: value[1] = NaN must be finite");
    assert_eq!(mean([1.0]).unwrap_err().to_string(), "mean: values = 1 must be at least 2");
    assert!(monte_carlo(&StandardUniform, |&u: &f64| u, 1, &mut stream(1, &[])).is_err());
    assert!(batch_means(&[[1.0, 2.0, 3.0]]).is_err());
    assert!(batch_means::<Vec<f64>>(&[]).is_err());
    assert!(batch_means_of_length(&[[1.0; 10]], 0).is_err());
    assert!(batch_means_of_length(&[[1.0; 10]], 6).is_err());
    assert_eq!(
        batch_means(&[[0.0; 4], [0.0, 0.0, f64::INFINITY, 0.0]]).unwrap_err().to_string(),
        "batch_means: value[2] = inf must be finite"
    );
    assert!(matches!(
        vector_mean(2, [[1.0], [2.0]]),
        Err(Error::Dimension(posterior_math::DimensionError { expected: 2, found: 1, .. }))
    ));
    assert!(vector_mean(1, [[1.0], [f64::NAN]]).is_err());
    assert!(ln_mean_exp(&[0.0, f64::NAN]).is_err() && ln_mean_exp(&[0.0, f64::INFINITY]).is_err());
    assert!(Estimate { value: 0.0, standard_error: 1.0, draws: 9 }.interval(1.0).is_err());
    assert!(antithetic(1, |_| f64::NAN, 10, &mut stream(1, &[])).is_err());
}

/// How often an interval of 95 % holds the truth, in 2,000 replications; it must be about 95 %, within what
/// chance allows at the level of all tests.
fn check_coverage(name: &str, exact: f64, mut replication: impl FnMut(u64) -> Estimate) {
    const RUNS: u32 = 2000;
    let mut held = 0;
    for run in 0..RUNS {
        let (low, high) = replication(u64::from(run)).interval(0.95).unwrap();
        held += u32::from((low..=high).contains(&exact));
    }
    let sd = (0.95 * 0.05 / f64::from(RUNS)).sqrt();
    let rate = f64::from(held) / f64::from(RUNS);
    assert!((rate - 0.95).abs() < SIGMAS * sd, "{name}: {rate}");
}

#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let exp = |u: f64| u.exp();
    check_coverage("mean", E - 1.0, |run| {
        monte_carlo(&StandardUniform, |&u: &f64| exp(u), 200, &mut stream(21, &[run])).unwrap()
    });
    check_coverage("antithetic", E - 1.0, |run| {
        antithetic(1, |u| exp(u[0]), 200, &mut stream(22, &[run])).unwrap()
    });
    check_coverage("control variates", E - 1.0, |run| {
        let mut rng = stream(23, &[run]);
        let u: Vec<f64> = (0..200).map(|_| rng.random()).collect();
        let values: Vec<f64> = u.iter().map(|&u| exp(u)).collect();
        control_variates(&values, &DMatrix::from_vec(200, 1, u), &[0.5]).unwrap().estimate
    });
    check_coverage("ratio", 1.5, |run| {
        let mut rng = stream(24, &[run]);
        let powers = (0..300).map(|_| {
            let u: f64 = rng.random();
            [u, u * u]
        });
        vector_mean(2, powers).unwrap().ratio(0, 1).unwrap()
    });
    check_coverage("ln of a mean", 0.5, |run| {
        let mut rng = stream(25, &[run]);
        let terms: Vec<f64> = (0..3000).map(|_| StandardNormal.sample(&mut rng)).collect();
        let ln = ln_mean_exp(&terms).unwrap();
        Estimate { value: ln.ln_value, standard_error: ln.standard_error, draws: ln.draws }
    });
    check_coverage("batch means", 0.0, |run| batch_means(&autoregression(0.5, 4, 4000, run)).unwrap());
}

/// Stationary chains x′ = ρ x + √(1 - ρ²) z.
fn autoregression(rho: f64, chains: u64, len: usize, seed: u64) -> Vec<Vec<f64>> {
    let chain = |chain| {
        let mut rng = stream(26, &[seed, chain]);
        let mut x: f64 = StandardNormal.sample(&mut rng);
        (0..len)
            .map(|_| {
                let z: f64 = StandardNormal.sample(&mut rng);
                x = rho * x + (1.0 - rho * rho).sqrt() * z;
                x
            })
            .collect()
    };
    (0..chains).map(chain).collect()
}

#[test]
fn batches_see_what_draws_remember() {
    let chains = autoregression(0.8, 4, 40_000, 1);
    let estimate = batch_means(&chains).unwrap();
    // (1 + ρ)/(1 - ρ) = 9 draws of the chain for one; batches of 200 lose ρ/(1-ρ²)/100 of it.
    let exact = (9.0_f64 / 160_000.0).sqrt();
    assert!((estimate.standard_error / exact - 1.0).abs() < 0.12, "{estimate}, {exact}");
    close(&estimate, 0.0);
    // Batches of one are independent draws.
    let all = mean(chains.concat()).unwrap();
    let ones = batch_means_of_length(&chains, 1).unwrap();
    assert!(
        (ones.standard_error - all.standard_error).abs() < 1e-15 && (ones.value - all.value).abs() < 1e-15
    );
    assert!(all.standard_error < exact / 2.5);
    // By hand: batches (1,2), (3,6) and (0,4) of chains with an odd start: means 1.5, 4.5, 2, variance 31/12.
    let chains = [vec![9.0, 1.0, 2.0, 3.0, 6.0], vec![7.0, 0.0, 4.0]];
    let by_hand = batch_means_of_length(&chains, 2).unwrap();
    assert_eq!((by_hand.value, by_hand.draws), (4.0, 8));
    assert!((by_hand.standard_error - (2.0 * (31.0 / 12.0) / 8.0_f64).sqrt()).abs() < 1e-15);
}

#[test]
fn antithetic_pairs_save_what_theory_says() {
    // Var exp(u) = (e² - 1)/2 - (e - 1)², Cov(exp(u), exp(1 - u)) = e - (e - 1)².
    let variance = f64::midpoint(E * E, -1.0) - (E - 1.0).powi(2);
    let covariance = E - (E - 1.0).powi(2);
    let pairs = 100_000;
    let estimate = antithetic(1, |u| u[0].exp(), pairs, &mut stream(4, &[])).unwrap();
    close(&estimate, E - 1.0);
    let exact = (f64::midpoint(variance, covariance) / pairs as f64).sqrt();
    assert!((estimate.standard_error / exact - 1.0).abs() < 0.02, "{estimate}, {exact}");
    assert_eq!(estimate.draws, 2 * pairs);
    // 1 + Cov/Var = 0.0323 of the variance of as many independent draws.
    assert!(((1.0 + covariance / variance) - 0.0323).abs() < 1e-4);
    // Linear functions have no error left; even ones twice the variance.
    let linear = antithetic(3, |u| u[0] + 2.0 * u[1] - u[2], 50, &mut stream(4, &[1])).unwrap();
    assert!((linear.value - 1.0).abs() < 1e-15 && linear.standard_error < 1e-15);
    let even = antithetic(1, |u| (u[0] - 0.5).powi(2), 1000, &mut stream(4, &[2])).unwrap();
    let pairs = mean_of_pairs([(1.0, 1.0), (2.0, 2.0), (6.0, 6.0)]).unwrap();
    assert_eq!((pairs.value, pairs.draws), (3.0, 6));
    assert_eq!(pairs.standard_error, mean([1.0, 2.0, 6.0]).unwrap().standard_error);
    close(&even, 1.0 / 12.0);
}

#[test]
fn common_random_numbers_cancel() {
    let mut rng = stream(5, &[]);
    let difference = mean_difference((0..10_000).map(|_| {
        let u: f64 = rng.random();
        (Exponential::new(1.0).unwrap().quantile(u), Exponential::new(1.1).unwrap().quantile(u))
    }))
    .unwrap();
    close(&difference, 1.0 - 1.0 / 1.1);
    // The difference is x/11: standard deviation 1/11 instead of √(1 + 1/1.21).
    assert!((difference.standard_error / (1.0 / 1100.0) - 1.0).abs() < 0.1);
}

#[test]
fn control_variates_save_what_theory_says() {
    let n = 20_000;
    let mut rng = stream(6, &[]);
    let u: Vec<f64> = (0..n).map(|_| rng.random()).collect();
    let values: Vec<f64> = u.iter().map(|u| u.exp()).collect();
    // Cov(u, exp(u)) = (3 - e)/2 over 1/12.
    let controlled = control_variates(&values, &DMatrix::from_vec(n, 1, u.clone()), &[0.5]).unwrap();
    let beta = 6.0 * (3.0 - E);
    let total = f64::midpoint(E * E, -1.0) - (E - 1.0).powi(2);
    let left = total - beta * beta / 12.0;
    close(&controlled.estimate, E - 1.0);
    assert!((controlled.coefficients[0] - beta).abs() < 0.01, "{:?}", controlled.coefficients);
    assert!((controlled.variance_left / (left / total) - 1.0).abs() < 0.05, "{}", controlled.variance_left);
    assert!((controlled.estimate.standard_error / (left / n as f64).sqrt() - 1.0).abs() < 0.03);
    // With the square too almost nothing is left: the best parabola misses exp by 2.8e-5 in the mean square.
    let two: Vec<f64> = u.iter().copied().chain(u.iter().map(|u| u * u)).collect();
    let both = control_variates(&values, &DMatrix::from_vec(n, 2, two), &[0.5, 1.0 / 3.0]).unwrap();
    close(&both.estimate, E - 1.0);
    let missed = both.variance_left * total;
    assert!((missed / 2.7835e-5 - 1.0).abs() < 0.05, "{missed}");
}

#[test]
fn controls_by_hand_and_controls_that_say_nothing() {
    // Values are exactly 2c + 1: the mean is known without error.
    let c = [0.0, 1.0, 2.0, 5.0];
    let values: Vec<f64> = c.iter().map(|c| 2.0 * c + 1.0).collect();
    let exact = control_variates(&values, &DMatrix::from_column_slice(4, 1, &c), &[3.0]).unwrap();
    assert!((exact.estimate.value - 7.0).abs() < 1e-14 && exact.estimate.standard_error < 1e-14);
    // One control thrice (scaled, and negated), and one that is constant: as if it were there once.
    let values = [1.0, 4.0, 3.0, 9.0];
    let once = control_variates(&values, &DMatrix::from_column_slice(4, 1, &c), &[2.5]).unwrap();
    let many: Vec<f64> = c.iter().copied().chain(c.map(|c| -3.0 * c)).chain([7.0; 4]).collect();
    // The number of values is too small for three controls, so each comes twice.
    let twice = |column: &[f64]| [column, column].concat();
    let doubled = twice(&values);
    let alone = control_variates(&doubled, &DMatrix::from_vec(8, 1, twice(&c)), &[2.5]).unwrap();
    let columns: Vec<f64> = many.chunks(4).flat_map(twice).collect();
    let same = control_variates(&doubled, &DMatrix::from_vec(8, 3, columns), &[2.5, -7.5, 7.0]).unwrap();
    assert!((same.estimate.value - alone.estimate.value).abs() < 1e-13);
    assert!((same.estimate.standard_error - alone.estimate.standard_error).abs() < 1e-13);
    assert_eq!(same.coefficients.iter().filter(|&&b| b == 0.0).count(), 2);
    // By hand: c̄ = 2, ȳ = 17/4, S_cc = 14, S_cy = 21: β = 3/2, moved by (2.5 - 2) β.
    assert!((once.coefficients[0] - 1.5).abs() < 1e-14 && (once.estimate.value - 5.0).abs() < 1e-14);
    // RSS = 34.75 - 31.5 = 3.25, two degrees of freedom; variance 13/8 (1/4 + 0.25/14).
    assert!((once.estimate.standard_error.powi(2) - 1.625 * (0.25 + 0.25 / 14.0)).abs() < 1e-13);
    assert!((once.variance_left - 1.625 / (34.75 / 3.0)).abs() < 1e-13);
    let none = control_variates(&values, &DMatrix::zeros(4, 0), &[]).unwrap();
    assert!((none.estimate.standard_error - mean(values).unwrap().standard_error).abs() < 1e-15);
}

#[test]
fn controls_refuse_sizes_and_numbers() {
    let c = DMatrix::from_column_slice(3, 1, &[1.0, 2.0, 4.0]);
    assert!(matches!(control_variates(&[1.0, 2.0], &c, &[0.0]), Err(Error::Dimension { .. })));
    assert!(matches!(control_variates(&[1.0; 3], &c, &[0.0, 1.0]), Err(Error::Dimension { .. })));
    assert!(matches!(control_variates(&[1.0; 2], &DMatrix::zeros(2, 1), &[0.0]), Err(Error::Parameter(_))));
    assert!(control_variates(&[1.0, f64::NAN, 2.0], &c, &[0.0]).is_err());
    assert!(control_variates(&[1.0, 3.0, 2.0], &c, &[f64::NAN]).is_err());
    let bad = DMatrix::from_column_slice(3, 1, &[1.0, f64::INFINITY, 4.0]);
    let error = control_variates(&[1.0, 3.0, 2.0], &bad, &[0.0]).unwrap_err();
    assert_eq!(error.to_string(), "control_variates: control[1] = inf must be finite");
}

#[test]
fn functions_of_means_have_the_error_of_first_order() {
    // (1, 2), (3, 2), (2, 5): means 2 and 3, covariance of the means [[1, 0], [0, 3]]/3.
    let means = vector_mean(2, [[1.0, 2.0], [3.0, 2.0], [2.0, 5.0]]).unwrap();
    assert_eq!(means.component(0), mean([1.0, 3.0, 2.0]).unwrap());
    assert!((means.component(1).standard_error - 1.0).abs() < 1e-15);
    let ratio = means.ratio(0, 1).unwrap();
    assert!((ratio.standard_error.powi(2) - (1.0 / 27.0 + 4.0 / 81.0)).abs() < 1e-15);
    let product = means.function(6.0, &[3.0, 2.0]).unwrap();
    assert!((product.standard_error.powi(2) - (3.0 + 4.0)).abs() < 1e-14);
    assert!(means.function(6.0, &[3.0]).is_err() && means.function(f64::NAN, &[3.0, 2.0]).is_err());
    assert!(vector_mean(1, [[1.0], [-1.0]]).unwrap().ratio(0, 0).is_err());
}

#[test]
fn marginal_densities_are_means_of_conditional_ones() {
    // x ~ N(1, 2²), y given x ~ N(x, 1): y ~ N(1, 5); 0.05 to 0.0001 in the tails.
    let prior = Normal::mean_sd(1.0, 2.0).unwrap();
    let mut rng = stream(8, &[]);
    let draws: Vec<f64> = (0..50_000).map(|_| prior.sample(&mut rng)).collect();
    let points = [-5.0, 1.0, 2.0, 8.0];
    let ln_density = |y: &f64, x: &f64| -0.5 * (y - x).powi(2) - 0.5 * (2.0 * PI).ln();
    let densities = marginal_density(&points, &draws, ln_density).unwrap();
    for (y, density) in points.iter().zip(densities) {
        let exact = -(y - 1.0_f64).powi(2) / 10.0 - 0.5 * (10.0 * PI).ln();
        assert!((density.ln_value - exact).abs() < SIGMAS * density.standard_error, "{density:?}, {exact}");
        // E p² is known too: N(y; x, 1)² = N(y; x, 1/2)/(2√π), so that E p² = N(y; 1, 4.5)/(2√π).
        let second = -(y - 1.0_f64).powi(2) / 9.0 - 0.5 * (9.0 * PI).ln() - (2.0 * PI.sqrt()).ln();
        let relative = ((second - 2.0 * exact).exp_m1() / 50_000.0).sqrt();
        assert!((density.standard_error / relative - 1.0).abs() < 0.1, "{density:?}, {relative}");
    }
    let shifted = ln_mean_exp(&[-2000.0, -2001.0]).unwrap();
    let plain = ln_mean_exp(&[0.0, -1.0]).unwrap();
    assert!((shifted.ln_value + 2000.0 - plain.ln_value).abs() < 1e-12);
    assert_eq!(shifted.exp().value, 0.0);
    let direct = mean([1.0, (-1.0_f64).exp()]).unwrap();
    assert!((plain.exp().value - direct.value).abs() < 1e-15);
    assert!((plain.exp().standard_error - direct.standard_error).abs() < 1e-15);
    let nothing = ln_mean_exp(&[f64::NEG_INFINITY; 3]).unwrap();
    assert_eq!((nothing.ln_value, nothing.standard_error), (f64::NEG_INFINITY, f64::INFINITY));
    assert!(marginal_density(&[0.0], &[0.0], ln_density).is_err());
}

#[test]
fn conditional_means_never_have_larger_errors() {
    // P(N(0, 1/λ) > 2), λ ~ gamma: Student's t distribution with four degrees of freedom.
    let precision = Gamma::shape_rate(2.0, 2.0).unwrap();
    let exact = StudentT::new(4.0, 0.0, 1.0).unwrap().sf(2.0);
    let conditional = |l: &f64| posterior_math::special::normal_sf(2.0 * l.sqrt());
    let smooth = monte_carlo(&precision, conditional, 100_000, &mut stream(9, &[])).unwrap();
    close(&smooth, exact);
    assert!(smooth.standard_error < 0.7 * (exact * (1.0 - exact) / 100_000.0).sqrt());
}

#[test]
fn quantiles_of_uniform_numbers_follow_the_distribution() {
    let mut rng = stream(10, &[]);
    let distributions: [&dyn PlainDistribution; 3] = [
        &Exponential::new(0.5).unwrap(),
        &Normal::mean_sd(-1.0, 3.0).unwrap(),
        &StudentT::new(1.5, 0.0, 1.0).unwrap(),
    ];
    for distribution in distributions {
        let draws: Vec<f64> = (0..20_000).map(|_| distribution.draw(&mut rng)).collect();
        assert!(draws.iter().all(|x| x.is_finite()));
        assert!(kolmogorov_smirnov_p_value(&draws, |x| distribution.below(x)) > LEVEL);
    }
    // A discrete distribution: each count as often as its probability.
    let distribution = Binomial::new(5, 0.3).unwrap();
    let mut counts = [0_u64; 6];
    for _ in 0..20_000 {
        counts[Inversion(&distribution).sample(&mut rng) as usize] += 1;
    }
    let expected: Vec<f64> = (0..6)
        .map(|k| 20_000.0 * (distribution.cdf(f64::from(k)) - distribution.cdf(f64::from(k) - 1.0)))
        .collect();
    assert!(chi_square_p_value(&counts, &expected) > LEVEL);
    // The quantile itself: -ln(1 - u)/λ.
    let distribution = Exponential::new(2.0).unwrap();
    for u in [1e-300, 0.25, 0.999] {
        assert!((distribution.quantile(u) / (-(-u).ln_1p() / 2.0) - 1.0).abs() < 1e-15);
    }
}

trait PlainDistribution {
    fn draw(&self, rng: &mut rand_pcg::Pcg64) -> f64;
    fn below(&self, x: f64) -> f64;
}

impl<L: Univariate> PlainDistribution for L {
    fn draw(&self, rng: &mut rand_pcg::Pcg64) -> f64 {
        Inversion(self).sample(rng)
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }
}

/// Draws of the gamma posterior of a Poisson rate: 3 counts with sum 12 under gamma(2, 1).
fn rates(draws: usize) -> Draws {
    let posterior = Gamma::shape_rate(14.0, 4.0).unwrap();
    let chain = |chain| {
        let mut rng = stream(14, &[chain]);
        (0..draws).map(|_| posterior.sample(&mut rng)).collect()
    };
    Draws::new(vec!["rate".to_owned()], (0..4).map(chain).collect()).unwrap()
}

#[test]
fn predictive_draws_follow_the_conjugate_predictive_distribution() {
    let simulate = |rate: &[f64], rng: &mut rand_pcg::Pcg64| Poisson::new(rate[0]).unwrap().sample(rng);
    let counts = predictive_draws(&rates(10_000), simulate, &mut stream(15, &[]));
    // Negative binomial with r = 14, p = 4/5: C(k + 13, k) p¹⁴ (1 - p)ᵏ.
    let mut expected = vec![40_000.0 * 0.8_f64.powi(14)];
    for k in 1..30 {
        expected.push(expected[k - 1] * (k + 13) as f64 / k as f64 * 0.2);
    }
    let mut observed = vec![0; 30];
    for count in counts {
        observed[(count as usize).min(29)] += 1;
    }
    assert!(chi_square_p_value(&observed, &expected) > LEVEL);
}

#[test]
fn predictive_checks_have_the_exact_p_value() {
    let simulate = |rate: &[f64], rng: &mut rand_pcg::Pcg64| -> f64 {
        Poisson::new(rate[0]).unwrap().sample(rng) as f64
    };
    // P(K ≥ 6) of the negative binomial distribution.
    let mut term = 0.8_f64.powi(14);
    let mut below = 0.0;
    for k in 1..=6 {
        below += term;
        term *= f64::from(k + 13) / f64::from(k) * 0.2;
    }
    let posterior = rates(10_000);
    let check = predictive_check(&posterior, &6.0, simulate, |&k, _| k, &mut stream(16, &[])).unwrap();
    close(&check.p_value, 1.0 - below);
    assert!((check.p_value.standard_error / (below * (1.0 - below) / 40_000.0).sqrt() - 1.0).abs() < 0.2);
    assert_eq!((check.observed.len(), check.replicated.len(), check.observed[7]), (40_000, 40_000, 6.0));
    // A discrepancy reads the parameters: E (k - rate)²/rate.
    let discrepancy = |&k: &f64, rate: &[f64]| (k - rate[0]).powi(2) / rate[0];
    let far = predictive_check(&posterior, &60.0, simulate, discrepancy, &mut stream(17, &[])).unwrap();
    assert_eq!(far.p_value.value, 0.0);
    // None of 40,000 is not never.
    assert!(far.p_value.standard_error > 1e-5 && far.p_value.standard_error < 1e-4);
    assert!(far.observed[0] != far.observed[1]);
    let nan = predictive_check(&posterior, &1.0, simulate, |_, _| f64::NAN, &mut stream(17, &[]));
    assert!(matches!(nan, Err(Error::Parameter(_))));
}
