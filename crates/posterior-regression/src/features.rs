//! Features: what a linear model sees of its inputs.
//!
//! A [`Basis`] is a list of functions of one number: powers, waves, bells, splines, categories. A
//! [`FeatureMap`] applies them to the columns of the inputs, multiplies and concatenates them, and names
//! every column that it makes. A [`FeaturePlan`] is a map whose knots and centres are still to be placed: it
//! has a text, such as `poly:3(age) + onehot(site)`, and [learns](FeaturePlan::learn) the places from the
//! inputs once. The map that it returns keeps them, so that predictions see the same functions.
//!
//! ```
//! use posterior_math::linalg::DMatrix;
//! use posterior_regression::features::FeaturePlan;
//!
//! let plan: FeaturePlan = "poly:2".parse()?;
//! let inputs = DMatrix::from_column_slice(3, 1, &[1.0, 2.0, 3.0]);
//! let map = plan.learn(&inputs, &["x".to_owned()])?;
//! assert_eq!(map.columns(), ["intercept", "x", "x^2"]);
//! assert_eq!(map.design(&inputs)?.row(2).iter().copied().collect::<Vec<_>>(), [1.0, 3.0, 9.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # References
//! C. M. Bishop, Pattern Recognition and Machine Learning, section 3.1; T. Hastie, R. Tibshirani, J.
//! Friedman, The Elements of Statistical Learning, 2nd ed., chapter 5.

mod basis;
mod categories;
mod haar;
mod local;
mod map;
mod placement;
mod plan;
mod polynomial;
mod spline;
mod text;

use posterior_math::check::{self, ParamError};

pub use basis::Basis;
pub use map::FeatureMap;
pub(crate) use placement::{Family as BasisFamily, Places, place};
pub use plan::FeaturePlan;

/// How many functions a basis may have: each row of a design holds them all.
const MOST_FUNCTIONS: usize = 100_000;

/// A number of functions that can be.
fn counted(name: &'static str, count: usize) -> Result<usize, ParamError> {
    let few = (1..=MOST_FUNCTIONS).contains(&count);
    check::require(few, name, "count", count as f64, "from 1 to 100000")?;
    Ok(count)
}
