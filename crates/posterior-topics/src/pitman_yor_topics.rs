//! Topics whose words follow Pitman-Yor processes: long tails of rare words, as language has them (Sato and
//! Nakagawa 2010).
//!
//! As in [latent Dirichlet allocation](crate::lda) each document has proportions `theta_d ~ Dir(alpha)`; but
//! the words of a topic are `phi_k ~ PY(d, θ, H)`. The base `H` is uniform over the vocabulary or, by
//! default, a distribution common to all topics and itself drawn, `H ~ PY(d_0, θ_0, uniform)`:
//! words that are frequent everywhere belong there. Discounts and concentrations are fitted. With `d = 0` and
//! a uniform base this is latent Dirichlet allocation with `beta = θ / V`.
//!
//! In the picture of restaurants, topics are restaurants, words are dishes and tokens are customers; each
//! table of a topic is a customer of the base. [`PitmanYorGibbs`] is the chain over topics and tables;
//! [`fit`] runs it and pools states.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_topics::{Corpus, TopicModel, pitman_yor_topics};
//!
//! let words = ["the", "river", "money"].map(str::to_owned).to_vec();
//! let names = ["shore", "branch"].map(str::to_owned).to_vec();
//! let corpus = Corpus::from_rows(words, names, vec![vec![(0, 9), (1, 7)], vec![(0, 9), (2, 7)]])?;
//!
//! let options = pitman_yor_topics::PitmanYorTopicsOptions {
//!     topics: 2,
//!     iterations: 200,
//!     ..pitman_yor_topics::PitmanYorTopicsOptions::default()
//! };
//! let fitted = pitman_yor_topics::fit(&corpus, &options, &mut Silent)?;
//! assert!(fitted.model.level().discount() < 1.0);
//! assert!((fitted.model.topics().topic_word().sum() - 2.0).abs() < 1e-12);
//! # Ok::<(), posterior_topics::Error>(())
//! ```

mod base;
mod chain;
mod fit;
mod model;
mod options;

pub use chain::PitmanYorGibbs;
pub use fit::fit;
pub use model::PitmanYorTopics;
pub use options::{Base, PitmanYorTopicsOptions};
