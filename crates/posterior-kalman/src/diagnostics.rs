//! Whether residuals are what they should be: independent, normal, and of one variance.
//!
//! The standardised innovations of a filter are, if its model is right. Three numbers of Durbin and Koopman
//! say where they are not. What is unusual, and where a level or a slope breaks, [`AuxiliaryResiduals`] show;
//! [`SmoothedDisturbances`] are the noises themselves.

mod auxiliary;
mod disturbances;

use posterior_dist::{ChiSquared, FisherF, Univariate};
use posterior_math::check::{self, ParamError};

pub use auxiliary::AuxiliaryResiduals;
pub use disturbances::SmoothedDisturbances;

/// A statistic, and how often it is at least that far out if the residuals are what they should be.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ResidualTest {
    /// The statistic.
    pub statistic: f64,
    /// Its degrees of freedom; of a ratio of variances, those of each.
    pub degrees_of_freedom: usize,
    /// The p-value. Of many right models one in twenty has one below 0.05.
    pub p_value: f64,
}

/// What residuals look like. NaN in them is a time without one.
///
/// # References
/// J. Durbin, S. J. Koopman, Time Series Analysis by State Space Methods, 2nd ed. (2012), section 2.12.
///
/// ```
/// use posterior_kalman::diagnostics::ResidualChecks;
///
/// let alternating: Vec<f64> = (0..60).map(|t| if t % 2 == 0 { 1.0 } else { -1.1 }).collect();
/// let checks = ResidualChecks::new(&alternating, 5)?;
/// assert!(checks.autocorrelations[1] < -0.9 && checks.independence.p_value < 1e-6);
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ResidualChecks {
    /// How many residuals there are.
    pub count: usize,
    /// Their mean; should be near 0.
    pub mean: f64,
    /// Their variance; should be near 1.
    pub variance: f64,
    /// Their skewness; should be near 0.
    pub skewness: f64,
    /// Their kurtosis less that of a normal distribution; should be near 0.
    pub excess_kurtosis: f64,
    /// At lags 0, 1, …: over pairs of times that both have a residual.
    pub autocorrelations: Vec<f64>,
    /// Ljung and Box: n (n + 2) Σ rₖ² / (n - k), against χ² with as many degrees of freedom as lags.
    /// Parameters that were fitted to the same data make it smaller than that.
    pub independence: ResidualTest,
    /// Bowman and Shenton (also Jarque and Bera): n (S² / 6 + K² / 24), against χ² with two degrees of
    /// freedom.
    pub normality: ResidualTest,
    /// The sum of squares of the last third over that of the first, against F; far from 1 on either side is
    /// far out.
    pub equal_variance: ResidualTest,
}

impl ResidualChecks {
    /// Checks with autocorrelations at up to `lags` lags.
    ///
    /// # Errors
    /// If there are fewer than three residuals, no lag or as many as residuals, or the residuals are infinite
    /// or all the same, or all of the first third zero.
    pub fn new(residuals: &[f64], lags: usize) -> Result<Self, ParamError> {
        let there: Vec<f64> = residuals.iter().copied().filter(|residual| !residual.is_nan()).collect();
        let count = there.len();
        let n = count as f64;
        check::require(count > 2, "ResidualChecks", "residuals", n, "three at least")?;
        check::require(
            (1..count).contains(&lags),
            "ResidualChecks",
            "lags",
            lags as f64,
            "at least one, and fewer than the residuals",
        )?;
        let same = there.iter().all(|&residual| residual == there[0]);
        check::require(!same, "ResidualChecks", "residuals", there[0], "not all the same")?;
        // All but mean and variance are free of the unit: with this one, powers of residuals stay within the
        // range of f64.
        let unit = there.iter().fold(0.0, |most: f64, residual| most.max(residual.abs()));
        let unit = check::finite("ResidualChecks", "residuals", unit)?;
        let there: Vec<f64> = there.iter().map(|residual| residual / unit).collect();
        let residuals: Vec<f64> = residuals.iter().map(|residual| residual / unit).collect();
        let mean = there.iter().sum::<f64>() / n;
        let moment = |power| there.iter().map(|residual| (residual - mean).powi(power)).sum::<f64>() / n;
        let variance = check::positive("ResidualChecks", "variance", moment(2))?;
        let skewness = moment(3) / variance.powf(1.5);
        let excess_kurtosis = moment(4) / (variance * variance) - 3.0;
        let autocorrelation = |lag: usize| {
            let pairs = residuals.iter().zip(&residuals[lag..]).filter(|(a, b)| !a.is_nan() && !b.is_nan());
            pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / (n * variance)
        };
        let autocorrelations: Vec<f64> = (0..=lags).map(autocorrelation).collect();
        let weighted = |lag: usize| autocorrelations[lag].powi(2) / (n - lag as f64);
        let ljung_box = n * (n + 2.0) * (1..=lags).map(weighted).sum::<f64>();
        let bowman_shenton = n * (skewness * skewness / 6.0 + excess_kurtosis * excess_kurtosis / 24.0);
        Ok(Self {
            count,
            mean: mean * unit,
            variance: variance * unit * unit,
            skewness,
            excess_kurtosis,
            autocorrelations,
            independence: chi_squared(ljung_box, lags)?,
            normality: chi_squared(bowman_shenton, 2)?,
            equal_variance: ratio(&there)?,
        })
    }

    /// Autocorrelations of independent residuals are within this, 95 times of 100.
    pub fn band(&self) -> f64 {
        1.959_963_984_540_054 / (self.count as f64).sqrt()
    }
}

fn chi_squared(statistic: f64, degrees_of_freedom: usize) -> Result<ResidualTest, ParamError> {
    let distribution = ChiSquared::new(degrees_of_freedom as f64)?;
    Ok(ResidualTest { statistic, degrees_of_freedom, p_value: distribution.sf(statistic) })
}

/// The last third of the squares over the first.
fn ratio(residuals: &[f64]) -> Result<ResidualTest, ParamError> {
    let third = (residuals.len() as f64 / 3.0).round() as usize;
    let squares = |part: &[f64]| part.iter().map(|residual| residual * residual).sum::<f64>();
    let (first, last) = (squares(&residuals[..third]), squares(&residuals[residuals.len() - third..]));
    let distribution = FisherF::new(third as f64, third as f64)?;
    let statistic = last / check::positive("ResidualChecks", "sum of squares of the first third", first)?;
    let p_value = f64::min(2.0 * distribution.sf(statistic).min(distribution.cdf(statistic)), 1.0);
    Ok(ResidualTest { statistic, degrees_of_freedom: third, p_value })
}
