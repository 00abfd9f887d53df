//! What a fit says, whatever the family and the engine.

use serde::Serialize;

use super::checks::Checks;
use super::data_input::Data;
use super::effects_answer::EffectsAnswer;
use super::errors::RobustErrors;
use super::estimate::Estimate;
use super::new_rows::Wanted;
use super::penalty_path::PenaltyAnswer;
use crate::level::Level;
use crate::outcome::{Outcome, OutcomeKind};
use crate::predictive::{NewOutcome, Predictive};
use crate::scores::{Coverage, CrossValidation, ScoredNumber, Scores, most_probable};

/// The answer of `regress fit`; its JSON is the contract of the command line.
#[derive(Debug, Default, Serialize)]
pub(super) struct Answer {
    pub(super) family: String,
    pub(super) engine: String,
    pub(super) rows: usize,
    /// Of a network there are none: its weights by themselves say nothing.
    pub(super) coefficients: Vec<Estimate>,
    pub(super) ln_evidence: Option<f64>,
    /// The standard error of `ln_evidence`, where it is an estimate from draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ln_evidence_error: Option<f64>,
    /// The shape of the tail of the weights, for the engine importance: up to 0.7 they can be trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pareto_k: Option<f64>,
    /// The prior standard deviation of a coefficient per standard deviation of its feature: for gaussian in
    /// standard deviations of the outcome, for the others on the scale of the link. None where the outcome
    /// says nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prior_sd: Option<f64>,
    /// What `prior_sd` is.
    pub(super) prior_scale: PriorScale,
    /// The standard deviation of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) noise_sd: Option<f64>,
    /// How the mean depends on the predictor, where a family has several ways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) link: Option<&'static str>,
    /// θ of negative binomial counts, whose variance is μ + μ²/θ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) size: Option<f64>,
    /// φ of the family gamma, whose variance is φ μ².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dispersion: Option<f64>,
    /// Twice what the log-likelihood lacks of a perfect fit's at the most probable coefficients, and the same
    /// without the columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deviance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) null_deviance: Option<f64>,
    /// The proportion of the outcome's variance that the columns explain: Bayesian R².
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) r2: Option<Estimate>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) classes: Vec<String>,
    /// Of two classes the one whose probability is predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) positive_class: Option<String>,
    pub(super) intervals: Intervals,
    /// The prior of the coefficients, where it is another than normal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prior: Option<&'static str>,
    /// How much a lasso or an elastic net holds coefficients back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) penalty: Option<PenaltyAnswer>,
    /// Average effects of the columns on the mean outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) effects: Option<Vec<Estimate>>,
    /// The effects of a formula: groups, curves, fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hierarchical: Option<EffectsAnswer>,
    /// Outcomes that the fit makes anew beside those that were seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) checks: Option<Checks>,
    /// Coefficients of maximum likelihood with errors that do not trust the model's variances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) errors: Option<RobustErrors>,
    pub(super) predictions: Vec<Predicted>,
    /// How far apart the predicted rows are in the data, where text alone is asked for and leaves some out.
    #[serde(skip)]
    pub(super) every: Option<usize>,
    /// The number of each of these rows in its file, from 1, where they are not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) row_numbers: Option<Vec<usize>>,
    /// How well rows to predict were predicted, if their outcomes are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<Scores>,
    /// How well each part of the rows is predicted by a fit to the others, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cross_validation: Option<CrossValidation>,
    /// Predictions of the data themselves.
    pub(super) fitted: Fitted,
    pub(super) warnings: Vec<String>,
}

impl Answer {
    /// An answer that has as yet no numbers.
    pub(super) fn new(family: &'static str, engine: &'static str, data: &Data, by: PredictedBy) -> Self {
        Self {
            family: family.to_owned(),
            engine: engine.to_owned(),
            rows: data.rows(),
            intervals: Intervals::of(&data.outcome.kind(), &[], data.level),
            fitted: Fitted::by(by),
            ..Self::default()
        }
    }
}

/// What the prior standard deviation of an answer is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PriorScale {
    /// That of the model, whatever the data say.
    #[default]
    Fixed,
    /// The median of its posterior; everything else is averaged over it.
    Averaged,
    /// The most probable one, which is then taken as known.
    Estimated,
}

impl PriorScale {
    /// Averaged over where none was given.
    pub(super) fn averaged_unless(given: Option<f64>) -> Self {
        if given.is_some() { Self::Fixed } else { Self::Averaged }
    }

    /// As it stands behind a name.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Averaged => "averaged over; the median of its posterior",
            Self::Estimated => "estimated from the data, then taken as known",
        }
    }
}

