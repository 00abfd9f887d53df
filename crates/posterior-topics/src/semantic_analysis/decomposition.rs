//! The leading singular values and vectors of a corpus.

use posterior_dist::stream::stream;
use posterior_latent::principal_components::{LinearOperator, TruncatedOptions, TruncatedSvd, truncated_svd};
use posterior_math::linalg::DMatrix;
use rand::Rng;

use super::analysis::SemanticAnalysis;
use super::options::SemanticAnalysisOptions;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error};

impl LinearOperator for TermMatrix {
    fn shape(&self) -> (usize, usize) {
        (self.documents(), self.words())
    }

    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        self.times(&FactorRows::of_matrix(x)).to_matrix()
    }

    fn apply_transpose(&self, y: &DMatrix<f64>) -> DMatrix<f64> {
        self.transposed_times(&FactorRows::of_matrix(y)).to_matrix()
    }
}

/// The leading singular values and vectors of a matrix that is not all zero.
pub(crate) fn leading_factors<R: Rng + ?Sized>(
    matrix: &TermMatrix,
    options: &SemanticAnalysisOptions,
    rng: &mut R,
) -> Result<TruncatedSvd, Error> {
    let truncated = TruncatedOptions {
        oversampling: options.oversampling,
        power_iterations: options.power_iterations,
        ..TruncatedOptions::default()
    };
    truncated_svd(matrix, options.components, &truncated, rng)
        .map_err(|error| Error::Corpus(format!("singular values of the documents x words: {error}")))
}

/// Latent semantic analysis of a corpus.
///
/// Cost: 2 + 2 `power_iterations` products of the entries with `components + oversampling` vectors, and for
/// each word and document the square of their number. The result has the same bits on any number of threads.
///
/// # Errors
/// Options out of their range, or weights that are all zero, as when every document has every word and they
/// are weighed by tf-idf.
pub fn fit(corpus: &Corpus, options: &SemanticAnalysisOptions) -> Result<SemanticAnalysis, Error> {
    options.check()?;
    let (factors, matrix) = options.weighting.matrix(corpus)?;
    let found = leading_factors(&matrix, options, &mut stream(options.seed, &[]))?;
    Ok(SemanticAnalysis::new(corpus, &matrix, factors, found))
}
