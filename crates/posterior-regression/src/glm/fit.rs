//! The most likely, or most probable, coefficients.

use posterior_math::iteration::{Fitted, Observer, Silent};
use posterior_math::linalg::Cholesky;

use super::climb::{GlmFitOptions, Hill, climb};
use super::fitted::{GlmFit, independent};
use super::gram::BLOCK;
use super::likelihood::{Chord, Likelihood};
use super::model::Glm;
use super::pass::{At, Want};
use super::response_distribution::{Curvature, ResponseDistribution};
use crate::Error;

/// From this many blocks on, the search begins with every SAMPLE-th of them.
const SAMPLE_FROM: usize = 256;
const SAMPLE: usize = 32;

/// The fit of the sample: its own error is some times longer than these steps of one posterior standard
/// deviation.
const ROUGH: f64 = 1.0;
const ROUGH_STEPS: usize = 6;

/// How often dispersion and coefficients are found in turn, where a prior ties them together.
const ALTERNATIONS: usize = 200;

impl<L: ResponseDistribution + Sync> Glm<'_, L> {
    /// The most probable coefficients, with a flat prior the most likely ones: by Newton's method, which
    /// begins with a step of Fisher's scoring (iteratively reweighted least squares) and halves steps that
    /// lead down.
    ///
    /// A dispersion that is not known is Pearson's χ² over the residual degrees of freedom, as in R; under a
    /// proper prior it and the coefficients are found in turn. The observer sees ln p(y, β) less the
    /// log-likelihood of a perfect fit, of each search.
    ///
    /// # Errors
    /// [`Error::Collinear`] and [`Error::Separated`], where the prior is flat in that direction.
    /// [`Error::NoFit`] if the search ends where it began; an unknown dispersion of a fit without residual
    /// degrees of freedom.
    ///
    /// # Cost
    /// n p² operations for each step, usually 4 to 8 of them. Of very many rows (65,536) the first steps take
    /// a thirty-second, and second derivatives are kept from step to step for as long as that gets there
    /// sooner: two or three passes have them, the others take n p. With the feature `rayon` blocks of rows
    /// are shared among threads; the result is the same on any number of them.
    pub fn fit(
        &self,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<GlmFit>, Error> {
        let Some(dispersion) = self.dispersion().or_else(|| self.prior().is_flat().then_some(1.0)) else {
            return self.alternate(options, observer);
        };
        self.fit_at(dispersion, None, options, observer)
    }

    /// Coefficients at a dispersion, dispersion at the coefficients, until neither changes.
    fn alternate(
        &self,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<GlmFit>, Error> {
        let mut dispersion = 1.0;
        let mut start = None;
        for round in 0..ALTERNATIONS {
            let fitted = self.fit_at(dispersion, start, options, observer)?;
            let estimate = fitted.model.dispersion;
            // Pearson's estimate has an error of its own, of about √(2/n): this is far below it.
            let settled = (estimate / dispersion - 1.0).abs() <= 1e-12;
            if settled || round + 1 == ALTERNATIONS || !(estimate > 0.0) {
                return Ok(fitted);
            }
            dispersion = estimate;
            start = Some(fitted.model.coefficients);
        }
        Err(Error::NoFit { why: "the dispersion does not settle" })
    }

    /// The fit at a dispersion; the one that it estimates is in the result, where it is not known.
    pub(super) fn fit_at(
        &self,
        dispersion: f64,
        start: Option<Vec<f64>>,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<GlmFit>, Error> {
        let many = self.many();
        let mut hill = Likelihood::new(self, dispersion, 1);
        if many {
            hill.spare(options.tolerance);
        }
        let start = match start {
            Some(start) => start,
            None => match many.then(|| self.sample(dispersion)).flatten() {
                Some((start, factor)) if hill.value(&start).is_finite() => {
                    hill.keep(Chord::from_elsewhere(factor));
                    start
                }
                _ => self.first_step(dispersion, 1)?,
            },
        };
        let summit = climb(&mut hill, start, options, observer)?;
        if summit.slopes.factor.is_none() {
            return Err(Error::NoFit { why: "the second derivatives are not negative definite" });
        }
        GlmFit::new(self, summit.point, dispersion).map(|model| Fitted { model, report: summit.report })
    }

    fn many(&self) -> bool {
        self.data().rows() >= SAMPLE_FROM * BLOCK
    }

    /// The fit of a sample of the rows, with the factor of what all rows' information would be if they were
    /// like it. A sample may be collinear or separated where all rows are not: then nothing.
    fn sample(&self, dispersion: f64) -> Option<(Vec<f64>, Cholesky)> {
        let mut hill = Likelihood::new(self, dispersion, SAMPLE);
        let rough =
            GlmFitOptions { tolerance: ROUGH, max_iterations: ROUGH_STEPS, ..GlmFitOptions::default() };
        let start = self.first_step(dispersion, SAMPLE).ok()?;
        let summit = climb(&mut hill, start, &rough, &mut Silent).ok()?;
        Some((summit.point, summit.slopes.factor?))
    }

    /// The solution of the least-squares problem with the working responses at the responses themselves.
    fn first_step(&self, dispersion: f64, stride: usize) -> Result<Vec<f64>, Error> {
        let want = Want::Information(Curvature::Expected);
        let origin = vec![0.0; self.data().columns()];
        let hill = Likelihood::new(self, dispersion, stride);
        let sums = hill.sums(At::Responses, &origin, want);
        let factor = independent(&sums.information, self.data().names())?;
        let mut step = sums.gradient;
        factor.solve_slice_in_place(&mut step);
        let possible = |point: &[f64]| {
            point.iter().all(|x| x.is_finite())
                && hill.sums(At::Coefficients(point), point, Want::Value).value.is_finite()
        };
        if possible(&step) {
            return Ok(step);
        }
        let point = self.intercept_start();
        if possible(&point) {
            return Ok(point);
        }
        Err(Error::NoFit { why: "no coefficients were found at which the likelihood is positive" })
    }

    /// All responses alike: the intercept at their mean predictor.
    pub(super) fn intercept_start(&self) -> Vec<f64> {
        let data = self.data();
        let intercept = (0..data.columns()).find(|column| data.is_intercept(*column));
        let mut point = vec![0.0; data.columns()];
        if let Some(column) = intercept {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (row, &y) in data.response().iter().enumerate() {
                let weight = data.weight(row);
                if weight > 0.0 {
                    sum += weight * (self.distribution().start(y) - data.offset(row));
                    weights += weight;
                }
            }
            point[column] = sum / weights / data.column(column)[0];
        }
        point
    }
}
