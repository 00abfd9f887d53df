//! Pitman-Yor process, and the Chinese restaurant process at discount zero: random partitions.

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma_difference, ln_gamma, ln_multivariate_beta, ln_pochhammer};
use rand::{Rng, RngExt};

use crate::fixed_quadrature::integrate_up_to;
use crate::grammar::parametric;

/// From here on ψ is smooth enough for the rule that integrates it; below, the discount is not small.
const SMOOTH_FROM: f64 = 0.75;

/// The distribution of the seating of customers at tables of a restaurant: an exchangeable random partition.
///
/// # Seating
/// With n customers at K tables of sizes n_k, the next one sits down at table k with probability (n_k - d) /
/// (n + θ), and at a new one with probability (θ + d K) / (n + θ).
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | d | `discount` | [0, 1) | `sigma`, `a` |
/// | θ | `concentration` | > -d | `alpha`, `b` |
///
/// With d = 0 it is the Chinese restaurant process of the Dirichlet process DP(θ), whose number of tables
/// grows as θ ln n; with d > 0 it grows as nᵈ, and the sizes follow a power law.
///
/// # Example
/// ```
/// use posterior_dist::PitmanYor;
///
/// let restaurant = PitmanYor::chinese_restaurant(1.0)?;
/// // Five customers, at one table of three and one of two: 2! 1! / 5!
/// assert!((restaurant.ln_partition(&[3, 2]) - (1.0_f64 / 60.0).ln()).abs() < 1e-14);
/// assert!((restaurant.expected_tables(5) - 137.0 / 60.0).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// J. Pitman, Exchangeable and partially exchangeable random partitions, 1995; J. Pitman and M. Yor, The
/// two-parameter Poisson-Dirichlet distribution derived from a stable subordinator, 1997.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PitmanYor {
    pub(super) discount: f64,
    pub(super) concentration: f64,
}

parametric!(PitmanYor, "pitman_yor", new(discount, concentration));

impl PitmanYor {
    /// Discount d and concentration θ.
    ///
    /// # Errors
    /// If d is not in [0, 1), or θ is not above -d and finite.
    pub fn new(discount: f64, concentration: f64) -> Result<Self, ParamError> {
        check::require((0.0..1.0).contains(&discount), "PitmanYor", "discount", discount, "in [0, 1)")?;
        let valid = concentration > -discount && concentration.is_finite();
        check::require(
            valid,
            "PitmanYor",
            "concentration",
            concentration,
            "finite and above minus the discount",
        )?;
        Ok(Self { discount, concentration })
    }

    /// The Chinese restaurant process, with discount zero.
    ///
    /// # Errors
    /// If the concentration is not positive and finite.
    pub fn chinese_restaurant(concentration: f64) -> Result<Self, ParamError> {
        Self::new(0.0, concentration)
    }

    /// The discount d.
    pub const fn discount(&self) -> f64 {
        self.discount
    }

    /// The concentration θ.
    pub const fn concentration(&self) -> f64 {
        self.concentration
    }

    /// ln P of one partition into blocks of these sizes, which are the same for every partition with them: -∞
    /// if a block is empty, zero for no blocks.
    ///
    /// P = Π_{k<K} (θ + k d) / (θ + 1)ₙ₋₁ · Π (1 - d)_{n_k - 1}, with rising factorials.
    pub fn ln_partition(&self, sizes: &[u64]) -> f64 {
        let (d, theta) = (self.discount, self.concentration);
        if sizes.is_empty() {
            return 0.0;
        }
        if sizes.contains(&0) {
            return f64::NEG_INFINITY;
        }
        let tables: f64 = (1..sizes.len()).map(|k| (theta + k as f64 * d).ln()).sum();
        let customers: f64 = sizes.iter().map(|&size| size as f64).sum();
        if theta > customers {
            let blocks: f64 = sizes.iter().map(|&size| ln_pochhammer(1.0 - d, size as f64 - 1.0)).sum();
            return tables - ln_pochhammer(theta + 1.0, customers - 1.0) + blocks;
        }
        // Γ(n_k - d) and Γ(θ + n) as a multivariate beta function, in which large customers lose nothing, but
        // large θ would.
        let rest = theta + sizes.len() as f64 * d;
        let proportions: Vec<f64> = sizes.iter().map(|&size| size as f64 - d).chain([rest]).collect();
        let single = sizes.len() as f64 * ln_gamma(1.0 - d);
        tables - single + (ln_gamma(theta + 1.0) - ln_gamma(rest)) + ln_multivariate_beta(&proportions)
    }

