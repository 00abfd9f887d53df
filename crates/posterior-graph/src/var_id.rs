//! The id of a variable.

use std::fmt;

/// The id of a variable of a model, which is a node of its graph: dense, from 0.
///
/// A type of its own because states, factors and cliques are numbers too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);

impl VarId {
    /// The variable with this index.
    ///
    /// # Panics
    /// From 2³² on: no graph of this crate has so many.
    #[track_caller]
    pub const fn new(index: usize) -> Self {
        assert!(index <= u32::MAX as usize, "an index of a variable fits in 32 bits");
        Self(index as u32)
    }

    /// Its index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for VarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}
