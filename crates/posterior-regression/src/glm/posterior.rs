//! Laplace's approximation of the posterior of the coefficients, and what it predicts.

use posterior_gaussian::Gaussian;
use posterior_math::check;
use posterior_math::iteration::{Report, Silent};
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::log_space::logistic;
use posterior_math::quadrature::GaussHermite;
use posterior_math::special::normal_cdf;
use std::f64::consts::{PI, TAU};

use super::climb::GlmFitOptions;
use super::family::Family;
use super::fitted::independent;
use super::model::Glm;
use super::pass::Want;
use super::response_distribution::{Curvature, ResponseDistribution};
use crate::Error;
use crate::coefficients::Coefficient;
use crate::linear::data::finite;

/// The Gaussian at the most probable coefficients, and ln p(y) by it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GlmPosterior {
    /// The names of the columns.
    pub names: Vec<String>,
    /// N(β̂, Λ⁻¹), with the precision Λ = -∇² ln p(y, β) at the mode.
    pub distribution: Gaussian,
    /// ln p(y, β̂).
    pub ln_joint: f64,
    /// ln p(y) ≈ ln p(y, β̂) + p/2 ln 2π - ½ ln |Λ|. Of use where the prior is proper: a flat one has no
    /// constant.
    pub ln_evidence: f64,
    /// How the search for the mode went.
    pub report: Report,
}

impl GlmPosterior {
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

impl<L: ResponseDistribution + Sync> Glm<'_, L> {
    /// Laplace's approximation of the posterior.
    ///
    /// # Errors
    /// As [`fit`](Self::fit). A dispersion that is not known: give it by
    /// [`with_dispersion`](Self::with_dispersion); a distribution of which only the variance is known.
    pub fn laplace(&self, options: &GlmFitOptions) -> Result<GlmPosterior, Error> {
        let dispersion = self.dispersion().ok_or(Error::NoFit { why: "the dispersion is not known" })?;
        let best =
            self.ln_best(dispersion).ok_or(Error::NoFit { why: "a quasi-likelihood is no density" })?;
        let fitted = self.fit(options, &mut Silent)?;
        let mode = fitted.model.coefficients;
        let sums = self.joint(&mode, dispersion, Want::Information(Curvature::Observed));
        let factor = independent(&sums.information, self.data().names())?;
        let ln_joint = sums.value + best;
        let ln_evidence = ln_joint + 0.5 * (mode.len() as f64 * TAU.ln() - factor.ln_determinant());
        let mut precision = sums.information;
        precision.fill_upper_triangle_with_lower_triangle();
        let distribution = Gaussian::from_precision(&mode, &precision)?;
        Ok(GlmPosterior {
            names: self.data().names().to_vec(),
            distribution,
            ln_joint,
            ln_evidence,
            report: fitted.report,
        })
    }
}

/// The Gaussian distribution of a linear predictor under a Gaussian distribution of the coefficients.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Predictor {
    /// xᵀm + o.
    pub mean: f64,
    /// xᵀ V x.
    pub variance: f64,
}

impl Predictor {
    /// The predictors of rows with these inputs, without offsets, for coefficients of this distribution.
    ///
    /// # Errors
    /// Other numbers of columns than of coefficients; a number that is not finite.
    pub fn of_rows(distribution: &Gaussian, design: &DMatrix<f64>) -> Result<Vec<Self>, Error> {
        check::dimension("columns of new rows", distribution.dimension(), design.ncols())?;
        finite("feature", design.nrows(), design.as_slice())?;
        let factor: &Cholesky = distribution.cholesky();
        let row = |row: usize| {
            let x = design.row(row).transpose();
            let mean = x.dot(distribution.mean());
            let variance = (factor.factor().tr_mul(&x)).norm_squared();
            Self { mean, variance }
        };
        Ok((0..design.nrows()).map(row).collect())
    }

    /// The mean response at the mean predictor: what a plug-in prediction says, too sure of itself.
    pub fn plug_in<L: ResponseDistribution>(&self, distribution: &L) -> f64 {
        distribution.mean(self.mean)
    }

    /// E μ(η) by a quadrature rule for the normal distribution.
    pub fn averaged<L: ResponseDistribution>(&self, distribution: &L, rule: &GaussHermite) -> f64 {
        rule.expectation(self.mean, self.variance, |predictor| distribution.mean(predictor))
    }

    /// E σ(η) ≈ σ(m / √(1 + π v / 8)): MacKay's approximation for the logit link, whose largest error is
    /// 0.0151 for |m| ≤ 8 and v ≤ 55. Exact for v = 0.
    ///
    /// # References
    /// D. MacKay, The evidence framework applied to classification networks, Neural Computation 4, 1992.
    pub fn mackay(&self) -> f64 {
        logistic(self.mean / (1.0 + PI / 8.0 * self.variance).sqrt())
    }

    /// E μ(η) in closed form, where there is one: Φ(m / √(1 + v)) for the probit link, e^(m + v/2) for
    /// logarithms, m for the identity.
    pub fn exact(&self, distribution: &Family) -> Option<f64> {
        match distribution {
            Family::Gaussian => Some(self.mean),
            Family::Probit => Some(normal_cdf(self.mean / (1.0 + self.variance).sqrt())),
            Family::Poisson | Family::NegativeBinomial { .. } | Family::GammaLog => {
                Some((self.mean + 0.5 * self.variance).exp())
            }
            _ => None,
        }
    }
}
