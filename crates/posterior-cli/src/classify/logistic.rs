//! Logistic regression of texts and of rows, on sparse designs.

use posterior::math::iteration::Silent;
use posterior::math::sparse::SparseMatrix;
use posterior::regression::sparse_softmax::{SparsePenalty, SparseSoftmax, SparseSoftmaxFit};
use posterior::sampling::Run;
use posterior::topics::corpus::Document;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::bayes::Said;
use super::features::{Features, Inputs, NamedColumn, NewInputs, moments};
use super::recipe::{Recipe, row_weights};
use crate::args::TermValues;
use crate::failure::{Failure, refused};
use crate::level::Level;
use crate::output::grouped;

/// Folds of the rows that are left, by which the penalty of a fold is chosen.
const INNER_FOLDS: usize = 3;

/// A fitted logistic regression, and what makes a design of rows.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Logistic {
    scale: Scale,
    pub(super) strength: f64,
    pub(super) mixing: f64,
    pub(super) fit: SparseSoftmaxFit,
}

/// The numbers of a design.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Scale {
    /// Of terms.
    Terms(TermValues),
    /// Of each column the mean and the standard deviation, or the number of its categories.
    Columns(Vec<ColumnScale>),
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ColumnScale {
    Number { mean: f64, sd: f64 },
    Levels(usize),
}

/// Chains by which the coefficients of telling terms are known.
const RUN: Run = Run { chains: 4, warm_up: 200, draws: 250, thin: 1, seed: 0, keep_warm_up: false };

/// Effective draws below which the ends of an interval are rough.
const ROUGH: f64 = 100.0;

/// How sure a number is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub(super) sd: f64,
    pub(super) interval: [f64; 2],
}

/// A term that speaks for a class.
pub(super) struct TellingTerm {
    pub(super) place: usize,
    /// The mean of the posterior of the coefficient under a ridge penalty, else the coefficient.
    pub(super) ln_odds: f64,
    pub(super) spread: Option<Spread>,
}

/// The telling terms of each class, and what to say of their intervals.
pub(super) struct Telling {
    pub(super) of_class: Vec<Vec<TellingTerm>>,
    pub(super) caution: Option<String>,
}

impl Logistic {
    /// Learns from all rows, and from all but each fold; also the telling terms of each class.
    pub(super) fn learn(
        source: &str,
        features: &Features,
        inputs: &Inputs,
        (labels, classes): (&[usize], usize),
        recipe: &Recipe,
    ) -> Result<(Self, Vec<Said>), Failure> {
        if classes < 2 {
            return Err(Failure::data(format!("{source}: one class: logistic regression needs two")));
        }
        let left = labels.len() - labels.len().div_ceil(recipe.folds.max(1));
        if recipe.penalty.is_none() && left < INNER_FOLDS {
            let message = format!("{source}: too few rows to choose a penalty by folds");
            return Err(Failure::data(message).with_hint("--penalty L gives one"));
        }
        let scale = Scale::of(features, inputs, recipe.values);
        let design = scale.design(source, features, &inputs.as_new())?;
        let weights = row_weights(&recipe.weights, labels, classes)?;
        let model = SparseSoftmax::new(&design, labels, classes).map_err(refused)?;
        let model = model.with_weights(&weights).map_err(refused)?;
        let fold_of = |row: usize| row % recipe.folds;
        let all: Vec<usize> = (0..labels.len()).map(fold_of).collect();
        let penalty = chosen(&model, recipe, &all)?;
        let fit = model.fit(&penalty, &mut Silent).map_err(refused)?.model;
        let of_fold = |fold: usize| {
            let members = || (0..labels.len()).filter(move |&row| fold_of(row) == fold);
            let others = model.without(members()).map_err(refused)?;
            // Chosen anew, by the rows that are left.
            let mut place = 0;
            let inner = |row: usize| -> usize {
                place += usize::from(fold_of(row) != fold);
                place % INNER_FOLDS
            };
            let inner: Vec<usize> = (0..labels.len()).map(inner).collect();
            let fit = others.fit(&chosen(&others, recipe, &inner)?, &mut Silent).map_err(refused)?.model;
            let said = fit.probabilities(&design).map_err(refused)?;
            Ok(members().map(|row| (row, said.row(row).iter().copied().collect())).collect())
        };
        let folds: Vec<Vec<(usize, Vec<f64>)>> =
            (0..recipe.folds).into_par_iter().map(of_fold).collect::<Result<_, Failure>>()?;
        let mut held_out = vec![None; labels.len()];
        for (row, said) in folds.into_iter().flatten() {
            held_out[row] = Some(said);
        }
        Ok((Self { scale, strength: penalty.strength, mixing: penalty.mixing, fit }, held_out))
    }