    /// The probabilities of the next seat: one for each table, in their order, and that of a new table last.
    pub fn next_seat(&self, sizes: &[u64]) -> Vec<f64> {
        let (d, theta) = (self.discount, self.concentration);
        let customers: f64 = sizes.iter().map(|&size| size as f64).sum();
        if customers == 0.0 {
            return vec![1.0];
        }
        let occupied = sizes.iter().filter(|&&size| size > 0).count() as f64;
        let seat = |&size: &u64| if size == 0 { 0.0 } else { (size as f64 - d) / (customers + theta) };
        let fresh = (theta + d * occupied) / (customers + theta);
        sizes.iter().map(seat).chain([fresh]).collect()
    }

    /// E K, the expected number of tables of n customers: θ (ψ(θ + n) - ψ(θ)), or ((θ + d)ₙ / (θ + 1)ₙ₋₁ - θ)
    /// / d.
    ///
    /// In closed form without cancellation, however small the discount is: with R = (θ + 1 + d)ₙ₋₁ / (θ +
    /// 1)ₙ₋₁ it is R + θ (R - 1) / d.
    pub fn expected_tables(&self, customers: u64) -> f64 {
        let (d, theta) = (self.discount, self.concentration);
        if customers == 0 {
            return 0.0;
        }
        let slope = self.growth_slope(customers as f64 - 1.0);
        let ln_growth = d * slope;
        if theta < 0.0 {
            return ln_growth.exp() * ((d + theta) / d) - theta / d;
        }
        let secant = if ln_growth == 0.0 { slope } else { slope * (ln_growth.exp_m1() / ln_growth) };
        ln_growth.exp() + theta * secant
    }

    /// ln R / d = ln((θ + 1 + d)ₙ / (θ + 1)ₙ) / d, the mean of ψ(s + n) - ψ(s) over s from θ + 1 to θ + 1 +
    /// d: of a positive function, where the difference of logarithms cancels for small d.
    fn growth_slope(&self, n: f64) -> f64 {
        let (d, start) = (self.discount, self.concentration + 1.0);
        if start < SMOOTH_FROM {
            return (ln_pochhammer(start + d, n) - ln_pochhammer(start, n)) / d;
        }
        integrate_up_to(1.0, 1.0, |u| digamma_difference(start + d * u, n))
    }

    /// P(K = k) of n customers, at index k from 0 to n; O(n²) time.
    pub fn table_probabilities(&self, customers: usize) -> Vec<f64> {
        let (d, theta) = (self.discount, self.concentration);
        let mut probabilities = vec![0.0; customers + 1];
        probabilities[0] = 1.0;
        for seated in 0..customers {
            let total = seated as f64 + theta;
            for k in (1..=seated + 1).rev() {
                let (stay, fresh) = if seated == 0 {
                    (0.0, 1.0)
                } else {
                    ((seated as f64 - d * k as f64).max(0.0) / total, (theta + d * (k as f64 - 1.0)) / total)
                };
                probabilities[k] = probabilities[k] * stay + probabilities[k - 1] * fresh;
            }
            probabilities[0] = 0.0;
        }
        probabilities
    }

    /// The tables of n customers, numbered in the order in which they are opened; O(n K) time.
    pub fn sample_seating<R: Rng + ?Sized>(&self, customers: usize, rng: &mut R) -> Vec<usize> {
        let mut sizes: Vec<u64> = Vec::new();
        let mut seating = Vec::with_capacity(customers);
        for seated in 0..customers {
            let table = self.draw_table(&sizes, seated, rng);
            if table == sizes.len() {
                sizes.push(0);
            }
            sizes[table] += 1;
            seating.push(table);
        }
        seating
    }

    fn draw_table<R: Rng + ?Sized>(&self, sizes: &[u64], seated: usize, rng: &mut R) -> usize {
        if seated == 0 {
            return 0;
        }
        let mut left = rng.random::<f64>() * (seated as f64 + self.concentration);
        for (table, &size) in sizes.iter().enumerate() {
            left -= size as f64 - self.discount;
            if left < 0.0 {
                return table;
            }
        }
        sizes.len()
    }
}
