//! Collapsed variational Bayes: second order (Teh, Newman and Welling 2006) and CVB0 (Asuncion et al. 2009).
//!
//! With proportions and topics integrated out, only the topics of tokens are left. They are taken to be
//! independent, `q(z_di = k)`, and each is set to
//!
//! ```text
//! ln q(z_di = k) = E ln(alpha_k + n_dk) + E ln(beta + n_kw) - E ln(V beta + n_k) + constant
//! ```
//!
//! where the counts leave the token out. The expectations are approximated by expansions around the means
//! ([`Order`]). The assumption is weaker than that of variational Bayes, and with exact expectations the
//! bound at its optimum would not be lower; with approximate ones neither this nor a climb is promised. Among
//! all inferences of this kind, zeroth order is as good as any and the cheapest.
//!
//! Tokens of one word in one document share their `q(z)`. [`token_posterior`] is the update as it stands
//! above.

mod blocks;
mod concentrations;
mod expected_counts;
mod fit;
mod kernel;
mod options;
mod state;

pub use expected_counts::{ExpectedCounts, Order, token_posterior};
pub use fit::fit;
pub use options::{LdaCollapsedVariationalOptions, Precision};

pub(super) use fit::start_counts;
