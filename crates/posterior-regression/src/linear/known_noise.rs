//! Regression with noise of known variance: normal distributions throughout.

use std::f64::consts::TAU;

use super::distribution::Spread;
use super::forms::{Solved, solve};
use super::{LinearData, PosteriorForm, WeightPrior};
use crate::Error;
use crate::coefficients::Coefficient;
use posterior_gaussian::MomentGaussian;
use posterior_math::check::{self, ParamError};
use posterior_math::linalg::{DMatrix, DVector};
use rand::Rng;

/// Means and variances, one for each input.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NormalPredictions {
    /// The means.
    pub mean: Vec<f64>,
    /// The variances.
    pub variance: Vec<f64>,
}

/// The normal distribution of the weights, given data with noise of known variance.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::linear::{LinearData, WeightPrior, known_noise};
///
/// let design = DMatrix::from_row_slice(4, 2, &[1.0, 0.0, 1.0, 1.0, 1.0, 2.0, 1.0, 3.0]);
/// let data = LinearData::new(&design, &[1.0, 2.9, 5.2, 6.8])?;
/// let posterior = known_noise(&data, &WeightPrior::isotropic(2, 1.0)?, 0.25)?;
/// assert!((posterior.mean()[1] - 1.947073791349).abs() < 1e-12);
///
/// let at = posterior.predict(&DMatrix::from_row_slice(1, 2, &[1.0, 4.0]))?;
/// assert!((at.mean[0] - 8.780661577608141).abs() < 1e-12);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearPosterior {
    pub(super) mean: DVector<f64>,
    pub(super) spread: Spread,
    pub(super) noise_variance: f64,
    pub(super) ln_evidence: Option<f64>,
    pub(super) prior: WeightPrior,
    pub(super) form: PosteriorForm,
    pub(super) names: Vec<String>,
}

/// The posterior of the weights of y = offset + Φ w + noise, where the noise of row i has variance σ²/wᵢ.
///
/// # Errors
/// If the prior is of another number of weights, there is more than one output, σ² is not positive and
/// finite, a column is a combination of the others where the prior is flat, or numbers overflow.
pub fn known_noise(
    data: &LinearData<'_>,
    prior: &WeightPrior,
    noise_variance: f64,
) -> Result<LinearPosterior, Error> {
    regression(data, prior, noise_variance, None)
}

/// As [`known_noise`], in a form of your choice.
///
/// # Errors
/// As [`known_noise`]; and if the prior is flat in a weight and the form is [`PosteriorForm::Gain`].
pub fn known_noise_by(
    form: PosteriorForm,
    data: &LinearData<'_>,
    prior: &WeightPrior,
    noise_variance: f64,
) -> Result<LinearPosterior, Error> {
    regression(data, prior, noise_variance, Some(form))
}

fn regression(
    data: &LinearData<'_>,
    prior: &WeightPrior,
    noise_variance: f64,
    form: Option<PosteriorForm>,
) -> Result<LinearPosterior, Error> {
    check::positive("known_noise", "noise variance", noise_variance)?;
    check::dimension("weights of the prior", data.features(), prior.features())?;
    check::dimension("outputs", 1, data.outputs)?;
    let mean = DMatrix::from_column_slice(prior.features(), 1, prior.mean().as_slice());
    let solved = solve(data, prior, &mean, noise_variance, form)?;
    let rows = data.informative() as f64;
    let Solved { mean, spread, rest, ln_determinant, form } = solved;
    let ln_noise = rows * (TAU.ln() + noise_variance.ln()) - data.ln_weights();
    let ln_evidence = prior.is_proper().then(|| -0.5 * (ln_noise + ln_determinant + rest[(0, 0)]));
    Ok(LinearPosterior {
        mean: mean.column(0).into_owned(),
        spread,
        noise_variance,
        ln_evidence,
        prior: prior.clone(),
        form,
        names: data.names(),
    })
}

impl LinearPosterior {
    /// The mean of the weights, which is their mode: the minimum of |y - Φ w|²/σ² + |S^(-1/2) (w - μ)|².
    pub const fn mean(&self) -> &DVector<f64> {
        &self.mean
    }

    /// The covariance of the weights.
    pub fn covariance(&self) -> DMatrix<f64> {
        self.spread.covariance()
    }

    /// The standard deviations of the weights.
    pub fn deviations(&self) -> DVector<f64> {
        self.spread.variances().map(f64::sqrt)
    }

    /// The names of the features.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The noise variance σ².
    pub const fn noise_variance(&self) -> f64 {
        self.noise_variance
    }

    /// How it was computed.
    pub const fn form(&self) -> PosteriorForm {
        self.form
    }

    /// ln p(y) = ln N(y; Φ μ, Φ S Φᵀ + σ² I), by the determinant lemma; none under a flat prior.
    pub const fn ln_evidence(&self) -> Option<f64> {
        self.ln_evidence
    }

    /// How many weights the data determine: tr(K (K + σ² I)⁻¹) with K = Φ S Φᵀ, from 0 to F.
    pub fn effective_parameters(&self) -> f64 {
        self.spread.effective_parameters(&self.prior)
    }

    /// A line for each weight.
    ///
    /// # Errors
    /// If a variance is not finite.
    pub fn coefficients(&self) -> Result<Vec<Coefficient>, ParamError> {
        let deviations = self.deviations();
        let lines = self.names.iter().zip(self.mean.iter().zip(deviations.iter()));
        lines.map(|(name, (&mean, &sd))| Coefficient::normal(name.clone(), mean, sd)).collect()
    }

    /// The distribution of f = Φ w at each row of a design: no noise, no offset.
    ///
    /// # Errors
    /// If the design has another number of columns, or a number that is not finite.
    pub fn latent(&self, design: &DMatrix<f64>) -> Result<NormalPredictions, Error> {
        self.check(design)?;
        let mean = (design * &self.mean).as_slice().to_vec();
        Ok(NormalPredictions { mean, variance: self.spread.variances_at(design) })
    }

    /// The distribution of a new response at each row of a design: with noise of variance σ².
    ///
    /// # Errors
    /// As [`function`](Self::latent).
    pub fn predict(&self, design: &DMatrix<f64>) -> Result<NormalPredictions, Error> {
        let mut distribution = self.latent(design)?;
        distribution.variance.iter_mut().for_each(|variance| *variance += self.noise_variance);
        Ok(distribution)
    }

    /// The joint distribution of f = Φ w at the rows of a design.
    ///
    /// # Errors
    /// As [`function`](Self::latent).
    pub fn joint_function(&self, design: &DMatrix<f64>) -> Result<MomentGaussian, Error> {
        self.check(design)?;
        let mean = design * &self.mean;
        Ok(MomentGaussian::new(mean.as_slice(), &self.spread.covariance_at(design))?)
    }

    /// Draws weights.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> DVector<f64> {
        &self.mean + self.spread.draw(rng)
    }

    fn check(&self, design: &DMatrix<f64>) -> Result<(), Error> {
        check::dimension("features", self.mean.len(), design.ncols())?;
        super::data::finite("feature", design.nrows(), design.as_slice())
    }
}
