//! Levels in an order: cumulative logit and probit regression.

mod cell;
mod draws;

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::{Cholesky, DMatrix, multiply};
use posterior_math::special::ln_factorial;
use std::f64::consts::TAU;

pub use self::draws::OrdinalDraws;

use self::cell::Cell;
use super::climb::{GlmFitOptions, Hill, Slopes, climb};
use super::fitted::independent;
use super::gram::weighted_gram;
use super::observations::GlmData;
use super::prior::CoefficientPrior;
use crate::Error;

/// The distribution of the noise of an ordinal regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum OrdinalLink {
    /// Logistic: proportional odds.
    Logit,
    /// Standard normal.
    Probit,
}

/// P(level ≤ k | x) = F(cₖ - xᵀβ) with thresholds c₀ < c₁ < …: noise of distribution F around xᵀβ falls into
/// one of the intervals between them.
///
/// # Gauge
/// The noise has its standard scale (variance 1, or π²/3 if logistic) and xᵀβ has no intercept, since the
/// thresholds would take it up: a constant column is refused as collinear. A positive coefficient leads to
/// higher levels. Where thresholds are not in order the likelihood is 0, so that a search never leaves the
/// order.
///
/// ```
/// use posterior_math::iteration::Silent;
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::glm::{GlmFitOptions, OrdinalLink, OrdinalRegression};
///
/// // An input that says nothing: the thresholds are the log-odds of the cumulated proportions.
/// let design = DMatrix::from_column_slice(8, 1, &[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]);
/// let model = OrdinalRegression::new(OrdinalLink::Logit, &design, &[0, 0, 1, 1, 1, 1, 2, 2], 3)?;
/// let fit = model.fit(&GlmFitOptions::default(), &mut Silent)?.model;
/// assert!(fit.coefficients[0].abs() < 1e-12 && (fit.thresholds[1] - 3_f64.ln()).abs() < 1e-12);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # References
/// P. McCullagh, Regression models for ordinal data, Journal of the Royal Statistical Society B 42, 1980.
#[derive(Debug, Clone, PartialEq)]
pub struct OrdinalRegression<'a> {
    link: OrdinalLink,
    design: &'a DMatrix<f64>,
    levels: &'a [usize],
    counts: Vec<usize>,
    names: Vec<String>,
    prior: CoefficientPrior,
    /// The precision of each threshold; 0 if flat.
    threshold_precision: f64,
    weights: Option<&'a [f64]>,
    offset: Option<&'a [f64]>,
}

/// A fitted ordinal regression.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OrdinalFit {
    /// The distribution of the noise.
    pub link: OrdinalLink,
    /// β, one for each column.
    pub coefficients: Vec<f64>,
    /// c, increasing: one less than there are levels.
    pub thresholds: Vec<f64>,
    /// The inverse of the observed information (with the prior's) of thresholds and coefficients, the
    /// thresholds first.
    pub covariance: DMatrix<f64>,
    /// ln p(levels | β, c).
    pub ln_likelihood: f64,
    /// ln p(levels) by Laplace's approximation, where the priors of coefficients and thresholds are proper.
    pub ln_evidence: Option<f64>,
}

/// Separation is looked for after this many steps.
const PATIENCE: usize = 8;

/// Changes that count as none, as a proportion of the largest.
const TIE: f64 = 1e-6;

impl<'a> OrdinalRegression<'a> {
    /// The model of rows with levels 0, …, count - 1, with a flat prior.
    ///
    /// # Errors
    /// Fewer than two levels, or one that no row has (its thresholds would coincide, or be infinite); other
    /// numbers of levels than of rows; no rows, no columns, inputs that are not finite.
    pub fn new(
        link: OrdinalLink,
        design: &'a DMatrix<f64>,
        levels: &'a [usize],
        count: usize,
    ) -> Result<Self, Error> {
        check::enough("levels", 2, count)?;
        let mut counts = vec![0; count];
        for (row, &level) in levels.iter().enumerate() {
            let Some(place) = counts.get_mut(level) else {
                let (what, requirement) = ("the level", "below the number of levels");
                return Err(Error::Observation { what, row, value: level as f64, requirement });
            };
            *place += 1;
        }
        let as_numbers: Vec<f64> = levels.iter().map(|level| *level as f64).collect();
        let names = GlmData::new(design, &as_numbers)?.names().to_vec();
        if counts.contains(&0) {
            return Err(Error::NoFit { why: "a level has no rows: join it with its neighbour" });
        }
        let prior = CoefficientPrior::flat(design.ncols());
        let (threshold_precision, weights, offset) = (0.0, None, None);
        Ok(Self { link, design, levels, counts, names, prior, threshold_precision, weights, offset })
    }

