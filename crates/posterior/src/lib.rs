//! Probabilistic machine learning: one crate that re-exports the workspace.
//!
//! Below is a guide by task: about ten lines for each, which run as tests and assert numbers known from
//! elsewhere. Four engines do the work of all of them: what data do to a prior ([`dist`]), linear-Gaussian
//! algebra ([`gaussian`] and [`kalman`]), elimination on a graph ([`inference`]), and densities with their
//! gradients ([`sampling`]). The chapters stand in `docs/book`; a story is the same at length, with pictures:
//! `posterior gallery --only NAME --out DIR`.
//!
//! | you have | look at |
//! |---|---|
//! | counts, measurements, a prior | [counts](#i-have-counts) |
//! | a table with a column to explain | [regression](#a-table-with-a-column-to-explain) |
//! | rows that may fall into groups | [groups](#groups-in-rows) |
//! | a time series | [time](#a-time-series) |
//! | a function to learn | [functions](#a-function-to-learn) |
//! | a function that you can't integrate | [Monte Carlo](#a-function-that-i-cant-integrate) |
//! | a graph of causes | [networks](#a-graph-of-causes) |
//! | sequences and tags | [sequences](#sequences-and-tags) |
//! | texts | [texts](#texts) |
//! | choices to make | [decisions](#choices-to-make) |
//! | results to show | [`report`]: charts as SVG, and pages |
//! | no data available | [`datasets`] |
//!
//! # Features
//! Each module is a crate of its own (`posterior-topics`, and so on) and a feature of this one; `math`,
//! `dist` and `gaussian` are on by default, `full` is all of them. A program that needs one of them depends
//! on that one.
//!
//! | feature | brings |
//! |---|---|
//! | `math` | [`math`]: special functions, log-space sums, linear algebra, quadrature, optimisation, derivatives |
//! | `dist` | [`dist`]: distributions, exponential families, conjugacy, targets |
//! | `gaussian` | [`gaussian`]: Gaussian algebra, distributions of vectors and matrices |
//! | `evaluation` | [`evaluation`]: confusions, calibration, rankings of predictions |
//! | `graph` | [`graph`]: independence, conversions, triangulation, junction trees |
//! | `model` | [`model`]: programs in Stan's language, executed: log density, gradient, draws by name |
//! | `pgm` | [`pgm`]: tables, Bayesian networks, Markov random fields, their files |
//! | `inference` | [`inference`]: engines on networks; drivers of EM, variational bounds, Laplace's method |
//! | `sampling` | [`sampling`]: Monte Carlo with its error bars |
//! | `kalman` | [`kalman`]: state space: filters, smoothers, structural series |
//! | `gp` | [`gp`]: Gaussian processes |
//! | `hierarchical` | [`hierarchical`]: mixed effects, smooths, space and time, by nested Laplace approximation |
//! | `latent` | [`latent`]: k-means, mixtures, Dirichlet processes, principal components |
//! | `regression` | [`regression`]: linear and generalised linear models, networks of neurons |
//! | `table` | [`table`]: tables from files, with the types of their columns |
//! | `text` | [`text`]: corpora, naive Bayes, n-gram language models |
//! | `sequence` | [`sequence`]: Markov chains, hidden Markov models, conditional random fields |
//! | `topics` | [`topics`]: topic models |
//! | `decision` | [`decision`]: expected loss, bandits, Bayesian optimisation |
//! | `report` | [`report`]: charts and pages |
//! | `datasets` | [`datasets`]: small embedded data |
//! | `xmlbif` | with `pgm`: files in the format XMLBIF |
//! | `full` | all of the above |
//! | `faer` | large matrices by the kernels of faer: faster, and a minute more to compile |
//! | `rayon` | several threads where a crate has a use for them; the results are the same bits |
//! | `serde` | distributions, statistics and models as JSON and the like |
//!
//! # A guide by task
#![cfg_attr(
    all(
        feature = "datasets",
        feature = "decision",
        feature = "dist",
        feature = "gaussian",
        feature = "gp",
        feature = "graph",
        feature = "inference",
        feature = "kalman",
        feature = "latent",
        feature = "math",
        feature = "pgm",
        feature = "regression",
        feature = "sampling",
        feature = "sequence",
        feature = "text",
        feature = "topics"
    ),
    doc = include_str!("guide.md")
)]
//!
//! # What this crate refuses
//! To hold code: it re-exports.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "datasets")]
pub use posterior_datasets as datasets;
#[cfg(feature = "decision")]
pub use posterior_decision as decision;
#[cfg(feature = "dist")]
pub use posterior_dist as dist;
#[cfg(feature = "evaluation")]
pub use posterior_evaluation as evaluation;
#[cfg(feature = "gaussian")]
pub use posterior_gaussian as gaussian;
#[cfg(feature = "gp")]
pub use posterior_gp as gp;
#[cfg(feature = "graph")]
pub use posterior_graph as graph;
#[cfg(feature = "hierarchical")]
pub use posterior_hierarchical as hierarchical;
#[cfg(feature = "inference")]
pub use posterior_inference as inference;
#[cfg(feature = "kalman")]
pub use posterior_kalman as kalman;
#[cfg(feature = "latent")]
pub use posterior_latent as latent;
#[cfg(feature = "math")]
pub use posterior_math as math;
#[cfg(feature = "model")]
pub use posterior_model as model;
#[cfg(feature = "pgm")]
pub use posterior_pgm as pgm;
#[cfg(feature = "regression")]
pub use posterior_regression as regression;
#[cfg(feature = "report")]
pub use posterior_report as report;
#[cfg(feature = "sampling")]
pub use posterior_sampling as sampling;
#[cfg(feature = "sequence")]
pub use posterior_sequence as sequence;
#[cfg(feature = "stan")]
pub use posterior_stan as stan;
#[cfg(feature = "table")]
pub use posterior_table as table;
#[cfg(feature = "text")]
pub use posterior_text as text;
#[cfg(feature = "topics")]
pub use posterior_topics as topics;

