//! Chains whose figures are known.

use posterior_dist::stream::stream;
use posterior_math::special::normal_cdf;
use posterior_sampling::diagnostics as d;
use posterior_testkit::significance::{LEVEL, kolmogorov_smirnov_p_value};
use rand_distr::{Distribution as _, StandardNormal};

use super::autoregressive;

#[test]
fn the_classic_figure_of_a_small_case_is_1() {
    let chains = [[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 3.0, 4.0, 5.0, 6.0]];
    assert_eq!(d::rhat_classic(&chains), Ok(1.0));
}

#[test]
fn the_split_figure_of_a_small_case() {
    // Halves (1, 2), (5, 6): W = 1/2, variance of means 8: √(1/2 + 16).
    let found = d::rhat_split(&[[1.0, 2.0, 9.0, 5.0, 6.0]]).unwrap();
    assert!((found - 16.5_f64.sqrt()).abs() < 1e-14, "{found}");
}

#[test]
fn the_nested_figure_of_a_small_case() {
    // Means of groups 2 and 8/3 of variance 2/9; inside of them: variances of means 1/2 and 2/9, mean
    // variances of chains 2 and 4/3.
    let groups = [[[0.0, 3.0], [2.0, 3.0]], [[1.0, 3.0], [3.0, 11.0 / 3.0]]];
    let variance = |a: f64, b: f64| (a - b).powi(2) / 2.0;
    let inside = |g: &[[f64; 2]; 2]| {
        let mean = |c: &[f64; 2]| f64::midpoint(c[0], c[1]);
        variance(mean(&g[0]), mean(&g[1]))
            + f64::midpoint(variance(g[0][0], g[0][1]), variance(g[1][0], g[1][1]))
    };
    let mean = |g: &[[f64; 2]; 2]| g.iter().flatten().sum::<f64>() / 4.0;
    let between = variance(mean(&groups[0]), mean(&groups[1]));
    let expected = (1.0 + between / f64::midpoint(inside(&groups[0]), inside(&groups[1]))).sqrt();
    let found = d::rhat_nested(&groups).unwrap();
    assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
}

#[test]
fn nested_chains_of_one_draw_are_enough() {
    let found = d::rhat_nested(&[[[0.0], [2.0]], [[3.0], [5.0]]]).unwrap();
    assert!((found - (1.0 + 4.5 / 2.0_f64).sqrt()).abs() < 1e-14, "{found}");
}

#[test]
fn effective_draws_of_autoregressive_chains() {
    // The standard deviation of an estimate from 80,000 draws is about 4 %.
    for (seed, rho) in [(1, 0.0), (2, 0.5), (3, 0.8), (4, -0.5)] {
        let chains = autoregressive(seed, 4, 20_000, rho);
        let proportion = (1.0 - rho) / (1.0 + rho);
        let found = d::ess_mean(&chains).unwrap() / 80_000.0;
        assert!((found / proportion - 1.0).abs() < 0.15, "ρ = {rho}: {found} is not {proportion}");
        // The autocorrelation of the squares is ρ²ᵗ.
        let proportion = (1.0 - rho * rho) / (1.0 + rho * rho);
        let found = d::ess_sd(&chains).unwrap() / 80_000.0;
        assert!((found / proportion - 1.0).abs() < 0.15, "squares, ρ = {rho}: {found} is not {proportion}");
    }
}

/// Over many runs, the errors of mean, standard deviation, median and 90 % quantile have the variance that
/// the standard errors say.
#[test]
fn standard_errors_are_those_of_many_runs() {
    let runs = 400;
    let mut squares = [0.0; 4];
    for run in 0..runs {
        let chains = autoregressive(1000 + run, 4, 500, 0.6);
        let errors = [
            d::mean(&chains).unwrap() / d::mcse_mean(&chains).unwrap(),
            (d::sd(&chains).unwrap() - 1.0) / d::mcse_sd(&chains).unwrap(),
            d::quantile(&chains, 0.5).unwrap() / d::mcse_quantile(&chains, 0.5).unwrap(),
            (d::quantile(&chains, 0.9).unwrap() - 1.2815515655446004)
                / d::mcse_quantile(&chains, 0.9).unwrap(),
        ];
        squares.iter_mut().zip(errors).for_each(|(sum, z)| *sum += z * z / runs as f64);
    }
    // A mean of 400 squares has the standard deviation 0.07; the standard errors are noisy themselves.
    for square in squares {
        assert!((0.7..1.45).contains(&square), "mean squares of z: {squares:?}");
    }
}

