//! Optimism: the largest mean that the rewards leave open.

mod kl_ucb;
mod moss;
mod ucb1;
mod ucb1_tuned;
mod ucb_v;

pub use kl_ucb::KlUcb;
pub use moss::Moss;
pub use ucb_v::UcbV;
pub use ucb1::Ucb1;
pub use ucb1_tuned::Ucb1Tuned;
