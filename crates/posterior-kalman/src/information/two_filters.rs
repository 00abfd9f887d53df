//! The smoother from two filters.

use posterior_gaussian::Gaussian;
use posterior_math::check;

use super::{BackwardInformation, InformationFiltered};
use crate::Error;

/// The distribution of each state given all observations: what was known at its time, times what was seen
/// later.
///
/// # Errors
/// If the two are not of the same length and size, or all observations together leave something of a diffuse
/// start open.
pub fn smooth_by_two_filters(
    forwards: &InformationFiltered,
    backwards: &BackwardInformation,
) -> Result<Vec<Gaussian>, Error> {
    check::dimension("times of the backward filter", forwards.len(), backwards.len())?;
    (0..forwards.len()).map(|t| forwards.root(t).product(backwards.root(t)).distribution()).collect()
}
