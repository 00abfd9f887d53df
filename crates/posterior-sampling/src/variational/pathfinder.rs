//! Pathfinder: Gaussians along the climb to a mode, and draws of the best of them, weighted.

mod inverse_hessian;
mod path;

use posterior_dist::stream::stream;
use posterior_dist::target::GradTarget;
use posterior_math::check::{self, ParamError};
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
#[cfg(feature = "rayon")]
use rayon::prelude::*;

pub use path::PathReport;
use path::{Path, PathDraws, climb};

use super::advi::begin;
use crate::importance::{Resampling, SmoothedWeights, WeightedDraws, pareto_smoothed};
use crate::{Draws, Error, Start};

/// Draws near a posterior by several climbs to its modes, each of which stops where it fits best.
///
/// Along the way of L-BFGS from a start to a mode, each step has a Gaussian with the inverse Hessian of the
/// steps before it. That with the highest bound E ln p / q, estimated by a few draws, is kept: in a funnel it
/// is on the way, not at the mode. Draws of all paths are weighted by p / q, their weights smoothed, and
/// drawn again: k̂ says what they are worth. It costs hundreds of gradients where chains take 100 000.
///
/// ```
/// use posterior_dist::target::FromGradFn;
/// use posterior_sampling::Start;
/// use posterior_sampling::variational::Pathfinder;
///
/// // A normal number with mean 3 and standard deviation 2.
/// let target = FromGradFn::new(1, |x, gradient| {
///     gradient[0] = -(x[0] - 3.0) / 4.0;
///     -0.125 * (x[0] - 3.0).powi(2)
/// });
/// let fit = Pathfinder::default().fit(&target, &Start::default(), 1)?;
/// let path = &fit.paths[0].as_ref().unwrap();
/// assert!((path.mean[0] - 3.0).abs() < 1e-9 && (path.sds[0] - 2.0).abs() < 1e-9);
/// assert_eq!(fit.draws.len(), 1000);
/// # Ok::<(), posterior_sampling::Error>(())
/// ```
///
/// # References
/// L. Zhang, B. Carpenter, A. Gelman, A. Vehtari, Pathfinder: parallel quasi-Newton variational inference,
/// JMLR 23, 2022.
#[derive(Debug, Clone, PartialEq)]
pub struct Pathfinder {
    /// Paths: 4 by default.
    pub paths: usize,
    /// Draws of each path's Gaussian that are weighted: 1000 by default.
    pub path_draws: usize,
    /// Draws for the bound of each step: 25 by default. With more the best step is found more surely, and k̂
    /// is smaller.
    pub elbo_draws: usize,
    /// Draws that are taken of the weighted ones: 1000 by default.
    pub draws: usize,
    /// Steps that an inverse Hessian is made of: 5 by default.
    pub memory: usize,
    /// The most steps of a path: 1000 by default.
    pub max_iterations: usize,
    /// A path ends where no component of the gradient is larger, times max(1, |ln p|): 10^-8 by default.
    pub gradient_tolerance: f64,
    /// A path ends also after a step that raises ln p by no more than this proportion of it: 10^-12 by
    /// default.
    pub value_tolerance: f64,
}

impl Default for Pathfinder {
    fn default() -> Self {
        Self {
            paths: 4,
            path_draws: 1000,
            elbo_draws: 25,
            draws: 1000,
            memory: 5,
            max_iterations: 1000,
            gradient_tolerance: 1e-8,
            value_tolerance: 1e-12,
        }
    }
}

/// What Pathfinder found.
#[derive(Debug)]
#[non_exhaustive]
pub struct PathfinderFit {
    /// Draws with equal weight, in no order, with the statistics `lp`, `lp_approx` (ln q) and `path`, counted
    /// from 1.
    pub draws: Draws,
    /// All draws of all paths, with their smoothed weights.
    pub weighted: WeightedDraws,
    /// The smoothed weights, with k̂: below 0.7 the draws can be used.
    pub smoothed: SmoothedWeights,
    /// What became of each path; an error of those that found nothing.
    pub paths: Vec<Result<PathReport, Error>>,
}

