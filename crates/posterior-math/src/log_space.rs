//! Arithmetic on logarithms: sums, differences and normalised weights of numbers that f64 cannot hold.
//!
//! A number y > 0 is held as ln y, zero as -∞. The functions are total: NaN in gives NaN out, nothing panics.

mod entropy_term;
mod ln_exp;
mod ln_sum_exp;
mod logistic;
mod softmax;

pub use entropy_term::{x_ln_x, x_ln_y};
pub use ln_exp::{ln_1m_exp, ln_1p_exp, ln_add_exp, ln_diff_exp};
pub(crate) use ln_sum_exp::largest_of;
pub use ln_sum_exp::{LnSumExp, ln_sum_exp};
pub use logistic::{ln_logistic, logistic, logit};
pub use softmax::{ln_softmax_in_place, softmax_in_place};
