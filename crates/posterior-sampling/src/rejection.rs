//! Rejection sampling: exact independent draws from under an envelope.
//!
//! | you have | take |
//! |---|---|
//! | a distribution to propose from, and a bound of ln p̃ - ln q | [`rejection`] |
//! | a log-concave density on the line | [`AdaptiveRejection`], which finds its envelope |
//!
//! The acceptance rate is the area under the density over that under the envelope. In D dimensions even a
//! good envelope is hopeless: a normal distribution that is wider by a tenth in each of 100 coordinates is
//! accepted once in 13,781 tries.

mod adaptive;
mod bounded;
mod hull;
mod piece;
mod start;

pub use adaptive::{AdaptiveRejection, AdaptiveRejectionOptions};
pub use bounded::{Accepted, RejectionOptions, rejection};
