//! Coordinate descent on quadratic approximations of the mean deviance.

use posterior_math::check;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};

use super::{PenalizedFit, PenaltyOptions};
use crate::Error;
use crate::glm::model::Glm;
use crate::glm::response_distribution::ResponseDistribution;

/// Steps of Newton's method for one penalty.
const STEPS: usize = 200;

/// No smaller part of a step is tried.
const LEAST_PART: f64 = 1e-18;

/// Sweeps over the columns that are not zero, after which their equations are solved together: where columns
/// are nearly combinations of others, sweeps alone take thousands.
const PATIENCE: usize = 8;

/// The most columns whose equations are solved together.
const MOST_TOGETHER: usize = 500;

/// What rounding may do to an objective.
const ROUNDING: f64 = 1e-14;

pub(super) struct Descent<'m, 'a, L> {
    model: &'m Glm<'a, L>,
    /// Columns without a penalty.
    free: Vec<bool>,
    /// Σw.
    total: f64,
    options: PenaltyOptions,
    /// The deviance of the intercept alone over 2 Σw: the unit of what is left to gain.
    unit: f64,
}

/// What the rows say at some coefficients: w times slope and expected curvature.
struct Rows {
    slope: Vec<f64>,
    curvature: Vec<f64>,
}

impl<'m, 'a, L: ResponseDistribution + Sync> Descent<'m, 'a, L> {
    pub(super) fn new(model: &'m Glm<'a, L>, options: &PenaltyOptions) -> Result<Self, Error> {
        if !model.prior().is_flat() {
            return Err(Error::NoFit {
                why: "a penalty stands in the place of a prior: leave the prior flat",
            });
        }
        check::probability("PenaltyOptions", "mixing", options.mixing)?;
        check::positive("PenaltyOptions", "tolerance", options.tolerance)?;
        let data = model.data();
        let free = (0..data.columns()).map(|column| data.is_intercept(column)).collect();
        let total = (0..data.rows()).map(|row| data.weight(row)).sum();
        let mut own = Self { model, free, total, options: *options, unit: 1.0 };
        own.unit = own.null()?.deviance / (2.0 * total);
        if own.unit > 0.0 {
            return Ok(own);
        }
        Err(Error::NoFit { why: "the responses are all the same: no column explains them" })
    }

    /// Only the columns without a penalty.
    pub(super) fn null(&self) -> Result<PenalizedFit, Error> {
        let start = self.model.intercept_start();
        if !self.deviance(&start).is_finite() {
            return Err(Error::NoFit {
                why: "no coefficients were found at which the likelihood is positive",
            });
        }
        Ok(self.fit(f64::INFINITY, start))
    }

    /// The least penalty under which coefficients stay at zero that are zero here.
    pub(super) fn least_that_empties(&self, coefficients: &[f64], mixing: f64) -> Result<f64, Error> {
        let rows = self.rows(coefficients);
        let slope = |column: usize| self.dot(column, &rows.slope).abs() / (self.total * mixing);
        let columns = (0..self.free.len()).filter(|column| !self.free[*column]);
        let largest = columns.map(slope).fold(0.0, f64::max);
        if largest > 0.0 && largest.is_finite() {
            // Beyond what rounding makes of a slope that is as large.
            return Ok(largest * (1.0 + 1e-12));
        }
        Err(Error::NoFit { why: "no column but the intercept says anything of the responses" })
    }

    fn dot(&self, column: usize, numbers: &[f64]) -> f64 {
        self.model.data().column(column).iter().zip(numbers).map(|(x, own)| x * own).sum()
    }

    fn rows(&self, coefficients: &[f64]) -> Rows {
        let data = self.model.data();
        let term = |(row, predictor): (usize, f64)| match data.weight(row) {
            0.0 => (0.0, 0.0),
            weight => {
                let term = self.model.distribution().term(data.response()[row], predictor);
                (weight * term.slope, weight * term.expected)
            }
        };
        let (slope, curvature) = data.predictors(coefficients).into_iter().enumerate().map(term).unzip();
        Rows { slope, curvature }
    }

