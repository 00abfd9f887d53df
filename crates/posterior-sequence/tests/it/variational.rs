//! Tests of `variational`.
