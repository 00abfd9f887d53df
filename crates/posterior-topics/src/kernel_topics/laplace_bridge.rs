//! The Laplace bridge: a Dirichlet distribution of proportions as a Gaussian distribution of their logarithms
//! up to a constant, and back.
//!
//! In the softmax basis, `theta = softmax(eta)` with `sum eta = 0`, a Dirichlet density has its mode where
//! `mu_k = ln a_k - mean ln a`, and its curvature there is the inverse of
//! `S_kl = delta_kl / a_k - (1 / a_k + 1 / a_l - (1 / K) sum_j 1 / a_j) / K`. From means and variances,
//! `a_k = (1 - 2 / K + e^(mu_k) sum_l e^(-mu_l) / K^2) / S_kk`, which gives back the concentrations of any
//! such pair.
//!
//! Of other pairs it is an approximation. Where a variance is larger than a Dirichlet distribution with this
//! mean can have, the concentration of a rare topic comes out as about `1 / S_kk`, however small its mean:
//! wide distributions become flatter.
//!
//! # References
//! D. MacKay, Choice of basis for Laplace approximation, Machine Learning 33 (1998); P. Hennig et al., Kernel
//! topic models (2012), equations 5 and 6.

use posterior_math::linalg::DMatrix;
use posterior_math::log_space::ln_sum_exp;
use posterior_math::{ParamError, check};

const TYPE: &str = "LaplaceBridge";

/// Means and variances of the Gaussian distribution for Dirichlet concentrations.
///
/// ```
/// use posterior_topics::kernel_topics::laplace_bridge;
///
/// let (mean, variances) = laplace_bridge::to_gaussian(&[2.0, 0.7, 5.0, 1.1])?;
/// assert!((mean[0] - 0.182842098345).abs() < 1e-12);
/// assert!((variances[0] - 0.439853896104).abs() < 1e-12);
/// let back = laplace_bridge::to_dirichlet(&mean, &variances)?;
/// assert!((back[2] - 5.0).abs() < 1e-12);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
///
/// # Errors
/// Fewer than two concentrations, or one that is not positive and finite or so small that its inverse is not.
pub fn to_gaussian(concentrations: &[f64]) -> Result<(Vec<f64>, Vec<f64>), ParamError> {
    let inverses = inverses(concentrations)?;
    let count = concentrations.len() as f64;
    let mean_ln = concentrations.iter().map(|a| a.ln()).sum::<f64>() / count;
    let mean_inverse = inverses.iter().map(|inverse| inverse / count).sum::<f64>();
    let mean = concentrations.iter().map(|a| a.ln() - mean_ln).collect();
    let variances = inverses.iter().map(|inverse| inverse * (1.0 - 2.0 / count) + mean_inverse / count);
    Ok((mean, variances.collect()))
}

/// The covariances of the Gaussian distribution for Dirichlet concentrations: rows sum to zero.
///
/// # Errors
/// As [`to_gaussian`].
pub fn covariance(concentrations: &[f64]) -> Result<DMatrix<f64>, ParamError> {
    let inverses = inverses(concentrations)?;
    let count = concentrations.len();
    let n = count as f64;
    let mean_inverse = inverses.iter().map(|inverse| inverse / n).sum::<f64>();
    Ok(DMatrix::from_fn(count, count, |k, l| {
        let own = if k == l { inverses[k] } else { 0.0 };
        own - (inverses[k] + inverses[l] - mean_inverse) / n
    }))
}

/// The Dirichlet concentrations for the means and variances of a Gaussian distribution. A constant that is
/// added to all means makes no difference.
///
/// # Errors
/// Fewer than two means, another number of variances, a mean that is not finite, a variance that is not
/// positive and finite, or numbers so large that a concentration is not finite.
pub fn to_dirichlet(mean: &[f64], variances: &[f64]) -> Result<Vec<f64>, ParamError> {
    check_count(mean.len())?;
    let same = mean.len() == variances.len();
    check::require(same, TYPE, "number of variances", variances.len() as f64, "that of the means")?;
    for (index, (&mean, &variance)) in mean.iter().zip(variances).enumerate() {
        check::finite(TYPE, "mean", mean).map_err(|error| error.at(index))?;
        check::positive(TYPE, "variance", variance).map_err(|error| error.at(index))?;
    }
    let count = mean.len() as f64;
    let opposite: Vec<f64> = mean.iter().map(|mean| -mean).collect();
    let ln_sum = ln_sum_exp(&opposite) - 2.0 * count.ln();
    let pairs = mean.iter().zip(variances).enumerate();
    let concentrations = pairs.map(|(index, (mean, variance))| {
        let concentration = (1.0 - 2.0 / count + (mean + ln_sum).exp()) / variance;
        check::positive(TYPE, "concentration", concentration).map_err(|error| error.at(index))
    });
    concentrations.collect()
}

fn check_count(count: usize) -> Result<(), ParamError> {
    check::require(count >= 2, TYPE, "number of topics", count as f64, "at least 2").map(|_| ())
}

fn inverses(concentrations: &[f64]) -> Result<Vec<f64>, ParamError> {
    check_count(concentrations.len())?;
    let inverse = |(index, &a): (usize, &f64)| {
        check::positive(TYPE, "concentration", a)
            .and_then(|a| check::positive(TYPE, "inverse concentration", a.recip()))
            .map_err(|error| error.at(index))
    };
    concentrations.iter().enumerate().map(inverse).collect()
}
