//! Lists of variables, one after the other in one allocation.

use crate::VarId;

/// Rows of variables: scopes, cliques, separators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VarLists {
    /// Row i is `items[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    items: Vec<VarId>,
}

impl VarLists {
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }

    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = VarId>) {
        self.items.extend(row);
        self.starts.push(self.items.len());
    }

    /// The last row, to be put in order.
    pub(crate) fn last_mut(&mut self) -> &mut [VarId] {
        let rows = self.starts.len();
        if rows < 2 { &mut [] } else { &mut self.items[self.starts[rows - 2]..] }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The lengths of all rows, added up.
    pub(crate) fn items(&self) -> usize {
        self.items.len()
    }

    #[track_caller]
    pub(crate) fn row(&self, i: usize) -> &[VarId] {
        &self.items[self.starts[i]..self.starts[i + 1]]
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[VarId]> {
        self.starts.windows(2).map(|ends| &self.items[ends[0]..ends[1]])
    }
}
