//! Development only: what the tests of the workspace share.
//!
//! - [`mod@reference`]: the tables of numbers with 30 digits in `tables/`, which every implementation is
//!   compared with;
//! - [`accuracy`]: the error of a computed number, and the worst one of a table;
//! - [`distribution_table`]: a univariate distribution against its table, whole;
//! - `edges`: a search for wrong numbers at the edges of f64;
//! - [`consistency`]: what every implementation of a core trait must obey, for users' types too;
//! - [`posteriors`]: ten real posteriors with reference draws;
//! - [`significance`]: p-values of goodness of fit, for draws with a fixed seed;
//! - [`shared`]: the folder of real data that is too large for the repository;
//! - [`timing`]: processor time.
//!
//! ```
//! use posterior_testkit::{accuracy::Worst, reference};
//!
//! let mut worst = Worst::of("logistic");
//! for case in reference::special_cases("logistic") {
//!     let x = case.number(0);
//!     worst.see(1.0 / (1.0 + (-x).exp()), case.value, &x);
//! }
//! worst.assert_at_most(1e-15);
//! ```
//!
//! A failure here is a failed test: the functions panic with a message instead of returning errors, and the
//! crate is never published. It stands above the crates whose traits it checks; they use it as a development
//! dependency, and only in `tests/it`, because inside a unit test the traits are those of another copy of the
//! crate.

pub mod accuracy;
#[cfg(feature = "distributions")]
pub mod consistency;
#[cfg(feature = "distributions")]
pub mod distribution_table;
#[cfg(feature = "edges")]
pub mod edges;
#[cfg(feature = "linalg")]
pub mod posteriors;
pub mod reference;
pub mod shared;
#[cfg(feature = "significance")]
pub mod significance;
pub mod timing;
