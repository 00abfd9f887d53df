//! Generalised linear models by expectation propagation: the Gaussian whose moments agree with those that
//! each response asks for.
//!
//! Each factor p(yᵢ | ηᵢ) is replaced by a Gaussian of its predictor, so that the Gaussian without it, times
//! the factor itself, has the same mean and variance of ηᵢ as the whole. The means are far closer than
//! Laplace's mode wherever a posterior is skewed; standard deviations are somewhat small where a prior is
//! wide and responses are separated, and ln p(y) is then no better than Laplace's.
//!
//! ```
//! use posterior_math::iteration::Silent;
//! use posterior_math::linalg::DMatrix;
//! use posterior_regression::glm::{CoefficientPrior, Family, Glm, GlmData};
//! use posterior_regression::propagation::{SiteOptions, propagate};
//!
//! let design = DMatrix::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { i as f64 - 2.0 });
//! let successes = [0.0, 0.0, 1.0, 0.0, 1.0];
//! let data = GlmData::new(&design, &successes)?;
//! let model = Glm::new(Family::Logit, data)?.with_prior(CoefficientPrior::isotropic(2, 1.0)?)?;
//! let fitted = propagate(&model, &SiteOptions::default(), &mut Silent)?;
//! // The truth is -3.632910154146; Laplace's approximation is off by 0.06.
//! assert!((fitted.model.ln_evidence - -3.632910154146).abs() < 0.003);
//! # Ok::<(), posterior_regression::Error>(())
//! ```
//!
//! # References
//! T. Minka, Expectation propagation for approximate Bayesian inference, UAI 2001; C. Rasmussen, C. Williams,
//! Gaussian processes for machine learning, section 3.6.

mod tilted;

use posterior_gaussian::Gaussian;
use posterior_math::iteration::{Fitted, Observer, Progress, Stop};
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use self::tilted::Factor;
use crate::Error;
use crate::coefficients::Coefficient;
use crate::glm::{Glm, ResponseDistribution, weighted_gram};

/// When the sweeps over the rows end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SiteOptions {
    /// The run has converged when no predictor's mean moves by more than this proportion of its standard
    /// deviation in a sweep, nor its variance by more than this proportion. 10⁻⁹ by default.
    pub tolerance: f64,
    /// The most sweeps: 200 by default.
    pub max_iterations: usize,
}

impl Default for SiteOptions {
    fn default() -> Self {
        Self { tolerance: 1e-9, max_iterations: 200 }
    }
}

/// The Gaussian of expectation propagation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PropagatedPosterior {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The distribution of the coefficients.
    pub distribution: Gaussian,
    /// ln p(y), approximately; neither a lower nor an upper bound.
    pub ln_evidence: f64,
}

impl PropagatedPosterior {
    /// The table of coefficients.
    ///
    /// # Errors
    /// A variance that is out of range.
    pub fn table(&self) -> Result<Vec<Coefficient>, Error> {
        let variances = self.distribution.cholesky().reconstruct().diagonal();
        let rows = self.names.iter().zip(self.distribution.mean().iter()).zip(variances.iter());
        rows.map(|((name, mean), variance)| Ok(Coefficient::normal(name.as_str(), *mean, variance.sqrt())?))
            .collect()
    }
}

