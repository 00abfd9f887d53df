//! The evidence of features as a function of their parameters.

use std::f64::consts::TAU;

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{Cholesky, DMatrix, DVector, gram_of_columns, multiply};

use super::ParametricFeatures;
use crate::Error;
use crate::linear::data::finite;

/// A regression on features with parameters θ, the weights of which are integrated out.
///
/// Its coordinates are θ, and if the scales are fitted too, ln v and ln σ² after it. The density is
/// p(y | θ, v, σ²) p(θ) p(ln v) p(ln σ²), where the priors are flat unless they are set.
///
/// # Cost
/// n F² operations for a value, and as many again for a gradient, whatever the number of parameters.
///
/// # Example
/// ```
/// use posterior_dist::target::Target;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::learned_features::{UnitActivation, HiddenUnits, LearnedFeatures};
///
/// let inputs = DMatrix::from_fn(10, 1, |i, _| 0.3 * i as f64);
/// let response: Vec<f64> = inputs.iter().map(|x| x.sin()).collect();
/// let units = HiddenUnits::new(3, UnitActivation::Tanh)?;
/// let model = LearnedFeatures::new(units, &inputs, &response, 1.0, 0.01)?.with_parameter_prior(1.0)?;
/// assert_eq!(model.dim(), 6);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LearnedFeatures<'a, P> {
    pub(super) features: P,
    pub(super) inputs: &'a DMatrix<f64>,
    pub(super) response: &'a [f64],
    pub(super) weight_variance: f64,
    pub(super) noise_variance: f64,
    /// The precision of the prior of each θ: 0 if it is flat.
    parameter_precision: f64,
    /// The precision of the priors of ln v and ln σ², if these are fitted.
    scale_precision: Option<f64>,
}

impl<'a, P: ParametricFeatures> LearnedFeatures<'a, P> {
    /// The regression with weights N(0, v I) and noise of variance σ², and a flat prior of θ.
    ///
    /// # Errors
    /// If inputs and response have different numbers of rows, a number is not finite, or a variance is not
    /// positive.
    pub fn new(
        features: P,
        inputs: &'a DMatrix<f64>,
        response: &'a [f64],
        weight_variance: f64,
        noise_variance: f64,
    ) -> Result<Self, Error> {
        check::dimension("responses", inputs.nrows(), response.len())?;
        finite("input", inputs.nrows(), inputs.as_slice())?;
        finite("response", inputs.nrows(), response)?;
        let weight_variance = check::positive("LearnedFeatures", "weight variance", weight_variance)?;
        let noise_variance = check::positive("LearnedFeatures", "noise variance", noise_variance)?;
        let (parameter_precision, scale_precision) = (0.0, None);
        Ok(Self {
            features,
            inputs,
            response,
            weight_variance,
            noise_variance,
            parameter_precision,
            scale_precision,
        })
    }

    /// The same regression with θ ~ N(0, t I); infinity is flat.
    ///
    /// # Errors
    /// If the variance is not positive.
    pub fn with_parameter_prior(self, variance: f64) -> Result<Self, ParamError> {
        check::require(variance > 0.0, "LearnedFeatures", "parameter variance", variance, "positive")?;
        Ok(Self { parameter_precision: variance.recip(), ..self })
    }

    /// The same regression where ln v and ln σ² are fitted, with normal distributions around the given values
    /// and this standard deviation; infinity is flat.
    ///
    /// # Errors
    /// If the standard deviation is not positive.
    pub fn with_learned_scales(self, deviation: f64) -> Result<Self, ParamError> {
        check::require(deviation > 0.0, "LearnedFeatures", "deviation of the scales", deviation, "positive")?;
        Ok(Self { scale_precision: Some((deviation * deviation).recip()), ..self })
    }

    /// The number of θ.
    pub fn parameters(&self) -> usize {
        self.features.parameters(self.inputs.ncols())
    }

    /// v and σ² at a point.
    pub(super) fn scales(&self, x: &[f64]) -> (f64, f64) {
        match (self.scale_precision, &x[self.parameters()..]) {
            (Some(_), [ln_weight, ln_noise]) => (ln_weight.exp(), ln_noise.exp()),
            _ => (self.weight_variance, self.noise_variance),
        }
    }

    /// A point with this θ and the scales that were given.
    pub(super) fn point(&self, theta: &[f64]) -> Vec<f64> {
        let mut x = theta.to_vec();
        if self.scale_precision.is_some() {
            x.extend([self.weight_variance.ln(), self.noise_variance.ln()]);
        }
        x
    }

