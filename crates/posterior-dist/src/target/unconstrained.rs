//! Distributions of vectors in the free coordinates of their support.

use posterior_math::bijection::Bijector;
use posterior_math::check::{self, ParamError};

use super::{EvalError, GradTarget, Target, checked};
use crate::density::Density;
use crate::gradient::PointGradient;

/// The distribution of the free coordinates u of a random vector x = f(u): ln p(f(u)) + ln |J|.
///
/// ```
/// use posterior_dist::{Dirichlet, target::{Target, Unconstrained}};
/// use posterior_math::bijection::StickBreaking;
///
/// let distribution = Dirichlet::new(&[1.0, 1.0, 1.0])?;
/// let target = Unconstrained::new(distribution, StickBreaking::new(3)?, 3)?;
/// assert_eq!(target.dim(), 2);
/// // The density 2! of a uniform simplex, times the product of the three proportions.
/// assert!((target.ln_density(&[0.0, 0.0])? - (2.0_f64 / 27.0).ln()).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Unconstrained<D, B> {
    distribution: D,
    bijection: B,
}

impl<D: Density<Point = [f64]>, B: Bijector> Unconstrained<D, B> {
    /// A distribution of vectors of length `dim`, and the bijection of its support.
    ///
    /// # Errors
    /// If the bijection is to vectors of another length.
    pub fn new(distribution: D, bijection: B, dim: usize) -> Result<Self, ParamError> {
        let constrained = bijection.constrained_dim();
        let fits = constrained == dim;
        check::require(
            fits,
            "Unconstrained",
            "constrained_dim",
            constrained as f64,
            "the dimension of the distribution",
        )?;
        Ok(Self { distribution, bijection })
    }

    /// The distribution.
    pub const fn distribution(&self) -> &D {
        &self.distribution
    }

    /// The bijection of its support.
    pub const fn bijection(&self) -> &B {
        &self.bijection
    }

    /// The vector x and ln |J| at free coordinates.
    fn constrain(&self, free: &[f64]) -> (Vec<f64>, f64) {
        let mut x = vec![0.0; self.bijection.constrained_dim()];
        let ln_jacobian = self.bijection.forward(free, &mut x);
        (x, ln_jacobian)
    }
}

impl<D: Density<Point = [f64]>, B: Bijector> Target for Unconstrained<D, B> {
    fn dim(&self) -> usize {
        self.bijection.free_dim()
    }

    fn ln_density(&self, free: &[f64]) -> Result<f64, EvalError> {
        let (x, ln_jacobian) = self.constrain(free);
        checked(self.distribution.ln_pdf(&x) + ln_jacobian)
    }
}

impl<D, B> GradTarget for Unconstrained<D, B>
where
    D: PointGradient<Point = [f64]>,
    B: Bijector,
{
    fn ln_density_grad(&self, free: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let (x, ln_jacobian) = self.constrain(free);
        self.bijection.pull_back(free, &self.distribution.point_gradient(&x), gradient);
        checked(self.distribution.ln_pdf(&x) + ln_jacobian)
    }
}
