//! Draws of unconstrained coordinates as draws of the quantities of a program.

use posterior::model::StanPosterior;
use posterior::sampling::Draws;
use rayon::prelude::*;

use crate::failure::{Failure, refused};

/// Draws of all quantities, by the names of the program: `theta[2]`. Draws are numbered from 1, and by
/// `before`: the random numbers of generated quantities depend on seed and number.
pub(super) fn constrained(
    posterior: &StanPosterior,
    free: &Draws,
    seed: u64,
    before: usize,
) -> Result<Draws, Failure> {
    let names = posterior.names(true, true).map_err(refused)?;
    let values = |x: &[f64], number: u64| posterior.values(x, true, Some((seed, number)));
    mapped(free, &names, before, values)
}

/// A function of each draw and its number, computed on all threads.
pub(super) fn mapped<E: std::fmt::Display + Send>(
    free: &Draws,
    names: &[String],
    before: usize,
    values: impl Fn(&[f64], u64) -> Result<Vec<f64>, E> + Sync,
) -> Result<Draws, Failure> {
    let places = 0..free.chains() * free.len();
    let computed = places.into_par_iter().map(|place| {
        let (chain, draw) = (place / free.len(), place % free.len());
        values(free.draw(chain, draw), (before + place + 1) as u64)
    });
    let rows = computed.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let mut rows = rows.into_iter();
    let draws = free.map(names.iter().map(|name| bracketed(name)), |_, row| {
        row.copy_from_slice(&rows.next().unwrap_or_default());
    });
    draws.map_err(refused)
}

/// `Sigma.1.2` as `Sigma[1,2]`.
pub(super) fn bracketed(name: &str) -> String {
    match name.split_once('.') {
        Some((stem, indices)) => format!("{stem}[{}]", indices.replace('.', ",")),
        None => name.to_owned(),
    }
}
