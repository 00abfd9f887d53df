//! The state of a fit on its way to a file and back.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::collapsed_gibbs::LdaGibbs;
use super::kept::KeptConcentrations;
use super::options::LdaGibbsOptions;
use super::pooled::PooledCounts;
use crate::chain::SweepPoint;
use crate::checkpoint::{contradiction, read, same_corpus};
use crate::{Corpus, Error};

pub(super) const FORMAT: &str = "posterior-lda-checkpoint-3";

/// All that it takes to continue a fit to the same bits: options, topics of the tokens, concentrations and
/// their draws, pooled counts and trace. The random streams need no state, they are named by the number of
/// the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LdaGibbsCheckpoint {
    pub(super) format: String,
    pub(super) corpus: u32,
    pub(super) options: LdaGibbsOptions,
    pub(super) iterations: usize,
    pub(super) alpha: Vec<f64>,
    pub(super) beta: f64,
    pub(super) assignments: Vec<u16>,
    pub(super) pooled: PooledCounts,
    pub(super) concentrations: KeptConcentrations,
    pub(super) trace: Vec<SweepPoint>,
}

impl LdaGibbsCheckpoint {
    /// The options of the fit.
    pub fn options(&self) -> &LdaGibbsOptions {
        &self.options
    }

    /// Threads to go on with; 0 for all cores. They never change the result. A file has 0.
    pub fn set_threads(&mut self, threads: usize) {
        self.options.threads = threads;
    }

    /// Sweeps done.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// The chain as it was.
    pub(super) fn chain<'a>(&self, corpus: &'a Corpus) -> Result<LdaGibbs<'a>, Error> {
        same_corpus(self.corpus, corpus)?;
        if self.alpha.len() != self.options.topics || !self.pooled.fits(corpus, self.options.topics) {
            return Err(contradiction());
        }
        let prior = (self.alpha.clone(), self.beta);
        let chain = LdaGibbs::restore(corpus, &self.options, &self.assignments, prior, self.iterations)?;
        let numbers = self.options.topics + usize::from(chain.prior().is_equal());
        if self.concentrations.fits(numbers) { Ok(chain) } else { Err(contradiction()) }
    }

    /// Writes the checkpoint as JSON.
    ///
    /// # Errors
    /// Those of `writer`.
    pub fn write_to(&self, writer: impl Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(writer, self)?)
    }

    /// Reads a checkpoint that [`LdaGibbsCheckpoint::write_to`] wrote.
    ///
    /// # Errors
    /// Those of `reader`, and [`std::io::ErrorKind::InvalidData`] for anything but a checkpoint.
    pub fn read_from(reader: impl Read) -> std::io::Result<Self> {
        read(reader, FORMAT)
    }
}
