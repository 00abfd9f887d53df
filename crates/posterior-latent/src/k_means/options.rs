//! How to run k-means.

use posterior_math::check::{self, DimensionError};
use posterior_math::linalg::DMatrix;

use crate::error::Error;

/// Where the centres begin.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CentreStart {
    /// k-means++ (Arthur and Vassilvitskii 2007): each next centre is a row, drawn with probability
    /// proportional to its weight times its squared distance to the nearest centre before it.
    PlusPlus,
    /// Greedy k-means++: each next centre is the best of 2 + ⌊ln k⌋ rows so drawn, the one that lowers the
    /// inertia most. The default.
    GreedyPlusPlus,
    /// Different rows of positive weight, each equally probable.
    RandomRows,
    /// These, one a row.
    Centres(DMatrix<f64>),
}

/// How the nearest centres are found: the assignments, and every other number, are the same to the last bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum NearestSearch {
    /// Bounds from 8 centres on. The default.
    #[default]
    Auto,
    /// Every row against every centre at each step (Lloyd).
    Exhaustive,
    /// Bounds from the triangle inequality, one a row, tell which rows can't have changed their centre
    /// (Hamerly 2010).
    Bounds,
}

/// How to run k-means.
///
/// ```
/// use posterior_latent::k_means::{KMeansOptions, CentreStart};
///
/// let options = KMeansOptions {
///     start: CentreStart::RandomRows,
///     max_iterations: 50,
///     ..KMeansOptions::new(3)
/// };
/// assert_eq!((options.clusters, options.tolerance), (3, 0.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct KMeansOptions {
    /// The number of centres, at least 1.
    pub clusters: usize,
    /// Where they begin.
    pub start: CentreStart,
    /// How nearest centres are found.
    pub search: NearestSearch,
    /// The run converges when a step lowers the inertia by no more than this proportion of it. 0 by default:
    /// when no row changes its centre any more.
    pub tolerance: f64,
    /// The largest number of steps. 300 by default.
    pub max_iterations: usize,
}

impl KMeansOptions {
    /// The default options for this many centres.
    pub const fn new(clusters: usize) -> Self {
        Self {
            clusters,
            start: CentreStart::GreedyPlusPlus,
            search: NearestSearch::Auto,
            tolerance: 0.0,
            max_iterations: 300,
        }
    }

    /// What is wrong with them, for data of this dimension.
    pub(super) fn check(&self, dimension: usize) -> Result<(), Error> {
        check::at_least_one("KMeansOptions", "clusters", self.clusters)?;
        check::non_negative("KMeansOptions", "tolerance", self.tolerance)?;
        let CentreStart::Centres(centres) = &self.start else { return Ok(()) };
        let sizes = [
            ("centres to start from", self.clusters, centres.nrows()),
            ("coordinates of a centre", dimension, centres.ncols()),
        ];
        match sizes.into_iter().find(|(_, expected, found)| expected != found) {
            Some((what, expected, found)) => Err(DimensionError::new(what, expected, found).into()),
            None => Ok(()),
        }
    }
}

impl Default for KMeansOptions {
    /// Two clusters.
    fn default() -> Self {
        Self::new(2)
    }
}
