//! The structural topic model: what documents speak of, and in which words, depends on what is known of them
//! (Roberts, Stewart and Airoldi 2016).
//!
//! Proportions are logistic-normal with a regression on covariates `x_d` of a document, its *prevalence*:
//!
//! ```text
//! eta_d ~ N(x_d Gamma, Sigma),   theta_d = softmax(eta_d1, .., eta_d(K-1), 0)
//! ```
//!
//! so that topics may go together, which no Dirichlet can say: without covariates it is the correlated topic
//! model (Blei and Lafferty 2007). A second covariate may change the words of topics, its *content*: a level
//! for each document, such as who wrote it, with
//!
//! ```text
//! phi_gkv ∝ exp(m_v + topic_kv + level_gv + both_gkv)
//! ```
//!
//! where `m` is the logarithm of the corpus' proportions of words and all deviations have Gaussian priors
//! (after Eisenstein, Ahmed and Xing 2011, whose priors are sparse). Without content, `phi_k ~ Dir(beta)`.
//!
//! [`fit`] is a Markov chain over topics of tokens, log-ratios, words and regression together. Variational EM,
//! the usual way, counts the words of topics as known and makes intervals too short. The fitted model keeps
//! draws of the regression: [`StructuralTopics::prevalence`] and [`StructuralTopics::effect`] have posterior
//! intervals. Effects are of the topics of one chain: another seed may find other topics. What topics have in
//! common of their words moves slowest, and with it the constants: words, constants and log-ratios move
//! together there, and each interval says how many independent draws it is worth
//! ([`TopicIntervals::effective_draws`]). Where that is below some twenty more sweeps are needed.
//!
//! # References
//! M. Roberts, B. Stewart, E. Airoldi, A model of text for experimentation in the social sciences, JASA 111,
//! 2016. D. Blei, J. Lafferty, A correlated topic model of Science, Annals of Applied Statistics 1, 2007.
//! J. Eisenstein, A. Ahmed, E. Xing, Sparse additive generative models of text, ICML 2011. R. Nishihara, I.
//! Murray, R. Adams, Parallel MCMC with generalized elliptical slice sampling, JMLR 15, 2014.

mod chain;
mod effects;
mod fit;
mod kept;
mod log_concave;
mod model;
mod options;
mod regression;
mod shared_words;
mod words;

pub use effects::TopicIntervals;
pub use fit::{DocumentCovariates, fit};
pub use model::StructuralTopics;
pub use options::StructuralTopicsOptions;