/// The posterior by sweeps over the rows, each of n (p² + q) + p³ operations; q, some hundreds of evaluations
/// of a likelihood, are for the moments of a row. Ten sweeps are usual.
///
/// # Errors
/// A prior that is flat somewhere, a dispersion that is not known, a distribution of which only the variance
/// is known: there is no posterior distribution then. Moments of a response that are not finite.
pub fn propagate<L: ResponseDistribution + Sync>(
    model: &Glm<'_, L>,
    options: &SiteOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<Fitted<PropagatedPosterior>, Error> {
    let mut state = State::new(model)?;
    let mut progress = Progress::new(state.ln_evidence(), options.max_iterations, observer);
    let stop = loop {
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        let moved = state.sweep()?;
        if progress.stopped_after(state.ln_evidence()) {
            break Stop::Observer;
        }
        if moved <= options.tolerance {
            break Stop::Converged;
        }
    };
    let precision = state.precision();
    let fitted = PropagatedPosterior {
        names: model.data().names().to_vec(),
        distribution: Gaussian::from_precision(state.mean.as_slice(), &precision)?,
        ln_evidence: state.ln_evidence(),
    };
    Ok(Fitted { model: fitted, report: progress.finish(stop) })
}

/// What a row says of its predictor xᵀβ: the exponent `linear` η - ½ `precision` η², and what else its part
/// of ln p(y) has.
#[derive(Debug, Clone, Copy, Default)]
struct Site {
    linear: f64,
    precision: f64,
    /// ln Ẑ and the normalizers of the Gaussian without the row and with it.
    ln_scale: f64,
}

/// Σx, and mean and variance of a predictor under the Gaussian, and under the one without its row.
type Predicted = (DVector<f64>, [f64; 2], [f64; 2]);

struct State<'m, 'a, L> {
    model: &'m Glm<'a, L>,
    dispersion: f64,
    sites: Vec<Site>,
    covariance: DMatrix<f64>,
    mean: DVector<f64>,
    /// ½ hᵀ Λ⁻¹ h - ½ ln |Λ|, of the last refreshment.
    ln_normalizer: f64,
    /// The same of the prior, and the constants of the likelihood.
    constant: f64,
}

impl<'m, 'a, L: ResponseDistribution + Sync> State<'m, 'a, L> {
    fn new(model: &'m Glm<'a, L>) -> Result<Self, Error> {
        let dispersion = model.dispersion().ok_or(Error::NoFit { why: "the dispersion is not known" })?;
        let best =
            model.ln_best(dispersion).ok_or(Error::NoFit { why: "a quasi-likelihood is no density" })?;
        if !model.prior().is_proper() {
            return Err(Error::NoFit {
                why: "expectation propagation needs a proper prior of every coefficient",
            });
        }
        let (n, p) = (model.data().rows(), model.data().columns());
        let mut state = Self {
            model,
            dispersion,
            sites: vec![Site::default(); n],
            covariance: DMatrix::zeros(p, p),
            mean: DVector::zeros(p),
            ln_normalizer: 0.0,
            constant: 0.0,
        };
        state.refresh()?;
        state.constant = best - state.ln_normalizer;
        Ok(state)
    }

    fn ln_evidence(&self) -> f64 {
        let of_rows: f64 = self.sites.iter().map(|site| site.ln_scale).sum();
        self.constant + self.ln_normalizer + of_rows
    }

    fn precision(&self) -> DMatrix<f64> {
        let precisions: Vec<f64> = self.sites.iter().map(|site| site.precision).collect();
        let mut precision = weighted_gram(self.model.data(), &precisions);
        for (j, tau) in self.model.prior().precision().iter().enumerate() {
            precision[(j, j)] += tau;
        }
        precision.fill_upper_triangle_with_lower_triangle();
        precision
    }

    /// Mean and covariance from the sites, without the rounding errors of a sweep.
    fn refresh(&mut self) -> Result<(), Error> {
        let prior = self.model.prior();
        let mut linear = DVector::from_fn(self.mean.len(), |j, _| prior.mean()[j] * prior.precision()[j]);
        for (row, site) in self.model.data().design().row_iter().zip(&self.sites) {
            linear.axpy(site.linear, &row.transpose(), 1.0);
        }
        let factor = Cholesky::new(&self.precision())?;
        self.covariance = factor.inverse();
        self.mean = &self.covariance * &linear;
        self.ln_normalizer = 0.5 * (linear.dot(&self.mean) - factor.ln_determinant());
        Ok(())
    }

    /// Each row once; returns the largest move of a predictor.
    fn sweep(&mut self) -> Result<f64, Error> {
        let mut moved = 0.0_f64;
        for row in 0..self.sites.len() {
            if self.model.data().weight(row) > 0.0 {
                moved = moved.max(self.update(row)?);
            }
        }
        self.refresh()?;
        for row in 0..self.sites.len() {
            self.scale(row)?;
        }
        Ok(moved)
    }

    /// Mean and variance of a predictor, with Σx; and the same of the Gaussian without the row.
    fn predictor(&self, row: usize) -> Result<Predicted, Error> {
        let x = self.model.data().design().row(row).transpose();
        let along = &self.covariance * &x;
        let (variance, mean) = (x.dot(&along), x.dot(&self.mean));
        let site = self.sites[row];
        let without = variance.recip() - site.precision;
        if !(without > 0.0 && without.is_finite()) {
            return Err(Error::NoFit { why: "expectation propagation: a response takes more than it gives" });
        }
        let mean_without = (mean / variance - site.linear) / without;
        Ok((along, [mean, variance], [mean_without, without.recip()]))
    }

    /// Renews a site, and the Gaussian with it.
    fn update(&mut self, row: usize) -> Result<f64, Error> {
        // An input of zeros says nothing.
        if self.model.data().design().row(row).iter().all(|x| *x == 0.0) {
            return Ok(0.0);
        }
        let (along, [mean, variance], cavity) = self.predictor(row)?;
        let [_, new_mean, new_variance] = self.factor(row).moments(cavity)?;
        let site = &mut self.sites[row];
        let precision = new_variance.recip() - cavity[1].recip();
        let linear = new_mean / new_variance - cavity[0] / cavity[1];
        let (by_precision, by_linear) = (precision - site.precision, linear - site.linear);
        (site.precision, site.linear) = (precision, linear);
        let shrink = 1.0 + by_precision * variance;
        self.mean.axpy((by_linear - by_precision * mean) / shrink, &along, 1.0);
        self.covariance.ger(-by_precision / shrink, &along, &along, 1.0);
        Ok(((new_mean - mean).abs() / new_variance.sqrt()).max((new_variance / variance - 1.0).abs()))
    }

    /// The part of ln p(y) of a row beside the normalizer of all.
    fn scale(&mut self, row: usize) -> Result<(), Error> {
        let weight = self.model.data().weight(row);
        if weight == 0.0 {
            return Ok(());
        }
        let zeros = self.model.data().design().row(row).iter().all(|x| *x == 0.0);
        self.sites[row].ln_scale = if zeros {
            self.factor(row).at(0.0)
        } else {
            let (_, whole, cavity) = self.predictor(row)?;
            let [ln_mass, ..] = self.factor(row).moments(cavity)?;
            let ln_normalizer = |[mean, variance]: [f64; 2]| 0.5 * (mean * mean / variance + variance.ln());
            ln_mass + ln_normalizer(cavity) - ln_normalizer(whole)
        };
        Ok(())
    }

    fn factor(&self, row: usize) -> Factor<'_, L> {
        let data = self.model.data();
        Factor {
            distribution: self.model.distribution(),
            y: data.response()[row],
            offset: data.offset(row),
            weight: data.weight(row) / self.dispersion,
        }
    }
}
