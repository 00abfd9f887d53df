//! Tests of `sticky`.