    pub(super) fn predict(
        &self,
        source: &str,
        features: &Features,
        inputs: &NewInputs,
    ) -> Result<Vec<Said>, Failure> {
        let design = self.scale.design(source, features, inputs)?;
        let said = self.fit.probabilities(&design).map_err(refused)?;
        Ok(said.row_iter().map(|row| Some(row.iter().copied().collect())).collect())
    }

    /// Up to `count` columns of the design that speak most for a class, of two classes against the other;
    /// with their posterior where intervals are asked for.
    pub(super) fn telling(
        &self,
        (source, features, inputs): (&str, &Features, &Inputs),
        (labels, classes): (&[usize], usize),
        recipe: &Recipe,
        (count, level): (usize, Level),
    ) -> Result<Telling, Failure> {
        // Of two classes there is one vector: the first speaks for one where it speaks against the other.
        let signed = |class: usize| if classes == 2 && class == 0 { (1, -1.0) } else { (class, 1.0) };
        let of_class = |class: usize| {
            let (vector, sign) = signed(class);
            let term = |place: usize| {
                let ln_odds = sign * self.fit.coefficient(place, vector);
                TellingTerm { place, ln_odds, spread: None }
            };
            let terms = (0..self.fit.columns()).map(term);
            let mut terms: Vec<TellingTerm> = terms.filter(|own| own.ln_odds > 0.0).collect();
            terms.sort_by(|a, b| b.ln_odds.total_cmp(&a.ln_odds).then(a.place.cmp(&b.place)));
            terms.truncate(count);
            terms
        };
        let mut of_class: Vec<Vec<TellingTerm>> = (0..classes).map(of_class).collect();
        let which = |(class, terms): (usize, &Vec<TellingTerm>)| -> Vec<(usize, usize)> {
            terms.iter().map(|own| (own.place, signed(class).0)).collect()
        };
        let which: Vec<(usize, usize)> = of_class.iter().enumerate().flat_map(which).collect();
        if !recipe.intervals || which.is_empty() {
            return Ok(Telling { of_class, caution: None });
        }
        let design = self.scale.design(source, features, &inputs.as_new())?;
        let weights = row_weights(&recipe.weights, labels, classes)?;
        let model = SparseSoftmax::new(&design, labels, classes).map_err(refused)?;
        let model = model.with_weights(&weights).map_err(refused)?;
        let penalty = SparsePenalty { strength: self.strength, mixing: self.mixing };
        let draws = model.draws(&self.fit, &penalty, &which, &RUN).map_err(refused)?;
        let mut known = draws.summary_of_level(level.probability()).map_err(refused)?.parameters.into_iter();
        let mut fewest = f64::INFINITY;
        for (class, terms) in of_class.iter_mut().enumerate() {
            let (_, sign) = signed(class);
            for (term, own) in terms.iter_mut().zip(known.by_ref()) {
                let number = |own: Result<f64, _>| own.map_err(refused);
                let mut interval = [sign * number(own.low)?, sign * number(own.high)?];
                interval.sort_by(f64::total_cmp);
                term.ln_odds = sign * number(own.mean)?;
                term.spread = Some(Spread { sd: number(own.sd)?, interval });
                fewest = fewest.min(number(own.ess_bulk)?).min(number(own.ess_tail)?);
            }
            terms.sort_by(|a, b| b.ln_odds.total_cmp(&a.ln_odds));
        }
        let caution = (fewest < ROUGH).then(|| {
            let draws = grouped(fewest as u64);
            format!("intervals of telling words are rough: some are of draws worth {draws} independent ones")
        });
        Ok(Telling { of_class, caution })
    }

