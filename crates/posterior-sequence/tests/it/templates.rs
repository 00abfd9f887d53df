//! Tests of `templates`.
