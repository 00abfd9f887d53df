//! Draws follow the densities: tests with fixed seeds, each with one false alarm in a million seeds.

use std::convert::Infallible;

use posterior_dist::{
    AliasTable, Bernoulli, Binomial, Categorical, CumulativeTable, Density, Dirichlet, DirichletMultinomial,
    Moments, Multinomial, choose, gumbel_max::gumbel_max, stream::stream,
};
use posterior_testkit::significance::{LEVEL, chi_square_p_value, kolmogorov_smirnov_p_value};
use posterior_testkit::{accuracy::assert_within, consistency};
use rand::distr::Distribution;
use rand::{RngExt, TryRng};

use crate::compositions;

const DRAWS: usize = 100_000;

#[test]
fn distributions_with_finite_support_are_drawn_with_their_probabilities() {
    let mut rng = stream(11, &[]);
    consistency::sampler(&Bernoulli::new(0.3).expect("a probability"), &[false, true], DRAWS, &mut rng);
    let weights = [0.0, 1.0, 5.0, 0.5, 0.0, 3.5];
    consistency::sampler(
        &Categorical::from_weights(&weights).expect("weights"),
        &[0, 1, 2, 3, 4, 5],
        DRAWS,
        &mut rng,
    );
    for (trials, success) in [(1, 0.5), (12, 0.05), (300, 0.4), (300, 0.9)] {
        let points: Vec<u64> = (0..=trials).collect();
        consistency::sampler(
            &Binomial::new(trials, success).expect("a probability"),
            &points,
            DRAWS,
            &mut rng,
        );
    }
    let categories = Categorical::from_weights(&[0.5, 0.0, 0.2, 0.3]).expect("weights");
    consistency::sampler(&Multinomial::new(5, categories), &compositions(4, 5), DRAWS, &mut rng);
    for alpha in [[0.5, 2.0, 3.5], [0.01, 0.02, 0.05]] {
        let prior = Dirichlet::new(&alpha).expect("positive");
        consistency::sampler(&DirichletMultinomial::new(5, prior), &compositions(3, 5), DRAWS, &mut rng);
    }
}

#[test]
fn tables_and_gumbels_draw_by_weight() {
    let weights = [3.0, 0.0, 1.0, 0.25, 8.0, 1e-3, 0.0];
    let total: f64 = weights.iter().sum();
    let expected: Vec<f64> = weights.iter().map(|weight| DRAWS as f64 * weight / total).collect();
    let cumulative = CumulativeTable::from_weights(&weights).expect("weights");
    let alias = AliasTable::from_weights(&weights).expect("weights");
    // Log weights of any scale: these underflow as weights.
    let ln_weights = weights.map(|weight| weight.ln() - 1e4);
    let mut observed = [[0_u64; 7]; 4];
    let mut rng = stream(12, &[]);
    for _ in 0..DRAWS {
        observed[0][cumulative.sample(&mut rng)] += 1;
        observed[1][alias.sample(&mut rng)] += 1;
        observed[2][gumbel_max(&ln_weights, &mut rng).expect("finite weights")] += 1;
        observed[3][choose(&weights, rng.random::<f64>() * total).expect("weights")] += 1;
    }
    for counts in observed {
        assert!(chi_square_p_value(&counts, &expected) >= LEVEL, "{counts:?} against {expected:?}");
    }
}

/// A generator that always gives the same bits.
struct Constant(u64);

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.0 >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(self.0 as u8);
        Ok(())
    }
}

#[test]
fn the_least_and_the_largest_uniform_number_draw_no_weight_of_zero() {
    for scale in [1.0, 5e-324, 1e300] {
        let weights = [0.0, 0.0, scale, 0.0, scale, 0.0];
        let cumulative = CumulativeTable::from_weights(&weights).expect("weights");
        let alias = AliasTable::from_weights(&weights).expect("weights");
        for bits in [0, u64::MAX] {
            assert!(weights[cumulative.sample(&mut Constant(bits))] > 0.0, "{bits}");
            assert!(weights[alias.sample(&mut Constant(bits))] > 0.0, "{bits}");
        }
        assert_eq!(cumulative.sample(&mut Constant(0)), 2);
        assert_eq!(cumulative.sample(&mut Constant(u64::MAX)), 4);
        assert_eq!(
            [0.0, scale, 2.0 * scale].map(|target| choose(&weights, target)),
            [Some(2), Some(4), Some(4)]
        );
    }
}

