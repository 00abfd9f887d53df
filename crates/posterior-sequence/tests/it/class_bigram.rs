//! Tests of `class_bigram`.
