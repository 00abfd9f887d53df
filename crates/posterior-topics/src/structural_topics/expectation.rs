//! The steps of expectation maximisation.

use posterior_inference::em::{Expected, Problem};
use posterior_math::linalg::DMatrix;
use rayon::prelude::*;

use super::document::{DocumentWords, Mode, proportions, responsibilities};
use super::regression::{Design, Information, Regression};
use super::words::TopicWords;
use crate::{Corpus, Error};

/// Documents whose sums are made on one thread: they do not depend on how many there are.
const BLOCK: usize = 64;

/// Where the fit is.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) words: TopicWords,
    pub(super) regression: Regression,
    /// (topics - 1) x documents: log-ratios to start a document from.
    pub(super) eta: DMatrix<f64>,
}

/// What is expected of documents.
#[derive(Debug)]
pub(super) struct DocumentSums {
    /// Modes of log-ratios, (topics - 1) x documents.
    pub(super) eta: DMatrix<f64>,
    /// The sum of their covariances.
    spread: DMatrix<f64>,
    /// (levels x topics) x words.
    pub(super) counts: DMatrix<f64>,
}

/// A corpus with what is known of its documents.
#[derive(Debug)]
pub(super) struct StructuralProblem<'a> {
    pub(super) corpus: &'a Corpus,
    pub(super) design: Design,
    /// The level of each document.
    pub(super) levels: Vec<usize>,
    pub(super) topics: usize,
    pub(super) pool: &'a rayon::ThreadPool,
}

impl StructuralProblem<'_> {
    /// Folds the modes of the documents of each block into a sum, and returns these in order.
    fn blocks<T: Send>(
        &self,
        state: &State,
        none: impl Fn() -> T + Sync,
        add: impl Fn(&mut T, usize, Mode) + Sync,
    ) -> Vec<T> {
        let means = self.design.means(&state.regression.gamma).transpose();
        let documents: Vec<usize> = (0..self.corpus.documents()).collect();
        let block = |own: &[usize]| {
            let mut sum = none();
            for &d in own {
                let document = DocumentWords::new(
                    self.words_of(d, &state.words.phi),
                    column(&means, d),
                    &state.regression.precision,
                );
                add(&mut sum, d, document.mode(column(&state.eta, d)));
            }
            sum
        };
        self.pool.install(|| documents.par_chunks(BLOCK).map(block).collect())
    }

    /// The words of a document: counts, and probabilities by topic.
    fn words_of<'a>(&'a self, d: usize, phi: &'a DMatrix<f64>) -> impl Iterator<Item = (f64, &'a [f64])> {
        let document = self.corpus.document(d);
        let (rows, first) = (phi.nrows(), self.levels[d] * self.topics);
        document.words.iter().zip(document.counts).map(move |(&word, &count)| {
            (f64::from(count), &phi.as_slice()[word as usize * rows + first..][..self.topics])
        })
    }

    /// The tokens that each topic of each level is expected to have of each word.
    fn counts(&self, phi: &DMatrix<f64>, eta: &DMatrix<f64>) -> DMatrix<f64> {
        let mut counts = DMatrix::zeros(phi.nrows(), phi.ncols());
        let mut shares = vec![0.0; self.topics];
        for (d, weight) in self.design.weights().iter().enumerate() {
            let theta = proportions(column(eta, d));
            let first = self.levels[d] * self.topics;
            for (&word, (count, phi)) in self.corpus.document(d).words.iter().zip(self.words_of(d, phi)) {
                if responsibilities(&theta, phi, &mut shares) > 0.0 {
                    let mut column = counts.column_mut(word as usize);
                    let own = column.iter_mut().skip(first).zip(&shares);
                    own.for_each(|(sum, share)| *sum += weight * count * share);
                }
            }
        }
        counts
    }

    /// What all documents know of the regression.
    pub(super) fn information(&self, state: &State) -> Information {
        let regression = &state.regression;
        let add = |sum: &mut Information, d: usize, mode: Mode| {
            sum.add(&self.design.row(d), &mode.curvature, regression);
        };
        let mut all = Information::none(regression);
        for block in self.blocks(state, || Information::none(regression), add) {
            all.merge(&block);
        }
        all
    }
}

impl Problem for StructuralProblem<'_> {
    type Model = State;
    type Statistics = DocumentSums;
    type Error = Error;

    /// The objective is Laplace's approximation of ln p(words of documents | words of topics, regression).
    fn e_step(&self, state: &State) -> Result<Expected<DocumentSums>, Error> {
        let size = self.topics - 1;
        let none = || (Vec::new(), DMatrix::zeros(size, size), 0.0);
        let add = |(eta, spread, ln): &mut (Vec<f64>, DMatrix<f64>, f64), d: usize, mode: Mode| {
            let weight = self.design.weights()[d];
            eta.extend_from_slice(mode.point.as_slice());
            *spread += mode.curvature.inverse() * weight;
            let around = state.regression.ln_determinant + mode.curvature.ln_determinant();
            *ln += weight * (mode.height - 0.5 * around);
        };
        let (mut eta, mut spread, mut ln) = none();
        for (own, covariance, part) in self.blocks(state, none, add) {
            eta.extend(own);
            spread += covariance;
            ln += part;
        }
        let eta = DMatrix::from_vec(size, self.corpus.documents(), eta);
        let counts = self.counts(&state.words.phi, &eta);
        Ok(Expected::new(DocumentSums { eta, spread, counts }, ln))
    }

    fn m_step(&self, sums: &DocumentSums, previous: &State) -> Result<State, Error> {
        Ok(State {
            words: self.pool.install(|| previous.words.given(&sums.counts)),
            regression: self.design.given(&sums.eta.transpose(), &sums.spread)?,
            eta: sums.eta.clone(),
        })
    }

    fn ln_prior(&self, state: &State) -> f64 {
        state.words.ln_prior() + self.design.ln_prior(&state.regression)
    }
}

/// A column, which is contiguous.
fn column(matrix: &DMatrix<f64>, at: usize) -> &[f64] {
    &matrix.as_slice()[at * matrix.nrows()..][..matrix.nrows()]
}
