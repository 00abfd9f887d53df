//! The distributions between a prior and a posterior: p_β(x) ∝ prior(x) likelihood(x)^β.

use posterior_dist::target::{EvalError, GradTarget, Target};
use posterior_math::check;

use crate::Error;

/// One distribution of the path from a prior, β = 0, to the posterior, β = 1: ln p_β(x) = ln prior(x) + β ln
/// likelihood(x).
///
/// Both parts are targets on the same coordinates, and need no constant; the ratio of the integrals at β = 1
/// and β = 0 is the evidence if the prior is normalised and the likelihood has all its factors. It has a
/// gradient if both have one.
///
/// Where the prior is zero the likelihood is not asked, and at β = 0 it never is: 0 ln 0 is 0. β may be above
/// 1, for maxima.
///
/// ```
/// use posterior_dist::target::{FromFn, Target};
/// use posterior_sampling::tempering::Tempered;
///
/// let prior = FromFn::new(1, |x: &[f64]| -0.5 * x[0] * x[0]);
/// let likelihood = FromFn::new(1, |x: &[f64]| -0.5 * (3.0 - x[0]).powi(2));
/// let posterior = Tempered::new(prior, likelihood, 1.0)?;
/// assert_eq!(posterior.ln_density(&[1.0])?, -2.5);
/// assert_eq!(posterior.at(0.5)?.ln_density(&[1.0])?, -1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tempered<P, L> {
    prior: P,
    likelihood: L,
    beta: f64,
}

impl<P: Target, L: Target> Tempered<P, L> {
    /// The distribution at β.
    ///
    /// # Errors
    /// β negative, infinite or NaN; parts of different dimensions.
    pub fn new(prior: P, likelihood: L, beta: f64) -> Result<Self, Error> {
        check::dimension("coordinates of the likelihood", prior.dim(), likelihood.dim())?;
        let beta = check::non_negative("Tempered", "beta", beta)?;
        Ok(Self { prior, likelihood, beta })
    }

    /// The distribution at another β of the same path.
    ///
    /// # Errors
    /// β negative, infinite or NaN.
    pub fn at(&self, beta: f64) -> Result<Tempered<&P, &L>, Error> {
        Tempered::new(&self.prior, &self.likelihood, beta)
    }

    /// ln likelihood(x), the derivative of ln p_β(x) by β; -∞ where it is zero.
    ///
    /// # Errors
    /// As [`ln_density`](Target::ln_density).
    pub fn ln_likelihood(&self, x: &[f64]) -> Result<f64, EvalError> {
        self.likelihood.ln_density(x)
    }
}

impl<P, L> Tempered<P, L> {
    /// The inverse temperature β.
    pub const fn beta(&self) -> f64 {
        self.beta
    }

    /// The prior.
    pub const fn prior(&self) -> &P {
        &self.prior
    }

    /// The likelihood.
    pub const fn likelihood(&self) -> &L {
        &self.likelihood
    }
}

impl<P: Target, L: Target> Target for Tempered<P, L> {
    fn dim(&self) -> usize {
        self.prior.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        let ln_prior = self.prior.ln_density(x)?;
        if self.beta == 0.0 || ln_prior == f64::NEG_INFINITY {
            return Ok(ln_prior);
        }
        Ok(ln_prior + self.beta * self.likelihood.ln_density(x)?)
    }
}

impl<P: GradTarget, L: GradTarget> GradTarget for Tempered<P, L> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let ln_prior = self.prior.ln_density_grad(x, gradient)?;
        if self.beta == 0.0 || ln_prior == f64::NEG_INFINITY {
            return Ok(ln_prior);
        }
        let mut part = vec![0.0; gradient.len()];
        let ln_likelihood = self.likelihood.ln_density_grad(x, &mut part)?;
        for (total, more) in gradient.iter_mut().zip(&part) {
            *total += self.beta * more;
        }
        Ok(ln_prior + self.beta * ln_likelihood)
    }
}

/// ln p(x) - ln q(x): the likelihood that turns a distribution q into a target p, so that [`Tempered`] is the
/// geometric path q^(1-β) p^β.
///
/// For a target that is not written as prior and likelihood: q is then a distribution that is wider than p.
/// Where both are zero it is -∞.
///
/// ```
/// use posterior_dist::target::{FromFn, Target};
/// use posterior_sampling::tempering::{Ratio, Tempered};
///
/// let wide = FromFn::new(1, |x: &[f64]| -0.1 * x[0] * x[0]);
/// let narrow = FromFn::new(1, |x: &[f64]| -2.0 * (x[0] - 1.0).powi(2));
/// let half = Tempered::new(&wide, Ratio::new(&narrow, &wide)?, 0.5)?;
/// assert!((half.ln_density(&[3.0])? - 0.5 * (-0.9 - 8.0)).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratio<P, Q> {
    target: P,
    reference: Q,
}

impl<P: Target, Q: Target> Ratio<P, Q> {
    /// p over q.
    ///
    /// # Errors
    /// Different dimensions.
    pub fn new(target: P, reference: Q) -> Result<Self, Error> {
        check::dimension("coordinates of the reference", target.dim(), reference.dim())?;
        Ok(Self { target, reference })
    }
}

impl<P: Target, Q: Target> Target for Ratio<P, Q> {
    fn dim(&self) -> usize {
        self.target.dim()
    }

    fn ln_density(&self, x: &[f64]) -> Result<f64, EvalError> {
        quotient(self.target.ln_density(x)?, self.reference.ln_density(x)?)
    }
}

impl<P: GradTarget, Q: GradTarget> GradTarget for Ratio<P, Q> {
    fn ln_density_grad(&self, x: &[f64], gradient: &mut [f64]) -> Result<f64, EvalError> {
        let ln_target = self.target.ln_density_grad(x, gradient)?;
        let mut part = vec![0.0; gradient.len()];
        let ln_reference = self.reference.ln_density_grad(x, &mut part)?;
        for (total, less) in gradient.iter_mut().zip(&part) {
            *total -= less;
        }
        quotient(ln_target, ln_reference)
    }
}

/// ln p - ln q; a target that is positive where the reference is zero has no finite weight.
fn quotient(ln_target: f64, ln_reference: f64) -> Result<f64, EvalError> {
    if ln_target == f64::NEG_INFINITY {
        Ok(ln_target)
    } else if ln_reference == f64::NEG_INFINITY {
        Err(EvalError::reject("the reference is zero where the target is not"))
    } else {
        Ok(ln_target - ln_reference)
    }
}
