//! The most probable hyperparameters, and the curvature there.

use std::cell::RefCell;

use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, DVector, SymmetricEigen};
use posterior_math::optimize::{LbfgsOptions, minimize};

use crate::Error;
use crate::engine::Engine;
use crate::laplace::Laplace;

/// The search by gradients ends where the square of the distance to the mode is this part of ln p, of which
/// more digits would be rounding, in standard deviations as the curvature at its start has them; Newton's
/// method with differences of gradients goes on.
const ROUGH: f64 = 1e-13;
/// A search that stops before, where ln p has fewer digits, is near enough if it is this near.
const SETTLED: f64 = 1e-2;
/// The longest first step of a coordinate.
const FIRST: f64 = 1.0;
/// Newton's steps at the end, and the squared step in standard deviations that is short enough.
const STEPS: usize = 20;
const SHORT: f64 = 1e-16;
/// After steps of this square, all together, the curvature is as it was.
const STILL: f64 = 1e-7;
/// Half of the distance over which gradients are compared, on the line of a hyperparameter.
const DIFFERENCE: f64 = 1e-3;
/// Directions with less curvature than this part of the largest, or of 1, are flat.
const FLAT: f64 = 1e-9;
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

/// Coordinates of the search: ln p falls alike in all directions, and the first step of a search by gradients
/// is Newton's.
#[derive(Debug)]
struct SearchCoordinates {
    origin: Vec<f64>,
    /// ln p at the origin.
    height: f64,
    /// From coordinates to hyperparameters.
    axes: DMatrix<f64>,
    /// ln p is divided by the square.
    size: f64,
}

impl SearchCoordinates {
    fn plain(start: &Laplace) -> Self {
        let n = start.theta.len();
        Self {
            origin: start.theta.clone(),
            height: start.ln_density,
            axes: DMatrix::identity(n, n),
            size: 1.0,
        }
    }

    fn new(start: &Laplace, curvature: &SymmetricEigen) -> Self {
        let mut own = Self::plain(start);
        own.axes.copy_from(curvature.vectors());
        for (mut axis, value) in own.axes.column_iter_mut().zip(curvature.values()) {
            // Uphill, whichever way it bends; where it hardly does, no further than the slope says.
            axis /= value.abs().max(1.0).sqrt();
        }
        let slopes = own.axes.tr_mul(&DVector::from_column_slice(&start.gradient));
        let longest = (&own.axes * &slopes).amax();
        own.size = (slopes.norm() * (FIRST / longest).min(1.0)).max(1.0);
        own.axes *= own.size;
        own
    }

    fn point(&self, z: &[f64]) -> Vec<f64> {
        let moved = &self.axes * DVector::from_column_slice(z);
        self.origin.iter().zip(&moved).map(|(own, moved)| own + moved).collect()
    }

    /// What is made small.
    fn value(&self, ln_density: f64) -> f64 {
        (self.height - ln_density) / (self.size * self.size)
    }

    /// The distance to the mode in standard deviations.
    fn distance(&self, gradient: &[f64]) -> f64 {
        self.axes.tr_mul(&DVector::from_column_slice(gradient)).norm() / self.size
    }

    fn slopes(&self, gradient: &[f64]) -> Vec<f64> {
        let along = self.axes.tr_mul(&DVector::from_column_slice(gradient));
        along.iter().map(|slope| -slope / (self.size * self.size)).collect()
    }
}

impl Engine<'_> {
    /// Climbs from the starts of all hyperparameters.
    pub(crate) fn peak(&self, max_iterations: usize) -> Result<Peak, Error> {
        let start = self.laplace(&self.start()?, None)?;
        if !start.ln_density.is_finite() {
            return Err(self.nowhere(&start.theta, "the density has no value at the start"));
        }
        let (mut here, mut error) = (start, None);
        for _ in 0..=RESTARTS {
            // The density jumps where the latent values have several modes and the search leaves one of them;
            // and far from the mode it may bend in another way than at it. The search begins again where it
            // stopped.
            let axes = self.coordinates(&here)?;
            here = self.climb(here, &axes, max_iterations, &mut error)?;
            if axes.distance(&here.gradient) <= SETTLED {
                return self.polished(here);
            }
        }
        if let Some(error @ Error::Separated { .. }) = error {
            return Err(error);
        }
        let why = "the search stopped before its end; other starts, other priors or fewer effects may help";
        Err(self.nowhere(&here.theta, why))
    }

    /// A search by gradients, and the last error on its way.
    fn climb(
        &self,
        start: Laplace,
        axes: &SearchCoordinates,
        max_iterations: usize,
        error: &mut Option<Error>,
    ) -> Result<Laplace, Error> {
        let rough = (ROUGH * start.ln_density.abs().max(100.0)).sqrt();
        let last = RefCell::new((start, error));
        let objective = |z: &[f64], gradient: &mut [f64]| {
            let theta = axes.point(z);
            let (here, error) = &mut *last.borrow_mut();
            if theta != here.theta {
                match self.laplace(&theta, Some(&here.x)) {
                    Ok(found) => *here = found,
                    Err(found) => {
                        **error = Some(found);
                        return f64::NAN;
                    }
                }
            }
            gradient.copy_from_slice(&axes.slopes(&here.gradient));
            axes.value(here.ln_density)
        };
        let options =
            LbfgsOptions { gradient_tolerance: rough / axes.size, max_iterations, ..LbfgsOptions::default() };
        let z = minimize(objective, &vec![0.0; axes.origin.len()], &options, &mut Silent).model.point;
        let (theta, here) = (axes.point(&z), last.into_inner().0);
        if theta == here.theta { Ok(here) } else { self.laplace(&theta, Some(&here.x)) }
    }

    /// Coordinates in which the density falls alike in all directions, by its curvature at the start.
    fn coordinates(&self, start: &Laplace) -> Result<SearchCoordinates, Error> {
        let n = start.theta.len();
        let mut matrix = DMatrix::zeros(n, n);
        let mut point = start.theta.clone();
        for j in 0..n {
            point[j] = start.theta[j] + DIFFERENCE;
            // Where there is no value the directions stay as they are.
            let Ok(there) = self.laplace(&point, Some(&start.x)) else {
                return Ok(SearchCoordinates::plain(start));
            };
            point[j] = start.theta[j];
            for i in 0..n {
                matrix[(i, j)] = (start.gradient[i] - there.gradient[i]) / DIFFERENCE;
            }
        }
        Ok(SearchCoordinates::new(start, &SymmetricEigen::new(&(0.5 * (&matrix + matrix.transpose())))?))
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
