//! What sequences say about the rows, with a Dirichlet prior on each.

use posterior_dist::{Categorical, Conjugate, Dirichlet, Stats};
use posterior_math::check::{self, ParamError};
use rand::Rng;

use super::contexts::Contexts;
use super::{MarkovChain, TransitionCounts};
use crate::error::Error;

/// Independent Dirichlet distributions on the rows of a chain, the same for each context, and a symmetric one
/// on the distribution of the first symbols.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkovPrior {
    row: Dirichlet,
    start: f64,
}

impl MarkovPrior {
    /// The prior with all α of a row and of the start the same: 1 is uniform, 1/2 Jeffreys'.
    ///
    /// # Errors
    /// No symbols; an α that is not positive and finite.
    pub fn symmetric(symbols: usize, alpha: f64) -> Result<Self, Error> {
        Ok(Self { row: Dirichlet::symmetric(symbols, alpha)?, start: alpha })
    }

    /// The prior with this distribution of each row, and α = 1 for the start.
    pub const fn new(row: Dirichlet) -> Self {
        Self { row, start: 1.0 }
    }

    /// The same with another α for each word with which a sequence can begin.
    ///
    /// # Errors
    /// An α that is not positive and finite.
    pub fn with_start(self, alpha: f64) -> Result<Self, Error> {
        let start = check::positive("MarkovPrior", "start", alpha)?;
        Ok(Self { start, ..self })
    }

    /// ln p(the symbols that followed | the first m of each sequence), all probabilities integrated out.
    ///
    /// # Errors
    /// Counts of another number of symbols.
    pub fn ln_evidence(&self, counts: &TransitionCounts) -> Result<f64, Error> {
        self.check(counts)?;
        Ok(counts.rows().map(|row| self.row.ln_sequence_evidence(row)).sum())
    }

    /// ln p(the first m symbols of each sequence), their probabilities integrated out.
    ///
    /// # Errors
    /// Counts of another number of symbols, or an α whose sum overflows.
    pub fn ln_evidence_of_starts(&self, counts: &TransitionCounts) -> Result<f64, Error> {
        self.check(counts)?;
        Ok(Dirichlet::symmetric(counts.contexts(), self.start)?.ln_sequence_evidence(counts.starts()))
    }

    /// The distributions of the rows and of the start after these sequences.
    ///
    /// # Errors
    /// Counts of another number of symbols.
    pub fn posterior(&self, counts: &TransitionCounts) -> Result<MarkovPosterior, Error> {
        self.check(counts)?;
        let start = Dirichlet::symmetric(counts.contexts(), self.start)?;
        Ok(MarkovPosterior {
            contexts: counts.contexts,
            start: updated(&start, counts.starts())?,
            rows: counts.rows().map(|row| updated(&self.row, row)).collect::<Result<_, _>>()?,
        })
    }

    fn check(&self, counts: &TransitionCounts) -> Result<(), Error> {
        let (expected, found) = (self.row.concentration().len(), counts.symbols());
        Ok(check::dimension("symbols", expected, found)?)
    }
}

/// A Dirichlet distribution after these counts.
fn updated(prior: &Dirichlet, counts: &[u64]) -> Result<Dirichlet, ParamError> {
    let mut stats = Stats::<Categorical>::new(counts.len());
    for (symbol, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        stats.push_weighted(&symbol, count as f64)?;
    }
    Categorical::posterior(prior, &stats)
}

/// The posterior of a chain given sequences: a Dirichlet distribution for each row.
#[derive(Debug, Clone, PartialEq)]
pub struct MarkovPosterior {
    contexts: Contexts,
    start: Dirichlet,
    rows: Vec<Dirichlet>,
}

impl MarkovPosterior {
    /// The distribution of the distribution of the first m symbols.
    pub const fn start(&self) -> &Dirichlet {
        &self.start
    }

    /// The distribution of each row, in the order of contexts.
    pub fn rows(&self) -> &[Dirichlet] {
        &self.rows
    }

    /// The chain of expected probabilities, which is the distribution of the next symbol whatever came
    /// before.
    ///
    /// # Errors
    /// If probabilities are beyond the range of f64.
    pub fn predictive(&self) -> Result<MarkovChain, Error> {
        self.chain(|row| {
            Ok(Categorical::predictive(row, &row.concentration().len())?.probabilities().to_vec())
        })
    }

    /// The most probable chain, if there is one.
    ///
    /// # Errors
    /// If a row has an α below 1, or all are 1, so that its density has no peak.
    pub fn most_probable(&self) -> Result<MarkovChain, Error> {
        self.chain(|row| {
            let distribution = Categorical::most_probable(row, &row.concentration().len())?;
            let distribution = distribution.ok_or_else(|| {
                let least = row.concentration().iter().copied().fold(f64::INFINITY, f64::min);
                ParamError::new("MarkovPosterior", "least alpha of a row", least, "such that a peak exists")
            })?;
            Ok(distribution.probabilities().to_vec())
        })
    }

    /// A chain drawn from the posterior.
    ///
    /// # Errors
    /// If a draw is beyond the range of f64.
    pub fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<MarkovChain, Error> {
        self.chain(|row| {
            Ok(Categorical::draw(row, &row.concentration().len(), rng)?.probabilities().to_vec())
        })
    }

    fn chain(
        &self,
        mut distribution: impl FnMut(&Dirichlet) -> Result<Vec<f64>, ParamError>,
    ) -> Result<MarkovChain, Error> {
        let initial = distribution(&self.start)?;
        let mut rows = Vec::with_capacity(self.contexts.count * self.contexts.symbols);
        for row in &self.rows {
            rows.extend(distribution(row)?);
        }
        MarkovChain::new(self.contexts.symbols, self.contexts.order, &initial, &rows)
    }
}
