//! Documents with all that is known of them, and parts of them.

use std::borrow::Cow;

use posterior::math::linalg::DMatrix;
use posterior::topics::Corpus;
use posterior::topics::corpus::{WordSequences, split_documents};
use posterior::topics::labelled_topics::DocumentLabels;
use posterior::topics::structural_topics::DocumentCovariates;

use super::corpus_input::Input;
use super::texts::without_order;
use crate::failure::Failure;

/// Documents, and what is known of each beside its words.
pub(super) struct Documents<'a> {
    pub(super) corpus: Cow<'a, Corpus>,
    /// The time of each document; NaN where there is none.
    pub(super) times: Option<Vec<f64>>,
    /// The name of the stretch of time that each document belongs to.
    pub(super) bands: Option<Vec<String>>,
    /// Documents x features.
    pub(super) features: Option<DMatrix<f64>>,
    /// What proportions and words depend on.
    pub(super) covariates: Option<DocumentCovariates>,
    /// The labels of each document.
    pub(super) labels: Option<DocumentLabels>,
    /// What topics predict of each document; NaN where it is not known.
    pub(super) responses: Option<Vec<f64>>,
    /// The words of each document in their order.
    pub(super) sequences: Option<WordSequences>,
}

impl<'a> Documents<'a> {
    /// Of which only the words are known.
    pub(super) const fn of_words(corpus: Cow<'a, Corpus>) -> Self {
        Self {
            corpus,
            times: None,
            bands: None,
            features: None,
            covariates: None,
            labels: None,
            responses: None,
            sequences: None,
        }
    }

    /// The time of each document, which `who` needs: "a model needs".
    pub(super) fn all_times(&self, who: &str) -> Result<&[f64], Failure> {
        let Some(times) = &self.times else {
            let failure = Failure::data(format!("{who} a time of each document"));
            return Err(failure.with_hint("name its column with --time, and the table with --meta"));
        };
        match times.iter().position(|time| !time.is_finite()) {
            None => Ok(times),
            Some(d) => {
                let name = &self.corpus.names()[d];
                Err(Failure::data(format!("document {name:?} has no time, and {who} one of each")))
            }
        }
    }

    /// The words in their order, which `who` needs.
    pub(super) fn in_order(&self, who: &str) -> Result<&WordSequences, Failure> {
        self.sequences.as_ref().ok_or_else(|| without_order(who))
    }
}

/// The proportion of documents that a range of numbers of topics holds out, unless stated otherwise.
pub(super) const HELD_OUT: f64 = 0.1;

/// The documents that a model is fitted to, and those that are held out.
pub(super) struct Parts<'a> {
    pub(super) train: Documents<'a>,
    /// The places of these in the corpus.
    pub(super) train_rows: Vec<usize>,
    pub(super) test: Option<Test>,
}

/// Documents that are held out.
pub(super) struct Test {
    pub(super) documents: Documents<'static>,
    /// Their places in the corpus.
    pub(super) rows: Vec<usize>,
}

impl<'a> Parts<'a> {
    /// All documents of the input, or a part that is held out and the others.
    pub(super) fn of(input: &'a Input, held_out: Option<f64>, seed: u64) -> Result<Self, Failure> {
        let Some(proportion) = held_out else {
            let train = Documents {
                corpus: Cow::Borrowed(&input.corpus),
                times: input.times.clone(),
                bands: input.bands.clone(),
                features: input.features.clone().map(|(_, features)| features),
                covariates: input.covariates.clone().map(|(_, covariates)| covariates),
                labels: input.labels.clone(),
                responses: input.responses.clone(),
                sequences: input.sequences.clone(),
            };
            return Ok(Self { train, train_rows: (0..input.corpus.documents()).collect(), test: None });
        };
        let split = split_documents(&input.corpus, proportion, seed)?;
        let train = part(input, split.train, &split.train_documents)?;
        let test =
            Test { documents: part(input, split.test, &split.test_documents)?, rows: split.test_documents };
        Ok(Self { train, train_rows: split.train_documents, test: Some(test) })
    }

    /// Proportions of all documents in their order, from those of both parts.
    pub(super) fn together(&self, train: &DMatrix<f64>, test: &[Vec<f64>]) -> DMatrix<f64> {
        let rows = self.test.as_ref().map_or(&[][..], |test| &test.rows);
        let mut all = DMatrix::zeros(self.train_rows.len() + rows.len(), train.ncols());
        for (row, &d) in self.train_rows.iter().enumerate() {
            all.set_row(d, &train.row(row));
        }
        for (theta, &d) in test.iter().zip(rows) {
            all.row_mut(d).iter_mut().zip(theta).for_each(|(to, from)| *to = *from);
        }
        all
    }
}

/// The documents of a corpus that are these rows of the input.
fn part(input: &Input, corpus: Corpus, rows: &[usize]) -> Result<Documents<'static>, Failure> {
    let sequences = input.sequences.as_ref().map(|all| all.select(rows));
    Ok(Documents {
        times: input.times.as_ref().map(|times| rows.iter().map(|&d| times[d]).collect()),
        bands: input.bands.as_ref().map(|bands| rows.iter().map(|&d| bands[d].clone()).collect()),
        features: input.features.as_ref().map(|(_, features)| features.select_rows(rows)),
        covariates: input.covariates.as_ref().map(|(_, covariates)| covariates.select(rows)),
        labels: input.labels.as_ref().map(|labels| labels.select(rows)).transpose()?,
        responses: input.responses.as_ref().map(|responses| rows.iter().map(|&d| responses[d]).collect()),
        sequences: sequences.transpose()?,
        corpus: Cow::Owned(corpus),
    })
}
