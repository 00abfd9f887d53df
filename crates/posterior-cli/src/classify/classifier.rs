//! A classifier of texts or rows, with what makes words or numbers of them.

use posterior::dist::NormalGamma;
use posterior::math::linalg::{DMatrix, DVector};
use posterior::math::streaming::MeanVariance;
use posterior::table::{ColumnKind, DataFrame};
use posterior::text::naive_bayes::table::{ClassTable, ColumnDistribution, TableClassifier, TableOptions};
use posterior::text::naive_bayes::{
    ClassCounts, ClassPosterior, ClassPrior, EventModel, NaiveBayes, NaiveBayesOptions, SmoothingRule,
    cross_validate_by, select_smoothing, smoothing_by_evidence,
};
use posterior::topics::Corpus;
use posterior::topics::corpus::{
    Apostrophes, CorpusBuilder, Digits, Document, LetterSet, Source, StopWords, Tokenizer, VocabularyOptions,
};
use serde::{Deserialize, Serialize};

use super::data_input;
use crate::args::{ClassifyFile, ClassifyMethod, ClassifyRecipe, ClassifyTask, ClassifyWords, uses};
use crate::failure::Failure;
use crate::rows_input::note_of_row_names;

/// Candidates of `--pseudocount folds`.
const CANDIDATES: [f64; 7] = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0];

/// A text's words by what the model knows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct TextModel {
    pub(super) text_column: String,
    ascii_words: bool,
    min_letters: usize,
    /// In alphabetical order.
    pub(super) vocabulary: Vec<String>,
    pub(super) model: NaiveBayes,
}

/// A row's numbers by what the model knows.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RowModel {
    pub(super) columns: Vec<NamedColumn>,
    statistics: ClassTable,
    smoothing: f64,
    class_prior: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NamedColumn {
    pub(super) name: String,
    /// The categories; none of a column of numbers.
    levels: Option<Vec<String>>,
}

/// What was fitted.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Classifier {
    Text(Box<TextModel>),
    Rows(RowModel),
}

/// The posterior of a row, and how many of its words or values are unknown or missing.
pub(super) type RowPosterior = (Option<ClassPosterior>, u64);

/// A classifier, and what the folds of its data say of one another.
pub(super) struct Learned {
    pub(super) classifier: Classifier,
    pub(super) held_out: Vec<Option<ClassPosterior>>,
    pub(super) smoothing: f64,
    /// What was left out.
    pub(super) note: Option<String>,
}

/// The columns of a file that a task reads.
pub(super) fn columns(task: &ClassifyTask, header: &[String]) -> Vec<String> {
    let others = match (event_model(task.recipe.method), &task.file.x[..]) {
        (Some(_), _) => vec![data_input::text_column(&task.file)],
        (None, []) => header.iter().filter(|name| **name != task.label).cloned().collect(),
        (None, x) => x.to_vec(),
    };
    std::iter::once(task.label.clone()).chain(others).collect()
}

/// Learns from all rows, and from all but each fold.
pub(super) fn learn(
    table: &DataFrame,
    label: &str,
    labels: &[usize],
    classes: usize,
    file: &ClassifyFile,
    recipe: &ClassifyRecipe,
) -> Result<Learned, Failure> {
    if labels.len() < 2 {
        return Err(Failure::data(format!("{}: one row: expected two or more", table.source)));
    }
    match event_model(recipe.method) {
        Some(model) => learn_texts(table, labels, classes, file, recipe, model),
        None => learn_rows(table, label, labels, classes, file, recipe),
    }
}

/// `None` of a method for rows.
const fn event_model(method: ClassifyMethod) -> Option<EventModel> {
    match method {
        ClassifyMethod::NaiveBayes => Some(EventModel::Multinomial),
        ClassifyMethod::BernoulliNb => Some(EventModel::Bernoulli),
        ClassifyMethod::PolyaNb => Some(EventModel::Polya),
        ClassifyMethod::ComplementNb => Some(EventModel::Complement),
        ClassifyMethod::GaussianNb => None,
    }
}

