//! The command line's grammar. Names here are a contract: add freely, change with a deprecation only.

mod bandit;
mod classify;
mod cluster;
mod compare;
mod crf;
mod decide;
mod dist;
mod gallery;
mod gp;
mod hmm;
mod level;
mod mcmc;
mod missing_rows;
mod model;
mod net;
mod new_rows;
mod optimize;
mod pca;
mod regress;
mod sequence;
mod series;
mod table;
mod topics;
pub(crate) mod uses;
mod validation;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use bandit::{BanditAdvise, BanditSimulate, BanditVerb};
pub(crate) use classify::{
    ClassifyCalibration, ClassifyEval, ClassifyFile, ClassifyMethod, ClassifyPredict, ClassifyRecipe,
    ClassifyTask, ClassifyUpdate, ClassifyVerb, ClassifyWords, CountRange, TermValues,
};
pub(crate) use cluster::{ClusterAssign, ClusterFit, ClusterMethod, ClusterVerb, Counts, CovarianceShape};
pub(crate) use compare::Compare;
pub(crate) use crf::{CrfAlgorithm, CrfConstraints, CrfEval, CrfFile, CrfFit, CrfInput, CrfTag, CrfVerb};
pub(crate) use decide::{
    DecideAb, DecideContextual, DecideDiagram, DecideOffPolicy, DecidePower, DecideProcess, DecideTable,
    DecideVerb,
};
pub(crate) use dist::{DistFit, DistShow, DistVerb};
pub(crate) use gallery::Gallery;
pub(crate) use gp::{
    Approximation, GpEngine, GpFit, GpPredict, GpVerb, Grid, Likelihood, MeanShape, ParameterUse,
};
pub(crate) use hmm::{
    DecodingKind, DurationKind, EmissionKind, HmmColumns, HmmDecode, HmmFit, HmmInput, HmmModel, HmmSample,
    HmmScore, HmmVerb, TopologyShape,
};
pub(crate) use level::LevelArgs;
pub(crate) use mcmc::{McmcCompare, McmcConvert, McmcDiagnose, McmcVerb, PredictiveCriterion};
pub(crate) use missing_rows::{MissingCells, MissingCellsArgs, MissingRows, MissingRowsArgs};
pub(crate) use model::{
    Marginalize, ModelCalibrate, ModelCheck, ModelData, ModelExplain, ModelFmt, ModelGenerate, ModelInput,
    ModelLadder, ModelLaplace, ModelOptimize, ModelPathfinder, ModelSample, ModelVariational, ModelVerb,
    ModelWrite, SamplerMetric, VariationalAlgorithm,
};
pub(crate) use net::{
    Engine, Findings, NetBlanket, NetConvert, NetDot, NetDsep, NetFile, NetInfo, NetLearn, NetMap, NetQuery,
    NetSample, NetUai, NetVerb, NetworkFormat, UaiTask,
};
pub(crate) use new_rows::NewRowsArgs;
pub(crate) use optimize::{OptimizeAsk, OptimizeInit, OptimizeShow, OptimizeTell, OptimizeVerb};
pub(crate) use pca::{PcaFit, PcaMethod, PcaTransform, PcaVerb};
pub(crate) use regress::{
    Family, Link, Penalty, RegressEngine, RegressFit, RegressPredict, RegressPrior, RegressVerb, RobustKind,
};
pub(crate) use sequence::{
    CipherSpaces, NgramSmoothing, SequenceCipher, SequenceNgram, SequencePunctuation, SequenceScore,
    SequenceVerb, Unit,
};
pub(crate) use series::{
    CalendarEffect, ParameterKnowledge, SeriesBacktest, SeriesData, SeriesForecast, SeriesLikelihood,
    SeriesModel, SeriesSmooth, SeriesVerb, TransformChoice,
};
pub(crate) use table::TableArgs;
pub(crate) use topics::{
    CoherenceChoice, CoherenceKind, CorpusArgs, CorpusFormat, DivergenceKind, DrawnAlpha, EstimatorChoice,
    EstimatorKind, FamilyChoice, Model, Sampler, SweepRule, TopicsEngine, TopicsFit, TopicsInfer,
    TopicsStore, TopicsVerb, VocabularyArgs, WeightingKind,
};
pub(crate) use validation::ValidationArgs;

