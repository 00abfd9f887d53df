//! The Dirichlet of maximum likelihood, from the mean of the logarithms of its points.

use posterior_math::check::{self, ParamError};
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::special::{digamma, digamma_difference, inverse_digamma, ln_multivariate_beta, trigamma};

use super::Dirichlet;
use crate::concentration::{ConcentrationOptions, Level, Objective, Slope, Symmetry, ascend};

impl Dirichlet {
    /// The distribution of maximum likelihood for points whose mean logarithms are `mean_ln`: the solution of
    /// ψ(α_k) - ψ(α₀) = `mean_ln[k]`. The likelihood is concave; the objective of the report is its logarithm
    /// per point.
    ///
    /// # Errors
    /// If the options are invalid, there are fewer than two coordinates, or `mean_ln` is the mean logarithm
    /// of no distribution: each must be finite, and Σ exp(`mean_ln`) < 1, which fails if all points are
    /// equal.
    ///
    /// # References
    /// T. Minka, Estimating a Dirichlet distribution, 2000, section 1.
    pub fn fit(
        mean_ln: &[f64],
        options: &ConcentrationOptions,
        observer: &mut dyn Observer,
    ) -> Result<Fitted<Self>, ParamError> {
        let dimension = mean_ln.len();
        check::require(dimension > 1, "Dirichlet", "dimension", dimension as f64, "at least 2")?;
        check::each(mean_ln, |mean| check::finite("Dirichlet", "mean logarithm", mean))?;
        let proportion: f64 = mean_ln.iter().map(|mean| mean.exp()).sum();
        check::require(proportion < 1.0, "Dirichlet", "sum of geometric means", proportion, "below 1")?;
        let mean_ln = match options.symmetry {
            Symmetry::Asymmetric => mean_ln.to_vec(),
            Symmetry::Symmetric => vec![mean_ln.iter().sum::<f64>() / dimension as f64; dimension],
        };
        let objective = MeanLn { mean_ln };
        let start = match options.symmetry {
            Symmetry::Symmetric => {
                let one = options.start_or(1, || objective.guess(proportion)[..1].to_vec())?;
                vec![one[0]; dimension]
            }
            Symmetry::Asymmetric => options.start_or(dimension, || objective.guess(proportion))?,
        };
        let (alpha, report) = ascend(&objective, start, options, observer);
        Ok(Fitted { model: Self::new(&alpha)?, report })
    }
}

/// The log-likelihood per point, Σ (α_k - 1) m_k - ln B(α).
struct MeanLn {
    mean_ln: Vec<f64>,
}

impl MeanLn {
    /// One step of the fixed point from the concentration that the second-order expansion for large α gives.
    fn guess(&self, proportion: f64) -> Vec<f64> {
        let dimension = self.mean_ln.len() as f64;
        let total = (dimension - 1.0) / (2.0 * (1.0 - proportion));
        let by_fixed_point = |mean: &f64| inverse_digamma(digamma(total) + mean);
        self.mean_ln.iter().map(by_fixed_point).map(|a| a.max(f64::MIN_POSITIVE)).collect()
    }
}

impl Objective for MeanLn {
    fn value(&self, alpha: &[f64]) -> Level {
        let ln_norm = ln_multivariate_beta(alpha);
        let terms = alpha.iter().zip(&self.mean_ln).map(|(a, mean)| (a - 1.0) * mean);
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + f64::abs(term)));
        Level { value: sum - ln_norm, scale: size + ln_norm.abs() }
    }

    fn slope(&self, alpha: &[f64]) -> Slope {
        let total: f64 = alpha.iter().sum();
        let gradient = |(&a, mean): (&f64, &f64)| digamma_difference(a, total - a) + mean;
        let term = |(&a, mean): (&f64, &f64)| a * (digamma_difference(a, total - a) + mean.abs());
        Slope {
            scale: alpha.iter().zip(&self.mean_ln).map(term).sum(),
            gradient: alpha.iter().zip(&self.mean_ln).map(gradient).collect(),
            diagonal: alpha.iter().map(|&a| -trigamma(a)).collect(),
            constant: trigamma(total),
        }
    }

    fn fixed_point(&self, alpha: &[f64]) -> Vec<f64> {
        let level = digamma(alpha.iter().sum());
        self.mean_ln.iter().map(|mean| inverse_digamma(level + mean)).collect()
    }
}
