//! Probabilistic latent semantic analysis (Hofmann 1999).
//!
//! Each document has proportions p(z | d), each topic words p(w | z), and both are parameters, not random:
//!
//! ```text
//! ln L = sum_dw n_dw ln [p(d) sum_z p(z | d) p(w | z)]
//! ```
//!
//! which is the same model as p(d, w) = sum_z p(z) p(d | z) p(w | z), its symmetric form ([`Symmetric`]), and
//! the same as non-negative factorisation of the counts under the Kullback-Leibler divergence (Gaussier and
//! Goutte 2005; [`nonnegative_factorization`](crate::nonnegative_factorization)). [`fit`] climbs the
//! likelihood by EM, [`fit_from`] from given parameters, and [`fit_tempered`] stops EM early and tempers it
//! by how well it predicts held-out words.
//!
//! There are as many parameters as documents times topics, and none says what another document is about: the
//! proportions of a new one are fitted to it with the topics held fixed (folding-in). That over-fits, for
//! which [`latent Dirichlet allocation`](crate::lda) is the cure; half a cure are Dirichlet priors
//! ([`PlsaOptions::topic_prior`], [`PlsaOptions::word_prior`]), under which EM finds the
//! posterior mode
//! (Chien and Wu 2008): that of latent Dirichlet allocation in its proportions and topics.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::{Corpus, TopicModel, plsa};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch"].map(str::to_owned).to_vec();
//! let corpus = Corpus::from_rows(words, names, vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)]])?;
//!
//! let options = plsa::PlsaOptions { topics: 2, ..plsa::PlsaOptions::default() };
//! let fitted = plsa::fit(&corpus, &options, &mut Silent)?;
//! // As many topics as documents reproduce the counts.
//! let river = fitted.model.topics().ln_likelihood(corpus.document(0), &[
//!     fitted.doc_topic[(0, 0)],
//!     fitted.doc_topic[(0, 1)],
//! ]);
//! let best = 5.0 * (5.0_f64 / 7.0).ln() + 2.0 * (2.0_f64 / 7.0).ln();
//! assert!((river - best).abs() < 1e-3);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! T. Hofmann, Probabilistic latent semantic analysis, UAI 1999, and Unsupervised learning by probabilistic
//! latent semantic analysis, Machine Learning 42, 2001; J.-T. Chien and M.-S. Wu, Adaptive Bayesian latent
//! semantic analysis, IEEE Transactions on Audio, Speech and Language Processing 16, 2008.

mod fit;
mod model;
mod options;
mod parameters;
mod problem;
mod tempered;

pub use fit::{fit, fit_from};
pub use model::Plsa;
pub use options::PlsaOptions;
pub use parameters::{Parameters, Symmetric};
pub use tempered::{TemperedReport, TemperedStage, Tempering, fit_tempered};
