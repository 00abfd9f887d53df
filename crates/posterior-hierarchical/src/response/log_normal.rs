//! Positive responses whose logarithms are normal.

use super::{Ascent, FamilyResponse, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::Error;
use crate::hyperparameter::Hyperparameter;
use crate::prior::HyperparameterPrior;
use crate::written::WrittenResponse;

/// ln y ~ N(η, σ² / weight): the median of y is e^η.
///
/// The hyperparameter is `sd`, σ, with a prior that is flat in ln σ. As a model of ln y with
/// [`FamilyResponse::gaussian`], but for the densities, which are those of y itself.
#[derive(Debug, Clone)]
pub struct LogNormalResponse {
    logarithm: FamilyResponse,
}

impl LogNormalResponse {
    /// Responses with the median e^η. `start` is a σ from which the search begins: the standard deviation of
    /// ln y will do.
    ///
    /// # Errors
    /// Unless the start is positive and finite.
    pub fn new(start: f64) -> Result<Self, Error> {
        Ok(Self { logarithm: FamilyResponse::gaussian(start)? })
    }

    /// With another prior of σ.
    #[must_use]
    pub fn with_prior(self, prior: HyperparameterPrior) -> Self {
        Self { logarithm: self.logarithm.with_prior(prior) }
    }
}

impl Response for LogNormalResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        self.logarithm.hyperparameters()
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let term = self.logarithm.term(y.ln(), weight, predictor, parameters);
        ResponseTerm { ln_likelihood: term.ln_likelihood - y.ln(), ..term }
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        parameter: usize,
    ) -> TermSlopes {
        self.logarithm.term_slopes(y.ln(), weight, predictor, parameters, parameter)
    }

    fn written(&self) -> Option<WrittenResponse> {
        Some(WrittenResponse {
            outcome: "vector<lower=0>[N]",
            density: "lognormal",
            ..self.logarithm.written()?
        })
    }

    fn mean(&self, predictor: f64, parameters: &[f64]) -> f64 {
        (predictor + 0.5 * parameters[0] * parameters[0]).exp()
    }

    fn variance(&self, weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        let square = parameters[0] * parameters[0] / weight;
        (2.0 * predictor + square).exp() * square.exp_m1()
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Positive
    }

    fn cumulative(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        self.logarithm.cumulative(y.ln(), weight, predictor, parameters)
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        (!(y > 0.0 && y.is_finite())).then_some("positive and finite")
    }

    fn start(&self, y: f64) -> f64 {
        y.ln()
    }

    fn ascent(&self, _y: f64) -> Ascent {
        Ascent::Bounded
    }
}