    fn deviance(&self, coefficients: &[f64]) -> f64 {
        let data = self.model.data();
        let term = |(row, predictor): (usize, f64)| match data.weight(row) {
            0.0 => 0.0,
            weight => weight * self.model.distribution().term(data.response()[row], predictor).ln_likelihood,
        };
        -2.0 * data.predictors(coefficients).into_iter().enumerate().map(term).sum::<f64>()
    }

    /// Deviance and objective.
    fn value(&self, coefficients: &[f64], penalty: f64) -> (f64, f64) {
        let deviance = self.deviance(coefficients);
        let mixing = self.options.mixing;
        let own = |(free, own): (&bool, &f64)| match *own {
            _ if *free => 0.0,
            0.0 => 0.0,
            own => penalty * (mixing * own.abs() + 0.5 * (1.0 - mixing) * own * own),
        };
        let held: f64 = self.free.iter().zip(coefficients).map(own).sum();
        (deviance, deviance / (2.0 * self.total) + held)
    }

    /// The best coefficients for a penalty, from these on; an infinite one leaves those without a penalty.
    pub(super) fn fit(&self, penalty: f64, start: Vec<f64>) -> PenalizedFit {
        let mut coefficients = start;
        let (mut deviance, mut objective) = self.value(&coefficients, penalty);
        let (mut sweeps, mut converged) = (self.options.max_iterations, false);
        for _ in 0..STEPS {
            let rows = self.rows(&coefficients);
            let curvatures: Vec<f64> = (0..self.free.len())
                .map(|column| {
                    let x = self.model.data().column(column);
                    x.iter().zip(&rows.curvature).map(|(x, own)| own * x * x).sum::<f64>() / self.total
                })
                .collect();
            let target = self.descend(&coefficients, rows, &curvatures, penalty, &mut sweeps);
            let mut scale = 1.0;
            let (next, reached) = loop {
                let between =
                    |(from, to): (&f64, &f64)| if scale == 1.0 { *to } else { from + scale * (to - from) };
                let next: Vec<f64> = coefficients.iter().zip(&target).map(between).collect();
                let reached = self.value(&next, penalty);
                if reached.1 <= objective + ROUNDING * self.unit || scale < LEAST_PART {
                    break (next, reached);
                }
                scale *= 0.5;
            };
            if !(reached.1 <= objective + ROUNDING * self.unit) {
                // Rounding is all that is left.
                converged = true;
                break;
            }
            let moves = next.iter().zip(&coefficients).zip(&curvatures);
            let largest = moves.map(|((to, from), own)| own * (to - from).powi(2)).fold(0.0, f64::max);
            coefficients = next;
            (deviance, objective) = reached;
            if largest <= self.settled() {
                converged = true;
                break;
            }
            if sweeps == 0 {
                break;
            }
        }
        PenalizedFit { penalty, coefficients, deviance, objective, converged }
    }

    /// A move of less than this, in units of the objective, is none.
    fn settled(&self) -> f64 {
        self.options.tolerance * self.options.tolerance * self.unit
    }

