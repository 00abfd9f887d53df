//! Two classes with a logit link.

use posterior_dist::target::EvalError;
use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};
use posterior_sampling::gibbs::Gibbs;
use posterior_sampling::{Run, Start, Untuned};
use rand::Rng;
use rand_distr::Distribution as _;

use super::scales::Scales;
use super::{Block, Sweep, coefficients, normal};
use crate::Error;
use crate::glm::{Family, Glm, GlmData, GlmDraws};
use crate::polya_gamma::PolyaGamma;

/// The posterior of the coefficients of a logistic regression under the horseshoe prior; those of intercepts
/// are N(0, `intercept_sd`²).
///
/// # Errors
/// Responses outside of 0 to 1; weights that are not whole numbers of trials; no column but intercepts; a
/// standard deviation that is not positive and finite.
///
/// # Cost
/// For each step min(p² n, n² p) operations, p columns and n rows, and a Pólya-Gamma variable for each trial.
pub fn logistic(data: &GlmData<'_>, intercept_sd: f64, run: &Run) -> Result<GlmDraws, Error> {
    check::positive("horseshoe", "intercept_sd", intercept_sd)?;
    // Checks the responses.
    let model = Glm::new(Family::Logit, data.clone())?;
    let data = model.data();
    let mut trials = Vec::with_capacity(data.rows());
    for row in 0..data.rows() {
        let value = data.weight(row);
        if value.fract() != 0.0 || value > f64::from(u32::MAX) {
            let requirement = "a whole number of trials, below 2³²";
            return Err(Error::Observation { what: "the weight", row, value, requirement });
        }
        trials.push(value as u32);
    }
    let free: Vec<bool> = (0..data.columns()).map(|column| data.is_intercept(column)).collect();
    let shrunk = free.iter().filter(|own| !**own).count();
    check::enough("columns that are no intercept", 1, shrunk)?;
    let rows = Rows { data, trials, free, shrunk, intercept_variance: intercept_sd * intercept_sd };
    let mut start = vec![1.0; rows.dim()];
    start[..data.columns()].fill(0.0);
    let target = Block(rows);
    let sampled = run.sample(&target, &Untuned(Gibbs::systematic()), &Start::At(start))?;
    coefficients(data.names(), &sampled.draws, data.columns())
}

struct Rows<'m, 'a> {
    data: &'m GlmData<'a>,
    trials: Vec<u32>,
    free: Vec<bool>,
    shrunk: usize,
    intercept_variance: f64,
}

/// The state: coefficients and scales.
impl Sweep for Rows<'_, '_> {
    fn dim(&self) -> usize {
        self.data.columns() + Scales::dim(self.shrunk)
    }

    fn sweep<R: Rng + ?Sized>(&self, state: &mut [f64], rng: &mut R) -> Result<(), EvalError> {
        let data = self.data;
        let (own, scales) = state.split_at_mut(data.columns());
        let mut scales = Scales(scales);
        // Pólya-Gamma precisions of the rows.
        let mut roots = Vec::with_capacity(data.rows());
        for (trials, predictor) in self.trials.iter().zip(data.predictors(own)) {
            let precision = match trials {
                0 => 0.0,
                _ => PolyaGamma::new(*trials, predictor).map_err(EvalError::fatal)?.sample(rng),
            };
            roots.push(precision.sqrt());
        }
        let x = DMatrix::from_fn(data.rows(), data.columns(), |i, j| roots[i] * data.design()[(i, j)]);
        // (n (y - ½) - ω o)/√ω.
        let target = DVector::from_fn(data.rows(), |row, _| match roots[row] {
            0.0 => 0.0,
            root => data.weight(row) * (data.response()[row] - 0.5) / root - root * data.offset(row),
        });
        let mut local = scales.variances().into_iter();
        let variance =
            |free: &bool| if *free { self.intercept_variance } else { local.next().unwrap_or(1.0) };
        let variances: Vec<f64> = self.free.iter().map(variance).collect();
        let drawn = normal::draw(&x, None, &target, &variances, rng).map_err(EvalError::fatal)?;
        own.copy_from_slice(drawn.as_slice());
        let squares = own.iter().zip(&self.free).filter(|(_, free)| !**free).map(|(own, _)| own * own);
        scales.draw(squares, rng)
    }
}
