//! Learning from complete data: counts of families, and the conjugate posterior of every row of every table.

mod counts;
mod posterior;
mod records;

pub use counts::{FamilyCounts, Unseen};
pub use posterior::{CptPosterior, CptPrior};
pub use records::{Records, Weighted};