/// What the intervals of an answer are of.
#[derive(Debug, Default, Serialize)]
pub(super) struct Intervals {
    /// How probable it is that what an interval is of lies in it.
    pub(super) level: Level,
    /// What `interval` is of; none where outcomes are classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interval: Option<&'static str>,
    /// What `mean_interval` is of; none for more than two classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean_interval: Option<&'static str>,
    /// What `probability_intervals` is of, of more than two classes.
    #[serde(rename = "probability_intervals", skip_serializing_if = "Option::is_none")]
    pub(super) of_classes: Option<&'static str>,
    /// What the coefficients are, of more than two classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) coefficients: Option<&'static str>,
    /// What the intervals take as known although it was estimated from the same data; empty if nothing is.
    pub(super) taken_as_known: Vec<&'static str>,
    /// What the intervals are an approximation by, where they may hold less than they say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) approximation: Option<&'static str>,
}

impl Intervals {
    /// Those of predictions of such outcomes.
    pub(super) fn of(outcome: &OutcomeKind, taken_as_known: &[&'static str], level: Level) -> Self {
        let (interval, mean_interval) = match outcome {
            OutcomeKind::Number => (Some("a new outcome"), Some("the mean outcome")),
            OutcomeKind::Count => (Some("a new count"), Some("the mean count")),
            OutcomeKind::Class(labels) if labels.len() == 2 => {
                (None, Some("the probability of positive_class"))
            }
            OutcomeKind::Class(_) => (None, None),
        };
        let several = outcome.classes().len() > 2;
        Self {
            level,
            interval,
            mean_interval,
            of_classes: several.then_some("the probability of each class, in the order of classes"),
            coefficients: several.then_some(
                "sum-to-zero: the coefficient of a class less the mean over all classes, of log odds between classes",
            ),
            taken_as_known: taken_as_known.to_vec(),
            approximation: None,
        }
    }

    /// The same where of means only estimates are known.
    pub(super) fn without_means(self) -> Self {
        Self { mean_interval: None, ..self }
    }

    /// What the intervals leave out.
    pub(super) fn known(&self) -> String {
        let known = if self.taken_as_known.is_empty() {
            "No parameter is taken as known.".to_owned()
        } else {
            format!("Taken as known, as estimated from the same data: {}.", self.taken_as_known.join(", "))
        };
        self.approximation.map_or_else(|| known.clone(), |what| format!("{known} The intervals are {what}."))
    }
}

/// A row that was predicted.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Predicted {
    /// The mean outcome; of two classes the probability of the positive one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean: Option<f64>,
    /// Of a new outcome, where it is a number or a count.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) new: Option<NewOutcome>,
    /// Of the mean outcome, where it is a number or a count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sd_of_function: Option<f64>,
    /// Where a new outcome is with the probability of the level: of numbers and counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) interval: Option<[f64; 2]>,
    /// Where the mean outcome, of two classes the probability, is with that probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mean_interval: Option<[f64; 2]>,
    /// Of each class, where there are more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probabilities: Option<Vec<f64>>,
    /// Where the probability of each class is with that probability, each by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) probability_intervals: Option<Vec<[f64; 2]>>,
    /// ln p of the outcome that the row has, where it is known.
    #[serde(skip)]
    pub(super) ln_score: Option<f64>,
}

/// The mean outcome at a row as a function of the columns: its own mean, standard deviation and interval.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeanOutcome {
    pub(super) mean: f64,
    pub(super) sd: f64,
    pub(super) interval: [f64; 2],
}

/// How the data are predicted.
#[derive(Debug, Default, Serialize)]
pub(super) struct Fitted {
    /// From which rows each row is predicted.
    pub(super) predicted_by: PredictedBy,
    /// The proportion of outcomes in their `interval`.
    #[serde(flatten)]
    pub(super) coverage: Option<Coverage>,
    /// Standardised residuals.
    #[serde(skip)]
    pub(super) residuals: Vec<f64>,
    /// Of each row the probability of each class.
    #[serde(skip)]
    pub(super) probabilities: Vec<Vec<f64>>,
}

/// From which rows a row of the data is predicted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PredictedBy {
    /// From all others.
    LeaveOneOut,
    /// From all, itself among them.
    #[default]
    InSample,
}

impl PredictedBy {
    /// As it stands in a sentence.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::LeaveOneOut => "each predicted from all other rows (leave-one-out)",
            Self::InSample => "each predicted from all rows, itself among them (in-sample)",
        }
    }
}

impl Fitted {
    /// Nothing yet.
    pub(super) fn by(predicted_by: PredictedBy) -> Self {
        Self { predicted_by, ..Self::default() }
    }

