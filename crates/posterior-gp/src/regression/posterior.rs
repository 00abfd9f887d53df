//! The process given its data, and what one asks of it.

use posterior_math::check;
use std::sync::Arc;

use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, MatrixError, gram_of_columns, multiply_transpose};
use rand::Rng;

use super::data::{Collapsed, check_outputs};
use super::factor::{Jitter, JitterCause, beyond_rounding, factor_with_least_jitter};
use super::{Data, GaussianProcess, PathSampler, Prediction};
use crate::{Error, Kernel, Noise};

/// A Gaussian process given observations: m(x) + k(x, X) G⁻¹ (y - m(X)), with covariance k(x, x') - k(x, X)
/// G⁻¹ k(X, x'), where G is the covariance of the outputs.
///
/// It is made by [`GaussianProcess::condition`], and is again a process that one can
/// [`condition`](Self::condition).
///
/// # Cost
/// n operations for a mean, n² for a variance.
#[derive(Debug, Clone, PartialEq)]
pub struct GaussianProcessPosterior {
    pub(super) process: GaussianProcess,
    pub(super) noise: Noise,
    pub(super) data: Arc<Data>,
    /// The noise of each observation, with the jitter.
    pub(super) variances: DVector<f64>,
    pub(super) collapsed: Collapsed,
    /// Of G.
    pub(super) factor: Cholesky,
    /// G⁻¹ (y - m).
    pub(super) alpha: DVector<f64>,
    /// y - m at the sites.
    pub(super) residual: DVector<f64>,
    pub(super) jitter: f64,
}

impl GaussianProcess {
    /// The process given outputs y = f(x) + noise at the rows of `inputs`. Without observations it is the
    /// prior.
    ///
    /// n³/3 operations and one n × n matrix for n different inputs.
    ///
    /// # Errors
    /// If sizes do not go together, a number is not finite (the error names its row), or the kernel is not
    /// positive semidefinite.
    pub fn condition(
        &self,
        inputs: &DMatrix<f64>,
        outputs: &[f64],
        noise: &Noise,
    ) -> Result<GaussianProcessPosterior, Error> {
        let data = Data::checked(self, inputs, outputs, noise)?;
        GaussianProcessPosterior::of_data(self.clone(), noise.clone(), Arc::new(data))
    }
}

impl GaussianProcessPosterior {
    /// From data, with the noise that belongs to them.
    pub(crate) fn of_data(process: GaussianProcess, noise: Noise, data: Arc<Data>) -> Result<Self, Error> {
        let known = DVector::from_vec(noise.variances(data.outputs.len())?);
        let start = match data.exact_pair {
            Some((first, _)) => least_noise(&process, &data, first)?,
            None => 0.0,
        };
        let (factor, jitter) = factor_with_least_jitter(start, |jitter| {
            let variances = data.collapse(known.add_scalar(jitter).as_slice()).variances;
            let mut covariance = DMatrix::zeros(variances.len(), variances.len());
            process.kernel().fill_lower_gram(data.sites(), &mut covariance);
            for (i, variance) in variances.iter().enumerate() {
                covariance[(i, i)] += variance;
            }
            covariance
        })?;
        Ok(Self::assemble(process, noise, data, known.add_scalar(jitter), factor, jitter))
    }

    fn assemble(
        process: GaussianProcess,
        noise: Noise,
        data: Arc<Data>,
        variances: DVector<f64>,
        factor: Cholesky,
        jitter: f64,
    ) -> Self {
        let collapsed = data.collapse(variances.as_slice());
        let residual = &collapsed.outputs - process.mean().values(data.sites());
        let alpha = factor.solve_vector(&residual);
        Self { process, noise, data, variances, collapsed, factor, alpha, residual, jitter }
    }

    /// The prior.
    pub const fn prior(&self) -> &GaussianProcess {
        &self.process
    }

    /// The noise of the observations.
    pub const fn noise(&self) -> &Noise {
        &self.noise
    }

    /// The inputs of the observations.
    pub fn inputs(&self) -> &DMatrix<f64> {
        &self.data.inputs
    }

    /// The outputs.
    pub fn outputs(&self) -> &DVector<f64> {
        &self.data.outputs
    }

