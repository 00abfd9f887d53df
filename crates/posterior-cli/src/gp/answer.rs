//! What a fit says, whatever the likelihood and the method.

use std::fmt;

use posterior::dist::Univariate as _;
use posterior::gp::Kernel;
use posterior::gp::hyperparameters::{IntegrationMethod, MixturePrediction, ParameterPosterior};
use posterior::math::ParamError;
use posterior::math::linalg::DMatrix;
use posterior::math::special::normal_quantile;
use serde::Serialize;

use super::kernel_path::KernelPath;
use super::time_column::TimeColumn;
use crate::json::Values;
use crate::level::Level;
use crate::output::significant;
use crate::predictive::{NewOutcome, Predictive};
use crate::scores::{Coverage, CrossValidation, ScoredNumber, Scores};

/// The answer of `gp fit`; its JSON is the contract of the command line.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) likelihood: &'static str,
    /// What the one input is in, if it is a column of dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time: Option<String>,
    /// How the posterior was computed.
    pub(super) method: String,
    /// Why so.
    pub(super) reason: String,
    /// That of the options, with its parameters.
    pub(super) kernel: Kernel,
    /// What is expected of the function before any data.
    pub(super) mean_function: MeanFunction,
    pub(super) hyperparameters: Vec<Hyperparameter>,
    pub(super) ln_marginal_likelihood: f64,
    /// Derivatives of it, by each parameter on its free scale: by ln θ for positive ones.
    pub(super) gradient: Vec<f64>,
    /// Noise that had to be added for a factor of the covariance, and why; usually none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) jitter: Option<Jitter>,
    /// Whether the sweeps of expectation propagation, or the search for the mode, converged; nothing is
    /// approximated where noise is Gaussian.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) converged: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) search: Option<Search>,
    /// How the kernel was found, if it was searched for.
    #[serde(rename = "kernel_search", skip_serializing_if = "Option::is_none")]
    pub(super) kernel_path: Option<KernelPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) leave_one_out: Option<LeaveOneOut>,
    /// All intervals hold for the parameters that stand here: what is not known about them is in no interval.
    pub(super) parameters_taken_as_known: bool,
    /// The probability of intervals.
    pub(super) level: Level,
    /// Predictions are averages over parameters, and intervals hold what is not known about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) integration: Option<Integration>,
    pub(super) predictions: Vec<Predicted>,
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) row_numbers: Option<Vec<usize>>,
    /// How well places were predicted, if their outcomes are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<Scores>,
    /// How well each part of the rows is predicted by a fit to the others, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cross_validation: Option<CrossValidation>,
    /// All parameters on their free scales.
    #[serde(skip)]
    pub(super) free: Vec<f64>,
    /// All that they may be.
    #[serde(skip)]
    pub(super) posterior: Option<ParameterPosterior>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) components: Vec<Component>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) classes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

/// A parameter of the kernel, the mean or the noise.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Hyperparameter {
    pub(super) name: String,
    pub(super) value: f64,
    /// The standard error on the free scale: a relative one for positive parameters; null where the data say
    /// nothing.
    pub(super) standard_error: Option<f64>,
    /// Whether the free scale is the logarithm.
    #[serde(skip)]
    pub(super) of_logarithm: bool,
    /// The limit that a search ran into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<&'static str>,
}

/// What stands in the place of known parameters.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Integration {
    pub(super) method: IntegrationMethod,
    /// How many parameters are averaged over.
    pub(super) points: usize,
    /// As many independent draws of the parameters would know as much.
    pub(super) effective: f64,
}

impl Integration {
    fn of(posterior: &ParameterPosterior) -> Self {
        let ParameterPosterior { points, method, effective, .. } = posterior;
        Self { method: *method, points: points.len(), effective: *effective }
    }
}

impl fmt::Display for Integration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, points, effective } = self;
        match method {
            IntegrationMethod::Chain => write!(f, "{points} draws of a chain"),
            _ => write!(f, "{points} weighted points, worth {effective:.0} draws"),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Jitter {
    pub(super) variance: f64,
    pub(super) cause: String,
}

/// How the parameters were found.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Search {
    pub(super) converged: bool,
    pub(super) iterations: usize,
    pub(super) starts: usize,
    /// Searches that ended as high as the best.
    pub(super) agreeing: usize,
}

