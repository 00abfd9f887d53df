//! Bayes' rule for linear observations: the distribution of x once y is known, and how probable y was.

use posterior_math::check::ParamError;
use posterior_math::linalg::{
    Cholesky, DMatrix, DVector, congruence, gram_of_columns, gram_of_rows, multiply, triangularize,
};
use posterior_math::special::LN_TAU;

use super::LinearGaussian;
use super::moment::{MomentGaussian, ln_density, remaining};
use super::noise::Whitening;
use posterior_dist::Updated;

/// The ways to compute the same posterior of n numbers from m observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BayesForm {
    /// Σ - Vᵀ V with V = L⁻¹ A Σ, where L is the factor of G = A Σ Aᵀ + Λ: m² (n + m/3) and m n² operations.
    /// Prior and noise may be singular as long as G is not.
    Gain,
    /// (I - K A) Σ (I - K A)ᵀ + K Λ Kᵀ with the gain K = Σ Aᵀ G⁻¹: a sum, which stays positive semidefinite
    /// where the noise is tiny beside the prior. Two products of n × n matrices more.
    Joseph,
    /// L (I + Kᵀ K)⁻¹ Lᵀ, where L is the factor of the prior Σ and K = Λ^(-1/2) A L: the inverse of Σ⁻¹ + Aᵀ
    /// Λ⁻¹ A, in coordinates in which the prior is white. m n² and n³ operations. Prior and noise must be
    /// positive definite.
    Precision,
    /// Roots of the covariances only, by one orthogonal reduction: half of the digits of G are saved. The
    /// posterior is positive semidefinite whatever rounding does. Prior and noise may be singular as long as
    /// G is not.
    SquareRoot,
}

impl MomentGaussian {
    /// The distribution of x given an observation y, and ln p(y): in gain form if y is not longer than x, and
    /// in precision form if it is and nothing is singular.
    ///
    /// # Errors
    /// If the sizes do not agree, y is not finite, or the covariance of y is singular.
    pub fn bayes(&self, likelihood: &LinearGaussian, y: &[f64]) -> Result<Updated<Self>, ParamError> {
        let regular = y.len() > self.dimension() && likelihood.noise_form().whitening().is_ok();
        if regular && let Ok(updated) = self.bayes_by(BayesForm::Precision, likelihood, y) {
            return Ok(updated);
        }
        self.bayes_by(BayesForm::Gain, likelihood, y)
    }

    /// As [`bayes`](Self::bayes), in a form of your choice.
    ///
    /// # Errors
    /// If the sizes do not agree, y is not finite, or a matrix is singular that must not be in this form.
    pub fn bayes_by(
        &self,
        form: BayesForm,
        likelihood: &LinearGaussian,
        y: &[f64],
    ) -> Result<Updated<Self>, ParamError> {
        likelihood.check(self.dimension(), y)?;
        let updated = match form {
            BayesForm::Gain => gain_form(self, likelihood, y)?,
            BayesForm::Joseph => joseph_form(self, likelihood, y)?,
            BayesForm::SquareRoot => square_root_form(self, likelihood, y)?,
            BayesForm::Precision => {
                let noise = likelihood.noise_form().whitening()?;
                let prior = self.factor("MomentGaussian", "covariance, in precision form,")?;
                precision_form(self.mean(), &prior, likelihood, &noise, y)?
            }
        };
        let (mean, covariance) = updated.posterior.into_parts();
        Ok(Updated::new(Self::computed(mean, covariance)?, updated.ln_evidence))
    }
}

/// y - A μ - b.
fn residual(mean: &DVector<f64>, likelihood: &LinearGaussian, y: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(y) - likelihood.matrix() * mean - likelihood.offset()
}

fn gain_form(
    prior: &MomentGaussian,
    likelihood: &LinearGaussian,
    y: &[f64],
) -> Result<Updated<MomentGaussian>, ParamError> {
    let (factor, cross) = likelihood.innovation(prior)?;
    let residual = residual(prior.mean(), likelihood, y);
    let v = factor.half_solve(&cross);
    let mean = prior.mean() + v.tr_mul(&factor.half_solve_vector(&residual));
    let posterior = MomentGaussian::trusted(mean, remaining(prior.covariance(), &v));
    Ok(Updated::new(posterior, ln_density(&factor, &residual)))
}

