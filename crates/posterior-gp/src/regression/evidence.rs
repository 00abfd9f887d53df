//! The evidence: how probable the outputs were, and in which direction of the parameters it grows.

use posterior_math::linalg::DMatrix;

use super::GaussianProcessPosterior;
use crate::kernel::KernelParameter;

/// ln p(y), by what it rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MarginalLikelihood {
    /// -(y - m)ᵀ G⁻¹ (y - m)/2: how well the data fit.
    pub data_fit: f64,
    /// -ln |G|/2, the Occam factor: how few functions the prior spreads over.
    pub occam: f64,
    /// The rest: -(n/2) ln 2π, and the scatter of repeated observations about their means.
    pub constant: f64,
}

impl MarginalLikelihood {
    /// ln p(y).
    pub fn total(&self) -> f64 {
        self.data_fit + self.occam + self.constant
    }
}

impl GaussianProcessPosterior {
    /// The logarithm of the marginal likelihood, ln N(y; m, G).
    pub fn ln_evidence(&self) -> f64 {
        self.evidence().total()
    }

    /// The logarithm of the marginal likelihood in its parts.
    pub fn evidence(&self) -> MarginalLikelihood {
        MarginalLikelihood {
            data_fit: -0.5 * self.residual.dot(&self.alpha),
            occam: -0.5 * self.factor.ln_determinant(),
            constant: self.collapsed.ln_within - 0.5 * self.sites() as f64 * std::f64::consts::TAU.ln(),
        }
    }

    /// The parameters that a fit may move: those of the kernel, of the mean function, of the noise.
    pub fn parameters(&self) -> Vec<KernelParameter> {
        let mut parameters = self.process.kernel().parameters();
        parameters.extend(self.process.mean().parameters());
        parameters.extend(self.noise.parameters());
        parameters
    }

    /// The derivatives of the logarithm of the marginal likelihood by the [`parameters`](Self::parameters) on
    /// their free scales: ln θ for positive ones.
    ///
    /// tr(W ∂G) with W = (α αᵀ - G⁻¹)/2, without a matrix of derivatives. 2 n³/3 operations after the factor,
    /// and two more n × n matrices. Jitter counts as fixed.
    pub fn gradient(&self) -> Vec<f64> {
        let weights = self.weights_of_derivatives();
        let sites = self.data.sites();
        let mut gradient = self.process.kernel().gram_gradient(sites, &weights);
        gradient.extend(self.process.mean().pull_back(sites, self.alpha.as_slice()));
        if let Some(variance) = self.noise.learned() {
            gradient.push(variance * self.noise_slope(&weights));
        }
        gradient
    }

    /// The lower triangle of W = (α αᵀ - G⁻¹)/2.
    fn weights_of_derivatives(&self) -> DMatrix<f64> {
        let mut weights = self.factor.inverse_triangle();
        let alpha = self.alpha.as_slice();
        for (j, mut column) in weights.column_iter_mut().enumerate() {
            let scale = alpha[j];
            for (weight, alpha) in column.as_mut_slice()[j..].iter_mut().zip(&alpha[j..]) {
                *weight = 0.5 * (alpha * scale - *weight);
            }
        }
        weights
    }

    /// ∂ ln p(y)/∂v, where v is in the noise variance of every observation.
    fn noise_slope(&self, weights: &DMatrix<f64>) -> f64 {
        if self.data.all_different() {
            return weights.trace();
        }
        let mut members = vec![0_usize; self.sites()];
        let mut squares = vec![0.0; self.sites()];
        let observations = || self.data.site.iter().zip(&self.data.outputs).zip(&self.variances);
        for ((&site, _), variance) in observations() {
            members[site] += 1;
            // 1/s⁴ of the observation times s⁴ of the site.
            squares[site] += (self.collapsed.variances[site] / variance).powi(2);
        }
        let mut slope = 0.0;
        for (site, &square) in squares.iter().enumerate() {
            slope += weights[(site, site)] * square;
            if members[site] > 1 {
                slope += 0.5 * square / self.collapsed.variances[site];
            }
        }
        for ((&site, y), variance) in observations().filter(|((site, _), _)| members[**site] > 1) {
            let deviation = y - self.collapsed.outputs[site];
            let proportion = self.collapsed.variances[site] / variance;
            slope += self.alpha[site] * proportion * deviation / variance;
            slope += 0.5 * (deviation * deviation / variance - 1.0) / variance;
        }
        slope
    }
}
