//! The backward pass: derivatives of ln p(y) in the means of states and observations.

use posterior_math::linalg::{DMatrix, congruence};

use super::Update;

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
