//! The static graph: instructions over one array of numbers, each for many lanes at once.
//!
//! A record is put in order by level; what one statement does in all rounds of its loop becomes one
//! instruction. Nothing is allocated when it runs.

mod bounds;
mod compile;
mod courses;
mod densities;
mod lanes;
mod run;

pub(crate) use compile::compile;
pub(crate) use courses::{Courses, Kept};

use std::cmp::Ordering;
use std::sync::Arc;

use crate::equation::Equation;
use crate::op::Op;
use crate::trace::Bound;

/// Where the numbers of an operand are.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// One number for all.
    Splat(u32),
    /// Behind one another from here.
    Range(u32),
    /// Each at its place.
    Gather(Box<[u32]>),
}

/// An operand: for each lane `len` numbers.
#[derive(Debug, Clone)]
pub(crate) struct Operand {
    place: Place,
    len: usize,
    /// Whether a number of it depends on parameters.
    grad: bool,
    /// Where the derivatives by it are kept between the passes.
    partials: usize,
}

/// One instruction.
#[derive(Debug, Clone)]
struct Instruction {
    op: Op,
    lanes: usize,
    n_out: usize,
    out: usize,
    operands: Vec<Operand>,
    /// Whether the lanes are summed into one output.
    fused: bool,
    place: u32,
}

/// A condition on numbers of the graph.
#[derive(Debug, Clone)]
struct GraphCheck {
    what: Bound,
    numbers: Operand,
    place: u32,
    name: String,
}

/// A number of the graph, or a constant.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    Constant(f64),
    Slot(usize),
}

/// Instructions from parameters to numbers.
#[derive(Debug, Clone)]
pub(crate) struct Graph {
    dim: usize,
    constants: Vec<f64>,
    instructions: Vec<Instruction>,
    checks: Vec<GraphCheck>,
    /// Pairs of numbers, and how they compare where the graph holds.
    decisions: Vec<([u32; 2], Option<Ordering>)>,
    /// Whether it holds at the point of its record only.
    once: bool,
    pub(crate) outputs: Vec<Source>,
    slots: usize,
    partials: usize,
    buffer: usize,
    systems: Vec<Arc<dyn Equation>>,
}

/// The arrays that a run writes.
#[derive(Debug, Clone)]
pub(crate) struct Workspace {
    pub(crate) values: Vec<f64>,
    pub(crate) adjoints: Vec<f64>,
    partials: Vec<f64>,
    buffers: [Vec<f64>; 3],
}

impl Graph {
    /// Arrays of the sizes that a run needs.
    pub(crate) fn workspace(&self) -> Workspace {
        let mut values = vec![0.0; self.slots];
        values[self.dim..self.dim + self.constants.len()].copy_from_slice(&self.constants);
        let buffer = vec![0.0; self.buffer];
        Workspace {
            values,
            adjoints: vec![0.0; self.slots],
            partials: vec![0.0; self.partials],
            buffers: [buffer.clone(), buffer.clone(), buffer],
        }
    }

    /// Whether it holds at all points.
    pub(crate) const fn is_static(&self) -> bool {
        !self.once && self.decisions.is_empty()
    }

    /// Whether it holds at the point whose values the workspace has.
    fn holds(&self, workspace: &Workspace) -> bool {
        let value = |slot: u32| workspace.values[slot as usize];
        let mut decisions = self.decisions.iter();
        !self.once && decisions.all(|([x, y], outcome)| value(*x).partial_cmp(&value(*y)) == *outcome)
    }

    /// Instructions and lanes.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.instructions.len(), self.instructions.iter().map(|one| one.lanes).sum())
    }
}
