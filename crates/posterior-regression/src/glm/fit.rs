//! The most likely, or most probable, coefficients.

use posterior_math::iteration::{Fitted, Observer, Silent};
use posterior_math::linalg::{Cholesky, DMatrix, MatrixError};

use super::climb::{FitOptions, Hill, Slopes, climb};
use super::fitted::GlmFit;
use super::model::Glm;
use super::observations::Observations;
use super::pass::{At, BLOCK, Want, pass};
use super::response_law::{Curvature, ResponseLaw};
use super::separation;
use crate::Error;

/// A column is a combination of those before it if they leave no larger share of its square.
const COLLINEAR: f64 = 1e-13;

/// Separation is looked for after this many steps: fits that exist have ended by then, or nearly.
const PATIENCE: usize = 6;

/// From this many blocks on, the search begins with every SAMPLE-th of them.
const SAMPLE_FROM: usize = 256;
const SAMPLE: usize = 32;

/// How often dispersion and coefficients are found in turn, where a prior ties them together.
const ALTERNATIONS: usize = 200;

impl<L: ResponseLaw + Sync> Glm<'_, L> {
    /// The most probable coefficients, with a flat prior the most likely ones: by Newton's method, which begins with a step of Fisher's scoring
    /// (iteratively reweighted least squares) and halves steps that lead down.
    ///
    /// A dispersion that is not known is Pearson's χ² over the residual degrees of freedom, as in R; under a proper prior it and the coefficients
    /// are found in turn. The observer sees ln p(y, β) less the log-likelihood of a perfect fit, of each search.
    ///
    /// # Errors
    /// [`Error::Collinear`] and [`Error::Separated`], where the prior is flat in that direction.
    /// [`Error::NoFit`] if the search ends where it began; an unknown dispersion of a fit without residual degrees of freedom.
    ///
    /// # Cost
    /// n p² operations for each step, usually 4 to 8 of them; of very many rows the first steps take a thirty-second. With the feature `rayon`
    /// blocks of rows are shared among threads; the result is the same on any number of them.
    pub fn fit(
        &self,
        options: &FitOptions,
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
        options: &FitOptions,
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
    fn fit_at(
        &self,
        dispersion: f64,
        start: Option<Vec<f64>>,
        options: &FitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<GlmFit>, Error> {
        let start = match start {
            Some(start) => start,
            None => self.start(dispersion)?,
        };
        let mut hill = Likelihood { model: self, dispersion, stride: 1, watch: true };
        let summit = climb(&mut hill, start, options, observer)?;
        if summit.slopes.factor.is_none() {
            return Err(Error::NoFit { why: "the second derivatives are not negative definite" });
        }
        GlmFit::new(self, summit.point, dispersion).map(|model| Fitted { model, report: summit.report })
    }

    /// Where the search begins: one step of least squares from the responses; of many rows, the fit of a sample.
    fn start(&self, dispersion: f64) -> Result<Vec<f64>, Error> {
        let (law, data) = (self.law(), self.data());
        let stride = if data.rows() >= SAMPLE_FROM * BLOCK { SAMPLE } else { 1 };
        let first = self.first_step(dispersion, stride);
        if stride == 1 {
            return first;
        }
        let mut hill = Likelihood { model: self, dispersion, stride, watch: false };
        let rough = FitOptions::default().with_tolerance(0.1).with_max_iterations(PATIENCE);
        let sample = first.and_then(|start| climb(&mut hill, start, &rough, &mut Silent));
        // A sample may be collinear or separated where all rows are not.
        let value = |point: &[f64]| pass(law, data, At::Coefficients(point), Want::Value, 1).value;
        match sample {
            Ok(summit) if value(&summit.point).is_finite() => Ok(summit.point),
            _ => self.first_step(dispersion, 1),
        }
    }

    /// The solution of the least-squares problem with the working responses at the responses themselves.
    fn first_step(&self, dispersion: f64, stride: usize) -> Result<Vec<f64>, Error> {
        let want = Want::Information(Curvature::Expected);
        let mut sums = pass(self.law(), self.data(), At::Responses, want, stride);
        let origin = vec![0.0; self.data().columns()];
        self.add_prior(&mut sums, &origin, dispersion, want);
        let factor = independent(&sums.information, self.data().names())?;
        let mut step = sums.gradient;
        factor.solve_slice_in_place(&mut step);
        let possible = |point: &[f64]| {
            point.iter().all(|x| x.is_finite())
                && pass(self.law(), self.data(), At::Coefficients(point), Want::Value, stride)
                    .value
                    .is_finite()
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
    fn intercept_start(&self) -> Vec<f64> {
        let data = self.data();
        let intercept = (0..data.columns()).find(|column| data.is_intercept(*column));
        let mut point = vec![0.0; data.columns()];
        if let Some(column) = intercept {
            let (mut sum, mut weights) = (0.0, 0.0);
            for (row, &y) in data.response().iter().enumerate() {
                let weight = data.weight(row);
                if weight > 0.0 {
                    sum += weight * (self.law().start(y) - data.offset(row));
                    weights += weight;
                }
            }
            point[column] = sum / weights / data.column(column)[0];
        }
        point
    }
}

/// The factor of an information matrix.
///
/// # Errors
/// The first column that those before it determine.
pub(super) fn independent(information: &DMatrix<f64>, names: &[String]) -> Result<Cholesky, Error> {
    let collinear = |column: usize| Error::Collinear { column: names[column].clone() };
    match Cholesky::new(information) {
        Ok(factor) => {
            let left = |j: usize| factor.factor()[(j, j)].powi(2) / information[(j, j)];
            match (0..names.len()).find(|&j| !(left(j) > COLLINEAR)) {
                None => Ok(factor),
                Some(column) => Err(collinear(column)),
            }
        }
        Err(MatrixError::NotPositiveDefinite { pivot, .. }) if information.iter().all(|x| x.is_finite()) => {
            Err(collinear(pivot))
        }
        Err(error) => Err(error.into()),
    }
}

/// ln p(y, β) as a hill.
struct Likelihood<'m, 'a, L> {
    model: &'m Glm<'a, L>,
    dispersion: f64,
    stride: usize,
    watch: bool,
}

impl<L: ResponseLaw + Sync> Likelihood<'_, '_, L> {
    fn at(&self, x: &[f64], want: Want) -> super::pass::Pass {
        let mut sums = pass(self.model.law(), self.model.data(), At::Coefficients(x), want, self.stride);
        self.model.add_prior(&mut sums, x, self.dispersion, want);
        sums
    }

    fn separated(&self, direction: &[f64]) -> Option<Error> {
        let model = self.model;
        // What the prior holds back comes to an end.
        let free = |j: usize| direction[j] == 0.0 || model.prior().precision()[j] == 0.0;
        let free_part: Vec<f64> =
            (0..direction.len()).map(|j| if free(j) { direction[j] } else { 0.0 }).collect();
        let found = separation::along(model.law(), model.data(), &free_part)?;
        Some(separated_error(model.data(), found))
    }
}

fn separated_error(data: &Observations<'_>, found: separation::Separation) -> Error {
    Error::Separated {
        column: data.names()[found.column].clone(),
        complete: found.complete,
        rows: found.rows,
        direction: found.direction,
    }
}

impl<L: ResponseLaw + Sync> Hill for Likelihood<'_, '_, L> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> f64 {
        self.at(x, Want::Value).value
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Error> {
        let mut sums = self.at(x, Want::Information(Curvature::Observed));
        let mut factor = Cholesky::new(&sums.information).ok();
        if factor.is_none() && sums.value.is_finite() {
            sums = self.at(x, Want::Information(Curvature::Expected));
            factor = Cholesky::new(&sums.information).ok();
        }
        if factor.is_none() && sums.value.is_finite() && self.watch {
            // Weights that have vanished: along the coefficients themselves, if they separate.
            if let Some(error) = self.separated(x) {
                return Err(error);
            }
        }
        Ok(Slopes { value: sums.value, gradient: sums.gradient, factor })
    }

    fn look(&mut self, _: &[f64], step: &[f64], iteration: usize) -> Result<(), Error> {
        if !self.watch || iteration < PATIENCE {
            return Ok(());
        }
        match self.separated(step) {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