fn learn_texts(
    table: &DataFrame,
    labels: &[usize],
    classes: usize,
    file: &ClassifyFile,
    recipe: &ClassifyRecipe,
    model: EventModel,
) -> Result<Learned, Failure> {
    let text_column = data_input::text_column(file);
    let ascii_words = recipe.words == ClassifyWords::Ascii;
    let vocabulary = VocabularyOptions {
        tokenizer: tokenizer(ascii_words, recipe.min_letters),
        stop_words: stop_words(&recipe.stop_words)?,
        min_documents: recipe.min_df,
        ..VocabularyOptions::default()
    };
    let mut builder = CorpusBuilder::new(vocabulary)?;
    for (row, text) in data_input::texts(table, &text_column)?.into_iter().enumerate() {
        builder.push(table.line(row).to_string(), text);
    }
    let (corpus, _) = builder.build().map_err(|error| in_file(table, error))?;
    let prior = ClassPrior::Learned { add: recipe.class_pseudocount };
    let options = NaiveBayesOptions { model, prior, ..NaiveBayesOptions::default() };
    let folds = usize::from(recipe.folds).min(labels.len());
    let (smoothing, rule) = smoothing(&corpus, labels, classes, &options, recipe, folds)?;
    let options = NaiveBayesOptions { smoothing, ..options };
    let model = NaiveBayes::fit(&corpus, labels, classes, &options)?;
    // Chosen anew in each fold: a smoothing that was chosen by all rows has seen the rows that it is judged
    // by.
    let held_out = cross_validate_by(&corpus, labels, classes, &options, folds, &rule)?;
    let vocabulary = corpus.vocabulary().to_vec();
    let text = TextModel { text_column, ascii_words, min_letters: recipe.min_letters, vocabulary, model };
    Ok(Learned { classifier: Classifier::Text(Box::new(text)), held_out, smoothing, note: None })
}

/// The smoothing of the model of all rows, and how it was come by.
fn smoothing(
    corpus: &Corpus,
    labels: &[usize],
    classes: usize,
    options: &NaiveBayesOptions,
    recipe: &ClassifyRecipe,
    folds: usize,
) -> Result<(f64, SmoothingRule), Failure> {
    match recipe.pseudocount.as_str() {
        "evidence" => {
            let counts = ClassCounts::of(options.counts(), corpus, labels, classes)?;
            Ok((smoothing_by_evidence(&counts)?.0, SmoothingRule::Evidence))
        }
        "folds" => {
            let chosen = select_smoothing(corpus, labels, classes, options, &CANDIDATES, folds)?.smoothing;
            Ok((chosen, SmoothingRule::Folds(CANDIDATES.to_vec())))
        }
        text => Ok((number(text)?, SmoothingRule::Given)),
    }
}

fn number(text: &str) -> Result<f64, Failure> {
    text.parse().map_err(|_| {
        Failure::Usage(format!("--pseudocount: expected a number, `evidence` or `folds`, found {text:?}"))
    })
}

fn learn_rows(
    table: &DataFrame,
    label: &str,
    labels: &[usize],
    classes: usize,
    file: &ClassifyFile,
    recipe: &ClassifyRecipe,
) -> Result<Learned, Failure> {
    let smoothing = number(&recipe.pseudocount)?;
    let (names, note) = match file.x.as_slice() {
        [] => predictors(table, label, &file.categorical)?,
        names => (names.to_vec(), None),
    };
    let named = |name: &String| {
        // A number that is the same in all rows tells no class from another, and has no variance: it is a
        // category with one level.
        let numeric = !file.categorical.contains(name)
            && matches!(kind(table, name)?, ColumnKind::Number | ColumnKind::Count | ColumnKind::RowNumber)
            && moments(table.numbers(name)?.iter().copied()).variance() != 0.0;
        let levels = if numeric {
            None
        } else {
            let mut levels: Vec<String> =
                table.texts_or_missing(name)?.into_iter().flatten().map(str::to_owned).collect();
            levels.sort_unstable();
            levels.dedup();
            Some(levels)
        };
        Ok(NamedColumn { name: name.clone(), levels })
    };
    if let Some(other) = file.categorical.iter().find(|name| !names.contains(name)) {
        return Err(Failure::Usage(format!("--categorical {other}: expected one of the columns of --x")));
    }
    let columns = names.iter().map(named).collect::<Result<Vec<_>, Failure>>()?;
    let rows = numbers(table, &columns)?;
    let distribution = |(column, values): (&NamedColumn, _)| column.distribution(&table.source, values);
    let moments = rows.column_iter().map(|own| moments(own.iter().copied()));
    let distributions = columns
        .iter()
        .zip(moments)
        .map(distribution)
        .collect::<Result<Vec<ColumnDistribution>, Failure>>()?;
    let folds = usize::from(recipe.folds).min(labels.len());
    let options = row_options(smoothing, recipe.class_pseudocount);
    let row = |i: usize| rows.row(i).iter().copied().collect::<Vec<f64>>();
    let mut held_out = vec![None; labels.len()];
    for fold in 0..folds {
        let mut statistics = ClassTable::new(&distributions, classes)?;
        for i in (0..labels.len()).filter(|i| i % folds != fold) {
            statistics.push(&row(i), labels[i])?;
        }
        let model =
            TableClassifier::from_table(&statistics, &options).map_err(|error| in_file(table, error))?;
        for i in (fold..labels.len()).step_by(folds) {
            held_out[i] = model.posterior(&row(i))?;
        }
    }
    let statistics = ClassTable::of(&distributions, &rows, labels, classes)?;
    let model = RowModel { columns, statistics, smoothing, class_prior: recipe.class_pseudocount };
    model.classifier()?;
    Ok(Learned { classifier: Classifier::Rows(model), held_out, smoothing, note })
}

