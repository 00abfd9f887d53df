//! The grammar of `posterior topics`.

mod choices;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::Common;
pub(crate) use choices::{CoherenceChoice, CoherenceKind, EstimatorChoice, EstimatorKind, TopicCounts};

#[derive(Debug, Subcommand)]
pub(crate) enum TopicsVerb {
    /// Fit a topic model and write a report
    Fit(Box<TopicsFit>),
    /// Topic proportions of new documents under a fitted model
    Infer(TopicsInfer),
    /// Store a corpus in one file, from which fits read it without its texts, or block by block
    Store(TopicsStore),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Model {
    /// Latent Dirichlet allocation
    Lda,
    /// Probabilistic latent semantic analysis
    Plsa,
    /// A mixture of unigrams: one topic per document
    Mixture,
    /// A hierarchical Dirichlet process: the number of topics is inferred, starting from --topics
    Hdp,
    /// A kernel topic model: topic proportions vary smoothly with the time of a document, and by its band
    KernelLda,
    /// Dirichlet-multinomial regression: the prior of the topic proportions depends on --features
    Dmr,
    /// Topics whose words drift from one time to the next: --time
    Dynamic,
    /// A topic for each label of the documents, which have one or several: --labels
    Labelled,
    /// Topics that predict a number, or a yes or no, of each document: --response
    Supervised,
    /// A structural topic model: topics go together, and depend on --prevalence and --content
    Stm,
    /// Topics with long tails of rare words, by Pitman-Yor processes
    PitmanYor,
    /// Topics of pairs of words: a word depends on the one before it
    Bigram,
    /// Non-negative matrix factorization
    Nmf,
    /// Latent semantic analysis: components by truncated singular values, no topics
    Lsa,
    /// One topic for all documents: the baseline
    Unigram,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TopicsEngine {
    /// Collapsed Gibbs sampling (lda, mixture)
    Gibbs,
    /// Gibbs sampling of proportions and topics too (lda, mixture)
    BlockedGibbs,
    /// Variational Bayes (lda)
    Vb,
    /// Variational Bayes, a batch of documents at a time (lda, hdp)
    OnlineVb,
    /// Collapsed variational Bayes, order zero (lda)
    Cvb0,
    /// Collapsed variational Bayes, second order (lda)
    Cvb,
    /// Expectation maximisation, topics as parameters (lda, plsa, mixture)
    Em,
    /// The same, tempered by how well it predicts held-out words (plsa)
    TemperedEm,
    /// The same, each document with its most probable topic (mixture)
    HardEm,
    /// The same, the topic of each document drawn (mixture)
    StochasticEm,
    /// Topics of tokens and weights of topics (hdp)
    Direct,
    /// Tables of tokens and topics of tables (hdp)
    Franchise,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Sampler {
    /// Sparse for 400 topics or more, else dense
    Auto,
    /// Visits all topics for each token
    Dense,
    /// Visits the topics that occur in the document
    Sparse,
    /// Metropolis-Hastings: two proposals of constant cost
    Warp,
}

/// Which concentrations of topics are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawnAlpha {
    /// One for each topic
    Asymmetric,
    /// One for all topics
    Symmetric,
}

/// What a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FamilyChoice {
    /// A number, with normal noise
    Gaussian,
    /// 0 or 1, by a probit
    Binary,
}

/// What a factorization makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DivergenceKind {
    /// Kullback-Leibler divergence, of counts
    Kl,
    /// Sum of squares
    Frobenius,
}

/// What a count weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightingKind {
    /// Itself
    Counts,
    /// Times the logarithm of the inverse document frequency
    TfIdf,
}

/// By what one of several numbers of topics is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SweepRule {
    /// The smallest held-out perplexity
    Perplexity,
    /// The fewest topics within one standard error of the smallest perplexity
    OneError,
    /// The largest mean coherence
    Coherence,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CorpusFormat {
    /// A folder of .txt files, one document per file
    Folder,
    /// One JSON object per line
    Jsonl,
    /// A table with a header
    Csv,
    /// UCI bag of words: three header lines, then `doc word count`, numbered from 1
    Uci,
    /// LDA-C: one line `n word:count ...` per document, words numbered from 0
    LdaC,
    /// MatrixMarket coordinates of documents x words
    Mtx,
    /// MALLET's import of one file: a name, a label and a text per line
    Mallet,
    /// The state that MALLET's --output-state writes, of which the words are read
    MalletState,
    /// What `topics store` wrote
    Stored,
}

