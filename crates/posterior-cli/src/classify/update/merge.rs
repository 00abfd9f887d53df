//! A model of the rows of a file and of more rows: their counts together.

use std::collections::BTreeSet;

use posterior::math::linalg::DMatrix;
use posterior::math::streaming::MeanVariance;
use posterior::table::DataFrame;
use posterior::text::naive_bayes::table::ClassTable;
use posterior::text::naive_bayes::{ClassCounts, ClassWeights, NaiveBayes, NaiveBayesOptions};
use posterior::topics::Corpus;

use super::{all_classes, places};
use crate::args::ClassifyFile;
use crate::classify::bayes::{RowBayes, TextBayes, by_evidence, distributions};
use crate::classify::features::{Features, NamedColumn, RowFeatures, TextFeatures, levels, moments};
use crate::classify::model::{Fitted, Model};
use crate::classify::model_file::ModelFile;
use crate::classify::recipe::SmoothingBy;
use crate::failure::Failure;

/// New rows with classes, and where those of the model are among all classes.
struct Rows<'a> {
    labels: &'a [usize],
    classes: usize,
    class_of: &'a [usize],
}

/// The model of one class a row.
pub(super) fn classes(
    file: ModelFile,
    table: &DataFrame,
    columns: &ClassifyFile,
) -> Result<ModelFile, Failure> {
    let (all, labels) = all_classes(&file, table)?;
    let class_of = places(&file.classes, &all);
    let rows = Rows { labels: &labels, classes: all.len(), class_of: &class_of };
    let merge = Merge::of(&file.features, table, columns)?;
    let models = file.models.iter().map(|own| merge.model(table, &own.model, &rows));
    let models = models.collect::<Result<_, Failure>>()?;
    Ok(ModelFile { label: file.label, separator: None, classes: all, features: merge.features, models })
}

/// The models of several labels a row, none of which is new.
pub(super) fn labels(
    file: ModelFile,
    table: &DataFrame,
    (sets, columns): (&[BTreeSet<String>], &ClassifyFile),
) -> Result<ModelFile, Failure> {
    for (row, set) in sets.iter().enumerate() {
        if let Some(new) = set.iter().find(|own| !file.classes.contains(own)) {
            let (source, line) = (&table.source, table.line(row));
            let message = format!("{source}: line {line}: label {new:?} is none of the model");
            return Err(
                Failure::data(message).with_hint("a new label needs a fit to the rows of both tables")
            );
        }
    }
    let merge = Merge::of(&file.features, table, columns)?;
    let model = |(name, own): (&String, &Fitted)| {
        let labels: Vec<usize> = sets.iter().map(|set| usize::from(set.contains(name))).collect();
        merge.model(table, &own.model, &Rows { labels: &labels, classes: 2, class_of: &[0, 1] })
    };
    let models = file.classes.iter().zip(&file.models).map(model).collect::<Result<_, Failure>>()?;
    Ok(ModelFile { models, features: merge.features, ..file })
}

/// The features of old and new rows, and the new rows.
struct Merge {
    features: Features,
    new: New,
}

enum New {
    /// The places of the words of either vocabulary among all.
    Texts { corpus: Corpus, old: Vec<usize>, own: Vec<usize> },
    /// Of each column the places of the old levels among all.
    Rows { rows: DMatrix<f64>, old: Vec<Vec<usize>> },
}

impl Merge {
    fn of(features: &Features, table: &DataFrame, columns: &ClassifyFile) -> Result<Self, Failure> {
        match features {
            Features::Texts(old) => Self::of_texts(old, table, old.column(columns)),
            Features::Rows(old) => Self::of_rows(old, table),
        }
    }

    fn of_texts(old: &TextFeatures, table: &DataFrame, column: &str) -> Result<Self, Failure> {
        let (own, corpus) = old.clone().counted(table, column)?;
        let mut all: Vec<String> = old.vocabulary.iter().chain(&own.vocabulary).cloned().collect();
        all.sort_unstable();
        all.dedup();
        let places = |words: &[String]| {
            words.iter().map(|word| all.binary_search(word).unwrap_or(all.len())).collect::<Vec<usize>>()
        };
        let new = New::Texts { old: places(&old.vocabulary), own: places(&own.vocabulary), corpus };
        Ok(Self { features: Features::Texts(TextFeatures { vocabulary: all, ..own }), new })
    }

