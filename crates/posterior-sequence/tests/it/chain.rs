//! Tests of `chain`.
