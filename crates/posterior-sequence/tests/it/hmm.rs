//! Tests of `hmm`.
