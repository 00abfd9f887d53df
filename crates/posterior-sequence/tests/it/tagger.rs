//! Tests of `tagger`.
