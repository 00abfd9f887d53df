//! How well classes are predicted, in the fields of the command line's contract.

use posterior::evaluation::{Confusion, ProbabilityScores, Reliability, Roc};
use serde::Serialize;

use super::bayes::Said;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{grouped, percent, significant};
use crate::pictures::BINS;
use crate::scores::most_probable;

/// A class against the others.
#[derive(Debug, Serialize)]
pub(super) struct ClassScore {
    pub(super) class: String,
    pub(super) precision: Option<f64>,
    pub(super) recall: Option<f64>,
    pub(super) f1: Option<f64>,
    /// The probability that a row of the class is given a higher probability of it than another row.
    pub(super) auc: Option<f64>,
    pub(super) rows: u64,
}

#[derive(Debug, Serialize)]
pub(super) struct Scores {
    pub(super) rows: usize,
    pub(super) accuracy: f64,
    /// Mean -ln p of the true class, of the rows whose class the model knows; infinite if one was ruled out.
    pub(super) ln_loss: Number,
    pub(super) brier: f64,
    pub(super) calibration_error: f64,
    /// Rows that no class explains: counted as wrong.
    pub(super) unexplained: usize,
    pub(super) classes: Vec<ClassScore>,
    /// A row for each true class, in the order of `classes`.
    pub(super) confusion: Vec<Vec<u64>>,
    /// Whether the most probable classes were right as often as said.
    #[serde(skip)]
    pub(super) reliability: Reliability,
}

impl Scores {
    /// What was said against the truth; a label of no class of the model is the number of classes:
    /// it is wrong, and not in the mean loss.
    pub(super) fn of(names: &[String], said: &[Said], labels: &[usize]) -> Result<Self, Failure> {
        let classes = names.len();
        let mut confusion = Confusion::new(classes);
        let mut probabilities = ProbabilityScores::new(BINS);
        let mut of_known = ProbabilityScores::new(BINS);
        let mut unexplained = 0;
        let none = vec![0.0; classes];
        for (posterior, &label) in said.iter().zip(labels) {
            let row = posterior.as_ref().unwrap_or(&none);
            probabilities.push(row, label).map_err(refused)?;
            if label < classes {
                of_known.push(row, label).map_err(refused)?;
            }
            match posterior {
                Some(posterior) if label < classes => {
                    confusion.push(label, most_probable(posterior)).map_err(refused)?;
                }
                Some(_) => {}
                None => unexplained += 1,
            }
        }
        let class = |(class, name): (usize, &String)| {
            let scores: Vec<f64> =
                said.iter().map(|posterior| posterior.as_ref().map_or(0.0, |own| own[class])).collect();
            let truth: Vec<bool> = labels.iter().map(|&label| label == class).collect();
            let roc = Roc::of(&scores, &truth).map_err(refused)?;
            Ok(ClassScore {
                class: name.clone(),
                precision: confusion.precision(class),
                recall: confusion.recall(class),
                f1: confusion.f1(class),
                auc: roc.map(|roc| roc.area()),
                rows: truth.iter().filter(|&&truth| truth).count() as u64,
            })
        };
        let classes_of = names.iter().enumerate().map(class).collect::<Result<Vec<_>, Failure>>()?;
        let rows = said.len();
        Ok(Self {
            rows,
            accuracy: confusion.tally().correct as f64 / rows.max(1) as f64,
            ln_loss: Number(of_known.mean_ln_loss().unwrap_or(f64::NAN)),
            brier: probabilities.brier().unwrap_or(0.0),
            calibration_error: probabilities.reliability().calibration_error().unwrap_or(0.0),
            unexplained,
            classes: classes_of,
            confusion: (0..classes)
                .map(|truth| (0..classes).map(|own| confusion.count(truth, own)).collect())
                .collect(),
            reliability: probabilities.reliability().clone(),
        })
    }
}

/// The names of the cells of [`class_rows`].
pub(super) const CLASS_COLUMNS: [&str; 6] = ["class", "precision", "recall", "F1", "AUC", "rows"];

/// A row of cells for each class.
pub(super) fn class_rows(scores: &Scores) -> Vec<Vec<String>> {
    let maybe = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), percent);
    let row = |own: &ClassScore| {
        let values = [own.precision, own.recall, own.f1].map(maybe);
        let auc = own.auc.map_or_else(|| "-".to_owned(), significant);
        std::iter::once(own.class.clone()).chain(values).chain([auc, grouped(own.rows)]).collect()
    };
    scores.classes.iter().map(row).collect()
}
