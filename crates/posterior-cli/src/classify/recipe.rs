//! What is fitted, as the options say it of these classes.

use posterior::evaluation::CalibrationMethod;
use posterior::text::naive_bayes::ClassWeights;
use serde::{Deserialize, Serialize};

use super::data_input::Content;
use crate::args::{ClassifyCalibration, ClassifyMethod, ClassifyRecipe, TermValues};
use crate::failure::{Failure, refused};

/// The source of the pseudocount.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SmoothingBy {
    Number(f64),
    Evidence,
    Folds,
}

impl SmoothingBy {
    pub(super) fn of(text: &str) -> Result<Self, Failure> {
        match text {
            "evidence" => Ok(Self::Evidence),
            "folds" => Ok(Self::Folds),
            text => text
                .parse()
                .map(Self::Number)
                .map_err(|_| Self::refused(text, "a number, `evidence` or `folds`")),
        }
    }

    pub(super) fn refused(found: &str, expected: &str) -> Failure {
        Failure::Usage(format!("--pseudocount: expected {expected}, found {found:?}"))
    }
}

/// The options of a fit, checked.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    pub(super) method: ClassifyMethod,
    pub(super) smoothing: SmoothingBy,
    pub(super) class_pseudocount: f64,
    pub(super) values: TermValues,
    /// None: by folds.
    pub(super) penalty: Option<f64>,
    pub(super) mixing: f64,
    /// Whether the coefficients that tell most are drawn from their posterior.
    pub(super) intervals: bool,
    pub(super) folds: usize,
    pub(super) weights: ClassWeights,
    pub(super) calibration: Option<CalibrationMethod>,
}

impl Recipe {
    /// The method of an option, or the usual one of such rows.
    pub(super) fn method(recipe: &ClassifyRecipe, content: Content) -> ClassifyMethod {
        recipe.method.unwrap_or(match content {
            Content::Texts => ClassifyMethod::NaiveBayes,
            Content::Rows => ClassifyMethod::GaussianNb,
        })
    }

    /// Of so many rows with these classes.
    pub(super) fn of(
        recipe: &ClassifyRecipe,
        content: Content,
        classes: &[String],
        rows: usize,
    ) -> Result<Self, Failure> {
        let method = Self::method(recipe, content);
        if recipe.intervals && recipe.mixing > 0.0 {
            let message = "--intervals: a penalty with absolute values has none: leave --mixing out";
            return Err(Failure::Usage(message.to_owned()));
        }
        let smoothing = SmoothingBy::of(&recipe.pseudocount)?;
        if content == Content::Rows && !matches!(smoothing, SmoothingBy::Number(_)) {
            return Err(SmoothingBy::refused(&recipe.pseudocount, "a number for rows of numbers"));
        }
        Ok(Self {
            method,
            smoothing,
            class_pseudocount: recipe.class_pseudocount,
            values: recipe.values,
            penalty: penalty(&recipe.penalty)?,
            mixing: recipe.mixing,
            intervals: recipe.intervals,
            folds: usize::from(recipe.folds).min(rows),
            weights: weights(recipe.class_weights.as_deref(), classes)?,
            calibration: recipe.calibrate.map(|own| match own {
                ClassifyCalibration::Isotonic => CalibrationMethod::Isotonic,
                ClassifyCalibration::Platt => CalibrationMethod::Platt,
            }),
        })
    }

    /// What probabilities mean where classes have weights.
    pub(super) fn caution(&self) -> Option<String> {
        let text = "probabilities are those of rows in the proportions of --class-weights, not of the data";
        (self.weights != ClassWeights::Equal).then(|| text.to_owned())
    }
}

/// What each row counts as, by the weights of the classes.
pub(super) fn row_weights(
    weights: &ClassWeights,
    labels: &[usize],
    classes: usize,
) -> Result<Vec<f64>, Failure> {
    let mut counts = vec![0.0; classes];
    for &label in labels {
        counts[label] += 1.0;
    }
    let factors = weights.factors(&counts).map_err(refused)?;
    Ok(labels.iter().map(|&label| factors[label]).collect())
}

fn penalty(text: &str) -> Result<Option<f64>, Failure> {
    let wrong = || Failure::Usage(format!("--penalty: expected a number above 0 or `folds`, found {text:?}"));
    match text {
        "folds" => Ok(None),
        _ => match text.parse::<f64>() {
            Ok(number) if number > 0.0 && number.is_finite() => Ok(Some(number)),
            _ => Err(wrong()),
        },
    }
}

/// The weights of classes, of an option such as `balanced` or `spam=5,ham=1`; a class that it does not name
/// has weight 1.
fn weights(text: Option<&str>, classes: &[String]) -> Result<ClassWeights, Failure> {
    let Some(text) = text else { return Ok(ClassWeights::Equal) };
    if text == "balanced" {
        return Ok(ClassWeights::Balanced);
    }
    let refused = |what: String| Failure::Usage(format!("--class-weights: {what}"));
    let mut weights = vec![1.0; classes.len()];
    let mut named = vec![false; classes.len()];
    for part in text.split(',') {
        let Some((name, weight)) = part.rsplit_once('=') else {
            return Err(refused(format!("expected `balanced` or NAME=W,.., found {part:?}")));
        };
        let Some(class) = classes.iter().position(|own| own == name) else {
            let known = posterior::table::listed(classes);
            return Err(refused(format!("no class is called {name:?}: the classes are {known}")));
        };
        if std::mem::replace(&mut named[class], true) {
            return Err(refused(format!("two weights of {name:?}")));
        }
        match weight.parse::<f64>() {
            Ok(weight) if weight > 0.0 && weight.is_finite() => weights[class] = weight,
            _ => return Err(refused(format!("expected a number above 0 for {name:?}, found {weight:?}"))),
        }
    }
    Ok(ClassWeights::Given(weights))
}
