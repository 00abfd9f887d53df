//! Exchangeable processes: random partitions, weights without end, and random features.
//!
//! The order of the customers is irrelevant to every probability here; it matters only to the telling.

mod indian_buffet;
mod pitman_yor;
mod restaurant;
mod stick_breaking;

pub use indian_buffet::IndianBuffet;
pub use pitman_yor::PitmanYor;
pub use restaurant::{PitmanYorPrior, Seats};
pub use stick_breaking::Sticks;
