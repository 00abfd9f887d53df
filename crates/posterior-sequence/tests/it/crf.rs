//! Tests of `crf`.
