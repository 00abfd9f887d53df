//! Topics of pairs of words: the bigram topic model (Wallach 2006).
//!
//! A word depends on its topic and on the word before it: `w_n ~ phi_{z_n, w_(n-1)}`, one distribution over
//! words for each topic and each context, while the topics of a document are drawn from its proportions as in
//! latent Dirichlet allocation. With everything but the topics of the tokens integrated out, what remains is
//!
//! ```text
//! p(W, Z) = prod_d B(alpha + n_d) / B(alpha) prod_k prod_c B(beta_k + n_kc) / B(beta_k)
//! ```
//!
//! with n_kc the words of topic k after the word c. The order of the words counts, so that documents are
//! [`WordSequences`](crate::corpus::WordSequences), which
//! [`Texts::sequences`](crate::corpus::Texts::sequences) makes of texts. The prior over words is one for all
//! contexts ([`WordPrior::Shared`]), or one for each topic ([`WordPrior::PerTopic`]); fitted
//! ([`Hyperparameters::Optimized`](crate::lda::Hyperparameters)), the second one keeps words without a topic
//! from all of them, which the first one has no way to do.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::bigram_topics::{self, BigramTopicsOptions};
//! use posterior_topics::corpus::WordSequences;
//!
//! // In one kind of documents b follows a, in the other c does.
//! let words = ["a", "b", "c"].map(str::to_owned).to_vec();
//! let names = ["1", "2", "3", "4"].map(str::to_owned).to_vec();
//! let documents = vec![vec![0, 1, 0, 1, 0, 1], vec![0, 2, 0, 2, 0, 2], vec![0, 1, 0, 1], vec![0, 2, 0, 2]];
//! let sequences = WordSequences::new(words, names, documents)?;
//! let options = BigramTopicsOptions { topics: 2, alpha: 0.1.into(), beta: 0.1, seed: 1, ..BigramTopicsOptions::default() };
//! let fitted = bigram_topics::fit(&sequences, &options, &mut Silent)?;
//! let b = fitted.model.ln_predictive(&[0, 1, 0, 1], &[0, 1]);
//! let c = fitted.model.ln_predictive(&[0, 1, 0, 1], &[0, 2]);
//! assert!(b > c + 1.0);
//! # Ok::<(), posterior_topics::Error>(())
//! ```
//!
//! # References
//! H. Wallach, Topic modeling: beyond bag-of-words, ICML 2006.

mod collapsed_gibbs;
mod fit;
mod model;
mod options;
mod word_prior;

pub use collapsed_gibbs::BigramGibbs;
pub use fit::fit;
pub use model::BigramTopics;
pub use options::{BigramTopicsOptions, WordPrior};
