//! The sites, and the posterior that they make of the prior.

use posterior_math::linalg::{DMatrix, DVector, symmetrize};

use crate::Error;
use crate::classification::curvature::Curvature;
use crate::classification::observations::Observations;
use crate::likelihood::LogConcave;

/// Sites exp(νᵢ gᵢ - ½ τᵢ gᵢ²) of g = f - m, and the law N(mean, covariance) of g that they make.
pub(super) struct Sites<'a, L: LogConcave> {
    observations: &'a Observations<L>,
    prior_mean: &'a DVector<f64>,
    gram: &'a DMatrix<f64>,
    precisions: DVector<f64>,
    shifts: DVector<f64>,
    pub(super) mean: DVector<f64>,
    pub(super) covariance: DMatrix<f64>,
    /// mean = K weights.
    pub(super) weights: DVector<f64>,
    pub(super) curvature: Curvature,
    /// Sites that the last sweep left alone.
    pub(super) skipped: usize,
}

impl<'a, L: LogConcave> Sites<'a, L> {
    /// Flat sites: the prior.
    pub(super) fn new(
        observations: &'a Observations<L>,
        prior_mean: &'a DVector<f64>,
        gram: &'a DMatrix<f64>,
    ) -> Result<Self, Error> {
        let zeros = DVector::zeros(observations.len());
        Ok(Self {
            curvature: Curvature::of_positive(gram, &zeros)?,
            observations,
            prior_mean,
            gram,
            precisions: zeros.clone(),
            shifts: zeros.clone(),
            mean: zeros.clone(),
            covariance: gram.clone(),
            weights: zeros,
            skipped: 0,
        })
    }

    /// The law of fᵢ without observation i, as (mean, variance); None where rounding has eaten it.
    fn cavity(&self, i: usize) -> Option<(f64, f64)> {
        let variance = self.covariance[(i, i)];
        let left = 1.0 - self.precisions[i] * variance;
        let mean = (self.mean[i] - variance * self.shifts[i]) / left;
        let variance = variance / left;
        (variance > 0.0 && variance.is_finite() && mean.is_finite())
            .then(|| (self.prior_mean[i] + mean, variance))
    }

    /// All of them; NaN where there is none.
    pub(super) fn cavities(&self) -> Vec<(f64, f64)> {
        (0..self.shifts.len()).map(|i| self.cavity(i).unwrap_or((f64::NAN, f64::NAN))).collect()
    }

    /// Updates all sites, one after the other; the largest change of one in units of its marginal.
    pub(super) fn sweep(&mut self, damping: f64) -> Result<f64, Error> {
        let mut largest = 0.0;
        self.skipped = 0;
        for i in 0..self.shifts.len() {
            let Some((precision, shift)) = self.matched(i) else {
                self.skipped += 1;
                continue;
            };
            let (by_precision, by_shift) =
                (damping * (precision - self.precisions[i]), damping * (shift - self.shifts[i]));
            let variance = self.covariance[(i, i)];
            let change = (by_precision * variance).abs().max(by_shift.abs() * variance.sqrt());
            if change.is_nan() || change > largest {
                largest = change;
            }
            self.update(i, by_precision, by_shift);
        }
        self.refresh()?;
        Ok(largest)
    }

    /// The site that gives the marginal of fᵢ the moments of the tilted law.
    fn matched(&self, i: usize) -> Option<(f64, f64)> {
        let (mean, variance) = self.cavity(i)?;
        let tilted = self.observations.likelihood().tilted(self.observations.outputs()[i], mean, variance);
        // Log-concave densities only make a law narrower: below zero by rounding.
        let precision = (tilted.variance.recip() - variance.recip()).max(0.0);
        let shift = (tilted.mean - mean) / tilted.variance + precision * (mean - self.prior_mean[i]);
        (precision.is_finite() && shift.is_finite()).then_some((precision, shift))
    }

    /// Changes one site, and the posterior by a matrix of rank one.
    fn update(&mut self, i: usize, by_precision: f64, by_shift: f64) {
        let column = self.covariance.column(i).into_owned();
        let left = 1.0 + by_precision * column[i];
        self.mean.axpy((by_shift - by_precision * self.mean[i]) / left, &column, 1.0);
        self.covariance.ger(-by_precision / left, &column, &column, 1.0);
        self.precisions[i] += by_precision;
        self.shifts[i] += by_shift;
    }

    /// The posterior of the sites afresh, without the rounding of the updates.
    fn refresh(&mut self) -> Result<(), Error> {
        self.curvature = Curvature::of_positive(self.gram, &self.precisions)?;
        self.covariance = self.gram - self.curvature.joint_reduction(self.gram);
        symmetrize(&mut self.covariance);
        self.weights = &self.shifts - self.curvature.apply(&(self.gram * &self.shifts));
        self.mean = self.gram * &self.weights;
        Ok(())
    }

    /// A change that rounding alone makes: the variances are differences of those of the prior.
    pub(super) fn rounding(&self) -> f64 {
        let ratios = self.gram.diagonal().component_div(&self.covariance.diagonal());
        10.0 * f64::EPSILON * ratios.iter().fold(1.0, |largest: f64, &ratio| largest.max(ratio))
    }

    /// ln Z = Σ ln cᵢ + ln ∫ N(g; 0, K) Π exp(νᵢ gᵢ - ½ τᵢ gᵢ²) dg, with the constants cᵢ by which a site has the mass of its
    /// observation.
    pub(super) fn ln_evidence(&self) -> f64 {
        let likelihood = self.observations.likelihood();
        let constants: f64 = (0..self.shifts.len())
            .map(|i| {
                let Some((mean, variance)) = self.cavity(i) else { return 0.0 };
                let (precision, shift) = (self.precisions[i], self.shifts[i]);
                let ln_mass = likelihood.tilted(self.observations.outputs()[i], mean, variance).ln_mass;
                let g = mean - self.prior_mean[i];
                // ∫ N(g; cavity) exp(ν g - ½ τ g²), with both quadratic forms in one.
                let widened = 1.0 + precision * variance;
                let exponent = (g * (2.0 * shift - precision * g) + shift * shift * variance) / widened;
                ln_mass + 0.5 * widened.ln() - 0.5 * exponent
            })
            .sum();
        constants + 0.5 * self.shifts.dot(&self.mean) - 0.5 * self.curvature.ln_determinant()
    }
}
