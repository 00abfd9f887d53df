//! Variational Bayes in batches: coordinate ascent on a lower bound of ln p(W) (Blei, Ng and Jordan 2003).
//!
//! The posterior is approximated by `q(theta_d) = Dir(gamma_d)`, `q(phi_k) = Dir(lambda_k)` and independent
//! topics of tokens, and these in turn are set to their optima:
//!
//! ```text
//! q(z_dw = k) ∝ exp(E ln theta_dk + E ln phi_kw)
//! gamma_dk    = alpha_k + sum_w n_dw q(z_dw = k)
//! lambda_kw   = beta + sum_d n_dw q(z_dw = k)
//! ```
//!
//! With [`TopicFactor::Point`] topics are parameters, as in the first paper.
//!
//! q(z) is never stored, and documents go on from where the pass before left them. [`fit`] runs the passes,
//! [`VariationalBayes`] holds the factors, [`FoldIn`] reads documents that a model was not fitted to.

mod concentrations;
mod document_step;
mod documents;
mod fit;
mod fold_in;
mod options;
mod posterior;
mod topic_posterior;
mod word_index;

pub use super::start::VariationalStart;
pub use documents::DocumentStart;
pub use fit::fit;
pub use fold_in::{FoldIn, Reading, document_posterior};
pub use options::LdaVariationalOptions;
pub use posterior::VariationalBayes;

pub(super) use concentrations::{improve_alpha, improve_beta};
pub(super) use document_step::Proportions;
pub(super) use documents::{Documents, Limits};
pub use topic_posterior::TopicFactor;
pub(super) use topic_posterior::TopicPosterior;
pub(super) use word_index::WordIndex;
