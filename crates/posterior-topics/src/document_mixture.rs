//! Mixtures of unigrams: every document has one topic, and all of its words are of it.
//!
//! ```text
//! p(d) = sum_k pi_k prod_w phi_kw^n_dw
//! ```
//!
//! It is naive Bayes whose classes were not observed (Nigam et al. 2000). Documents of some length are all
//! but certain of their topic, for which reason mixtures of topics within a document ([`plsa`](crate::plsa),
//! [`lda`](crate::lda)) predict better.
//!
//! | fit | what becomes of the topic of a document |
//! |---|---|
//! | [`fit`], [`fit_from`] with [`TopicAssignment::Soft`] | it is expected: EM, by maximum likelihood or for the posterior mode |
//! | … [`TopicAssignment::Hard`] | it is decided: classification EM, k-means for documents |
//! | … [`TopicAssignment::Sampled`] | it is drawn: stochastic EM, of which the best model is kept |
//! | [`gibbs::fit`] | it is drawn from its posterior, the parameters integrated out or drawn as well |
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::{Corpus, document_mixture};
//!
//! let words = ["river", "bank", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch", "ford"].map(str::to_owned).to_vec();
//! let rows = vec![vec![(0, 5), (1, 2)], vec![(1, 2), (2, 5)], vec![(0, 3), (1, 1)]];
//! let corpus = Corpus::from_rows(words, names, rows)?;
//!
//! let options = document_mixture::DocumentMixtureOptions {
//!     topics: 2,
//!     starts: 5,
//!     ..document_mixture::DocumentMixtureOptions::default()
//! };
//! let fitted = document_mixture::fit(&corpus, &options, &mut Silent)?;
//! let topic = |d: usize| usize::from(fitted.doc_topic[(d, 1)] > 0.5);
//! assert_eq!([topic(0), topic(1)], [topic(2), 1 - topic(2)]);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! K. Nigam, A. McCallum, S. Thrun and T. Mitchell, Text classification from labeled and unlabeled documents
//! using EM, Machine Learning 39, 2000; G. Celeux and G. Govaert, A classification EM algorithm,
//! Computational Statistics and Data Analysis 14, 1992.

mod fit;
pub mod gibbs;
mod model;
mod options;
mod problem;
mod start;

pub use fit::{fit, fit_from};
pub use model::DocumentMixture;
pub use options::{DocumentMixtureOptions, TopicAssignment};
