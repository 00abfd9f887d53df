//! Learning of networks and fields, where inference is needed to do it.

mod log_likelihood;
mod missing_data;
mod proportional_fitting;
mod pseudo_likelihood;

pub use log_likelihood::{LogLinearOptions, fit_log_linear};
pub use missing_data::{MissingData, fit_network};
pub use proportional_fitting::{FittingOptions, fit_marginals};
pub use pseudo_likelihood::fit_pseudo_likelihood;
