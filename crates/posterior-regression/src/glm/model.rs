//! The model: a distribution, rows and a prior, as one value that every inference takes.

use posterior_dist::target::{EvalError, GradTarget, HessianTarget, Target};
use posterior_math::check;
use posterior_math::linalg::DMatrix;

use super::family::Family;
use super::observations::GlmData;
use super::pass::{At, Pass, Want, pass};
use super::prior::CoefficientPrior;
use super::response_distribution::{Curvature, ResponseDistribution};
use crate::Error;

/// A generalised linear model of some rows: ηᵢ = oᵢ + xᵢᵀβ, yᵢ ~ distribution(ηᵢ, wᵢ, φ), with a Gaussian
/// prior of β (flat by default).
///
/// The same value goes up the whole comparison of inference: [`fit`](Self::fit) for the most likely or most
/// probable coefficients, [`laplace`](Self::laplace), and as a [`Target`] with gradient and Hessian of ln
/// p(y, β) for samplers and the rest (see [`comparison`](crate::comparison)).
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::{CoefficientPrior, Family, GlmFitOptions, Glm, GlmData};
///
/// // Five rows: an intercept and x = -2, …, 2.
/// let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
/// let successes = [0.0, 0.0, 1.0, 0.0, 1.0];
/// let data = GlmData::new(&design, &successes)?.with_names(["intercept", "x"])?;
/// let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
///
/// let fitted = model.fit(&GlmFitOptions::default(), &mut Silent)?.model;
/// assert!((fitted.coefficients[1] - 0.617421377040).abs() < 1e-12);
/// let posterior = model.laplace(&GlmFitOptions::default())?;
/// assert!((posterior.ln_evidence - -3.692762634879).abs() < 1e-12);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # References
/// P. McCullagh, J. A. Nelder, Generalized linear models, 2nd ed., 1989.
#[derive(Debug, Clone, PartialEq)]
pub struct Glm<'a, L = Family> {
    distribution: L,
    data: GlmData<'a>,
    prior: CoefficientPrior,
    dispersion: Option<f64>,
    /// Σ ln p(yᵢ | μᵢ = yᵢ) at the known dispersion, 0 where it is not known.
    ln_best: f64,
}

impl<'a, L: ResponseDistribution + Sync> Glm<'a, L> {
    /// The model of these rows, with a flat prior, and with the dispersion of the distribution if that is
    /// known.
    ///
    /// # Errors
    /// A response that the distribution does not have, with its row.
    pub fn new(distribution: L, data: GlmData<'a>) -> Result<Self, Error> {
        for (row, &value) in data.response().iter().enumerate() {
            if let Some(requirement) = distribution.requirement(value) {
                return Err(Error::Observation { what: "the response", row, value, requirement });
            }
        }
        let prior = CoefficientPrior::flat(data.columns());
        let dispersion = distribution.known_dispersion();
        let model = Self { distribution, data, prior, dispersion, ln_best: 0.0 };
        let ln_best = dispersion.and_then(|dispersion| model.ln_best(dispersion)).unwrap_or(0.0);
        Ok(Self { ln_best, ..model })
    }

    /// With this prior of the coefficients.
    ///
    /// # Errors
    /// A prior of another number of coefficients.
    pub fn with_prior(self, prior: CoefficientPrior) -> Result<Self, Error> {
        let columns = self.data.columns();
        Ok(Self { prior: prior.of_columns(columns)?, ..self })
    }

    /// With a dispersion φ that is known: the variance of Gaussian noise, the squared coefficient of
    /// variation of a gamma distribution; or another one than 1 for counts and proportions
    /// (quasi-likelihood).
    ///
    /// # Errors
    /// A dispersion that is not positive and finite.
    pub fn with_dispersion(self, dispersion: f64) -> Result<Self, Error> {
        check::positive("Glm", "dispersion", dispersion)?;
        let ln_best = self.ln_best(dispersion).unwrap_or(0.0);
        Ok(Self { dispersion: Some(dispersion), ln_best, ..self })
    }

    /// The distribution of the responses.
    pub const fn distribution(&self) -> &L {
        &self.distribution
    }