/// Where documents come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Corpus")]
pub(crate) struct CorpusArgs {
    /// The format of the corpus [default: detected from the file]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) input: Option<CorpusFormat>,
    /// The vocabulary of a corpus of counts, one word per line [default: vocab.txt beside it]
    #[arg(long, value_name = "FILE")]
    pub(crate) vocab: Option<PathBuf>,
    /// The column or key that holds the text, in CSV and JSONL [default: the column of the fitted model, else
    /// text]
    #[arg(long, value_name = "NAME")]
    pub(crate) text: Option<String>,
    /// The column or key that names a document, in CSV and JSONL [default: documents are numbered]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Memory limit for the corpus and the computation, such as 500MB or 2GiB [default: three quarters of the
    /// free memory]
    #[arg(long, value_name = "SIZE", value_parser = posterior::table::parse_size)]
    pub(crate) memory: Option<u64>,
}

/// Which words of texts are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Corpus")]
pub(crate) struct VocabularyArgs {
    /// A file of words to leave out, one word per line, or the code of a language such as de; `none` keeps
    /// all words [default: English function words]
    #[arg(long, value_name = "FILE")]
    pub(crate) stop_words: Option<PathBuf>,
    /// Minimum length of a word, in letters
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) min_letters: usize,
    /// Minimum number of documents that contain a word
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) min_df: usize,
    /// Maximum proportion of the documents that contain a word
    #[arg(long, value_name = "F", default_value_t = 0.9)]
    pub(crate) max_df: f64,
    /// Maximum size of the vocabulary: the most frequent words are kept
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    pub(crate) max_vocabulary: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior topics fit
  posterior topics fit speeches/ --topics 30 --optimize-hyper --out out
  posterior topics fit speeches/ --topics 5:20:3 --iterations 100 --coherence npmi:10
  posterior topics fit speeches/ --topics 4 --runs 3 --iterations 100
  posterior topics fit speeches/ --seeds seeds.json --topics 4
  posterior topics fit docword.txt.gz --vocab vocab.txt --meta meta.csv --time year
  posterior topics fit docword.txt --model dmr --meta meta.csv --features year,place
  posterior topics fit docword.txt --sample-hyper asymmetric --topics 2
  posterior topics fit docword.txt --model dynamic --meta meta.csv --time year --topics 2
  posterior topics fit docword.txt --model labelled --meta meta.csv --labels place
  posterior topics fit docword.txt --model supervised --meta meta.csv --response year --topics 2
  posterior topics fit docword.txt --model stm --meta meta.csv --prevalence place+year --topics 2
  posterior topics fit docword.txt --model stm --meta meta.csv --content place --topics 2
  posterior topics fit speeches/ --model nmf --topics 5 --weighting tf-idf
  posterior topics fit speeches/ --model lsa --topics 2 --weighting tf-idf
  posterior topics fit big.jsonl --text body --held-out 0.2 --estimator left-to-right
  posterior topics fit big.corpus --engine online-vb --topics 10
  posterior topics fit big.corpus --parts scratch --groups 2 --topics 10 --iterations 50
  posterior topics fit big.jsonl --text body --checkpoint fit.ckpt
  posterior topics fit big.jsonl --text body --checkpoint fit.ckpt --resume fit.ckpt

