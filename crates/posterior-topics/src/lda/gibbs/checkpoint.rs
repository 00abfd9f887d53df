//! The state of a fit on its way to a file and back.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::collapsed_gibbs::CollapsedGibbs;
use super::fit::TracePoint;
use super::options::Options;
use super::pooled::PooledCounts;
use crate::checkpoint::{contradiction, fingerprint, read, same_corpus};
use crate::{Corpus, Error};

const FORMAT: &str = "posterior-lda-checkpoint-1";

/// All that it takes to continue a fit to the same bits: options, topics of the tokens, concentrations,
/// pooled counts and trace. The random streams need no state, they are named by the number of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    format: String,
    corpus: u32,
    options: Options,
    sweeps: u32,
    alpha: Vec<f64>,
    beta: f64,
    assignments: Vec<u16>,
    pooled: PooledCounts,
    trace: Vec<TracePoint>,
}

impl Checkpoint {
    pub(super) fn new(
        chain: &CollapsedGibbs<'_>,
        options: &Options,
        pooled: &PooledCounts,
        trace: &[TracePoint],
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            corpus: fingerprint(chain.corpus()),
            options: options.clone(),
            sweeps: chain.sweeps(),
            alpha: chain.alpha().to_vec(),
            beta: chain.beta(),
            assignments: chain.assignments(),
            pooled: pooled.clone(),
            trace: trace.to_vec(),
        }
    }

    /// The options of the fit.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Sweeps done.
    pub fn sweeps(&self) -> u32 {
        self.sweeps
    }

    pub(super) fn pooled(&self) -> &PooledCounts {
        &self.pooled
    }

    pub(super) fn trace(&self) -> &[TracePoint] {
        &self.trace
    }

    /// The chain as it was.
    pub(super) fn chain<'a>(&self, corpus: &'a Corpus) -> Result<CollapsedGibbs<'a>, Error> {
        same_corpus(self.corpus, corpus)?;
        if self.alpha.len() != self.options.topics || !self.pooled.fits(corpus, self.options.topics) {
            return Err(contradiction());
        }
        let prior = (self.alpha.clone(), self.beta);
        CollapsedGibbs::restore(corpus, &self.options, &self.assignments, prior, self.sweeps)
    }

    /// Writes the checkpoint as JSON.
    ///
    /// # Errors
    /// Those of `writer`.
    pub fn write_to(&self, writer: impl Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(writer, self)?)
    }

    /// Reads a checkpoint that [`Checkpoint::write_to`] wrote.
    ///
    /// # Errors
    /// Those of `reader`, and [`std::io::ErrorKind::InvalidData`] for anything but a checkpoint.
    pub fn read_from(reader: impl Read) -> std::io::Result<Self> {
        read(reader, FORMAT)
    }
}