    /// With a weight of each row: how often it counts.
    ///
    /// # Errors
    /// Other than one finite number for each row, none negative; a level all of whose rows have weight 0.
    pub fn with_weights(self, weights: &'a [f64]) -> Result<Self, Error> {
        GlmData::new(self.design, &vec![0.0; self.levels.len()])?.with_weights(weights)?;
        let counts =
            |level| self.levels.iter().zip(weights).any(|(own, weight)| *own == level && *weight > 0.0);
        if !(0..self.counts.len()).all(counts) {
            return Err(Error::NoFit { why: "all rows of a level have weight 0" });
        }
        Ok(Self { weights: Some(weights), ..self })
    }

    /// With a known part of each predictor. Predictions are without it.
    ///
    /// # Errors
    /// Other than one finite number for each row.
    pub fn with_offset(self, offset: &'a [f64]) -> Result<Self, Error> {
        GlmData::new(self.design, &vec![0.0; self.levels.len()])?.with_offset(offset)?;
        Ok(Self { offset: Some(offset), ..self })
    }

    /// With a prior of the thresholds: independent N(0, sd²) in ascending order.
    ///
    /// # Errors
    /// A standard deviation that is not positive and finite, or whose square is out of range.
    pub fn with_threshold_prior(self, sd: f64) -> Result<Self, Error> {
        let prior = CoefficientPrior::isotropic(1, sd)?;
        Ok(Self { threshold_precision: prior.precision()[0], ..self })
    }

    /// With a prior of the coefficients.
    ///
    /// # Errors
    /// A prior of another number of columns.
    pub fn with_prior(self, prior: CoefficientPrior) -> Result<Self, Error> {
        let columns = self.design.ncols();
        Ok(Self { prior: prior.of_columns(columns)?, ..self })
    }

    /// The most probable coefficients and thresholds, by Newton's method: the log-likelihood is concave in
    /// both together.
    ///
    /// # Cost
    /// n p² / 2 operations for each step.
    ///
    /// # Errors
    /// [`Error::Collinear`], also for a constant column, and [`Error::Separated`], where the prior is flat.
    pub fn fit(
        &self,
        options: &GlmFitOptions,
        observer: &mut (impl Observer + ?Sized),
    ) -> Result<Fitted<OrdinalFit>, Error> {
        let numbers: Vec<f64> = self.levels.iter().map(|level| *level as f64).collect();
        let mut hill = Levels { model: self, data: self.data(&numbers)? };
        let start = self.start();
        let names = self.parameter_names();
        // Which columns repeat others is seen at any point.
        independent(&hill.derivatives(&start).information, &names)?;
        let summit = climb(&mut hill, start, options, observer)?;
        let end = hill.derivatives(&summit.point);
        let factor = independent(&end.information, &names)?;
        let proper = self.prior.is_proper() && self.threshold_precision > 0.0;
        let ln_evidence = proper.then(|| {
            let ln_joint = end.ln_likelihood + self.ln_prior(&summit.point);
            ln_joint + 0.5 * (summit.point.len() as f64 * TAU.ln() - factor.ln_determinant())
        });
        let covariance = factor.inverse();
        let (thresholds, coefficients) = summit.point.split_at(self.counts.len() - 1);
        let model = OrdinalFit {
            link: self.link,
            coefficients: coefficients.to_vec(),
            thresholds: thresholds.to_vec(),
            covariance,
            ln_likelihood: end.ln_likelihood,
            ln_evidence,
        };
        Ok(Fitted { model, report: summit.report })
    }

