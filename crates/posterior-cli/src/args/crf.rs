//! The grammar of `posterior crf`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use posterior::text::columns::ConlluColumn;

use super::Common;

#[derive(Debug, Subcommand)]
pub(crate) enum CrfVerb {
    /// Fit a model to labelled sequences
    Fit(Box<CrfFit>),
    /// Label the tokens of sequences
    Tag(CrfTag),
    /// Label sequences whose labels are known, and measure the accuracy
    Eval(CrfEval),
}

/// How weights are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrfAlgorithm {
    /// L-BFGS, on all data at once: exact
    Lbfgs,
    /// OWL-QN, the same with --l1: most weights become 0
    Owlqn,
    /// Averaged stochastic gradient descent, one sequence at a time: near the same weights after a few passes
    Sgd,
    /// Averaged perceptron: fast, without meaningful probabilities
    Perceptron,
}

/// What the lines of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrfInput {
    /// Columns separated by blanks, the label last (CoNLL, CRF++)
    Columns,
    /// Columns separated by tabs, the label last
    Tabs,
    /// CoNLL-U, the format of Universal Dependencies: ten columns, of which --columns names those that count
    Conllu,
    /// A label, then attributes name or name:value, separated by tabs (CRFsuite)
    Attributes,
}

/// Which labels can come first, after which others, and last; no other sequence of labels is possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrfConstraints {
    /// Chunks as B, then I of the same type; O outside (IOB2)
    Bio,
    /// Chunks as S, or as B, I and E of the same type; O outside (IOBES, BILOU)
    Bioes,
}

/// How files of sequences are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct CrfFile {
    /// The format of the lines of a file
    #[arg(long, value_enum, default_value = "columns")]
    pub(crate) input: CrfInput,
    /// Skip lines that begin with this text [default: no line is skipped]
    #[arg(long, value_name = "START")]
    pub(crate) comments: Option<String>,
    /// The columns of CoNLL-U that count, by name, separated by commas, the label last: form, lemma, upos,
    /// xpos, feats, head, deprel, deps, misc [default: form,upos; with a model its own]
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = <ConlluColumn as std::str::FromStr>::from_str)]
    pub(crate) columns: Vec<ConlluColumn>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior crf fit train.txt --templates chunking --held-out 0.1 --out out
  posterior crf fit words.tsv --input tabs --templates tagging --algorithm sgd --out out
  posterior crf fit train.txt --templates my.template --algorithm owlqn --l1 1 --l2 0.1 --out out
  posterior crf fit train.conllu --input conllu --columns form,upos --templates tagging --out out
  posterior crf fit train.crfsuite --input attributes --held-out test.crfsuite --format json")]
pub(crate) struct CrfFit {
    /// Labelled sequences: one token per line, an empty line after each sequence; also .gz; `-` is standard
    /// input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// The features of a token: a file of CRF++ templates, chunking (words and tags nearby), tagging
    /// (spelling of words nearby), or none (the columns of the token) [default: none]
    #[arg(long, value_name = "FILE|chunking|tagging|none")]
    pub(crate) templates: Option<String>,
    /// How weights are estimated [default: lbfgs, or owlqn with --l1]
    #[arg(long, value_enum)]
    pub(crate) algorithm: Option<CrfAlgorithm>,
    /// Penalty on the sum of absolute weights
    #[arg(long, value_name = "C", default_value_t = 0.0)]
    pub(crate) l1: f64,
    /// Penalty on the sum of squared weights [default: 1; 0.1 with --l1]
    #[arg(long, value_name = "C")]
    pub(crate) l2: Option<f64>,
    /// Maximum number of steps, or of passes over the data [default: 100; 30 for sgd, 10 for perceptron]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// Leave out attributes that occur less often than this with a label
    #[arg(long, alias = "min-frequency", value_name = "N", default_value_t = 0.0)]
    pub(crate) min_count: f64,
    /// Give each attribute a weight for each label, also where they never occur together
    #[arg(long)]
    pub(crate) all_features: bool,
    /// Sequences to evaluate the fit on: a proportion of the data, which the fit does not see, or a file
    /// [default: the data of the fit]
    #[arg(long, alias = "holdout", value_name = "F|FILE")]
    pub(crate) held_out: Option<String>,
    /// Folder for model.json, report and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: CrfFile,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior crf tag out/model.json new.txt
  posterior crf tag out new.txt --marginals --format json
  posterior crf tag out new.txt --constraints bio --best 3")]
pub(crate) struct CrfTag {
    /// A model.json of `crf fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Sequences, with or without the column of labels; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Also print the probability of each label
    #[arg(long)]
    pub(crate) marginals: bool,
    /// Number of most probable labellings to print for each sequence, with their probabilities [default: the
    /// best alone]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) best: Option<u32>,
    /// The scheme of labels, which no labelling contradicts [default: any label can follow any]
    #[arg(long, value_enum)]
    pub(crate) constraints: Option<CrfConstraints>,
    /// Folder for tagged.txt
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: CrfFile,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior crf eval out/model.json test.txt --out test
  posterior crf eval out test.txt --constraints bio")]
pub(crate) struct CrfEval {
    /// A model.json of `crf fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Labelled sequences; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// The scheme of labels, which no labelling contradicts [default: any label can follow any]
    #[arg(long, value_enum)]
    pub(crate) constraints: Option<CrfConstraints>,
    /// Folder for report and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: CrfFile,
    #[command(flatten)]
    pub(crate) common: Common,
}
