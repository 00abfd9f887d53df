//! Stochastic variational Bayes for streams of documents (Wang, Paisley and Blei 2011).
//!
//! The weights of topics are sticks, `b_k = V_k prod_{l<k} (1 - V_l)` with `V_k ~ Beta(1, γ)`; each document
//! breaks sticks of its own, `Beta(1, α₀)`, and gives each a topic of the corpus. The factors
//! `q(phi_k) = Dir(lambda_k)`, `q(V_k)`, and of each document those of its sticks, their topics and the
//! tokens' sticks are cut off at so many topics and sticks, so that all else has no weight; what is left is a
//! lower bound of `ln p(words)` without any limit. Topics that nothing speaks for stay next to the prior.
//!
//! Batches move the topics as in [`lda::online`](crate::lda::online), by rates that fall with time.
//! [`OnlineHdp`] takes batches as they come and keeps nothing of them; [`fit`] goes through a corpus.
//!
//! # References
//! C. Wang, J. Paisley, D. Blei, Online variational inference for the hierarchical Dirichlet process, AISTATS
//! 2011.

mod document;
mod fit;
mod options;
mod sticks;
mod stream;

pub use fit::fit;
pub use options::HdpOnlineOptions;
pub use stream::OnlineHdp;
