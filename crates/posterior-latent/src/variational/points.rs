//! Points of any family, each counted once or by a weight.

use std::borrow::Borrow;

use posterior_dist::{Conjugate, ExponentialFamily, Stats};
use posterior_inference::variational::ConjugateFactor;
use posterior_math::check;
use posterior_math::linalg::DMatrix;
use posterior_math::log_space::{softmax_in_place, x_ln_x};

use super::expectation::{Assignable, Assigned};
use crate::error::Error;

/// Points of a family: `bool`s for coins, `u64`s for counts, `Vec<f64>`s for vectors, …
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points<'a, X> {
    points: &'a [X],
    weights: Option<&'a [f64]>,
}

impl<'a, X> Points<'a, X> {
    /// Points that count once each.
    pub const fn new(points: &'a [X]) -> Self {
        Self { points, weights: None }
    }

    /// Point i counted `weights[i]` times.
    ///
    /// # Errors
    /// If there are not as many weights as points, or one is negative, infinite or NaN.
    pub fn weighted(self, weights: &'a [f64]) -> Result<Self, Error> {
        check::dimension("weights", self.points.len(), weights.len())?;
        for (index, &weight) in weights.iter().enumerate() {
            check::non_negative("Points", "weight", weight).map_err(|error| error.at(index))?;
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// The points.
    pub const fn as_slice(&self) -> &'a [X] {
        self.points
    }

    pub(crate) fn weight(&self, index: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[index])
    }

    /// ln q(zᵢ = k) up to a constant.
    fn ln_proportions<F, P>(
        &self,
        i: usize,
        expected_ln: &[f64],
        components: &[ConjugateFactor<F, P>],
        ln: &mut [f64],
    ) where
        F: Conjugate<P>,
        X: Borrow<F::Point>,
    {
        for (k, ln) in ln.iter_mut().enumerate() {
            *ln = expected_ln[k] + components[k].expected().ln_pdf(self.points[i].borrow());
        }
    }
}

impl<F: Conjugate<P>, P, X: Borrow<F::Point>> Assignable<F, P> for Points<'_, X> {
    fn points(&self) -> usize {
        self.points.len()
    }

    fn check(&self, fixed: &F::Fixed) -> Result<(), Error> {
        for (index, point) in self.points.iter().enumerate() {
            F::check_point(fixed, point.borrow()).map_err(|error| error.at(index))?;
        }
        Ok(())
    }

    fn assign(
        &self,
        expected_ln: &[f64],
        components: &[ConjugateFactor<F, P>],
    ) -> Result<Assigned<F>, Error> {
        let mut sum = Sum::new(components.iter().map(|factor| factor.statistics().fixed()));
        let mut ln = vec![0.0; components.len()];
        let mut proportions = ln.clone();
        for (i, point) in self.points.iter().enumerate() {
            self.ln_proportions(i, expected_ln, components, &mut ln);
            proportions.copy_from_slice(&ln);
            normalize(&mut proportions, i)?;
            let weight = self.weight(i);
            sum.push(point.borrow(), &proportions, weight)?;
            let fit = |k: usize| {
                if proportions[k] == 0.0 { 0.0 } else { proportions[k] * (ln[k] - expected_ln[k]) }
            };
            sum.0.expected_fit += weight * (0..proportions.len()).map(fit).sum::<f64>();
        }
        Ok(sum.0)
    }

    fn given(&self, responsibilities: &DMatrix<f64>, fixed: &F::Fixed) -> Result<Assigned<F>, Error> {
        let mut sum = Sum::new((0..responsibilities.ncols()).map(|_| fixed));
        let mut proportions = vec![0.0; responsibilities.ncols()];
        for (i, point) in self.points.iter().enumerate() {
            for (k, proportion) in proportions.iter_mut().enumerate() {
                *proportion = responsibilities[(i, k)];
            }
            sum.push(point.borrow(), &proportions, self.weight(i))?;
        }
        Ok(Assigned { expected_fit: f64::NAN, ..sum.0 })
    }

    fn responsibilities(
        &self,
        expected_ln: &[f64],
        components: &[ConjugateFactor<F, P>],
    ) -> Result<DMatrix<f64>, Error> {
        let mut table = DMatrix::zeros(self.points.len(), components.len());
        let mut proportions = vec![0.0; components.len()];
        for i in 0..self.points.len() {
            self.ln_proportions(i, expected_ln, components, &mut proportions);
            normalize(&mut proportions, i)?;
            for (k, &proportion) in proportions.iter().enumerate() {
                table[(i, k)] = proportion;
            }
        }
        Ok(table)
    }
}

/// Sums over points that come in.
struct Sum<F: ExponentialFamily>(Assigned<F>);

impl<F: ExponentialFamily> Sum<F> {
    fn new<'a>(fixed: impl Iterator<Item = &'a F::Fixed>) -> Self
    where
        F::Fixed: 'a,
    {
        let statistics = fixed.map(|fixed| Stats::new(fixed.clone())).collect();
        Self(Assigned { statistics, entropy: 0.0, expected_fit: 0.0 })
    }

    fn push(&mut self, point: &F::Point, proportions: &[f64], weight: f64) -> Result<(), Error> {
        for (statistics, &proportion) in self.0.statistics.iter_mut().zip(proportions) {
            statistics.push_weighted(point, weight * proportion)?;
        }
        self.0.entropy -= weight * proportions.iter().map(|&proportion| x_ln_x(proportion)).sum::<f64>();
        Ok(())
    }
}

/// Proportions from their logarithms, of the point `index`.
fn normalize(ln_proportions: &mut [f64], index: usize) -> Result<(), Error> {
    softmax_in_place(ln_proportions);
    if ln_proportions.iter().any(|proportion| proportion.is_nan()) {
        return Err(beyond(index));
    }
    Ok(())
}

/// What is said where no component can have had a point.
pub(super) fn beyond(index: usize) -> Error {
    let requirement = "finite under at least one component: rescale the data";
    check::ParamError::new("BayesianMixture", "expected ln density", f64::NAN, requirement).at(index).into()
}
