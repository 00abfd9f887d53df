//! The Matérn family of half-integer order: functions with p derivatives that forget where they were.

use std::sync::Arc;

use posterior_math::autodiff::Real;
use posterior_math::check::{self, ParamError};

use super::block::Block;
use super::closed_integral::write_moments;
use super::dynamics::Dynamics;
use super::polynomial::{exponent, factorial};

/// The largest p: from there on the states are of too different sizes.
const LARGEST_ORDER: usize = 7;

/// Matérn with ν = p + 1/2 and variance 1: (d/dt + λ)^(p+1) f = white noise, λ = √(2ν) / l.
///
/// The states are f and its first p derivatives.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matern {
    order: usize,
    /// Of each e^u Aᵢⱼ λ^(j-i), the p + 1 coefficients of the polynomial in u = λ t.
    transition: Arc<[f64]>,
    /// For i ≤ j and r ≤ i + j the coefficient of (-a/2)ʳ E(a) in Qᵢⱼ.
    noise: Arc<[f64]>,
}

impl Matern {
    pub(super) fn new(order: usize) -> Result<Self, ParamError> {
        check::require(order <= LARGEST_ORDER, "Process", "order", order as f64, "at most 7")?;
        Ok(Self {
            order,
            transition: transition_coefficients(order).into(),
            noise: noise_coefficients(order).into(),
        })
    }

    pub(super) const fn name(&self) -> &'static str {
        match self.order {
            0 => "matern12",
            1 => "matern32",
            2 => "matern52",
            _ => "matern",
        }
    }

    /// λ.
    fn rate<R: Real>(&self, parameters: &[R]) -> R {
        parameters[0].recip() * ((2 * self.order + 1) as f64).sqrt()
    }

    /// From this u = λ t on the noise is P - A P Aᵀ, without cancellation.
    fn is_long(&self, u: f64) -> bool {
        u > 8.0 + 4.0 * self.order as f64
    }

    fn write_transition<R: Real>(&self, rate: R, u: R, transition: &mut Block<'_, R>) {
        let n = self.order + 1;
        let decay = (-u).exp();
        let entries = self.transition.chunks_exact(n).enumerate();
        for (place, coefficients) in entries {
            let (i, j) = (place % n, place / n);
            let value = if decay.value() == 0.0 {
                R::constant(0.0)
            } else {
                let last = R::constant(coefficients[n - 1]);
                let polynomial =
                    coefficients[..n - 1].iter().rev().fold(last, |sum, &coefficient| sum * u + coefficient);
                decay * polynomial * power(rate, exponent(i) - exponent(j))
            };
            transition.set(i, j, value);
        }
    }

    /// Qᵢⱼ = q ∫ φ⁽ⁱ⁾ φ⁽ʲ⁾ dt for the response φ = tᵖ e^(-λt) / p!: sums of ∫ tᵏ e^(-2λt) dt.
    fn write_short_noise<R: Real>(&self, rate: R, u: R, noise: &mut Block<'_, R>) {
        let p = self.order;
        let (a, twice) = (u * 2.0, rate * 2.0);
        let mut moments = [R::constant(0.0); 2 * LARGEST_ORDER + 1];
        write_moments(a, &mut moments[..=2 * p]);
        let mut coefficients = self.noise.iter();
        for j in 0..=p {
            for i in 0..=j {
                let mut sum = R::constant(0.0);
                let mut factor = R::constant(1.0);
                let row = coefficients.by_ref().take(i + j + 1);
                for (&coefficient, &moment) in row.zip(&moments[2 * p - i - j..]) {
                    sum += factor * moment * coefficient;
                    factor = -(factor * u);
                }
                let scale = power(a, exponent(2 * p + 1 - i - j)) * power(twice, exponent(i + j));
                noise.set_both(i, j, scale * sum);
            }
        }
    }

    /// P - A P Aᵀ.
    fn write_long_noise<R: Real>(&self, rate: R, u: R, noise: &mut Block<'_, R>) {
        let n = self.order + 1;
        let zero = R::constant(0.0);
        let mut entries = [zero; (LARGEST_ORDER + 1) * (LARGEST_ORDER + 1)];
        self.write_transition(rate, u, &mut Block::whole(&mut entries[..n * n], n));
        let mut moved = [zero; LARGEST_ORDER + 1];
        for i in 0..n {
            for (k, moved) in moved[..n].iter_mut().enumerate() {
                *moved = zero;
                for l in (k % 2..n).step_by(2) {
                    *moved += entries[l * n + i] * self.stationary(rate, l, k);
                }
            }
            for j in i..n {
                let mut remembered = zero;
                for (k, &moved) in moved[..n].iter().enumerate() {
                    remembered += moved * entries[k * n + j];
                }
                noise.set_both(i, j, self.stationary(rate, i, j) - remembered);
            }
        }
    }

    /// Cov[f⁽ⁱ⁾, f⁽ʲ⁾] = (-1)^((i-j)/2) λ^(2m) Π (k + 1/2) / (p - 1/2 - k), k < m = (i + j)/2; zero where i +
    /// j is odd.
    fn stationary<R: Real>(&self, rate: R, i: usize, j: usize) -> R {
        if (i + j) % 2 == 1 {
            return R::constant(0.0);
        }
        let sign = if i.abs_diff(j).is_multiple_of(4) { 1.0 } else { -1.0 };
        let moment: f64 = (0..usize::midpoint(i, j))
            .map(|k| (k as f64 + 0.5) / (self.order as f64 - 0.5 - k as f64))
            .product();
        power(rate, exponent(i + j)) * (sign * moment)
    }
}

