//! The filter in information form.

use posterior_gaussian::InformationGaussian;
use posterior_math::linalg::{Cholesky, DMatrix};
use posterior_math::special::LN_TAU;

use super::message::{blurred, function, pushed_forward, seen};
use crate::{Error, Initial, Series, StateSpace};

/// For each time what is known of the state: p(x(t), y(0), …) as a function of x(t), its scale included.
#[derive(Debug, Clone, PartialEq)]
pub struct InformationFiltered {
    predicted: Vec<InformationGaussian>,
    filtered: Vec<InformationGaussian>,
}

impl InformationFiltered {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.filtered.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.filtered.is_empty()
    }

    /// p(x(t), y(0), …, y(t-1)).
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn predicted(&self, t: usize) -> &InformationGaussian {
        &self.predicted[t]
    }

    /// p(x(t), y(0), …, y(t)).
    ///
    /// # Panics
    /// At a time after the last.
    #[track_caller]
    pub fn filtered(&self, t: usize) -> &InformationGaussian {
        &self.filtered[t]
    }

    /// ln p(y); of a diffuse start that of Durbin and Koopman.
    ///
    /// # Errors
    /// If the observations leave something diffuse.
    pub fn ln_likelihood(&self) -> Result<f64, Error> {
        self.filtered.last().map_or(Ok(0.0), |last| Ok(last.ln_integral()?))
    }
}

/// Follows what is known of the state forwards in time, from a start that may be diffuse.
///
/// # Errors
/// If the series does not fit the model; a transition matrix is singular, the noise of what is observed is,
/// or the covariance of the start along what is not diffuse: then a precision is infinite, and
/// [`filter`](crate::filter()) is the route.
pub fn filter_information(model: &StateSpace, series: &Series) -> Result<InformationFiltered, Error> {
    model.check(series)?;
    let transition = model.transition();
    let mut filtered: Vec<InformationGaussian> = Vec::with_capacity(series.len());
    let mut predicted = Vec::with_capacity(series.len());
    for t in 0..series.len() {
        let before = match filtered.last() {
            None => start(model.initial())?,
            Some(last) => {
                let s = t - 1;
                let moved = pushed_forward(last, &transition.matrix().matrix(s), transition.offset().at(s))?;
                blurred(&moved, &transition.noise_root().matrix(s))?
            }
        };
        filtered.push(before.product(&seen(model, series.at(t), t)?)?);
        predicted.push(before);
    }
    Ok(InformationFiltered { predicted, filtered })
}

/// The limit of N(μ, P + κ D Dᵀ) κ^(k/2) for κ → ∞, where D has k columns.
fn start(initial: &Initial) -> Result<InformationGaussian, Error> {
    let distribution = initial.distribution();
    let mut directions = initial.diffuse_directions().clone();
    let (n, k) = directions.shape();
    let mut ln_scale = -0.5 * n as f64 * LN_TAU;
    // Any length of a direction says the same; that of the known part keeps the digits of both.
    let size = distribution.covariance().amax().sqrt();
    for mut direction in directions.column_iter_mut() {
        let length = direction.norm() / if size > 0.0 { size } else { 1.0 };
        if length > 0.0 {
            direction /= length;
            ln_scale -= length.ln();
        }
    }
    let spread = Cholesky::new(&(distribution.covariance() + &directions * directions.transpose()))?;
    let mut precision = spread.inverse();
    ln_scale -= 0.5 * spread.ln_determinant();
    if k > 0 {
        let pulled: DMatrix<f64> = spread.solve(&directions);
        let within = Cholesky::new(&directions.tr_mul(&pulled))?;
        let half = within.half_solve(&pulled.transpose());
        precision -= half.tr_mul(&half);
        ln_scale -= 0.5 * within.ln_determinant();
    }
    if k == n {
        precision.fill(0.0);
    }
    let eta = &precision * distribution.mean();
    ln_scale -= 0.5 * distribution.mean().dot(&eta);
    function(&eta, precision, ln_scale)
}
