//! The grammar of `posterior classify`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand, ValueEnum};
use serde::{Deserialize, Serialize};

use super::{Common, LevelArgs, TableArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum ClassifyVerb {
    /// Fit a classifier of texts or rows, and measure how well it predicts
    #[command(after_help = "\
Examples:
  posterior classify fit messages.csv --label class --out out
  posterior classify fit sms_spam.tsv --no-header --label 1 --text 2 --method bernoulli-nb --out out
  posterior classify fit notes.jsonl --label topic --text body --pseudocount evidence --format json
  posterior classify fit iris.csv --label species --calibrate isotonic
  posterior classify fit messages.csv --label class --method logistic --ngrams 1:2 --penalty 1
  posterior classify fit messages.csv --label class --characters 2:4 --class-weights balanced
  posterior classify fit notes.jsonl --labels tags --text body --out out")]
    Fit(Box<ClassifyTask>),
    /// Predict the classes of texts or rows
    Predict(Box<ClassifyPredict>),
    /// Measure how well classes are predicted, by cross-validation or by a fitted model
    Eval(Box<ClassifyEval>),
    /// Let a fitted naive Bayes model learn more rows: it is then the model of all rows
    Update(Box<ClassifyUpdate>),
}

/// How a class makes a text or row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassifyMethod {
    /// Multinomial naive Bayes: how often each word occurs
    NaiveBayes,
    /// Bernoulli naive Bayes: which words are present and which are absent
    BernoulliNb,
    /// Dirichlet-multinomial naive Bayes: a word that has occurred is more likely to occur again
    PolyaNb,
    /// Complement naive Bayes: each class by the words of the other classes, for small classes
    ComplementNb,
    /// Rows of numbers and categories: in each class a column of numbers is normal, with mean and variance
    /// integrated out under a prior that counts as one row; a column of categories has proportions
    GaussianNb,
    /// Logistic regression of texts or rows, softmax of more than two classes: log-odds are sums over words,
    /// or over columns in standard units and categories
    Logistic,
}

/// The number of a word in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TermValues {
    /// 1 where it is there
    Presence,
    /// How often it is there
    Counts,
}

/// The shape of a map to probabilities that come true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClassifyCalibration {
    /// Any map that keeps the order, for some hundred rows or more
    Isotonic,
    /// A logistic curve of the log-odds
    Platt,
}

/// From so many to so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CountRange {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl FromStr for CountRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once(':').unwrap_or((text, text));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if 0 < least && least <= most && most <= 20 => Ok(Self { least, most }),
            _ => Err("expected a number from 1 to 20, or a range of them such as 1:2".to_owned()),
        }
    }
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
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct ClassifyFile {
    /// The column or field of texts [default: text]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) text: Option<String>,
    /// The columns of predictors, separated by commas [default: all but the label]
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub(crate) x: Vec<String>,
    /// Columns to treat as categories although they hold numbers, separated by commas
    #[arg(long, value_name = "COLUMN,..", value_delimiter = ',')]
    pub(crate) categorical: Vec<String>,
    /// The first line is data, not a header; columns are called 1, 2, ..
    #[arg(long)]
    pub(crate) no_header: bool,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// What is fitted, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ClassifyRecipe {
    /// The model of a text or row [default: naive-bayes where there is a column of texts, else gaussian-nb]
    #[arg(long, value_enum)]
    pub(crate) method: Option<ClassifyMethod>,
    /// The number that is added to each count; `evidence` takes the most probable number, `folds` the number
    /// of least held-out loss
    #[arg(long, alias = "smoothing", value_name = "A", default_value = "1")]
    pub(crate) pseudocount: String,
    /// The number that is added to the rows of each class, for the frequencies of the classes
    #[arg(long, alias = "class-prior", value_name = "N", default_value_t = 1.0)]
    pub(crate) class_pseudocount: f64,
    /// The strength of the penalty that holds coefficients back, against the sum of the rows' losses; `folds`
    /// takes the one of least held-out loss
    #[arg(long, value_name = "L", default_value = "folds")]
    pub(crate) penalty: String,
    /// The proportion of the penalty that is of absolute values, which makes coefficients 0; the rest is of
    /// squares
    #[arg(long, value_name = "A", default_value_t = 0.0, value_parser = part)]
    pub(crate) mixing: f64,
    /// Draw the coefficients of the words that tell most from their posterior, for standard deviations and
    /// intervals: seconds for hundreds of short texts, minutes for thousands; of a penalty of squares alone
    #[arg(long)]
    pub(crate) intervals: bool,
    /// How many rows each row of a class counts as: `balanced`, all classes together the same, or a number
    /// for each class that does not count as 1
    #[arg(long, value_name = "balanced|NAME=W,..")]
    pub(crate) class_weights: Option<String>,
    /// Map probabilities to those that come true, learned from the rows of each fold
    #[arg(long, value_enum)]
    pub(crate) calibrate: Option<ClassifyCalibration>,
    /// The characters that make a word
    #[arg(long, value_enum, default_value = "unicode")]
    pub(crate) words: ClassifyWords,
    /// Count sequences of so many words: a number or a range; words with `1`
    #[arg(long, value_name = "A:B", conflicts_with = "characters")]
    pub(crate) ngrams: Option<CountRange>,
    /// Count sequences of so many characters of a word, with a blank for either end of it
    #[arg(long, value_name = "A:B")]
    pub(crate) characters: Option<CountRange>,
    /// The number of a word in a text
    #[arg(long, value_enum, default_value = "presence")]
    pub(crate) values: TermValues,
    /// Minimum length of a word, in letters and digits
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_letters: usize,
    /// Minimum number of texts that contain a word
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_df: usize,
    /// Words to leave out: a language such as `en`, a file, or `none`
    #[arg(long, value_name = "CODE|FILE|none", default_value = "none")]
    pub(crate) stop_words: String,
    /// Number of folds for cross-validation
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
    /// The column or field of the labels, where a row may have several or none: each label is predicted by a
    /// classifier of its own
    #[arg(long, value_name = "COLUMN", conflicts_with = "label")]
    pub(crate) labels: Option<String>,
    /// What is between the labels of a row
    #[arg(long, value_name = "TEXT", default_value = ";")]
    pub(crate) separator: String,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
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
  posterior classify predict out/model.json new.csv
  posterior classify predict out new.tsv --no-header --text 1 --out said --format json

Scores are printed where the table has the column of the classes.")]
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
  posterior classify eval iris.csv --label species --method logistic --calibrate platt
  posterior classify eval new.csv --label class --model out/model.json")]
pub(crate) struct ClassifyEval {
    /// A model of `classify fit` to evaluate [default: cross-validation on the data]
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) task: ClassifyTask,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior classify update out new.csv --out later

Counts add: the model of a first and then of a second table is that of both together. Before it learns a
row, the model predicts it: that is what the scores are of.")]
pub(crate) struct ClassifyUpdate {
    /// A model.json of `classify fit` or `update`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Texts or rows with their classes: CSV, TSV or JSON Lines; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Folder for model.json, report and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) level: LevelArgs,
    #[command(flatten)]
    pub(crate) file: ClassifyFile,
    #[command(flatten)]
    pub(crate) common: Common,
}

fn part(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}
