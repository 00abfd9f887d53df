//! The grammar of `posterior sequence`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Common;

#[derive(Debug, Subcommand)]
pub(crate) enum SequenceVerb {
    /// Solve a substitution cipher
    Cipher(SequenceCipher),
    /// Fit an n-gram model of characters or words: perplexity, what comes next, samples
    Ngram(SequenceNgram),
    /// How well an n-gram model, or one in the ARPA format, predicts a text
    Score(SequenceScore),
    /// Predict punctuation from the characters before it, with contexts of several lengths and several
    /// smoothings
    Punctuation(SequencePunctuation),
}

/// Whether spaces are enciphered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CipherSpaces {
    /// Letters are enciphered, and everything else stays as it is
    Kept,
    /// Each character is enciphered, the space too
    Enciphered,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior sequence cipher secret.txt
  posterior sequence cipher secret.txt --language book.txt --order 4 --out out
  echo 'wkh txlfn eurzq ira' | posterior sequence cipher - --format json")]
pub(crate) struct SequenceCipher {
    /// The cipher text; also .gz; `-` is standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: PathBuf,
    /// A text in the language of the plain text, of letters a to z [default: embedded counts of English]
    #[arg(long, value_name = "FILE")]
    pub(crate) language: Option<PathBuf>,
    /// Length of the n-grams of the language, in letters
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) order: u8,
    /// Whether spaces are enciphered
    #[arg(long, value_enum, default_value = "kept")]
    pub(crate) spaces: CipherSpaces,
    /// Number of random starts, of which the best is kept
    #[arg(long, alias = "starts", value_name = "R", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) restarts: u16,
    /// The plain text, where it is known, to compare each stage with
    #[arg(long, value_name = "FILE")]
    pub(crate) plain: Option<PathBuf>,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What a text is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unit {
    /// Characters, as they are
    Char,
    /// Words, in lower case
    Word,
    /// What blanks separate, as it is
    Token,
}

/// How counts become probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum NgramSmoothing {
    /// Relative frequencies (maximum likelihood)
    Ml,
    /// Add-one (Laplace)
    AddOne,
    /// A Dirichlet prior around the shorter context's distribution
    Dirichlet,
    /// Good-Turing, with back-off (Katz)
    GoodTuring,
    /// Witten-Bell
    WittenBell,
    /// Absolute discounting, interpolated
    Absolute,
    /// Kneser-Ney, interpolated
    Kn,
    /// Modified Kneser-Ney, with three discounts
    Mkn,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior sequence ngram book.txt
  posterior sequence ngram book.txt --unit word --order 3 --predict \"in the\" --sample 20
  posterior sequence ngram book.txt --order 6 --smoothing witten-bell --held-out 0.2 --format json
  posterior sequence ngram sentences.txt --unit token --lines --held-out 0 --out out")]
pub(crate) struct SequenceNgram {
    /// A text; also .gz; `-` is standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: PathBuf,
    /// The unit of the text
    #[arg(long, value_enum, default_value = "char")]
    pub(crate) unit: Unit,
    /// Each line is a sequence of its own, whose beginning and end are known [default: the whole text is one
    /// piece of something longer]
    #[arg(long)]
    pub(crate) lines: bool,
    /// Length of the longest n-gram [default: 5 characters, 3 words or
    /// tokens]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) order: Option<u8>,
    /// The smoothing of the counts
    #[arg(long, value_enum, default_value = "mkn")]
    pub(crate) smoothing: NgramSmoothing,
    /// Proportion of the text, at its end, held out to measure predictions
    #[arg(long, alias = "holdout", value_name = "F", default_value_t = 0.1)]
    pub(crate) held_out: f64,
    /// Characters or words that occur less often count as unknown [default: 1 for characters, else
    /// 2]
    #[arg(long, value_name = "N")]
    pub(crate) min_count: Option<usize>,
    /// A context, after which the most probable next characters or words are printed
    #[arg(long, value_name = "CONTEXT")]
    pub(crate) predict: Option<String>,
    /// Number of characters or words to draw
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) sample: usize,
    /// Folder for model.json, and the model as model.arpa
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior sequence score out other.txt
  posterior sequence score out/model.arpa sentences.txt --unit token --format json

A text is read as the model was: as one piece, or line by line where beginnings and ends are marked. Without
<unk> a model gives what it does not know probability 0: perplexity_of_known leaves that out.")]
pub(crate) struct SequenceScore {
    /// A model.json of `sequence ngram`, the folder that holds it, or a file in the ARPA format; also .gz
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
    /// A text; also .gz; `-` is standard input
    #[arg(value_name = "TEXT")]
    pub(crate) text: PathBuf,
    /// The unit of a model in the ARPA format [default: token]
    #[arg(long, value_enum)]
    pub(crate) unit: Option<Unit>,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior sequence punctuation book.txt
  posterior sequence punctuation letters/*.txt --n 4 --out out
  posterior sequence punctuation book.txt --restore \"well I never said she\" --format json")]
pub(crate) struct SequencePunctuation {
    /// Texts; also .gz; `-` is standard input
    #[arg(value_name = "TEXT", required = true)]
    pub(crate) texts: Vec<PathBuf>,
    /// Maximum number of characters of context before the last one
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(0..=20))]
    pub(crate) n: u8,
    /// Proportion of each text, at its end, held out to measure predictions
    #[arg(long, alias = "holdout", value_name = "F", default_value_t = 0.1)]
    pub(crate) held_out: f64,
    /// A text to put punctuation into
    #[arg(long, value_name = "TEXT")]
    pub(crate) restore: Option<String>,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) common: Common,
}