A stored corpus is fitted by --engine online-vb a block at a time, whatever its size. With --engine gibbs a corpus that does not
fit into --memory stays in files, to the same result; a checkpoint is a folder then.
--seeds is JSON, {\"war\": [\"army\", \"fleet\"], \"money\": {\"bank\": 80, \"loan\": 40}}, or lines of a name, a tab, and words: in
its topic each word counts as --seed-weight tokens, or as the number beside it, that were seen before.")]
pub(crate) struct TopicsFit {
    /// Folder of .txt, JSONL, CSV, UCI docword, LDA-C, MatrixMarket, MALLET's files (also .gz), or a stored
    /// corpus; `-` is standard input [default: the embedded State of the Union addresses]
    #[arg(value_name = "CORPUS")]
    pub(crate) corpus: Option<PathBuf>,
    /// The model
    #[arg(long, value_enum, default_value = "lda")]
    pub(crate) model: Model,
    /// How the posterior is computed [default: gibbs for lda; em for plsa and mixture; direct for hdp]
    #[arg(long, alias = "inference", value_enum)]
    pub(crate) engine: Option<TopicsEngine>,
    /// How the topic of each token is drawn
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) sampler: Sampler,
    /// Number of groups of documents and of words: blocks of two that are side by side are sampled at once.
    /// It shapes the result [default: 1, 4 or 8, by the size of the corpus]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) groups: Option<u16>,
    /// Folder for the parts of a corpus that does not fit into memory; with it, the corpus stays in files in
    /// any case [default: that of --out]
    #[arg(long, value_name = "DIR")]
    pub(crate) parts: Option<PathBuf>,
    /// Number of topics; or a range A:B of which N numbers are tried, A:B:N, each with about the same ratio
    /// to the next [default: 20; 8 numbers of a range]
    #[arg(long, value_name = "K", default_value = "20", hide_default_value = true)]
    pub(crate) topics: TopicCounts,
    /// Of several numbers of topics, the rule by which the model is chosen that is kept
    #[arg(long, value_enum, value_name = "RULE", default_value = "perplexity")]
    pub(crate) choose: SweepRule,
    /// Number of fits, with the seeds N, N + 1, ..: which topics come back; the fit in the middle is kept
    #[arg(long, value_name = "R", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) runs: u16,
    /// Maximum number of sweeps or steps [default: 1000 sweeps with gibbs]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<usize>,
    /// Dirichlet concentration of the topic proportions of a document [default: 5 / K; 0.1 for dmr,
    /// bigram and labelled]
    #[arg(long, value_name = "A")]
    pub(crate) alpha: Option<f64>,
    /// Dirichlet concentration of the word probabilities of a topic
    #[arg(long, value_name = "B", default_value_t = 0.01)]
    pub(crate) beta: f64,
    /// Estimate --alpha, one value per topic, and --beta from the corpus
    #[arg(long)]
    pub(crate) optimize_hyper: bool,
    /// Draw --alpha and --beta from their posterior distribution, under gamma distributions of shape and rate
    /// 1 as priors
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "optimize_hyper")]
    pub(crate) sample_hyper: Option<DrawnAlpha>,
    /// What the factorization makes small
    #[arg(long, value_enum, value_name = "NAME", default_value = "kl")]
    pub(crate) divergence: DivergenceKind,
    /// What a count of a word in a document weighs
    #[arg(long, value_enum, value_name = "NAME", default_value = "counts")]
    pub(crate) weighting: WeightingKind,
    /// Columns of the table of documents, numbers or names, on which the prior of the proportions depends
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// What proportions depend on: a formula of columns of the table of documents, such as "rating + s(day)"
    #[arg(long, value_name = "FORMULA")]
    pub(crate) prevalence: Option<String>,
    /// The column of the table of documents, of names, on which the words of topics depend
    #[arg(long, value_name = "COLUMN")]
    pub(crate) content: Option<String>,
    /// Further fits with documents weighed at random, whose differences give the intervals of effects; with
    /// 0 they take the words of topics as known and are too short [default: 25]
    #[arg(long, value_name = "N")]
    pub(crate) replicates: Option<usize>,
    /// The column of the table of documents with the labels of a document, separated by semicolons; it may be
    /// empty
    #[arg(long, value_name = "COLUMN")]
    pub(crate) labels: Option<String>,
    /// The number of topics that all documents may have, beside those of the labels
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) background: usize,
    /// The column of the table of documents with the number that topics predict; where it is empty, the
    /// number is predicted
    #[arg(long, value_name = "COLUMN")]
    pub(crate) response: Option<String>,
    /// What the response is
    #[arg(long, value_enum, value_name = "NAME", default_value = "gaussian")]
    pub(crate) family: FamilyChoice,
    /// A file of topics with words of theirs, JSON or lines with tabs: the first topics, under these names
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// The number of tokens that a seeded word counts for in its topic, where the file gives none
    #[arg(long, value_name = "W", default_value_t = 50.0, requires = "seeds")]
    pub(crate) seed_weight: f64,
    /// Proportion of the documents, from 0 to 1, held out for the perplexity [default: none; 0.1 with a range
    /// of --topics]
    #[arg(long, value_name = "F")]
    pub(crate) held_out: Option<f64>,
    /// How the perplexity is estimated: completion, left-to-right[:PARTICLES], chib[:STATES],
    /// annealed[:TEMPERATURES] or exact (few topics and short documents) [default: completion]
    #[arg(long, value_name = "NAME")]
    pub(crate) estimator: Option<EstimatorChoice>,
    /// The coherence of topics: umass, uci, npmi or cv, of words in the same documents; with :N, in windows
    /// of N words of the texts
    #[arg(long, value_name = "NAME", default_value = "npmi")]
    pub(crate) coherence: CoherenceChoice,
    /// The number of words of a topic whose coherence is measured
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(2..))]
    pub(crate) coherence_words: u16,
    /// A table with one row per document, in the same order
    #[arg(long, value_name = "CSV")]
    pub(crate) meta: Option<PathBuf>,
    /// The column with the time of a document, a number [default: year, for the embedded corpus]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) time: Option<String>,
    /// The column that names the period of a document, such as a presidency
    #[arg(long, value_name = "COLUMN")]
    pub(crate) band: Option<String>,
    /// A document whose nearest neighbours the report lists; may be repeated [default: the last document]
    #[arg(long, value_name = "NAME")]
    pub(crate) nearest: Vec<String>,
    /// Folder for report, pictures and tables
    #[arg(long, value_name = "DIR", default_value = "posterior-out")]
    pub(crate) out: PathBuf,
    /// File to which the state of the fit is written at intervals, and on interruption; a folder, where the
    /// corpus stays in files
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Minimum time between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 5, requires = "checkpoint")]
    pub(crate) checkpoint_every: u32,
    /// Continue from a checkpoint of the same command
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) texts: CorpusArgs,
    #[command(flatten)]
    pub(crate) words: VocabularyArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior topics infer posterior-out/model.json new-speeches/ --format json
  posterior topics infer posterior-out new-speeches/ --out inferred

