//! How values are seen of the signal of a model, where their noise is not Gaussian.

use posterior::kalman::learning::{Parameter, ParameterScale};
use posterior::kalman::non_gaussian::SignalLikelihood;
use posterior::kalman::structural::Structural;
use posterior::math::log_space::logit;

use super::structure::spread;
use super::timeline::Timeline;
use crate::args::SeriesLikelihood;
use crate::failure::Failure;

impl SeriesLikelihood {
    /// As the option has it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Gaussian => "gaussian",
            Self::Poisson => "poisson",
            Self::Binomial => "binomial",
            Self::NegativeBinomial => "negative-binomial",
            Self::StudentT => "student-t",
        }
    }

    /// What a model is a sum of.
    pub(super) const fn link(self) -> &'static str {
        match self {
            Self::Gaussian | Self::StudentT => "the signal",
            Self::Poisson | Self::NegativeBinomial => "ln of the mean",
            Self::Binomial => "the logit of the probability",
        }
    }

    /// Its own parameters, where a search for them begins: `spread` is the mean square of the steps.
    pub(super) fn parameters(self, spread: f64) -> Vec<Parameter> {
        let starts: &[(&'static str, f64)] = match self {
            Self::Gaussian | Self::Poisson | Self::Binomial => &[],
            Self::NegativeBinomial => &[("size", 10.0)],
            Self::StudentT => &[("degrees", 6.0), ("scale", (0.3 * spread).sqrt())],
        };
        let positive =
            |&(name, start): &(&'static str, f64)| Parameter::new(name, ParameterScale::Positive, start).ok();
        starts.iter().filter_map(positive).collect()
    }

    /// With these values of its own parameters, and trials at each time. None of Gaussian noise, which is
    /// that of the model.
    pub(super) fn with(self, own: &[f64], trials: &[u64]) -> Option<SignalLikelihood> {
        Some(match (self, own) {
            (Self::Poisson, []) => SignalLikelihood::Poisson,
            (Self::Binomial, []) => SignalLikelihood::Binomial { trials: trials.to_vec() },
            (Self::NegativeBinomial, &[size]) => SignalLikelihood::NegativeBinomial { size },
            (Self::StudentT, &[degrees_of_freedom, scale]) => {
                SignalLikelihood::StudentT { degrees_of_freedom, scale }
            }
            _ => return None,
        })
    }

    /// Values on the scale of the signal, as far as one value says where that is.
    fn on_scale(self, values: &[f64], trials: &[u64]) -> Vec<f64> {
        let of = |(t, &y): (usize, &f64)| match self {
            Self::Gaussian | Self::StudentT => y,
            Self::Poisson | Self::NegativeBinomial => (y + 0.5).ln(),
            Self::Binomial => logit((y + 0.5) / (trials.get(t).copied().unwrap_or(1) as f64 + 1.0)),
        };
        values.iter().enumerate().map(of).collect()
    }

    /// The mean square of the steps of the signal: that of the values on its scale, less what is expected of
    /// their noise, and no less than a part of it.
    pub(super) fn spread(self, values: &[f64], trials: &[u64]) -> f64 {
        const LEAST: f64 = 0.05;
        let steps = spread(&self.on_scale(values, trials));
        let noise = |(t, &y): (usize, &f64)| match self {
            Self::Gaussian | Self::StudentT => 0.0,
            Self::Poisson | Self::NegativeBinomial => (y + 0.5).recip(),
            Self::Binomial => {
                let failures = trials.get(t).copied().unwrap_or(1) as f64 - y;
                (y + 0.5).recip() + (failures + 0.5).recip()
            }
        };
        let seen = values.iter().enumerate().filter(|(_, y)| !y.is_nan());
        let noises: Vec<f64> = seen.map(noise).collect();
        let noise = noises.iter().sum::<f64>() / noises.len().max(1) as f64;
        (steps - 2.0 * noise).max(LEAST * steps)
    }

    /// The states of a model, without a noise of its own where values are not Gaussian.
    pub(super) fn states(self, model: Structural, text: &str) -> Result<Structural, Failure> {
        const NOISE: &str = "noise.variance";
        if self == Self::Gaussian || !model.parameters().iter().any(|own| own.name() == NOISE) {
            return Ok(model);
        }
        if text.contains("noise(") {
            let message = format!("--likelihood {}: it is the only noise: leave noise(...) out", self.name());
            return Err(Failure::Usage(format!("{message} of --model")));
        }
        model.with_parameter(NOISE, 0.0).map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Refuses values that cannot be seen so, and says where the first one is.
    pub(super) fn check(
        self,
        (source, timeline): (&str, &Timeline),
        column: &str,
        values: &[f64],
        trials: &[u64],
    ) -> Result<(), Failure> {
        if matches!(self, Self::Gaussian | Self::StudentT) {
            return Ok(());
        }
        let most = |t: usize| match self {
            Self::Binomial => trials.get(t).map_or(0.0, |&own| own as f64),
            _ => 9e15,
        };
        let is_wrong =
            |(t, y): (usize, &f64)| !(y.is_nan() || y.fract() == 0.0 && (0.0..=most(t)).contains(y));
        let Some(t) = values.iter().enumerate().position(is_wrong) else { return Ok(()) };
        let (name, value, at) = (self.name(), values[t], timeline.label(t));
        let upper = match self {
            Self::Binomial => format!(" to {}, the trials", most(t)),
            _ => String::new(),
        };
        let message = format!(
            "{source}: column {column}: --likelihood {name} needs whole numbers from 0{upper}, found {value} at {at}"
        );
        Err(Failure::data(message).with_hint("--likelihood gaussian and student-t take any numbers"))
    }
}
