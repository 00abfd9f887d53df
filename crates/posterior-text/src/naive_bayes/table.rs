//! Naive Bayes for tables: each column with a distribution of its own, given the class.
//!
//! A row is a slice of numbers; NaN stands for a missing value, which is passed over in learning and in use:
//! under the model nothing else is needed. A category is its number, from 0.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_text::naive_bayes::table::{ColumnDistribution, TableClassifier, TableOptions};
//!
//! // A length, and one of two colours.
//! let rows = DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 1.2, 0.0, 3.0, 1.0, 3.4, 0.0]);
//! let columns = [ColumnDistribution::Normal, ColumnDistribution::Categorical { levels: 2 }];
//! let model = TableClassifier::fit(&columns, &rows, &[0, 0, 1, 1], 2, &TableOptions::default())?;
//! assert_eq!(model.posterior(&[3.1, f64::NAN])?.map(|posterior| posterior.class()), Some(1));
//! # Ok::<(), posterior_text::Error>(())
//! ```

mod class_table;
mod classifier;
mod column;
mod written;

pub use class_table::ClassTable;
pub use classifier::TableClassifier;
pub use column::{ColumnDistribution, TableOptions};