    /// The rows.
    pub const fn data(&self) -> &GlmData<'a> {
        &self.data
    }

    /// The prior of the coefficients.
    pub const fn prior(&self) -> &CoefficientPrior {
        &self.prior
    }

    /// φ, where it is known.
    pub const fn dispersion(&self) -> Option<f64> {
        self.dispersion
    }

    /// ln p(y | β) at this dispersion; None for distributions of which only the variance is known
    /// (quasi-likelihood).
    ///
    /// # Panics
    /// Unless there is one coefficient for each column.
    #[track_caller]
    pub fn ln_likelihood(&self, coefficients: &[f64], dispersion: f64) -> Option<f64> {
        assert_eq!(coefficients.len(), self.data.columns(), "one coefficient for each column");
        let value =
            pass(&self.distribution, &self.data, At::Coefficients(coefficients), Want::Value, 1).value;
        Some(value / dispersion + self.ln_best(dispersion)?)
    }

    /// Σ ln p(yᵢ | μᵢ = yᵢ).
    pub(crate) fn ln_best(&self, dispersion: f64) -> Option<f64> {
        let mut sum = 0.0;
        for (row, &y) in self.data.response().iter().enumerate() {
            let weight = self.data.weight(row);
            if weight > 0.0 {
                sum += self.distribution.ln_best(y, weight, dispersion)?;
            }
        }
        Some(sum)
    }

    /// The parts of ln p(y, β) at a dispersion, all but the constants: likelihood and prior together.
    pub(super) fn joint(&self, coefficients: &[f64], dispersion: f64, want: Want) -> Pass {
        let mut sums = pass(&self.distribution, &self.data, At::Coefficients(coefficients), want, 1);
        self.add_prior(&mut sums, coefficients, dispersion, want);
        sums
    }

    pub(super) fn add_prior(&self, sums: &mut Pass, coefficients: &[f64], dispersion: f64, want: Want) {
        sums.value = sums.value / dispersion + self.prior.ln_density(coefficients);
        if want == Want::Value {
            return;
        }
        for slope in &mut sums.gradient {
            *slope /= dispersion;
        }
        self.prior.add_gradient(coefficients, &mut sums.gradient);
        if let Want::Information(_) = want {
            sums.information /= dispersion;
            for (j, precision) in self.prior.precision().iter().enumerate() {
                sums.information[(j, j)] += precision;
            }
        }
    }

    /// ln p(y, β) and its derivatives, all constants included.
    fn evaluate(&self, coefficients: &[f64], want: Want) -> Result<Pass, EvalError> {
        let Some(dispersion) = self.dispersion else {
            return Err(EvalError::fatal("the dispersion is not known: give it by `with_dispersion`"));
        };
        let mut sums = self.joint(coefficients, dispersion, want);
        // The constant of a quasi-likelihood is not known; it does not depend on the coefficients.
        sums.value += self.ln_best;
        if sums.value.is_nan() || sums.value == f64::INFINITY {
            return Err(EvalError::reject("the log-likelihood has no value"));
        }
        Ok(sums)
    }
}

/// ln p(y, β) = ln p(y | β) + ln p(β), for a dispersion that is known.
impl<L: ResponseDistribution + Sync> Target for Glm<'_, L> {
    fn dim(&self) -> usize {
        self.data.columns()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.evaluate(x, Want::Value)?.value)
    }
}

impl<L: ResponseDistribution + Sync> GradTarget for Glm<'_, L> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let sums = self.evaluate(x, Want::Gradient)?;
        gradient.copy_from_slice(&sums.gradient);
        Ok(sums.value)
    }
}

impl<L: ResponseDistribution + Sync> HessianTarget for Glm<'_, L> {
    fn ln_density_hessian(
        &self,
        x: &[f64],
        gradient: &mut [f64],
        hessian: &mut DMatrix<f64>,
    ) -> Result<f64, EvalError> {
        let sums = self.evaluate(x, Want::Information(Curvature::Observed))?;
        gradient.copy_from_slice(&sums.gradient);
        hessian.copy_from(&sums.information);
        hessian.neg_mut();
        Ok(sums.value)
    }
}
