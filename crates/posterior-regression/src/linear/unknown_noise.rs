//! Regression with noise of unknown variance: Student t distributions.

use std::f64::consts::TAU;

use super::distribution::Spread;
use super::forms::{Solved, solve};
use super::{LinearData, PosteriorForm, WeightPrior};
use crate::Error;
use crate::coefficients::Coefficient;
use posterior_dist::{InverseGamma, StudentT};
use posterior_gaussian::MultivariateT;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector};
use posterior_math::special::ln_gamma;
use rand::Rng;
use rand::distr::Distribution;

/// What is believed of the noise variance before the data: density ∝ v^(-a-1) exp(-b/v).
///
/// ```
/// use posterior_regression::linear::NoisePrior;
///
/// assert!(NoisePrior::inverse_gamma(2.0, 1.0)?.is_proper());
/// assert!(!NoisePrior::flat_ln().is_proper());
/// # Ok::<(), posterior_math::ParamError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Unchecked"))]
pub struct NoisePrior {
    shape: f64,
    scale: f64,
}

impl NoisePrior {
    /// The inverse gamma distribution of shape a and scale b.
    ///
    /// # Errors
    /// If a or b is not positive and finite.
    pub fn inverse_gamma(shape: f64, scale: f64) -> Result<Self, ParamError> {
        let shape = check::positive("NoisePrior", "shape", shape)?;
        Ok(Self { shape, scale: check::positive("NoisePrior", "scale", scale)? })
    }

    /// Flat in ln σ: density 1/v. With flat weights the posterior is that of textbooks' t statistics.
    pub const fn flat_ln() -> Self {
        Self { shape: 0.0, scale: 0.0 }
    }

    /// Flat in σ: density v^(-1/2).
    pub const fn flat_deviation() -> Self {
        Self { shape: -0.5, scale: 0.0 }
    }

    /// Whether it is a distribution.
    pub fn is_proper(&self) -> bool {
        self.shape > 0.0 && self.scale > 0.0
    }
}

/// Student t distributions of one number for each input, with common degrees of freedom.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StudentTs {
    /// Degrees of freedom.
    pub degrees_of_freedom: f64,
    /// The locations.
    pub location: Vec<f64>,
    /// The scales; the standard deviations are √(ν/(ν - 2)) times as large.
    pub scale: Vec<f64>,
}

impl StudentTs {
    /// The distribution at one input; none if the scale is zero or infinite, or there is no such input.
    pub fn distribution(&self, index: usize) -> Option<StudentT> {
        StudentT::new(self.degrees_of_freedom, *self.location.get(index)?, *self.scale.get(index)?).ok()
    }
}

/// The distribution of weights and noise variance: w | σ² ~ N(m, σ² C) and σ² ~ IG(a, b).
///
/// With a known noise variance the spread of the posterior does not depend on y; here it does, through b.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::{LinearData, NoisePrior, WeightPrior, unknown_noise};
///
/// // A constant: the conjugate pair of mean and variance.
/// let design = DMatrix::from_element(4, 1, 1.0);
/// let data = LinearData::new(&design, &[1.2, 0.7, 2.1, 1.6])?;
/// let noise = NoisePrior::inverse_gamma(2.0, 1.0)?;
/// let posterior = unknown_noise(&data, &WeightPrior::isotropic(1, 1.0)?, noise)?;
/// assert!((posterior.mean()[0] - 1.12).abs() < 1e-15);
/// assert!((posterior.noise().scale() - 2.314).abs() < 1e-14);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StudentPosterior {
    mean: DVector<f64>,
    spread: Spread,
    noise: InverseGamma,
    ln_evidence: Option<f64>,
    prior: WeightPrior,
    form: PosteriorForm,
    names: Vec<String>,
}

