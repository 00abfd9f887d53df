//! Probabilistic machine learning: one crate that re-exports the workspace.
//!
//! | you want to | look at |
//! |---|---|
//! | compute a log-gamma, a log-sum-exp, a rising factorial | [`math`] |
//! | evaluate, draw from or update a distribution | [`dist`] |
//! | ask what depends on what in a graph, or what a junction tree will cost | [`graph`] |
//! | read, write, build or count a Bayesian network or a Markov random field | [`pgm`] |
//! | get posteriors, best states or the evidence from one, or fit one with hidden variables | [`inference`] |
//! | fit any model with hidden variables by EM or variational bounds; Laplace's method | [`inference`] |
//! | draw from a density, know how far to trust the draws, or test a sampler | [`sampling`] |
//! | follow a hidden state over time, smooth a series, forecast it | [`kalman`] |
//! | learn a function with error bars, classify, take a curve apart | [`gp`] |
//! | find groups in rows, or the few numbers behind many | [`latent`] |
//! | say what some columns say about another one | [`regression`] |
//! | learn from sequences: tag words, decode hidden states, model text | [`sequence`] |
//! | choose an action, the next arm, the next trial | [`decision`] |
//! | show what came out, as charts or as a page | [`report`] |
//! | try something on real data, without a download | [`datasets`] |
//! | find the topics of a collection of texts | [`topics`] |
//!
//! Each module is a crate of its own (`posterior-topics`, and so on), and a feature of this one. A program that needs
//! one of them depends on that one.
//!
//! This crate holds no code.

#[cfg(feature = "datasets")]
pub use posterior_datasets as datasets;
#[cfg(feature = "decision")]
pub use posterior_decision as decision;
#[cfg(feature = "dist")]
pub use posterior_dist as dist;
#[cfg(feature = "gp")]
pub use posterior_gp as gp;
#[cfg(feature = "graph")]
pub use posterior_graph as graph;
#[cfg(feature = "inference")]
pub use posterior_inference as inference;
#[cfg(feature = "kalman")]
pub use posterior_kalman as kalman;
#[cfg(feature = "latent")]
pub use posterior_latent as latent;
#[cfg(feature = "math")]
pub use posterior_math as math;
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
#[cfg(feature = "topics")]
pub use posterior_topics as topics;

/// The examples of the README, run as tests.
#[cfg(all(doctest, feature = "topics", feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The chapter on exponential families and conjugacy, run as tests.
#[cfg(all(doctest, feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/conjugacy.md")]
struct Conjugacy;

/// The chapter on the Gaussian, run as tests.
#[cfg(all(doctest, feature = "dist", feature = "math"))]
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
#[cfg(all(doctest, feature = "latent", feature = "datasets", feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/latent-variables.md")]
struct LatentVariables;

/// The chapter on regression, run as tests.
#[cfg(all(doctest, feature = "regression", feature = "math"))]
#[doc = include_str!("../../../docs/book/regression.md")]
struct Regression;

/// The chapter on decisions, run as tests.
#[cfg(all(doctest, feature = "decision", feature = "inference", feature = "pgm"))]
#[doc = include_str!("../../../docs/book/decisions.md")]
struct Decisions;

/// The chapter on sequences, run as tests.
#[cfg(all(doctest, feature = "sequence", feature = "latent", feature = "math"))]
#[doc = include_str!("../../../docs/book/sequences.md")]
struct Sequences;

/// The chapter on texts and topics, run as tests.
#[cfg(all(doctest, feature = "topics", feature = "math"))]
#[doc = include_str!("../../../docs/book/topics.md")]
struct Topics;

/// The chapters that begin the book, run as tests.
#[cfg(all(doctest, feature = "sampling", feature = "dist", feature = "math"))]
#[doc = include_str!("../../../docs/book/introduction.md")]
struct Introduction;

/// Which method when, run as tests.
#[cfg(all(doctest, feature = "regression", feature = "inference", feature = "pgm", feature = "math"))]
#[doc = include_str!("../../../docs/book/which-method-when.md")]
struct WhichMethodWhen;

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
