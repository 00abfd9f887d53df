//! Numbers and counts of likelihoods whose new outcomes are averages over the function: no formula has them.

use posterior::dist::{Gamma, Mixture, NegativeBinomial, Normal, StudentT};
use posterior::gp::likelihood::{
    GammaLikelihood, Likelihood, LogLinkGaussian, NegativeBinomialLikelihood, StudentTLikelihood,
};
use posterior::math::ParamError;
use posterior::regression::glm::Predictor;

use super::answer::Predicted;
use crate::level::Level;
use crate::predictive::{Predictive, moments_of_rate};

/// A likelihood of which new outcomes are predicted.
pub(super) trait NewOutcomes: Likelihood {
    /// Of one outcome, where the function is known.
    type Distribution;

    /// The distribution of an outcome where the function has this value.
    fn at(&self, latent: f64) -> Result<Self::Distribution, ParamError>;

    /// How wide the likelihood of a usual outcome is, as a standard deviation of the function.
    fn width(&self, latent: f64) -> f64;

    /// Outcomes where the function is one of many.
    fn predictive(mixture: Mixture<Self::Distribution>) -> Predictive;

    /// Whether the mean of an outcome is the exponential of the function; else it is the function.
    const EXPONENTIAL: bool = true;
}

impl NewOutcomes for NegativeBinomialLikelihood {
    type Distribution = NegativeBinomial;

    fn at(&self, latent: f64) -> Result<NegativeBinomial, ParamError> {
        NegativeBinomial::mean_dispersion(latent.exp(), self.parameters()[0].value)
    }

    fn width(&self, latent: f64) -> f64 {
        ((-latent).exp() + self.parameters()[0].value.recip()).sqrt()
    }

    fn predictive(mixture: Mixture<NegativeBinomial>) -> Predictive {
        Predictive::Counts(mixture)
    }
}

impl NewOutcomes for GammaLikelihood {
    type Distribution = Gamma;

    fn at(&self, latent: f64) -> Result<Gamma, ParamError> {
        let shape = self.parameters()[0].value;
        Gamma::shape_scale(shape, latent.exp() / shape)
    }

    fn width(&self, _latent: f64) -> f64 {
        self.parameters()[0].value.sqrt().recip()
    }

    fn predictive(mixture: Mixture<Gamma>) -> Predictive {
        Predictive::Gammas(mixture)
    }
}

impl NewOutcomes for StudentTLikelihood {
    type Distribution = StudentT;

    fn at(&self, latent: f64) -> Result<StudentT, ParamError> {
        let parameters = self.parameters();
        StudentT::new(parameters[0].value, latent, parameters[1].value)
    }

    fn width(&self, _latent: f64) -> f64 {
        self.parameters()[1].value
    }

    fn predictive(mixture: Mixture<StudentT>) -> Predictive {
        Predictive::Students(mixture)
    }

    const EXPONENTIAL: bool = false;
}

impl NewOutcomes for LogLinkGaussian {
    type Distribution = Normal;

    fn at(&self, latent: f64) -> Result<Normal, ParamError> {
        Normal::mean_sd(latent.exp(), self.parameters()[0].value.sqrt())
    }

    fn width(&self, latent: f64) -> f64 {
        self.parameters()[0].value.sqrt() * (-latent).exp()
    }

    fn predictive(mixture: Mixture<Normal>) -> Predictive {
        Predictive::Normals(mixture)
    }
}

/// How far from its mean a function is looked for, in standard deviations.
const REACH: f64 = 4.5;

/// The steps of the trapezoidal rule over the function, in standard deviations: as large as the widths of
/// outcomes allow, and within these; the shortest with many functions.
const STEPS: [f64; 2] = [0.05, 0.5];

/// With what is expected of a new outcome where the function is normal: with each of some likelihoods and
/// moments, by their weights.
pub(super) fn with_new<L: NewOutcomes>(
    own: Predicted,
    parts: &[(f64, Predictor, L)],
    level: Level,
) -> Result<Predicted, ParamError> {
    let (mut weights, mut members) = (Vec::new(), Vec::new());
    for (weight, Predictor { mean, variance }, likelihood) in parts {
        let sd = variance.sqrt();
        let least = if parts.len() > 1 { STEPS[1] } else { STEPS[0] };
        let step = (0.75 * likelihood.width(*mean) / sd).clamp(least, STEPS[1]);
        let nodes = if sd > 0.0 { (REACH / step).ceil() as i32 } else { 0 };
        let z = |node: i32| step * f64::from(node);
        let density = |node: i32| (-0.5 * z(node).powi(2)).exp();
        let total: f64 = (-nodes..=nodes).map(density).sum();
        for node in -nodes..=nodes {
            weights.push(weight * density(node) / total);
            members.push(likelihood.at(mean + sd * z(node))?);
        }
    }
    let new = L::predictive(Mixture::from_weights(&weights, members)?);
    let (response, sd) = if L::EXPONENTIAL {
        let each: Vec<_> = parts.iter().map(|(weight, own, _)| (*weight, *own)).collect();
        let (mean, variance) = moments_of_rate(&each);
        (mean, variance.sqrt())
    } else {
        (own.mean.all()[0], own.variance.all()[0].sqrt())
    };
    let response_is_other = L::EXPONENTIAL.then_some(response);
    Ok(Predicted { response: response_is_other, ..own.with_new(response, sd, new, level) })
}