/// The posterior of weights and noise variance of y = offset + Φ w + noise, where the noise of row i has
/// variance σ²/wᵢ and the weights have the prior N(μ, σ² S): S is in units of the noise.
///
/// # Errors
/// If the prior is of another number of weights, there is more than one output, a column is a combination of
/// the others where the prior is flat, numbers overflow, or the noise variance has no proper posterior: under
/// a flat prior there must be more rows than weights, and not all on the function.
pub fn unknown_noise(
    data: &LinearData<'_>,
    prior: &WeightPrior,
    noise: NoisePrior,
) -> Result<StudentPosterior, Error> {
    check::dimension("weights of the prior", data.features(), prior.features())?;
    check::dimension("outputs", 1, data.outputs)?;
    let mean = DMatrix::from_column_slice(prior.features(), 1, prior.mean().as_slice());
    let Solved { mean, spread, rest, ln_determinant, form } = solve(data, prior, &mean, 1.0, None)?;
    let rows = data.informative() as f64;
    let shape = noise.shape + 0.5 * (rows - prior.flat_weights() as f64);
    let posterior = InverseGamma::new(shape, noise.scale + 0.5 * rest[(0, 0)])?;
    let ln_evidence = (prior.is_proper() && noise.is_proper()).then(|| {
        let ln_normals = -0.5 * (rows * TAU.ln() - data.ln_weights() + ln_determinant);
        let volume = |shape: f64, scale: f64| ln_gamma(shape) - shape * scale.ln();
        ln_normals + volume(shape, posterior.scale()) - volume(noise.shape, noise.scale)
    });
    Ok(StudentPosterior {
        mean: mean.column(0).into_owned(),
        spread,
        noise: posterior,
        ln_evidence,
        prior: prior.clone(),
        form,
        names: data.names(),
    })
}

impl StudentPosterior {
    /// m, the location of the weights, and their mean from one degree of freedom on.
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The distribution of σ².
    pub const fn noise(&self) -> InverseGamma {
        self.noise
    }

    /// 2a, the degrees of freedom of every t distribution here.
    pub const fn degrees_of_freedom(&self) -> f64 {
        2.0 * self.noise.shape()
    }

    /// C: the covariance of the weights in units of σ².
    pub fn relative_covariance(&self) -> DMatrix<f64> {
        self.spread.covariance()
    }

    /// The distribution of the weights, t with scale matrix C b/a.
    ///
    /// # Errors
    /// If rounding has left no positive definite matrix.
    pub fn weights(&self) -> Result<MultivariateT, ParamError> {
        let scale = self.spread.covariance() * self.variance_unit();
        MultivariateT::new(self.degrees_of_freedom(), self.mean.as_slice(), &scale)
    }

    /// How it was computed.
    pub const fn form(&self) -> PosteriorForm {
        self.form
    }

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// ln p(y); none if one of the priors is no distribution.
    pub const fn ln_evidence(&self) -> Option<f64> {
        self.ln_evidence
    }

    /// How many weights the data determine, from 0 to F.
    pub fn effective_parameters(&self) -> f64 {
        self.spread.effective_parameters(&self.prior)
    }

    /// A line for each weight.
    ///
    /// # Errors
    /// If a scale is zero or not finite.
    pub fn coefficients(&self) -> Result<Vec<Coefficient>, ParamError> {
        let unit = self.variance_unit();
        let scales = self.spread.variances().map(|variance| (variance * unit).sqrt());
        let lines = self.names.iter().zip(self.mean.iter().zip(scales.iter()));
        lines
            .map(|(name, (&mean, &s))| {
                Coefficient::student_t(name.clone(), self.degrees_of_freedom(), mean, s)
            })
            .collect()
    }

    /// The distributions of f = Φ w at each row of a design: no noise, no offset.
    ///
    /// # Errors
    /// If the design has another number of columns, or a number that is not finite.
    pub fn latent(&self, design: &DMatrix<f64>) -> Result<StudentTs, Error> {
        self.distributions(design, 0.0)
    }