/// What each output would have been predicted to be from all others.
#[derive(Debug, Serialize)]
pub(super) struct LeaveOneOut {
    pub(super) ln_score: f64,
    /// The proportion of outputs in their intervals.
    #[serde(flatten)]
    pub(super) coverage: Coverage,
    #[serde(skip)]
    pub(super) residuals: Vec<f64>,
}

/// The mean of the prior.
#[derive(Debug, Serialize)]
pub(super) struct MeanFunction {
    pub(super) shape: &'static str,
    /// A constant's distribution before the data: its center and its standard deviation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prior_mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prior_sd: Option<f64>,
    /// A constant's mean and standard deviation given the data, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sd: Option<f64>,
}

impl fmt::Display for MeanFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shape)?;
        if let (Some(value), Some(sd)) = (self.value, self.sd) {
            write!(f, " {} with standard deviation {}", significant(value), significant(sd))?;
        }
        match (self.prior_mean, self.prior_sd) {
            (Some(mean), Some(sd)) => {
                write!(f, ", integrated out (before the data {} ± {})", significant(mean), significant(sd))
            }
            _ => Ok(()),
        }
    }
}

/// A model with its parameters, and what is known about them.
pub(super) struct Learned<M> {
    pub(super) model: M,
    pub(super) hyperparameters: Vec<Hyperparameter>,
    /// All parameters on their free scales.
    pub(super) free: Vec<f64>,
    pub(super) ln_evidence: f64,
    pub(super) gradient: Vec<f64>,
    pub(super) search: Option<Search>,
    /// All that the parameters may be; none where they are taken as known.
    pub(super) posterior: Option<ParameterPosterior>,
}

