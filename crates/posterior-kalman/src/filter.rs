//! The Kalman filter: the law of the state given what was seen so far.

mod filtered;

pub use filtered::Filtered;

use posterior_dist::{LinearGaussian, MomentGaussian};
use posterior_math::linalg::{DMatrix, DVector};

use crate::{Error, Series, StateSpace};

/// How covariances are updated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Form {
    /// Roots of the covariances only, by one orthogonal reduction a step: positive semidefinite whatever rounding does, and with
    /// twice the digits. The default.
    #[default]
    SquareRoot,
    /// (I - K H) P (I - K H)ᵀ + K R Kᵀ: faster, and positive semidefinite as long as the model is not ill-conditioned.
    Joseph,
}

/// How to filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FilterOptions {
    /// How covariances are updated.
    pub form: Form,
}

impl FilterOptions {
    /// The same with another form.
    #[must_use]
    pub const fn with_form(self, form: Form) -> Self {
        Self { form }
    }
}

/// The laws of the state given what was seen before each time, and up to it.
///
/// # Errors
/// If the series does not fit the model, or an innovation has a singular covariance.
pub fn filter(model: &StateSpace, series: &Series, _options: &FilterOptions) -> Result<Filtered, Error> {
    model.check(series)?;
    let mut filtered = Filtered::empty(model.states(), model.width());
    let mut law = model.initial().law().clone();
    for t in 0..series.len() {
        let (posterior, ln_likelihood) = update(model, &law, series.at(t), t)?;
        filtered.push(&law, &posterior, ln_likelihood);
        if t + 1 < series.len() {
            law = predict(model, &posterior, t)?;
        }
    }
    Ok(filtered)
}

/// ln p(y), without keeping anything.
///
/// # Errors
/// As [`filter`](filter()).
pub fn ln_likelihood(model: &StateSpace, series: &Series, options: &FilterOptions) -> Result<f64, Error> {
    Ok(filter(model, series, options)?.ln_likelihood())
}

fn predict(model: &StateSpace, law: &MomentGaussian, t: usize) -> Result<MomentGaussian, Error> {
    let transition = model.transition();
    let moved = law.affine(&transition.matrix().matrix(t), transition.offset().at(t))?;
    let noise = MomentGaussian::new(&vec![0.0; model.states()], &transition.noise().matrix(t))?;
    Ok(moved.plus_independent(&noise)?)
}

/// The law after the components that are not missing, and their log-density.
fn update(
    model: &StateSpace,
    law: &MomentGaussian,
    seen: &[f64],
    t: usize,
) -> Result<(MomentGaussian, f64), Error> {
    let there: Vec<usize> = (0..seen.len()).filter(|&i| !seen[i].is_nan()).collect();
    if there.is_empty() {
        return Ok((law.clone(), 0.0));
    }
    let observation = model.observation();
    let rows = |matrix: DMatrix<f64>| matrix.select_rows(&there);
    let offset: DVector<f64> =
        DVector::from_iterator(there.len(), there.iter().map(|&i| observation.offset().at(t)[i]));
    let noise = rows(observation.noise().matrix(t)).select_columns(&there);
    let equation = LinearGaussian::new(&rows(observation.matrix().matrix(t)), offset.as_slice(), &noise)?;
    let y: Vec<f64> = there.iter().map(|&i| seen[i]).collect();
    let updated = law.bayes(&equation, &y)?;
    Ok((updated.posterior, updated.ln_evidence))
}