fn joseph_form(
    prior: &MomentGaussian,
    likelihood: &LinearGaussian,
    y: &[f64],
) -> Result<Updated<MomentGaussian>, ParamError> {
    let (factor, cross) = likelihood.innovation(prior)?;
    let residual = residual(prior.mean(), likelihood, y);
    let gain = factor.solve(&cross).transpose();
    let n = prior.dimension();
    let kept = DMatrix::identity(n, n) - multiply(&gain, likelihood.matrix());
    let covariance = congruence(&kept, prior.covariance()) + likelihood.noise_form().mapped_by(&gain);
    let posterior = MomentGaussian::trusted(prior.mean() + gain * &residual, covariance);
    Ok(Updated::new(posterior, ln_density(&factor, &residual)))
}

/// In coordinates z with x = μ + L z, in which the prior is N(0, I): z | y ~ N(B⁻¹ Kᵀ w, B⁻¹) with B = I + Kᵀ
/// K and the whitened residual w. Its distance wᵀ (I + K Kᵀ)⁻¹ w is |w - K z|² + |z|², a sum.
pub(super) fn precision_form(
    mean: &DVector<f64>,
    prior: &Cholesky,
    likelihood: &LinearGaussian,
    noise: &Whitening<'_>,
    y: &[f64],
) -> Result<Updated<MomentGaussian>, ParamError> {
    let white = noise.vector(&residual(mean, likelihood, y));
    let k = multiply(&noise.matrix(likelihood.matrix()), prior.factor());
    let mut b = gram_of_columns(&k);
    for i in 0..b.nrows() {
        b[(i, i)] += 1.0;
    }
    let b = Cholesky::decompose(b)
        .map_err(|error| error.of_parameter("LinearGaussian", "precision of the posterior"))?;
    let z = b.solve_vector(&k.tr_mul(&white));
    let fit = &white - &k * &z;
    let ln_determinant = noise.ln_determinant() + b.ln_determinant();
    let distance = fit.norm_squared() + z.norm_squared();
    let root = b.half_solve(&prior.factor().transpose()).transpose();
    let posterior = MomentGaussian::trusted(mean + prior.factor() * z, gram_of_rows(&root));
    let ln_evidence = -0.5 * (y.len() as f64 * LN_TAU + ln_determinant + distance);
    Ok(Updated::new(posterior, ln_evidence))
}

/// By Tᵀ T = [[G, A Σ], [Σ Aᵀ, Σ]] with an upper triangular T: its last block is a root of the posterior
/// covariance.
fn square_root_form(
    prior: &MomentGaussian,
    likelihood: &LinearGaussian,
    y: &[f64],
) -> Result<Updated<MomentGaussian>, ParamError> {
    let (n, m) = (prior.dimension(), y.len());
    let root = prior.root()?;
    let noise = likelihood.noise_form().root()?;
    let (q, r) = (noise.ncols(), root.ncols());
    let mut stacked = DMatrix::zeros(q + r, m + n);
    stacked.view_mut((0, 0), (q, m)).copy_from(&noise.transpose());
    stacked.view_mut((q, 0), (r, m)).copy_from(&multiply(likelihood.matrix(), &root).transpose());
    stacked.view_mut((q, m), (r, n)).copy_from(&root.transpose());
    let triangle = triangularize(stacked);
    let factor = Cholesky::from_factor(triangle.view((0, 0), (m, m)).transpose())
        .map_err(|error| error.of_parameter("LinearGaussian", "covariance of y"))?;
    let residual = residual(prior.mean(), likelihood, y);
    let mean = prior.mean() + triangle.view((0, m), (m, n)).tr_mul(&factor.half_solve_vector(&residual));
    let covariance = gram_of_columns(&triangle.view((m, m), (n, n)).into_owned());
    let posterior = MomentGaussian::trusted(mean, covariance);
    Ok(Updated::new(posterior, ln_density(&factor, &residual)))
}
