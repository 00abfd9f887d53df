//! What is said of a value that was not seen.

use super::mixture::{Figures, Mixture};
use super::signal_mixture::SignalMixture;
use crate::level::Level;

/// The distribution of a value.
#[derive(Debug, Clone)]
pub(super) enum Prediction {
    /// Of a number with Gaussian noise.
    Gaussian(Mixture),
    /// Of what is seen of a signal in another way.
    OfSignal(SignalMixture),
}

impl From<Mixture> for Prediction {
    fn from(own: Mixture) -> Self {
        Self::Gaussian(own)
    }
}

impl Prediction {
    pub(super) fn figures(&self, level: Level) -> Figures {
        match self {
            Self::Gaussian(own) => own.figures(level),
            Self::OfSignal(own) => own.figures(level),
        }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        match self {
            Self::Gaussian(own) => own.quantile(p),
            Self::OfSignal(own) => own.quantile(p),
        }
    }

    /// ln of the density of a value, or of its probability.
    pub(super) fn ln_pdf(&self, y: f64) -> f64 {
        match self {
            Self::Gaussian(own) => own.ln_pdf(y),
            Self::OfSignal(own) => own.ln_pdf(y),
        }
    }
}
