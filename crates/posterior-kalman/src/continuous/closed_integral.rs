//! ∫₀¹ uᵏ e^(-a u) du: what the noise of a damped process is made of.

use posterior_math::autodiff::Real;

/// Writes Eₖ(a) = ∫₀¹ uᵏ e^(-a u) du for k = 0, 1, …, and a ≥ 0.
///
/// Upwards by k Eₖ₋₁ = a Eₖ + e^(-a) where a is large; elsewhere the last by its series, all of whose terms
/// are positive, and from there downwards: nothing cancels.
pub(super) fn write_moments<R: Real>(a: R, moments: &mut [R]) {
    let Some(last) = moments.len().checked_sub(1) else { return };
    let decay = (-a).exp();
    if a.value() > last as f64 + 2.0 {
        moments[0] = -(-a).exp_m1() / a;
        for k in 1..=last {
            moments[k] = (moments[k - 1] * k as f64 - decay) / a;
        }
    } else {
        moments[last] = decay * series(a, last);
        for k in (1..=last).rev() {
            moments[k - 1] = (a * moments[k] + decay) / k as f64;
        }
    }
}

/// e^a Eₖ(a) = Σ aᵐ / ((k + 1) (k + 2) … (k + 1 + m)).
fn series<R: Real>(a: R, k: usize) -> R {
    let mut factor = (k + 1) as f64;
    let mut term = R::constant(1.0 / factor);
    let mut sum = term;
    // The ratio of terms falls below a/(a + m): at most a hundred are needed where a < 40.
    while term.value() > sum.value() * (0.25 * f64::EPSILON) {
        factor += 1.0;
        term = term * a / factor;
        sum += term;
    }
    sum
}