impl Pathfinder {
    /// Climbs from each start, and draws.
    ///
    /// With the feature `rayon` the paths go on the threads of the pool; the draws are the same on any number
    /// of threads.
    ///
    /// # Errors
    /// Options that can't be; starts of another number or dimension; a target that ends the run; if no path
    /// found anything, why the first did not; weights that are all zero.
    pub fn fit<T>(&self, target: &T, start: &Start, seed: u64) -> Result<PathfinderFit, Error>
    where
        T: GradTarget + Sync + ?Sized,
    {
        self.check()?;
        let dim = target.dim();
        let follow = |number: usize| {
            let mut rng = stream(seed, &[number as u64]);
            let accept = |x: &[f64], _: &mut Pcg64| begin(target, x).map(|_| x.to_vec());
            let at = start.begin((number, self.paths), dim, &mut rng, accept)?;
            let path = climb(self, target, &at, &mut rng)?;
            let draws = PathDraws::take(target, &path.gaussian, self.path_draws, &mut rng)?;
            Ok((path, draws))
        };
        #[cfg(feature = "rayon")]
        let found: Vec<Result<_, Error>> = (0..self.paths).into_par_iter().map(follow).collect();
        #[cfg(not(feature = "rayon"))]
        let found: Vec<Result<_, Error>> = (0..self.paths).map(follow).collect();
        self.join(dim, found, seed)
    }

    fn check(&self) -> Result<(), ParamError> {
        let counts = [
            ("paths", self.paths, 1),
            ("path_draws", self.path_draws, 2),
            ("elbo_draws", self.elbo_draws, 1),
            ("draws", self.draws, 1),
            ("memory", self.memory, 1),
            ("max_iterations", self.max_iterations, 1),
        ];
        for (name, value, least) in counts {
            let wanted = if least == 1 { "at least 1" } else { "at least 2" };
            check::require(value >= least, "Pathfinder", name, value as f64, wanted)?;
        }
        check::non_negative("Pathfinder", "gradient_tolerance", self.gradient_tolerance)?;
        check::non_negative("Pathfinder", "value_tolerance", self.value_tolerance)?;
        Ok(())
    }

    /// The draws of all paths together, weighted and drawn again.
    fn join(
        &self,
        dim: usize,
        found: Vec<Result<(Path, PathDraws), Error>>,
        seed: u64,
    ) -> Result<PathfinderFit, Error> {
        let (mut points, mut ln_weights, mut statistics) = (vec![], vec![], vec![]);
        let (mut paths, mut rejected) = (vec![], 0);
        for (number, path) in found.into_iter().enumerate() {
            let (path, draws) = match path {
                Ok(found) => found,
                // What ends the run on one path ends it on all.
                Err(why @ (Error::Target(_) | Error::Parameter(_) | Error::Dimension(_))) => return Err(why),
                Err(why) => {
                    paths.push(Err(why));
                    continue;
                }
            };
            points.extend(draws.points);
            for (p, q) in draws.ln_p.iter().zip(&draws.ln_q) {
                ln_weights.push(p - q);
                statistics.push([*p, *q, number as f64 + 1.0]);
            }
            rejected += draws.rejected;
            paths.push(Ok(path.report));
        }
        if ln_weights.is_empty() {
            return Err(paths.into_iter().find_map(Result::err).unwrap_or(Error::NoWeight { draws: 0 }));
        }
        let smoothed = pareto_smoothed(ln_weights, 1.0)?;
        let mut rng = stream(seed, &[self.paths as u64, 1]);
        let mut places =
            Resampling::Systematic.indices(smoothed.weights.normalised(), self.draws, &mut rng)?;
        places.shuffle(&mut rng);
        let rows = places.iter().flat_map(|&at| &points[at * dim..(at + 1) * dim]).copied().collect();
        let names = (0..dim).map(|i| format!("x[{i}]")).collect();
        let columns = ["lp", "lp_approx", "path"].map(str::to_owned).to_vec();
        let numbers = places.iter().flat_map(|&at| statistics[at]).collect();
        let draws = Draws::new(names, vec![rows])?.with_statistics(columns, vec![numbers])?;
        let weighted = WeightedDraws::new(dim, points, smoothed.weights.clone(), rejected);
        Ok(PathfinderFit { draws, weighted, smoothed, paths })
    }
}
