//! What is known of thresholds and coefficients, by draws.

use posterior_gaussian::Gaussian;
use posterior_math::check;

use super::{OrdinalFit, OrdinalLink, between};
use crate::Error;
use crate::coefficients::Coefficient;
use crate::glm::GlmDraws;
use crate::glm::draws::drawn_from;
use crate::linear::data::finite;

/// The posterior of an ordinal regression by draws of its normal approximation.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::{GlmFitOptions, OrdinalLink, OrdinalRegression};
///
/// let design = DMatrix::from_column_slice(8, 1, &[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]);
/// let model = OrdinalRegression::new(OrdinalLink::Logit, &design, &[0, 0, 1, 1, 1, 1, 2, 2], 3)?;
/// let fit = model.fit(&GlmFitOptions::default(), &mut Silent)?.model;
/// let [low, middle, high] = &fit.draws(&["x".to_owned()], 1)?.response(&[0.0])?[..] else { unreachable!() };
/// // What is not known moves probabilities towards each other, here those of the middle to the outer ones.
/// assert!((low.mean + middle.mean + high.mean - 1.0).abs() < 1e-12 && middle.mean < 0.5);
/// assert!(low.q05 < 0.25 && 0.25 < low.q95);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "Saved"))]
pub struct OrdinalDraws {
    link: OrdinalLink,
    thresholds: usize,
    /// Thresholds come first.
    draws: GlmDraws,
}

impl OrdinalFit {
    /// Draws of N(mode, inverse information), with the thresholds of each in their order; the coefficients
    /// have these names.
    ///
    /// # Errors
    /// Other numbers of names than of coefficients; an information without an inverse.
    pub fn draws(&self, names: &[String], seed: u64) -> Result<OrdinalDraws, Error> {
        check::dimension("names of columns", self.coefficients.len(), names.len())?;
        let mode = [&self.thresholds[..], &self.coefficients].concat();
        let posterior = Gaussian::new(&mode, &self.covariance)?;
        let thresholds = self.thresholds.len();
        let names: Vec<String> =
            (1..=thresholds).map(|own| format!("threshold {own}")).chain(names.iter().cloned()).collect();
        let mut draws = drawn_from(&[(1.0, posterior)], &names, seed);
        draws.put_in_order(thresholds);
        Ok(OrdinalDraws { link: self.link, thresholds, draws })
    }
}

impl OrdinalDraws {
    /// The draws: of the thresholds, and then of the coefficients.
    pub const fn draws(&self) -> &GlmDraws {
        &self.draws
    }

    /// How many thresholds, one less than levels.
    pub const fn thresholds(&self) -> usize {
        self.thresholds
    }

    /// The distribution of the noise.
    pub const fn link(&self) -> OrdinalLink {
        self.link
    }

    /// The probability of each level at a row of columns: mean, standard deviation and quantiles.
    ///
    /// # Errors
    /// Another number of columns; one that is not finite.
    pub fn response(&self, row: &[f64]) -> Result<Vec<Coefficient>, Error> {
        check::dimension("columns of new rows", self.draws.names.len() - self.thresholds, row.len())?;
        finite("feature", 1, row)?;
        let level = |level: usize| {
            self.draws.marginal("", |point| {
                let (thresholds, coefficients) = point.split_at(self.thresholds);
                let predictor: f64 = coefficients.iter().zip(row).map(|(own, x)| own * x).sum();
                let [low, high] = between(thresholds, level);
                self.link.cell(low - predictor, high - predictor).ln_probability.exp()
            })
        };
        (0..=self.thresholds).map(level).collect()
    }
}

/// Draws as somebody wrote them.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    link: OrdinalLink,
    thresholds: usize,
    draws: GlmDraws,
}

#[cfg(feature = "serde")]
impl TryFrom<Saved> for OrdinalDraws {
    type Error = String;

    fn try_from(Saved { link, thresholds, draws }: Saved) -> Result<Self, String> {
        if (1..=draws.names.len()).contains(&thresholds) {
            return Ok(Self { link, thresholds, draws });
        }
        Err("expected a draw of each threshold".to_owned())
    }
}
