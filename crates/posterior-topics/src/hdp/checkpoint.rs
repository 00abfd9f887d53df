//! The state of a fit on its way to a file and back.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use super::direct_assignment::DirectState;
use super::franchise::FranchiseState;
use super::held_topics::HeldState;
use super::options::HdpOptions;
use super::state::HdpState;
use crate::chain::SweepPoint;
use crate::checkpoint::read;

pub(super) const FORMAT: &str = "posterior-hdp-checkpoint-2";

/// All that it takes to continue a fit to the same bits: options, the state of its chain, and its trace. The
/// random streams need no state, they are named by the number of the sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HdpCheckpoint {
    pub(super) format: String,
    pub(super) corpus: u32,
    pub(super) options: HdpOptions,
    pub(super) iterations: usize,
    pub(super) trace: Vec<SweepPoint<HdpState>>,
    pub(super) state: State,
}

/// What a chain does not find again from its corpus and its options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    DirectAssignment(DirectState),
    Franchise(FranchiseState),
    Held(HeldState),
}

impl HdpCheckpoint {
    /// The options of the fit.
    pub fn options(&self) -> &HdpOptions {
        &self.options
    }

    /// Sweeps done.
    pub fn iterations(&self) -> usize {
        self.iterations
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
