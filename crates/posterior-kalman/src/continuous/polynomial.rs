//! Constants, straight lines, and the Wiener process with its integrals: transitions that are polynomials of
//! time.

use posterior_math::autodiff::Real;

use super::block::Block;
use super::dynamics::Dynamics;

/// f(t) = w with a standard normal w: k = 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Constant;

/// f(t) = w t with a standard normal w: k = s t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Linear;

/// The p-th integral of the Wiener process, with its derivatives as states; all zero at time 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct IntegratedWiener {
    pub(super) integrals: usize,
}

impl Dynamics for Constant {
    fn states(&self) -> usize {
        1
    }

    fn step<R: Real>(&self, _: &[R], _: f64, transition: &mut Block<'_, R>, noise: &mut Block<'_, R>) {
        transition.set(0, 0, R::constant(1.0));
        noise.set(0, 0, R::constant(0.0));
    }

    fn covariance<R: Real>(&self, _: &[R], _: f64, covariance: &mut Block<'_, R>) {
        covariance.set(0, 0, R::constant(1.0));
    }
}

impl Dynamics for Linear {
    fn states(&self) -> usize {
        2
    }

    fn is_stationary(&self) -> bool {
        false
    }

    fn step<R: Real>(&self, _: &[R], dt: f64, transition: &mut Block<'_, R>, noise: &mut Block<'_, R>) {
        write_taylor(2, dt, transition);
        noise.map(2, |_| R::constant(0.0));
    }

    fn covariance<R: Real>(&self, _: &[R], time: f64, covariance: &mut Block<'_, R>) {
        covariance.set(0, 0, R::constant(time * time));
        covariance.set_both(0, 1, R::constant(time));
        covariance.set(1, 1, R::constant(1.0));
    }
}

impl IntegratedWiener {
    pub(super) const fn name(self) -> &'static str {
        match self.integrals {
            0 => "wiener",
            1 => "integrated_wiener",
            _ => "repeatedly_integrated_wiener",
        }
    }
}

impl Dynamics for IntegratedWiener {
    fn states(&self) -> usize {
        self.integrals + 1
    }

    fn origin(&self) -> f64 {
        0.0
    }

    fn is_stationary(&self) -> bool {
        false
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        write_taylor(self.states(), dt, transition);
        self.covariance(parameters, dt, noise);
    }

    /// Qᵢⱼ = t^(2p+1-i-j) / ((2p + 1 - i - j) (p - i)! (p - j)!).
    fn covariance<R: Real>(&self, _: &[R], time: f64, covariance: &mut Block<'_, R>) {
        let p = self.integrals;
        for j in 0..=p {
            for i in 0..=j {
                let power = 2 * p + 1 - i - j;
                let scale = power as f64 * factorial(p - i) * factorial(p - j);
                covariance.set_both(i, j, R::constant(time.powi(exponent(power)) / scale));
            }
        }
    }
}

/// e^(N t) for the shift N: Taylor's formula for a function and its derivatives.
fn write_taylor<R: Real>(n: usize, dt: f64, transition: &mut Block<'_, R>) {
    for j in 0..n {
        for i in 0..n {
            let value = if j < i { 0.0 } else { dt.powi(exponent(j - i)) / factorial(j - i) };
            transition.set(i, j, R::constant(value));
        }
    }
}

/// n!, for the few that occur.
pub(super) fn factorial(n: usize) -> f64 {
    (2..=n).map(|k| k as f64).product()
}

/// A small number, below 128, as an exponent.
pub(super) fn exponent(n: usize) -> i32 {
    i32::from(n as i8)
}