    /// The distributions of a new response at each row of a design.
    ///
    /// # Errors
    /// As [`function`](Self::latent).
    pub fn predict(&self, design: &DMatrix<f64>) -> Result<StudentTs, Error> {
        self.distributions(design, 1.0)
    }

    fn distributions(&self, design: &DMatrix<f64>, noise: f64) -> Result<StudentTs, Error> {
        check::dimension("features", self.mean.len(), design.ncols())?;
        super::data::finite("feature", design.nrows(), design.as_slice())?;
        let unit = self.variance_unit();
        let spread = self.spread.variances_at(design);
        let scale = spread.into_iter().map(|variance| ((variance + noise) * unit).sqrt()).collect();
        let location = (design * &self.mean).as_slice().to_vec();
        Ok(StudentTs { degrees_of_freedom: self.degrees_of_freedom(), location, scale })
    }

    /// Draws weights, and the noise variance that they belong to.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> (DVector<f64>, f64) {
        let variance: f64 = self.noise.sample(rng);
        let weights = &self.mean + self.spread.draw(rng) * variance.sqrt();
        (weights, variance)
    }

    /// The posterior after more rows: what all rows together would have given, in any order, up to rounding.
    ///
    /// # Errors
    /// As [`unknown_noise`].
    pub fn update(&self, more: &LinearData<'_>) -> Result<Self, Error> {
        let noise = NoisePrior { shape: self.noise.shape(), scale: self.noise.scale() };
        let updated = unknown_noise(more, &self.spread.as_prior(&self.mean)?, noise)?;
        let ln_evidence = self.ln_evidence.zip(updated.ln_evidence).map(|(before, after)| before + after);
        Ok(Self { ln_evidence, prior: self.prior.clone(), names: self.names.clone(), ..updated })
    }

    /// The prediction of each response of the data from all others, in closed form; the scale of a row of
    /// weight zero is infinite.
    ///
    /// # Errors
    /// If the data are of another number of features, or without a row the weights or the noise would have no
    /// proper distribution.
    pub fn leave_one_out(&self, data: &LinearData<'_>) -> Result<StudentTs, Error> {
        check::dimension("features", self.mean.len(), data.features())?;
        check::dimension("outputs", 1, data.outputs)?;
        let fitted = data.design * &self.mean;
        let degrees_of_freedom = self.degrees_of_freedom() - 1.0;
        check::positive("leave_one_out", "degrees of freedom", degrees_of_freedom)?;
        let mut distributions = StudentTs { degrees_of_freedom, location: Vec::new(), scale: Vec::new() };
        for (row, spread) in self.spread.variances_at(data.design).into_iter().enumerate() {
            let weight = data.weight(row);
            let left = 1.0 - spread * weight;
            let residual = data.response[row] - data.offset.map_or(0.0, |offset| offset[row]) - fitted[row];
            // b of the others.
            let scale = self.noise.scale() - 0.5 * weight * residual * (residual / left);
            if !(left > 4.0 * f64::EPSILON && scale > 4.0 * f64::EPSILON * self.noise.scale()) {
                let requirement = "below 1: no other row says what this one does";
                return Err(Error::Observation { what: "leverage", row, value: 1.0 - left, requirement });
            }
            distributions.location.push(data.response[row] - residual / left);
            distributions.scale.push((2.0 * scale / (degrees_of_freedom * weight * left)).sqrt());
        }
        Ok(distributions)
    }

    /// b/a.
    fn variance_unit(&self) -> f64 {
        self.noise.scale() / self.noise.shape()
    }
}

/// A prior as somebody wrote it.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct Unchecked {
    shape: f64,
    scale: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Unchecked> for NoisePrior {
    type Error = ParamError;

    fn try_from(Unchecked { shape, scale }: Unchecked) -> Result<Self, ParamError> {
        let written = Self { shape, scale };
        let is_flat = [Self::flat_ln(), Self::flat_deviation()].contains(&written);
        if is_flat { Ok(written) } else { Self::inverse_gamma(shape, scale) }
    }
}
