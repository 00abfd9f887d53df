//! Which syntax is read.

/// How a program is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// Old syntax is read with notes that say how it is written today.
    #[default]
    Any,
    /// Old syntax is an error, as for Stan's own compiler since version 2.33.
    Current,
}
