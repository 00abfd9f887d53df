//! Tests of `gibbs`.
