//! The potential of a clique: the product of its factors, and where each of its cells is in the tables of its
//! separators.

use posterior_pgm::VarId;

/// Cells that are possible, in blocks of `lanes` neighbouring ones; blocks of zeros are left out.
///
/// A link joins the clique to a table over some of its variables: first the separator of the parent (of one
/// cell, if there is none), then those of the children, then the variables that only this clique has, if
/// there are any.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Potential {
    pub(super) lanes: usize,
    pub(super) values: Vec<f64>,
    /// For each block and link the place in the table of the link.
    pub(super) places: Vec<u32>,
    pub(super) links: Vec<Link>,
    /// The logarithm of the smallest value that is not zero.
    pub(super) ln_least: f64,
}

/// A table over some of the variables of a clique.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Link {
    /// Whether the lanes of a block are at neighbouring places of the table; else all are at the same.
    pub(super) is_vector: bool,
    pub(super) layout: Layout,
}

/// Where the joint states of some variables are in a table, from which impossible ones may be missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Layout {
    pub(super) axes: Vec<Axis>,
    /// The cells that are there, if not all are.
    pub(super) kept: Option<Vec<u32>>,
    pub(super) len: usize,
}

/// A variable of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    pub(super) variable: VarId,
    pub(super) card: usize,
    pub(super) stride: usize,
}

impl Layout {
    /// The axis of `v`.
    pub(super) fn axis(&self, v: VarId) -> Option<&Axis> {
        self.axes.iter().find(|axis| axis.variable == v)
    }

    /// The cell, of all that there could be, that is at this place.
    pub(super) fn cell(&self, place: usize) -> usize {
        self.kept.as_ref().map_or(place, |kept| kept[place] as usize)
    }

    /// The place of a joint state, given by the states of all variables of the model; `None` if it is
    /// missing.
    pub(super) fn place(&self, states: &[usize]) -> Option<usize> {
        let cell: usize = self.axes.iter().map(|axis| states[axis.variable.index()] * axis.stride).sum();
        match &self.kept {
            None => Some(cell),
            Some(kept) => kept.binary_search(&(cell as u32)).ok(),
        }
    }

    /// Writes the states of the variables at this place.
    pub(super) fn read(&self, place: usize, states: &mut [usize]) {
        let cell = self.cell(place);
        for axis in &self.axes {
            states[axis.variable.index()] = cell / axis.stride % axis.card;
        }
    }

    /// Calls `f` with each place and the state of a variable there, one run of equal states after another.
    pub(super) fn for_each_run(&self, axis: &Axis, mut f: impl FnMut(std::ops::Range<usize>, usize)) {
        if let Some(kept) = &self.kept {
            for (place, &cell) in kept.iter().enumerate() {
                f(place..place + 1, cell as usize / axis.stride % axis.card);
            }
            return;
        }
        for start in (0..self.len).step_by(axis.stride * axis.card) {
            for state in 0..axis.card {
                let from = start + state * axis.stride;
                f(from..from + axis.stride, state);
            }
        }
    }
}

impl Potential {
    /// The same with logarithms in place of values.
    pub(super) fn logarithms(&self) -> Self {
        let mut copy = self.clone();
        copy.values.iter_mut().for_each(|value| *value = value.ln());
        copy
    }
}
