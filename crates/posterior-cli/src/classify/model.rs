//! What is fitted to the rows of classes, whatever the method.

use posterior::evaluation::ClassCalibration;
use serde::{Deserialize, Serialize};

use super::bayes::{RowBayes, Said, TextBayes, are_of, probabilities};
use super::calibration::{self, Calibrated};
use super::features::{Features, Inputs, NewInputs};
use super::logistic::Logistic;
use super::recipe::Recipe;
use crate::args::ClassifyMethod;
use crate::failure::{Failure, refused};

/// A model of classes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Model {
    TextBayes(Box<TextBayes>),
    RowBayes(RowBayes),
    Logistic(Logistic),
}

/// A model, and the map from its probabilities to those that come true.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fitted {
    pub(super) model: Model,
    #[serde(default)]
    pub(super) calibration: Option<ClassCalibration>,
}

/// A model, and what the folds of its data say of one another.
pub(super) struct Learned {
    pub(super) fitted: Fitted,
    /// As the model of the other folds says it; calibrated, where it was asked for.
    pub(super) held_out: Vec<Said>,
    /// Before the calibration, where there is one.
    pub(super) uncalibrated: Option<Vec<Said>>,
}

/// Rows with their classes, from which a model is learned.
pub(super) struct Lesson<'a> {
    pub(super) source: &'a str,
    pub(super) features: &'a Features,
    pub(super) inputs: &'a Inputs,
    pub(super) labels: &'a [usize],
    pub(super) classes: usize,
}

impl Lesson<'_> {
    /// Learns from all rows, and from all but each fold.
    pub(super) fn learn(&self, recipe: &Recipe) -> Result<Learned, Failure> {
        let Self { source, features, inputs, labels, classes } = *self;
        if labels.len() < 2 {
            return Err(Failure::data(format!("{source}: one row: expected two or more")));
        }
        let (model, said) = match (features, inputs) {
            _ if recipe.method == ClassifyMethod::Logistic => {
                let (own, said) = Logistic::learn(source, features, inputs, (labels, classes), recipe)?;
                (Model::Logistic(own), said)
            }
            (_, Inputs::Texts(corpus)) => {
                let (own, said) = TextBayes::learn(corpus, labels, classes, recipe)?;
                (Model::TextBayes(Box::new(own)), said)
            }
            (Features::Rows(own), Inputs::Rows(rows)) => {
                let learned = RowBayes::learn(source, &own.columns, rows, (labels, classes), recipe);
                let (own, said) = learned.map_err(|failure| in_source(source, failure))?;
                (Model::RowBayes(own), said)
            }
            (Features::Texts(_), Inputs::Rows(_)) => {
                return Err(Failure::data(format!("{source}: rows where texts were expected")));
            }
        };
        let Some(method) = recipe.calibration else {
            let fitted = Fitted { model, calibration: None };
            return Ok(Learned { fitted, held_out: said, uncalibrated: None });
        };
        let Calibrated { map, held_out } = calibration::by_folds(method, &said, (labels, classes), recipe)
            .map_err(|own| in_source(source, own))?;
        let fitted = Fitted { model, calibration: Some(map) };
        Ok(Learned { fitted, held_out, uncalibrated: Some(said) })
    }
}

fn in_source(source: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Data { message, hint } if !message.starts_with(source) => {
            Failure::Data { message: format!("{source}: {message}"), hint }
        }
        other => other,
    }
}

impl Fitted {
    /// The answer for each row, calibrated where the model is.
    pub(super) fn predict(
        &self,
        source: &str,
        features: &Features,
        inputs: &NewInputs,
    ) -> Result<Vec<Said>, Failure> {
        let said = self.model.predict(source, features, inputs)?;
        match &self.calibration {
            None => Ok(said),
            Some(map) => calibration::calibrated(map, &said),
        }
    }

    /// Whether the file that it is from makes sense.
    pub(super) fn check(&self, features: &Features, classes: usize) -> Result<(), String> {
        let found = match (&self.model, features) {
            (Model::TextBayes(own), Features::Texts(texts)) => {
                if texts.vocabulary.len() != own.model.counts().vocabulary() {
                    return Err("another number of words than counts".to_owned());
                }
                own.model.classes()
            }
            (Model::RowBayes(own), Features::Rows(rows)) => {
                if !are_of(&rows.columns, &own.statistics) {
                    return Err("columns that are not those of the statistics".to_owned());
                }
                own.statistics.classes()
            }
            (Model::Logistic(own), _) => {
                own.check(features)?;
                own.fit.classes()
            }
            _ => return Err("a model of other features".to_owned()),
        };
        if self.calibration.as_ref().is_some_and(|own| own.classes() != classes) {
            return Err("a calibration of another number of classes".to_owned());
        }
        if found == classes { Ok(()) } else { Err(format!("{found} classes with {classes} names")) }
    }
}

impl Model {
    fn predict(&self, source: &str, features: &Features, inputs: &NewInputs) -> Result<Vec<Said>, Failure> {
        match (self, inputs) {
            (Self::Logistic(own), _) => own.predict(source, features, inputs),
            (Self::TextBayes(own), NewInputs::Texts(texts)) => {
                let said = texts.iter().map(|text| probabilities(own.model.posterior(text.document())));
                Ok(said.collect())
            }
            (Self::RowBayes(own), NewInputs::Rows(rows)) => {
                let classifier = own.classifier()?;
                let said = |i: usize| {
                    let row: Vec<f64> = rows.row(i).iter().copied().collect();
                    Ok(probabilities(classifier.posterior(&row)?))
                };
                (0..rows.nrows()).map(said).collect()
            }
            _ => Err(refused(format!("{source}: rows of another kind than the model's"))),
        }
    }

    /// The number that is added to counts.
    pub(super) fn smoothing(&self) -> Option<f64> {
        match self {
            Self::TextBayes(own) => Some(own.model.options().smoothing),
            Self::RowBayes(own) => Some(own.smoothing),
            Self::Logistic(_) => None,
        }
    }

    /// The strength of the penalty, the proportion of it that is of absolute values, and how many
    /// coefficients it leaves.
    pub(super) fn penalty(&self) -> Option<(f64, f64, usize)> {
        match self {
            Self::Logistic(own) => Some((own.strength, own.mixing, own.fit.nonzero())),
            _ => None,
        }
    }
}