#[test]
fn alias_tables_of_many_sizes_hold_their_weights() {
    let mut rng = stream(13, &[]);
    for size in [1, 2, 3, 10, 100, 1000] {
        let weights: Vec<f64> = (0..size).map(|k| f64::from(k % 7)).map(|w| w * w).collect();
        let weights = if size == 1 { vec![2.0] } else { weights };
        let table = AliasTable::from_weights(&weights).expect("weights");
        let total: f64 = weights.iter().sum();
        let mut observed = vec![0_u64; weights.len()];
        for _ in 0..DRAWS {
            observed[table.sample(&mut rng)] += 1;
        }
        let expected: Vec<f64> = weights.iter().map(|weight| DRAWS as f64 * weight / total).collect();
        assert!(chi_square_p_value(&observed, &expected) >= LEVEL, "{size}");
    }
}

#[test]
fn coordinates_of_a_dirichlet_have_their_beta_marginals() {
    // Where one α of two is 1 the distribution function is elementary: t₁ ~ Beta(a, 1), P(t₁ ≤ x) = xᵃ.
    for (index, a) in [1e-2, 0.3, 1.0, 4.0, 50.0].into_iter().enumerate() {
        let distribution = Dirichlet::new(&[a, 0.25, 0.75]).expect("positive");
        let mut rng = stream(14, &[index as u64]);
        let ln_draws: Vec<f64> = (0..20_000).map(|_| distribution.sample_ln(&mut rng)[0]).collect();
        let p_value = kolmogorov_smirnov_p_value(&ln_draws, |ln_x| (a * ln_x).exp());
        assert!(p_value >= LEVEL, "alpha = {a}: p = {p_value:.1e}");
    }
}

#[test]
fn tiny_alpha_chooses_corners_by_their_proportion() {
    // With α ~ 10⁻⁴ a point is a corner, which is k with probability α_k / α₀.
    for scale in [1e-4, 1e-310] {
        let distribution = Dirichlet::new(&[scale, 2.0 * scale, 5.0 * scale]).expect("positive");
        let mut rng = stream(15, &[]);
        let mut observed = [0_u64; 3];
        for _ in 0..DRAWS {
            let point: Vec<f64> = distribution.sample(&mut rng);
            observed[(0..3).max_by(|&a, &b| point[a].total_cmp(&point[b])).expect("three")] += 1;
        }
        let expected = [1.0, 2.0, 5.0].map(|proportion| DRAWS as f64 * proportion / 8.0);
        assert!(chi_square_p_value(&observed, &expected) >= LEVEL, "{scale}: {observed:?}");
    }
}

#[test]
fn moments_of_draws_are_the_moments() {
    let distribution = Dirichlet::new(&[0.3, 1.0, 4.0]).expect("positive");
    let (mean, covariance) = (distribution.mean().expect("exists"), distribution.variance().expect("exists"));
    let mut rng = stream(16, &[]);
    let draws: Vec<Vec<f64>> = (0..DRAWS).map(|_| distribution.sample(&mut rng)).collect();
    let average = |value: &dyn Fn(&[f64]) -> f64| draws.iter().map(|t| value(t)).sum::<f64>() / DRAWS as f64;
    let expected_ln = distribution.expected_ln();
    for k in 0..3 {
        // Five standard errors of the mean: one false alarm in 1.7 million.
        let error = 5.0 * (covariance[(k, k)] / DRAWS as f64).sqrt();
        assert_within(average(&|t| t[k]), mean[k], error);
        assert_within(average(&|t| (t[k] - mean[k]) * (t[0] - mean[0])), covariance[(k, 0)], 2e-3);
        assert_within(average(&|t| t[k].ln()), expected_ln[k], 0.06);
    }
    assert!(distribution.ln_pdf(&draws[0]).is_finite());
}