/// The columns but the label and those that name rows, and what to say of the latter.
fn predictors(
    table: &DataFrame,
    label: &str,
    categorical: &[String],
) -> Result<(Vec<String>, Option<String>), Failure> {
    let (mut names, mut left_out) = (Vec::new(), Vec::new());
    for name in table.header().iter().filter(|name| *name != label) {
        let is_taken = categorical.contains(name) || !kind(table, name)?.names_rows();
        if is_taken { &mut names } else { &mut left_out }.push(name.clone());
    }
    if names.is_empty() {
        let message = format!("{}: no column but {label} and those that name rows", table.source);
        return Err(Failure::data(message).with_hint("--x names the columns to take"));
    }
    Ok((names, note_of_row_names(&left_out, "--x")))
}

fn row_options(smoothing: f64, class_prior: f64) -> TableOptions {
    TableOptions { smoothing, prior: ClassPrior::Learned { add: class_prior }, ..TableOptions::default() }
}

/// Mean and variance of the values that are not missing.
fn moments(values: impl Iterator<Item = f64>) -> MeanVariance {
    values.filter(|value| !value.is_nan()).collect()
}

impl NamedColumn {
    /// Its distribution in a class. The prior of mean and variance counts as one row: the mean and the
    /// variance of the column in all classes.
    fn distribution(&self, source: &str, values: MeanVariance) -> Result<ColumnDistribution, Failure> {
        match &self.levels {
            Some(levels) => Ok(ColumnDistribution::Categorical { levels: levels.len() }),
            None => NormalGamma::new(values.mean(), 1.0, 0.5, 0.5 * values.variance())
                .map(ColumnDistribution::NormalPredictive)
                .map_err(|_| {
                    let Self { name, .. } = self;
                    Failure::data(format!(
                        "{source}: column {name}: no values, or too large ones for a variance"
                    ))
                }),
        }
    }

    /// Whether it is the column of a table of statistics.
    fn is(&self, column: &ColumnDistribution) -> bool {
        match (&self.levels, column) {
            (None, ColumnDistribution::Normal | ColumnDistribution::NormalPredictive(_)) => true,
            (Some(own), ColumnDistribution::Categorical { levels }) => own.len() == *levels,
            _ => false,
        }
    }
}

/// The columns of a table as numbers; a category that is not known is missing.
fn numbers(table: &DataFrame, columns: &[NamedColumn]) -> Result<DMatrix<f64>, Failure> {
    let mut values = DMatrix::from_element(table.len(), columns.len(), f64::NAN);
    for (j, NamedColumn { name, levels }) in columns.iter().enumerate() {
        match levels {
            None => {
                values.set_column(j, &DVector::from_vec(table.numbers(name)?));
            }
            Some(levels) => {
                for (i, text) in table.texts_or_missing(name)?.into_iter().enumerate() {
                    let place =
                        text.and_then(|text| levels.binary_search_by(|own| own.as_str().cmp(text)).ok());
                    values[(i, j)] = place.map_or(f64::NAN, |place| place as f64);
                }
            }
        }
    }
    Ok(values)
}

impl RowModel {
    fn classifier(&self) -> Result<TableClassifier, Failure> {
        let options = row_options(self.smoothing, self.class_prior);
        Ok(TableClassifier::from_table(&self.statistics, &options)?)
    }
}

