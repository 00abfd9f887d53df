//! The state of a fit on its way to a file and back.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use super::fit::{HdpChain, HdpState};
use super::kernel::Sticks;
use super::options::HdpOptions;
use crate::chain::{Run, SweepPoint};
use crate::checkpoint::{fingerprint, read, same_corpus};
use crate::{Corpus, Error};

const FORMAT: &str = "posterior-hdp-checkpoint-2";

/// All that it takes to continue a fit to the same bits: options, the state of its chain, and its trace. The
/// random streams need no state, they are named by the number of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HdpCheckpoint {
    format: String,
    corpus: u32,
    options: HdpOptions,
    iterations: usize,
    trace: Vec<SweepPoint<HdpState>>,
    state: State,
}

/// What a chain does not find again from its corpus and its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    DirectAssignment(DirectState),
    Franchise(FranchiseState),
    Held(HeldState),
}

/// Of [`DirectAssignment`](super::DirectAssignment).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DirectState {
    /// The slot of each token.
    pub(super) topics: Vec<u32>,
    pub(super) beta: f64,
    pub(super) sticks: Sticks,
    /// By slot.
    pub(super) tables: Vec<u32>,
    pub(super) concentrations: Concentrations,
}

/// Of [`Franchise`](super::Franchise).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FranchiseState {
    /// The table of each token in its document.
    pub(super) seats: Vec<u32>,
    /// The slot of each table of each document.
    pub(super) documents: Vec<Vec<u32>>,
    pub(super) slots: usize,
    pub(super) beta: f64,
    pub(super) concentrations: Concentrations,
}

/// Of topics that neither come nor go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct HeldState {
    /// The slot of each token.
    pub(super) topics: Vec<u32>,
    pub(super) beta: f64,
    pub(super) sticks: Sticks,
    pub(super) unused_weight: f64,
    pub(super) concentrations: Concentrations,
    pub(super) states: u32,
    pub(super) word_sums: Vec<u64>,
    pub(super) document_sums: Vec<u64>,
}

impl HdpCheckpoint {
    pub(super) fn new(run: &Run<HdpChain<'_>>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            corpus: fingerprint(run.chain.corpus),
            options: run.chain.options.clone(),
            iterations: run.done,
            trace: run.trace.clone(),
            state: run.chain.save(),
        }
    }

    /// The options of the fit.
    pub fn options(&self) -> &HdpOptions {
        &self.options
    }

    /// Sweeps done.
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    pub(super) fn trace(&self) -> &[SweepPoint<HdpState>] {
        &self.trace
    }

    /// The state, if it is one of this corpus.
    pub(super) fn state(&self, corpus: &Corpus) -> Result<&State, Error> {
        same_corpus(self.corpus, corpus)?;
        Ok(&self.state)
    }

    /// Writes the checkpoint as JSON.
    ///
    /// # Errors
    /// Those of `writer`.
    pub fn write_to(&self, writer: impl Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(writer, self)?)
    }

    /// Reads a checkpoint that [`HdpCheckpoint::write_to`] wrote.
    ///
    /// # Errors
    /// Those of `reader`, and [`std::io::ErrorKind::InvalidData`] for anything but a checkpoint.
    pub fn read_from(reader: impl Read) -> std::io::Result<Self> {
        read(reader, FORMAT)
    }
}

impl Sticks {
    /// Whether these are weights of so many slots.
    pub(super) fn are_weights(&self, slots: usize) -> bool {
        let mut all = self.weights.iter().chain([&self.rest]);
        self.weights.len() == slots && all.all(|weight| (0.0..=1.0).contains(weight))
    }
}
