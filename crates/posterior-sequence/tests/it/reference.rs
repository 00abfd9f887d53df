//! Tests of `reference`.
