//! Distributions of vectors, and of the factors of correlation matrices.

use std::f64::consts::PI;

use posterior_math::autodiff::Real;

use super::edges::{positive, where_possible};
use super::gamma_ratio::ln_gamma_ratio;
use super::line::HALF_LN_TAU;

/// ln p(x) of [`Dirichlet`](crate::Dirichlet), of proportions that add up to 1.
///
/// # Panics
/// If there are not as many proportions as concentrations.
#[track_caller]
pub fn dirichlet<R: Real>(x: &[R], concentration: &[R]) -> R {
    assert_eq!(x.len(), concentration.len(), "proportions and concentrations");
    let valid = concentration.iter().all(|&alpha| positive(alpha));
    where_possible(valid, x.iter().all(|&x| positive(x)), || {
        let total: R = concentration.iter().copied().sum();
        let terms = x.iter().zip(concentration).map(|(&x, &alpha)| x.ln() * (alpha - 1.0) - alpha.ln_gamma());
        total.ln_gamma() + terms.sum::<R>()
    })
}

/// ln p(x) of a multivariate normal distribution with the covariance L Lᵀ, in d² steps.
///
/// `factor` is the lower triangle L of d x d numbers, column after column; what is above the diagonal is not
/// read.
///
/// # Panics
/// If the sizes do not fit.
#[track_caller]
pub fn multivariate_normal<R: Real>(x: &[R], mean: &[R], factor: &[R]) -> R {
    let d = x.len();
    assert_eq!(mean.len(), d, "coordinates of the mean");
    assert_eq!(factor.len(), d * d, "elements of the factor");
    let valid = (0..d).all(|i| positive(factor[i * d + i]));
    where_possible(valid, true, || {
        let mut rest: Vec<R> = x.iter().zip(mean).map(|(&x, &mean)| x - mean).collect();
        let mut sum = R::from(-HALF_LN_TAU * d as f64);
        for j in 0..d {
            let z = rest[j] / factor[j * d + j];
            sum += z * z * -0.5 - factor[j * d + j].ln();
            for i in j + 1..d {
                rest[i] = rest[i] - factor[j * d + i] * z;
            }
        }
        sum
    })
}

/// ln p(L) of the Cholesky factor L of a correlation matrix R = L Lᵀ whose density is ∝ det(R)^(η - 1), by
/// the elements of L below the diagonal.
///
/// `factor` is as for [`multivariate_normal`], of `size` rows. η = 1 is uniform on the correlation matrices.
///
/// # References
/// D. Lewandowski, D. Kurowicka, H. Joe, Generating random correlation matrices based on vines and extended
/// onion method, J. Multivariate Analysis 100, 2009.
///
/// # Panics
/// If `factor` does not have `size`² numbers.
#[track_caller]
pub fn correlation_factor<R: Real>(factor: &[R], size: usize, concentration: impl Into<R>) -> R {
    let eta = concentration.into();
    assert_eq!(factor.len(), size * size, "elements of the factor");
    let valid = (0..size).all(|i| positive(factor[i * size + i]));
    where_possible(positive(eta), valid, || {
        let largest = size.saturating_sub(1) as f64 * 0.5;
        let terms = (1..size).map(|i| {
            // det(R)^(η - 1) and dR / dL of row i, and the constant of i coordinates.
            let of_diagonal = factor[i * size + i].ln() * ((eta - 1.0) * 2.0 + (size - 1 - i) as f64);
            let half = i as f64 * 0.5;
            of_diagonal + ln_gamma_ratio(eta + (largest - half), R::from(half)) - half * PI.ln()
        });
        terms.sum()
    })
}
