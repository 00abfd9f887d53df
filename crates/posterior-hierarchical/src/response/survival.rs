//! Times to an event, of some of which it is only known that they are longer.

use posterior_dist::LogNormal;
use posterior_math::check;

use super::{Ascent, Response, ResponseSupport, ResponseTerm, TermSlopes};
use crate::Error;
use crate::hyperparameter::{HyperScale, Hyperparameter};
use crate::prior::HyperparameterPrior;

/// Times t to an event, with P(T > t) = exp(-(t e^-η)^k): Weibull times with the scale e^η, or exponential
/// times with k = 1. Times at which a row was seen last, still without its event, are right censored.
///
/// One more unit of a column makes times e^β as long, and the hazard e^(-k β) as large.
///
/// | made by | hyperparameter | prior |
/// |---|---|---|
/// | [`weibull`](Self::weibull) | `shape`, k: the hazard rises with time above 1, falls below | ln k standard normal |
/// | [`exponential`](Self::exponential) | | |
///
/// As a response, a censored time has a minus sign; [`responses`](Self::responses) puts it there. The weight
/// is a number of equal rows.
///
/// ```
/// use posterior_hierarchical::{FieldEffect, HierarchicalModel, HierarchicalOptions, PlaceEffect as _,
/// SurvivalResponse};
///
/// // Days until each of two kidneys of four patients is infected, and whether that was seen.
/// let days = [8.0, 16.0, 23.0, 13.0, 22.0, 28.0, 447.0, 318.0];
/// let seen = [true, true, true, false, true, true, true, true];
/// let patient = [0, 0, 1, 1, 2, 2, 3, 3];
/// let y = SurvivalResponse::responses(&days, &seen)?;
/// assert_eq!(y[3], -13.0);
/// // survival(days, seen) ~ 1 + (1 | patient): frailties of the patients
/// let model = HierarchicalModel::new(SurvivalResponse::weibull(), &y)?
///     .intercept()?
///     .effect(FieldEffect::groups("patient", 4)?.at(&patient)?)?;
/// let fit = model.fit(&HierarchicalOptions::default())?;
/// assert!(fit.effect("patient")?[3].mean() > 0.5);
/// # Ok::<(), posterior_hierarchical::Error>(())
/// ```
///
/// # References
/// J. D. Kalbfleisch, R. L. Prentice, The Statistical Analysis of Failure Time Data, 2nd ed. (2002), chapter
/// 3.
#[derive(Debug, Clone)]
pub struct SurvivalResponse {
    /// The prior of the shape, unless that is 1.
    shape: Option<HyperparameterPrior>,
}

impl SurvivalResponse {
    /// Times whose hazard does not change.
    pub const fn exponential() -> Self {
        Self { shape: None }
    }

    /// Times whose hazard is a power of time.
    pub fn weibull() -> Self {
        Self { shape: LogNormal::new(0.0, 1.0).ok().map(HyperparameterPrior::density) }
    }

    /// With another prior of the shape, if it is unknown.
    #[must_use]
    pub fn with_prior(self, shape: HyperparameterPrior) -> Self {
        Self { shape: self.shape.map(|_| shape) }
    }

    /// Times as responses: with a minus sign where the event was not seen.
    ///
    /// # Errors
    /// Times that are not positive and finite; other numbers of events than of times.
    pub fn responses(times: &[f64], seen: &[bool]) -> Result<Vec<f64>, Error> {
        check::dimension("events of times", times.len(), seen.len())?;
        check::each(times, |time| check::positive("SurvivalResponse", "times", time))?;
        Ok(times.iter().zip(seen).map(|(&time, &seen)| if seen { time } else { -time }).collect())
    }

    fn at(parameters: &[f64]) -> f64 {
        parameters.first().copied().unwrap_or(1.0)
    }
}

impl Response for SurvivalResponse {
    fn hyperparameters(&self) -> Vec<Hyperparameter> {
        let scale = HyperScale::Positive;
        let own = |prior: &HyperparameterPrior| Hyperparameter {
            name: "shape".to_owned(),
            scale,
            start: 1.0,
            prior: prior.clone(),
        };
        self.shape.iter().map(own).collect()
    }

    fn term(&self, y: f64, weight: f64, predictor: f64, parameters: &[f64]) -> ResponseTerm {
        let shape = Self::at(parameters);
        let ln_time = y.abs().ln();
        let ln_sum = shape * (ln_time - predictor);
        // The cumulative hazard.
        let sum = ln_sum.exp();
        let event = f64::from(u8::from(y > 0.0));
        let ln_hazard = if y > 0.0 { shape.ln() - ln_time + ln_sum } else { 0.0 };
        ResponseTerm {
            ln_likelihood: ln_hazard - sum,
            slope: shape * (sum - event),
            curvature: shape * shape * sum,
            third: shape.powi(3) * sum,
        }
        .times(weight)
    }

    fn term_slopes(
        &self,
        y: f64,
        weight: f64,
        predictor: f64,
        parameters: &[f64],
        _parameter: usize,
    ) -> TermSlopes {
        let shape = Self::at(parameters);
        let ln_ratio = y.abs().ln() - predictor;
        let sum = (shape * ln_ratio).exp();
        let event = f64::from(u8::from(y > 0.0));
        TermSlopes {
            ln_likelihood: event * (shape.recip() + ln_ratio) - sum * ln_ratio,
            slope: sum - event + shape * sum * ln_ratio,
            curvature: shape * sum * (2.0 + shape * ln_ratio),
        }
        .times(weight)
    }

    /// That of the time, seen or not.
    fn mean(&self, predictor: f64, parameters: &[f64]) -> f64 {
        (predictor + posterior_math::special::ln_gamma(1.0 + Self::at(parameters).recip())).exp()
    }

    fn variance(&self, _weight: f64, predictor: f64, parameters: &[f64]) -> f64 {
        let inverse = Self::at(parameters).recip();
        let ln_moment =
            |power: f64| power * predictor + posterior_math::special::ln_gamma(1.0 + power * inverse);
        ln_moment(2.0).exp() - (2.0 * ln_moment(1.0)).exp()
    }

    fn support(&self) -> ResponseSupport {
        ResponseSupport::Positive
    }

    fn cumulative(&self, y: f64, _weight: f64, predictor: f64, parameters: &[f64]) -> [f64; 2] {
        let sum = (Self::at(parameters) * (y.abs().ln() - predictor)).exp();
        let below = -(-sum).exp_m1();
        // Of a censored time it is known that it was larger.
        [below, if y > 0.0 { below } else { 1.0 }]
    }

    fn requirement(&self, y: f64) -> Option<&'static str> {
        let requirement =
            "a finite time that is not 0: positive at an event, negative if it was still to come";
        (!y.is_finite() || y == 0.0).then_some(requirement)
    }

    fn start(&self, y: f64) -> f64 {
        y.abs().ln()
    }

    fn ascent(&self, y: f64) -> Ascent {
        if y > 0.0 { Ascent::Bounded } else { Ascent::Up }
    }
}
