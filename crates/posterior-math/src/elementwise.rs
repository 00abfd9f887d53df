//! Functions of all numbers of a slice at once, by the vectors of the machine: the inner loops of covariance
//! matrices.
//!
//! The bits of the results are the same on every machine and for every length: nothing is fused, and each
//! number is treated alone.
//!
//! ```
//! let mut numbers = [0.0, 1.0, f64::NEG_INFINITY];
//! posterior_math::elementwise::exp(&mut numbers);
//! assert_eq!((numbers[0], numbers[2]), (1.0, 0.0));
//! assert!((numbers[1] - std::f64::consts::E).abs() <= 2.0 * f64::EPSILON);
//! ```

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the vectors of the machine")]

mod exp;
mod sin_pi;
mod squared_difference;

pub use exp::exp;
pub use sin_pi::sin_pi;
pub use squared_difference::{add_squared_differences, sum_squared_differences};
