//! How well sets of labels are predicted.

use std::collections::BTreeSet;

use posterior::evaluation::{LabelSets, ProbabilityScores, Reliability, Roc};
use serde::Serialize;

use super::{is_predicted, present};
use crate::classify::bayes::Said;
use crate::failure::{Failure, refused};
use crate::json::Number;
use crate::output::{grouped, percent, shortest, significant};
use crate::pictures::BINS;

/// A label against the rows without it.
#[derive(Debug, Serialize)]
pub(in crate::classify) struct LabelScore {
    pub(in crate::classify) label: String,
    precision: Option<f64>,
    recall: Option<f64>,
    f1: Option<f64>,
    auc: Option<f64>,
    /// Rows that have it.
    rows: usize,
}

#[derive(Debug, Serialize)]
pub(in crate::classify) struct LabelScores {
    pub(in crate::classify) rows: usize,
    pub(in crate::classify) micro_f1: Option<f64>,
    pub(in crate::classify) macro_f1: Option<f64>,
    /// Rows whose labels are all right.
    pub(in crate::classify) subset_accuracy: f64,
    pub(in crate::classify) hamming_loss: f64,
    /// Mean -ln p of whether a label is there, over rows and labels that the model knows.
    pub(in crate::classify) ln_loss: Number,
    pub(in crate::classify) calibration_error: f64,
    pub(in crate::classify) labels: Vec<LabelScore>,
    #[serde(skip)]
    pub(in crate::classify) reliability: Reliability,
}

impl LabelScores {
    /// Of what was said of each label, row by row. A label of the rows that the model does not know is one
    /// that it never predicts.
    pub(in crate::classify) fn of(
        names: &[String],
        said: &[Vec<Said>],
        sets: &[BTreeSet<String>],
    ) -> Result<Self, Failure> {
        let unknown: BTreeSet<&String> = sets.iter().flatten().filter(|own| !names.contains(own)).collect();
        let all: Vec<&String> = names.iter().chain(unknown).collect();
        let mut counts = LabelSets::new(all.len());
        let (mut reliability, mut loss) = (Reliability::new(BINS), ProbabilityScores::new(BINS));
        for (row, set) in sets.iter().enumerate() {
            let truth: Vec<bool> = all.iter().map(|own| set.contains(*own)).collect();
            let mut predicted: Vec<bool> = said.iter().map(|own| is_predicted(&own[row])).collect();
            predicted.resize(all.len(), false);
            counts.push(&truth, &predicted).map_err(refused)?;
            for (own, &there) in said.iter().zip(&truth) {
                let p = present(&own[row]);
                let both = p.map_or([0.0, 0.0], |p| [(1.0 - p).max(0.0), p.min(1.0)]);
                loss.push(&both, usize::from(there)).map_err(refused)?;
                if let Some(p) = p {
                    reliability.push(p.min(1.0), there).map_err(refused)?;
                }
            }
        }
        let label = |(place, own): (usize, &&String)| {
            let truth: Vec<bool> = sets.iter().map(|set| set.contains(*own)).collect();
            let auc = match said.get(place) {
                None => None,
                Some(said) => {
                    let p: Vec<f64> = said.iter().map(|own| present(own).unwrap_or(0.0)).collect();
                    Roc::of(&p, &truth).map_err(refused)?.map(|own| own.area())
                }
            };
            Ok(LabelScore {
                label: (*own).clone(),
                precision: counts.precision(place),
                recall: counts.recall(place),
                f1: counts.f1(place),
                auc,
                rows: truth.iter().filter(|own| **own).count(),
            })
        };
        let labels = all.iter().enumerate().map(label).collect::<Result<_, Failure>>()?;
        Ok(Self {
            rows: sets.len(),
            micro_f1: counts.micro_f1(),
            macro_f1: counts.macro_f1(),
            subset_accuracy: counts.subset_accuracy().unwrap_or(0.0),
            hamming_loss: counts.hamming_loss().unwrap_or(0.0),
            ln_loss: Number(loss.mean_ln_loss().unwrap_or(0.0)),
            calibration_error: reliability.calibration_error().unwrap_or(0.0),
            labels,
            reliability,
        })
    }

    /// The whole at a glance.
    pub(in crate::classify) fn facts(&self) -> Vec<(String, String)> {
        let maybe = |own: Option<f64>| own.map_or_else(|| "-".to_owned(), percent);
        [
            ("Rows", grouped(self.rows as u64)),
            ("Micro F1", maybe(self.micro_f1)),
            ("Macro F1", maybe(self.macro_f1)),
            ("Rows with all labels right", percent(self.subset_accuracy)),
            ("Wrong labels", percent(self.hamming_loss)),
            ("ln loss of a label", significant(self.ln_loss.0)),
            ("Calibration error", percent(self.calibration_error)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }

    /// The same rows as [`cells`](Self::cells) with all digits; what has no value is empty.
    pub(in crate::classify) fn numbers(&self) -> Vec<Vec<String>> {
        let maybe = |own: Option<f64>| own.map_or_else(String::new, shortest);
        let row = |own: &LabelScore| {
            let numbers = [own.precision, own.recall, own.f1, own.auc].map(maybe);
            std::iter::once(own.label.clone()).chain(numbers).chain([own.rows.to_string()]).collect()
        };
        self.labels.iter().map(row).collect()
    }

    /// A row of cells for each label.
    pub(in crate::classify) fn cells(&self) -> Vec<Vec<String>> {
        let maybe = |own: Option<f64>| own.map_or_else(|| "-".to_owned(), percent);
        let row = |own: &LabelScore| {
            let numbers = [own.precision, own.recall, own.f1].map(maybe);
            let auc = own.auc.map_or_else(|| "-".to_owned(), significant);
            let rows = grouped(own.rows as u64);
            std::iter::once(own.label.clone()).chain(numbers).chain([auc, rows]).collect()
        };
        self.labels.iter().map(row).collect()
    }
}

/// The names of the cells of [`LabelScores::cells`].
pub(in crate::classify) const COLUMNS: [&str; 6] = ["label", "precision", "recall", "F1", "AUC", "rows"];
