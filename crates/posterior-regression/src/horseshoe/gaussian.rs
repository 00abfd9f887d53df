//! Numbers with normal noise of unknown size.

use posterior_dist::target::EvalError;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector, multiply};
use posterior_sampling::gibbs::Gibbs;
use posterior_sampling::{Run, Start, Untuned};
use rand::{Rng, RngExt as _};
use rand_distr::StandardNormal;

use super::scales::{Scales, inverse_gamma};
use super::{Block, Sweep, coefficients, normal};
use crate::Error;
use crate::glm::GlmDraws;
use crate::linear::LinearData;

/// The posterior of a linear regression under the horseshoe prior, by draws.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct HorseshoePosterior {
    /// The coefficients, the intercept first if there is one, with what the diagnostics of the chains warn
    /// of.
    pub coefficients: GlmDraws,
    /// σ of each draw, of a row of weight 1.
    pub noise_sds: Vec<f64>,
}

/// The posterior of y = α + Xβ + noise (α = 0 without an intercept) under the horseshoe prior of β, and flat
/// priors of α and of ln σ. The noise of a row of weight w has variance σ²/w.
///
/// ```
/// use posterior_math::linalg::DMatrix;
/// use posterior_regression::horseshoe::linear;
/// use posterior_regression::linear::LinearData;
/// use posterior_regression::sampling::Run;
///
/// // Ten columns, of which the third has an effect.
/// let design = DMatrix::from_fn(40, 10, |i, j| 1.4 * ((i * i * (j + 2)) as f64 * 0.37).sin());
/// let y: Vec<f64> = (0..40).map(|i| 2.0 * design[(i, 2)] + (i as f64 * 5.1).cos()).collect();
/// let found = linear(&LinearData::new(&design, &y)?, true, &Run { draws: 500, ..Run::default() })?;
/// let third = found.coefficients.marginal("x3", |own| own[3])?;
/// let fifth = found.coefficients.marginal("x5", |own| own[5])?;
/// assert!(third.q05 > 1.5 && third.q95 < 2.5);
/// assert!(fifth.q05 < 0.0 && fifth.q95 > 0.0 && fifth.mean.abs() < 0.15);
/// # Ok::<(), posterior_regression::Error>(())
/// ```
///
/// # Errors
/// Several outputs; fewer than three rows with a weight; no columns; responses that are all the same.
///
/// # Cost
/// For each step min(p³/3, n² p) operations, p columns and n rows.
pub fn linear(data: &LinearData<'_>, intercept: bool, run: &Run) -> Result<HorseshoePosterior, Error> {
    check::dimension("outputs", 1, data.outputs)?;
    check::enough("columns", 1, data.features())?;
    check::enough("rows with a weight", 3, data.informative())?;
    let rows = Rows::of(data, intercept);
    if !(rows.y.norm_squared() > 0.0) {
        return Err(Error::NoFit { why: "all responses are the same: nothing says how large the noise is" });
    }
    let (columns, first) = (data.features(), usize::from(intercept));
    let names: Vec<String> =
        intercept.then(|| "intercept".to_owned()).into_iter().chain(data.names()).collect();
    let noise = rows.y.norm_squared() / rows.degrees_of_freedom;
    let mut start = vec![1.0; rows.dim()];
    start[..columns].fill(0.0);
    start[columns] = 0.0;
    start[columns + 1] = noise;
    let means = rows.means.clone();
    let target = Block(rows);
    let sampled = run.sample(&target, &Untuned(Gibbs::systematic()), &Start::At(start))?;
    // The intercept of the rows as they are, and behind the coefficients the noise.
    let labels = (0..=columns + first).map(|place| format!("{place}"));
    let draws = sampled.draws.map(labels, |from, to| {
        to[first..columns + first].copy_from_slice(&from[..columns]);
        if intercept {
            to[0] = from[columns] - means.iter().zip(from).map(|(mean, own)| mean * own).sum::<f64>();
        }
        to[columns + first] = from[columns + 1].sqrt();
    })?;
    let noise_sds = draws.parameter(columns + first).into_iter().flatten().collect();
    Ok(HorseshoePosterior { coefficients: coefficients(&names, &draws, columns + first)?, noise_sds })
}

/// Rows times the roots of their weights, less the means of the columns if there is an intercept.
struct Rows {
    x: DMatrix<f64>,
    gram: Option<DMatrix<f64>>,
    y: DVector<f64>,
    means: Vec<f64>,
    mean: f64,
    /// Σw, and whether there is an intercept.
    total: f64,
    intercept: bool,
    degrees_of_freedom: f64,
}

impl Rows {
    fn of(data: &LinearData<'_>, intercept: bool) -> Self {
        let (rows, columns) = (data.rows(), data.features());
        let total: f64 = (0..rows).map(|row| data.weight(row)).sum();
        let response = |row: usize| data.response[row] - data.offset_of(row);
        let mean = |of: &dyn Fn(usize) -> f64| {
            if intercept { (0..rows).map(|row| data.weight(row) * of(row)).sum::<f64>() / total } else { 0.0 }
        };
        let means: Vec<f64> = (0..columns).map(|column| mean(&|row| data.design[(row, column)])).collect();
        let centre = mean(&response);
        let kept: Vec<usize> = (0..rows).filter(|row| data.weight(*row) > 0.0).collect();
        let root = |row: usize| data.weight(row).sqrt();
        let x = DMatrix::from_fn(kept.len(), columns, |i, j| {
            root(kept[i]) * (data.design[(kept[i], j)] - means[j])
        });
        let y = DVector::from_fn(kept.len(), |i, _| root(kept[i]) * (response(kept[i]) - centre));
        let gram = (columns <= kept.len()).then(|| multiply(&x.transpose(), &x));
        let degrees_of_freedom = kept.len() as f64 - f64::from(u8::from(intercept));
        Self { x, gram, y, means, mean: centre, total, intercept, degrees_of_freedom }
    }
}

/// The state: coefficients, the intercept at the means of the columns, σ², scales.
impl Sweep for Rows {
    fn dim(&self) -> usize {
        self.x.ncols() + 2 + Scales::dim(self.x.ncols())
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let columns = self.x.ncols();
        let (own, scales) = state.split_at_mut(columns + 2);
        let mut scales = Scales(scales);
        let variances = scales.variances();
        let sd = own[columns + 1].sqrt();
        let target = &self.y / sd;
        let drawn =
            normal::draw(&self.x, self.gram.as_ref(), &target, &variances, rng).map_err(EvalError::fatal)?;
        for (own, drawn) in own.iter_mut().zip(drawn.iter()) {
            *own = sd * drawn;
        }
        let coefficients = DVector::from_column_slice(&own[..columns]);
        let residuals = (&self.y - &self.x * &coefficients).norm_squared();
        let held: f64 = coefficients.iter().zip(&variances).map(|(own, variance)| own * own / variance).sum();
        let noise =
            inverse_gamma(0.5 * (self.degrees_of_freedom + columns as f64), 0.5 * (residuals + held), rng)?;
        own[columns + 1] = noise;
        own[columns] = if self.intercept {
            let normal: f64 = rng.sample(StandardNormal);
            self.mean + (noise / self.total).sqrt() * normal
        } else {
            0.0
        };
        scales.draw(own[..columns].iter().map(|own| own * own / noise), rng)
    }
}
