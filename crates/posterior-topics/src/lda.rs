//! Latent Dirichlet allocation (Blei, Ng and Jordan 2003).
//!
//! Each topic `k` is a distribution over words, `phi_k ~ Dir(beta, .., beta)`, or `Dir(beta_k)` with
//! [`WordWeights`] of words and topics. Each document `d` has proportions `theta_d ~ Dir(alpha_1, ..,
//! alpha_K)`; each of its tokens draws a topic `z ~ theta_d` and a word `w ~ phi_z`. With `phi` and `theta`
//! integrated out, what remains is
//!
//! ```text
//! ln p(W, Z) = sum_d [ln B(alpha + n_d) - ln B(alpha)] + sum_k [ln B(beta + n_k) - ln B(beta)]
//! ```
//!
//! where `B` is the multivariate beta function, `n_d` the topic counts of a document and `n_k` the word
//! counts of a topic. [`gibbs`] samples `Z`; [`blocked_gibbs`] samples `Z`, `theta` and `phi`;
//! [`variational`], [`online`] and [`collapsed_variational`] approximate the posterior. All return an
//! [`Lda`].
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::{Corpus, TopicModel, lda::gibbs};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch"].map(str::to_owned).to_vec();
//! let corpus = Corpus::from_rows(words, names, vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)]])?;
//!
//! let options = gibbs::LdaGibbsOptions { topics: 2, iterations: 200, ..gibbs::LdaGibbsOptions::default() };
//! let fitted = gibbs::fit(&corpus, &options, &mut Silent)?;
//! let rows: f64 = fitted.model.topics().topic_word().sum();
//! assert!((rows - 2.0).abs() < 1e-12);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

pub mod blocked_gibbs;
pub mod collapsed_variational;
pub(crate) mod concentration;
mod concentration_prior;
mod digamma;
pub(crate) mod fold_in;
pub mod gibbs;
mod hyperparameters;
mod joint;
mod model;
pub mod online;
mod sorted;
mod start;
mod tally;
pub mod variational;
mod word_concentrations;
mod word_weights;

pub use concentration::Concentration;
pub use concentration_prior::ConcentrationPrior;
pub use fold_in::proportions;
pub use hyperparameters::Hyperparameters;
pub(crate) use hyperparameters::{improve, improve_alpha, improve_beta};
pub(crate) use joint::ln_words;
pub use model::Lda;
pub use word_weights::{Seed, WordWeights};
