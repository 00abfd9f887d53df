//! What a query costs, and what it may take.

use std::fmt;

use posterior_math::memory;

/// What a query costs, known before a table is made. Counts stop at the largest integer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Numbers in all tables that are held at the same time.
    pub cells: u64,
    /// Numbers in the largest table.
    pub largest: u64,
    /// Multiplications and additions, about.
    pub operations: u64,
}

impl Cost {
    /// These counts.
    pub const fn new(cells: u64, largest: u64, operations: u64) -> Self {
        Self { cells, largest, operations }
    }

    /// The cost of this and then that: the tables of the first are gone when those of the second are made.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self {
            cells: self.cells.max(next.cells),
            largest: self.largest.max(next.largest),
            operations: self.operations.saturating_add(next.operations),
        }
    }

    /// The memory of the tables: "3.2 GiB".
    pub(crate) fn memory(&self) -> String {
        memory::size_text(self.bytes())
    }

    /// The memory of the tables, in bytes.
    pub const fn bytes(&self) -> u64 {
        self.cells.saturating_mul(8)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of tables", self.memory())
    }
}

/// How much memory the tables of a query may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    bytes: u64,
}

impl Budget {
    /// So many bytes.
    pub const fn bytes(bytes: u64) -> Self {
        Self { bytes }
    }

    /// Three quarters of the memory that is free now: on Linux what the kernel says, or the limit of the
    /// control group if that is lower; elsewhere 4 GiB.
    pub fn available() -> Self {
        Self { bytes: memory::default_limit() }
    }

    /// Whether a query of this cost may run.
    pub const fn allows(&self, cost: &Cost) -> bool {
        cost.bytes() <= self.bytes
    }

    /// The bytes.
    pub const fn limit(&self) -> u64 {
        self.bytes
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&memory::size_text(self.bytes))
    }
}
