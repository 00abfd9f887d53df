//! Leave-one-out predictions in closed form.

use posterior_math::linalg::DVector;

use super::{Posterior, Prediction};

/// What each output would have been predicted to be from all others.
///
/// # References
/// Rasmussen, Williams, section 5.4.2.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LeaveOneOut {
    /// Mean and variance of each output, its noise included.
    pub prediction: Prediction,
    /// (y - mean)/sd of each: standard normal if the model holds, though not independent.
    pub residuals: DVector<f64>,
    /// Σ ln p(yᵢ | all others): a score of the model that asks less of its prior than the evidence does.
    pub ln_score: f64,
}

impl Posterior {
    /// The leave-one-out predictions of all observations, from G⁻¹ alone: 2 n³/3 operations in total.
    ///
    /// yᵢ - αᵢ/(G⁻¹)ᵢᵢ with variance 1/(G⁻¹)ᵢᵢ.
    pub fn leave_one_out(&self) -> LeaveOneOut {
        let inverse = self.factor.inverse_diagonal();
        let outputs = &self.data.outputs;
        let variances = &self.variances;
        let mut mean = DVector::zeros(outputs.len());
        let mut variance = DVector::zeros(outputs.len());
        let mut residuals = DVector::zeros(outputs.len());
        for (i, (&site, y)) in self.data.site.iter().zip(outputs).enumerate() {
            // Of one of several observations of a site: α and G⁻¹ of all observations, from those of the sites.
            let share = self.collapsed.variances[site] / variances[i];
            let (alpha, precision) = if share == 1.0 || !share.is_finite() {
                (self.alpha[site], inverse[site])
            } else {
                let deviation = (y - self.collapsed.outputs[site]) / variances[i];
                let rest = (1.0 - share) / variances[i];
                (deviation + share * self.alpha[site], rest + share * share * inverse[site])
            };
            mean[i] = y - alpha / precision;
            variance[i] = precision.recip();
            residuals[i] = alpha / precision.sqrt();
        }
        let ln_score = residuals
            .iter()
            .zip(&variance)
            .map(|(z, v)| -0.5 * (z * z + (std::f64::consts::TAU * v).ln()))
            .sum();
        LeaveOneOut { prediction: Prediction { mean, variance }, residuals, ln_score }
    }
}
