//! Linear regression with normal noise.

use posterior_dist::formula::normal;
use posterior_dist::target::{EvalError, GradTarget, Joint, JointModel, Target};
use posterior_math::autodiff::Real;
use posterior_math::linalg::{DMatrix, DVector};

use super::model::{Parameters, checked};
use super::scale_prior::ScalePrior;

/// y ~ N(X β, σ²), with independent normal priors of β or a flat one; the free coordinates are (β, ln σ).
///
/// The likelihood depends on the data through β̂, the least sum of squares S and the triangle R of X = Q R
/// alone:
/// |y - X β|² = S + |R (β - β̂)|². The [`JointModel`] adds the residuals one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearRegression {
    design: DMatrix<f64>,
    response: DVector<f64>,
    /// R, row by row, from the diagonal on.
    triangle: Vec<f64>,
    least_squares: Vec<f64>,
    least: f64,
    /// 1 / variance of the priors of β.
    prior_precision: f64,
    sigma_prior: ScalePrior,
}

impl LinearRegression {
    /// The posterior of these data, with one row of `design` for each number of `response`; `beta_sd` is +∞
    /// for a flat prior of β.
    ///
    /// # Panics
    /// If the sizes differ, or the columns of the design are linearly dependent.
    #[track_caller]
    pub fn new(design: DMatrix<f64>, response: Vec<f64>, beta_sd: f64, sigma_prior: ScalePrior) -> Self {
        let response = DVector::from_vec(response);
        let p = design.ncols();
        let decomposition = design.clone().qr();
        let (q, r) = (decomposition.q(), decomposition.r());
        let least_squares = r.solve_upper_triangular(&q.tr_mul(&response));
        let least_squares = least_squares.unwrap_or_else(|| super::fail("dependent columns"));
        let least = (&response - &design * &least_squares).norm_squared();
        Self {
            triangle: (0..p).flat_map(|i| (i..p).map(move |j| (i, j))).map(|at| r[at]).collect(),
            least_squares: least_squares.as_slice().to_vec(),
            least,
            prior_precision: beta_sd.powi(-2),
            sigma_prior,
            design,
            response,
        }
    }

    /// |y - X β|², and adds `scale` times its gradient.
    fn squares(&self, beta: &[f64], mut add: impl FnMut(usize, f64)) -> f64 {
        let p = beta.len();
        let mut sum = self.least;
        let mut rest = self.triangle.as_slice();
        for i in 0..p {
            let row;
            (row, rest) = rest.split_at(p - i);
            let errors = beta[i..].iter().zip(&self.least_squares[i..]);
            let product: f64 = row.iter().zip(errors).map(|(r, (b, b0))| r * (b - b0)).sum();
            sum += product * product;
            for (j, r) in row.iter().enumerate() {
                add(i + j, 2.0 * r * product);
            }
        }
        sum
    }

    fn rows(&self) -> f64 {
        self.response.len() as f64
    }
}

impl Target for LinearRegression {
    fn dim(&self) -> usize {
        self.least_squares.len() + 1
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        self.ln_density_grad(free, &mut vec![0.0; free.len()])
    }
}

impl GradTarget for LinearRegression {
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (beta, ln_sigma) = free.split_at(self.least_squares.len());
        let sigma = ln_sigma[0].exp();
        let half_precision = 0.5 * sigma.powi(-2);
        for (slope, b) in gradient.iter_mut().zip(beta) {
            *slope = -self.prior_precision * b;
        }
        let squares = self.squares(beta, |j, derivative| gradient[j] -= half_precision * derivative);
        gradient[beta.len()] =
            2.0 * half_precision * squares - self.rows() + self.sigma_prior.ln_derivative(sigma) + 1.0;
        let prior = -0.5 * self.prior_precision * beta.iter().map(|b| b * b).sum::<f64>();
        checked(
            prior + self.sigma_prior.ln_density(sigma) + (1.0 - self.rows()) * ln_sigma[0]
                - half_precision * squares,
        )
    }
}

impl JointModel for LinearRegression {
    fn write<R: Real>(&self, joint: &mut Joint<'_, R>) {
        let beta = joint.reals("beta", self.least_squares.len());
        let sigma = joint.positive("sigma");
        joint.add(self.sigma_prior.ln_density(sigma));
        for &b in &beta {
            joint.add(b * b * (-0.5 * self.prior_precision)); // also of a flat prior
        }
        for (row, &y) in self.design.row_iter().zip(&self.response) {
            let mean: R = row.iter().zip(&beta).map(|(&x, &b)| b * x).sum();
            joint.add(normal(y, mean, sigma));
        }
    }
}

impl Parameters for LinearRegression {
    fn constrain(&self, free: &[f64], parameters: &mut [f64]) {
        let last = free.len() - 1;
        parameters.copy_from_slice(free);
        parameters[last] = free[last].exp();
    }

    fn unconstrain(&self, parameters: &[f64]) -> Vec<f64> {
        let mut free = parameters.to_vec();
        let last = free.len() - 1;
        free[last] = parameters[last].ln();
        free
    }
}