    fn of_rows(old: &RowFeatures, table: &DataFrame) -> Result<Self, Failure> {
        let column = |own: &NamedColumn| {
            let Some(known) = &own.levels else { return Ok((own.clone(), Vec::new())) };
            let found = levels(table, &own.name)?;
            let is_constant = known.len() == 1 && known.iter().all(|own| own.parse::<f64>().is_ok());
            if is_constant && found.iter().any(|own| own != &known[0] && own.parse::<f64>().is_ok()) {
                let (source, name) = (&table.source, &own.name);
                let message = format!("{source}: column {name} was {} in all rows of the model", known[0]);
                return Err(Failure::data(message).with_hint("fit again, to the rows of both tables"));
            }
            let mut all: Vec<String> = known.iter().cloned().chain(found).collect();
            all.sort_unstable();
            all.dedup();
            let places = known.iter().map(|own| all.binary_search(own).unwrap_or(all.len())).collect();
            Ok((NamedColumn { name: own.name.clone(), levels: Some(all) }, places))
        };
        let columns = old.columns.iter().map(column).collect::<Result<Vec<_>, Failure>>()?;
        let (columns, old) = columns.into_iter().unzip();
        let features = RowFeatures { columns };
        let rows = features.numbers(table)?;
        Ok(Self { features: Features::Rows(features), new: New::Rows { rows, old } })
    }

    fn model(&self, table: &DataFrame, model: &Model, rows: &Rows<'_>) -> Result<Fitted, Failure> {
        let model = match (model, &self.features, &self.new) {
            (Model::TextBayes(own), _, New::Texts { corpus, old, own: words }) => {
                Model::TextBayes(Box::new(texts(own, corpus, (old, words), self.features.count(), rows)?))
            }
            (Model::RowBayes(own), Features::Rows(features), New::Rows { rows: numbers, old }) => {
                Model::RowBayes(of_rows(own, &table.source, features, (numbers, old), rows)?)
            }
            _ => {
                return Err(Failure::data(format!(
                    "{}: rows of another kind than the model's",
                    table.source
                )));
            }
        };
        Ok(Fitted { model, calibration: None })
    }
}

fn texts(
    own: &TextBayes,
    corpus: &Corpus,
    (old, new): (&[usize], &[usize]),
    vocabulary: usize,
    rows: &Rows<'_>,
) -> Result<TextBayes, Failure> {
    let options = own.model.options();
    let same: Vec<usize> = (0..rows.classes).collect();
    let mut counts = own.model.counts().spread((rows.classes, rows.class_of), (vocabulary, old))?;
    let added = ClassCounts::of(options.counts(), corpus, rows.labels, rows.classes)?;
    counts.merge(&added.spread((rows.classes, &same), (vocabulary, new))?)?;
    let mut options = NaiveBayesOptions { weights: weights(&options.weights, rows), ..options.clone() };
    if own.smoothing == SmoothingBy::Evidence {
        options.smoothing = by_evidence(&counts, &options)?;
    }
    Ok(TextBayes { model: NaiveBayes::from_counts(counts, &options)?, smoothing: own.smoothing })
}

fn of_rows(
    own: &RowBayes,
    source: &str,
    features: &RowFeatures,
    (numbers, old): (&DMatrix<f64>, &[Vec<usize>]),
    rows: &Rows<'_>,
) -> Result<RowBayes, Failure> {
    // The prior of a column is made of its values, the new ones among them.
    let together = |(place, column): (usize, &NamedColumn)| {
        let mut all = own.statistics.moments(place)?.unwrap_or_default();
        if column.levels.is_none() {
            all.merge(&moments(numbers.column(place).iter().copied()));
        }
        Ok(all)
    };
    let moments = features.columns.iter().enumerate().map(together);
    let moments = moments.collect::<Result<Vec<MeanVariance>, Failure>>()?;
    let columns = distributions(source, &features.columns, moments.into_iter())?;
    let mut statistics = own.statistics.spread(&columns, (rows.classes, rows.class_of), old)?;
    statistics.merge(&ClassTable::of(&columns, numbers, rows.labels, rows.classes)?)?;
    Ok(RowBayes { statistics, weights: weights(&own.weights, rows), ..*own })
}

/// The weights of all classes: a new one has weight 1.
fn weights(own: &ClassWeights, rows: &Rows<'_>) -> ClassWeights {
    match own {
        ClassWeights::Given(old) => {
            let mut all = vec![1.0; rows.classes];
            old.iter().zip(rows.class_of).for_each(|(&weight, &place)| all[place] = weight);
            ClassWeights::Given(all)
        }
        other => other.clone(),
    }
}
