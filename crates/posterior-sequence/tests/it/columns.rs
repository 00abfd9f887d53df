//! Tests of `columns`.