#[test]
fn autocorrelations_are_the_sums_of_products() {
    let chain = &autoregressive(5, 1, 257, 0.7)[0];
    let mean = chain.iter().sum::<f64>() / 257.0;
    let product =
        |lag: usize| chain.iter().zip(&chain[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let found = d::autocorrelation(chain, usize::MAX).unwrap();
    assert_eq!(found.len(), 257);
    for (lag, found) in found.into_iter().enumerate() {
        assert!((found - product(lag) / product(0)).abs() < 1e-13, "lag {lag}: {found}");
    }
}

#[test]
fn gewekes_z_is_standard_normal_for_a_stationary_chain() {
    let z: Vec<f64> = (0..300)
        .map(|run| d::geweke_z(&autoregressive(5000 + run, 1, 4000, 0.5)[0], 0.1, 0.5).unwrap())
        .collect();
    assert!(kolmogorov_smirnov_p_value(&z, normal_cdf) > LEVEL);
    let drift: Vec<f64> =
        autoregressive(9, 1, 4000, 0.5)[0].iter().enumerate().map(|(t, x)| x + t as f64 / 2000.0).collect();
    let z = d::geweke_z(&drift, 0.1, 0.5).unwrap();
    assert!(z < -5.0, "{z}");
}

#[test]
fn e_bfmi_of_independent_energies_is_2() {
    // Independent energies: differences have twice the variance. A random walk: nearly nothing.
    let energies = &autoregressive(7, 1, 20_000, 0.0)[0];
    assert!((d::e_bfmi(energies).unwrap() - 2.0).abs() < 0.1);
    assert!(d::e_bfmi(&autoregressive(8, 1, 20_000, 0.99)[0]).unwrap() < 0.03);
}

#[test]
fn ranks_see_what_moments_do_not() {
    // Spread: one chain three times as wide. Place: Cauchy-like tails hide a shift from the variance.
    let mut wide = autoregressive(11, 4, 1000, 0.0);
    wide[2].iter_mut().for_each(|x| *x *= 3.0);
    assert!(d::rhat_bulk(&wide).unwrap() < 1.01);
    assert!(d::rhat_folded(&wide).unwrap() > 1.1);
    assert_eq!(d::rhat(&wide), d::rhat_folded(&wide));
    let mut shifted = autoregressive(12, 4, 1000, 0.0);
    shifted.iter_mut().flatten().for_each(|x| *x = x.powi(15));
    shifted[0].iter_mut().for_each(|x| *x += 1.0);
    assert!(d::rhat_split(&shifted).unwrap() < 1.01);
    assert!(d::rhat(&shifted).unwrap() > 1.05);
}

#[test]
fn figures_have_the_units_of_the_draws() {
    let chains = autoregressive(13, 4, 200, 0.3);
    let moved = |scale: f64, shift: f64| -> Vec<Vec<f64>> {
        chains.iter().map(|chain| chain.iter().map(|x| scale * x + shift).collect()).collect()
    };
    for (scale, shift) in [(1e-300, 0.0), (1e300, 0.0), (4e307, 0.0), (-2.0, 1e6), (1e-3, 1e6), (5e-310, 0.0)]
    {
        let moved = moved(scale, shift);
        let same = |name: &str, a: f64, b: f64| {
            assert!((a / b - 1.0).abs() < 1e-6, "{name} at {scale}, {shift}: {a}, {b}");
        };
        same("bulk", d::rhat_bulk(&moved).unwrap(), d::rhat_bulk(&chains).unwrap());
        same("split", d::rhat_split(&moved).unwrap(), d::rhat_split(&chains).unwrap());
        same("ess", d::ess_mean(&moved).unwrap(), d::ess_mean(&chains).unwrap());
        same("ess sd", d::ess_sd(&moved).unwrap(), d::ess_sd(&chains).unwrap());
        same("sd", d::sd(&moved).unwrap(), d::sd(&chains).unwrap() * scale.abs());
        same("mcse", d::mcse_mean(&moved).unwrap(), d::mcse_mean(&chains).unwrap() * scale.abs());
        same("mcse sd", d::mcse_sd(&moved).unwrap(), d::mcse_sd(&chains).unwrap() * scale.abs());
    }
}

#[test]
fn rank_histograms_count_ranks() {
    // Ranks 1..=24 in turns: each of 4 bins has 3 of each chain, but equal draws share a rank.
    let turns = [0, 1].map(|chain| (0..12).map(|i| f64::from(2 * i + chain)).collect::<Vec<_>>());
    assert_eq!(d::rank_histogram(&turns, 4).unwrap().counts, [[3.0; 4]; 2]);
    let apart = [0, 1].map(|chain| (0..12).map(|i| f64::from(12 * chain + i)).collect::<Vec<_>>());
    assert_eq!(d::rank_histogram(&apart, 4).unwrap().counts, [[6.0, 6.0, 0.0, 0.0], [0.0, 0.0, 6.0, 6.0]]);
    let good = autoregressive(21, 4, 2000, 0.3);
    let found = d::rank_histogram(&good, 20).unwrap();
    let (low, high) = found.band;
    assert!(low > 50.0 && high < 150.0, "{:?}", found.band);
    let outside = found.counts.iter().flatten().filter(|&&count| count < low || count > high).count();
    assert!(outside <= 1, "{outside} of 80");
    assert_eq!(found.counts.iter().flatten().sum::<f64>(), 8000.0);
}

/// The shortest interval of exponential draws begins at 0; of normal ones it is in the middle. It holds the
/// proportion that it says, a little less of few draws.
#[test]
fn the_shortest_interval_is_where_the_density_is_highest() {
    let mut held = 0.0;
    for run in 0..200 {
        let mut rng = stream(run, &[5]);
        let chains: Vec<Vec<f64>> =
            (0..4).map(|_| (0..500).map(|_| StandardNormal.sample(&mut rng)).collect()).collect();
        let [low, high] = d::highest_density(&chains, 0.9).unwrap();
        held += (normal_cdf(high) - normal_cdf(low)) / 200.0;
        let skewed: Vec<Vec<f64>> =
            chains.iter().map(|own| own.iter().map(|z| -normal_cdf(*z).ln()).collect()).collect();
        let [low, high] = d::highest_density(&skewed, 0.9).unwrap();
        assert!(low < 0.05 && (high - 10_f64.ln()).abs() < 0.45, "{low} {high}");
    }
    assert!((0.885..0.9).contains(&held), "{held}");
    assert_eq!(d::highest_density(&[[3.0]], 0.9), Ok([3.0, 3.0]));
    assert_eq!(d::highest_density(&[[1.0, 2.0, 4.0, 8.0]], 1.0), Ok([1.0, 8.0]));
    assert!(d::highest_density(&[[1.0, f64::NAN]], 0.9).is_err());
    assert!(d::highest_density(&[[1.0, 2.0]], 1.1).is_err());
}
