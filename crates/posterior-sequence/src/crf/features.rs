//! Which weights there are, and where each stands.

use std::ops::Range;

use crate::error::Error;
use posterior_math::check::DimensionError;

/// Which weights a model has, and where each stands among them.
///
/// In this order: for each attribute those of labels, for each attribute of steps those of pairs of labels,
/// those of pairs of labels as such, K of first and K of last labels, and for each dense feature those of all
/// K labels. A pair (i, j) has the number i K + j.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    pub(super) labels: usize,
    pub(super) nodes: Targets,
    pub(super) steps: Targets,
    /// Numbers of pairs.
    pub(super) transitions: Vec<u32>,
    pub(super) ends: bool,
    pub(super) width: usize,
}

/// For each attribute the labels, or pairs of labels, with which it has a weight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Targets {
    /// The number of possible targets.
    pub(super) width: usize,
    /// Where the row of each attribute begins, and the end of the last.
    starts: Vec<u32>,
    columns: Vec<u32>,
}

impl Targets {
    /// Rows as long as these, one after the other.
    pub(super) fn new(width: usize, rows: impl IntoIterator<Item = Vec<u32>>) -> Result<Self, Error> {
        let (mut starts, mut columns) = (vec![0], Vec::new());
        for row in rows {
            columns.extend(row);
            let end = u32::try_from(columns.len())
                .map_err(|_| DimensionError::new("weights, at most", u32::MAX as usize, columns.len()))?;
            starts.push(end);
        }
        Ok(Self { width, starts, columns })
    }

    /// The number of attributes.
    pub(super) const fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of weights.
    pub(super) const fn len(&self) -> usize {
        self.columns.len()
    }

    /// Where the weights of an attribute stand; nowhere if there is no such attribute.
    #[inline]
    pub(super) fn range(&self, attribute: usize) -> Range<usize> {
        match self.starts.get(attribute..attribute + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        }
    }

    /// The targets of weights that stand there.
    #[inline]
    pub(super) fn targets(&self, range: Range<usize>) -> &[u32] {
        &self.columns[range]
    }
}

/// What a weight is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// An attribute and a label at a position.
    State {
        /// The attribute.
        attribute: usize,
        /// The label.
        label: usize,
    },
    /// An attribute of a step, and the labels before and after it.
    Step {
        /// The attribute of the step.
        attribute: usize,
        /// The label before.
        from: usize,
        /// The label after.
        to: usize,
    },
    /// Two labels in a row.
    Transition {
        /// The label before.
        from: usize,
        /// The label after.
        to: usize,
    },
    /// The label of the first position.
    First {
        /// The label.
        label: usize,
    },
    /// The label of the last position.
    Last {
        /// The label.
        label: usize,
    },
    /// A dense feature and a label at a position.
    Dense {
        /// The number of the feature in the row.
        feature: usize,
        /// The label.
        label: usize,
    },
}

/// Where each kind of weights stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blocks {
    pub(super) steps: usize,
    pub(super) transitions: usize,
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) dense: usize,
    pub(super) end: usize,
}

impl Features {
    /// Number K of labels.
    pub const fn labels(&self) -> usize {
        self.labels
    }

    /// The number of weights.
    pub fn len(&self) -> usize {
        self.blocks().end
    }

    /// Whether there is no weight.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What all weights are of, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Feature> + '_ {
        let k = self.labels;
        let pair = move |pair: u32| (pair as usize / k, pair as usize % k);
        let states =
            rows(&self.nodes).map(|(attribute, label)| Feature::State { attribute, label: label as usize });
        let steps = rows(&self.steps).map(move |(attribute, target)| {
            let (from, to) = pair(target);
            Feature::Step { attribute, from, to }
        });
        let transitions = self.transitions.iter().map(move |&target| {
            let (from, to) = pair(target);
            Feature::Transition { from, to }
        });
        let ends = if self.ends { k } else { 0 };
        let first = (0..ends).map(|label| Feature::First { label });
        let last = (0..ends).map(|label| Feature::Last { label });
        let dense = (0..self.width * k).map(move |i| Feature::Dense { feature: i / k, label: i % k });
        states.chain(steps).chain(transitions).chain(first).chain(last).chain(dense)
    }

    pub(super) fn blocks(&self) -> Blocks {
        let steps = self.nodes.len();
        let transitions = steps + self.steps.len();
        let first = transitions + self.transitions.len();
        let ends = if self.ends { self.labels } else { 0 };
        let dense = first + 2 * ends;
        let end = dense + self.width * self.labels;
        Blocks { steps, transitions, first, last: first + ends, dense, end }
    }
}

/// Attribute and target of each weight.
fn rows(table: &Targets) -> impl Iterator<Item = (usize, u32)> + '_ {
    (0..table.rows()).flat_map(|row| table.targets(table.range(row)).iter().map(move |&target| (row, target)))
}