    /// The rows with their weights and offsets.
    fn data<'m>(&self, numbers: &'m [f64]) -> Result<GlmData<'m>, Error>
    where
        'a: 'm,
    {
        let mut data = GlmData::new(self.design, numbers)?;
        if let Some(offset) = self.offset {
            data = data.with_offset(offset)?;
        }
        self.weights.map_or(Ok(data.clone()), |weights| data.with_weights(weights))
    }

    /// ln p of thresholds and coefficients; without a constant for those whose prior is flat.
    fn ln_prior(&self, x: &[f64]) -> f64 {
        let (thresholds, coefficients) = x.split_at(self.counts.len() - 1);
        let precision = self.threshold_precision;
        let of_thresholds = if precision == 0.0 {
            0.0
        } else {
            let squares: f64 = thresholds.iter().map(|own| own * own).sum();
            let count = thresholds.len();
            ln_factorial(count as u64) + 0.5 * (count as f64 * (precision / TAU).ln() - precision * squares)
        };
        of_thresholds + self.prior.ln_density(coefficients)
    }

    /// No coefficients, and the thresholds at the proportions of the levels.
    fn start(&self) -> Vec<f64> {
        let (mut below, rows) = (0, self.levels.len() as f64);
        let thresholds = self.counts[..self.counts.len() - 1].iter().map(|count| {
            below += count;
            self.link.quantile(below as f64 / rows)
        });
        let mut start: Vec<f64> = thresholds.collect();
        start.resize(start.len() + self.design.ncols(), 0.0);
        start
    }

    fn parameter_names(&self) -> Vec<String> {
        let thresholds = (1..self.counts.len()).map(|level| format!("threshold {level}"));
        thresholds.chain(self.names.iter().cloned()).collect()
    }
}

impl OrdinalFit {
    /// The standard errors of the coefficients.
    pub fn standard_errors(&self) -> Vec<f64> {
        let first = self.thresholds.len();
        (first..first + self.coefficients.len()).map(|i| self.covariance[(i, i)].sqrt()).collect()
    }

    /// The standard errors of the thresholds.
    pub fn threshold_errors(&self) -> Vec<f64> {
        (0..self.thresholds.len()).map(|i| self.covariance[(i, i)].sqrt()).collect()
    }

    /// The probabilities of the levels (columns) of rows with these inputs.
    ///
    /// # Errors
    /// Other numbers of columns than in the fit.
    pub fn probabilities(&self, design: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
        let (expected, found) = (self.coefficients.len(), design.ncols());
        check::dimension("columns of new rows", expected, found)?;
        let probability = |row: usize, level: usize| {
            let predictor: f64 = (0..found).map(|j| design[(row, j)] * self.coefficients[j]).sum();
            let [low, high] = between(&self.thresholds, level);
            self.link.cell(low - predictor, high - predictor).ln_probability.exp()
        };
        Ok(DMatrix::from_fn(design.nrows(), self.thresholds.len() + 1, probability))
    }
}

/// The thresholds on both sides of a level.
fn between(thresholds: &[f64], level: usize) -> [f64; 2] {
    let low = if level == 0 { f64::NEG_INFINITY } else { thresholds[level - 1] };
    [low, thresholds.get(level).copied().unwrap_or(f64::INFINITY)]
}

/// ln p(levels, c, β) as a hill; thresholds come first.
struct Levels<'m, 'a> {
    model: &'m OrdinalRegression<'a>,
    data: GlmData<'m>,
}

struct Derivatives {
    ln_likelihood: f64,
    gradient: Vec<f64>,
    /// With that of the prior.
    information: DMatrix<f64>,
}

impl Levels<'_, '_> {
    /// What each row says, times its weight.
    fn cells(&self, x: &[f64]) -> Vec<Cell> {
        let (thresholds, coefficients) = x.split_at(self.model.counts.len() - 1);
        let predictors = self.data.predictors(coefficients);
        let rows = predictors.iter().zip(self.model.levels).enumerate();
        rows.map(|(row, (predictor, &level))| {
            let [low, high] = between(thresholds, level);
            self.model.link.cell(low - predictor, high - predictor).times(self.data.weight(row))
        })
        .collect()
    }

