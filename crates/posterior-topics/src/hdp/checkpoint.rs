//! The state of a fit on its way to a file and back.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::concentrations::Concentrations;
use super::fit::TracePoint;
use super::kernel::Sticks;
use super::options::Options;
use crate::checkpoint::{fingerprint, read, same_corpus};
use crate::{Corpus, Error};

const FORMAT: &str = "posterior-hdp-checkpoint-1";

/// All that it takes to continue a fit to the same bits: options, the state of its chain, and its trace. The
/// random streams need no state, they are named by the number of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    format: String,
    corpus: u32,
    options: Options,
    sweeps: u32,
    held_from: u32,
    trace: Vec<TracePoint>,
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

impl Checkpoint {
    pub(super) fn new(
        corpus: &Corpus,
        options: &Options,
        (sweeps, held_from): (u32, u32),
        trace: &[TracePoint],
        state: State,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            corpus: fingerprint(corpus),
            options: options.clone(),
            sweeps,
            held_from,
            trace: trace.to_vec(),
            state,
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

    pub(super) fn held_from(&self) -> u32 {
        self.held_from
    }

    pub(super) fn trace(&self) -> &[TracePoint] {
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

    /// Reads a checkpoint that [`Checkpoint::write_to`] wrote.
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
