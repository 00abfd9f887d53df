//! Minimum cuts, and the energies whose minimum is a cut.
//!
//! The mode of a binary Markov random field whose neighbours rather agree is a minimum cut, however large the
//! field: no iteration, no local optimum, and the flow proves the answer.
//!
//! | what | for |
//! |---|---|
//! | [`FlowNetwork`] | maximum flow and minimum cut of any network |
//! | [`BinaryEnergy`] | terms of one and two binary variables: [`minimize`](BinaryEnergy::minimize) where they are submodular, [`roof_dual`](BinaryEnergy::roof_dual) for others |
//! | [`GridEnergy`] | binary images with 4 or 8 neighbours, in less time and memory |
//! | [`GraphCut`] | the most probable state of a model of tables, as an engine |
//! | [`LabelEnergy`] | more than two labels: [`alpha_expansion`], [`alpha_beta_swap`], [`iterated_conditional_modes`] |
//!
//! Energies are minus logarithms of probabilities; +infinity forbids. Integers whose sum is below 2^53 give
//! results without any rounding.

mod binary;
mod conditional_modes;
mod engine;
mod expansion;
mod grid;
mod label_energy;
mod labelling;
mod minimum;
mod network;
mod roof_dual;
mod search_trees;
mod submodular;
mod swap;
mod topology;

pub use crate::cut_error::Error;
pub use binary::BinaryEnergy;
pub use conditional_modes::iterated_conditional_modes;
pub use engine::GraphCut;
pub use expansion::alpha_expansion;
pub use grid::GridEnergy;
pub use label_energy::LabelEnergy;
pub use labelling::{Labelling, SweepOptions};
pub use minimum::MinimumCut;
pub use network::{Cut, FlowNetwork};
pub use roof_dual::RoofDual;
pub use swap::alpha_beta_swap;