    /// With the proportion of these outcomes that are in their intervals.
    pub(super) fn with_coverage(self, predictions: &[Predicted], outcomes: &[f64], level: Level) -> Self {
        let inside = |(own, value): (&Predicted, &f64)| {
            own.interval.map(|[low, high]| u8::from((low..=high).contains(value)))
        };
        let inside: Option<Vec<u8>> = predictions.iter().zip(outcomes).map(inside).collect();
        let proportion =
            |inside: Vec<u8>| inside.iter().map(|&own| f64::from(own)).sum::<f64>() / outcomes.len() as f64;
        let coverage = inside.map(proportion).map(|proportion| Coverage { level, proportion });
        Self { coverage, ..self }
    }
}

impl Predicted {
    /// A number or a count at a row with this index.
    pub(super) fn number(row: usize, new: &Predictive, function: MeanOutcome, wanted: Wanted<'_>) -> Self {
        let outcome = wanted.outcomes.map(|all| all[row]).filter(|own| !own.is_nan());
        let figures = (wanted.details || outcome.is_some()).then(|| NewOutcome::of(new, wanted.level));
        let interval = figures.map_or_else(|| wanted.level.interval(|p| new.quantile(p)), |own| own.interval);
        Self {
            new: figures,
            sd_of_function: Some(function.sd),
            interval: Some(interval),
            ln_score: outcome.map(|own| new.ln_density(own)),
            ..Self::probability(function.mean, function.interval)
        }
    }

    /// A number or a count whose mean is an estimate.
    pub(super) fn around(row: usize, new: &Predictive, mean: f64, wanted: Wanted<'_>) -> Self {
        let function = MeanOutcome { mean, sd: f64::NAN, interval: [f64::NAN; 2] };
        Self { sd_of_function: None, mean_interval: None, ..Self::number(row, new, function, wanted) }
    }

    /// A mean of which nothing else is known.
    pub(super) fn mean_only(mean: f64) -> Self {
        Self { interval: Some([f64::NAN; 2]), ..Self::probability(mean, [f64::NAN; 2]) }
    }

    /// The probability of the positive one of two classes, and its interval.
    pub(super) fn probability(mean: f64, mean_interval: [f64; 2]) -> Self {
        Self { mean: Some(mean), mean_interval: Some(mean_interval), ..Self::default() }
    }

    /// A probability of each class, and the interval of each if it is asked for.
    pub(super) fn classes(probabilities: Vec<f64>, probability_intervals: Option<Vec<[f64; 2]>>) -> Self {
        Self { probabilities: Some(probabilities), probability_intervals, ..Self::default() }
    }

    /// Its numbers in their order, without the intervals of several classes.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &f64> {
        let numbers = self.mean.iter().chain(self.interval.iter().flatten());
        let numbers = numbers.chain(self.mean_interval.iter().flatten());
        numbers.chain(self.probabilities.iter().flatten())
    }

    /// Whether the mean is not in its own interval.
    pub(super) fn is_beyond(&self) -> bool {
        matches!((self.mean, self.mean_interval), (Some(mean), Some([low, high])) if !(low..=high).contains(&mean))
    }

    /// The probability of each class, where outcomes are classes.
    pub(super) fn of_classes(&self) -> Vec<f64> {
        match (&self.probabilities, self.mean) {
            (Some(probabilities), _) => probabilities.clone(),
            (None, Some(p)) => vec![1.0 - p, p],
            (None, None) => Vec::new(),
        }
    }

    /// The most probable class.
    pub(super) fn label<'a>(&self, classes: &'a [String]) -> Option<&'a str> {
        classes.get(most_probable(&self.of_classes())).map(String::as_str)
    }
}

/// Whether no two rows have different outcomes; one row has not.
pub(super) fn constant(outcome: &Outcome) -> bool {
    fn alike<T: PartialEq>(all: &[T]) -> bool {
        all.iter().all(|own| *own == all[0])
    }
    match outcome {
        Outcome::Numbers(values) => alike(values),
        Outcome::Classes { of_row, .. } => alike(of_row),
        Outcome::Counts(counts) => alike(counts),
    }
}

/// How well outcomes were predicted, a class by its place; NaN where one is not known. None if no outcome is.
pub(super) fn scores(kind: &OutcomeKind, outcomes: &[f64], predictions: &[Predicted]) -> Option<Scores> {
    let known = outcomes.iter().copied().zip(predictions).filter(|(outcome, _)| !outcome.is_nan());
    if let OutcomeKind::Class(_) = kind {
        let rows: Vec<_> = known.map(|(outcome, own)| (outcome as usize, own.of_classes())).collect();
        return Scores::of_classes(&rows);
    }
    let row = |(outcome, own): (f64, &Predicted)| {
        Some(ScoredNumber { outcome, mean: own.mean?, ln_density: own.ln_score?, new: own.new? })
    };
    Scores::of_numbers(&known.filter_map(row).collect::<Vec<_>>())
}
