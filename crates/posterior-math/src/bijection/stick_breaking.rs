//! Proportions by breaking a stick.

use super::bijector::{Bijector, RealBijector, check_lengths};
use crate::autodiff::Real;
use crate::check::{self, ParamError};
use crate::log_space::logistic;

/// K proportions from K - 1 free numbers: xₖ is the fraction vₖ = σ(yₖ - ln(K - k)) of what x₁ to xₖ₋₁ left.
///
/// y = 0 gives equal proportions. J is that of x₁, …, xₖ₋₁:
/// ln |J| = Σ ln vₖ + ln(1 - vₖ) + ln(1 - x₁ - … - xₖ₋₁).
///
/// The inverse looks at ratios only, so the proportions need not add up to 1. Where nothing is left to break
/// it takes equal parts; a negative proportion gives NaN.
///
/// # References
/// Stan reference manual, chapter "Constraint transforms", section "Unit simplex" (up to version 2.36).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StickBreaking {
    proportions: usize,
}

impl StickBreaking {
    /// The map to so many proportions.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(proportions: usize) -> Result<Self, ParamError> {
        check::positive("StickBreaking", "proportions", proportions as f64)?;
        Ok(Self { proportions })
    }

    /// The logit of the fraction that breaks off, with the proportions that remain after it.
    fn logits<'a, R: Real>(
        &'a self,
        free: &'a [R],
    ) -> impl DoubleEndedIterator<Item = (R, f64)> + ExactSizeIterator + 'a {
        free.iter().enumerate().map(|(k, &y)| {
            let remaining = (self.proportions - 1 - k) as f64;
            (y - remaining.ln(), remaining)
        })
    }
}

impl Bijector for StickBreaking {
    fn free_dim(&self) -> usize {
        self.proportions - 1
    }

    fn constrained_dim(&self) -> usize {
        self.proportions
    }

    #[track_caller]
    fn forward(&self, free: &[f64], constrained: &mut [f64]) -> f64 {
        self.forward_real(free, constrained)
    }

    #[track_caller]
    fn inverse(&self, constrained: &[f64], free: &mut [f64]) {
        check_lengths(self, free.len(), constrained.len());
        // From the end, so that what is left is a sum and not a difference.
        let mut rest = constrained[self.proportions - 1];
        for k in (0..free.len()).rev() {
            let proportion = constrained[k];
            let nothing = proportion == 0.0 && rest == 0.0;
            free[k] = if nothing {
                0.0
            } else {
                proportion.ln() - rest.ln() + ((self.proportions - 1 - k) as f64).ln()
            };
            rest += proportion;
        }
    }

    #[track_caller]
    fn pull_back_scaled(&self, free: &[f64], gradient: &[f64], volume: f64, free_gradient: &mut [f64]) {
        check_lengths(self, free.len(), gradient.len());
        assert_eq!(free.len(), free_gradient.len(), "the number of free coordinates");
        // What was left before each break, and then the adjoint of what is left after it.
        let mut rest = 1.0;
        for (out, (u, _)) in free_gradient.iter_mut().zip(self.logits(free)) {
            *out = rest;
            rest *= logistic(-u);
        }
        let mut adjoint = gradient[self.proportions - 1];
        for (k, (u, remaining)) in self.logits(free).enumerate().rev() {
            let (v, w) = (logistic(u), logistic(-u));
            let of_break = free_gradient[k] * (gradient[k] - adjoint);
            // ln vₖ occurs once, ln(1 - vₖ) for itself and for each proportion but one that follows.
            free_gradient[k] = of_break * v * w + volume * (w - remaining * v);
            adjoint = v * gradient[k] + w * adjoint;
        }
    }
}

impl RealBijector for StickBreaking {
    #[track_caller]
    fn forward_real<R: Real>(&self, free: &[R], constrained: &mut [R]) -> R {
        check_lengths(self, free.len(), constrained.len());
        let (mut rest, mut ln_rest, mut ln_jacobian) = (R::from(1.0), R::from(0.0), R::from(0.0));
        for (x, (u, _)) in constrained.iter_mut().zip(self.logits(free)) {
            *x = rest * u.logistic();
            ln_jacobian += u.ln_logistic() + (-u).ln_logistic() + ln_rest;
            rest = rest * (-u).logistic();
            ln_rest += (-u).ln_logistic();
        }
        constrained[self.proportions - 1] = rest;
        ln_jacobian
    }
}
