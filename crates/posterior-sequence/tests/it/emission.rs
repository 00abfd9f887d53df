//! Tests of `emission`.
