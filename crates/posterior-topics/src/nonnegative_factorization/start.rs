//! Where the factors start.

use posterior_dist::stream::stream;
use rand_distr::{Distribution, Exp1};

use super::options::{FactorizationDivergence, FactorizationOptions, FactorizationStart};
use crate::Error;
use crate::factor_rows::FactorRows;
use crate::semantic_analysis::{self, leading_factors};
use crate::term_matrix::TermMatrix;

/// Rows of W and, for each word, of the transpose of H.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Factors {
    pub(super) documents: FactorRows,
    pub(super) words: FactorRows,
}

/// A descent under way.
pub(super) trait Descent {
    /// The divergence of the factors.
    fn divergence(&self) -> f64;

    fn step(&mut self);

    fn factors(self) -> Factors;
}

impl Factors {
    pub(super) fn start(matrix: &TermMatrix, options: &FactorizationOptions) -> Result<Self, Error> {
        match options.start {
            FactorizationStart::Random => Ok(Self::random(matrix, options)),
            FactorizationStart::SingularVectors => Self::of_singular_vectors(matrix, options),
        }
    }

    /// Exponential variates, whose products have the mean of the data.
    fn random(matrix: &TermMatrix, options: &FactorizationOptions) -> Self {
        let mut rng = stream(options.seed, &[0]);
        let size = (mean(matrix) / options.topics as f64).sqrt();
        let mut draw = |_, _| {
            let draw: f64 = Exp1.sample(&mut rng);
            size * draw.max(1e-12)
        };
        Self {
            documents: FactorRows::from_fn(matrix.documents(), options.topics, &mut draw),
            words: FactorRows::from_fn(matrix.words(), options.topics, &mut draw),
        }
    }

    /// Of each pair of singular vectors the signs with the greater part; topics beyond the rank are random.
    fn of_singular_vectors(matrix: &TermMatrix, options: &FactorizationOptions) -> Result<Self, Error> {
        let mut start = Self::random(matrix, options);
        let analysis = semantic_analysis::SemanticAnalysisOptions {
            components: options.topics,
            ..semantic_analysis::SemanticAnalysisOptions::default()
        };
        let found = leading_factors(matrix, &analysis, &mut stream(options.seed, &[1]))?;
        let fill = if options.divergence == FactorizationDivergence::Frobenius { 0.0 } else { mean(matrix) };
        for (k, &value) in found.values.iter().enumerate() {
            let (u, v) = (found.left.column(k), found.right.column(k));
            let part = |sign: f64| {
                let norm = |x: &[f64]| x.iter().map(|x| (sign * x).max(0.0).powi(2)).sum::<f64>().sqrt();
                (sign, norm(u.as_slice()), norm(v.as_slice()))
            };
            let (positive, negative) = (part(1.0), part(-1.0));
            let (sign, of_u, of_v) =
                if positive.1 * positive.2 >= negative.1 * negative.2 { positive } else { negative };
            // Both factors get the root of the value and of the parts.
            let size = (value * of_u * of_v).sqrt();
            let set = |rows: &mut FactorRows, vector: &[f64], norm: f64| {
                for (i, x) in vector.iter().enumerate() {
                    let number = if norm > 0.0 { size * (sign * x).max(0.0) / norm } else { 0.0 };
                    rows.numbers_mut(i)[k] = if number > 0.0 { number } else { fill };
                }
            };
            set(&mut start.documents, u.as_slice(), of_u);
            set(&mut start.words, v.as_slice(), of_v);
        }
        Ok(start)
    }
}

/// The mean of all numbers, zeros included.
fn mean(matrix: &TermMatrix) -> f64 {
    let sum: f64 = matrix.values().iter().sum();
    sum / matrix.documents() as f64 / matrix.words() as f64
}
