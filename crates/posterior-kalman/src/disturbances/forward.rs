//! The forward pass: innovations and gains, as functions of a diffuse β.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence};
use posterior_math::special::LN_TAU;

use super::Directions;
use crate::{Error, Series, StateSpace};

/// What the forward pass remembers of one time. Means are m(β) = m₀ + M β, of which the first column is m₀,
/// later m(E[β | y]), and the others are M.
#[derive(Debug, Clone)]
pub(crate) struct Update {
    /// The components that are not missing.
    pub(crate) there: Vec<usize>,
    /// E[x(t) | y(0), …, y(t-1)], n x (1 + k).
    pub(crate) means: DMatrix<f64>,
    /// Its covariance P for a given β.
    pub(crate) covariance: DMatrix<f64>,
    /// The covariance after the observation.
    pub(crate) filtered: DMatrix<f64>,
    /// H, the rows that are there.
    pub(crate) observed: DMatrix<f64>,
    /// The innovations y - H E[x] - d, as many x (1 + k).
    pub(crate) innovations: DMatrix<f64>,
    /// The factor of S = H P Hᵀ + R.
    pub(crate) factor: Cholesky,
    /// K = P Hᵀ S⁻¹.
    pub(crate) gain: DMatrix<f64>,
}

/// The forward pass over a series.
#[derive(Debug, Clone)]
pub(crate) struct Forward {
    pub(crate) updates: Vec<Update>,
    pub(crate) directions: Directions,
    pub(crate) ln_likelihood: f64,
}

impl Forward {
    /// # Errors
    /// If the series does not fit the model, an innovation has a singular covariance given β, or a number
    /// overflows.
    pub(crate) fn new(model: &StateSpace, series: &Series) -> Result<Self, Error> {
        Self::until(model, series, series.len())
    }

    /// The same over the first `times` of a series.
    pub(crate) fn until(model: &StateSpace, series: &Series, times: usize) -> Result<Self, Error> {
        model.check(series)?;
        let initial = model.initial();
        let (n, k) = (model.states(), initial.diffuse_directions().ncols());
        let mut means = DMatrix::zeros(n, 1 + k);
        means.set_column(0, initial.distribution().mean());
        means.columns_mut(1, k).copy_from(initial.diffuse_directions());
        let mut covariance = initial.distribution().covariance().clone();
        let mut updates: Vec<Update> = Vec::with_capacity(times);
        let mut precision = DMatrix::zeros(k, k);
        let mut information = DVector::zeros(k);
        for t in 0..times {
            if !means.iter().chain(&covariance).all(|entry| entry.is_finite()) {
                return Err(Error::Overflow { time: t });
            }
            let update = Update::new(model, series.at(t), t, means, covariance)?;
            let white = update.factor.half_solve(&update.innovations.columns(1, k).into_owned());
            let surprise = update.factor.half_solve_vector(&update.innovations.column(0).into_owned());
            precision += white.tr_mul(&white);
            information -= white.tr_mul(&surprise);
            (means, covariance) = if t + 1 < times {
                ahead(model, t, &update)
            } else {
                (DMatrix::zeros(0, 0), DMatrix::zeros(0, 0))
            };
            updates.push(update);
        }
        let directions = Directions::new(&precision, &information)?;
        let mut forward = Self { updates, ln_likelihood: directions.ln_volume, directions };
        forward.place(&forward.directions.mean.clone());
        // Only now is the sum of squares that of the residuals: it has all its digits however far from zero
        // the series is.
        forward.ln_likelihood += forward.updates.iter().map(Update::ln_likelihood).sum::<f64>();
        Ok(forward)
    }

    /// Moves β, at which the first columns of all means are, by so much.
    pub(super) fn place(&mut self, beta: &DVector<f64>) {
        if beta.is_empty() {
            return;
        }
        for update in &mut self.updates {
            for part in [&mut update.means, &mut update.innovations] {
                let moved = part.columns(1, beta.len()) * beta;
                let mut first = part.column_mut(0);
                first += moved;
            }
        }
    }
}

/// Means and covariance at the time after `t`.
pub(crate) fn ahead(model: &StateSpace, t: usize, update: &Update) -> (DMatrix<f64>, DMatrix<f64>) {
    let transition = model.transition();
    let matrix = transition.matrix().matrix(t);
    let mut means = &matrix * update.filtered_means();
    for (mean, offset) in means.column_mut(0).iter_mut().zip(transition.offset().at(t)) {
        *mean += offset;
    }
    let mut covariance = congruence(&matrix, &update.filtered);
    for (entry, noise) in covariance.iter_mut().zip(transition.noise().at(t)) {
        *entry += noise;
    }
    (means, covariance)
}

impl Update {
    /// Of the observations `seen` at time `t`, from what was known before.
    pub(crate) fn new(
        model: &StateSpace,
        seen: &[f64],
        t: usize,
        means: DMatrix<f64>,
        covariance: DMatrix<f64>,
    ) -> Result<Self, Error> {
        let there: Vec<usize> = (0..seen.len()).filter(|&i| !seen[i].is_nan()).collect();
        let observation = model.observation();
        let observed = observation.matrix().matrix(t).select_rows(&there);
        let noise = observation.noise().matrix(t).select_rows(&there).select_columns(&there);
        let mut innovations = -(&observed * &means);
        for (row, &i) in there.iter().enumerate() {
            innovations[(row, 0)] += seen[i] - observation.offset().at(t)[i];
        }
        let cross = &observed * &covariance;
        let spread = &cross * observed.transpose() + &noise;
        let factor = Cholesky::new(&spread).map_err(|_| Error::Singular { time: t })?;
        let gain = factor.solve(&cross).transpose();
        let kept = DMatrix::identity(means.nrows(), means.nrows()) - &gain * &observed;
        let filtered = congruence(&kept, &covariance) + congruence(&gain, &noise);
        Ok(Self { there, means, covariance, filtered, observed, innovations, factor, gain })
    }

    /// E[x(t) | y(0), …, y(t)], as a function of β.
    pub(crate) fn filtered_means(&self) -> DMatrix<f64> {
        &self.means + &self.gain * &self.innovations
    }

    /// ln p(y(t) | …) of the first column.
    pub(crate) fn ln_likelihood(&self) -> f64 {
        let surprise = self.factor.half_solve_vector(&self.innovations.column(0).into_owned());
        -0.5 * (surprise.norm_squared() + self.factor.ln_determinant() + self.there.len() as f64 * LN_TAU)
    }
}
