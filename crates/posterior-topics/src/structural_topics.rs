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
//! (after Eisenstein, Ahmed and Xing 2011, whose priors are sparse). Without content, `phi_k` has the prior
//! `Dir(beta + 1)`.
//!
//! [`fit`] is variational EM with a Laplace approximation for each document (Wang and Blei 2013). Regressions
//! come with their uncertainty, that of the documents' proportions included: [`StructuralTopics::prevalence`]
//! and [`StructuralTopics::effect`] have intervals.
//!
//! # References
//! M. Roberts, B. Stewart, E. Airoldi, A model of text for experimentation in the social sciences, JASA 111,
//! 2016. D. Blei, J. Lafferty, A correlated topic model of Science, Annals of Applied Statistics 1, 2007.
//! C. Wang, D. Blei, Variational inference in nonconjugate models, JMLR 14, 2013. J. Eisenstein, A. Ahmed,
//! E. Xing, Sparse additive generative models of text, ICML 2011.

mod content;
mod document;
mod effects;
mod fit;
mod model;
mod options;
mod regression;

pub use effects::TopicIntervals;
pub use fit::{DocumentCovariates, fit};
pub use model::StructuralTopics;
pub use options::StructuralTopicsOptions;
