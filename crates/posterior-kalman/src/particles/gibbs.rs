//! Particle Gibbs with ancestor sampling.

use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_sampling::importance::Resampling;
use rand::Rng;

use super::ParticleModel;
use super::filter::normalized;
use super::gaussian::enough;
use crate::Error;

/// A Markov chain of whole paths that leaves p(x(0), …, x(T-1) | y) alone: each step runs a particle filter
/// of which one particle is the path before, and draws from it.
///
/// The path before takes part with an ancestor that is drawn anew at each time, so that paths change
/// everywhere with few particles, 10 to 50, whatever T is. Exact with any number of them from two; with more
/// the chain forgets faster. A step costs O(T N) draws and densities, and memory for T N states.
///
/// # References
/// F. Lindsten, M. I. Jordan, T. B. Schön, Particle Gibbs with ancestor sampling, JMLR 15, 2014, algorithm 2.
///
/// ```
/// use posterior_dist::stream::stream;
/// use posterior_kalman::nonlinear::{FnMap, NonlinearStateSpace};
/// use posterior_kalman::particles::{GaussianParticles, ParticleGibbs};
/// use posterior_kalman::{Initial, Series};
/// use posterior_math::linalg::DMatrix;
///
/// let scalar = |value| DMatrix::from_element(1, 1, value);
/// let same = || FnMap::new(1, 1, |_, x: &[f64], next: &mut [f64]| next[0] = x[0]);
/// let start = Initial::known(&[0.0], &scalar(1.0))?;
/// let model = NonlinearStateSpace::new((same(), &scalar(1.0)), (same(), &scalar(0.25)), &start)?;
/// let series = Series::univariate_with_missing(&[Some(0.5), Some(1.2), None, Some(0.3)])?;
/// let particles = GaussianParticles::new(&model, &series)?;
/// let (gibbs, mut rng) = (ParticleGibbs::default(), stream(1, &[]));
/// let mut path = gibbs.start(&particles, &mut rng)?;
/// let mut mean = 0.0;
/// for _ in 0..2000 {
///     path = gibbs.step(&particles, &path, &mut rng)?;
///     mean += path[(0, 0)] / 2000.0;
/// }
/// assert!((mean - 0.499649122807018).abs() < 0.05); // what a Kalman smoother says
/// # Ok::<(), posterior_kalman::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParticleGibbs {
    /// The number N of particles, the path before among them. 20 by default.
    pub particles: usize,
}

impl Default for ParticleGibbs {
    fn default() -> Self {
        Self { particles: 20 }
    }
}

/// Particles at all times, with the weights and the ancestors of each.
struct History {
    particles: Vec<DMatrix<f64>>,
    ancestors: Vec<Vec<usize>>,
    weights: Vec<f64>,
}

impl ParticleGibbs {
    /// A path to begin with, from a particle filter: a row for each time.
    ///
    /// # Errors
    /// Fewer than two particles; a series without times; no particle from which an observation is possible;
    /// a density that is NaN or +∞.
    pub fn start<M: ParticleModel, R: Rng + ?Sized>(
        &self,
        model: &M,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        self.swept(model, None, rng)
    }

    /// The path after `path`, which has a row for each time.
    ///
    /// # Errors
    /// As [`start`](Self::start); a path of another size, or from which an observation is impossible.
    pub fn step<M: ParticleModel, R: Rng + ?Sized>(
        &self,
        model: &M,
        path: &DMatrix<f64>,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        check::dimension("times of the path", model.len(), path.nrows())?;
        check::dimension("states of the path", model.states(), path.ncols())?;
        self.swept(model, Some(&path.transpose()), rng)
    }

    fn swept<M: ParticleModel, R: Rng + ?Sized>(
        self,
        model: &M,
        path: Option<&DMatrix<f64>>,
        rng: &mut R,
    ) -> Result<DMatrix<f64>, Error> {
        enough("ParticleGibbs", self.particles)?;
        check::at_least_one("ParticleGibbs", "times", model.len())?;
        let mut first = DMatrix::zeros(model.states(), self.particles);
        for mut particle in first.column_iter_mut() {
            model.draw_first(particle.as_mut_slice(), rng);
        }
        if let Some(path) = path {
            first.set_column(self.particles - 1, &path.column(0));
        }
        let weights = weighted(model, 0, &first)?;
        let mut history = History { particles: vec![first], ancestors: Vec::new(), weights };
        for t in 1..model.len() {
            history.advance(model, t, path, rng)?;
        }
        Ok(history.drawn(rng)?.transpose())
    }
}

/// The weights of the particles at time `t`.
fn weighted<M: ParticleModel>(model: &M, t: usize, particles: &DMatrix<f64>) -> Result<Vec<f64>, Error> {
    let mut weights: Vec<f64> =
        particles.column_iter().map(|particle| model.ln_observation(t, particle.as_slice())).collect();
    normalized(t, &mut weights)?;
    Ok(weights)
}

/// One of these, by its weight.
fn one<R: Rng + ?Sized>(weights: &[f64], rng: &mut R) -> Result<usize, Error> {
    Ok(Resampling::Multinomial.indices(weights, 1, rng)?[0])
}

impl History {
    /// Draws the particles at time `t`; the last of them is that of the path, if there is one.
    fn advance<M: ParticleModel, R: Rng + ?Sized>(
        &mut self,
        model: &M,
        t: usize,
        path: Option<&DMatrix<f64>>,
        rng: &mut R,
    ) -> Result<(), Error> {
        let before = &self.particles[t - 1];
        let (n, count) = before.shape();
        let free = if path.is_some() { count - 1 } else { count };
        let mut ancestors = Resampling::Multinomial.indices(&self.weights, free, rng)?;
        let mut next = DMatrix::zeros(n, count);
        for (mut next, &ancestor) in next.column_iter_mut().zip(&ancestors) {
            model.draw_next(t - 1, before.column(ancestor).as_slice(), next.as_mut_slice(), rng);
        }
        if let Some(path) = path {
            let kept = path.column(t);
            let leads = |(particle, weight): (usize, &f64)| {
                weight.ln() + model.ln_transition(t - 1, before.column(particle).as_slice(), kept.as_slice())
            };
            let mut to_kept: Vec<f64> = self.weights.iter().enumerate().map(leads).collect();
            normalized(t, &mut to_kept)?;
            ancestors.push(one(&to_kept, rng)?);
            next.set_column(count - 1, &kept);
        }
        self.weights = weighted(model, t, &next)?;
        self.particles.push(next);
        self.ancestors.push(ancestors);
        Ok(())
    }

    /// A path by the weights at the last time, back through its ancestors: a column for each time.
    fn drawn<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<DMatrix<f64>, Error> {
        let mut at = one(&self.weights, rng)?;
        let length = self.particles.len();
        let mut path = DMatrix::zeros(self.particles[0].nrows(), length);
        for t in (0..length).rev() {
            path.set_column(t, &self.particles[t].column(at));
            if t > 0 {
                at = self.ancestors[t - 1][at];
            }
        }
        Ok(path)
    }
}
