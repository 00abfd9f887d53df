//! Precisions given coefficients, coefficients given precisions.

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_sampling::gibbs::Conditionals;
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

use super::draw::draw_one;
use crate::Error;
use crate::glm::{Family, Glm, weighted_gram};

/// A logistic regression as a target of Gibbs sampling: one block, all coefficients, by way of one precision
/// for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct LogisticGibbs<'m, 'a> {
    model: &'m Glm<'a, Family>,
    /// Xᵀ κ + τ m, with κ = n (y - ½).
    linear: Vec<f64>,
    trials: Vec<u64>,
}

impl<'m, 'a> LogisticGibbs<'m, 'a> {
    /// The sampler of a model with a logit link.
    ///
    /// A flat prior is allowed; whether the posterior then exists is for [`Glm::fit`] to say.
    ///
    /// # Errors
    /// Another family; a dispersion that is not 1; weights that are not whole numbers of trials.
    pub fn new(model: &'m Glm<'a, Family>) -> Result<Self, Error> {
        if *model.distribution() != Family::Logit || model.dispersion() != Some(1.0) {
            return Err(Error::NoFit {
                why: "variables of Pólya-Gamma distributions are for binomial responses with a logit link",
            });
        }
        let data = model.data();
        let mut trials = Vec::with_capacity(data.rows());
        for row in 0..data.rows() {
            let value = data.weight(row);
            if value.fract() != 0.0 || value > f64::from(u32::MAX) {
                let requirement = "a whole number of trials, below 2³²";
                return Err(Error::Observation { what: "the weight", row, value, requirement });
            }
            trials.push(value as u64);
        }
        let prior = model.prior();
        let mut linear: Vec<f64> = prior.mean().iter().zip(prior.precision()).map(|(m, t)| m * t).collect();
        for (column, sum) in linear.iter_mut().enumerate() {
            for (row, x) in data.column(column).iter().enumerate() {
                *sum += x * (data.weight(row) * (data.response()[row] - 0.5));
            }
        }
        Ok(Self { model, linear, trials })
    }

    /// Draws the precisions given coefficients: PG(nᵢ, ηᵢ) for each row, 0 for rows without trials.
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    fn draw_precisions<R: Rng + ?Sized>(&self, coefficients: &[f64], rng: &mut R) -> Vec<f64> {
        let predictors = self.model.data().predictors(coefficients);
        let of_row =
            |(predictor, trials): (f64, &u64)| (0..*trials).map(|_| draw_one(predictor.abs(), rng)).sum();
        predictors.into_iter().zip(&self.trials).map(of_row).collect()
    }

    /// Draws the coefficients given precisions: N(Λ⁻¹ (Xᵀ(κ - Ω o) + τ m), Λ⁻¹) with Λ = XᵀΩX + τ.
    ///
    /// # Errors
    /// Λ is not positive definite: columns that repeat others, under a flat prior.
    ///
    /// # Panics
    /// Unless there is one precision for each row, and one place for each column.
    #[track_caller]
    fn draw_coefficients<R: Rng + ?Sized>(
        &self,
        precisions: &[f64],
        coefficients: &mut [f64],
        rng: &mut R,
    ) -> Result<(), Error> {
        let data = self.model.data();
        let mut precision: DMatrix<f64> = weighted_gram(data, precisions);
        for (j, prior) in self.model.prior().precision().iter().enumerate() {
            precision[(j, j)] += prior;
        }
        coefficients.copy_from_slice(&self.linear);
        if let Some(offsets) = data.offsets() {
            for (column, sum) in coefficients.iter_mut().enumerate() {
                let terms = data.column(column).iter().zip(precisions).zip(offsets);
                *sum -= terms.map(|((x, omega), offset)| x * omega * offset).sum::<f64>();
            }
        }
        let factor = Cholesky::new(&precision)?;
        factor.half_solve_slice_in_place(coefficients);
        for part in coefficients.iter_mut() {
            let normal: f64 = rng.sample(StandardNormal);
            *part += normal;
        }
        factor.half_solve_transpose_slice_in_place(coefficients);
        Ok(())
    }
}

impl Conditionals for LogisticGibbs<'_, '_> {
    fn blocks(&self) -> usize {
        1
    }

    fn draw_block<R: Rng + ?Sized>(&self, _: usize, x: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let precisions = self.draw_precisions(x, rng);
        self.draw_coefficients(&precisions, x, rng).map_err(EvalError::fatal)
    }
}

impl Target for LogisticGibbs<'_, '_> {
    fn dim(&self) -> usize {
        self.model.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.model.ln_density(x)
    }
}

impl GradTarget for LogisticGibbs<'_, '_> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        self.model.ln_density_grad(x, gradient)
    }
}