    /// Whether it is one of these features and classes.
    pub(super) fn check(&self, features: &Features) -> Result<(), String> {
        let columns = match (&self.scale, features) {
            (Scale::Terms(_), Features::Texts(own)) => own.vocabulary.len(),
            (Scale::Columns(scales), Features::Rows(own)) if scales.len() == own.columns.len() => {
                let fits = |(scale, column): (&ColumnScale, &NamedColumn)| match (scale, &column.levels) {
                    (ColumnScale::Number { mean, sd }, None) => mean.is_finite() && *sd > 0.0,
                    (ColumnScale::Levels(count), Some(levels)) => levels.len() == *count,
                    _ => false,
                };
                if !scales.iter().zip(&own.columns).all(fits) {
                    return Err("scales of other columns".to_owned());
                }
                scales.iter().map(|own| own.width()).sum()
            }
            _ => return Err("scales of other features".to_owned()),
        };
        if self.fit.columns() == columns {
            Ok(())
        } else {
            Err(format!("{} columns of coefficients for {columns}", self.fit.columns()))
        }
    }
}

/// The penalty of an option, or that of least held-out loss.
fn chosen(model: &SparseSoftmax<'_>, recipe: &Recipe, folds: &[usize]) -> Result<SparsePenalty, Failure> {
    match recipe.penalty {
        Some(strength) => Ok(SparsePenalty { strength, mixing: recipe.mixing }),
        None => Ok(model.penalty_by_folds(recipe.mixing, folds).map_err(refused)?.best),
    }
}

impl ColumnScale {
    const fn width(self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Levels(count) => count,
        }
    }
}

impl Scale {
    fn of(features: &Features, inputs: &Inputs, values: TermValues) -> Self {
        match (features, inputs) {
            (Features::Rows(own), Inputs::Rows(rows)) => {
                let scale = |(column, values): (&NamedColumn, Vec<f64>)| {
                    if let Some(levels) = &column.levels {
                        return ColumnScale::Levels(levels.len());
                    }
                    let moments = moments(values.into_iter());
                    ColumnScale::Number { mean: moments.mean(), sd: moments.variance().sqrt() }
                };
                let columns = rows.column_iter().map(|own| own.iter().copied().collect::<Vec<f64>>());
                Self::Columns(own.columns.iter().zip(columns).map(scale).collect())
            }
            _ => Self::Terms(values),
        }
    }

    /// Rows x columns; a category that is not known has no entry.
    fn design(&self, source: &str, features: &Features, inputs: &NewInputs) -> Result<SparseMatrix, Failure> {
        let mut entries = Vec::new();
        let (rows, columns) = match (self, features, inputs) {
            (Self::Columns(scales), Features::Rows(_), NewInputs::Rows(rows)) => {
                let mut first = 0;
                for (j, scale) in scales.iter().enumerate() {
                    for (i, &value) in rows.column(j).iter().enumerate() {
                        match *scale {
                            ColumnScale::Levels(_) if value.is_nan() => {}
                            ColumnScale::Levels(_) => entries.push((i, first + value as usize, 1.0)),
                            ColumnScale::Number { mean, sd } => entries.push((i, first, (value - mean) / sd)),
                        }
                    }
                    first += scale.width();
                }
                (rows.nrows(), first)
            }
            (Self::Terms(values), Features::Texts(own), NewInputs::Texts(texts)) => {
                for (i, text) in texts.iter().enumerate() {
                    let Document { words, counts } = text.document();
                    let value = |count: u32| match values {
                        TermValues::Presence => 1.0,
                        TermValues::Counts => f64::from(count),
                    };
                    let of_text = words.iter().zip(counts);
                    entries.extend(of_text.map(|(&word, &count)| (i, word as usize, value(count))));
                }
                (texts.len(), own.vocabulary.len())
            }
            _ => return Err(Failure::data(format!("{source}: rows of another kind than the model's"))),
        };
        SparseMatrix::from_triplets(rows, columns, entries).map_err(refused)
    }
}
