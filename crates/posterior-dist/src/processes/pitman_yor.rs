//! Pitman-Yor process, and the Chinese restaurant process at discount zero: random partitions.

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma_difference, ln_pochhammer};
use rand::{Rng, RngExt};

/// The law of the seating of customers at tables of a restaurant: an exchangeable random partition.
///
/// # Seating
/// With n customers at K tables of sizes n_k, the next one sits down at table k with probability (n_k - d) / (n + θ), and at a
/// new one with probability (θ + d K) / (n + θ).
///
/// # Parameters
/// | symbol | here | range | elsewhere |
/// |---|---|---|---|
/// | d | `discount` | [0, 1) | `sigma`, `a` |
/// | θ | `concentration` | > -d | `alpha`, `b` |
///
/// With d = 0 it is the Chinese restaurant process of the Dirichlet process DP(θ), whose number of tables grows as
/// θ ln n; with d > 0 it grows as nᵈ, and the sizes follow a power law.
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
/// J. Pitman, Exchangeable and partially exchangeable random partitions, 1995; J. Pitman and M. Yor, The two-parameter
/// Poisson-Dirichlet distribution derived from a stable subordinator, 1997.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PitmanYor {
    discount: f64,
    concentration: f64,
}

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

    /// d.
    pub const fn discount(&self) -> f64 {
        self.discount
    }

    /// θ.
    pub const fn concentration(&self) -> f64 {
        self.concentration
    }

    /// ln P of one partition into blocks of these sizes, which are the same for every partition with them: -∞ if a block is
    /// empty, zero for no blocks.
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
        let customers: f64 = sizes.iter().map(|&size| size as f64).sum();
        let tables: f64 = (1..sizes.len()).map(|k| (theta + k as f64 * d).ln()).sum();
        let seats: f64 = sizes.iter().map(|&size| ln_pochhammer(1.0 - d, size as f64 - 1.0)).sum();
        tables + seats - ln_pochhammer(theta + 1.0, customers - 1.0)
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

    /// E K, the expected number of tables of n customers: θ (ψ(θ + n) - ψ(θ)), or ((θ + d)ₙ / (θ + 1)ₙ₋₁ - θ) / d.
    ///
    /// In closed form without cancellation, however small the discount is.
    pub fn expected_tables(&self, customers: u64) -> f64 {
        let (d, theta, n) = (self.discount, self.concentration, customers as f64);
        if customers == 0 {
            0.0
        } else if d == 0.0 {
            theta * digamma_difference(theta, n)
        } else if theta > 0.0 {
            let ln_ratio = ln_pochhammer(theta + n, d) - ln_pochhammer(theta, d);
            theta * ln_ratio.exp_m1() / d
        } else {
            let ln_ratio = ln_pochhammer(theta + d, n) - ln_pochhammer(theta + 1.0, n - 1.0);
            (ln_ratio.exp() - theta) / d
        }
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
