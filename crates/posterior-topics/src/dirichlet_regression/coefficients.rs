//! The coefficients: their posterior density given the topics of all tokens, its gradient, and the climb to
//! its mode.

use posterior_math::iteration::Silent;
use posterior_math::linalg::{DMatrix, multiply, transpose_multiply};
use posterior_math::optimize::{LbfgsOptions, minimize};
use posterior_math::special::{digamma_difference, ln_rising_factorial};

use super::options::DirichletRegressionOptions;

/// Regression of concentrations on features.
#[derive(Debug, Clone)]
pub(super) struct Coefficients {
    /// Documents x features; the first column is one.
    design: DMatrix<f64>,
    /// Features x topics.
    pub(super) lambda: DMatrix<f64>,
    /// What a coefficient is beforehand, for each feature: mean and variance.
    prior: Vec<(f64, f64)>,
}

impl Coefficients {
    /// All topics alike, whatever the features (documents x features, without the constant).
    pub(super) fn new(features: &DMatrix<f64>, options: &DirichletRegressionOptions) -> Self {
        let design = features.clone().insert_column(0, 1.0);
        let constant = options.alpha.ln();
        let lambda =
            DMatrix::from_fn(design.ncols(), options.topics, |j, _| if j == 0 { constant } else { 0.0 });
        let mut prior = vec![(0.0, options.feature_variance); design.ncols()];
        prior[0] = (constant, options.intercept_variance);
        Self { design, lambda, prior }
    }

    /// Documents x topics.
    pub(super) fn alpha(&self) -> DMatrix<f64> {
        multiply(&self.design, &self.lambda).map(f64::exp)
    }

    /// Coefficients higher up on their posterior density given the topic counts of the documents (documents x
    /// topics, row by row).
    pub(super) fn climb(&mut self, counts: &[u32]) {
        let shape = self.lambda.shape();
        let options = LbfgsOptions { max_iterations: 30, value_tolerance: 1e-8, ..LbfgsOptions::default() };
        let objective = |lambda: &[f64], gradient: &mut [f64]| self.descend(lambda, gradient, counts);
        let found = minimize(objective, self.lambda.as_slice(), &options, &mut Silent);
        self.lambda = DMatrix::from_column_slice(shape.0, shape.1, &found.model.point);
    }

    /// -ln p(Z, lambda) up to a constant, and its gradient.
    fn descend(&self, lambda: &[f64], gradient: &mut [f64], counts: &[u32]) -> f64 {
        let lambda = DMatrix::from_column_slice(self.lambda.nrows(), self.lambda.ncols(), lambda);
        let mut slopes = multiply(&self.design, &lambda).map(f64::exp);
        let mut value = -ln_topics(&slopes, counts);
        let topics = slopes.ncols();
        for (d, counts) in counts.chunks_exact(topics).enumerate() {
            let total: f64 = slopes.row(d).sum();
            let tokens: u64 = counts.iter().map(|&n| u64::from(n)).sum();
            let of_total = digamma_difference(total, tokens as f64);
            for (k, &n) in counts.iter().enumerate() {
                let alpha = slopes[(d, k)];
                slopes[(d, k)] = alpha * (of_total - digamma_difference(alpha, f64::from(n)));
            }
        }
        let pulled = transpose_multiply(&self.design, &slopes);
        let features = self.prior.len();
        for (place, (gradient, (&lambda, slope))) in
            gradient.iter_mut().zip(lambda.iter().zip(&pulled)).enumerate()
        {
            let (mean, variance) = self.prior[place % features];
            value += 0.5 * (lambda - mean).powi(2) / variance;
            *gradient = slope + (lambda - mean) / variance;
        }
        value
    }
}

/// ln p(Z | alpha): the topics of all tokens, from their counts in documents.
pub(super) fn ln_topics(alpha: &DMatrix<f64>, counts: &[u32]) -> f64 {
    let mut ln = 0.0;
    for (d, counts) in counts.chunks_exact(alpha.ncols()).enumerate() {
        let mut tokens = 0;
        for (k, &n) in counts.iter().enumerate().filter(|&(_, &n)| n > 0) {
            ln += ln_rising_factorial(alpha[(d, k)], u64::from(n));
            tokens += u64::from(n);
        }
        ln -= ln_rising_factorial(alpha.row(d).sum(), tokens);
    }
    ln
}

#[cfg(test)]
mod tests;
