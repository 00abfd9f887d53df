//! Stochastic variational Bayes for streams of documents (Hoffman, Blei and Bach 2010).
//!
//! Documents come in batches. The topics that would be best if the whole corpus were like the batch,
//! `beta + D / |batch| sum_d n_dw q(z_dw = k)`, move the topics by a proportion that falls with time:
//!
//! ```text
//! lambda ← (1 - rho_t) lambda + rho_t lambda_batch,  rho_t = (delay + t)^-decay,  t = 0, 1, ..
//! ```
//!
//! [`OnlineVariationalBayes`] takes batches as they come and keeps nothing of them; [`fit`] goes through a
//! corpus, and [`fit_stored`] through one that is larger than memory. One batch of all documents with a
//! rate of one is a pass of [`variational`](super::variational).

mod fit;
mod options;
mod stored;
mod stream;

pub(crate) use fit::Shown;
pub use fit::fit;
pub use options::LdaOnlineOptions;
pub use stored::fit_stored;
pub use stream::{Batch, OnlineVariationalBayes};
