//! Models with Gaussian noise, and what was seen of them.

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::LN_TAU;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use super::ParticleModel;
use crate::nonlinear::{Map, NonlinearStateSpace};
use crate::{Error, Series};

/// A model whose equations may be curved, with Gaussian noise that is added, and a series of it.
#[derive(Debug, Clone)]
pub struct GaussianParticles<'a, F, H> {
    model: &'a NonlinearStateSpace<F, H>,
    series: &'a Series,
    /// Of Q for each step.
    moves: Vec<Cholesky>,
    /// Of R for each time, of the components that are there.
    looks: Vec<(Vec<usize>, Cholesky)>,
}

impl<'a, F: Map, H: Map> GaussianParticles<'a, F, H> {
    /// A model and what was observed.
    ///
    /// # Errors
    /// If the series does not fit the model, or a noise covariance is singular: where a number follows
    /// exactly from another, no particle but one has a density. Leave such states out.
    pub fn new(model: &'a NonlinearStateSpace<F, H>, series: &'a Series) -> Result<Self, Error> {
        model.check(series)?;
        let squared = |root: DMatrix<f64>| &root * root.transpose();
        let moves = (1..series.len()).map(|t| Ok(Cholesky::new(&squared(model.transition_root(t - 1)))?));
        let looks = (0..series.len()).map(|t| {
            let seen = series.at(t);
            let there: Vec<usize> = (0..seen.len()).filter(|&i| !seen[i].is_nan()).collect();
            let noise = squared(model.observation_root(t)).select_rows(&there).select_columns(&there);
            let factor = Cholesky::new(&noise).map_err(|_| Error::Singular { time: t })?;
            Ok((there, factor))
        });
        Ok(Self {
            model,
            series,
            moves: moves.collect::<Result<_, Error>>()?,
            looks: looks.collect::<Result<_, Error>>()?,
        })
    }
}

/// ln N(difference; 0, the factor's matrix).
fn ln_density(factor: &Cholesky, difference: &DVector<f64>) -> f64 {
    let white = factor.half_solve_vector(difference);
    -0.5 * (white.norm_squared() + factor.ln_determinant() + difference.len() as f64 * LN_TAU)
}

impl<F: Map, H: Map> ParticleModel for GaussianParticles<'_, F, H> {
    fn states(&self) -> usize {
        self.model.states()
    }

    fn len(&self) -> usize {
        self.series.len()
    }

    fn draw_first<R: Rng + ?Sized>(&self, state: &mut [f64], rng: &mut R) {
        let (mean, root) = self.model.start();
        let noise = DVector::from_fn(root.ncols(), |_, _| StandardNormal.sample(rng));
        state.copy_from_slice((mean + root * noise).as_slice());
    }

    fn draw_next<R: Rng + ?Sized>(&self, t: usize, state: &[f64], next: &mut [f64], rng: &mut R) {
        self.model.transition().evaluate(t, state, next);
        let factor = self.moves[t].factor();
        for j in 0..next.len() {
            let noise: f64 = StandardNormal.sample(rng);
            for (next, entry) in next[j..].iter_mut().zip(&factor.column(j).as_slice()[j..]) {
                *next += entry * noise;
            }
        }
    }

    fn ln_transition(&self, t: usize, state: &[f64], next: &[f64]) -> f64 {
        let mut moved = DVector::zeros(next.len());
        self.model.transition().evaluate(t, state, moved.as_mut_slice());
        ln_density(&self.moves[t], &(DVector::from_column_slice(next) - moved))
    }

    fn ln_observation(&self, t: usize, state: &[f64]) -> f64 {
        let (there, factor) = &self.looks[t];
        if there.is_empty() {
            return 0.0;
        }
        let mut expected = vec![0.0; self.series.width()];
        self.model.observation().evaluate(t, state, &mut expected);
        let seen = self.series.at(t);
        ln_density(factor, &DVector::from_iterator(there.len(), there.iter().map(|&i| seen[i] - expected[i])))
    }
}

/// As many particles as a filter can be run with.
pub(super) fn enough(function: &'static str, particles: usize) -> Result<(), Error> {
    check::require(particles > 1, function, "particles", particles as f64, "at least 2")?;
    Ok(())
}