impl Dynamics for Matern {
    fn states(&self) -> usize {
        self.order + 1
    }

    fn step<R: Real>(
        &self,
        parameters: &[R],
        dt: f64,
        transition: &mut Block<'_, R>,
        noise: &mut Block<'_, R>,
    ) {
        let rate = self.rate(parameters);
        let u = rate * dt;
        self.write_transition(rate, u, transition);
        if self.is_long(u.value()) {
            self.write_long_noise(rate, u, noise);
        } else {
            self.write_short_noise(rate, u, noise);
        }
    }

    fn covariance<R: Real>(&self, parameters: &[R], _: f64, covariance: &mut Block<'_, R>) {
        let rate = self.rate(parameters);
        for j in 0..=self.order {
            for i in 0..=j {
                covariance.set_both(i, j, self.stationary(rate, i, j));
            }
        }
    }
}

/// xⁿ; 1 for n = 0 whatever x is, and without a call for the small powers that occur.
fn power<R: Real>(x: R, n: i32) -> R {
    match n {
        -1 => R::constant(1.0) / x,
        0 => R::constant(1.0),
        1 => x,
        2 => x * x,
        3 => x * x * x,
        _ => x.powi(n),
    }
}

/// e^(λt) f is a polynomial of degree p whose Taylor coefficients the states give:
/// f(t) = e^(-u) Σₖ uᵏ/k! Σⱼ C(k, j) λ⁻ʲ f⁽ʲ⁾(0). Row i is its i-th derivative.
///
/// The sums are of integers, divided by p! in the end: what cancels, cancels exactly.
fn transition_coefficients(order: usize) -> Vec<f64> {
    let n = order + 1;
    let mut coefficients = vec![0.0; n * n * n];
    for j in 0..n {
        for i in 0..n {
            let entry = &mut coefficients[(j * n + i) * n..][..n];
            for k in j..n {
                for m in i.saturating_sub(k)..=i {
                    let sign = if m % 2 == 0 { 1.0 } else { -1.0 };
                    let degree = k + m - i;
                    if degree < n {
                        entry[degree] +=
                            sign * binomial(i, m) * binomial(k, j) * (factorial(order) / factorial(degree));
                    }
                }
            }
            for coefficient in entry {
                *coefficient /= factorial(order);
            }
        }
    }
    coefficients
}

/// Σ C(i, m) C(j, l) / ((p - i + m)! (p - j + l)!) over m + l = r, times p!² / (2p)!, from q = (2λ)^(2p+1)
/// p!² / (2p)!.
fn noise_coefficients(order: usize) -> Vec<f64> {
    let shared = factorial(order) * factorial(order) / factorial(2 * order);
    let mut coefficients = Vec::new();
    for j in 0..=order {
        for i in 0..=j {
            let mut sums = vec![0.0; i + j + 1];
            for m in 0..=i {
                for l in 0..=j {
                    let falling = factorial(order - i + m) * factorial(order - j + l);
                    sums[m + l] += binomial(i, m) * binomial(j, l) / falling;
                }
            }
            coefficients.extend(sums.iter().map(|sum| sum * shared));
        }
    }
    coefficients
}

fn binomial(n: usize, k: usize) -> f64 {
    factorial(n) / (factorial(k) * factorial(n - k))
}
