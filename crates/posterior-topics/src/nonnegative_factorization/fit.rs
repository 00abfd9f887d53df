//! The run.

use posterior_math::iteration::{Fall, Observer, Progress, Report, Stop};
use posterior_math::linalg::DMatrix;

use super::model::Factorization;
use super::options::{FactorizationDivergence, FactorizationOptions};
use super::start::{Descent, Factors};
use super::{kullback_leibler, least_squares};
use crate::checks::size;
use crate::distributions::heaviest_first;
use crate::factor_rows::FactorRows;
use crate::term_matrix::TermMatrix;
use crate::{Corpus, Error, FittedTopics};

/// What of a rise is rounding, as a proportion of the divergence of factors that are zero.
const ROUNDING: f64 = 1e-10;

/// Factorises the weighted counts of a corpus.
///
/// The trace is minus the divergence, which never falls. Topics are numbered by their proportion of the mass.
///
/// Cost: a step looks at each entry twice (once with
/// [`FactorizationUpdate::Joint`](super::FactorizationUpdate::Joint)), 4 to 6
/// operations for each topic; least squares needs the square of the number of topics for each document and
/// word besides. The result has the same bits on any number of threads.
///
/// # Errors
/// Options out of their range, or weights that are all zero.
pub fn fit(
    corpus: &Corpus,
    options: &FactorizationOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Factorization>, Error> {
    options.check()?;
    let (weights, matrix) = options.weighting.matrix(corpus)?;
    let start = Factors::start(&matrix, options)?;
    let (factors, report) = descend(&matrix, start, options, observer);
    let mut sizes = factors.documents.column_sums();
    sizes.iter_mut().zip(factors.words.column_sums()).for_each(|(size, sum)| *size *= sum);
    let order = heaviest_first(&sizes);
    let sorted = Factors {
        documents: factors.documents.select_columns(&order),
        words: factors.words.select_columns(&order),
    };
    Ok(Factorization::fitted(corpus, weights, &sorted, options, report))
}

/// Factorises the weighted counts of a corpus from given factors: W, documents x topics, and H, topics x
/// words. Topics keep their order.
///
/// # Errors
/// Options out of their range, shapes that do not go together, numbers that are negative or not finite, or
/// weights that are all zero.
pub fn fit_from(
    corpus: &Corpus,
    documents: &DMatrix<f64>,
    words: &DMatrix<f64>,
    options: &FactorizationOptions,
    observer: &mut (impl Observer + ?Sized),
) -> Result<FittedTopics<Factorization>, Error> {
    options.check()?;
    posterior_math::check::at_least_one("Factorization", "topics", words.nrows())?;
    size("rows of the factor of documents", corpus.documents(), documents.nrows())?;
    size("columns of the factor of documents", words.nrows(), documents.ncols())?;
    size("columns of the factor of words", corpus.vocabulary().len(), words.ncols())?;
    for (name, factor) in [("documents", documents), ("words", words)] {
        for &value in factor {
            posterior_math::check::non_negative("Factorization", name, value)?;
        }
    }
    let (weights, matrix) = options.weighting.matrix(corpus)?;
    let start =
        Factors { documents: FactorRows::of_matrix(documents), words: FactorRows::of_transposed(words) };
    let (factors, report) = descend(&matrix, start, options, observer);
    Ok(Factorization::fitted(corpus, weights, &factors, options, report))
}

/// Descends by the method of the divergence.
fn descend(
    matrix: &TermMatrix,
    start: Factors,
    options: &FactorizationOptions,
    observer: &mut (impl Observer + ?Sized),
) -> (Factors, Report) {
    match options.divergence {
        FactorizationDivergence::KullbackLeibler => {
            run(kullback_leibler::Run::new(matrix, start, options.update), options, observer)
        }
        FactorizationDivergence::Frobenius => run(least_squares::Run::new(matrix, start), options, observer),
    }
}

fn run(
    mut run: impl Descent,
    options: &FactorizationOptions,
    observer: &mut (impl Observer + ?Sized),
) -> (Factors, Report) {
    let first = run.divergence();
    let mut last = first;
    let mut falls = Vec::new();
    let mut progress = Progress::new(-first, options.max_iterations, observer);
    let stop = loop {
        if !last.is_finite() {
            break Stop::Stalled;
        }
        if progress.exhausted() {
            break Stop::MaxIterations;
        }
        run.step();
        let now = run.divergence();
        let gain = last - now;
        last = now;
        if -gain > ROUNDING * first.max(1.0) {
            falls.push(Fall::new(progress.iterations() + 1, -gain));
        }
        if progress.stopped_after(-now) {
            break Stop::Observer;
        }
        if gain.abs() <= options.tolerance * first {
            break Stop::Converged;
        }
    };
    (run.factors(), Report { falls, ..progress.finish(stop) })
}
