//! Tests of `alphabet`.
