//! Tests of `ngram`.
