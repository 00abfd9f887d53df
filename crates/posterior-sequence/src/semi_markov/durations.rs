//! How long a state lasts.

use posterior_math::check::{self, ParamError};
use posterior_math::log_space::{ln_add_exp, ln_sum_exp};
use posterior_math::special::ln_gamma;

/// The distribution of the number of positions that a state lasts: 1 to D.
///
/// Distributions with parameters are those of 0, 1, … with one added, restricted to 1 to D: their
/// probabilities beyond D are not lumped there, the others are divided by their sum.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "super::serde_form::WrittenDurations", try_from = "super::serde_form::WrittenDurations")
)]
pub struct Durations {
    family: DurationFamily,
    /// ln p(d) at index d - 1.
    ln_probabilities: Vec<f64>,
    /// ln P(at least d) at index d - 1.
    ln_survival: Vec<f64>,
}

/// The family of the distribution of durations, which a fit keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum DurationFamily {
    /// A probability of its own for each duration.
    Table,
    /// d - 1 has a Poisson distribution of this rate.
    Poisson {
        /// The rate; the mean of d - 1 were it not for the restriction.
        rate: f64,
    },
    /// d - 1 has a negative binomial distribution: p(n) ∝ Γ(n + size) / n! · stay^n. The geometric
    /// distribution is that of size 1.
    NegativeBinomial {
        /// The size, also called r.
        size: f64,
        /// The probability that is raised to the power n.
        stay: f64,
    },
}

impl Durations {
    /// Probabilities of 1, 2, …, which are divided by their sum.
    ///
    /// # Errors
    /// If a weight is negative or not finite, or none is positive.
    pub fn table(weights: &[f64]) -> Result<Self, ParamError> {
        for (index, &weight) in weights.iter().enumerate() {
            check::non_negative("Durations", "weight", weight).map_err(|error| error.at(index))?;
        }
        let most = weights.iter().copied().fold(0.0, f64::max);
        check::positive("Durations", "largest weight", most)?;
        let ln = weights.iter().map(|weight| (weight / most).ln()).collect();
        Ok(Self::of(DurationFamily::Table, ln))
    }

    /// One position more than a Poisson variable, up to `longest`.
    ///
    /// # Errors
    /// If the rate is negative or not finite, or `longest` is 0.
    pub fn poisson(rate: f64, longest: usize) -> Result<Self, ParamError> {
        check::non_negative("Durations", "rate", rate)?;
        Self::in_family(DurationFamily::Poisson { rate }, longest)
    }

    /// One position more than a negative binomial variable, up to `longest`.
    ///
    /// # Errors
    /// If the size is not positive and finite, `stay` not in [0, 1), or `longest` is 0.
    pub fn negative_binomial(size: f64, stay: f64, longest: usize) -> Result<Self, ParamError> {
        check::positive("Durations", "size", size)?;
        check::require((0.0..1.0).contains(&stay), "Durations", "stay", stay, "in [0, 1)")?;
        Self::in_family(DurationFamily::NegativeBinomial { size, stay }, longest)
    }

    /// The durations of a Markov chain that stays with probability `stay`, up to `longest`.
    ///
    /// # Errors
    /// If `stay` is not in [0, 1), or `longest` is 0.
    pub fn geometric(stay: f64, longest: usize) -> Result<Self, ParamError> {
        Self::negative_binomial(1.0, stay, longest)
    }

    /// Parameters are valid.
    pub(super) fn in_family(family: DurationFamily, longest: usize) -> Result<Self, ParamError> {
        check::require(longest > 0, "Durations", "longest", longest as f64, "positive")?;
        let ln = (0..longest).map(|n| ln_weight(&family, n as f64)).collect();
        Ok(Self::of(family, ln))
    }

    /// Of ln weights, one of which is finite.
    fn of(family: DurationFamily, mut ln_probabilities: Vec<f64>) -> Self {
        let total = ln_sum_exp(&ln_probabilities);
        for ln in &mut ln_probabilities {
            *ln -= total;
        }
        Self::with_survival(family, ln_probabilities)
    }

    /// A table of ln probabilities, as they are.
    #[cfg(feature = "serde")]
    pub(super) fn of_table(ln_probabilities: Vec<f64>) -> Self {
        Self::with_survival(DurationFamily::Table, ln_probabilities)
    }

    fn with_survival(family: DurationFamily, ln_probabilities: Vec<f64>) -> Self {
        let mut ln_survival = ln_probabilities.clone();
        for d in (0..ln_survival.len() - 1).rev() {
            ln_survival[d] = ln_add_exp(ln_probabilities[d], ln_survival[d + 1]);
        }
        ln_survival[0] = 0.0;
        Self { family, ln_probabilities, ln_survival }
    }

    /// The family of the distribution.
    pub const fn family(&self) -> DurationFamily {
        self.family
    }

    /// D, the longest duration that is thought of; its probability may be 0.
    pub const fn longest(&self) -> usize {
        self.ln_probabilities.len()
    }

    /// ln p(d); -∞ outside of 1 to D.
    pub fn ln_pdf(&self, duration: usize) -> f64 {
        let at = duration.checked_sub(1).and_then(|index| self.ln_probabilities.get(index));
        at.copied().unwrap_or(f64::NEG_INFINITY)
    }

    /// ln of the probability of at least this duration.
    pub fn ln_survival(&self, duration: usize) -> f64 {
        match duration.checked_sub(1) {
            None => 0.0,
            Some(index) => self.ln_survival.get(index).copied().unwrap_or(f64::NEG_INFINITY),
        }
    }

    /// The mean duration.
    pub fn mean(&self) -> f64 {
        self.ln_survival.iter().map(|ln| ln.exp()).sum()
    }

    /// The distribution of what is left of a duration, the current position included, at a position that is
    /// chosen without regard to it: p(d) = P(at least d) / mean.
    #[must_use]
    pub fn residual(&self) -> Self {
        Self::of(DurationFamily::Table, self.ln_survival.clone())
    }

    /// ln p(d) at index d - 1.
    pub(super) fn ln_probabilities(&self) -> &[f64] {
        &self.ln_probabilities
    }

    /// ln P(at least d) at index d - 1.
    pub(super) fn ln_survivals(&self) -> &[f64] {
        &self.ln_survival
    }
}

/// ln p(n) of a family with parameters, up to a constant.
pub(super) fn ln_weight(family: &DurationFamily, n: f64) -> f64 {
    let power = |base: f64| if n == 0.0 { 0.0 } else { n * base.ln() };
    match *family {
        DurationFamily::Table => 0.0,
        DurationFamily::Poisson { rate } => power(rate) - ln_gamma(n + 1.0),
        DurationFamily::NegativeBinomial { size, stay } => {
            ln_gamma(n + size) - ln_gamma(size) - ln_gamma(n + 1.0) + power(stay)
        }
    }
}
