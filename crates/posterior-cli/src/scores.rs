//! How well rows with known outcomes were predicted.

use posterior::evaluation::ProbabilityScores;
use posterior::math::streaming::MeanVariance;
use posterior_report::{PageTable, Section};
use serde::{Serialize, Serializer};

use crate::json::{Number, Pairs};
use crate::level::Level;
use crate::outcome::OutcomeKind;
use crate::output::{grouped, percent, significant};
use crate::pictures::BINS;
use crate::predictive::NewOutcome;
use crate::text_table;

/// Scores of the rows whose outcome is known.
#[derive(Debug, Serialize)]
pub(crate) struct Scores {
    rows: usize,
    /// The mean of ln p of an outcome.
    ln_score: Number,
    /// The standard error of `ln_score` over the rows.
    ln_score_error: Number,
    #[serde(flatten)]
    of: Of,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Of {
    Numbers {
        /// The root of the mean square of outcomes less their predicted means.
        rmse: f64,
        /// The proportion of outcomes between the quantiles of 25 and 75 %.
        coverage_50: f64,
        /// The proportion of outcomes in their intervals.
        #[serde(flatten)]
        coverage: Coverage,
    },
    Classes {
        accuracy: f64,
        brier: f64,
        calibration_error: f64,
    },
}

/// The proportion of outcomes in their intervals of a level.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coverage {
    pub(crate) level: Level,
    pub(crate) proportion: f64,
}

impl Serialize for Coverage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        coverages(std::slice::from_ref(self), serializer)
    }
}

/// Proportions of several levels, for `serialize_with`.
pub(crate) fn coverages<S: Serializer>(all: &[Coverage], serializer: S) -> Result<S::Ok, S::Error> {
    Pairs(all.iter().map(|own| (own.level.coverage(), own.proportion)).collect()).serialize(serializer)
}

/// A number or count that was predicted, and what it was.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoredNumber {
    pub(crate) outcome: f64,
    pub(crate) mean: f64,
    /// ln p of the outcome.
    pub(crate) ln_density: f64,
    pub(crate) new: NewOutcome,
}

/// Scores of all rows, each part of them predicted by a fit to the others.
#[derive(Debug, Serialize)]
pub(crate) struct CrossValidation {
    pub(crate) folds: u16,
    #[serde(flatten)]
    pub(crate) scores: Scores,
}

impl CrossValidation {
    /// The same on a page.
    pub(crate) fn section(&self) -> Section {
        let text = "Of all rows, each part predicted by a fit to the others.";
        self.scores.table(&format!("{}-fold cross-validation", self.folds), text)
    }

    /// The same as text.
    pub(crate) fn text(&self) -> String {
        format!("{}-fold cross-validation\n{}", self.folds, text_table::pairs(&self.scores.facts()))
    }
}

/// What a saved model says of the outcomes of a table.
#[derive(Debug)]
pub(crate) struct OutcomeScores {
    /// The file of the model.
    pub(crate) model: String,
    /// The table.
    pub(crate) data: String,
    /// The column of the outcome, and what it is.
    pub(crate) y: String,
    pub(crate) kind: OutcomeKind,
    /// ln p of the outcome of each row; NaN where it is missing.
    pub(crate) ln_scores: Vec<f64>,
}

impl Scores {
    /// Of numbers or counts; none of no rows.
    pub(crate) fn of_numbers(rows: &[ScoredNumber]) -> Option<Self> {
        let level = rows.first()?.new.level;
        let mean =
            |of_row: &dyn Fn(&ScoredNumber) -> f64| rows.iter().map(of_row).collect::<MeanVariance>().mean();
        let inside = |[low, high]: [f64; 2], own: &ScoredNumber| {
            f64::from(u8::from((low..=high).contains(&own.outcome)))
        };
        let half = |own: &ScoredNumber| [own.new.quartiles[0], own.new.quartiles[2]];
        let of = Of::Numbers {
            rmse: mean(&|own| (own.outcome - own.mean).powi(2)).sqrt(),
            coverage_50: mean(&|own| inside(half(own), own)),
            coverage: Coverage { level, proportion: mean(&|own| inside(own.new.interval, own)) },
        };
        Self::of(rows.len(), &rows.iter().map(|own| own.ln_density).collect::<Vec<_>>(), of)
    }

    /// Of classes: the place of the true one, and the probabilities of all; none of no rows. A row whose
    /// class is none of them is wrong, and the mean of ln p is without it.
    pub(crate) fn of_classes(rows: &[(usize, Vec<f64>)]) -> Option<Self> {
        let mut scores = ProbabilityScores::new(BINS);
        let mut right = 0;
        for (truth, p) in rows {
            right += usize::from(most_probable(p) == *truth);
            // Predicted probabilities are probabilities, and the classes those of the outcomes.
            let _ = scores.push(p, *truth);
        }
        let of = Of::Classes {
            accuracy: right as f64 / rows.len() as f64,
            brier: scores.brier().unwrap_or(f64::NAN),
            calibration_error: scores.reliability().calibration_error().unwrap_or(f64::NAN),
        };
        let ln_scores: Vec<f64> =
            rows.iter().filter_map(|(truth, p)| p.get(*truth).map(|own| own.ln())).collect();
        Self::of(rows.len(), &ln_scores, of)
    }

    fn of(rows: usize, ln_scores: &[f64], of: Of) -> Option<Self> {
        let [ln_score, ln_score_error] = mean_and_error(ln_scores);
        (rows > 0).then_some(Self { rows, ln_score, ln_score_error, of })
    }

    /// The same on a page.
    pub(crate) fn section(&self) -> Section {
        self.table("Scores", "Of the rows to predict, whose outcomes the table has.")
    }

    fn table(&self, title: &str, text: &str) -> Section {
        let rows = self.facts().into_iter().map(|(name, value)| vec![name, value]);
        Section::new(title, text, PageTable::new(["score", "value"], rows))
    }

    /// Names and values, for people.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![
            ("rows with an outcome".to_owned(), grouped(self.rows as u64)),
            (
                "ln score of a row".to_owned(),
                format!("{} ± {}", significant(self.ln_score.0), significant(self.ln_score_error.0)),
            ),
        ];
        match self.of {
            Of::Numbers { rmse, coverage_50, coverage } => facts.extend([
                ("root mean squared error".to_owned(), significant(rmse)),
                ("outcomes in intervals of 50 %".to_owned(), percent(coverage_50)),
                (format!("outcomes in intervals of {}", coverage.level), percent(coverage.proportion)),
            ]),
            Of::Classes { accuracy, brier, calibration_error } => facts.extend([
                ("accuracy".to_owned(), percent(accuracy)),
                ("Brier score".to_owned(), significant(brier)),
                ("calibration error".to_owned(), percent(calibration_error)),
            ]),
        }
        facts
    }
}

/// The place of the most probable class; the first of several that are.
pub(crate) fn most_probable(probabilities: &[f64]) -> usize {
    (1..probabilities.len())
        .fold(0, |best, own| if probabilities[own] > probabilities[best] { own } else { best })
}

/// The mean of numbers, which may be infinite, and its standard error; NaN where there is none.
pub(crate) fn mean_and_error(numbers: &[f64]) -> [Number; 2] {
    let count = numbers.len() as f64;
    let moments: MeanVariance = numbers.iter().copied().collect();
    let error = (moments.sample_variance() / count).sqrt();
    [numbers.iter().sum::<f64>() / count, error].map(Number)
}
