//! Several outputs of the same features, with noise that is correlated between them.

use std::f64::consts::TAU;

use super::distribution::Spread;
use super::forms::{Solved, solve};
use super::{LinearData, WeightPrior};
use crate::Error;
use posterior_gaussian::{InverseWishart, MatrixNormal, MatrixT, MultivariateT};
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector};

/// The distribution of weights W, F × K, and of the covariance Σ of the noise of K outputs: W | Σ ~ MN(M, C,
/// Σ), Σ ~ IW(Ψ, ν).
///
/// ```
/// use posterior_gaussian::InverseWishart;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::{LinearData, WeightPrior, multi_output};
///
/// let design = DMatrix::from_fn(6, 1, |i, _| i as f64);
/// let responses = DMatrix::from_fn(6, 2, |i, k| i as f64 * (k as f64 + 1.0) + 0.1 * (i * i + k) as f64);
/// let data = LinearData::multi_output(&design, &responses)?;
/// let noise = InverseWishart::new(3.0, &DMatrix::identity(2, 2))?;
/// let posterior = multi_output(&data, &WeightPrior::isotropic(1, 1.0)?, &noise)?;
/// assert_eq!(posterior.noise().degrees_of_freedom(), 9.0);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MultiOutputPosterior {
    mean: DMatrix<f64>,
    spread: Spread,
    noise: InverseWishart,
    ln_evidence: Option<f64>,
}

/// The posterior of Y = Φ W + noise, rows of which are N(0, Σ/wᵢ), under the prior W | Σ ~ MN(μ 1ᵀ, S, Σ), Σ
/// ~ IW: every output has the prior mean μ, and S is in units of its noise.
///
/// # Errors
/// If the sizes of prior, noise and data differ, a column is a combination of the others where the prior is
/// flat, or numbers overflow.
pub fn multi_output(
    data: &LinearData<'_>,
    prior: &WeightPrior,
    noise: &InverseWishart,
) -> Result<MultiOutputPosterior, Error> {
    check::dimension("weights of the prior", data.features(), prior.features())?;
    check::dimension("outputs of the noise", data.outputs, noise.dimension())?;
    let (rows, outputs) = (data.informative() as f64, data.outputs as f64);
    let mean = DMatrix::from_fn(data.features(), data.outputs, |j, _| prior.mean()[j]);
    let Solved { mean, spread, rest, ln_determinant, .. } = solve(data, prior, &mean, 1.0, None)?;
    let degrees_of_freedom = noise.degrees_of_freedom() + rows - prior.flat_weights() as f64;
    let posterior = InverseWishart::new(degrees_of_freedom, &(noise.scale() + rest))?;
    let ln_evidence = prior.is_proper().then(|| {
        let ln_normals = -0.5 * outputs * (rows * TAU.ln() - data.ln_weights() + ln_determinant);
        ln_normals + posterior.ln_norm() - noise.ln_norm()
    });
    Ok(MultiOutputPosterior { mean, spread, noise: posterior, ln_evidence })
}

impl MultiOutputPosterior {
    /// M: a column for each output.
    pub const fn mean(&self) -> &DMatrix<f64> {
        &self.mean
    }

    /// C: the covariance of the weights of one output, in units of its noise variance.
    pub fn relative_covariance(&self) -> DMatrix<f64> {
        self.spread.covariance()
    }

    /// The distribution of Σ.
    pub const fn noise(&self) -> &InverseWishart {
        &self.noise
    }

    /// ln p(Y); none under a flat prior.
    pub const fn ln_evidence(&self) -> Option<f64> {
        self.ln_evidence
    }

    /// The distribution of the weights if the covariance of the noise were Σ.
    ///
    /// # Errors
    /// If Σ is no covariance of K outputs, or rounding has left no positive definite C.
    pub fn weights_given(&self, noise: &DMatrix<f64>) -> Result<MatrixNormal, ParamError> {
        MatrixNormal::new(&self.mean, &self.spread.covariance(), noise)
    }

    /// The distribution of the K new responses at each row of a design: t with ν - K + 1 degrees of freedom.
    ///
    /// # Errors
    /// If the design has another number of columns, or a number that is not finite.
    pub fn predict(&self, design: &DMatrix<f64>) -> Result<Vec<MultivariateT>, Error> {
        check::dimension("features", self.mean.nrows(), design.ncols())?;
        super::data::finite("feature", design.nrows(), design.as_slice())?;
        let degrees_of_freedom = self.noise.degrees_of_freedom() - self.noise.dimension() as f64 + 1.0;
        let locations = design * &self.mean;
        let mut distributions = Vec::with_capacity(design.nrows());
        for (row, variance) in self.spread.variances_at(design).into_iter().enumerate() {
            let location: DVector<f64> = locations.row(row).transpose();
            let scale = self.noise.scale() * ((1.0 + variance) / degrees_of_freedom);
            distributions.push(MultivariateT::new(degrees_of_freedom, location.as_slice(), &scale)?);
        }
        Ok(distributions)
    }

    /// The joint distribution of the K new responses at all rows of a design, a row for each: a matrix t with
    /// ν - K + 1 degrees of freedom, row scale I + Φ C Φᵀ and column scale Ψ. Its rows are
    /// [`predict`](Self::predict).
    ///
    /// # Errors
    /// If the design has another number of columns, no row, or a number that is not finite.
    pub fn predict_jointly(&self, design: &DMatrix<f64>) -> Result<MatrixT, Error> {
        check::dimension("features", self.mean.nrows(), design.ncols())?;
        super::data::finite("feature", design.nrows(), design.as_slice())?;
        let degrees_of_freedom = self.noise.degrees_of_freedom() - self.noise.dimension() as f64 + 1.0;
        let rows = DMatrix::identity(design.nrows(), design.nrows())
            + design * self.spread.covariance() * design.transpose();
        Ok(MatrixT::new(degrees_of_freedom, &(design * &self.mean), &rows, self.noise.scale())?)
    }
}