/// The examples of the README, run as tests.
#[cfg(all(doctest, feature = "gaussian", feature = "topics", feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The chapter on exponential families and conjugacy, run as tests.
#[cfg(all(doctest, feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/conjugacy.md")]
struct Conjugacy;

/// The chapter on the Gaussian, run as tests.
#[cfg(all(doctest, feature = "gaussian", feature = "math"))]
#[doc = include_str!("../../../docs/book/gaussian.md")]
struct TheGaussian;

/// The chapter on graphs, run as tests.
#[cfg(all(doctest, feature = "graph", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/graphs.md")]
struct Graphs;

/// The chapter on message passing, run as tests.
#[cfg(all(doctest, feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/message-passing.md")]
struct MessagePassing;

/// The chapter on Monte Carlo, run as tests.
#[cfg(all(doctest, feature = "sampling", feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/monte-carlo.md")]
struct MonteCarlo;

/// The chapter on time, run as tests.
#[cfg(all(doctest, feature = "kalman", feature = "gp", feature = "datasets", feature = "math"))]
#[doc = include_str!("../../../docs/book/time.md")]
struct Time;

/// The chapter on Gaussian processes, run as tests.
#[cfg(all(doctest, feature = "gp", feature = "math"))]
#[doc = include_str!("../../../docs/book/gaussian-processes.md")]
struct GaussianProcesses;

/// The chapter on latent variables, run as tests.
#[cfg(all(
    doctest,
    feature = "gaussian",
    feature = "latent",
    feature = "datasets",
    feature = "dist",
    feature = "math"
))]
#[doc = include_str!("../../../docs/book/latent-variables.md")]
struct LatentVariables;

/// The chapter on regression, run as tests.
#[cfg(all(doctest, feature = "regression", feature = "math"))]
#[doc = include_str!("../../../docs/book/regression.md")]
struct Regression;

/// The chapter on effects of groups, time and space, run as tests.
#[cfg(all(doctest, feature = "hierarchical", feature = "regression", feature = "datasets"))]
#[doc = include_str!("../../../docs/book/mixed-effects.md")]
struct MixedEffects;

/// The chapter on decisions, run as tests.
#[cfg(all(doctest, feature = "decision", feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/decisions.md")]
struct Decisions;

/// The chapter on learning from records, run as tests.
#[cfg(all(doctest, feature = "graph", feature = "inference", feature = "math", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/learning-from-records.md")]
struct LearningFromRecords;

/// The chapter on models of your own, run as tests.
#[cfg(all(doctest, feature = "stan", feature = "model", feature = "hierarchical", feature = "dist"))]
#[doc = include_str!("../../../docs/book/state-a-model.md")]
struct StateAModel;

/// The chapter on sequences, run as tests.
#[cfg(all(doctest, feature = "sequence", feature = "latent", feature = "math", feature = "text"))]
#[doc = include_str!("../../../docs/book/sequences.md")]
struct Sequences;

/// The chapter on texts and topics, run as tests.
#[cfg(all(doctest, feature = "topics", feature = "text", feature = "math"))]
#[doc = include_str!("../../../docs/book/topics.md")]
struct Topics;

/// The chapters that begin the book, run as tests.
#[cfg(all(doctest, feature = "sampling", feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/introduction.md")]
struct Introduction;

/// Which method when, run as tests.
#[cfg(all(doctest, feature = "regression", feature = "evaluation", feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/which-method-when.md")]
struct WhichMethodWhen;

/// How every model is used, run as tests.
#[cfg(all(doctest, feature = "topics", feature = "math"))]
#[doc = include_str!("../../../docs/book/how-every-model-is-used.md")]
struct HowEveryModelIsUsed;

/// The chapter on what outgrows a machine, run as tests.
#[cfg(all(doctest, feature = "topics"))]
#[doc = include_str!("../../../docs/book/one-machine-is-not-enough.md")]
struct OneMachineIsNotEnough;

/// The walk that adds a distribution, run as tests.
#[cfg(all(doctest, feature = "sampling", feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/adding-a-distribution.md")]
struct AddingADistribution;

/// The walk that adds a kernel, run as tests.
#[cfg(all(doctest, feature = "gp", feature = "math"))]
#[doc = include_str!("../../../docs/book/adding-a-kernel.md")]
struct AddingAKernel;

/// The walk that adds a model, run as tests.
#[cfg(all(doctest, feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/adding-a-model.md")]
struct AddingAModel;

/// The walk that adds a file format, run as tests.
#[cfg(all(doctest, feature = "pgm"))]
#[doc = include_str!("../../../docs/book/adding-a-file-format.md")]
struct AddingAFileFormat;

/// The walk that adds a verb, run as tests.
#[cfg(all(doctest, feature = "dist"))]
#[doc = include_str!("../../../docs/book/adding-a-verb.md")]
struct AddingAVerb;

/// The README of this crate, run as tests.
#[cfg(all(doctest, feature = "sampling", feature = "dist", feature = "math"))]
#[doc = include_str!("../README.md")]
struct CrateReadme;
