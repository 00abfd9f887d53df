//! The model: how many states at most, priors of the concentrations and of the emissions.

use posterior_dist::{Beta, Conjugate, Density, Gamma, Stats};
use posterior_math::check::{self, ParamError};
use rand::Rng;
use rand_distr::Distribution;

use crate::bayesian::DirichletRow;
use crate::error::Error;

/// The largest proportion of κ: with all of it, states would never be left.
pub(super) const LARGEST_PROPORTION: f64 = 1.0 - 1e-12;

/// A concentration that is known, or has a prior.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum StickyConcentration {
    /// It is known.
    Known(f64),
    /// It is fitted.
    Learned(Gamma),
}

/// κ / (α + κ), known or with a prior.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Stickiness {
    /// It is known; 0 for the HDP-HMM.
    Known(f64),
    /// It is fitted.
    Learned(Beta),
}

/// A sticky HDP-HMM: γ of the weights, α + κ of the rows, the proportion κ / (α + κ), and a prior of the
/// emissions.
#[derive(Debug, Clone, PartialEq)]
pub struct StickyHdp<F: Conjugate<P>, P> {
    states: usize,
    pub(super) gamma: StickyConcentration,
    pub(super) total: StickyConcentration,
    pub(super) proportion: Stickiness,
    emission: P,
    fixed: F::Fixed,
}

impl StickyConcentration {
    fn check(&self, parameter: &'static str) -> Result<(), ParamError> {
        match *self {
            Self::Known(value) => check::positive("StickyHdp", parameter, value).map(|_| ()),
            Self::Learned(_) => Ok(()),
        }
    }

    pub(super) fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Known(value) => *value,
            Self::Learned(distribution) => {
                distribution.sample_ln(rng).exp().clamp(f64::MIN_POSITIVE, f64::MAX)
            }
        }
    }

    /// ln of the density in ln of the concentration, up to a constant.
    pub(super) fn ln_density(&self, value: f64) -> f64 {
        match self {
            Self::Known(_) => 0.0,
            Self::Learned(distribution) => distribution.ln_pdf(&value) + value.ln(),
        }
    }
}

impl Stickiness {
    pub(super) fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        match self {
            Self::Known(value) => *value,
            Self::Learned(distribution) => distribution.sample(rng).min(LARGEST_PROPORTION),
        }
    }

    /// ln of the density in the logit, up to a constant.
    pub(super) fn ln_density(&self, value: f64) -> f64 {
        match self {
            Self::Known(_) => 0.0,
            Self::Learned(distribution) => distribution.ln_pdf(&value) + value.ln() + (-value).ln_1p(),
        }
    }
}

impl<F: Conjugate<P>, P> StickyHdp<F, P> {
    /// At most so many states, with weak priors: γ ~ Gamma(1, 1), α + κ ~ Gamma(1, 0.1), κ / (α + κ) ~
    /// Beta(10, 1). `fixed` is what the family holds fixed.
    ///
    /// # Errors
    /// If there are no states, or what is fixed does not fit the prior of the emissions.
    pub fn new(states: usize, emission: P, fixed: F::Fixed) -> Result<Self, Error> {
        check::require(states > 0, "StickyHdp", "states", states as f64, "positive")?;
        F::posterior(&emission, &Stats::new(fixed.clone()))?;
        Ok(Self {
            states,
            gamma: StickyConcentration::Learned(Gamma::shape_rate(1.0, 1.0)?),
            total: StickyConcentration::Learned(Gamma::shape_rate(1.0, 0.1)?),
            proportion: Stickiness::Learned(Beta::new(10.0, 1.0)?),
            emission,
            fixed,
        })
    }

    /// The same model with another γ.
    ///
    /// # Errors
    /// If it is known and not positive and finite.
    pub fn with_gamma(self, gamma: StickyConcentration) -> Result<Self, ParamError> {
        gamma.check("gamma")?;
        Ok(Self { gamma, ..self })
    }

    /// The same model with another α + κ.
    ///
    /// # Errors
    /// If it is known and not positive and finite.
    pub fn with_total(self, total: StickyConcentration) -> Result<Self, ParamError> {
        total.check("total")?;
        Ok(Self { total, ..self })
    }

    /// The same model with another κ / (α + κ).
    ///
    /// # Errors
    /// If it is known and not in [0, 1).
    pub fn with_stickiness(self, proportion: Stickiness) -> Result<Self, ParamError> {
        if let Stickiness::Known(value) = proportion {
            let inside = (0.0..=LARGEST_PROPORTION).contains(&value);
            check::require(inside, "StickyHdp", "stickiness", value, "in [0, 1)")?;
        }
        Ok(Self { proportion, ..self })
    }

    /// L, the number of states that there may be.
    pub const fn states(&self) -> usize {
        self.states
    }

    /// The prior of the emissions.
    pub const fn emission(&self) -> &P {
        &self.emission
    }

    /// The parameters that the family holds fixed.
    pub const fn fixed(&self) -> &F::Fixed {
        &self.fixed
    }
}

/// The weights of the states and the concentrations.
#[derive(Debug, Clone, PartialEq)]
pub struct StickyWeights {
    /// Logarithms of the weights β of the states.
    pub ln_beta: Vec<f64>,
    /// Concentration γ of the weights of the states.
    pub gamma: f64,
    /// Concentration α + κ of each row of transitions.
    pub total: f64,
    /// Proportion κ / (α + κ) of that concentration for staying in the state.
    pub proportion: f64,
}

impl StickyWeights {
    /// Concentration α of a row on the weights of the states.
    pub const fn alpha(&self) -> f64 {
        self.total * (1.0 - self.proportion)
    }

    /// Additional concentration κ on staying in the state.
    pub const fn kappa(&self) -> f64 {
        self.total * self.proportion
    }

    /// α β_k, not less than the least number: a state of tiny weight is no impossible one.
    pub(super) fn alpha_beta(&self, k: usize) -> f64 {
        (self.alpha() * self.ln_beta[k].exp()).max(f64::MIN_POSITIVE)
    }

    /// The distribution of the initial state, or of the steps from one.
    pub(super) fn row(&self, own: Option<usize>) -> Result<DirichletRow, Error> {
        let sticky = |k: usize| if own == Some(k) { self.kappa() } else { 0.0 };
        let alpha: Vec<f64> = (0..self.ln_beta.len()).map(|k| self.alpha_beta(k) + sticky(k)).collect();
        Ok(DirichletRow::new(&alpha)?)
    }
}