    fn derivatives(&self, x: &[f64]) -> Derivatives {
        let cells = self.cells(x);
        let (first, size) = (self.model.counts.len() - 1, x.len());
        let mut gradient = vec![0.0; size];
        let mut information = DMatrix::zeros(size, size);
        for (cell, &level) in cells.iter().zip(self.model.levels) {
            if level < first {
                gradient[level] += cell.high_slope;
                information[(level, level)] += cell.high_curvature + cell.tie;
            }
            if level > 0 {
                gradient[level - 1] += cell.low_slope;
                information[(level - 1, level - 1)] += cell.low_curvature + cell.tie;
            }
            if level > 0 && level < first {
                information[(level, level - 1)] -= cell.tie;
            }
        }
        for column in 0..self.data.columns() {
            let place = first + column;
            for ((x, cell), &level) in self.data.column(column).iter().zip(&cells).zip(self.model.levels) {
                gradient[place] -= x * (cell.high_slope + cell.low_slope);
                if level < first {
                    information[(place, level)] -= x * cell.high_curvature;
                }
                if level > 0 {
                    information[(place, level - 1)] -= x * cell.low_curvature;
                }
            }
        }
        let weights: Vec<f64> =
            cells.iter().map(|cell| (cell.high_curvature + cell.low_curvature).max(0.0)).collect();
        let of_coefficients = weighted_gram(&self.data, &weights);
        let p = self.data.columns();
        information.view_mut((first, first), (p, p)).copy_from(&of_coefficients);
        for (column, precision) in self.model.prior.precision().iter().enumerate() {
            information[(first + column, first + column)] += precision;
        }
        for threshold in 0..first {
            information[(threshold, threshold)] += self.model.threshold_precision;
        }
        information.fill_upper_triangle_with_lower_triangle();
        let ln_likelihood = cells.iter().map(|cell| cell.ln_probability).sum();
        Derivatives { ln_likelihood, gradient, information }
    }
}

impl Hill for Levels<'_, '_> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> f64 {
        let ln_likelihood: f64 = self.cells(x).iter().map(|cell| cell.ln_probability).sum();
        ln_likelihood + self.model.ln_prior(x)
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Error> {
        let Derivatives { ln_likelihood, mut gradient, information } = self.derivatives(x);
        let first = self.model.counts.len() - 1;
        self.model.prior.add_gradient(&x[first..], &mut gradient[first..]);
        for (slope, threshold) in gradient.iter_mut().zip(&x[..first]) {
            *slope -= self.model.threshold_precision * threshold;
        }
        let value = ln_likelihood + self.model.ln_prior(x);
        Ok(Slopes { value, gradient, factor: Cholesky::new(&information).ok() })
    }

    /// A step along which no interval of a row ends sooner, and some end later, leads up for ever.
    fn look(&mut self, _: &[f64], step: &[f64], iteration: usize) -> Result<(), Error> {
        let (thresholds, coefficients) = step.split_at(self.model.counts.len() - 1);
        let precision = self.model.prior.precision();
        let held =
            coefficients.iter().zip(precision).any(|(part, precision)| *part != 0.0 && *precision > 0.0);
        if iteration < PATIENCE || held || self.model.threshold_precision > 0.0 {
            return Ok(());
        }
        let changes =
            multiply(self.model.design, &DMatrix::from_column_slice(coefficients.len(), 1, coefficients));
        let ends: Vec<[f64; 2]> = changes
            .iter()
            .zip(self.model.levels)
            .enumerate()
            .filter(|(row, _)| self.data.weight(*row) > 0.0)
            .map(|(_, (change, &level))| between(thresholds, level).map(|threshold| threshold - change))
            .collect();
        let finite = ends.iter().flatten().filter(|change| change.is_finite());
        let none = TIE * finite.fold(0.0_f64, |largest, change| largest.max(change.abs()));
        if ends.iter().any(|[low, high]| *low > none || *high < -none) {
            return Ok(());
        }
        let still = |change: f64| change.abs() <= none || change.is_infinite();
        let rows = ends.iter().filter(|[low, high]| !(still(*low) && still(*high))).count();
        let column = (0..coefficients.len())
            .max_by(|&a, &b| coefficients[a].abs().total_cmp(&coefficients[b].abs()))
            .map_or_else(String::new, |place| self.model.names[place].clone());
        let complete = rows == ends.len();
        Err(Error::Separated { column, complete, rows, direction: coefficients.to_vec() })
    }
}
