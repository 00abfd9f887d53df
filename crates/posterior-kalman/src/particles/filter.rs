//! The particle filter.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::log_space::softmax_in_place;
use posterior_sampling::importance::Resampling;
use rand::Rng;

use super::ParticleModel;
use super::gaussian::enough;
use crate::Error;

/// The particle filter that moves particles by the model and weights them by what is seen (the bootstrap
/// filter). They are resampled where their weights have become uneven.
///
/// Costs O(T N) draws and densities. The estimate of p(y) is unbiased with any number of particles; that of
/// its logarithm is too low, by about half its variance, which grows with T / N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParticleFilter {
    /// The number N of particles. 1000 by default.
    pub particles: usize,
    /// How they are resampled. Systematic by default.
    pub resampling: Resampling,
    /// They are resampled where the effective ones are fewer than this proportion of all: 1 resamples at
    /// every time, 0 never. 0.5 by default.
    pub threshold: f64,
}

impl Default for ParticleFilter {
    fn default() -> Self {
        Self { particles: 1000, resampling: Resampling::default(), threshold: 0.5 }
    }
}

/// What a particle filter found.
#[derive(Debug, Clone, PartialEq)]
pub struct ParticleFiltered {
    means: Vec<DVector<f64>>,
    covariances: Vec<DMatrix<f64>>,
    ess: Vec<f64>,
    ln_likelihood: f64,
    particles: DMatrix<f64>,
    weights: Vec<f64>,
}

impl ParticleFiltered {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.means.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.means.is_empty()
    }

    /// E[x(t) | y(0), …, y(t)], as the particles have it.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.means[t].as_slice()
    }

    /// The covariance of x(t) given y(0), …, y(t), n x n.
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn covariance(&self, t: usize) -> &DMatrix<f64> {
        &self.covariances[t]
    }

    /// Effective particles at each time, after the observation and before resampling: 1 says that one of them
    /// has all the weight.
    pub fn ess(&self) -> &[f64] {
        &self.ess
    }

    /// ln of an unbiased estimate of p(y).
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }

    /// The particles at the last time, one in each column, and their weights, which add up to one.
    pub fn last(&self) -> (&DMatrix<f64>, &[f64]) {
        (&self.particles, &self.weights)
    }
}

impl ParticleFilter {
    /// Follows a series.
    ///
    /// # Errors
    /// Fewer than two particles; a threshold that is no proportion; a series without times; no particle from
    /// which an observation is possible, as [`Error::Impossible`]; a density that is NaN or +∞.
    pub fn run<M: ParticleModel, R: Rng + ?Sized>(
        &self,
        model: &M,
        rng: &mut R,
    ) -> Result<ParticleFiltered, Error> {
        enough("ParticleFilter", self.particles)?;
        check::probability("ParticleFilter", "threshold", self.threshold)?;
        check::at_least_one("ParticleFilter", "times", model.len())?;
        let count = self.particles;
        let mut particles = DMatrix::zeros(model.states(), count);
        for mut particle in particles.column_iter_mut() {
            model.draw_first(particle.as_mut_slice(), rng);
        }
        let even = -(count as f64).ln();
        let mut ln_weights = vec![even; count];
        let mut filtered = ParticleFiltered::empty();
        for t in 0..model.len() {
            if t > 0 {
                let uneven = filtered.ess[t - 1] < self.threshold * count as f64;
                if uneven || self.threshold == 1.0 {
                    let chosen = self.resampling.indices(&filtered.weights, count, rng)?;
                    particles = particles.select_columns(&chosen);
                    ln_weights.fill(even);
                }
                particles = moved(model, t - 1, &particles, rng);
            }
            for (ln_weight, particle) in ln_weights.iter_mut().zip(particles.column_iter()) {
                *ln_weight += model.ln_observation(t, particle.as_slice());
            }
            filtered.observe(t, &particles, &mut ln_weights)?;
        }
        filtered.particles = particles;
        Ok(filtered)
    }
}

/// The particles after a step.
fn moved<M: ParticleModel, R: Rng + ?Sized>(
    model: &M,
    t: usize,
    particles: &DMatrix<f64>,
    rng: &mut R,
) -> DMatrix<f64> {
    let mut next = DMatrix::zeros(particles.nrows(), particles.ncols());
    for (mut next, before) in next.column_iter_mut().zip(particles.column_iter()) {
        model.draw_next(t, before.as_slice(), next.as_mut_slice(), rng);
    }
    next
}

impl ParticleFiltered {
    /// Before the first time.
    fn empty() -> Self {
        Self {
            means: Vec::new(),
            covariances: Vec::new(),
            ess: Vec::new(),
            ln_likelihood: 0.0,
            particles: DMatrix::zeros(0, 0),
            weights: Vec::new(),
        }
    }

    /// Takes the weights at time `t`, and leaves them with a sum of one.
    fn observe(&mut self, t: usize, particles: &DMatrix<f64>, ln_weights: &mut [f64]) -> Result<(), Error> {
        self.weights = ln_weights.to_vec();
        let ln_sum = normalized(t, &mut self.weights)?;
        for ln_weight in ln_weights.iter_mut() {
            *ln_weight -= ln_sum;
        }
        self.ln_likelihood += ln_sum;
        self.ess.push(self.weights.iter().map(|w| w * w).sum::<f64>().recip());
        let mean = particles * DVector::from_column_slice(&self.weights);
        let mut covariance = DMatrix::zeros(mean.len(), mean.len());
        for (particle, &weight) in particles.column_iter().zip(&self.weights) {
            let difference = particle - &mean;
            covariance.ger(weight, &difference, &difference, 1.0);
        }
        self.means.push(mean);
        self.covariances.push(covariance);
        Ok(())
    }
}

/// Weights from their logarithms in place; ln of the sum.
pub(super) fn normalized(t: usize, ln_weights: &mut [f64]) -> Result<f64, Error> {
    if !ln_weights.iter().all(|&weight| weight < f64::INFINITY) {
        return Err(Error::Undefined { what: "observation density", time: t });
    }
    let ln_sum = softmax_in_place(ln_weights);
    if ln_sum == f64::NEG_INFINITY { Err(Error::Impossible { time: t }) } else { Ok(ln_sum) }
}
