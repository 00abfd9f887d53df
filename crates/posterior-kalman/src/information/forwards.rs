//! The filter in information form.

use posterior_gaussian::InformationGaussian;
use posterior_math::linalg::{Cholesky, DMatrix, DVector};
use posterior_math::special::LN_TAU;

use super::message::{Root, seen};
use crate::{Error, Initial, Series, StateSpace};

/// For each time what is known of the state: p(x(t), y(0), …) as a function of x(t), its scale included.
#[derive(Debug, Clone, PartialEq)]
pub struct InformationFiltered {
    predicted: Vec<InformationGaussian>,
    filtered: Vec<InformationGaussian>,
    /// Roots of what is filtered.
    roots: Vec<Root>,
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
        self.roots.last().map_or(Ok(0.0), Root::ln_integral)
    }

    pub(super) fn root(&self, t: usize) -> &Root {
        &self.roots[t]
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
    let (mut filtered, mut predicted) = (Vec::with_capacity(series.len()), Vec::with_capacity(series.len()));
    let mut roots: Vec<Root> = Vec::with_capacity(series.len());
    for t in 0..series.len() {
        let before = match roots.last() {
            None => start(model.initial())?,
            Some(last) => last.pushed_forward(
                &transition.matrix().matrix(t - 1),
                &transition.noise_root().matrix(t - 1),
                &DVector::from_column_slice(transition.offset().at(t - 1)),
            )?,
        };
        let after = before.product(&seen(model, series.at(t), t)?);
        filtered.push(after.information()?);
        predicted.push(before.information()?);
        roots.push(after);
    }
    Ok(InformationFiltered { predicted, filtered, roots })
}

/// The limit of N(μ, P + κ D Dᵀ) κ^(k/2) for κ → ∞, where D has k columns.
fn start(initial: &Initial) -> Result<Root, Error> {
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
    ln_scale -= 0.5 * spread.ln_determinant();
    // The precision is L⁻ᵀ (I - W (Wᵀ W)⁻¹ Wᵀ) L⁻¹ with W = L⁻¹ D: a projection is its own root.
    let mut root = spread.half_solve(&DMatrix::identity(n, n));
    if k > 0 {
        let pulled = spread.half_solve(&directions);
        let within = Cholesky::new(&pulled.tr_mul(&pulled))?;
        ln_scale -= 0.5 * within.ln_determinant();
        let along = within.half_solve(&pulled.transpose());
        root -= along.tr_mul(&(&along * &root));
    }
    if k == n {
        root.fill(0.0);
    }
    let mut rows = root.clone().resize_horizontally(n + 1, 0.0);
    rows.set_column(n, &(root * distribution.mean()));
    Ok(Root::new(rows, ln_scale))
}
