//! Calibrated samplers pass, broken ones fail.

mod coin;
mod groups;
mod normal;
mod statistics;

use posterior_sampling::{Draws, Error};

/// Draws of one chain under these names.
fn draws_of(names: &[&str], rows: impl IntoIterator<Item = Vec<f64>>) -> Result<Draws, Error> {
    let names = names.iter().map(|&name| name.to_owned()).collect();
    Draws::new(names, vec![rows.into_iter().flatten().collect()])
}
