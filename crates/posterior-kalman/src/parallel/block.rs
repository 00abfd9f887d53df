//! A stretch of time as a conditional distribution.

use std::ops::Range;

use posterior_gaussian::MomentGaussian;
use posterior_math::linalg::{Cholesky, DMatrix, DVector, congruence};

use crate::disturbances::{Update, ahead};
use crate::{Error, Series, StateSpace};

/// What a block does to the distribution of the state at its beginning.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// E of E[x(end) | x(begin), y] = E x(begin) + g.
    matrix: DMatrix<f64>,
    /// g.
    offset: DVector<f64>,
    /// Cov[x(end) | x(begin), y].
    covariance: DMatrix<f64>,
    /// What the observations of the block say of x(begin): exp(ηᵀ x - xᵀ Λ x / 2).
    information: DVector<f64>,
    precision: DMatrix<f64>,
}

impl Block {
    /// Of these times; the end is the time after the last, before its observation.
    pub(super) fn new(model: &StateSpace, series: &Series, times: Range<usize>) -> Result<Self, Error> {
        let n = model.states();
        let mut means = DMatrix::zeros(n, 1 + n);
        means.columns_mut(1, n).copy_from(&DMatrix::identity(n, n));
        let mut covariance = DMatrix::zeros(n, n);
        let mut precision = DMatrix::zeros(n, n);
        let mut information = DVector::zeros(n);
        for t in times {
            let update = Update::new(model, series.at(t), t, means, covariance)?;
            let white = update.factor.half_solve(&update.innovations);
            let (surprise, change) = (white.column(0), white.columns(1, n));
            precision += change.tr_mul(&change);
            information -= change.tr_mul(&surprise);
            (means, covariance) = ahead(model, t, &update);
        }
        let matrix = means.columns(1, n).into_owned();
        Ok(Self { matrix, offset: means.column(0).into_owned(), covariance, information, precision })
    }

    /// The distribution at the end from that at the beginning.
    pub(super) fn carry(&self, distribution: &MomentGaussian) -> Result<MomentGaussian, Error> {
        let root = distribution.root()?;
        // (P⁻¹ + Λ)⁻¹ = F (I + Fᵀ Λ F)⁻¹ Fᵀ, also of a singular P.
        let mut inner = congruence(&root.transpose(), &self.precision);
        for i in 0..inner.nrows() {
            inner[(i, i)] += 1.0;
        }
        let half = Cholesky::new(&inner)?.half_solve(&root.transpose());
        let residual = &self.information - &self.precision * distribution.mean();
        let begin = distribution.mean() + half.tr_mul(&(&half * residual));
        let spread = &half * self.matrix.transpose();
        let mean = &self.matrix * begin + &self.offset;
        Ok(MomentGaussian::new(mean.as_slice(), &(spread.tr_mul(&spread) + &self.covariance))?)
    }
}
