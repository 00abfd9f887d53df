//! Linear algebra: tables of 30 digits, closed forms, and two routes to one number.

mod cholesky;
mod eigenvalues;
mod functions;
mod matrices;
mod misuse;
mod structured;
mod symmetric;
mod tables;
#[cfg(feature = "serde")]
mod written;
