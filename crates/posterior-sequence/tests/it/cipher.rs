//! Tests of `cipher`.
