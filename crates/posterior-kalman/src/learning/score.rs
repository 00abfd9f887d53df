//! The exact derivatives of ln p(y) in every number of a model.

use posterior_math::check;
use posterior_math::linalg::{DMatrix, DVector};

use super::{Derivative, EquationDerivative};
use crate::disturbances::{Adjoint, Directions, Forward, Update};
use crate::filter::filter_for_score;
use crate::{Error, Matrices, ObservationEquation, Series, StateSpace, TransitionEquation};

/// Which derivatives are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// All but those in A and H, which take the distributions of the states.
    NoMatrices,
}

/// ∂ ln p(y) / ∂ M for each matrix M that a model stores: of a matrix that serves at many times, the sum over
/// them.
#[derive(Debug, Clone, PartialEq)]
pub struct MatrixScore {
    rows: usize,
    columns: usize,
    /// Column by column, matrix after matrix.
    entries: Vec<f64>,
}

impl MatrixScore {
    fn zero(matrices: &Matrices) -> Self {
        let (rows, columns) = (matrices.rows(), matrices.columns());
        Self { rows, columns, entries: vec![0.0; rows * columns * matrices.distinct()] }
    }

    /// Rows of each.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Columns of each.
    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// How many matrices the model stores.
    pub fn distinct(&self) -> usize {
        self.entries.len() / (self.rows * self.columns).max(1)
    }

    /// The derivatives in the entries of the matrix with this number.
    ///
    /// # Panics
    /// If none has this number.
    #[track_caller]
    pub fn of(&self, number: usize) -> DMatrix<f64> {
        let each = self.rows * self.columns;
        DMatrix::from_column_slice(self.rows, self.columns, &self.entries[number * each..(number + 1) * each])
    }

    /// The derivative of ln p(y) where the matrices change by this much.
    fn along(&self, change: Option<&Matrices>) -> Result<f64, Error> {
        let Some(change) = change else { return Ok(0.0) };
        check::dimension("rows of a derivative", self.rows, change.rows())?;
        check::dimension("columns of a derivative", self.columns, change.columns())?;
        if change.distinct() != 1 {
            check::dimension("stored matrices of a derivative", self.distinct(), change.distinct())?;
        }
        let each = (self.rows * self.columns).max(1);
        Ok(self
            .entries
            .chunks_exact(each)
            .enumerate()
            .map(|(number, score)| {
                let change = change.stored(if change.distinct() == 1 { 0 } else { number });
                score.iter().zip(change).map(|(score, change)| score * change).sum::<f64>()
            })
            .sum())
    }

    pub(super) fn block(&mut self, number: usize) -> &mut [f64] {
        let each = self.rows * self.columns;
        &mut self.entries[number * each..(number + 1) * each]
    }

    fn add(&mut self, number: usize, matrix: &DMatrix<f64>) {
        self.block(number).iter_mut().zip(matrix).for_each(|(sum, entry)| *sum += entry);
    }

    /// Adds to the rows `there`; with `columns`, to these of the columns.
    fn scatter(&mut self, number: usize, there: &[usize], columns: Option<&[usize]>, matrix: &DMatrix<f64>) {
        let rows = self.rows;
        let block = self.block(number);
        for j in 0..matrix.ncols() {
            let column = columns.map_or(j, |columns| columns[j]);
            for (i, &row) in there.iter().enumerate() {
                block[column * rows + row] += matrix[(i, j)];
            }
        }
    }
}

/// The derivatives in matrix, offset and noise of an equation.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct EquationScore {
    /// In A or H.
    pub matrix: MatrixScore,
    /// In b or d.
    pub offset: MatrixScore,
    /// In Q or R.
    pub noise: MatrixScore,
}

impl EquationScore {
    fn of_transition(equation: &TransitionEquation) -> Self {
        let [matrix, offset, noise] =
            [equation.matrix(), equation.offset(), equation.noise()].map(MatrixScore::zero);
        Self { matrix, offset, noise }
    }

    fn of_observation(equation: &ObservationEquation) -> Self {
        let [matrix, offset, noise] =
            [equation.matrix(), equation.offset(), equation.noise()].map(MatrixScore::zero);
        Self { matrix, offset, noise }
    }

