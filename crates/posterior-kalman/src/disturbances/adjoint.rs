//! The backward pass: derivatives of ln p(y) in the means of states and observations.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence, symmetrize};

use super::{Forward, Update, ahead};
use crate::StateSpace;

/// The least part that later observations may leave of a variance of β.
const LEFT: f64 = 1e-6;

/// The adjoints at one time. Columns are as those of the means of [`Update`]: the first at β = E[β | y], the
/// others the change with β.
#[derive(Debug, Clone)]
pub(crate) struct Adjoint {
    /// r: the derivative in E[x(t) | y(0), …, y(t-1)], n x (1 + k).
    pub(crate) state: DMatrix<f64>,
    /// N: the negative second derivative in it, for a given β.
    pub(crate) precision: DMatrix<f64>,
    /// u: the derivative in the mean of y(t), of the components that are there.
    pub(crate) observation: DMatrix<f64>,
    /// The negative second derivative in it.
    pub(crate) observation_precision: DMatrix<f64>,
    /// The negative second derivative in the means of state (rows) and observation (columns).
    pub(crate) cross: DMatrix<f64>,
}

impl Adjoint {
    /// The adjoints at the time of `update`, from those at the next time, where the state is A x + …; `None`
    /// after the last.
    pub(crate) fn before(update: &Update, next: Option<(&DMatrix<f64>, &Self)>) -> Self {
        let (n, columns) = update.means.shape();
        let (pulled, within) = match next {
            Some((matrix, next)) => {
                (matrix.tr_mul(&next.state), congruence(&matrix.transpose(), &next.precision))
            }
            None => (DMatrix::zeros(n, columns), DMatrix::zeros(n, n)),
        };
        let (observed, gain) = (&update.observed, &update.gain);
        let sharpness = update.factor.inverse();
        let observation = &sharpness * &update.innovations - gain.tr_mul(&pulled);
        let state = pulled + observed.tr_mul(&observation);
        let kept = DMatrix::identity(n, n) - gain * observed;
        let spread = &within * gain;
        let cross = observed.tr_mul(&sharpness) - kept.tr_mul(&spread);
        let precision =
            congruence(&observed.transpose(), &sharpness) + congruence(&kept.transpose(), &within);
        let observation_precision = sharpness + gain.tr_mul(&spread);
        Self { state, precision, observation, observation_precision, cross }
    }

    /// E[x(t) | y] and, for the other columns, how it changes with β.
    pub(crate) fn smoothed(&self, update: &Update) -> DMatrix<f64> {
        &update.means + &update.covariance * &self.state
    }
}

impl Forward {
    /// Goes on to what all observations say of β, where those after these times have been seen by a filter
    /// that does not know of β: from the derivative r of ln p of them in the mean of the first of their
    /// states, and its negative second derivative N. The adjoints there, as a function of β.
    ///
    /// `None` if the later observations tell so much more of β than these that digits would be lost.
    pub(crate) fn go_on(&mut self, model: &StateSpace, r: &[f64], n: &DMatrix<f64>) -> Option<Adjoint> {
        let (last, k) = (self.updates.last()?, self.directions.mean.len());
        let (means, _) = ahead(model, self.updates.len() - 1, last);
        let means = means.columns(1, k).into_owned();
        // Of the covariance of that state, M V Mᵀ = W Wᵀ is what β adds: N⁻¹ is larger by it than for a
        // given β.
        let w = &means * &self.directions.root;
        let spread = n * &w;
        let mut left = DMatrix::identity(k, k) - w.tr_mul(&spread);
        symmetrize(&mut left);
        let factor = Cholesky::new(&left).ok()?;
        if factor.factor().diagonal().iter().any(|pivot| pivot * pivot < LEFT) {
            return None;
        }
        let half = factor.half_solve(&spread.transpose());
        let precision = n + half.tr_mul(&half);
        let r = DVector::from_column_slice(r);
        let moved = &self.directions.root * w.tr_mul(&r);
        self.directions.mean += &moved;
        self.directions.root = &self.directions.root * factor.factor();
        self.place(&moved);
        let mut state = DMatrix::zeros(r.len(), 1 + k);
        state.set_column(0, &r);
        state.columns_mut(1, k).copy_from(&-(&precision * means));
        let none = || DMatrix::zeros(0, 0);
        Some(Adjoint { state, precision, observation: none(), observation_precision: none(), cross: none() })
    }
}