    /// The minimum of the quadratic approximation at some coefficients: sweeps over the columns that are not
    /// zero until they settle, and then over all of them.
    fn descend(
        &self,
        from: &[f64],
        rows: Rows,
        curvatures: &[f64],
        penalty: f64,
        sweeps: &mut usize,
    ) -> Vec<f64> {
        let (mut point, mut slope) = (from.to_vec(), rows.slope);
        let all: Vec<usize> = (0..self.free.len())
            .filter(|column| curvatures[*column] > 0.0 && (self.free[*column] || penalty < f64::INFINITY))
            .collect();
        let (mut some, mut patience) = (false, PATIENCE);
        while *sweeps > 0 {
            *sweeps -= 1;
            if some {
                patience = patience.saturating_sub(1);
                if patience == 0 {
                    self.solve_together(&all, &rows.curvature, penalty, &mut point, &mut slope);
                    patience = PATIENCE;
                }
            }
            let mut largest: f64 = 0.0;
            for &column in &all {
                if some && point[column] == 0.0 {
                    continue;
                }
                let curvature = curvatures[column];
                let ahead = self.dot(column, &slope) / self.total + curvature * point[column];
                let next = if self.free[column] {
                    ahead / curvature
                } else {
                    shrunk(ahead, penalty * self.options.mixing)
                        / (curvature + penalty * (1.0 - self.options.mixing))
                };
                let step = next - point[column];
                if step == 0.0 {
                    continue;
                }
                let x = self.model.data().column(column);
                for ((slope, x), own) in slope.iter_mut().zip(x).zip(&rows.curvature) {
                    *slope -= own * x * step;
                }
                point[column] = next;
                largest = largest.max(curvature * step * step);
            }
            let settled = largest <= self.settled();
            if settled && !some {
                break;
            }
            some = !settled;
        }
        point
    }

    /// The minimum over the columns that are not zero as long as none of them changes its sign; otherwise the
    /// way to it, up to the first that comes to zero. Columns that are combinations of others are left to the
    /// sweeps.
    fn solve_together(
        &self,
        all: &[usize],
        curvature: &[f64],
        penalty: f64,
        point: &mut [f64],
        slope: &mut [f64],
    ) {
        let own: Vec<usize> = all.iter().copied().filter(|&j| self.free[j] || point[j] != 0.0).collect();
        if own.is_empty() || own.len() > MOST_TOGETHER {
            return;
        }
        let ridge = |j: usize| if self.free[j] { 0.0 } else { penalty * (1.0 - self.options.mixing) };
        let mut weighted = vec![0.0; curvature.len()];
        let mut matrix = DMatrix::zeros(own.len(), own.len());
        for (a, &j) in own.iter().enumerate() {
            let x = self.model.data().column(j);
            weighted.iter_mut().zip(x).zip(curvature).for_each(|((to, x), own)| *to = own * x);
            for (b, &k) in own[..=a].iter().enumerate() {
                let entry = self.dot(k, &weighted) / self.total;
                (matrix[(a, b)], matrix[(b, a)]) = (entry, entry);
            }
            matrix[(a, a)] += ridge(j);
        }
        let ahead = |&j: &usize| {
            let held = if self.free[j] { 0.0 } else { penalty * self.options.mixing * point[j].signum() };
            self.dot(j, slope) / self.total - ridge(j) * point[j] - held
        };
        let ahead = DVector::from_iterator(own.len(), own.iter().map(ahead));
        let Ok(factor) = Cholesky::new(&matrix) else { return };
        let step = factor.solve_vector(&ahead);
        if !step.iter().all(|own| own.is_finite()) {
            return;
        }
        let to_zero = |(&j, step): (&usize, &f64)| {
            let part = -point[j] / step;
            (!self.free[j] && (0.0..1.0).contains(&part)).then_some((j, part))
        };
        let first = own.iter().zip(&step).filter_map(to_zero).min_by(|a, b| a.1.total_cmp(&b.1));
        let part = first.map_or(1.0, |(_, part)| part);
        for (&j, step) in own.iter().zip(&step) {
            let next = if first.is_some_and(|(zero, _)| zero == j) { 0.0 } else { point[j] + part * step };
            let moved = next - point[j];
            let x = self.model.data().column(j);
            for ((slope, x), own) in slope.iter_mut().zip(x).zip(curvature) {
                *slope -= own * x * moved;
            }
            point[j] = next;
        }
    }
}

/// Towards zero by so much.
fn shrunk(number: f64, by: f64) -> f64 {
    if number > by {
        number - by
    } else if number < -by {
        number + by
    } else {
        0.0
    }
}