    fn along(&self, change: &EquationDerivative) -> Result<f64, Error> {
        Ok(self.matrix.along(change.matrix.as_ref())?
            + self.offset.along(change.offset.as_ref())?
            + self.noise.along(change.noise.as_ref())?)
    }
}

/// ln p(y) and its derivatives in every number of a model.
///
/// Those in a covariance are symmetric: where its entries change by dQ (a symmetric matrix), ln p(y) changes
/// by the sum of all G dQ.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LikelihoodScore {
    /// ln p(y).
    pub ln_likelihood: f64,
    /// In A, b and Q.
    pub transition: EquationScore,
    /// In H, d and R.
    pub observation: EquationScore,
    /// In the mean at the start.
    pub initial_mean: DVector<f64>,
    /// In the covariance at the start.
    pub initial_covariance: DMatrix<f64>,
}

impl LikelihoodScore {
    /// The derivative of ln p(y) in a parameter, by the chain rule.
    ///
    /// # Errors
    /// If the derivative is not one of a model of the same sizes that stores as many matrices.
    pub fn along(&self, derivative: &Derivative) -> Result<f64, Error> {
        let mean = derivative.initial_mean.as_ref().map_or(Ok(0.0), |change| {
            check::dimension("states of a derivative", self.initial_mean.len(), change.len())?;
            Ok::<_, Error>(self.initial_mean.dot(change))
        })?;
        let covariance = derivative.initial_covariance.as_ref().map_or(Ok(0.0), |change| {
            check::dimension("rows of a derivative", self.initial_covariance.nrows(), change.nrows())?;
            check::dimension("columns of a derivative", self.initial_covariance.ncols(), change.ncols())?;
            Ok::<_, Error>(self.initial_covariance.dot(change))
        })?;
        Ok(self.transition.along(&derivative.transition)?
            + self.observation.along(&derivative.observation)?
            + mean
            + covariance)
    }
}

/// ln p(y) and its exact derivatives in A, b, Q, H, d, R at each time, and in mean and covariance of the
/// start.
///
/// By one pass forwards and one backwards, however many parameters there are. Q, R and the covariance of the
/// start may be singular; observations may be missing in part. Where the start is diffuse, ln p(y) is that of
/// Durbin and Koopman, and its derivative exact; directions that are never observed are left out of both.
///
/// # Numerics
/// Covariances are updated in Joseph's form.
///
/// # Errors
/// If the series does not fit the model, an innovation has a singular covariance (of a diffuse start: given
/// the state along what is diffuse), or a number overflows.
///
/// # References
/// S. J. Koopman, N. Shephard, Exact score for time series models in state space form, Biometrika 79, 1992.
pub fn score(model: &StateSpace, series: &Series) -> Result<LikelihoodScore, Error> {
    score_of(model, series, Wanted::All)
}

/// The score as far as it is wanted; what is not is zero.
pub(super) fn score_of(
    model: &StateSpace,
    series: &Series,
    wanted: Wanted,
) -> Result<LikelihoodScore, Error> {
    let Some(filtered) = filter_for_score(model, series, wanted == Wanted::All)? else {
        return score_seeing(model, series, |_, _, _, _| ());
    };
    let zero = LikelihoodScore::zero(model, filtered.ln_likelihood());
    if filtered.diffuse_times() == 0 {
        let mut score = zero;
        let first = score.sweep(model, &filtered, 0, wanted);
        score.initial_mean.copy_from_slice(&first.state);
        if !series.is_empty() {
            let square = &score.initial_mean * score.initial_mean.transpose();
            score.initial_covariance = (square - first.precision) * 0.5;
        }
        return Ok(score);
    }
    // The last times by the sweep, the first as functions of what is diffuse. Where those are too few to tell
    // much of it, more.
    let mut times = filtered.diffuse_times();
    while times < series.len() {
        let mut score = zero.clone();
        let first = score.sweep(model, &filtered, times, wanted);
        let mut forward = Forward::until(model, series, times)?;
        if let Some(next) = forward.go_on(model, &first.state, &first.precision) {
            score.back(model, &forward, Some(next), |_, _, _, _| ());
            return Ok(score);
        }
        times *= 16;
    }
    score_seeing(model, series, |_, _, _, _| ())
}

