//! The M step of an equation: a regression of which only moments are known.

use posterior_math::linalg::{Cholesky, DMatrix, DVector, symmetrize};

use super::{CovarianceShape, Part, Parts};
use crate::learning::EquationScore;
use crate::{Error, Matrices};

/// The expected sums over time of an equation `output = W (x, 1) + noise`, the noise being that of the
/// previous W.
#[derive(Debug, Clone)]
pub(super) struct Regression {
    count: f64,
    /// Σ E[(x, 1) (x, 1)ᵀ].
    inputs: DMatrix<f64>,
    /// Σ E[noise (x, 1)ᵀ].
    cross: DMatrix<f64>,
    /// Σ E[noise noiseᵀ].
    squares: DMatrix<f64>,
}

/// E[w wᵀ | y], summed over `count` times, for w with covariance Q, where G is the derivative of ln p(y) in
/// Q: count Q + 2 Q G Q.
pub(super) fn posterior_moment(covariance: &DMatrix<f64>, score: &DMatrix<f64>, count: f64) -> DMatrix<f64> {
    let mut moment = covariance * count + covariance * (score * 2.0) * covariance;
    symmetrize(&mut moment);
    moment
}

impl Regression {
    pub(super) fn new(outputs: usize, states: usize) -> Self {
        Self {
            count: 0.0,
            inputs: DMatrix::zeros(states + 1, states + 1),
            cross: DMatrix::zeros(outputs, states + 1),
            squares: DMatrix::zeros(outputs, outputs),
        }
    }

    pub(super) const fn count(&self) -> f64 {
        self.count
    }

    /// Adds a time at which the state has this mean and these second moments.
    pub(super) fn see_input(&mut self, mean: &DVector<f64>, second: &DMatrix<f64>) {
        let n = mean.len();
        let mut block = self.inputs.view_mut((0, 0), (n, n));
        block += second;
        for (i, mean) in mean.iter().enumerate() {
            self.inputs[(i, n)] += mean;
            self.inputs[(n, i)] += mean;
        }
        self.inputs[(n, n)] += 1.0;
    }

    /// Adds a series with `times` noises of this covariance, by its score.
    pub(super) fn see_noise(&mut self, noise: &DMatrix<f64>, score: &EquationScore, times: f64) {
        self.count += times;
        self.squares += posterior_moment(noise, &score.noise.of(0), times);
        let n = self.inputs.nrows() - 1;
        let total = |part: &crate::learning::MatrixScore| -> DMatrix<f64> {
            let zero = DMatrix::zeros(part.rows(), part.columns());
            (0..part.distinct()).fold(zero, |sum, number| sum + part.of(number))
        };
        let mut with_state = self.cross.columns_mut(0, n);
        with_state += noise * total(&score.matrix);
        let mut alone = self.cross.columns_mut(n, 1);
        alone += noise * total(&score.offset);
    }

    /// The parts of the equation that are fitted, and those that stay.
    pub(super) fn solve(
        &self,
        (matrix, offset, noise): (&Matrices, &Matrices, &Matrices),
        (learn_matrix, learn_offset, shape): (Part, Part, CovarianceShape),
    ) -> Result<Parts, Error> {
        let n = self.inputs.nrows() - 1;
        let columns: Vec<usize> =
            (0..=n).filter(|&j| if j < n { learn_matrix } else { learn_offset } == Part::Learned).collect();
        let inputs = self.inputs.select_rows(&columns).select_columns(&columns);
        let cross = self.cross.select_columns(&columns);
        let change = if columns.is_empty() {
            cross.clone()
        } else {
            Cholesky::new(&inputs)?.solve(&cross.transpose()).transpose()
        };
        let shared = &change * cross.transpose();
        let mut squares =
            &self.squares - &shared - shared.transpose() + &change * inputs * change.transpose();
        squares /= self.count;
        symmetrize(&mut squares);
        let moved = |learn: Part, old: &Matrices, change: DMatrix<f64>| match learn {
            Part::Learned => Matrices::constant(&(old.matrix(0) + change)),
            Part::Fixed => old.clone(),
        };
        let of_matrix = if learn_matrix == Part::Learned { n } else { 0 };
        let of_offset = usize::from(learn_offset == Part::Learned);
        Ok(Parts {
            matrix: moved(learn_matrix, matrix, change.columns(0, of_matrix).into_owned()),
            offset: moved(learn_offset, offset, change.columns(of_matrix, of_offset).into_owned()),
            noise: match shape {
                CovarianceShape::Fixed => noise.clone(),
                shape => Matrices::constant(&shape.applied(squares)),
            },
        })
    }
}
