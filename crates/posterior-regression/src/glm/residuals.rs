//! Row by row: residuals, leverages, and standard errors that do not trust the variance function.

use std::collections::BTreeSet;

use posterior_math::check;
use posterior_math::iteration::Silent;
use posterior_math::linalg::{Cholesky, DMatrix, multiply};

use super::climb::GlmFitOptions;
use super::fitted::GlmFit;
use super::fitted::independent;
use super::model::Glm;
use super::observations::GlmData;
use super::pass::Want;
use super::prior::CoefficientPrior;
use super::response_distribution::{Curvature, ResponseDistribution};
use crate::Error;

/// How a sandwich estimate weighs squared residuals, by their leverages h (names of MacKinnon and White; R's
/// `sandwich`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sandwich {
    /// As they are.
    Hc0,
    /// Times n / (n - p).
    Hc1,
    /// Over 1 - h.
    Hc2,
    /// Over (1 - h)².
    Hc3,
}

impl<L: ResponseDistribution + Sync> Glm<'_, L> {
    /// Pearson's residuals, √w (y - μ) / √V(μ): of variance φ where the model is right. 0 for rows of
    /// weight 0.
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    pub fn pearson_residuals(&self, coefficients: &[f64]) -> Vec<f64> {
        let predictors = self.data().predictors(coefficients);
        self.row_by_row(coefficients, |row, weight, term| {
            let size =
                if term.slope == 0.0 { 0.0 } else { (weight / term.expected).sqrt() * term.slope.abs() };
            size.copysign(self.data().response()[row] - self.distribution().mean(predictors[row]))
        })
    }

    /// Residuals whose squares add up to the deviance, with the sign of y - μ.
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    pub fn deviance_residuals(&self, coefficients: &[f64]) -> Vec<f64> {
        let predictors = self.data().predictors(coefficients);
        self.row_by_row(coefficients, |row, weight, term| {
            let size = (-2.0 * weight * term.ln_likelihood).max(0.0).sqrt();
            size.copysign(self.data().response()[row] - self.distribution().mean(predictors[row]))
        })
    }

    fn row_by_row(
        &self,
        coefficients: &[f64],
        residual: impl Fn(usize, f64, super::response_distribution::Term) -> f64,
    ) -> Vec<f64> {
        let data = self.data();
        let predictors = data.predictors(coefficients);
        let of_row = |row: usize| {
            let weight = data.weight(row);
            if weight == 0.0 {
                0.0
            } else {
                residual(row, weight, self.distribution().term(data.response()[row], predictors[row]))
            }
        };
        (0..data.rows()).map(of_row).collect()
    }

    /// The leverages hᵢ: how much of its own fit each row determines, between 0 and 1, with sum p under a
    /// flat prior.
    ///
    /// # Errors
    /// [`Error::Collinear`].
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    pub fn leverages(&self, coefficients: &[f64], dispersion: f64) -> Result<Vec<f64>, Error> {
        let factor = self.expected_factor(coefficients, dispersion)?;
        let curvatures = self.row_by_row(coefficients, |_, weight, term| weight * term.expected / dispersion);
        Ok(rows_of(self.data(), |row, x| {
            factor.half_solve_slice_in_place(x);
            curvatures[row] * x.iter().map(|x| x * x).sum::<f64>()
        }))
    }

    fn expected_factor(&self, coefficients: &[f64], dispersion: f64) -> Result<Cholesky, Error> {
        let want = Want::Information(Curvature::Expected);
        independent(&self.joint(coefficients, dispersion, want).information, self.data().names())
    }

    /// The covariance of the coefficients from the squares of the residuals, right also where the variance
    /// function is not (White; the sandwich A⁻¹ B A⁻¹ with the expected information A and B = Σ sᵢ sᵢᵀ, as in
    /// R's package `sandwich`).
    ///
    /// # Errors
    /// [`Error::Collinear`]; as many coefficients as rows.
    pub fn sandwich(&self, fit: &GlmFit, kind: Sandwich) -> Result<DMatrix<f64>, Error> {
        let (data, p) = (self.data(), fit.coefficients.len());
        let n = data.informative_rows();
        check::enough("rows for robust errors", p + 1, n)?;
        // The dispersion cancels, but for its part beside the prior.
        let dispersion = if self.prior().is_flat() { 1.0 } else { fit.dispersion };
        let factor = self.expected_factor(&fit.coefficients, dispersion)?;
        let leverages = match kind {
            Sandwich::Hc2 | Sandwich::Hc3 => Some(self.leverages(&fit.coefficients, dispersion)?),
            Sandwich::Hc0 | Sandwich::Hc1 => None,
        };
        let scores = self.row_by_row(&fit.coefficients, |row, weight, term| {
            let rest = leverages.as_ref().map_or(1.0, |leverages| (1.0 - leverages[row]).max(f64::EPSILON));
            let scale = match kind {
                Sandwich::Hc0 => 1.0,
                Sandwich::Hc1 => (n as f64 / (n - p) as f64).sqrt(),
                Sandwich::Hc2 => rest.sqrt().recip(),
                Sandwich::Hc3 => rest.recip(),
            };
            scale * weight * term.slope / dispersion
        });
        Ok(self.around(&factor, &scores, &(0..data.rows()).collect::<Vec<_>>(), data.rows()))
    }

    /// The same where rows of one cluster go together: their scores are added before they are squared. With
    /// the factor g/(g - 1) (n - 1)/(n - p) for g clusters, as Stata and statsmodels have it.
    ///
    /// # Errors
    /// [`Error::Collinear`]; as many coefficients as rows; fewer than two clusters; not one for each row.
    pub fn clustered_sandwich(&self, fit: &GlmFit, clusters: &[usize]) -> Result<DMatrix<f64>, Error> {
        let (data, p) = (self.data(), fit.coefficients.len());
        let n = data.informative_rows();
        check::dimension("clusters of rows", data.rows(), clusters.len())?;
        check::enough("rows for robust errors", p + 1, n)?;
        let there = clusters.iter().enumerate().filter(|(row, _)| data.weight(*row) > 0.0);
        let count = there.map(|(_, own)| own).collect::<BTreeSet<_>>().len();
        check::enough("clusters", 2, count)?;
        let dispersion = if self.prior().is_flat() { 1.0 } else { fit.dispersion };
        let factor = self.expected_factor(&fit.coefficients, dispersion)?;
        let scores = self.row_by_row(&fit.coefficients, |_, weight, term| weight * term.slope / dispersion);
        let most = clusters.iter().max().map_or(0, |last| last + 1);
        let few = count as f64 / (count - 1) as f64 * (n - 1) as f64 / (n - p) as f64;
        Ok(self.around(&factor, &scores, clusters, most) * few)
    }

    /// A⁻¹ B A⁻¹ with B = Σ s sᵀ over groups of rows, whose scores s are those of their rows together.
    fn around(&self, factor: &Cholesky, scores: &[f64], groups: &[usize], count: usize) -> DMatrix<f64> {
        let data = self.data();
        let mut sums = DMatrix::zeros(data.columns(), count);
        for column in 0..data.columns() {
            for (row, x) in data.column(column).iter().enumerate() {
                sums[(column, groups[row])] += scores[row] * x;
            }
        }
        let half = factor.solve(&sums);
        let mut covariance = multiply(&half, &half.transpose());
        posterior_math::linalg::symmetrize(&mut covariance);
        covariance
    }

    /// The deviance of the model without inputs: the best intercept, with the offsets; without an intercept
    /// among the columns, no coefficient at all.
    ///
    /// # Errors
    /// As [`fit`](Self::fit): a link under which no coefficient at all is not a mean.
    pub fn null_deviance(&self) -> Result<f64, Error> {
        let data = self.data();
        let intercept = (0..data.columns()).any(|column| data.is_intercept(column));
        let response = data.response();
        let of = |coefficient: f64| -> f64 {
            let parts = (0..data.rows()).filter(|row| data.weight(*row) > 0.0).map(|row| {
                data.weight(row)
                    * self.distribution().term(response[row], coefficient + data.offset(row)).ln_likelihood
            });
            -2.0 * parts.sum::<f64>()
        };
        if !intercept {
            return Ok(of(0.0));
        }
        let ones = DMatrix::from_element(data.rows(), 1, 1.0);
        let mut alone = GlmData::new(&ones, response)?;
        if let Some(offset) = data.offsets() {
            alone = alone.with_offset(offset)?;
        }
        if let Some(weights) = data.weights() {
            alone = alone.with_weights(weights)?;
        }
        let model = Glm::new(self.distribution(), alone)?.with_prior(CoefficientPrior::flat(1))?;
        match model.fit(&GlmFitOptions::default(), &mut Silent) {
            Ok(fitted) => Ok(fitted.model.deviance),
            // All responses at the edge: a perfect fit.
            Err(Error::Separated { complete: true, .. }) => Ok(0.0),
            Err(error) => Err(error),
        }
    }
}

/// A number of each row of the design, whose copy the function may overwrite.
fn rows_of(data: &GlmData<'_>, mut number: impl FnMut(usize, &mut [f64]) -> f64) -> Vec<f64> {
    let mut x = vec![0.0; data.columns()];
    let mut numbers = Vec::with_capacity(data.rows());
    for row in 0..data.rows() {
        for (column, x) in x.iter_mut().enumerate() {
            *x = data.design()[(row, column)];
        }
        numbers.push(number(row, &mut x));
    }
    numbers
}
