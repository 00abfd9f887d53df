//! Many series of one model.
//!
//! Covariances and gains depend on what is missing and not on what is observed. Series of one length in which
//! the same is missing share them, and their means are followed side by side. Every number is that which the
//! series alone would give, to the last bit.
//!
//! ```
//! use posterior_kalman::{FilterOptions, Initial, ObservationEquation, Series, StateSpace, TransitionEquation, batch, filter};
//! use posterior_math::linalg::DMatrix;
//!
//! let scalar = |value| DMatrix::from_element(1, 1, value);
//! let model = StateSpace::new(
//!     TransitionEquation::constant(&scalar(1.0), &scalar(1.0))?,
//!     ObservationEquation::constant(&scalar(1.0), &scalar(0.25))?,
//!     Initial::known(&[0.0], &scalar(1.0))?,
//! )?;
//! let series = [Series::univariate(&[0.5, 1.2, 0.3])?, Series::univariate(&[0.1, -0.2, 0.0])?];
//! let filtered = batch::filter(&model, &series, &FilterOptions::default())?;
//! assert_eq!(filtered[1], filter(&model, &series[1], &FilterOptions::default())?);
//! let smoothed = batch::smooth(&model, &filtered)?;
//! assert_eq!(smoothed[1], filtered[1].smooth(&model)?);
//! # Ok::<(), posterior_kalman::Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::dimension::with_sizes;
use crate::filter::{AllMeans, Covariances, MeanPass, Means};
use crate::smoother::SmoothedCovariances;
use crate::{Error, FilterOptions, Filtered, Series, Smoothed, StateSpace};

/// Series that are followed side by side.
const LANES: usize = 8;

/// The distributions of the states of each series, as [`filter`](crate::filter()) gives them.
///
/// With the feature `rayon` on all threads; the results do not depend on their number.
///
/// # Errors
/// Those that one of the series alone would have.
pub fn filter(
    model: &StateSpace,
    series: &[Series],
    options: &FilterOptions,
) -> Result<Vec<Filtered>, Error> {
    let found = follow(model, series, *options, Keep::Everything)?;
    Ok(found.into_iter().filter_map(|one| one.filtered).collect())
}

/// ln p(y) of each series, as [`ln_likelihood`](crate::ln_likelihood) gives it.
///
/// # Errors
/// Those that one of the series alone would have.
pub fn ln_likelihoods(
    model: &StateSpace,
    series: &[Series],
    options: &FilterOptions,
) -> Result<Vec<f64>, Error> {
    let found = follow(model, series, *options, Keep::Likelihood)?;
    Ok(found.into_iter().map(|one| one.ln_likelihood).collect())
}

/// The distributions of the states of each series given all its observations, as [`Filtered::smooth`] gives
/// them.
///
/// # Errors
/// Those that one of the series alone would have.
pub fn smooth(model: &StateSpace, filtered: &[Filtered]) -> Result<Vec<Smoothed>, Error> {
    let mut groups: Vec<&Filtered> = Vec::new();
    let mut group_of = Vec::with_capacity(filtered.len());
    let mut known = BTreeMap::new();
    for one in filtered {
        let group = *known.entry(Arc::as_ptr(one.shared())).or_insert_with(|| {
            groups.push(one);
            groups.len() - 1
        });
        group_of.push((one, group));
    }
    let covariances = each(&groups, |one| {
        one.check(model)?;
        Ok(Arc::new(SmoothedCovariances::of(model, one)?))
    })?;
    each(&group_of, |&(one, group)| Smoothed::with(Arc::clone(&covariances[group]), one))
}

/// What is kept of each series.
#[derive(Clone, Copy, PartialEq)]
enum Keep {
    Everything,
    Likelihood,
}

/// What is known about one series.
struct Found {
    filtered: Option<Filtered>,
    ln_likelihood: f64,
}

/// Length and places of what is missing: series that agree in them share covariances.
fn pattern(series: &Series) -> (usize, Vec<usize>) {
    let m = series.width();
    let missing = (0..series.len() * m).filter(|&place| series.at(place / m)[place % m].is_nan());
    (series.len(), missing.collect())
}

fn follow(
    model: &StateSpace,
    series: &[Series],
    options: FilterOptions,
    keep: Keep,
) -> Result<Vec<Found>, Error> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known = BTreeMap::new();
    for (place, one) in series.iter().enumerate() {
        model.check(one)?;
        let group = *known.entry(pattern(one)).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(place);
    }
    let covariances =
        each(&groups, |group| Ok(Arc::new(Covariances::of(model, &series[group[0]], options)?)))?;
    let jobs: Vec<(usize, &[usize])> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, places)| places.chunks(LANES).map(move |chunk| (group, chunk)))
        .collect();
    let found = each(&jobs, |&(group, places)| {
        let covariances = &covariances[group];
        if let Ok(places) = <[usize; LANES]>::try_from(places) {
            return side_by_side(model, covariances, places.map(|place| &series[place]), keep);
        }
        let mut all = Vec::with_capacity(places.len());
        for &place in places {
            all.extend(side_by_side(model, covariances, [&series[place]], keep)?);
        }
        Ok(all)
    })?;
    let places = jobs.iter().flat_map(|(_, places)| places.iter());
    let mut all: Vec<(usize, Found)> = places.copied().zip(found.into_iter().flatten()).collect();
    all.sort_by_key(|&(place, _)| place);
    Ok(all.into_iter().map(|(_, one)| one).collect())
}

fn side_by_side<const L: usize>(
    model: &StateSpace,
    covariances: &Arc<Covariances>,
    series: [&Series; L],
    keep: Keep,
) -> Result<Vec<Found>, Error> {
    let (n, m) = (model.states(), model.width());
    let mut means = match keep {
        Keep::Everything => Some(series.map(|one| Means::new(n, m, one.len()))),
        Keep::Likelihood => None,
    };
    let pass = MeanPass::new(model, series);
    let work = AllMeans { pass, steps: &covariances.steps, means: means.as_mut() };
    let ln_likelihoods = with_sizes(n, m, work)?;
    let mut found: Vec<Found> =
        ln_likelihoods.into_iter().map(|ln_likelihood| Found { filtered: None, ln_likelihood }).collect();
    for (one, means) in found.iter_mut().zip(means.into_iter().flatten()) {
        one.filtered = Some(Filtered::new(Arc::clone(covariances), means));
    }
    Ok(found)
}

/// What a function makes of each, in order; on all threads.
#[cfg(feature = "rayon")]
fn each<T: Sync, R: Send>(
    items: &[T],
    function: impl Fn(&T) -> Result<R, Error> + Sync + Send,
) -> Result<Vec<R>, Error> {
    use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
    // All results first: the error is that of the first item, whichever thread is faster.
    let results: Vec<Result<R, Error>> = items.par_iter().map(function).collect();
    results.into_iter().collect()
}

/// What a function makes of each, in order.
#[cfg(not(feature = "rayon"))]
fn each<T, R>(items: &[T], function: impl Fn(&T) -> Result<R, Error>) -> Result<Vec<R>, Error> {
    items.iter().map(function).collect()
}