/// The same, where `see` is shown each time with what the two passes found there, the last time first.
pub(super) fn score_seeing(
    model: &StateSpace,
    series: &Series,
    see: impl FnMut(usize, &Update, &Adjoint, &Directions),
) -> Result<LikelihoodScore, Error> {
    let forward = Forward::new(model, series)?;
    let mut score = LikelihoodScore::zero(model, forward.ln_likelihood);
    score.back(model, &forward, None, see);
    Ok(score)
}

impl LikelihoodScore {
    fn zero(model: &StateSpace, ln_likelihood: f64) -> Self {
        let n = model.states();
        Self {
            ln_likelihood,
            transition: EquationScore::of_transition(model.transition()),
            observation: EquationScore::of_observation(model.observation()),
            initial_mean: DVector::zeros(n),
            initial_covariance: DMatrix::zeros(n, n),
        }
    }

    /// Adds what a pass backwards over the times of `forward` finds, from the adjoints after them.
    fn back(
        &mut self,
        model: &StateSpace,
        forward: &Forward,
        mut next: Option<Adjoint>,
        mut see: impl FnMut(usize, &Update, &Adjoint, &Directions),
    ) {
        for (t, update) in forward.updates.iter().enumerate().rev() {
            let adjoint = match &next {
                Some(next) => {
                    let matrix = model.transition().matrix().matrix(t);
                    let adjoint = Adjoint::before(update, Some((&matrix, next)));
                    self.see_transition(model, t, (update, &matrix), (&adjoint, next), &forward.directions);
                    adjoint
                }
                None => Adjoint::before(update, None),
            };
            self.see_observation(model, t, update, &adjoint, &forward.directions);
            see(t, update, &adjoint, &forward.directions);
            next = Some(adjoint);
        }
        if let Some(first) = next {
            self.initial_mean = first.state.column(0).into_owned();
            self.initial_covariance =
                (outer(&first.state, &first.state, &forward.directions) - first.precision) * 0.5;
        }
    }

    fn see_transition(
        &mut self,
        model: &StateSpace,
        t: usize,
        (update, matrix): (&Update, &DMatrix<f64>),
        (adjoint, next): (&Adjoint, &Adjoint),
        directions: &Directions,
    ) {
        let (equation, score) = (model.transition(), &mut self.transition);
        score.offset.add(equation.offset().number(t), &next.state.columns(0, 1).into_owned());
        let noise = (outer(&next.state, &next.state, directions) - &next.precision) * 0.5;
        score.noise.add(equation.noise().number(t), &noise);
        let smoothed = adjoint.smoothed(update);
        let change =
            outer(&next.state, &smoothed, directions) - &next.precision * (matrix * &update.filtered);
        score.matrix.add(equation.matrix().number(t), &change);
    }

    fn see_observation(
        &mut self,
        model: &StateSpace,
        t: usize,
        update: &Update,
        adjoint: &Adjoint,
        directions: &Directions,
    ) {
        let (equation, score, there) = (model.observation(), &mut self.observation, &update.there);
        let offset = adjoint.observation.columns(0, 1).into_owned();
        score.offset.scatter(equation.offset().number(t), there, None, &offset);
        let noise = (outer(&adjoint.observation, &adjoint.observation, directions)
            - &adjoint.observation_precision)
            * 0.5;
        score.noise.scatter(equation.noise().number(t), there, Some(there), &noise);
        let change = outer(&adjoint.observation, &adjoint.smoothed(update), directions)
            - adjoint.cross.tr_mul(&update.covariance);
        score.matrix.scatter(equation.matrix().number(t), there, None, &change);
    }
}

/// E[a(β) b(β)ᵀ | y].
pub(super) fn outer(a: &DMatrix<f64>, b: &DMatrix<f64>, directions: &Directions) -> DMatrix<f64> {
    let k = directions.mean.len();
    let mut product = a.column(0) * b.column(0).transpose();
    if k > 0 {
        let (a, b) = (a.columns(1, k) * &directions.root, b.columns(1, k) * &directions.root);
        product += a * b.transpose();
    }
    product
}
