//! The smoother of Rauch, Tung and Striebel by straight lines, in square-root form.

use posterior_math::check;
use posterior_math::linalg::{
    DMatrix, DVector, solve_upper_in_place, solve_upper_transpose_in_place, triangularize,
};

use super::filter::stack;
use super::filtered::square;
use super::{Map, NonlinearFiltered, NonlinearStateSpace};
use crate::Error;

/// For each time the distribution of the state given all observations.
#[derive(Debug, Clone, PartialEq)]
pub struct NonlinearSmoothed {
    distributions: Vec<(DVector<f64>, DMatrix<f64>)>,
    lag_one: Vec<DMatrix<f64>>,
    ln_likelihood: f64,
}

impl NonlinearFiltered {
    /// The distributions of the states given all observations, by the lines that the filter found.
    ///
    /// # Errors
    /// If `model` is not of the same size and length.
    pub fn smooth<F: Map, H: Map>(
        &self,
        model: &NonlinearStateSpace<F, H>,
    ) -> Result<NonlinearSmoothed, Error> {
        check::dimension("states of the model", self.states(), model.states())?;
        let length = self.len();
        model.reaches(length)?;
        let mut distributions: Vec<(DVector<f64>, DMatrix<f64>)> = Vec::with_capacity(length);
        let mut lag_one = Vec::with_capacity(length.saturating_sub(1));
        for t in (0..length).rev() {
            let (mean, root) = (DVector::from_column_slice(self.mean(t)), self.root(t));
            let Some((next_mean, next_root)) = distributions.last() else {
                distributions.push((mean, root.clone()));
                continue;
            };
            let (step, noise) = (self.step(t), model.transition_root(t));
            let gain = gain(root, &step.slope, &[&step.residual_root, &noise]);
            let ahead = DVector::from_column_slice(self.predicted_mean(t + 1));
            let smoothed = mean + &gain * (next_mean - ahead);
            // As Joseph's form: a sum of squares for any gain.
            let parts =
                [root - &gain * &step.slope, &gain * &step.residual_root, &gain * noise, &gain * next_root];
            let spread = triangularize(stack(&parts.each_ref())).transpose();
            lag_one.push(square(next_root) * gain.transpose());
            distributions.push((smoothed, spread));
        }
        distributions.reverse();
        lag_one.reverse();
        Ok(NonlinearSmoothed { distributions, lag_one, ln_likelihood: self.ln_likelihood() })
    }
}

impl NonlinearSmoothed {
    /// How many times.
    pub const fn len(&self) -> usize {
        self.distributions.len()
    }

    /// Whether there is no time.
    pub const fn is_empty(&self) -> bool {
        self.distributions.is_empty()
    }

    /// E[x(t) | y].
    ///
    /// # Panics
    /// At a time after the last, as all that take a time.
    #[track_caller]
    pub fn mean(&self, t: usize) -> &[f64] {
        self.distributions[t].0.as_slice()
    }

    /// Cov[x(t) | y].
    #[track_caller]
    pub fn covariance(&self, t: usize) -> DMatrix<f64> {
        square(&self.distributions[t].1)
    }

    /// The variance of component i of the state.
    #[track_caller]
    pub fn variance(&self, t: usize, i: usize) -> f64 {
        self.distributions[t].1.row(i).norm_squared()
    }

    /// Cov[x(t+1), x(t) | y].
    #[track_caller]
    pub fn lag_one_covariance(&self, t: usize) -> DMatrix<f64> {
        self.lag_one[t].clone()
    }

    /// ln p(y), as the filter's lines say.
    pub const fn ln_likelihood(&self) -> f64 {
        self.ln_likelihood
    }
}

/// How the state follows from the next one: Cov[x(t), x(t+1)] Cov[x(t+1)]⁻, where next = B ζ + what `others`
/// are roots of.
///
/// Components of the next state that follow from those before them are left out: they say nothing more.
fn gain(root: &DMatrix<f64>, slope: &DMatrix<f64>, others: &[&DMatrix<f64>; 2]) -> DMatrix<f64> {
    let n = root.nrows();
    let all = stack(&[slope, others[0], others[1]]);
    let mut kept: Vec<usize> = (0..n).collect();
    let triangle = loop {
        let triangle = triangularize(all.select_columns(&kept));
        let follows =
            |j: &usize| triangle[(*j, *j)] <= 4.0 * n as f64 * f64::EPSILON * triangle.column(*j).norm();
        match (0..kept.len()).find(follows) {
            None => break triangle,
            Some(j) => kept.remove(j),
        };
    };
    let mut solved = slope.select_rows(&kept) * root.transpose();
    solve_upper_transpose_in_place(&triangle, &mut solved);
    solve_upper_in_place(&triangle, &mut solved);
    let mut gain = DMatrix::zeros(n, n);
    for (row, &j) in kept.iter().enumerate() {
        gain.set_column(j, &solved.row(row).transpose());
    }
    gain
}
