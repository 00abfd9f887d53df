//! Tests of `evaluation`.