/// Probabilistic machine learning on your data.
#[derive(Debug, Parser)]
#[command(
    name = "posterior",
    version,
    max_term_width = 100,
    after_help = "\
Examples:
  posterior topics fit                     topics of the embedded State of the Union addresses
  posterior topics fit speeches/ --topics 30 --out out
  posterior net query alarm.bif --target LVFAILURE --evidence CVP=HIGH
  posterior dist show \"gamma(2, 3)\" --quantile 0.05,0.95
  posterior gp fit --out out                 carbon dioxide over Mauna Loa, as a sum of terms
  posterior cluster fit --k 1:6 --out out  the embedded eruptions of Old Faithful
  posterior mcmc diagnose draws.csv --out out
  posterior regress fit spector.csv --y GRADE --family bernoulli --out out
  posterior sequence cipher secret.txt     a substitution cipher, solved
  posterior series smooth --forecast 10    the embedded flow of the Nile
  posterior hmm fit --topology left-to-right --out out     when the flow of the Nile changed
  posterior bandit simulate --arms 0.9,0.6   the regret of policies
  posterior decide ab visits.csv --arm variant --y bought --out out
  posterior optimize ask study.json -n 4   what to try next
  posterior pca fit --out out              the embedded irises
  posterior crf fit train.txt --templates chunking --held-out 0.1 --out out
  posterior classify fit messages.csv --label class --out out
  posterior gallery --out gallery          stories with pictures; four of them need texts (--data)
  posterior data list"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) area: Option<Area>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Area {
    /// Topic models of texts
    #[command(subcommand)]
    Topics(TopicsVerb),
    /// Networks of discrete variables: posteriors, most probable states, independence
    #[command(subcommand)]
    Net(NetVerb),
    /// A calculator for distributions and their conjugate updates
    #[command(subcommand)]
    Dist(DistVerb),
    /// Gaussian processes: regression and classification with error bars, sums of components
    #[command(subcommand)]
    Gp(GpVerb),
    /// Clusters of rows: k-means, Gaussian mixtures, Dirichlet-process mixtures
    #[command(subcommand)]
    Cluster(ClusterVerb),
    /// Saved models side by side: scores on one table, and weights to average them by
    Compare(Box<Compare>),
    /// Diagnostics of Markov chains: convergence, effective sample sizes, standard errors
    #[command(subcommand)]
    Mcmc(McmcVerb),
    /// Regression: numbers, classes, counts; coefficients with intervals, small networks
    #[command(subcommand)]
    Regress(RegressVerb),
    /// Texts as sequences of characters or words: ciphers, n-gram models, punctuation
    #[command(subcommand)]
    Sequence(SequenceVerb),
    /// Time series: smoothing, components, forecasts and their scores in the past
    #[command(subcommand)]
    Series(SeriesVerb),
    /// Hidden Markov models: the states behind a sequence
    #[command(subcommand)]
    Hmm(HmmVerb),
    /// Bandits: which arm to play next, and the regret of policies
    #[command(subcommand)]
    Bandit(BanditVerb),
    /// What to try next: inputs of anything that can be run, towards the best outcome
    #[command(subcommand)]
    Optimize(OptimizeVerb),
    /// What to do: experiments with arms, loss tables, influence diagrams, decision processes
    #[command(subcommand)]
    Decide(DecideVerb),
    /// Principal components and factor analysis
    #[command(subcommand)]
    Pca(PcaVerb),
    /// Labels of sequences by conditional random fields: chunks, parts of speech, names
    #[command(subcommand)]
    Crf(CrfVerb),
    /// Classes of texts and rows by naive Bayes and logistic regression
    #[command(subcommand)]
    Classify(ClassifyVerb),
    /// Models of your own in Stan's language: programs are checked, printed, and sampled
    #[command(subcommand)]
    Model(ModelVerb),
    /// Run the stories of the library (worked examples), and make a page of them
    Gallery(Gallery),
    /// The embedded data sets
    #[command(subcommand)]
    Data(DataVerb),
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataVerb {
    /// List the embedded data sets with their provenance
    #[command(after_help = "Example:\n  posterior data list --format json")]
    List(Listing),
    /// Write an embedded data set to files
    #[command(after_help = "Example:\n  posterior data export sotu --out sotu")]
    Export(DataExport),
    /// Show the columns of a table: types, ranges, levels and gaps
    #[command(after_help = "Example:\n  posterior data show lakes.csv")]
    Show(DataShow),
    /// Store a corpus as counts of words, whatever its size: texts are read once, in bounded memory
    #[command(after_help = "\
Examples:
  posterior data pack big.jsonl words.corpus --text body
  posterior data pack speeches/ speeches.corpus --memory 1GiB
  posterior data pack docword.txt.gz all.corpus --vocab vocab.txt

`posterior topics fit` reads what this writes, a block at a time where it does not fit into memory.")]
    Pack(TopicsStore),
}

/// The name of a value of an option, as it is given.
#[expect(clippy::needless_pass_by_value, reason = "values of options are small, and as good as copied")]
pub(crate) fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|own| own.get_name().to_owned()).unwrap_or_default()
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned tables, 4 significant digits
    Text,
    /// One JSON document, floats with round-trip precision
    Json,
}

/// The options of every verb that computes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Common {
    /// How results are printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Seed of the random numbers: the same seed gives the same output with any number of threads
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// No progress bar and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The options of verbs that list what there is.
#[derive(Debug, Args)]
pub(crate) struct Listing {
    /// How results are printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Print no notes (this command has none)
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DataExport {
    /// The name of the data set, as `posterior data list` shows it
    pub(crate) name: String,
    /// The folder to write to [default: the name of the data set]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How the list of written files is printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Print no notes (this command has none)
    #[arg(long)]
    quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DataShow {
    /// A table with a header, or JSON Lines (.jsonl, .ndjson); `-` is standard input
    pub(crate) file: PathBuf,
    /// Columns to show [default: all]
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) columns: Vec<String>,
    #[command(flatten)]
    pub(crate) table: TableArgs,
    /// How the summary is printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Print no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}
