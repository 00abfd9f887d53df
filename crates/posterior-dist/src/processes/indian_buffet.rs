//! Indian buffet process: random sets of features, without a bound on their number.

use std::collections::BTreeMap;

use posterior_math::check::{self, ParamError};
use posterior_math::special::{digamma_difference, ln_beta, ln_factorial};
use rand::{Rng, RngExt};
use rand_distr::Distribution;

/// The distribution of the dishes that customers take from a buffet: an exchangeable random binary matrix.
///
/// Customer i takes dish k, of which m_k earlier ones took, with probability m_k / i, and then Poisson(α / i)
/// new dishes.
///
/// # Parameters
/// | symbol | here | range |
/// |---|---|---|
/// | α | `mass` | positive |
///
/// # Example
/// ```
/// use posterior_dist::IndianBuffet;
///
/// let buffet = IndianBuffet::new(2.0)?;
/// assert!((buffet.expected_dishes(10) - 5.857936507936508).abs() < 1e-14);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # References
/// T. Griffiths and Z. Ghahramani, The Indian buffet process: an introduction and review, JMLR 12 (2011).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndianBuffet {
    mass: f64,
}

impl IndianBuffet {
    /// α = mass, the expected number of dishes of one customer.
    ///
    /// # Errors
    /// If the mass is not positive, or above 10¹⁵: nobody can count so many dishes.
    pub fn new(mass: f64) -> Result<Self, ParamError> {
        let countable = mass > 0.0 && mass <= 1e15;
        Ok(Self {
            mass: check::require(countable, "IndianBuffet", "mass", mass, "positive and at most 1e15")?,
        })
    }

    /// The mass α.
    pub const fn mass(&self) -> f64 {
        self.mass
    }

    /// α Hₙ, the mean of the number of different dishes that n customers take, which is Poisson.
    pub fn expected_dishes(&self, customers: u64) -> f64 {
        self.mass * harmonic(customers)
    }

    /// ln P of these dishes, a list for each customer, up to the numbering of the dishes: the probability of
    /// all matrices with the same columns in another order. -∞ if a customer has a dish twice.
    ///
    /// P = α^K e^(-α Hₙ) / Π K_h! · Π_k (n - m_k)! (m_k - 1)! / n!, with K_h dishes of the same history h.
    pub fn ln_probability(&self, dishes: &[Vec<usize>]) -> f64 {
        let mut histories: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (customer, taken) in dishes.iter().enumerate() {
            for &dish in taken {
                let history = histories.entry(dish).or_default();
                if history.last() == Some(&customer) {
                    return f64::NEG_INFINITY;
                }
                history.push(customer);
            }
        }
        let customers = dishes.len();
        let mut ln_probability = -self.expected_dishes(customers as u64);
        let mut same: BTreeMap<&[usize], u64> = BTreeMap::new();
        for history in histories.values() {
            let takers = history.len() as f64;
            ln_probability += self.mass.ln() + ln_beta(takers, customers as f64 - takers + 1.0);
            *same.entry(history).or_default() += 1;
        }
        ln_probability - same.values().map(|&count| ln_factorial(count)).sum::<f64>()
    }

    /// The dishes of n customers, numbered in the order in which they are first taken.
    pub fn sample<R: Rng + ?Sized>(&self, customers: usize, rng: &mut R) -> Vec<Vec<usize>> {
        let mut takers: Vec<u64> = Vec::new();
        let mut dishes = Vec::with_capacity(customers);
        for customer in 1..=customers {
            let mut taken = Vec::new();
            for (dish, count) in takers.iter_mut().enumerate() {
                if rng.random::<f64>() * (customer as f64) < *count as f64 {
                    *count += 1;
                    taken.push(dish);
                }
            }
            for _ in 0..new_dishes(self.mass / customer as f64, rng) {
                taken.push(takers.len());
                takers.push(1);
            }
            dishes.push(taken);
        }
        dishes
    }
}

/// Poisson with this mean, which is at most 1e15; zero if it has underflowed to zero.
fn new_dishes<R: Rng + ?Sized>(mean: f64, rng: &mut R) -> u64 {
    if mean == 0.0 {
        return 0;
    }
    rand_distr::Poisson::new(mean).expect("the mass is positive and at most 1e15").sample(rng) as u64
}

/// Hₙ = 1 + 1/2 + … + 1/n.
fn harmonic(n: u64) -> f64 {
    if n == 0 { 0.0 } else { digamma_difference(1.0, n as f64) }
}
