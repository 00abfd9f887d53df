//! The grammar of `posterior classify`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Common, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ClassifyVerb {
    /// Learn classes of texts or rows, and say how well they are predicted
    Fit(Box<ClassifyFit>),
    /// Say the classes of texts or rows
    Predict(Box<ClassifyPredict>),
    /// How well classes are predicted: by folds, or by a fitted model
    Eval(Box<ClassifyEval>),
}

/// How a class makes a text or row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassifyMethod {
    /// Words drawn one by one: how often each occurs
    NaiveBayes,
    /// Which words are there, and which are not
    BernoulliNb,
    /// Words drawn one by one, each making its return more probable
    PolyaNb,
    /// Each class by the words of the others: steady where classes are small
    ComplementNb,
    /// Rows of numbers and categories: in each class a column has a normal distribution, whose mean and
    /// variance are integrated out under a prior that counts as one row, or proportions
    GaussianNb,
}

/// What a word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassifyWords {
    /// Runs of letters and digits of every script, with apostrophes inside
    Unicode,
    /// Runs of a-z and 0-9
    Ascii,
}

/// How files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ClassifyFile {
    /// The column or field of texts [default: text]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) text: Option<String>,
    /// The columns to learn from [default: all but the label]
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// The columns of these that hold categories, though numbers stand in them
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// The first line is data; columns are called 1, 2, ..
    #[arg(long)]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// What is fitted, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ClassifyRecipe {
    /// How a class makes a text or row
    #[arg(long, value_enum, default_value = "naive-bayes")]
    pub(crate) method: ClassifyMethod,
    /// What is added to counts: a number, `evidence` (the most probable one) or `folds` (the least held-out
    /// loss)
    #[arg(long, value_name = "A", default_value = "1")]
    pub(crate) smoothing: String,
    /// Rows added to each class, before its frequency is fitted
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    pub(crate) class_prior: f64,
    /// What a word is
    #[arg(long, value_enum, default_value = "unicode")]
    pub(crate) words: ClassifyWords,
    /// The least letters and digits of a word
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_letters: usize,
    /// The least number of texts that a word is in
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_df: usize,
    /// Words to leave out: a language such as `en`, a file, or `none`
    #[arg(long, value_name = "CODE|FILE|none", default_value = "none")]
    pub(crate) stop_words: String,
    /// Parts of the data, each predicted by a model of the others
    #[arg(long, value_name = "K", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) folds: u16,
}

/// Data with their classes, and what becomes of them.
#[derive(Debug, Args)]
pub(crate) struct ClassifyTask {
    /// Texts or rows with their classes: CSV, TSV or JSON Lines; also .gz; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// The column or field of the classes
    #[arg(long, value_name = "COLUMN", default_value = "label")]
    pub(crate) label: String,
    /// Folder for report and tables, and of `fit` for model.json
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: ClassifyFile,
    #[command(flatten)]
    pub(crate) recipe: ClassifyRecipe,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior classify fit messages.csv --label class --out out
  posterior classify fit sms_spam.tsv --no-header --label 1 --text 2 --method bernoulli-nb --out out
  posterior classify fit notes.jsonl --label topic --text body --smoothing evidence --format json
  posterior classify fit iris.csv --label species --method gaussian-nb")]
pub(crate) struct ClassifyFit {
    #[command(flatten)]
    pub(crate) task: ClassifyTask,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior classify predict out/model.json new.csv
  posterior classify predict out new.tsv --no-header --text 1 --out said --format json")]
pub(crate) struct ClassifyPredict {
    /// A model.json of `classify fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Texts or rows: CSV, TSV or JSON Lines; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Folder for predictions.csv
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: ClassifyFile,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior classify eval messages.csv --label class --method bernoulli-nb
  posterior classify eval new.csv --label class --model out/model.json")]
pub(crate) struct ClassifyEval {
    /// A model of `classify fit` that says the classes [default: folds of the data]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) task: ClassifyTask,
}
