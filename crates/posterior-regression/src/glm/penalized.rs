//! Coefficients that are held back by their absolute values: lasso, elastic net, and paths of them.

mod descent;
mod folds;

use posterior_math::check;

use self::descent::Descent;
use super::model::Glm;
use super::response_distribution::ResponseDistribution;
use crate::Error;

pub use folds::{HeldOutDeviance, PenaltyPath};

/// How penalties are tried, and how far a descent goes.
///
/// ```
/// use posterior_regression::glm::PenaltyOptions;
///
/// let lasso = PenaltyOptions::default();
/// assert_eq!(PenaltyOptions { mixing: 0.5, ..lasso }.count, 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PenaltyOptions {
    /// α, the proportion of the penalty that is of absolute values: 1, the default, is the lasso, 0 ridge
    /// regression, and all between an elastic net.
    pub mixing: f64,
    /// How many penalties a path has. 100 by default.
    pub count: usize,
    /// The last penalty of a path over the first, which is the least that leaves no coefficient. By default
    /// 10⁻⁴ where there are more rows than columns, else 10⁻².
    pub ratio: Option<f64>,
    /// A descent ends when no coefficient moves by more than this proportion of the standard deviation of its
    /// column's effect on the mean deviance. 10⁻¹⁰ by default.
    pub tolerance: f64,
    /// The largest number of sweeps over the columns for one penalty. 100,000 by default.
    pub max_iterations: usize,
}

impl Default for PenaltyOptions {
    fn default() -> Self {
        Self { mixing: 1.0, count: 100, ratio: None, tolerance: 1e-10, max_iterations: 100_000 }
    }
}

/// The coefficients that a penalty leaves.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PenalizedFit {
    /// The penalty λ of the objective.
    pub penalty: f64,
    /// β, most of them 0.
    pub coefficients: Vec<f64>,
    /// D, the deviance at dispersion 1.
    pub deviance: f64,
    /// D/(2 Σw) + λ (α Σ|βⱼ| + ½ (1 - α) Σ βⱼ²).
    pub objective: f64,
    /// Whether the descent came to its end.
    pub converged: bool,
}

impl PenalizedFit {
    /// How many coefficients are not 0, intercepts among them.
    pub fn nonzero(&self) -> usize {
        self.coefficients.iter().filter(|own| **own != 0.0).count()
    }
}

/// A path ends where so much of the deviance is explained: what is left says nothing of the coefficients.
const EXPLAINED: f64 = 0.999;

/// The absolute values have this weight at least where the first penalty of a path is looked for.
const LEAST_MIXING: f64 = 1e-3;

impl<L: ResponseDistribution + Sync> Glm<'_, L> {
    /// The coefficients that minimise D/(2 Σw) + λ (α Σ|βⱼ| + ½ (1 - α) Σ βⱼ²), with the deviance D at
    /// dispersion 1 (of a Gaussian the sum of squares) and sums over all columns but intercepts: those of
    /// R's `glmnet` and of scikit-learn. Columns are taken as they are: give them in standard units.
    ///
    /// They are the most probable coefficients under Laplace priors (α = 1) of scale φ/(λ Σw).
    ///
    /// Steps of Newton's method with expected second derivatives, each by coordinate descent, halved where
    /// they would lead up.
    ///
    /// ```
    /// use posterior_math::linalg::DMatrix;
    /// use posterior_regression::glm::{Family, Glm, GlmData, PenaltyOptions};
    ///
    /// // One column with mean 0 and mean square 1: the slope of least squares, 1.5, less the penalty.
    /// let design = DMatrix::from_row_slice(4, 2, &[1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0]);
    /// let model = Glm::new(Family::Gaussian, GlmData::new(&design, &[0.0, 2.0, 1.0, 5.0])?)?;
    /// let fit = model.penalized(0.4, &PenaltyOptions::default())?;
    /// assert!((fit.coefficients[0] - 2.0).abs() < 1e-9 && (fit.coefficients[1] - 1.1).abs() < 1e-9);
    /// # Ok::<(), posterior_regression::Error>(())
    /// ```
    ///
    /// # Errors
    /// A penalty that is negative or not finite; mixing outside of 0 to 1; a prior that is not flat;
    /// responses that are all the same.
    ///
    /// # Cost
    /// n p operations for a sweep over all columns, n for each that is not 0 in the sweeps between.
    ///
    /// # References
    /// J. Friedman, T. Hastie, R. Tibshirani, Regularization paths for generalized linear models via
    /// coordinate descent, Journal of Statistical Software 33, 2010.
    pub fn penalized(&self, penalty: f64, options: &PenaltyOptions) -> Result<PenalizedFit, Error> {
        check::non_negative("Glm", "penalty", penalty)?;
        let descent = Descent::new(self, options)?;
        let start = descent.null()?;
        Ok(descent.fit(penalty, start.coefficients))
    }

    /// The coefficients for falling penalties at equal distances of their logarithms, from the least that
    /// leaves only intercepts, each from the coefficients before it; to the one that explains 99.9 % of the
    /// deviance at most.
    ///
    /// # Errors
    /// As [`penalized`](Self::penalized); no column but intercepts.
    pub fn penalty_path(&self, options: &PenaltyOptions) -> Result<Vec<PenalizedFit>, Error> {
        check::at_least_one("PenaltyOptions", "count", options.count)?;
        let descent = Descent::new(self, options)?;
        let null = descent.null()?;
        let largest = descent.least_that_empties(&null.coefficients, options.mixing.max(LEAST_MIXING))?;
        let wide = self.data().informative_rows() <= self.data().columns();
        let ratio = options.ratio.unwrap_or(if wide { 1e-2 } else { 1e-4 });
        check::open_probability("PenaltyOptions", "ratio", ratio)?;
        let last = options.count.saturating_sub(1).max(1) as f64;
        let penalties = (0..options.count).map(|k| largest * ratio.powf(k as f64 / last));
        let mut fits: Vec<PenalizedFit> = Vec::with_capacity(options.count);
        for penalty in penalties {
            let start = fits.last().map_or_else(|| null.coefficients.clone(), |own| own.coefficients.clone());
            let fit = descent.fit(penalty, start);
            let explained = 1.0 - fit.deviance / null.deviance;
            fits.push(fit);
            if explained > EXPLAINED {
                break;
            }
        }
        Ok(fits)
    }

    /// The coefficients for given penalties in their order, each from those before it.
    fn along(&self, penalties: &[f64], options: &PenaltyOptions) -> Result<Vec<PenalizedFit>, Error> {
        let descent = Descent::new(self, options)?;
        let mut start = descent.null()?.coefficients;
        let next = |penalty: &f64| {
            let fit = descent.fit(*penalty, std::mem::take(&mut start));
            start.clone_from(&fit.coefficients);
            fit
        };
        Ok(penalties.iter().map(next).collect())
    }
}