impl Answer {
    /// An answer without its predictions, of a likelihood that is not Gaussian.
    pub(super) fn new<M>(
        learned: &Learned<M>,
        kernel: Kernel,
        mean_function: MeanFunction,
        method: &str,
        level: Level,
    ) -> Self {
        Self {
            level,
            likelihood: "",
            time: None,
            method: method.to_owned(),
            reason: "the likelihood is not Gaussian".to_owned(),
            kernel,
            mean_function,
            hyperparameters: learned.hyperparameters.clone(),
            ln_marginal_likelihood: learned.ln_evidence,
            gradient: learned.gradient.clone(),
            jitter: None,
            converged: None,
            search: learned.search,
            kernel_path: None,
            leave_one_out: None,
            parameters_taken_as_known: learned.posterior.is_none(),
            integration: learned.posterior.as_ref().map(Integration::of),
            predictions: Vec::new(),
            row_numbers: None,
            scores: None,
            cross_validation: None,
            free: learned.free.clone(),
            posterior: learned.posterior.clone(),
            components: Vec::new(),
            classes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// With the dates of the places, if the input is one.
    pub(super) fn dated(mut self, time: Option<&TimeColumn>) -> Self {
        let Some(time) = time else { return self };
        for own in &mut self.predictions {
            own.date = Some(time.scale.text(own.x[0]));
        }
        Self { time: Some(time.scale.to_string()), ..self }
    }

    /// Scores the predictions by the outcomes at their places, if they are known.
    pub(super) fn score(&mut self, outcomes: Option<&[f64]>) {
        self.scores = outcomes.and_then(|outcomes| scores(&self.classes, outcomes, &self.predictions));
    }

    /// ln p of the outcomes at the places, NaN where one is not known; none where their noise is not known.
    pub(super) fn ln_scores(&self, outcomes: &[f64]) -> Option<Vec<f64>> {
        let of_class = !self.classes.is_empty();
        let place = |(outcome, own): (&f64, &Predicted)| {
            Some(match &own.new {
                _ if outcome.is_nan() => f64::NAN,
                _ if of_class => own.of_classes()[*outcome as usize].ln(),
                new => new.as_ref()?.distribution.ln_density(*outcome),
            })
        };
        outcomes.iter().zip(&self.predictions).map(place).collect()
    }

    /// The names of columns of this name: one, or one for each class, with `between` before the class.
    pub(super) fn named(&self, name: &str, between: &str, count: usize) -> Vec<String> {
        match count {
            0 => Vec::new(),
            1 => vec![name.to_owned()],
            _ => self.classes.iter().map(|class| format!("{name}{between}{class}")).collect(),
        }
    }

    /// The names of the columns of predictions, up to the interval of an outcome: inputs, means, spreads,
    /// probabilities.
    pub(super) fn columns(
        &self,
        inputs: &[String],
        [spread, probability]: [&str; 2],
        between: &str,
    ) -> Vec<String> {
        let mut names = inputs.to_vec();
        let Some(first) = self.predictions.first() else { return names };
        let classes = first.probability.as_ref().map_or(0, |p| p.all().len());
        names.extend(self.named("mean", between, first.mean.all().len()));
        names.extend(self.named(spread, between, first.variance.all().len()));
        names.extend(self.named(probability, between, classes));
        names.extend(first.response.map(|_| "response".to_owned()));
        names.extend(first.interval.iter().flat_map(|_| self.level.names()));
        names
    }

    /// What means, deviations and intervals are of.
    pub(super) fn what_they_are(&self) -> String {
        let (level, ends) = (self.level, self.level.names().join(", "));
        let of_outcomes = match (self.likelihood, self.predictions.first().map(|own| own.interval)) {
            ("gaussian" | "student-t" | "gamma" | "log-gaussian", Some(Some(_))) => {
                format!("{ends}: the interval of {level} of a new outcome, noise included. ")
            }
            ("poisson" | "negative-binomial", Some(Some(_))) => {
                format!("response: the mean of a new count; {ends}: the interval of {level} of a new count. ")
            }
            ("gaussian", _) => {
                "The noise of a new outcome is not known, so that it has no interval. ".to_owned()
            }
            ("softmax", _) => "p: the probability of a class, averaged over the function. ".to_owned(),
            _ => "p: the probability of the second class, averaged over the function. ".to_owned(),
        };
        let function = match self.likelihood {
            "gaussian" | "student-t" => "of the function",
            "poisson" => "of the function, the logarithm of the rate",
            "negative-binomial" | "gamma" | "log-gaussian" => "of the function, the logarithm of the mean",
            "probit" => "of the function, the normal quantile of the probability",
            "softmax" => "of the function of a class, less the average of all classes",
            _ => "of the function, the logit of the probability",
        };
        format!("mean, sd: {function}. {of_outcomes}{}", self.known())
    }

    /// Whether parameters are taken as known.
    pub(super) fn known(&self) -> String {
        match (&self.integration, self.search) {
            (Some(integration), _) => format!(
                "The parameters are not taken as known: what is predicted is an average over {integration}."
            ),
            (None, Some(_)) => {
                "The parameters are taken as known, as the search found them: with few rows the intervals are too narrow."
                    .to_owned()
            }
            (None, None) => "The parameters are taken as known, as given.".to_owned(),
        }
    }
}

/// The function at a place, and what to expect of a new outcome there.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Predicted {
    pub(super) x: Vec<f64>,
    /// The one input, if it is a date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
    /// Of the function; of several classes one for each, else one.
    pub(super) mean: Values,
    pub(super) variance: Values,
    /// A new number or count, where its noise is known.
    #[serde(rename = "new_outcome", skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<New>,
    /// Of the second class, or of each of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability: Option<Values>,
    /// The mean of a new count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) response: Option<f64>,
    /// Where a new outcome is with the probability of the level: a number with its noise, a count. None of
    /// classes, whose probabilities say it, and where the noise of a new outcome is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interval: Option<[f64; 2]>,
    /// Where the function is with that probability, in its own units: of classes and counts on the scale
    /// of the logit or the logarithm.
    pub(super) function_interval: Values<[f64; 2]>,
}

/// A new outcome, and its mean as a function of the inputs.
#[derive(Debug, Clone, Serialize)]
pub(super) struct New {
    pub(super) mean: f64,
    #[serde(flatten)]
    pub(super) figures: NewOutcome,
    /// Of the mean.
    pub(super) sd_of_function: f64,
    #[serde(skip)]
    distribution: Predictive,
}

impl Predicted {
    /// With the distribution of a new outcome, whose mean has this standard deviation.
    pub(super) fn with_new(
        self,
        mean: f64,
        sd_of_function: f64,
        distribution: Predictive,
        level: Level,
    ) -> Self {
        let figures = NewOutcome::of(&distribution, level);
        let interval = Some(figures.interval);
        Self { interval, new: Some(New { mean, figures, sd_of_function, distribution }), ..self }
    }