doc_topic.csv has a row for each document: its name, its words that the model knows and those that it does not, and the
proportion of each topic (of lsa, its coordinate in each component). doc_topic.npy has the numbers alone.")]
pub(crate) struct TopicsInfer {
    /// A model.json of `topics fit`, or the folder that holds it
    pub(crate) model: PathBuf,
    /// New documents, in any format of `topics fit`; texts are split into words as in the fit
    pub(crate) corpus: PathBuf,
    /// A table with one row per document, in the same order, with the columns that a dmr or stm model
    /// depends on [default: the other columns of a CSV or JSONL corpus]
    #[arg(long, value_name = "CSV")]
    pub(crate) meta: Option<PathBuf>,
    /// Folder for doc_topic.csv and doc_topic.npy
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) texts: CorpusArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  posterior topics store docword.txt.gz all.corpus --vocab vocab.txt
  posterior topics store big.jsonl words.corpus --text body")]
pub(crate) struct TopicsStore {
    /// The corpus, in any format of `topics fit`; of texts, UCI docword and LDA-C a document is in memory at
    /// a time
    pub(crate) corpus: PathBuf,
    /// The file to write
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) texts: CorpusArgs,
    #[command(flatten)]
    pub(crate) words: VocabularyArgs,
    /// How the sizes are printed
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: super::Format,
    /// No notes
    #[arg(long)]
    pub(crate) quiet: bool,
}
