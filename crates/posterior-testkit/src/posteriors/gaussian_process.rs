//! The hyperparameters of a Gaussian process.

use posterior_dist::formula::{gamma, half_normal, multivariate_normal};
use posterior_dist::target::{EvalError, GradTarget, Joint, JointModel, Target};
use posterior_math::autodiff::Real;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::model::{Parameters, checked};
use super::scale_prior::ScalePrior;

/// ρ ~ Gamma(shape, rate).
const RHO: (f64, f64) = (25.0, 4.0);
const ALPHA_PRIOR: ScalePrior = ScalePrior::HalfNormal(2.0);
const SIGMA_PRIOR: ScalePrior = ScalePrior::HalfNormal(1.0);

/// y ~ N(0, K) with K = α² exp(-(x - x')² / (2 ρ²)) + σ I; the free coordinates are (ln ρ, ln α, ln σ).
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianProcess {
    /// (x - x')².
    distances: DMatrix<f64>,
    response: DVector<f64>,
}

impl GaussianProcess {
    /// The posterior of these points of the line and the values there.
    ///
    /// # Panics
    /// If there are more of the one than of the other.
    #[track_caller]
    pub fn new(x: &[f64], y: Vec<f64>) -> Self {
        assert_eq!(x.len(), y.len(), "points and values");
        let distances = DMatrix::from_fn(x.len(), x.len(), |i, j| (x[i] - x[j]).powi(2));
        Self { distances, response: DVector::from_vec(y) }
    }
}

impl Target for GaussianProcess {
    fn dim(&self) -> usize {
        3
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(free, &mut [0.0; 3])
    }
}

impl GradTarget for GaussianProcess {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let [rho, alpha, sigma] = [free[0].exp(), free[1].exp(), free[2].exp()];
        let n = self.response.len();
        let smooth = self.distances.map(|square| alpha * alpha * (-0.5 * square / (rho * rho)).exp());
        let covariance = &smooth + DMatrix::from_diagonal_element(n, n, sigma);
        let factor = Cholesky::decompose(covariance).map_err(|error| EvalError::reject(error.to_string()))?;
        let weights = factor.solve_vector(&self.response);
        let inverse = factor.inverse();
        // d ln N(y | 0, K) = ½ Σ (w wᵀ - K⁻¹) dK.
        let (mut by_rho, mut by_alpha, mut by_sigma) = (0.0, 0.0, 0.0);
        for j in 0..n {
            for i in 0..n {
                let half = 0.5 * (weights[i] * weights[j] - inverse[(i, j)]);
                let common = half * smooth[(i, j)];
                by_rho += common * self.distances[(i, j)] / (rho * rho);
                by_alpha += 2.0 * common;
                by_sigma += if i == j { half * sigma } else { 0.0 };
            }
        }
        let (shape, rate) = RHO;
        gradient[0] = by_rho + shape - rate * rho;
        gradient[1] = by_alpha + ALPHA_PRIOR.ln_derivative(alpha) + 1.0;
        gradient[2] = by_sigma + SIGMA_PRIOR.ln_derivative(sigma) + 1.0;
        let prior =
            shape * free[0] - rate * rho + ALPHA_PRIOR.ln_density(alpha) + SIGMA_PRIOR.ln_density(sigma);
        let jacobian = free[1] + free[2];
        checked(prior + jacobian - 0.5 * (self.response.dot(&weights) + factor.ln_determinant()))
    }
}

impl JointModel for GaussianProcess {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let [rho, alpha, sigma] = ["rho", "alpha", "sigma"].map(|name| joint.positive(name));
        joint.add(gamma(rho, 25.0, 4.0));
        joint.add(half_normal(alpha, 2.0));
        joint.add(half_normal(sigma, 1.0));
        // K = L Lᵀ, row by row, each with its elements of the columns before it.
        let n = self.response.len();
        let mut factor = vec![R::from(0.0); n * n];
        for i in 0..n {
            for j in 0..=i {
                let smooth = alpha * alpha * (-(rho * rho).recip() * (0.5 * self.distances[(i, j)])).exp();
                let noise = if i == j { sigma } else { R::from(0.0) };
                let rest =
                    (0..j).fold(smooth + noise, |rest, k| rest - factor[k * n + i] * factor[k * n + j]);
                factor[j * n + i] = if i == j { rest.sqrt() } else { rest / factor[j * n + j] };
            }
        }
        let response: Vec<R> = self.response.iter().map(|&y| R::from(y)).collect();
        joint.add(multivariate_normal(&response, &vec![R::from(0.0); n], &factor));
    }
}

/// ρ, α, σ.
impl Parameters for GaussianProcess {
    fn constrain(&self, free: &[f64], parameters: &mut [f64]) {
        for (parameter, u) in parameters.iter_mut().zip(free) {
            *parameter = u.exp();
        }
    }

    fn unconstrain(&self, parameters: &[f64]) -> Vec<f64> {
        parameters.iter().map(|parameter| parameter.ln()).collect()
    }
}
