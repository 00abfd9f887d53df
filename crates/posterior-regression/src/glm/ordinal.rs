//! Levels in an order: cumulative logit and probit regression.

mod cell;
mod draws;

use posterior_math::check;
use posterior_math::iteration::{Fitted, Observer};
use posterior_math::linalg::{Cholesky, DMatrix};

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
        Ok(Self { link, design, levels, counts, names, prior: CoefficientPrior::flat(design.ncols()) })
    }

    /// With a prior of the coefficients; that of the thresholds stays flat.
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
        let mut hill = Levels { model: self, data: GlmData::new(self.design, &numbers)? };
        let start = self.start();
        let names = self.parameter_names();
        // Which columns repeat others is seen at any point.
        independent(&hill.derivatives(&start).information, &names)?;
        let summit = climb(&mut hill, start, options, observer)?;
        let end = hill.derivatives(&summit.point);
        let covariance = independent(&end.information, &names)?.inverse();
        let (thresholds, coefficients) = summit.point.split_at(self.counts.len() - 1);
        let model = OrdinalFit {
            link: self.link,
            coefficients: coefficients.to_vec(),
            thresholds: thresholds.to_vec(),
            covariance,
            ln_likelihood: end.ln_likelihood,
        };
        Ok(Fitted { model, report: summit.report })
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
    fn cells(&self, x: &[f64]) -> Vec<Cell> {
        let (thresholds, coefficients) = x.split_at(self.model.counts.len() - 1);
        let predictors = self.data.predictors(coefficients);
        let rows = predictors.iter().zip(self.model.levels);
        rows.map(|(predictor, &level)| {
            let [low, high] = between(thresholds, level);
            self.model.link.cell(low - predictor, high - predictor)
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
        information.fill_upper_triangle_with_lower_triangle();
        let ln_likelihood = cells.iter().map(|cell| cell.ln_probability).sum();
        Derivatives { ln_likelihood, gradient, information }
    }
}

impl Hill for Levels<'_, '_> {
    type Error = Error;

    fn value(&mut self, x: &[f64]) -> f64 {
        let ln_likelihood: f64 = self.cells(x).iter().map(|cell| cell.ln_probability).sum();
        ln_likelihood + self.model.prior.ln_density(&x[self.model.counts.len() - 1..])
    }

    fn slopes(&mut self, x: &[f64]) -> Result<Slopes, Error> {
        let Derivatives { ln_likelihood, mut gradient, information } = self.derivatives(x);
        let first = self.model.counts.len() - 1;
        self.model.prior.add_gradient(&x[first..], &mut gradient[first..]);
        let value = ln_likelihood + self.model.prior.ln_density(&x[first..]);
        Ok(Slopes { value, gradient, factor: Cholesky::new(&information).ok() })
    }

    /// A step along which no interval of a row ends sooner, and some end later, leads up for ever.
    fn look(&mut self, _: &[f64], step: &[f64], iteration: usize) -> Result<(), Error> {
        let (thresholds, coefficients) = step.split_at(self.model.counts.len() - 1);
        let precision = self.model.prior.precision();
        let held =
            coefficients.iter().zip(precision).any(|(part, precision)| *part != 0.0 && *precision > 0.0);
        if iteration < PATIENCE || held {
            return Ok(());
        }
        let predictors = self.data.predictors(coefficients);
        let ends: Vec<[f64; 2]> = predictors
            .iter()
            .zip(self.model.levels)
            .map(|(change, &level)| between(thresholds, level).map(|threshold| threshold - change))
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
