//! The grammar of `posterior crf`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Common;

#[derive(Debug, Subcommand)]
pub(crate) enum CrfVerb {
    /// Learn to label the tokens of sequences from labelled ones
    Fit(Box<CrfFit>),
    /// Label the tokens of sequences
    Tag(CrfTag),
    /// Label sequences whose labels are known, and count
    Eval(CrfEval),
}

/// How weights are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrfAlgorithm {
    /// All data at a time, with curvature: exact
    Lbfgs,
    /// The same with --l1: most weights become 0
    Owlqn,
    /// A sequence at a time, averaged: near the same weights after a few passes
    Sgd,
    /// A sequence at a time, by mistakes: fast, without meaningful probabilities
    Perceptron,
}

/// What the lines of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CrfInput {
    /// Columns between blanks, the label last (CoNLL, CRF++)
    Columns,
    /// Columns between tabs, the label last
    Tabs,
    /// A label, then name or name:value, between tabs (CRFsuite)
    Attributes,
}

/// How files of sequences are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct CrfFile {
    /// What the lines of a file are
    #[arg(long, value_enum, default_value = "columns")]
    pub(crate) input: CrfInput,
    /// Lines that start so are passed over [default: none are]
    #[arg(long, value_name = "START")]
    pub(crate) comments: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior crf fit train.txt --templates chunking --holdout 0.1 --out out
  posterior crf fit words.tsv --input tabs --templates tagging --algorithm sgd --out out
  posterior crf fit train.txt --templates my.template --algorithm owlqn --l1 1 --l2 0.1 --out out
  posterior crf fit train.crfsuite --input attributes --holdout test.crfsuite --format json")]
pub(crate) struct CrfFit {
    /// Labelled sequences: a token a line, an empty line after each; also .gz; `-` is standard input
    #[arg(value_name = "DATA")]
    pub(crate) data: PathBuf,
    /// What of the columns a weight is of: a file of CRF++ templates, chunking (words and tags around),
    /// tagging (spelling of words around), or none (the columns of the token) [default: none]
    #[arg(long, value_name = "FILE|chunking|tagging|none")]
    pub(crate) templates: Option<String>,
    /// How weights are found [default: lbfgs, or owlqn with --l1]
    #[arg(long, value_enum)]
    pub(crate) algorithm: Option<CrfAlgorithm>,
    /// The penalty of the sum of |weights|
    #[arg(long, value_name = "C", default_value_t = 0.0)]
    pub(crate) l1: f64,
    /// The penalty of the sum of squared weights [default: 1; 0.1 with --l1]
    #[arg(long, value_name = "C")]
    pub(crate) l2: Option<f64>,
    /// Steps at most, or passes over the data [default: 100; 30 for sgd, 10 for perceptron]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: Option<u32>,
    /// Leave out what was seen less often with a label
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    pub(crate) min_frequency: f64,
    /// Give every attribute a weight with every label, seen together or not
    #[arg(long)]
    pub(crate) all_features: bool,
    /// What to count mistakes in: a proportion of the sequences, which the fit does not see, or a file
    /// [default: the data of the fit]
    #[arg(long, value_name = "F|FILE")]
    pub(crate) holdout: Option<String>,
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
  posterior crf tag out new.txt --marginals --format json")]
pub(crate) struct CrfTag {
    /// A model.json of `crf fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Sequences, with or without the column of labels; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Tell the probability of each label
    #[arg(long)]
    pub(crate) marginals: bool,
    /// Folder for tagged.txt
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: CrfFile,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  posterior crf eval out/model.json test.txt --out test")]
pub(crate) struct CrfEval {
    /// A model.json of `crf fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// Labelled sequences; also .gz; `-` is standard input
    pub(crate) data: PathBuf,
    /// Folder for report and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) file: CrfFile,
    #[command(flatten)]
    pub(crate) common: Common,
}