    fn solve(&self, x: &[f64]) -> Result<Solved, EvalError> {
        let (weight_variance, noise_variance) = self.scales(x);
        let design = self.features.design(self.inputs, &x[..self.parameters()]);
        let mut precision = gram_of_columns(&design) / noise_variance;
        for i in 0..precision.nrows() {
            precision[(i, i)] += weight_variance.recip();
        }
        let factor = Cholesky::decompose(precision).map_err(EvalError::reject)?;
        let y = DVector::from_column_slice(self.response);
        let mean = factor.solve_vector(&(design.tr_mul(&y) / noise_variance));
        let residual = y - &design * &mean;
        let distance = residual.norm_squared() / noise_variance + mean.norm_squared() / weight_variance;
        let (rows, features) = (self.response.len() as f64, mean.len() as f64);
        let ln_determinant =
            rows * (TAU * noise_variance).ln() + features * weight_variance.ln() + factor.ln_determinant();
        let ln_evidence = -0.5 * (ln_determinant + distance);
        Ok(Solved { design, factor, mean, residual, ln_evidence })
    }

    /// ln p(y | θ, v, σ²), without the priors.
    ///
    /// # Errors
    /// If the features are not finite, or so large that digits are used up.
    ///
    /// # Panics
    /// May panic if x has not as many coordinates as there are.
    pub fn ln_evidence(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.solve(x)?.checked().map(|solved| solved.ln_evidence)
    }

    /// The logarithm of the priors at a point, up to a constant; adds its gradient.
    fn ln_prior(&self, x: &[f64], gradient: &mut [f64]) -> f64 {
        let mut ln_prior = 0.0;
        let mut add = |index: usize, deviation: f64, precision: f64| {
            ln_prior -= 0.5 * precision * deviation * deviation;
            gradient[index] -= precision * deviation;
        };
        let parameters = self.parameters();
        for (index, &theta) in x[..parameters].iter().enumerate() {
            add(index, theta, self.parameter_precision);
        }
        if let Some(precision) = self.scale_precision {
            add(parameters, x[parameters] - self.weight_variance.ln(), precision);
            add(parameters + 1, x[parameters + 1] - self.noise_variance.ln(), precision);
        }
        ln_prior
    }
}

struct Solved {
    design: DMatrix<f64>,
    factor: Cholesky,
    mean: DVector<f64>,
    residual: DVector<f64>,
    ln_evidence: f64,
}

impl Solved {
    fn checked(self) -> Result<Self, EvalError> {
        if self.ln_evidence.is_finite() {
            Ok(self)
        } else {
            Err(EvalError::reject(format!("ln p(y) is {}", self.ln_evidence)))
        }
    }
}

impl<P: ParametricFeatures> Target for LearnedFeatures<'_, P> {
    fn dim(&self) -> usize {
        self.parameters() + if self.scale_precision.is_some() { 2 } else { 0 }
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        Ok(self.ln_evidence(x)? + self.ln_prior(x, &mut vec![0.0; x.len()]))
    }
}

impl<P: ParametricFeatures> GradTarget for LearnedFeatures<'_, P> {
    /// By the adjoint of the design, ∂ ln p/∂Φ = (r mᵀ - Φ P⁻¹)/σ² with the residuals r = y - Φ m and the
    /// precision P of the weights.
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (weight_variance, noise_variance) = self.scales(x);
        let Solved { design, factor, mean, residual, ln_evidence } = self.solve(x)?.checked()?;
        gradient.fill(0.0);
        let covariance = factor.inverse();
        let adjoint = (&residual * mean.transpose() - multiply(&design, &covariance)) / noise_variance;
        let parameters = self.parameters();
        let (theta, scales) = gradient.split_at_mut(parameters);
        self.features.pull_back(self.inputs, &x[..parameters], &design, &adjoint, theta);
        if let [by_weights, by_noise] = scales {
            let determined = mean.len() as f64 - covariance.trace() / weight_variance;
            *by_weights = 0.5 * (mean.norm_squared() / weight_variance - determined);
            let rows = self.response.len() as f64;
            *by_noise = 0.5 * (residual.norm_squared() / noise_variance + determined - rows);
        }
        Ok(ln_evidence + self.ln_prior(x, gradient))
    }
}
