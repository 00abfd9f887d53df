//! Criterion benchmarks, one file per crate.
