//! Naive Bayes of texts and of rows.

use posterior::dist::NormalGamma;
use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::text::naive_bayes::table::{ClassTable, ColumnDistribution, TableClassifier, TableOptions};
use posterior::text::naive_bayes::{
    ClassCounts, ClassPosterior, ClassPrior, ClassWeights, EventModel, NaiveBayes, NaiveBayesOptions,
    SmoothingRule, cross_validate_by, select_smoothing, smoothing_by_evidence,
};
use posterior::topics::Corpus;
use serde::{Deserialize, Serialize};

use super::features::{NamedColumn, moments};
use super::recipe::{Recipe, SmoothingBy};
use crate::args::ClassifyMethod;
use crate::failure::Failure;

/// Candidates of `--pseudocount folds`.
const CANDIDATES: [f64; 7] = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];

/// A model of texts.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextBayes {
    pub(super) model: NaiveBayes,
    pub(super) smoothing: SmoothingBy,
}

/// A model of rows.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowBayes {
    pub(super) statistics: ClassTable,
    pub(super) smoothing: f64,
    pub(super) class_prior: f64,
    #[serde(default)]
    pub(super) weights: ClassWeights,
}

/// A row's probabilities; none if no class explains it.
pub(super) type Said = Option<Vec<f64>>;

pub(super) fn probabilities(posterior: Option<ClassPosterior>) -> Said {
    posterior.map(|own| own.probabilities)
}

/// `None` of a method for rows, or one that is not naive Bayes.
const fn event_model(method: ClassifyMethod) -> EventModel {
    match method {
        ClassifyMethod::BernoulliNb => EventModel::Bernoulli,
        ClassifyMethod::PolyaNb => EventModel::Polya,
        ClassifyMethod::ComplementNb => EventModel::Complement,
        ClassifyMethod::NaiveBayes | ClassifyMethod::GaussianNb | ClassifyMethod::Logistic => {
            EventModel::Multinomial
        }
    }
}

impl TextBayes {
    /// Learns from all texts, and from all but each fold.
    pub(super) fn learn(
        corpus: &Corpus,
        labels: &[usize],
        classes: usize,
        recipe: &Recipe,
    ) -> Result<(Self, Vec<Said>), Failure> {
        let prior = ClassPrior::Learned { add: recipe.class_pseudocount };
        let options = NaiveBayesOptions {
            model: event_model(recipe.method),
            prior,
            weights: recipe.weights.clone(),
            ..NaiveBayesOptions::default()
        };
        let counts = ClassCounts::of(options.counts(), corpus, labels, classes)?;
        let (smoothing, rule) = match recipe.smoothing {
            SmoothingBy::Number(number) => (number, SmoothingRule::Given),
            SmoothingBy::Evidence => (by_evidence(&counts, &options)?, SmoothingRule::Evidence),
            SmoothingBy::Folds => {
                let choice = select_smoothing(corpus, labels, classes, &options, &CANDIDATES, recipe.folds)?;
                (choice.smoothing, SmoothingRule::Folds(CANDIDATES.to_vec()))
            }
        };
        let options = NaiveBayesOptions { smoothing, ..options };
        let model = NaiveBayes::from_counts(counts, &options)?;
        // Chosen anew in each fold: a smoothing that was chosen by all rows has seen the rows that it is
        // judged by.
        let held_out = cross_validate_by(corpus, labels, classes, &options, recipe.folds, &rule)?;
        let own = Self { model, smoothing: recipe.smoothing };
        Ok((own, held_out.into_iter().map(probabilities).collect()))
    }
}

/// The most probable smoothing of counts, as the options weigh them.
pub(super) fn by_evidence(counts: &ClassCounts, options: &NaiveBayesOptions) -> Result<f64, Failure> {
    let factors = options.weights.factors(counts.documents()).map_err(posterior::text::Error::from)?;
    Ok(smoothing_by_evidence(&counts.weighted(&factors)?)?.0)
}

impl RowBayes {
    /// Learns from all rows, and from all but each fold.
    pub(super) fn learn(
        source: &str,
        columns: &[NamedColumn],
        rows: &DMatrix<f64>,
        (labels, classes): (&[usize], usize),
        recipe: &Recipe,
    ) -> Result<(Self, Vec<Said>), Failure> {
        let SmoothingBy::Number(smoothing) = recipe.smoothing else {
            return Err(SmoothingBy::refused("another", "a number for rows of numbers"));
        };
        let moments = rows.column_iter().map(|own| moments(own.iter().copied()));
        let distributions = distributions(source, columns, moments)?;
        let empty = ClassTable::new(&distributions, classes)?;
        let model = |statistics| Self {
            statistics,
            smoothing,
            class_prior: recipe.class_pseudocount,
            weights: recipe.weights.clone(),
        };
        let row = |i: usize| rows.row(i).iter().copied().collect::<Vec<f64>>();
        let mut held_out = vec![None; labels.len()];
        for fold in 0..recipe.folds {
            let mut statistics = empty.clone();
            for i in (0..labels.len()).filter(|i| i % recipe.folds != fold) {
                statistics.push(&row(i), labels[i])?;
            }
            let classifier = model(statistics).classifier()?;
            for i in (fold..labels.len()).step_by(recipe.folds) {
                held_out[i] = probabilities(classifier.posterior(&row(i))?);
            }
        }
        let own = model(ClassTable::of(&distributions, rows, labels, classes)?);
        own.classifier()?;
        Ok((own, held_out))
    }

    pub(super) fn classifier(&self) -> Result<TableClassifier, Failure> {
        let options = TableOptions {
            smoothing: self.smoothing,
            prior: ClassPrior::Learned { add: self.class_prior },
            weights: self.weights.clone(),
            ..TableOptions::default()
        };
        Ok(TableClassifier::from_table(&self.statistics, &options)?)
    }
}

/// The distributions of columns in a class. The prior of mean and variance counts as one row: the mean and
/// the variance of the column in all classes.
pub(super) fn distributions(
    source: &str,
    columns: &[NamedColumn],
    moments: impl Iterator<Item = MeanVariance>,
) -> Result<Vec<ColumnDistribution>, Failure> {
    let of_column = |(column, values): (&NamedColumn, MeanVariance)| match &column.levels {
        Some(levels) => Ok(ColumnDistribution::Categorical { levels: levels.len() }),
        None => NormalGamma::new(values.mean(), 1.0, 0.5, 0.5 * values.variance())
            .map(ColumnDistribution::NormalPredictive)
            .map_err(|_| {
                let name = &column.name;
                Failure::data(format!("{source}: column {name}: no values, or too large ones for a variance"))
            }),
    };
    columns.iter().zip(moments).map(of_column).collect()
}

/// Whether these are the columns of a table of statistics.
pub(super) fn are_of(columns: &[NamedColumn], statistics: &ClassTable) -> bool {
    let is = |(own, column): (&NamedColumn, &ColumnDistribution)| match (&own.levels, column) {
        (None, ColumnDistribution::Normal | ColumnDistribution::NormalPredictive(_)) => true,
        (Some(own), ColumnDistribution::Categorical { levels }) => own.len() == *levels,
        _ => false,
    };
    statistics.columns().len() == columns.len() && columns.iter().zip(statistics.columns()).all(is)
}