    /// The inputs as texts.
    pub(super) fn inputs(&self, text: impl Fn(f64) -> String) -> Vec<String> {
        match &self.date {
            Some(date) => vec![date.clone()],
            None => self.x.iter().copied().map(text).collect(),
        }
    }

    /// The probability of each class, where outcomes are classes.
    pub(super) fn of_classes(&self) -> Vec<f64> {
        match &self.probability {
            Some(Values::One(p)) => vec![1.0 - p, *p],
            Some(Values::Each(all)) => all.clone(),
            None => Vec::new(),
        }
    }

    /// Of a function with these means and variances, and nothing about outcomes.
    pub(super) fn of_function(x: Vec<f64>, mean: Values, variance: Values, level: Level) -> Self {
        let around =
            |(mean, variance): (&f64, &f64)| level.interval(|p| mean + normal_quantile(p) * variance.sqrt());
        let intervals: Vec<[f64; 2]> = mean.all().iter().zip(variance.all()).map(around).collect();
        let function_interval = match (&mean, intervals.as_slice()) {
            (Values::One(_), &[only]) => Values::One(only),
            _ => Values::Each(intervals),
        };
        Self {
            x,
            date: None,
            mean,
            variance,
            new: None,
            probability: None,
            response: None,
            interval: None,
            function_interval,
        }
    }
}

/// What is known of one function at each of some places, and nothing about outcomes.
pub(super) fn of_one_function(
    places: &DMatrix<f64>,
    moments: &MixturePrediction,
    level: Level,
) -> Result<Vec<Predicted>, ParamError> {
    let (mean, variance) = (moments.mean(), moments.variance());
    let one = |i: usize| {
        let (mean, variance) = (Values::One(mean[i]), Values::One(variance[i]));
        let own = Predicted::of_function(places.row(i).iter().copied().collect(), mean, variance, level);
        if moments.parts().len() == 1 {
            return Ok(own);
        }
        let distribution = moments.distribution(i)?;
        let ends = level.interval(|p| distribution.quantile(p));
        Ok(Predicted { function_interval: Values::One(ends), ..own })
    };
    (0..places.nrows()).map(one).collect()
}

/// A term of the kernel by itself, at the places of the predictions.
#[derive(Debug, Serialize)]
pub(super) struct Component {
    pub(super) kernel: Kernel,
    pub(super) mean: Vec<f64>,
    pub(super) variance: Vec<f64>,
}

/// A kernel with four digits of each number, for people.
pub(super) fn short(kernel: &Kernel) -> String {
    let rounded: Vec<f64> = kernel.parameters().iter().map(|own| four_digits(own.value)).collect();
    kernel.with_parameters(&rounded).map_or_else(|_| kernel.to_string(), |rounded| rounded.to_string())
}

fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// How well outcomes were predicted: a class by its number, NaN where one is not known. None if no outcome is
/// known, or its noise is not.
pub(super) fn scores(classes: &[String], outcomes: &[f64], predictions: &[Predicted]) -> Option<Scores> {
    let known = outcomes.iter().copied().zip(predictions).filter(|(own, _)| !own.is_nan());
    if !classes.is_empty() {
        let rows: Vec<_> = known.map(|(outcome, own)| (outcome as usize, own.of_classes())).collect();
        return Scores::of_classes(&rows);
    }
    let row = |(outcome, own): (f64, &Predicted)| {
        let new = own.new.as_ref()?;
        let ln_density = new.distribution.ln_density(outcome);
        Some(ScoredNumber { outcome, mean: new.mean, ln_density, new: new.figures })
    };
    Scores::of_numbers(&known.filter_map(row).collect::<Vec<_>>())
}
