//! Tests of `punctuation`.
