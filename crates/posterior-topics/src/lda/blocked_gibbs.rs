//! Uncollapsed Gibbs sampling: proportions, topics, and the topics of tokens in turn.
//!
//! ```text
//! theta_d | z ~ Dir(alpha + n_d)      for each document
//! phi_k | z   ~ Dir(beta + n_k)       for each topic
//! p(z_di = k) ∝ theta_dk phi_kw       for each token, w its word
//! ```
//!
//! Given `phi`, documents know nothing of each other, and given `theta` too, neither do tokens: all are drawn
//! side by side, those of one word in one document together, as one multinomial draw.
//!
//! This independence is paid for. A token that moves does not take `theta` and `phi` with it
//! before the next sweep, and both are drawn again with the noise of their posterior, so that the chain is
//! slower than [`gibbs`](super::gibbs), which integrates them out, to find topics and to leave them. It is of
//! use where draws of `theta` and `phi` themselves are wanted, jointly, and as an independent sampler of the
//! same distribution.
//!
//! [`LdaBlockedGibbs`] is the chain, [`fit`] runs it, pools states and returns an [`Lda`](super::Lda).

mod chain;
mod draws;
mod fit;
mod options;

pub use chain::LdaBlockedGibbs;
pub(crate) use draws::{TopicDraw, Weights, draw_topic_words};
pub use fit::fit;
pub use options::LdaBlockedGibbsOptions;
