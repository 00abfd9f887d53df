//! The most probable hyperparameters, and the curvature there.

use std::cell::RefCell;

use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use posterior_math::optimize::{LbfgsOptions, minimize};

use crate::Error;
use crate::engine::Engine;
use crate::laplace::Laplace;

/// The search by gradients ends here, and Newton's method with differences of gradients goes on.
const ROUGH: f64 = 1e-6;
/// Newton's steps at the end, and the squared step in standard deviations that is short enough.
const STEPS: usize = 20;
const SHORT: f64 = 1e-16;
/// After steps of this square, all together, the curvature is as it was.
const STILL: f64 = 1e-12;
/// Half of the distance over which gradients are compared, on the line of a hyperparameter.
const DIFFERENCE: f64 = 1e-3;
/// Directions with less curvature than this part of the largest, or of 1, are flat.
const FLAT: f64 = 1e-9;
/// The largest component of the gradient at a mode on the boundary, where a standard deviation is zero.
const SETTLED: f64 = 1e-4;
/// How often a search that stopped too soon begins again where it stopped.
const RESTARTS: usize = 4;

/// The mode of the hyperparameters.
#[derive(Debug)]
pub(crate) struct Peak {
    pub(crate) laplace: Laplace,
    /// Minus the second derivatives, by their eigenvectors.
    pub(crate) curvature: SymmetricEigen,
    /// Directions along which the density does not fall: a standard deviation of zero.
    pub(crate) flat: usize,
}

impl Engine<'_> {
    /// Climbs from the starts of all hyperparameters.
    pub(crate) fn peak(&self, max_iterations: usize) -> Result<Peak, Error> {
        let start: Vec<f64> = self.start()?;
        let known = RefCell::new((None::<Vec<f64>>, None::<Error>));
        let objective = |theta: &[f64], gradient: &mut [f64]| {
            let mut known = known.borrow_mut();
            match self.laplace(theta, known.0.as_deref()) {
                Ok(found) => {
                    gradient.iter_mut().zip(&found.gradient).for_each(|(out, slope)| *out = -slope);
                    known.0 = Some(found.x);
                    -found.ln_density
                }
                Err(error) => {
                    known.1 = Some(error);
                    f64::NAN
                }
            }
        };
        let options = LbfgsOptions { gradient_tolerance: ROUGH, max_iterations, ..LbfgsOptions::default() };
        let mut found = minimize(objective, &start, &options, &mut Silent);
        let is_settled = |value: f64, slope: f64| slope <= SETTLED * value.abs().max(1.0);
        for _ in 0..RESTARTS {
            let value = found.model.value;
            if !value.is_finite() || is_settled(value, found.model.gradient_norm) {
                break;
            }
            // The density jumps where the latent values have several modes and the search leaves one of them.
            found = minimize(objective, &found.model.point, &options, &mut Silent);
        }
        let (x, error) = known.into_inner();
        if !found.model.value.is_finite() || x.is_none() {
            // Nothing could be evaluated at the start.
            return Err(
                error.unwrap_or_else(|| self.nowhere(&start, "the density has no value at the start"))
            );
        }
        if !is_settled(found.model.value, found.model.gradient_norm) {
            if let Some(error @ Error::Separated { .. }) = error {
                return Err(error);
            }
            let why =
                "the search stopped before its end; other starts, other priors or fewer effects may help";
            return Err(self.nowhere(&found.model.point, why));
        }
        self.polished(self.laplace(&found.model.point, x.as_deref())?)
    }

    /// The starts of all coordinates.
    pub(crate) fn starts(&self) -> Vec<f64> {
        self.hyperparameters.iter().map(|own| own.scale.unconstrained(own.start)).collect()
    }

    /// Where the search begins.
    fn start(&self) -> Result<Vec<f64>, Error> {
        let mut start = self.starts();
        if let Some(outer) = &self.outer {
            // Coefficients that are maximised over begin where they would be integrated out.
            let inner = Engine::new(self.model, false, false)?;
            let count = start.len() - outer.width();
            let found = inner.laplace(&start[..count], None)?;
            start[count..].copy_from_slice(&found.x[inner.fixed.clone()]);
        }
        Ok(start)
    }

    /// Newton's steps from a point close to the mode.
    fn polished(&self, mut here: Laplace) -> Result<Peak, Error> {
        let mut curvature = self.curvature(&here)?;
        let mut moved = 0.0;
        for step in 0..STEPS {
            let (direction, squared) = newton(&curvature, &here.gradient);
            if squared <= SHORT || direction.is_empty() {
                break;
            }
            let theta: Vec<f64> = here.theta.iter().zip(&direction).map(|(t, step)| t + step).collect();
            let there = self.laplace(&theta, Some(&here.x))?;
            if there.ln_density < here.ln_density - 1e-9 * here.ln_density.abs().max(1.0) {
                break;
            }
            here = there;
            moved += squared;
            if step % 5 == 4 {
                curvature = self.curvature(&here)?;
                moved = 0.0;
            }
        }
        if moved > STILL {
            curvature = self.curvature(&here)?;
        }
        let largest = curvature.values().amax();
        let flat = curvature.values().iter().filter(|value| **value <= FLAT * largest.max(1.0)).count();
        Ok(Peak { laplace: here, curvature, flat })
    }

    /// Minus the second derivatives, by differences of the exact gradient.
    fn curvature(&self, here: &Laplace) -> Result<SymmetricEigen, Error> {
        let n = here.theta.len();
        let mut matrix = DMatrix::zeros(n, n);
        let mut point = here.theta.clone();
        for j in 0..n {
            point[j] = here.theta[j] + DIFFERENCE;
            let above = self.laplace(&point, Some(&here.x))?.gradient;
            point[j] = here.theta[j] - DIFFERENCE;
            let below = self.laplace(&point, Some(&here.x))?.gradient;
            point[j] = here.theta[j];
            for i in 0..n {
                matrix[(i, j)] = (below[i] - above[i]) / (2.0 * DIFFERENCE);
            }
        }
        let symmetric = 0.5 * (&matrix + matrix.transpose());
        Ok(SymmetricEigen::new(&symmetric)?)
    }

    pub(crate) fn nowhere(&self, theta: &[f64], why: &'static str) -> Error {
        Error::NoHyperparameters { at: self.written(theta), why }
    }
}

/// Newton's step beside flat directions, and its square in standard deviations.
fn newton(curvature: &SymmetricEigen, gradient: &[f64]) -> (Vec<f64>, f64) {
    let along = curvature.vectors().tr_mul(&DVector::from_column_slice(gradient));
    let largest = curvature.values().amax();
    let mut squared = 0.0;
    let step = DVector::from_iterator(
        along.len(),
        along.iter().zip(curvature.values().iter()).map(|(slope, value)| {
            if *value <= FLAT * largest.max(1.0) {
                return 0.0;
            }
            squared += slope * slope / value;
            slope / value
        }),
    );
    ((curvature.vectors() * step).as_slice().to_vec(), squared)
}