    /// How many different inputs there are, where equal ones count as one if they have noise: n in all costs.
    pub fn sites(&self) -> usize {
        self.alpha.len()
    }

    /// What had to be added to the noise so that its covariance has a factor; usually nothing.
    pub fn jitter(&self) -> Option<Jitter> {
        let cause = match self.data.exact_pair {
            Some((first, second)) => JitterCause::EqualInputs { first, second },
            None => JitterCause::BelowRounding,
        };
        (self.jitter > 0.0).then_some(Jitter { variance: self.jitter, cause })
    }

    /// An estimate of the condition number of G: log₁₀ of it is the number of digits that solutions lose.
    pub fn condition_estimate(&self) -> f64 {
        self.factor.condition_estimate()
    }

    /// The mean of the function at each row of `inputs`.
    ///
    /// # Errors
    /// If the inputs do not fit the kernel or those of the observations, or are not finite.
    pub fn mean(&self, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        self.check(inputs)?;
        let cross = self.process.kernel().cross(self.data.sites(), inputs);
        Ok(self.process.mean().values(inputs) + cross.tr_mul(&self.alpha))
    }

    /// The variance of the function at each row of `inputs`: never negative.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn variance(&self, inputs: &DMatrix<f64>) -> Result<DVector<f64>, Error> {
        Ok(self.latent(inputs)?.variance)
    }

    /// Mean and variance of the function at each row of `inputs`; [`Prediction::plus_noise`] makes it one of
    /// outputs.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn latent(&self, inputs: &DMatrix<f64>) -> Result<Prediction, Error> {
        self.check(inputs)?;
        let (mean, variance) = self.distribution_of_part(self.process.kernel(), inputs);
        Ok(Prediction { mean: self.process.mean().values(inputs) + mean, variance })
    }

    /// The covariances of the function at the rows of `inputs`.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn covariance(&self, inputs: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        self.check(inputs)?;
        let explained = self.explained(self.process.kernel(), inputs);
        Ok(self.process.kernel().gram(inputs) - gram_of_columns(&explained))
    }

    /// Inputs that the process can take, with as many coordinates as those of the observations.
    pub(super) fn check(&self, inputs: &DMatrix<f64>) -> Result<(), Error> {
        self.process.check(inputs)?;
        if self.data.outputs.is_empty() {
            return Ok(());
        }
        Ok(check::dimension("coordinates of inputs", self.data.inputs.ncols(), inputs.ncols())?)
    }

    /// L⁻¹ k(X, x) of the part of the function with this kernel: products of its columns are the covariances
    /// that the data explain.
    pub(super) fn explained(&self, part: &Kernel, inputs: &DMatrix<f64>) -> DMatrix<f64> {
        let mut cross = part.cross(self.data.sites(), inputs);
        self.factor.half_solve_in_place(&mut cross);
        cross
    }

    /// Means and variances of the part of the function with this kernel.
    pub(super) fn distribution_of_part(
        &self,
        part: &Kernel,
        inputs: &DMatrix<f64>,
    ) -> (DVector<f64>, DVector<f64>) {
        let mut cross = part.cross(self.data.sites(), inputs);
        let mean = cross.tr_mul(&self.alpha);
        self.factor.half_solve_in_place(&mut cross);
        let mut variance = part.diagonal(inputs);
        for (variance, column) in variance.iter_mut().zip(cross.column_iter()) {
            *variance = (*variance - column.norm_squared()).max(0.0);
        }
        (mean, variance)
    }

    /// The joint distribution of the function at the rows of `inputs`.
    ///
    /// # Errors
    /// As [`mean`](Self::mean); or if rounding has left a covariance that is not positive semidefinite, as
    /// where the function is known almost exactly: [`sampler`](Self::sampler) takes it still.
    pub fn distribution(&self, inputs: &DMatrix<f64>) -> Result<MomentGaussian, Error> {
        let mean = self.mean(inputs)?;
        Ok(MomentGaussian::new(mean.as_slice(), &self.covariance(inputs)?)?)
    }

    /// What draws the function at the rows of `inputs` jointly.
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn sampler(&self, inputs: &DMatrix<f64>) -> Result<PathSampler, Error> {
        let scale = self.process.kernel().diagonal(inputs).amax();
        let terms = self.sites() + inputs.nrows();
        PathSampler::new(self.mean(inputs)?, &self.covariance(inputs)?, scale, terms)
    }

    /// One draw of the function at the rows of `inputs`. For several, prepare a [`sampler`](Self::sampler).
    ///
    /// # Errors
    /// As [`mean`](Self::mean).
    pub fn sample<R: Rng + ?Sized>(&self, inputs: &DMatrix<f64>, rng: &mut R) -> Result<DVector<f64>, Error> {
        Ok(self.sampler(inputs)?.sample(rng))
    }

    /// The process given these observations too: the posterior of all data, for n² m operations instead of
    /// n³, with m new ones. Its evidence is that of all data.
    ///
    /// Noise that is not the same as before counts as known from now on.
    ///
    /// # Errors
    /// As [`GaussianProcess::condition`].
    pub fn condition(&self, inputs: &DMatrix<f64>, outputs: &[f64], noise: &Noise) -> Result<Self, Error> {
        self.check(inputs)?;
        check_outputs(inputs, outputs)?;
        if self.data.outputs.is_empty() {
            return self.process.condition(inputs, outputs, noise);
        }
        let (old, new) = (self.data.outputs.len(), outputs.len());
        let mut all = DMatrix::zeros(old + new, inputs.ncols());
        all.rows_mut(0, old).copy_from(&self.data.inputs);
        all.rows_mut(old, new).copy_from(inputs);
        let outputs = [self.data.outputs.as_slice(), outputs].concat();
        let combined = if *noise == self.noise && noise.of_new_observation().is_some() {
            noise.clone()
        } else {
            Noise::known_each(&[self.noise.variances(old)?, noise.variances(new)?].concat())?
        };
        let variances = combined.variances(old + new)?;
        let data = Arc::new(Data::new(all, &outputs, &variances));
        // An observation of an old site changes what is left of the new ones; jitter may be too much or too
        // little.
        let appended = data.sites().nrows() == self.sites() + new && self.jitter == 0.0;
        let Some(factor) = appended.then(|| self.extended(inputs, &variances[old..])).flatten() else {
            return Self::of_data(self.process.clone(), combined, data);
        };
        let variances = DVector::from_vec(variances);
        Ok(Self::assemble(self.process.clone(), combined, data, variances, factor, 0.0))
    }

    /// The factor [[L, 0], [B, C]] of the covariance of old and new outputs; none if a pivot is not more than
    /// rounding.
    fn extended(&self, inputs: &DMatrix<f64>, variances: &[f64]) -> Option<Cholesky> {
        let (old, new) = (self.sites(), inputs.nrows());
        let below = self.explained(self.process.kernel(), inputs).transpose();
        let mut rest = self.process.kernel().gram(inputs) - multiply_transpose(&below, &below);
        for (i, variance) in variances.iter().enumerate() {
            rest[(i, i)] += variance;
        }
        let noise = DVector::from_column_slice(variances);
        let whole = self.process.kernel().diagonal(inputs) + noise;
        let corner = Cholesky::decompose(rest).and_then(|factor| beyond_rounding(factor, &whole)).ok()?;
        let mut factor = DMatrix::zeros(old + new, old + new);
        factor.view_mut((0, 0), (old, old)).copy_from(self.factor.factor());
        factor.view_mut((old, 0), (new, old)).copy_from(&below);
        factor.view_mut((old, old), (new, new)).copy_from(corner.factor());
        Cholesky::from_factor(factor).ok()
    }
}

/// The noise that equal inputs without any are given, so that they count together: ten times the rounding of
/// the largest prior variance.
fn least_noise(process: &GaussianProcess, data: &Data, first: usize) -> Result<f64, Error> {
    let least = 10.0 * f64::EPSILON * process.kernel().diagonal(data.sites()).amax();
    if least > 0.0 {
        Ok(least)
    } else {
        Err(MatrixError::NotPositiveDefinite { pivot: first, value: 0.0 }.into())
    }
}