impl TextModel {
    /// The words of a text that the model knows, and how many it does not know.
    fn words(&self, text: &str) -> (Vec<u32>, Vec<u32>, u64) {
        let (mut known, mut unknown) = (Vec::new(), 0);
        for word in tokenizer(self.ascii_words, self.min_letters).tokens(text) {
            match self.vocabulary.binary_search_by(|own| own.as_str().cmp(&word)) {
                Ok(id) => known.push(id as u32),
                Err(_) => unknown += 1,
            }
        }
        known.sort_unstable();
        let same = || known.chunk_by(|a, b| a == b);
        let words = same().map(|same| same[0]).collect();
        (words, same().map(|same| same.len() as u32).collect(), unknown)
    }
}

impl Classifier {
    /// How many distinct words or columns it knows.
    pub(super) const fn vocabulary(&self) -> usize {
        match self {
            Self::Text(own) => own.vocabulary.len(),
            Self::Rows(own) => own.columns.len(),
        }
    }

    /// The columns of a file that it reads.
    pub(super) fn columns(&self, file: &ClassifyFile) -> Vec<String> {
        match self {
            Self::Text(own) => vec![file.text.clone().unwrap_or_else(|| own.text_column.clone())],
            Self::Rows(own) => own.columns.iter().map(|column| column.name.clone()).collect(),
        }
    }

    /// The answer for each row.
    pub(super) fn predict(
        &self,
        table: &DataFrame,
        file: &ClassifyFile,
    ) -> Result<Vec<RowPosterior>, Failure> {
        match self {
            Self::Text(own) => {
                let column = file.text.as_deref().unwrap_or(&own.text_column);
                let said = |text: &str| {
                    let (words, counts, unknown) = own.words(text);
                    (own.model.posterior(Document { words: &words, counts: &counts }), unknown)
                };
                Ok(data_input::texts(table, column)?.into_iter().map(said).collect())
            }
            Self::Rows(own) => {
                uses::check_facts(&[("model-of", "rows")])?;
                let rows = numbers(table, &own.columns)?;
                let model = own.classifier()?;
                let said = |i: usize| {
                    let row: Vec<f64> = rows.row(i).iter().copied().collect();
                    let missing = row.iter().filter(|value| value.is_nan()).count() as u64;
                    Ok((model.posterior(&row)?, missing))
                };
                (0..table.len()).map(said).collect()
            }
        }
    }

    /// Whether the file that it is from makes sense.
    pub(super) fn check(&self, classes: usize) -> Result<(), String> {
        let found = match self {
            Self::Text(own) if own.vocabulary.len() != own.model.counts().vocabulary() => {
                return Err("another number of words than counts".to_owned());
            }
            Self::Text(own) if !own.vocabulary.is_sorted() => return Err("words out of order".to_owned()),
            Self::Text(own) => own.model.classes(),
            Self::Rows(own) => {
                let columns = own.statistics.columns();
                let same = own.columns.iter().zip(columns).all(|(own, column)| own.is(column));
                if !same || columns.len() != own.columns.len() {
                    return Err("columns that are not those of the statistics".to_owned());
                }
                own.statistics.classes()
            }
        };
        if found == classes { Ok(()) } else { Err(format!("{found} classes with {classes} names")) }
    }
}

fn tokenizer(ascii: bool, min_letters: usize) -> Tokenizer {
    let all = Tokenizer { digits: Digits::Keep, min_length: min_letters, ..Tokenizer::default() };
    if ascii {
        Tokenizer { letters: LetterSet::Ascii, apostrophes: Apostrophes::Split, ..all }
    } else {
        Tokenizer { apostrophes: Apostrophes::Keep, ..all }
    }
}

fn stop_words(text: &str) -> Result<StopWords, Failure> {
    if text == "none" {
        return Ok(StopWords::none());
    }
    if StopWords::languages().contains(&text) {
        return Ok(StopWords::language(text)?);
    }
    Ok(StopWords::read(Source::open(text)?)?)
}

/// The error with the name of the file.
fn in_file(table: &DataFrame, error: posterior::text::Error) -> Failure {
    match Failure::from(error) {
        Failure::Data { message, hint } => {
            Failure::Data { message: format!("{}: {message}", table.source), hint }
        }
        other => other,
    }
}

/// The type of a column, which may hold categories or be left out.
fn kind(table: &DataFrame, name: &str) -> Result<ColumnKind, Failure> {
    let instead = format!("if the column holds categories, say --categorical {name}; --x leaves it out");
    table.kind(name).map_err(|error| Failure::from(error).or(&instead))
}
